"""Plain transcripts: "Name: text", turns of several lines, optional timestamps before the name.

Which "Word:" at the start of a line is a speaker is decided over the whole file (docs/conversations.md tells the rule
to users): lines such as "Note: …", "Error: …", "https://…" or "host: db1" inside a turn are text.
"""

import re
from collections import Counter, defaultdict
from typing import NamedTuple

from dissolution.conversation import Role
from dissolution.errors import InvalidConversation
from wording.reading.drafts import Draft, DraftTurn, Part
from wording.reading.times import Stamps

_DATE = r"\d{4}-\d{2}-\d{2}"
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?"
_ZONE = r"(?:Z|[+-]\d{2}:?\d{2})"
_STAMP = rf"(?:(?P<instant>{_DATE}[T ]{_TIME} ?{_ZONE}?)|(?P<time>{_TIME}))"
_LABEL = r"[^\W\d_][\w.'’&@/-]*(?:[ ][\w.'’&@#/()-]+){0,4}"
_LINE = re.compile(
    rf"^(?:[\[(]?{_STAMP}[\])]?(?:[ \t]*[-–—|,])?[ \t]+)?"
    rf"(?P<bold>\*\*)?@?(?P<label>{_LABEL}) ?(?(bold)(?:\*\*:|:\*\*)|:)"
    r"(?:[ \t]+(?P<text>.*))?$"
)
_SPACED_ZONE = re.compile(rf" ({_ZONE})$")
_MAX_LABEL = 60
_FENCE = re.compile(r"^ {0,3}(```|~~~)")

# Speakers whose part in a conversation with an assistant is plain.
_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "ai assistant": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "tool output": Role.TOOL,
}
# Other labels that name a speaker even when they stand once.
_KNOWN_WORDS = (
    "me you agent customer caller operator interviewer interviewee moderator host guest speaker participant chair "
    "client manager support facilitator narrator teacher student doctor patient q a "
)
_KNOWN = frozenset(_KNOWN_WORDS.split())
# Words before a colon that head a remark, a section, a field or a log line and never a speaker.
_NEVER_WORDS = (
    "note notes nb error errors warning warnings warn info debug trace fatal critical notice todo fixme hint tip "
    "tips example examples eg ie ps re fwd fw subject from to cc bcc date sent reply-to summary result results "
    "output input update edit reason question answer caution important exception traceback http https ftp file "
    "mailto ssh tel data conclusion pros cons plan goal goals status owner deadline action actions decision "
    "decisions agenda topic step option background context timeline problem solution cause fix impact risk risks "
    "root version title name id key value type description usage expected actual also however first second third "
    "finally next then so but and or if when because host port server address url path user-agent accept "
    "content-type authorization cookie location case default return one two three total subtotal price cost "
    "budget correction remember recap reminder tldr tl;dr todo's requirements today tomorrow yesterday monday "
    "tuesday wednesday thursday friday saturday sunday morning afternoon evening "
)
_NEVER = frozenset(_NEVER_WORDS.split())
_NEVER_ENDINGS = ("error", "exception", "warning", "failure")
_SPEECH_WORDS = 1.5  # words of first lines on average; fields ("Host: db1") have one
_FEW_SPEAKERS = 6  # once-only names count as speakers while at most this many different ones ask for it


class _Candidate(NamedTuple):
    line: int  # 0-based
    label: str
    text: str
    instant: str | None
    time: str | None

    @property
    def stamped(self) -> bool:
        """Whether a time stands before what can be a name; "12:30 is the time: noon" is a sentence."""
        timed = self.instant is not None or self.time is not None
        return timed and (" " not in self.label or _looks_like_name(self.label))


def speaker_lines(text: str) -> dict[int, str]:
    """The lines (0-based) that open a turn, with their labels; empty when the text is no transcript.

    A text is one when its first line that is not blank (a leading "# title" aside) names a plausible speaker.
    """
    return {candidate.line: candidate.label for candidate in _turns_of(_lines(text))}


