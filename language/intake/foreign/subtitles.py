"""Subtitles of meetings: WebVTT and SRT whose lines say who speaks, as recordings of Teams, Meet and Zoom have.

A sentence is cut into many cues; those of one speaker that follow each other are one turn.
"""

import html
import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from dissolution.conversation import Role
from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.spoken import lines_of
from language.intake.labels import ROLES, is_known, is_ruled_out, looks_like_name
from language.intake.options import Form
from language.intake.times import Stamps

_HEADER = re.compile(r"\A\s*WEBVTT(?=[ \t\n]|\Z)")
_CLOCK = r"(?:\d{1,3}:)?\d{2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"^[ \t]*{_CLOCK}[ \t]+-->[ \t]+{_CLOCK}(?:[ \t].*)?$")
_VOICE = re.compile(r"<v(?:\.[\w.-]+)?[ \t]+(?P<label>[^<>\n]{1,100})>")
_TAG = re.compile(r"</?(?:[a-z]{1,4}(?:\.[\w.-]+)*(?:[ \t][^<>\n]{0,100})?|[\d:.]{5,16})>")
_NAMED = re.compile(r"^(?:>>[ \t]*|-[ \t]*)?\[?(?P<label>[^\W\d_][\w.'’() -]{0,58}?)\]?:[ \t]+(?P<rest>\S.*)$")


class _Said(NamedTuple):
    line: int
    label: str | None  # None for a cue that goes on with the words of the one before
    text: str


def _recognise(material: Material) -> str | None:
    text = material.text
    if text is None or material.value is not None:
        return None
    if _HEADER.match(text):
        return "WEBVTT at the beginning"
    filled = [line for line in lines_of(text[:400]) if line.strip()][:2]
    numbered = len(filled) > 1 and filled[0].strip().isdigit() and _TIMING.match(filled[1])
    return "numbered subtitles with times" if numbered else None


def _read(material: Material) -> tuple[Entry, ...]:
    return (Entry(None, None, partial(_draft, material)),)


def _draft(material: Material, stamps: Stamps) -> Draft:
    said = [one for cue in _cues(lines_of(material.whole_text())) for one in _voices(*cue)]
    if not any(one.label for one in said):
        raise InvalidConversation(
            f"file {material.name!r} does not say who speaks",
            "export it with speakers ('<v Name>text' or 'Name: text'), or write 'Name: text'",
        )
    before = next(at for at, one in enumerate(said) if one.label)
    turns: list[DraftTurn] = []
    for label, line, texts in _spoken(said[before:]):
        stamps.time_of_day()
        place = f"turn {len(turns) + 1} (line {line + 1})"
        role = ROLES.get(label.casefold(), Role.PARTICIPANT)
        turns.append(DraftTurn(place, role, label, (Part("\n".join(texts)),)))
    told = (f"{before} subtitles before the first speaker were left out",) if before else ()
    return Draft(tuple(turns), warnings=told)


def _spoken(said: list[_Said]) -> Iterator[tuple[str, int, list[str]]]:
    """Who speaks, from which line on, and the texts of the cues that follow each other."""
    label, line, texts = said[0].label or "", said[0].line, list[str]()
    for one in said:
        if one.label not in {None, label}:
            yield label, line, texts
            label, line, texts = one.label or "", one.line, []
        texts.append(one.text)
    yield label, line, texts


def _cues(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The first line's number and the lines of each cue; notes and styles have no timing and are none."""
    at = 0
    while at < len(lines):
        if not _TIMING.match(lines[at]):
            at += 1
            continue
        first = at = at + 1
        while at < len(lines) and lines[at].strip():
            at += 1
        yield first, lines[first:at]


def _voices(first: int, lines: list[str]) -> Iterator[_Said]:
    """What is said in one cue: a voice's text, a line that begins with a name, or words without either."""
    for number, line in enumerate(lines, start=first):
        reached = 0
        label: str | None = None
        for match in _VOICE.finditer(line):
            yield from _plain(number, label, line[reached : match.start()])
            label, reached = html.unescape(match["label"]).strip(), match.end()
        named = None if label else _NAMED.match(_TAG.sub("", line))
        if named is not None and _is_name(named["label"].strip()):
            yield _Said(number, named["label"].strip(), html.unescape(named["rest"]).strip())
        else:
            yield from _plain(number, label, line[reached:])


def _plain(line: int, label: str | None, text: str) -> Iterator[_Said]:
    words = html.unescape(_TAG.sub("", text)).strip()
    if words:
        yield _Said(line, label, words)


def _is_name(label: str) -> bool:
    return is_known(label) or (looks_like_name(label) and not is_ruled_out(label))


FORM = ForeignForm(
    form=Form.SUBTITLES,
    title="subtitles of a meeting",
    marks=frozenset(),
    converter="export WebVTT or SRT with the names of the speakers",
    recognise=_recognise,
    read=_read,
)
