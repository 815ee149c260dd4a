"""What a reviewer is asked about a candidate, and how its answer is read: only what is not as it should be.

Turns, claims, premises and hints hold words of others: all are fenced, and what in them looks like one of our marks is
made none. Claims are shown by number, never by their ids, so that the same candidate is asked about in the same words
by every job. An answer is one JSON object with one list; an entry that breaks the form is left out.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, cast

from pydantic import BeforeValidator, ConfigDict, Field, JsonValue, ValidationError

from dissolution.answers import FinishReason, RenderedPrompt, Reply
from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPrompt, MemberReplyUnusable
from dissolution.reviewing import ABOUT_SEVERAL, WITHOUT_CLAIM, Fault
from dissolution.values import Frozen
from prompts.catalog import REVIEW, filled
from prompts.fence import delimiter, fenced_conversation, marked_lines
from prompts.json_lists import list_format, read_list
from prompts.review_blocks import Pointer, ShownClaim, claims_block, pointers_block

VERSION = 3
SHORT_FROM = 3
"""From this version on claims are shown in the short form, and beside them only what points at something."""

LONG = 2
"""The last version of the long form."""

NONE = "| none"
"""What a block without an entry shows."""

MAX_WORDS_CHARS = 2000
"""A quote or a sentence that is longer is refused."""

_LOOKS_LIKE_A_MARK = re.compile(
    r"(?:BEGIN|END)[ \t_-]{1,4}(?:CLAIMS|PREMISES|HINTS)|\[[ \t]{0,4}(?:claim|premise|hint)[ \t]{0,4}\d", re.IGNORECASE
)
_NUMBER = re.compile(r"c?[1-9]\d{0,6}", re.ASCII)
_EMPTY = re.compile(r'\A(?:`{3,}[ \t]*(?:json)?\s*)?\{\s*"remarks"\s*:\s*\[\s*\]\s*\}\s*(?:`{3,})?\s*\Z')


def _numbered_claims(given: object) -> object:
    """Ids such as "c4", and one in place of a list, as numbers; anything else as it was given."""
    listed = cast("list[object]", given) if isinstance(given, list | tuple) else [given]
    return [
        int(one.removeprefix("c")) if isinstance(one, str) and _NUMBER.fullmatch(one) else one
        for one in listed
        if one is not None and one != "" and (one != 0 or isinstance(one, bool))
    ]


def _none_if_empty(given: object) -> object:
    """Nothing, where a form that asks for every field is given an empty one."""
    return None if given == "" or (given == 0 and not isinstance(given, bool)) else given


class Listed(Frozen):
    """A premise or a hint as a reviewer sees it: what is told of it, and words of the conversation where there are."""

    told: Annotated[str, Field(min_length=1)]
    words: str = ""


Numbers = Annotated[
    tuple[Annotated[int, Field(strict=True)], ...], Field(strict=False), BeforeValidator(_numbered_claims)
]


class GivenRemark(Frozen):
    """A remark as a member gives it; numbers of claims are known ones, the quote is not checked yet.

    `best` has one number, or of `same_as` several: those that hold the rest of the claims only together.
    """

    model_config = ConfigDict(strict=True, str_strip_whitespace=True)

    fault: Annotated[Fault, Field(strict=False)]
    claims: Numbers = ()
    turn: Annotated[int, Field(ge=0)] = 0
    quote: Annotated[str, Field(max_length=MAX_WORDS_CHARS)] = ""
    text: Annotated[Annotated[str, Field(max_length=MAX_WORDS_CHARS)] | None, BeforeValidator(_none_if_empty)] = None
    section: Annotated[Annotated[Section, Field(strict=False)] | None, BeforeValidator(_none_if_empty)] = None
    best: Numbers = ()


def render_review(
    snapshot: Snapshot,
    claims: Sequence[ShownClaim],
    premises: Sequence[Listed],
    hints: Sequence[Listed],
    *,
    of: int,
    key: bytes,
    version: int = LONG,
) -> RenderedPrompt:
    """The reviewer's question in its long form: the whole snapshot, then the claims, the premises and the hints.

    Args:
        snapshot: The conversation.
        claims: At least one, in ascending order of number.
        premises: The checklist; may be empty.
        hints: Suspicions; may be empty.
        of: How many claims the candidate has; when not all are shown, nothing can be said to be missing.
        key: The installation's key, at least 16 bytes; it makes the delimiter.
        version: 1 or 2.

    Raises:
        InvalidPrompt: No claim, or a short key.
    """
    code = delimiter(snapshot, key)
    shown = [(f"[claim {one.number}] {one.section.value}", one.text) for one in claims]
    values = {
        "claims": _block("CLAIMS", shown, code),
        "premises": _block("PREMISES", _numbered("premise", premises), code),
        "hints": _block("HINTS", _numbered("hint", hints), code),
    }
    return filled(REVIEW, version, values | _told(snapshot, len(claims), of, code), whole=True)


def render_short_review(
    snapshot: Snapshot,
    claims: Sequence[ShownClaim],
    pointers: Sequence[Pointer],
    *,
    of: int,
    key: bytes,
    version: int = VERSION,
) -> RenderedPrompt:
    """The reviewer's question in its short form: the whole snapshot, the claims by section, and what points at some.

    Args:
        snapshot: The conversation.
        claims: At least one, in ascending order of number.
        pointers: Suspicions, the likeliest first; may be empty. Only so many are shown as have room.
        of: How many claims the candidate has; when not all are shown, nothing can be said to be missing.
        key: The installation's key, at least 16 bytes; it makes the delimiter.
        version: 3 or more.

    Raises:
        InvalidPrompt: No claim, or a short key.
    """
    code = delimiter(snapshot, key)
    values = {"claims": claims_block(claims, code), "hints": pointers_block(pointers, code)}
    return filled(REVIEW, version, values | _told(snapshot, len(claims), of, code), whole=True)


def _told(snapshot: Snapshot, count: int, of: int, code: str) -> dict[str, str]:
    """What both forms tell. Raises InvalidPrompt for no claim."""
    if not count:
        raise InvalidPrompt("a review without a claim", "ask only when there is something to hold against the turns")
    return {
        "conversation": fenced_conversation(snapshot, code),
        "count": str(count),
        "extent": ALL if count == of else PART.format(of=of),
        "delimiter": code,
    }


ALL = "They are all the claims there are."
PART = "They are a part of {of}: the rest is reviewed apart, so leave out missing."


def _numbered(name: str, given: Sequence[Listed]) -> list[tuple[str, str]]:
    return [(f"[{name} {number}] {' '.join(one.told.split())}", one.words) for number, one in enumerate(given, start=1)]


def _block(name: str, entries: Sequence[tuple[str, str]], code: str) -> str:
    lines = [f"{head}\n{marked_lines(words, code, _LOOKS_LIKE_A_MARK)}" if words else head for head, words in entries]
    return f"BEGIN {name} {code}\n" + "\n".join(lines or [NONE]) + f"\nEND {name} {code}"


def read_review(reply: Reply, shown: Sequence[int], *, member: str) -> tuple[GivenRemark, ...]:
    """The remarks of a reply about claims of these numbers, in its order; an empty list is none.

    Numbers that were not shown are dropped, and with them a remark that is left with too few. Where not all claims are
    shown nothing may be missing; `render_review` says so, and who asks leaves such remarks out.

    Raises:
        MemberRefused: The provider or the words say so.
        MemberContentFiltered: The provider withheld it.
        MemberReplyUnusable: It is not in the form, or no entry is.
    """
    if reply.finish in {FinishReason.STOP, FinishReason.UNKNOWN} and _EMPTY.match(reply.text.strip()):
        return ()
    known = frozenset(shown)
    found: list[GivenRemark] = []
    formed = 0
    for entry in read_list(reply, "remarks", member=member, about="a review"):
        try:
            given = GivenRemark.model_validate(entry)
        except ValidationError:
            continue
        formed += 1
        remark = _about_known(given, known)
        if remark is not None and remark not in found:
            found.append(remark)
    if not formed:
        raise MemberReplyUnusable(member, "a review: no entry is of the form")
    return tuple(found)


def _about_known(given: GivenRemark, known: frozenset[int]) -> GivenRemark | None:
    """The remark with only claims that were shown, each once; None when it is about too few of them, or too many."""
    claims = tuple(dict.fromkeys(number for number in given.claims if number in known))
    if given.fault in WITHOUT_CLAIM:
        claims = ()
    elif given.fault in ABOUT_SEVERAL:
        if len(claims) < 2:  # noqa: PLR2004 - a pair
            return None
    elif len(claims) != 1:
        return None
    return given.model_copy(update={"claims": claims, "best": _best(given, claims)})


def _best(given: GivenRemark, claims: tuple[int, ...]) -> tuple[int, ...]:
    """What is named as best of these claims; several only where others are left that these hold together."""
    best = tuple(dict.fromkeys(number for number in given.best if number in claims))
    together = given.fault is Fault.SAME_AS and len(best) < len(claims) and len(best) == len(set(given.best))
    return best if len(best) <= 1 or together else ()


def review_format() -> Mapping[str, JsonValue]:
    """The form of the answer as the `response_format` parameter of OpenAI's naming."""
    whole: dict[str, JsonValue] = {"type": "integer"}
    text: dict[str, JsonValue] = {"type": "string"}
    ids: dict[str, JsonValue] = {"type": "array", "items": text}
    sections: list[JsonValue] = [*(one.value for one in Section), ""]
    fields: dict[str, JsonValue] = {
        "fault": {"type": "string", "enum": [one.value for one in Fault]},
        "claims": ids,
        "turn": whole,
        "quote": text,
        "text": text,
        "section": {"type": "string", "enum": sections},
        "best": ids,
    }
    return list_format("remarks", "remarks", fields)