def read_transcript(text: str, name: str, stamps: Stamps) -> Draft:
    """The turns of a transcript.

    Raises:
        InvalidConversation: No speaker is recognised, or text stands before the first one.
    """
    lines = _lines(text)
    opening = _turns_of(lines)
    if not opening:
        raise InvalidConversation(
            f"file {name!r} has no turns: no line starts with a speaker as in 'Name: text'",
            "begin the first line with its speaker, and each turn on a new line",
        )
    bounds = [candidate.line for candidate in opening[1:]] + [len(lines)]
    turns: list[DraftTurn] = []
    for number, (candidate, end) in enumerate(zip(opening, bounds, strict=True), start=1):
        body = "\n".join((candidate.text, *lines[candidate.line + 1 : end])).strip("\n")
        place = f"turn {number} (line {candidate.line + 1})"
        if candidate.time is not None:
            stamps.time_of_day()
        instant = candidate.instant
        turns.append(
            DraftTurn(
                place=place,
                role=_ROLES.get(candidate.label.casefold(), Role.PARTICIPANT),
                speaker=candidate.label,
                parts=(Part(body.rstrip()),),
                said_at=stamps.read(None if instant is None else _SPACED_ZONE.sub(r"\1", instant), place),
            )
        )
    return Draft(turns=tuple(turns), title=_title(lines))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _title(lines: list[str]) -> str | None:
    first = next((line for line in lines if line.strip()), "")
    return first.lstrip("# ").strip() or None if first.startswith("# ") else None


def _turns_of(lines: list[str]) -> list[_Candidate]:
    candidates = _candidates(lines)
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if filled and lines[filled[0]].startswith("# "):
        filled = filled[1:]
    if not filled or not candidates or candidates[0].line != filled[0]:
        return []
    labels = _speakers(candidates)
    return [candidate for candidate in candidates if candidate.stamped or candidate.label.casefold() in labels]


def _candidates(lines: list[str]) -> list[_Candidate]:
    """Lines that have the shape of a turn's first line, outside fences, with a label that is not ruled out."""
    found: list[_Candidate] = []
    fence = None
    for index, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark:
            fence = mark.group(1) if fence is None else None if mark.group(1) == fence else fence
            continue
        match = None if fence else _LINE.match(line)
        if match is None:
            continue
        label = match["label"]
        if len(label) <= _MAX_LABEL and not _is_ruled_out(label):
            found.append(_Candidate(index, label, match["text"] or "", match["instant"], match["time"]))
    return found


def _is_ruled_out(label: str) -> bool:
    words = label.casefold().split()
    return words[0].rstrip(".") in _NEVER or words[-1].endswith(_NEVER_ENDINGS) or label.casefold() in _NEVER


def _is_known(label: str) -> bool:
    words = label.casefold().split()
    numbered = len(words) == 2 and (words[1].isdigit() or len(words[1]) == 1)  # noqa: PLR2004 - "Speaker 2", "Person B"
    return label.casefold() in _ROLES or (words[0] in _KNOWN and (len(words) == 1 or numbered))


def _looks_like_name(label: str) -> bool:
    words = [word for word in label.split() if word[0].isalpha()]
    return words[0][0].isupper() and len(words) <= 4 and sum(w[0].isupper() for w in words) * 2 >= len(words)  # noqa: PLR2004 - a name


def _is_sentence(text: str) -> bool:
    """Whether it reads as speech rather than as the value of a field: two words or more."""
    return len(text.split()) > 1


def _speakers(candidates: list[_Candidate]) -> set[str]:
    """Labels (casefolded) taken for speakers: the first line's, known ones, stamped ones, and plausible names."""
    first = candidates[0]
    accepted = {first.label.casefold()} | {c.label.casefold() for c in candidates if c.stamped or _is_known(c.label)}
    all_stamped = first.stamped
    counts = Counter(c.label.casefold() for c in candidates)
    words: dict[str, list[int]] = defaultdict(list)
    for candidate in candidates:
        words[candidate.label.casefold()].append(len(candidate.text.split()))
    lower_style = not _looks_like_name(first.label) and not _is_known(first.label)
    once: set[str] = set()
    for candidate in candidates:
        label = candidate.label.casefold()
        if label in accepted or all_stamped:
            continue
        plausible = _looks_like_name(candidate.label) or (lower_style and " " not in label)
        if counts[label] > 1 and plausible and sum(words[label]) / counts[label] >= _SPEECH_WORDS:
            accepted.add(label)
        elif (
            counts[label] == 1
            and _looks_like_name(candidate.label)
            and _is_sentence(candidate.text)
            and not _is_known(first.label)
        ):
            once.add(label)
    return accepted | once if len(once) <= _FEW_SPEAKERS else accepted
