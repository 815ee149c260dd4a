"""The question an adjudicator is asked about pairs of claims, and how its answer is read.

The claims were written by members and are as untrusted as the turns: they are fenced, and what in them looks like one
of our marks is made none. The answer is JSON in one form; anything else is a failure of that member, never mended.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, cast

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from dissolution.adjudication import REASON_CHARS, ClaimPair, PairAnswer, Relation
from dissolution.answers import FinishReason, RenderedPrompt, Reply
from dissolution.errors import InvalidPrompt, MemberContentFiltered, MemberRefused, MemberReplyUnusable
from dissolution.values import Frozen
from prompts.catalog import filled
from prompts.fence import DELIMITER_DIGITS, MIN_KEY_BYTES, marked_lines
from prompts.symptoms import is_refusal

NAME = "adjudication"
VERSION = 1

MAX_REPLY_CHARS = 200_000
"""A longer reply is no answer about a few hundred pairs."""

_LOOKS_LIKE_A_MARK = re.compile(r"(?:BEGIN|END)[ \t_-]{1,4}CLAIMS|\[[ \t]{0,4}pair[ \t]{0,4}\d", re.IGNORECASE)
_FENCED = re.compile(r"\A`{3,}[ \t]*(?:json)?[ \t]*\r?\n(?P<inner>.*)\n[ \t]*`{3,}\Z", re.DOTALL | re.IGNORECASE)


class _Entry(Frozen):
    """One entry of the answer: these fields and no others, of these very types."""

    model_config = ConfigDict(strict=True)

    pair: Annotated[int, Field(ge=1)]
    a_to_b: Annotated[Relation, Field(strict=False)]  # its values are words in JSON
    b_to_a: Annotated[Relation, Field(strict=False)]
    why: str = ""


def render_pairs(pairs: Sequence[ClaimPair], *, key: bytes) -> RenderedPrompt:
    """The question about these pairs.

    Args:
        pairs: One or more; they are numbered from 1 in this order.
        key: The installation's key, at least 16 bytes; it makes the delimiter.

    Raises:
        InvalidPrompt: No pairs, or a short key.
    """
    if not pairs:
        raise InvalidPrompt(f"prompt {NAME}/v{VERSION} without pairs", "ask only when there is something to ask")
    code = delimiter(pairs, key)
    shown = "\n".join(_pair(number, pair, code) for number, pair in enumerate(pairs, start=1))
    values = {"pairs": f"BEGIN CLAIMS {code}\n{shown}\nEND CLAIMS {code}", "delimiter": code}
    return filled(NAME, VERSION, values)


def delimiter(pairs: Sequence[ClaimPair], key: bytes) -> str:
    """24 hex digits: HMAC-SHA256 of the pairs under the installation's key, cut. Raises InvalidPrompt: a short key."""
    if len(key) < MIN_KEY_BYTES:
        raise InvalidPrompt(f"a delimiter key of {len(key)} bytes", f"give at least {MIN_KEY_BYTES} random bytes")
    told = json.dumps([NAME, *([pair.first, pair.second] for pair in pairs)])
    return hmac.new(key, told.encode(), hashlib.sha256).hexdigest()[:DELIMITER_DIGITS]


def _pair(number: int, pair: ClaimPair, code: str) -> str:
    first, second = (marked_lines(text, code, _LOOKS_LIKE_A_MARK) for text in (pair.first, pair.second))
    return f"[pair {number}]\nA\n{first}\nB\n{second}"


