"""Replies in JSON: `{"KNOWN": [...]}` or `{"sections": {...}}`, bare, fenced, or with text around."""

import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, cast

from dissolution.claims import Section, StatedClaim
from dissolution.values import Span
from prompts.headings import Heading, resolve
from prompts.marks import is_none, is_turn, trailing_reference, unwrapped
from prompts.sections import LEAST_RENAMED, excerpt, shown
from prompts.symptoms import is_echo

MAX_DEPTH = 12
"""Our form has four levels; anything deeper is no answer, and the reader recurses."""

MAX_CANDIDATES = 4
"""Places where JSON may begin that are tried."""

MAX_SHOWN = 10**9

TEXT_FIELDS = ("text", "claim", "statement")
QUOTE_FIELDS = ("quotes", "quote")
KNOWN_FIELDS = frozenset({*TEXT_FIELDS, *QUOTE_FIELDS, "turns"})

_FENCED = re.compile(r"^[ \t]*`{3,}[ \t]*(?:json\w{0,4})?[ \t]*\r?\n\s*(?=[{\[])", re.MULTILINE | re.IGNORECASE)
_BARE = re.compile(r"^[ \t]*(?=\{)", re.MULTILINE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_FIRST_KEY = re.compile(r'[{\[]\s*(?:\{\s*)?"([^"\\\n]{1,80})"\s*:')


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


class _Broken(Exception):
    """The JSON is not of the form; the message is the problem. Never leaves this module."""


class _Place(NamedTuple):
    start: int
    end: int


def read_json(text: str, through: int | None) -> JsonReply:
    """Read a reply that is, or holds, JSON in our form. ABSENT means that the reply is in text form."""
    starts = [match.end() for match in _some(_FENCED.finditer(text))] + [m.end() for m in _some(_BARE.finditer(text))]
    for start in dict.fromkeys(starts):
        end, depth = _extent(text, start)
        if not _is_ours(text, start):
            continue
        if end is None:
            return JsonReply(JsonState.CUT_OFF, start, len(text), problems=["json_cut_off"])
        if depth > MAX_DEPTH:
            return JsonReply(JsonState.INVALID, start, end, problems=[f"json_too_deep: {depth} levels"])
        return _read(text, start, end, through)
    return JsonReply(JsonState.ABSENT)


def _some(matches: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    return [match for match, _ in zip(matches, range(MAX_CANDIDATES), strict=False)]


def _is_ours(text: str, start: int) -> bool:
    """Whether the member answers in JSON: its first key is a section or `sections`, or there is nothing but JSON."""
    key = _FIRST_KEY.match(text, start)
    if key is None:
        return False
    return (
        key[1].lower() == "sections"
        or resolve(_words(key[1])) is not None
        or text[:start].strip(" \t\r\n`jsonJSON") == ""
    )


def _extent(text: str, start: int) -> tuple[int | None, int]:
    """Where the value at `start` ends (None when it never closes) and how deep it nests. One linear pass."""
    depth = deepest = 0
    position = start
    token = re.compile(r'["{}\[\]]')
    while match := token.search(text, position):
        char = match[0]
        position = match.end()
        if char == '"':
            string = _STRING.match(text, match.start())
            if string is None:
                return None, deepest
            position = string.end()
        elif char in "{[":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
            if depth <= 0:
                return position, deepest
    return None, deepest


def _read(text: str, start: int, end: int, through: int | None) -> JsonReply:
    reply = JsonReply(JsonState.READ, start, end)
    try:
        value: object = json.loads(text[start:end], object_pairs_hook=Pairs, parse_constant=_no_constant)
    except ValueError as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        return JsonReply(JsonState.INVALID, start, end, problems=[f"invalid_json: near character {start + at}"])
    try:
        _fill(reply, _sections_of(value), _places(text, start, end), through)
    except _Broken as broken:
        return JsonReply(JsonState.INVALID, start, end, problems=[f"schema: {broken}"])
    return reply


def _no_constant(name: str) -> object:
    message = f"{name} is no JSON"
    raise ValueError(message)


def _sections_of(value: object) -> Pairs:
    if not isinstance(value, Pairs):
        message = "the top level is no object"
        raise _Broken(message)
    inner = [item for key, item in value if key.lower() == "sections"]
    if inner and isinstance(inner[0], Pairs) and len(value) == 1:
        return inner[0]
    if inner:
        others = [key for key, _ in value if key.lower() != "sections"]
        if not isinstance(inner[0], Pairs) or any(resolve(_words(key)) for key in others):
            message = "'sections' is no object, or stands beside sections"
            raise _Broken(message)
        return inner[0]
    return value


def _words(key: str) -> str:
    """A key as words: `openQuestions` and `open_questions` are "open questions"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key).replace("_", " ").replace("-", " ")


def _fill(reply: JsonReply, pairs: Pairs, places: Mapping[str, deque[_Place]], through: int | None) -> None:
    headings = [(key, resolve(_words(key)), value) for key, value in pairs]
    named = {section for _, heading, _ in headings if heading for section in heading.sections}
    if len(named) < LEAST_RENAMED and not any(heading and heading.canonical for _, heading, _ in headings):
        message = f"no sections among the keys {[shown(key) for key, _ in pairs][:6]!r}"
        raise _Broken(message)
    for key, heading, value in headings:
        if heading is None:
            reply.problems.append(f"unknown_section: {shown(key)}")
            continue
        _note(reply, key, heading)
        _section(reply, heading, value, places, through)


def _note(reply: JsonReply, key: str, heading: Heading) -> None:
    if not heading.canonical:
        code = "merged_section" if len(heading.sections) > 1 else "renamed_section"
        reply.problems.append(f"{code}: {shown(key)}")
    for section in heading.sections:
        if section in reply.found:
            reply.problems.append(f"repeated_section: {section.value}")
        else:
            reply.found.append(section)


def _section(
    reply: JsonReply, heading: Heading, value: object, places: Mapping[str, deque[_Place]], through: int | None
) -> None:
    section = heading.sections[0]
    if isinstance(value, str):
        value = [value]
        reply.problems.append(f"section_is_text: {section.value}")
    if not isinstance(value, list) or isinstance(value, Pairs):
        message = f"{section.value} is no list"
        raise _Broken(message)
    items = cast("list[object]", value)
    if not items:
        reply.none.update(heading.sections)
    for item in items:
        claim = _claim(reply, section, item, places, through)
        if claim is not None:
            reply.claims.append(claim)


def _claim(
    reply: JsonReply, section: Section, item: object, places: Mapping[str, deque[_Place]], through: int | None
) -> StatedClaim | None:
    if isinstance(item, str):
        return _plain_claim(reply, section, item, places, through)
    if not isinstance(item, Pairs):
        message = f"an item of {section.value} is neither text nor an object"
        raise _Broken(message)
    fields = dict(item)
    reply.problems.extend(f"unknown_field: {shown(key)}" for key in fields if key not in KNOWN_FIELDS)
    words = next((fields[name] for name in TEXT_FIELDS if name in fields), None)
    if not isinstance(words, str) or not words.strip():
        message = f"an item of {section.value} has no text"
        raise _Broken(message)
    text, place = _placed(reply, words, places)
    turns = _turns(reply, fields.get("turns", []), through)
    return StatedClaim(section=section, text=text, turns=turns, quotes=_quotes(reply, fields), place=place)


def _plain_claim(
    reply: JsonReply, section: Section, item: str, places: Mapping[str, deque[_Place]], through: int | None
) -> StatedClaim | None:
    """A text item may carry marks as in text form."""
    if is_none(item):
        reply.none.add(section)
        return None
    if is_echo(item):
        reply.problems.append("prompt_echo")
        return None
    whole, place = _placed(reply, item, places)
    start, end = unwrapped(whole, 0, len(whole))
    end, reference = trailing_reference(whole, start, end, through)
    start, end = unwrapped(whole, start, end)
    reply.problems.extend(reference.problems)
    if not any(char.isalnum() for char in whole[start:end]):
        reply.problems.append(f"empty_item: {section.value}")
        return None
    inner = Span(start=place.start + start, end=place.start + end) if place else None
    return StatedClaim(section=section, text=whole[start:end], turns=reference.turns, place=inner)


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


def _places(text: str, start: int, end: int) -> Mapping[str, deque[_Place]]:
    """Where each string without escapes stands, in order."""
    places: defaultdict[str, deque[_Place]] = defaultdict(deque)
    for match in _STRING.finditer(text, start, end):
        if match.start(1) < match.end(1) and "\\" not in match[1]:
            places[match[1]].append(_Place(match.start(1), match.end(1)))
    return places
