"""Plain transcripts: "Name: text", turns of several lines, optional timestamps before the name.

Which "Word:" at the start of a line is a speaker is decided over the whole file (docs/conversations.md tells the rule
to users): lines such as "Note: …", "Error: …", "https://…" or "host: db1" inside a turn are text.
"""

import re
from collections import Counter, defaultdict
from typing import NamedTuple

from dissolution.conversation import Role
from dissolution.errors import InvalidConversation
from dissolution.policy.calibration import CALIBRATION
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.labels import ROLES, count_words, is_caseless, is_known, is_ruled_out, looks_like_name, names_once
from language.intake.shown import shown
from language.intake.times import Stamps

_COLON = "[:\uff1a]"  # the full-width one too
_DATE = r"\d{4}-\d{2}-\d{2}"
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?"
_CLOCK = rf"\d{{1,2}}{_COLON}\d{{2}}(?:{_COLON}\d{{2}}(?:[.,]\d{{1,6}})?)?"
_ZONE = r"(?:Z|[+-]\d{2}:?\d{2})"
_INSTANT = rf"{_DATE}[T ]{_TIME} ?{_ZONE}?"
# What names hold and `\w` does not: combining marks (accents, vowel signs of Hebrew, Arabic, India, Thailand, Laos,
# Myanmar, Cambodia), joiners, the dots inside foreign names in Chinese and Japanese.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u05f3\u05f4\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
    "\u200c\u200d\u30fb\u00b7"
)
_LABEL = rf"[^\W\d_][\w.'’&@/\uff08\uff09{_MARKS}-]*(?:[ \u3000][\w.'’&@#/()\uff08\uff09{_MARKS}-]+){{0,4}}"
_DIRECTION = "[\u200e\u200f\u202a-\u202e\u2066-\u2069]*"  # invisible marks that exports put before Arabic and Hebrew
_LINE = re.compile(
    rf"^{_DIRECTION}(?:[\[(]?(?:(?P<instant>{_INSTANT})|(?P<time>{_CLOCK}))[\])]?(?:[ \t]*[-–—|,])?[ \t]+)?"
    rf"(?P<bold>\*\*)?(?P<bracket>[\[【])?@?(?P<label>{_LABEL})(?(bracket)[\]】])"
    rf"(?: ?[\[(\uff08](?:(?P<instant_after>{_INSTANT})|(?P<time_after>{_CLOCK}))[\])\uff09])?"
    rf" ?(?(bold)(?:\*\*{_COLON}|{_COLON}\*\*)|(?:\uff1a(?!\d\d)|:(?![!-~])))(?P<rest>.*)$"
)
_WIDE_COLON = "\uff1a"
_SPACED_ZONE = re.compile(rf" ({_ZONE})$")
_LINK = re.compile(r"<?(?:[a-z][a-z0-9+.-]*://|[./#]|mailto:)", re.IGNORECASE)  # what "[docs]:" of Markdown leads to
_MAX_LABEL = 60
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_SPEECH_WORDS = CALIBRATION.language.speech_words
_FEW_SPEAKERS = 6  # once-only names count as speakers while at most this many different ones ask for it


class _Candidate(NamedTuple):
    line: int  # 0-based
    label: str
    text: str
    instant: str | None
    time: str | None
    style: str  # "plain", "bracket" for "[Name]: …", "after" for "Name (10:43): …", "loose" for one that is not trusted

    @property
    def stamped(self) -> bool:
        """Whether a time stands beside what can be a name; "12:30 is the time: noon" is a sentence."""
        timed = self.instant is not None or self.time is not None
        return timed and self.style != "loose" and (" " not in self.label or looks_like_name(self.label))


def speaker_lines(text: str) -> dict[int, str]:
    """The lines (0-based) that open a turn, with their labels; empty when the text is no transcript.

    A text is one when its first line that is not blank (a leading "# title" aside) names a plausible speaker.
    """
    return {candidate.line: candidate.label for candidate in _turns_of(_lines(text)).opening}


def read_transcript(text: str, name: str, stamps: Stamps) -> Draft:
    """The turns of a transcript.

    Raises:
        InvalidConversation: No speaker is recognised, or text stands before the first one.
    """
    lines = _lines(text)
    opening, doubtful = _turns_of(lines)
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
                role=ROLES.get(candidate.label.casefold(), Role.PARTICIPANT),
                speaker=candidate.label,
                parts=(Part(body.rstrip()),),
                said_at=stamps.read(None if instant is None else _SPACED_ZONE.sub(r"\1", instant), place),
            )
        )
    return Draft(turns=tuple(turns), title=_title(lines), warnings=_told(doubtful))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _title(lines: list[str]) -> str | None:
    first = next((line for line in lines if line.strip()), "")
    return first.lstrip("# ").strip() or None if first.startswith("# ") else None


