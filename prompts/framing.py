"""What members are asked about the frame of a conversation, and how their answers are read: challenger and extractor.

Goal, premises and turns are words of others: they are fenced, and what in them looks like one of our marks is made
none. An answer is one JSON object with one list; an entry that breaks the form is left out and counted, an answer
without one in form is a failure of that member.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from dissolution.answers import FinishReason, RenderedPrompt, Reply
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPrompt, MemberReplyUnusable
from dissolution.premises import PremiseStatus
from dissolution.values import Frozen
from prompts.catalog import filled
from prompts.fence import DELIMITER_DIGITS, MIN_KEY_BYTES, delimiter, fenced_conversation, marked_lines
from prompts.json_lists import list_format, read_list
from prompts.reviewing import REVIEW, review_format

CHALLENGE, PREMISES = "challenge", "premises"
VERSION = 1
MAX_WORDS_CHARS = 500
"""A framing and what goes with it are a sentence each; what is longer is refused."""

_LOOKS_LIKE_A_MARK = re.compile(
    r"(?:BEGIN|END)[ \t_-]{1,4}FRAME|\[[ \t]{0,4}(?:premise[ \t]{0,4}\d|goal\b|considered\b)", re.IGNORECASE
)
_EMPTY = re.compile(r'\A(?:`{3,}[ \t]*(?:json)?\s*)?\{\s*"(?P<field>\w+)"\s*:\s*\[\s*\]\s*\}\s*(?:`{3,})?\s*\Z')

Words = Annotated[str, Field(min_length=1, max_length=MAX_WORDS_CHARS)]


class ShownPremise(Frozen):
    """A premise as the challenger is shown it."""

    proposition: Annotated[str, Field(min_length=1)]
    standing: Annotated[str, Field(min_length=1)]  # status, since when, on whose word, accepted how, in words
    resting: tuple[str, ...] = ()  # words of what rests on it


class ProposedFraming(Frozen):
    """An alternative framing as a challenger gives it; `premise` counts from 1 among those shown."""

    model_config = ConfigDict(strict=True, str_strip_whitespace=True)

    premise: Annotated[int, Field(ge=1)]
    alternative: Words
    leads_to: Words
    test: Words


class ProposedPremise(Frozen):
    """A premise as a member reads it; nothing of it is checked against the turns yet."""

    model_config = ConfigDict(strict=True, str_strip_whitespace=True)

    proposition: Words
    status: Annotated[PremiseStatus, Field(strict=False)]  # its values are words in JSON
    turn: Annotated[int, Field(ge=1)]
    quote: Annotated[str, Field(min_length=1, max_length=2000)]


def render_challenge(
    goal: str, premises: Sequence[ShownPremise], considered: Sequence[str], *, count: int, key: bytes
) -> RenderedPrompt:
    """The challenger's question. It is shown what is taken for granted, and no candidate.

    Args:
        goal: What the conversation wants, in its own words.
        premises: At least one; numbered from 1 in this order.
        considered: Framings that were weighed already.
        count: Framings asked for, at most; 1 or more.
        key: The installation's key, at least 16 bytes; it makes the delimiter.

    Raises:
        InvalidPrompt: No premise, or a short key.
    """
    if not premises:
        raise InvalidPrompt("a challenge without a premise", "give at least one")
    if len(key) < MIN_KEY_BYTES:
        raise InvalidPrompt(f"a delimiter key of {len(key)} bytes", f"give at least {MIN_KEY_BYTES} random bytes")
    told = json.dumps([CHALLENGE, goal, [one.model_dump() for one in premises], list(considered)])
    code = hmac.new(key, told.encode(), hashlib.sha256).hexdigest()[:DELIMITER_DIGITS]
    parts = [f"[goal]\n{marked_lines(goal, code, _LOOKS_LIKE_A_MARK)}"]
    parts += [_premise(number, one, code) for number, one in enumerate(premises, start=1)]
    if considered:
        parts.append("[considered]\n" + "\n".join(marked_lines(one, code, _LOOKS_LIKE_A_MARK) for one in considered))
    frame = f"BEGIN FRAME {code}\n" + "\n".join(parts) + f"\nEND FRAME {code}"
    return filled(CHALLENGE, VERSION, {"frame": frame, "count": str(count), "delimiter": code})


def render_premises(snapshot: Snapshot, *, after: int, count: int, key: bytes) -> RenderedPrompt:
    """The extractor's question: the whole snapshot, and premises of the turns after `after` (0: of all).

    Raises InvalidPrompt for a short key.
    """
    code = delimiter(snapshot, key)
    turns = "the whole conversation" if after == 0 else f"turns {after + 1} to {snapshot.through}"
    values = {"conversation": fenced_conversation(snapshot, code), "turns": turns, "count": str(count)}
    return filled(PREMISES, VERSION, {**values, "delimiter": code}, whole=True)


def read_challenges(reply: Reply, shown: int, *, member: str) -> tuple[ProposedFraming, ...]:
    """The framings of a reply about one of `shown` premises, each premise and alternative once; an empty list is none.

    Raises:
        MemberRefused: The provider or the words say so.
        MemberContentFiltered: The provider withheld it.
        MemberReplyUnusable: It is not in the form, or no entry is.
    """
    entries = _entries(reply, "framings", member=member, about="alternative framings")
    found: dict[tuple[int, str], ProposedFraming] = {}
    for entry in entries:
        try:
            framing = ProposedFraming.model_validate(entry)
        except ValidationError:
            continue
        if framing.premise <= shown:
            found.setdefault((framing.premise, framing.alternative.casefold()), framing)
    if entries and not found:
        raise MemberReplyUnusable(member, "alternative framings: no entry is of the form, or about a premise shown")
    return tuple(found.values())


def read_premises(reply: Reply, *, member: str) -> tuple[ProposedPremise, ...]:
    """The premises of a reply, in its order; an empty list is none. Raises as `read_challenges` does."""
    entries = _entries(reply, "premises", member=member, about="premises")
    found: list[ProposedPremise] = []
    for entry in entries:
        try:
            found.append(ProposedPremise.model_validate(entry))
        except ValidationError:
            continue
    if entries and not found:
        raise MemberReplyUnusable(member, "premises: no entry is of the form")
    return tuple(found)


def _entries(reply: Reply, field: str, *, member: str, about: str) -> list[dict[str, object]]:
    nothing = _EMPTY.match(reply.text.strip())
    if reply.finish is FinishReason.STOP and nothing is not None and nothing["field"] == field:
        return []
    return read_list(reply, field, member=member, about=about)


def challenge_format() -> Mapping[str, JsonValue]:
    """The form of framings as the `response_format` parameter of OpenAI's naming."""
    text: dict[str, JsonValue] = {"type": "string"}
    fields: dict[str, JsonValue] = {"premise": {"type": "integer"}, "alternative": text, "leads_to": text, "test": text}
    return list_format("framings", "framings", fields)


def premises_format() -> Mapping[str, JsonValue]:
    """The form of premises as the `response_format` parameter of OpenAI's naming."""
    status: dict[str, JsonValue] = {"type": "string", "enum": [one.value for one in PremiseStatus]}
    text: dict[str, JsonValue] = {"type": "string"}
    return list_format(
        "premises", "premises", {"proposition": text, "status": status, "turn": {"type": "integer"}, "quote": text}
    )


def frame_formats() -> Mapping[str, Mapping[str, JsonValue]]:
    """The form of each answer, by the prompt's name."""
    return {CHALLENGE: challenge_format(), PREMISES: premises_format(), REVIEW: review_format()}


def _premise(number: int, one: ShownPremise, code: str) -> str:
    lines = [f"[premise {number}] {one.standing}", marked_lines(one.proposition, code, _LOOKS_LIKE_A_MARK)]
    lines += [marked_lines(f"rests on it: {words}", code, _LOOKS_LIKE_A_MARK) for words in one.resting]
    return "\n".join(lines)
