"""Replies in JSON: `{"KNOWN": [...]}` or `{"sections": {...}}`, bare, fenced, or with text around."""

import json
import re
from collections.abc import Iterable
from typing import cast

from prompts.headings import Heading, resolve
from prompts.held_marks import Held
from prompts.json_items import STRING, Bounds, Broken, Context, JsonReply, JsonState, Pairs, claim_of, places_of
from prompts.sections import LEAST_RENAMED, shown

MAX_DEPTH = 12
"""Our form has four levels; anything deeper is no answer, and the reader recurses."""

MAX_CANDIDATES = 4
"""Places where JSON may begin that are tried."""

_FENCED = re.compile(r"^[ \t]*`{3,}[ \t]*(?:json\w{0,4})?[ \t]*\r?\n\s*(?=[{\[])", re.MULTILINE | re.IGNORECASE)
_BARE = re.compile(r"^[ \t]*(?=\{)", re.MULTILINE)
_FIRST_KEY = re.compile(r'[{\[]\s*(?:\{\s*)?"([^"\\\n]{1,80})"\s*:')


def read_json(text: str, through: int | None, held: Held | None = None) -> JsonReply:
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
        return _read(text, start, end, Bounds(through, held))
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
            string = STRING.match(text, match.start())
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


def _read(text: str, start: int, end: int, bounds: Bounds) -> JsonReply:
    reply = JsonReply(JsonState.READ, start, end)
    try:
        value: object = json.loads(text[start:end], object_pairs_hook=Pairs, parse_constant=_no_constant)
    except ValueError as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        return JsonReply(JsonState.INVALID, start, end, problems=[f"invalid_json: near character {start + at}"])
    try:
        _fill(_sections_of(value), Context(reply, places_of(text, start, end), bounds))
    except Broken as broken:
        return JsonReply(JsonState.INVALID, start, end, problems=[f"schema: {broken}"])
    return reply


def _no_constant(name: str) -> object:
    message = f"{name} is no JSON"
    raise ValueError(message)


def _sections_of(value: object) -> Pairs:
    if not isinstance(value, Pairs):
        message = "the top level is no object"
        raise Broken(message)
    inner = [item for key, item in value if key.lower() == "sections"]
    if inner and isinstance(inner[0], Pairs) and len(value) == 1:
        return inner[0]
    if inner:
        others = [key for key, _ in value if key.lower() != "sections"]
        if not isinstance(inner[0], Pairs) or any(resolve(_words(key)) for key in others):
            message = "'sections' is no object, or stands beside sections"
            raise Broken(message)
        return inner[0]
    return value


def _words(key: str) -> str:
    """A key as words: `openQuestions` and `open_questions` are "open questions"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key).replace("_", " ").replace("-", " ")


def _fill(pairs: Pairs, context: Context) -> None:
    headings = [(key, resolve(_words(key)), value) for key, value in pairs]
    named = {section for _, heading, _ in headings if heading for section in heading.sections}
    if len(named) < LEAST_RENAMED and not any(heading and heading.canonical for _, heading, _ in headings):
        message = f"no sections among the keys {[shown(key) for key, _ in pairs][:6]!r}"
        raise Broken(message)
    for key, heading, value in headings:
        if heading is None:
            context.reply.problems.append(f"unknown_section: {shown(key)}")
            continue
        _note(context.reply, key, heading)
        _section(heading, value, context)


def _note(reply: JsonReply, key: str, heading: Heading) -> None:
    if not heading.canonical:
        code = "merged_section" if len(heading.sections) > 1 else "renamed_section"
        reply.problems.append(f"{code}: {shown(key)}")
    for section in heading.sections:
        if section in reply.found:
            reply.problems.append(f"repeated_section: {section.value}")
        else:
            reply.found.append(section)


def _section(heading: Heading, value: object, context: Context) -> None:
    reply, section = context.reply, heading.sections[0]
    if isinstance(value, str):
        value = [value]
        reply.problems.append(f"section_is_text: {section.value}")
    if not isinstance(value, list) or isinstance(value, Pairs):
        message = f"{section.value} is no list"
        raise Broken(message)
    items = cast("list[object]", value)
    if not items:
        reply.none.update(heading.sections)
    for item in items:
        claim = claim_of(section, item, context)
        if claim is not None:
            reply.claims.append(claim)