class _Found(NamedTuple):
    """Lines that open a turn, and lines that look much like it and were read as text."""

    opening: list[_Candidate]
    doubtful: list[_Candidate]


def _turns_of(lines: list[str]) -> _Found:
    candidates = _candidates(lines)
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if filled and lines[filled[0]].startswith("# "):
        filled = filled[1:]
    if not filled or not candidates or candidates[0].line != filled[0]:
        return _Found([], [])
    kept = _of_one_style(candidates)
    labels = _speakers(kept)
    opening = [one for one in kept if one.stamped or one.label.casefold() in labels]
    return _Found(opening, _doubtful(candidates, {one.line for one in opening}))


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
        candidate = None if match is None else _candidate(index, match)
        if candidate is not None:
            found.append(candidate)
    return found


def _candidate(index: int, match: re.Match[str]) -> _Candidate | None:
    label, rest = match["label"], match["rest"]
    # "Name:text" is read where no space is usual: after a full-width colon, and between words without letter case.
    wide = match[0][match.start("rest") - match.start() - 1] == _WIDE_COLON or (
        is_caseless(label) and is_caseless(rest)
    )
    if rest and rest[0] not in " \t" and not wide:
        return None
    text = rest.lstrip(" \t\u3000" if wide else " \t")
    if len(label) > _MAX_LABEL or is_ruled_out(label) or (match["bracket"] and _LINK.match(text)):
        return None
    after = match["instant_after"] or match["time_after"]
    style = "bracket" if match["bracket"] else "after" if after else "plain"
    instant, time = match["instant"] or match["instant_after"], match["time"] or match["time_after"]
    return _Candidate(index, label, text, instant, time, style)


def _of_one_style(candidates: list[_Candidate]) -> list[_Candidate]:
    """In another style than the first line's, "[Name]: …" is text and the time of "Name (10:43): …" proves nothing."""
    first = candidates[0].style
    kept = (one for one in candidates if one.style in {first, "plain", "after"})
    return [one if one.style in {first, "plain"} else one._replace(style="loose") for one in kept]


def _speakers(candidates: list[_Candidate]) -> set[str]:
    """Labels (casefolded) taken for speakers: the first line's, known ones, stamped ones, and plausible names."""
    first = candidates[0]
    accepted = {first.label.casefold()} | {c.label.casefold() for c in candidates if c.stamped or is_known(c.label)}
    if first.stamped:
        return accepted
    counts = Counter(c.label.casefold() for c in candidates)
    words: dict[str, int] = defaultdict(int)
    for candidate in candidates:
        words[candidate.label.casefold()] += count_words(candidate.text)
    lower_style = _is_lower_style(first)
    once: set[str] = set()
    for candidate in candidates:
        label = candidate.label.casefold()
        if label in accepted:
            continue
        if counts[label] > 1:
            if _is_plausible(candidate, lower_style=lower_style) and words[label] / counts[label] >= _SPEECH_WORDS:
                accepted.add(label)
        elif names_once(candidate.label) and words[label] > 1 and not is_known(first.label):
            once.add(label)
    return accepted | once if len(once) <= _FEW_SPEAKERS else accepted


def _is_lower_style(first: _Candidate) -> bool:
    return not looks_like_name(first.label) and not is_known(first.label)


def _is_plausible(candidate: _Candidate, *, lower_style: bool) -> bool:
    return looks_like_name(candidate.label) or (lower_style and " " not in candidate.label)


def _doubtful(candidates: list[_Candidate], opened: set[int]) -> list[_Candidate]:
    """Lines read as text whose label could be a name and either returns or is followed by speech."""
    lower_style = _is_lower_style(candidates[0])
    counts = Counter(one.label.casefold() for one in candidates)
    return [
        one
        for one in candidates
        if one.line not in opened
        and _is_plausible(one, lower_style=lower_style)
        and (counts[one.label.casefold()] > 1 or (count_words(one.text) > 1 and not _is_phrase(one.label)))
    ]


def _is_phrase(label: str) -> bool:
    """Whether only some of its words are capitalised ("Ruled out"): text more often than a name."""
    words = label.split()
    return any(word[0].isupper() for word in words) and any(word[0].islower() for word in words)


def _told(doubtful: list[_Candidate]) -> tuple[str, ...]:
    if not doubtful:
        return ()
    example = f"such as line {doubtful[0].line + 1} ({shown(doubtful[0].label)})"
    return (f"lines that look like the opening of a turn but were read as text: {len(doubtful)}, {example}",)