def read_pairs(reply: Reply, pairs: int, *, member: str) -> tuple[PairAnswer | None, ...]:
    """What a reply says of each of `pairs` pairs (1 or more), in their order; None for a pair it leaves out.

    The reply is one JSON object in the form the prompt asks for, bare or in one code fence. An unknown, repeated or
    ill-typed field, a pair number that was not asked, one given twice, or words around the object make all of it
    unusable: who cannot keep to a form may have mixed up the pairs.

    Raises:
        MemberRefused: The provider or the words say so.
        MemberContentFiltered: The provider withheld it.
        MemberReplyUnusable: It is not in the form, broke off, or answers about no pair.
    """
    if reply.finish is FinishReason.CONTENT_FILTER:
        raise MemberContentFiltered(member, "the provider withheld the answer about the pairs")
    if reply.finish is FinishReason.REFUSAL:
        raise MemberRefused(member, "the member declined to compare the pairs")
    if reply.finish is FinishReason.LENGTH:
        raise MemberReplyUnusable(member, "the answer about the pairs broke off at the token limit")
    text = reply.text.strip()
    if not text.startswith(("{", "`")) and is_refusal(text):
        raise MemberRefused(member, "the member declined to compare the pairs")
    found: dict[int, PairAnswer] = {}
    for item in _items(text, member):
        entry = _entry(item, member)
        if entry.pair > pairs or entry.pair in found:
            state = "twice" if entry.pair in found else "which was not asked"
            raise MemberReplyUnusable(member, f"the answer names pair {min(entry.pair, 10**9)}, {state}")
        found[entry.pair] = PairAnswer(forward=entry.a_to_b, backward=entry.b_to_a, why=_words(entry.why))
    if not found:
        raise MemberReplyUnusable(member, "the answer is about none of the pairs")
    return tuple(found.get(number) for number in range(1, pairs + 1))


def _items(text: str, member: str) -> list[object]:
    """The entries of the answer, unread."""
    if len(text) > MAX_REPLY_CHARS:
        raise MemberReplyUnusable(member, f"the answer has {len(text)} characters, more than {MAX_REPLY_CHARS}")
    fenced = _FENCED.match(text)
    try:
        value: object = json.loads(
            fenced["inner"] if fenced else text, object_pairs_hook=_object, parse_constant=_no_constant
        )
    except (ValueError, RecursionError) as error:
        raise MemberReplyUnusable(member, f"the answer is not the JSON asked for ({type(error).__name__})") from None
    if not isinstance(value, dict) or set(cast("dict[str, object]", value)) != {"pairs"}:
        raise MemberReplyUnusable(member, "the answer is not one object with the field 'pairs' alone")
    items = cast("dict[str, object]", value)["pairs"]
    if not isinstance(items, list):
        raise MemberReplyUnusable(member, "the answer's field 'pairs' is no list")
    return cast("list[object]", items)


def _entry(item: object, member: str) -> _Entry:
    try:
        return _Entry.model_validate(item)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "entry"
        raise MemberReplyUnusable(member, f"an entry of the answer is not of the form: {place[:60]!r}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        message = "a field is given twice"
        raise ValueError(message)
    return found


def _no_constant(name: str) -> object:
    message = f"{name} is no JSON"
    raise ValueError(message)


def _words(text: str) -> str:
    """The member's reason on one line, storable, in at most REASON_CHARS characters."""
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= REASON_CHARS else f"{line[: REASON_CHARS - 1]}…"


def pairs_schema() -> Mapping[str, JsonValue]:
    """JSON Schema of the answer, within what providers' strict modes take: every field required, no others."""
    relation: dict[str, JsonValue] = {"type": "string", "enum": [relation.value for relation in Relation]}
    properties: dict[str, JsonValue] = {
        "pair": {"type": "integer", "description": "The number of the pair."},
        "a_to_b": relation | {"description": "If A is true, what of B."},
        "b_to_a": relation | {"description": "If B is true, what of A."},
        "why": {"type": "string", "description": "The reason in a few words."},
    }
    entry: dict[str, JsonValue] = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"pairs": {"type": "array", "items": entry}},
        "required": ["pairs"],
        "additionalProperties": False,
    }


def pairs_format() -> Mapping[str, JsonValue]:
    """The schema as the `response_format` parameter of OpenAI's naming."""
    return {
        "type": "json_schema",
        "json_schema": {"name": "pair_answers", "strict": True, "schema": dict(pairs_schema())},
    }
