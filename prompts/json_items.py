"""The items of a reply in JSON: text, or an object with text, turns, quotes, and what it says of a held claim."""

import re
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, cast

from dissolution.claims import Section, StatedClaim
from dissolution.values import Span
from prompts.held_marks import NO_MARKS, Held, cited, decided, in_fields
from prompts.marks import is_none, is_turn, trailing_reference, unwrapped
from prompts.sections import excerpt, shown
from prompts.symptoms import is_echo

MAX_SHOWN = 10**9

TEXT_FIELDS = ("text", "claim", "statement")
QUOTE_FIELDS = ("quotes", "quote")
KNOWN_FIELDS = frozenset({*TEXT_FIELDS, *QUOTE_FIELDS, "turns", "acts", "act", "about"})
"""`acts`, a list of `act` with `about`, means something to a member that was shown claims, and so do `act` and `about`
as fields of the item itself; elsewhere they are passed over."""

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


class JsonState(StrEnum):
    """What became of the attempt to read a reply as JSON."""

    READ = "read"
    CUT_OFF = "cut_off"  # it ends before its last bracket
    INVALID = "invalid"  # no JSON, or not of the form
    ABSENT = "absent"  # the reply is in text form


@dataclass(slots=True)
class JsonReply:
    """What was read; `start` and `end` bound the JSON in the reply."""

    state: JsonState
    start: int = 0
    end: int = 0
    claims: list[StatedClaim] = field(default_factory=list[StatedClaim])
    found: list[Section] = field(default_factory=list[Section])
    none: set[Section] = field(default_factory=set[Section])
    problems: list[str] = field(default_factory=list[str])


class Pairs(list[tuple[str, object]]):
    """A JSON object with its keys in order, repeated ones included."""


class Broken(Exception):
    """The JSON is not of the form; the message is the problem. Never leaves this module."""


class _Place(NamedTuple):
    start: int
    end: int


class Bounds(NamedTuple):
    """What a reply may refer to: turns up to `through` (None: any), and the claims its writer was shown."""

    through: int | None
    held: Held | None


class Context(NamedTuple):
    """What items are read into and with."""

    reply: JsonReply
    places: "Mapping[str, deque[_Place]]"
    bounds: Bounds


def claim_of(section: Section, item: object, context: Context) -> StatedClaim | None:
    """One item as a claim; None when it says that there is nothing, or nothing that can be read.

    Raises Broken when it is neither text nor an object with text.
    """
    reply = context.reply
    if isinstance(item, str):
        return _plain_claim(section, item, context)
    if not isinstance(item, Pairs):
        message = f"an item of {section.value} is neither text nor an object"
        raise Broken(message)
    fields = dict(item)
    reply.problems.extend(f"unknown_field: {shown(key)}" for key in fields if key not in KNOWN_FIELDS)
    words = next((fields[name] for name in TEXT_FIELDS if name in fields), None)
    if not isinstance(words, str) or not words.strip():
        message = f"an item of {section.value} has no text"
        raise Broken(message)
    text, place = _placed(reply, words, context.places)
    turns = _turns(reply, fields.get("turns", []), context.bounds.through)
    claim = StatedClaim(section=section, text=text, turns=turns, quotes=_quotes(reply, fields), place=place)
    return claim if context.bounds.held is None else _acting(claim, fields, context.bounds.held, reply)


def _acting(claim: StatedClaim, fields: Mapping[str, object], held: Held, reply: JsonReply) -> StatedClaim:
    """The claim with what its item says of claims held before."""
    listed = fields.get("acts")
    several = isinstance(listed, list) and not isinstance(listed, Pairs)
    entries = cast("list[object]", listed if several else [] if listed is None else [listed])
    said = [_said(_fields(entry)) for entry in entries]
    said.append(_said(fields))
    if None in said:
        reply.problems.append("act_unreadable")
    marks, problems = decided([one for one in said if one is not None], held)
    reply.problems.extend(problems)
    kind, about_claim, further = in_fields(marks)
    return claim.model_copy(update={"act": kind, "about": about_claim, "further": further})


