"""Markdown transcripts: a heading, or a name in bold on a line of its own, says who speaks until the next one.

Headings are in answers too. Where one heading of the level is a known speaker's (User, Assistant …), only such ones are
speakers, unless all headings of that level are names; without a known one all of them must be names that return.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from dissolution.conversation import Role
from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.spoken import Opening, draft_of, first_filled, lines_of, outside_fences
from language.intake.labels import ROLES, is_known, is_ruled_out, looks_like_name
from language.intake.options import Form
from language.intake.shown import shown
from language.intake.times import Stamps
from language.intake.transcript import speaker_lines

_HEADING = re.compile(r"^(?P<style>#{1,6})[ \t]+(?P<said>\S.{0,120}?)[ \t]*#*[ \t]*$")
_BOLD = re.compile(r"^(?P<style>_?(?:\*\*|__))(?P<said>[^*_\n]{1,120})(?:\*\*|__)_?[ \t]*:?[ \t]*$")
_DATE = r"\d{4}-\d{2}-\d{2}"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?: ?[AaPp][Mm])?"
_ZONE = r" ?(?:Z|UTC|[+-]\d{2}:?\d{2})"
_TIME = re.compile(
    rf"[ \t]*[-–—|,·@]?[ \t]*[\[(]?(?:(?P<instant>{_DATE}[T ]{_CLOCK}(?:{_ZONE})?)|(?P<clock>{_CLOCK}))[\])]?$"
)
_EDGES = re.compile(r"^[^\w(]+|[^\w.)]+$")  # emoji, colons, marks around a name
_SAID = re.compile(r"[ \t]+(?:said|says|wrote|asked|answered|replied)$", re.IGNORECASE)
_ASIDE = re.compile(r"[ \t]*\([^()]{1,60}\)$")
_RULE = re.compile(r"^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$")
_FRONT = re.compile(r"\A\s*---\n(?P<matter>.*?\n)---\n", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(?P<title>.+?)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_PRODUCTS = (
    "chatgpt",
    "claude",
    "gemini",
    "bard",
    "copilot",
    "github copilot",
    "cursor",
    "grok",
    "deepseek",
    "mistral",
)
# Products and parts as exports name them, beside those of plain transcripts.
_ROLES = {
    **ROLES,
    **dict.fromkeys(("you", "me", "prompt", "question", "request"), Role.USER),
    **dict.fromkeys(
        (*_PRODUCTS, "model", "response", "answer", "agent"),
        Role.ASSISTANT,
    ),
    "tool result": Role.TOOL,
    "tool results": Role.TOOL,
}
_LEAST = 2  # speakers' lines that make a transcript
_MAX_LABEL = 60
_LONGEST = 200  # characters of a line that names who speaks


class _Head(NamedTuple):
    line: int
    style: str
    label: str
    instant: str | None
    clock: bool

    @property
    def role(self) -> Role | None:
        return _ROLES.get(_ASIDE.sub("", self.label).casefold())

    @property
    def known(self) -> bool:
        return self.role is not None or is_known(self.label)

    @property
    def named(self) -> bool:
        return self.known or (looks_like_name(self.label) and not is_ruled_out(self.label))


def _recognise(material: Material) -> str | None:
    text = material.text
    if text is None or material.value is not None:
        return None
    found = _speakers(lines_of(_without_front(text)))
    if len(found) < _LEAST or speaker_lines(text):  # a transcript asks for more than headings, and is ours
        return None
    return f"{'headings' if found[0].style[0] == '#' else 'lines in bold'} that name who speaks"


def _read(material: Material) -> tuple[Entry, ...]:
    return (Entry(None, _title(material.whole_text()), partial(_draft, material)),)


def _draft(material: Material, stamps: Stamps) -> Draft:
    text = material.whole_text()
    lines = lines_of(_without_front(text))
    heads = _speakers(lines)
    if not heads:
        raise InvalidConversation(
            f"file {material.name!r} has no turns: no heading and no line in bold names a speaker",
            "write '## User' and '## Assistant', or '## Mara', on lines of their own",
        )
    opened = {one.line for one in heads}
    rules = {at for at, line in enumerate(lines) if _RULE.match(line) and _ends_turn(lines, at, opened)}
    openings = [Opening(one.line, one.label, "", one.instant, one.clock, one.role) for one in heads]
    draft = draft_of(openings, lines, stamps, title=_title(text), left_out=rules)
    return draft._replace(warnings=(*_told(lines, heads), *draft.warnings))


def _ends_turn(lines: Sequence[str], at: int, opened: set[int]) -> bool:
    """Whether a rule stands between two turns: before a speaker, after one, or at the end."""
    after = next((index for index in range(at + 1, len(lines)) if lines[index].strip()), None)
    before = next((index for index in range(at - 1, -1, -1) if lines[index].strip()), None)
    return after is None or after in opened or before in opened


def _without_front(text: str) -> str:
    """The text with its front matter and comments blanked, so that lines keep their numbers."""
    blank = text.replace("\r\n", "\n")
    front = _FRONT.match(blank)
    if front is not None:
        blank = "\n" * front[0].count("\n") + blank[front.end() :]
    head = _COMMENT.match(blank.lstrip())
    return blank if head is None else blank.replace(head[0], "\n" * head[0].count("\n"), 1)


def _title(text: str) -> str | None:
    front = _FRONT.match(text.replace("\r\n", "\n"))
    given = None if front is None else _TITLE.search(front["matter"])
    if given is not None:
        return given["title"].strip("\"'") or None
    lines = lines_of(_without_front(text))
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    opened = {one.line for one in _speakers(lines)}
    return None if first is None or first in opened or not lines[first].startswith("#") else lines[first].strip("# ")


def _speakers(lines: Sequence[str]) -> list[_Head]:
    """The lines that name who speaks, of one style: that of the first known speaker's, else of the first head's."""
    heads = [head for head in _heads(lines) if head is not None]
    for style in dict.fromkeys(one.style for one in sorted(heads, key=lambda head: not head.known)):
        of_style = [one for one in heads if one.style == style]
        known = [one for one in of_style if one.known]
        counts = Counter(one.label.casefold() for one in of_style)
        named = all(one.named for one in of_style) and max(counts.values()) > 1 and len(counts) > 1
        if named and (known or of_style[0].line == first_filled(lines)):
            return of_style
        if len(known) >= _LEAST:
            return known
    return []


def _heads(lines: Sequence[str]) -> list[_Head | None]:
    return [_head(at, lines[at]) for at, free in enumerate(outside_fences(lines)) if free]


def _head(at: int, line: str) -> _Head | None:
    match = None if len(line) > _LONGEST else _BOLD.match(line) or _HEADING.match(line)
    if match is None:
        return None
    said = match["said"].strip("*_ \t")
    time = _TIME.search(said)
    if time is not None:
        said = said[: time.start()]
    label = _SAID.sub("", _EDGES.sub("", said))
    if not label or len(label) > _MAX_LABEL or not label[0].isalpha():
        return None
    instant = None if time is None else time["instant"]
    return _Head(at, match["style"], label, None if instant is None else _iso(instant), bool(time and time["clock"]))


def _iso(instant: str) -> str | None:
    """An instant with a zone as ISO has it; one with AM or PM is not ISO and none is made of it."""
    return None if instant[-1] in "mM" else instant.replace(" UTC", "Z").replace("UTC", "Z").replace(" Z", "Z")


def _told(lines: Sequence[str], heads: Sequence[_Head]) -> tuple[str, ...]:
    first = heads[0].line
    before = [line for line in lines[:first] if line.strip() and not _RULE.match(line)]
    before = before[1:] if before and before[0].startswith("#") else before
    told = [f"{len(before)} lines before the first speaker were left out"] if before else []
    taken = {one.line for one in heads}
    others = [
        one for one in _heads(lines) if one and one.style == heads[0].style and one.line not in taken and one.named
    ]
    counts = Counter(one.label.casefold() for one in others)
    doubtful = [one for one in others if counts[one.label.casefold()] > 1]
    if doubtful:
        example = f"such as line {doubtful[0].line + 1} ({shown(doubtful[0].label)})"
        told.append(f"headings that may name a speaker but were read as text: {len(doubtful)}, {example}")
    return tuple(told)


FORM = ForeignForm(
    form=Form.MARKDOWN,
    title="Markdown transcript",
    marks=frozenset(),
    converter="write '## User' and '## Assistant' (or names) on lines of their own, with what was said below",
    recognise=_recognise,
    read=_read,
)
