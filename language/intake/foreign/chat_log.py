"""Logs of messengers and meetings: WhatsApp's export, IRC, Zoom's chat, and names with a time on a line of their own.

A log has one style, that of its first line. Dates such as 03/04/26 say no order of day and month; the file does, by a
number over 12, or by days that run forward in one order alone; else they are left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from dissolution.errors import InvalidConversation
from language.intake.drafts import Draft
from language.intake.foreign.day_order import DayOrder, day_order
from language.intake.foreign.form import Entry, ForeignForm
from language.intake.foreign.material import Material
from language.intake.foreign.spoken import Opening, draft_of, first_filled, lines_of, outside_fences, title_of
from language.intake.labels import is_known, is_ruled_out, looks_like_name
from language.intake.options import Form
from language.intake.times import Stamps
from language.intake.transcript import speaker_lines

_DIRECTION = "[\u200e\u200f\u202a-\u202e\u2066-\u2069]*"
_BLANK = "[ \u00a0\u202f\t]"
_BLANKS = f"{_BLANK}{{1,8}}"
_LONGEST = 200  # characters of a line that is a name and a time
_CLOCK = rf"(?P<clock>\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?)(?:{_BLANK}?(?P<half>[AaPp]\.?{_BLANK}?[Mm]\.?))?"
_DATE = r"(?P<date>\d{1,4}[./-]\d{1,2}[./-]\d{2,4})"
_WHATSAPP = re.compile(
    rf"^{_DIRECTION}(?:\[{_DATE},?{_BLANKS}{_CLOCK}\]|{_DATE.replace('date', 'day')},?{_BLANKS}"
    rf"{_CLOCK.replace('clock', 'hour').replace('half', 'noon')}(?:{_BLANK}{{0,8}}[-–]|:)){_BLANKS}{_DIRECTION}"
    rf"(?:~{_BLANK}?)?(?:(?P<label>[^:\"“”\n]{{1,60}}?):(?:{_BLANKS}|$))?(?P<rest>.*)$"
)
_IRC = re.compile(
    r"^(?:[\[(]?(?:(?P<instant>\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)"
    r"|(?P<clock>\d{1,2}:\d{2}(?::\d{2})?))[\])]?[ \t]+)?"
    r"<[ @+%~&]?(?P<label>[^<>\s@+%~&][^<>\s]{0,39})>[ \t](?P<rest>.*)$"
)
_IRC_NOTICE = re.compile(r"^(?:[\[(]?[\dT:+Z -]{4,30}[\])]?[ \t]+)?(?:\*{1,3}|-!-|-->|<--|--)[ \t]")
_ZOOM = re.compile(
    rf"^(?P<clock>\d{{1,2}}:\d{{2}}:\d{{2}}){_BLANKS}From{_BLANKS}(?P<label>.{{1,60}}?){_BLANKS}to{_BLANKS}"
    rf"(?P<to>.{{1,60}}?):(?:{_BLANK}{{0,8}})(?P<rest>.*)$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"^(?P<label>[^\W\d_][\w.'’ -]{{0,58}}?)(?:{_BLANK}{{0,8}},{_BLANK}{{0,8}}|{_BLANKS}[-–—|·]{_BLANKS}|{_BLANKS})"
    rf"[\[(]?(?P<clock>\d{{1,2}}:\d{{2}}(?::\d{{2}})?)(?:{_BLANK}?(?P<half>[AaPp][Mm]))?[\])]?{_BLANK}{{0,8}}$"
)
_OF_PROGRAM = "\u200e"
# What the export writes where something was that is no text.
_MEDIA = re.compile(
    r"\s{0,4}\u200e?(?:<(?:media|image|video|audio|sticker|gif|document) omitted>|<attached: [^<>]{1,200}>"
    r"|(?:image|video|audio|sticker|gif|document|contact card) omitted"
    r"|[^\n]{1,200} \((?:file attached|datei angehängt)\))\s{0,4}",
    re.IGNORECASE,
)
_LEAST = 2
_SAMPLE = 400  # lines that are looked at to tell the style


class _Style(NamedTuple):
    reason: str
    openings: Callable[[Sequence[str]], tuple[list[Opening], set[int]]]
    """The lines that open a turn, and those that are notices of the program."""


def _recognise(material: Material) -> str | None:
    text = material.text
    if text is None or material.value is not None:
        return None
    style = _style(lines_of(text))
    return None if style is None or speaker_lines(text) else style.reason


def _style(lines: Sequence[str]) -> _Style | None:
    first = first_filled(lines)
    if first is None:
        return None
    sample = lines[first : first + _SAMPLE]
    for style in _STYLES:
        openings, notices = style.openings(sample)
        begins = bool(openings) and 0 in {openings[0].line, *notices}
        if begins and len(openings) + len(notices) >= _LEAST:
            return style
    return None


def _read(material: Material) -> tuple[Entry, ...]:
    return (Entry(None, title_of(lines_of(material.whole_text())), partial(_draft, material)),)


def _draft(material: Material, stamps: Stamps) -> Draft:
    lines = lines_of(material.whole_text())
    style = _style(lines)
    if style is None:
        raise InvalidConversation(
            f"file {material.name!r} is no log: its first line names nobody in a style that is read",
            "compare with docs/conversations.md, or write 'Name: text'",
        )
    openings, notices = style.openings(lines)
    left_out = notices | {at for at in range(openings[0].line) if lines[at].strip()}
    draft = draft_of(openings, lines, stamps, title=title_of(lines), left_out=left_out)
    told = [f"{len(notices)} lines of notices (who joined, encryption, topics) were left out"] if notices else []
    if any(_UNPLACED in (one.instant or "") for one in openings):
        told.append("the dates do not say whether day or month comes first")
    return draft._replace(warnings=(*told, *draft.warnings))


_UNPLACED = "?"


def _whatsapp(lines: Sequence[str]) -> tuple[list[Opening], set[int]]:
    matches = [(at, match) for at, match in enumerate(_WHATSAPP.match(line) for line in lines) if match is not None]
    order = day_order([_one(match, "date", "day") for _, match in matches])
    openings = [_said(at, match, order) for at, match in matches if match["label"]]
    notices = {at for at, match in matches if not match["label"]}
    return openings, notices


def _said(at: int, match: re.Match[str], order: DayOrder | None) -> Opening:
    """One message; the export puts an invisible mark before what is the program's word in somebody's name."""
    rest = match["rest"]
    noted = rest.startswith(_OF_PROGRAM) or _MEDIA.fullmatch(rest) is not None
    text, note = ("", rest.strip(f"{_OF_PROGRAM} ")) if noted else (rest, "")
    return Opening(at, match["label"].strip(), text, _instant(match, order), note=note)


def _one(match: re.Match[str], *names: str) -> str:
    return next((match[name] for name in names if match[name]), "")


def _instant(match: re.Match[str], order: DayOrder | None) -> str | None:
    """The time as ISO 8601 without a zone; a mark that is none where the order of day and month is not known."""
    clock = _one(match, "clock", "hour").replace(".", ":")
    half = _one(match, "half", "noon").lower()
    day = None if order is None else order.iso(_one(match, "date", "day"))
    hour, _, rest = clock.partition(":")
    if half:
        hour = str(int(hour) % 12 + (12 if half.startswith("p") else 0))
    return _UNPLACED if day is None else f"{day}T{int(hour):02}:{rest}"


def _irc(lines: Sequence[str]) -> tuple[list[Opening], set[int]]:
    openings = [
        Opening(at, match["label"], match["rest"], match["instant"], clock=match["clock"] is not None)
        for at, match in enumerate(_IRC.match(line) for line in lines)
        if match is not None
    ]
    said = {one.line for one in openings}
    return openings, {at for at, line in enumerate(lines) if at not in said and _IRC_NOTICE.match(line)}


def _zoom(lines: Sequence[str]) -> tuple[list[Opening], set[int]]:
    matches = [(at, match) for at, match in enumerate(_ZOOM.match(line) for line in lines) if match is not None]
    return [Opening(at, match["label"].strip(), match["rest"].strip(), clock=True) for at, match in matches], set()


def _named(lines: Sequence[str]) -> tuple[list[Opening], set[int]]:
    """Names with a time beside them; each stands behind a blank line, or returns."""
    free = outside_fences(lines)
    found = [
        (at, match["label"].strip())
        for at, match in enumerate(_NAMED.match(line) if len(line) <= _LONGEST else None for line in lines)
        if match is not None and free[at] and _is_name(match["label"].strip())
    ]
    counts = Counter(label.casefold() for _, label in found)
    return [
        Opening(at, label, clock=True)
        for at, label in found
        if counts[label.casefold()] > 1 or at == 0 or not lines[at - 1].strip()
    ], set()


def _is_name(label: str) -> bool:
    return is_known(label) or (looks_like_name(label) and not is_ruled_out(label))


_STYLES = (
    _Style("lines with a date, a time and a name", _whatsapp),
    _Style("lines with a name in angle brackets", _irc),
    _Style("lines with a time, From and to", _zoom),
    _Style("names with a time on lines of their own", _named),
)

FORM = ForeignForm(
    form=Form.CHAT_LOG,
    title="log of a messenger or a meeting",
    marks=frozenset(),
    converter="export the chat as text, or write 'Name: text'",
    recognise=_recognise,
    read=_read,
)