def _fields(entry: object) -> Mapping[str, object]:
    """An entry of `acts`; one that is no object counts as its verb."""
    return dict(entry) if isinstance(entry, Pairs) else {"act": entry}


def _said(fields: Mapping[str, object]) -> tuple[str, str] | None:
    """A verb and the ids it is about, several of them with spaces between; None when it is not to be read."""
    act, about = fields.get("act"), fields.get("about")
    ids = cast("list[object]", about) if isinstance(about, list) else [about]
    words = [one for one in (act, *ids) if one is not None]
    if isinstance(act, list) or not all(isinstance(one, str) for one in words):
        return None
    return str(act or ""), " ".join(str(one) for one in ids if one is not None)


def _plain_claim(section: Section, item: str, context: Context) -> StatedClaim | None:
    """A text item may carry marks as in text form."""
    reply, (through, held) = context.reply, context.bounds
    if is_none(item):
        reply.none.add(section)
        return None
    if is_echo(item):
        reply.problems.append("prompt_echo")
        return None
    whole, place = _placed(reply, item, context.places)
    start, end = unwrapped(whole, 0, len(whole))
    end, reference = trailing_reference(whole, start, end, through)
    marks = NO_MARKS if held is None else cited(whole, start, end, held, through)
    if marks.any:
        start, end = marks.start, marks.end
    start, end = unwrapped(whole, start, end)
    reply.problems.extend((*reference.problems, *marks.problems))
    if not any(char.isalnum() for char in whole[start:end]):
        reply.problems.append(f"empty_item: {section.value}")
        return None
    return StatedClaim(
        section=section,
        text=whole[start:end],
        turns=(*marks.turns, *reference.turns),
        place=Span(start=place.start + start, end=place.start + end) if place else None,
        act=marks.act,
        about=marks.about,
        further=marks.further,
    )


def _turns(reply: JsonReply, value: object, through: int | None) -> tuple[int, ...]:
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    turns: list[int] = []
    for each in values:
        number = int(each) if isinstance(each, str) and re.fullmatch(r"[0-9]{1,9}", each) else each
        if not isinstance(number, int) or isinstance(number, bool):
            reply.problems.append(f"turn_unreadable: {excerpt(repr(each)[:80])}")
        elif is_turn(number, through):
            turns.append(number)
        else:
            reply.problems.append(f"turn_out_of_range: {number if abs(number) <= MAX_SHOWN else 'a huge number'}")
    return tuple(turns)


def _quotes(reply: JsonReply, fields: Mapping[str, object]) -> tuple[str, ...]:
    quotes: list[str] = []
    for name in QUOTE_FIELDS:
        value = fields.get(name, [])
        for each in cast("list[object]", value) if isinstance(value, list) else [value]:
            if isinstance(each, str) and each.strip():
                quotes.append(_storable(reply, each))
            elif each is not None:
                reply.problems.append(f"quote_unreadable: {excerpt(repr(each)[:80])}")
    return tuple(quotes)


def _storable(reply: JsonReply, words: str) -> str:
    """Lone surrogates, which JSON can write and no text can hold, are replaced; the problem says so."""
    clean = words.encode("utf-8", "replace").decode()
    if clean != words:
        reply.problems.append("lone_surrogate")
    return clean


def _placed(reply: JsonReply, words: str, places: Mapping[str, deque[_Place]]) -> tuple[str, Span | None]:
    clean = _storable(reply, words)
    waiting = places.get(clean)
    if not waiting:
        return clean, None
    place = waiting.popleft()
    return clean, Span(start=place.start, end=place.end)


def places_of(text: str, start: int, end: int) -> Mapping[str, deque[_Place]]:
    """Where each string without escapes stands, in order."""
    places: defaultdict[str, deque[_Place]] = defaultdict(deque)
    for match in STRING.finditer(text, start, end):
        if match.start(1) < match.end(1) and "\\" not in match[1]:
            places[match[1]].append(_Place(match.start(1), match.end(1)))
    return places
