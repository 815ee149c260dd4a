"""What an auditor is asked about a candidate's claims, and how its answer is read.

Turns and claims are words of others: both are fenced, and what in them looks like one of our marks is made none. An
answer is one JSON object with one list. An entry that breaks the form or names a claim that was not asked about is
left out; a claim that no entry is left for, or entries of several kinds, has no assessment from this member.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from dissolution.answers import RenderedPrompt, Reply
from dissolution.claim_audit import Assessment
from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPrompt, MemberReplyUnusable
from dissolution.values import Frozen
from prompts.catalog import filled
from prompts.fence import delimiter, fenced_conversation, marked_lines
from prompts.json_lists import list_format, read_list

CLAIM_AUDIT = "claim_audit"
VERSION = 1
AT_ONCE = 75
"""Claims in one question: an entry for each is asked for, and answers that long still fit providers' limits."""

_LOOKS_LIKE_A_MARK = re.compile(r"(?:BEGIN|END)[ \t_-]{1,4}CLAIMS|\[[ \t]{0,4}claim[ \t]{0,4}\d", re.IGNORECASE)


class GivenAssessment(Frozen):
    """An assessment as a member gives it; `claim` counts from 1 among those shown, the quote is not checked yet."""

    model_config = ConfigDict(strict=True, str_strip_whitespace=True, populate_by_name=True)

    claim: Annotated[int, Field(ge=1)]
    assessment: Annotated[Assessment, Field(strict=False, alias="verdict")]  # the word that the prompt asks for
    turn: Annotated[int, Field(ge=0)] = 0
    quote: Annotated[str, Field(max_length=2000)] = ""


def render_claim_audit(snapshot: Snapshot, claims: Sequence[tuple[Section, str]], *, key: bytes) -> RenderedPrompt:
    """The auditor's question: the whole snapshot, then the claims.

    Args:
        snapshot: The conversation.
        claims: Section and text of each, at least one; numbered from 1 in this order.
        key: The installation's key, at least 16 bytes; it makes the delimiter.

    Raises:
        InvalidPrompt: No claim, or a short key.
    """
    if not claims:
        raise InvalidPrompt("an audit without a claim", "ask only when there is something to hold against the turns")
    code = delimiter(snapshot, key)
    shown = "\n".join(
        f"[claim {number}] {section.value}\n{marked_lines(text, code, _LOOKS_LIKE_A_MARK)}"
        for number, (section, text) in enumerate(claims, start=1)
    )
    values = {
        "conversation": fenced_conversation(snapshot, code),
        "claims": f"BEGIN CLAIMS {code}\n{shown}\nEND CLAIMS {code}",
        "count": str(len(claims)),
        "delimiter": code,
    }
    return filled(CLAIM_AUDIT, VERSION, values)


def read_claim_audit(reply: Reply, claims: int, *, member: str) -> tuple[GivenAssessment | None, ...]:
    """What a reply says of each of `claims` claims (1 or more), in their order; None for one it does not judge.

    A claim that is given two assessments has none: who contradicts himself has not read it. Of several entries with the
    same assessment the first counts.

    Raises:
        MemberRefused: The provider or the words say so.
        MemberContentFiltered: The provider withheld it.
        MemberReplyUnusable: It is not in the form, or judges no claim that was asked about.
    """
    found: dict[int, GivenAssessment | None] = {}
    for entry in read_list(reply, "verdicts", member=member, about="assessments of claims"):
        try:
            given = GivenAssessment.model_validate(entry)
        except ValidationError:
            continue
        if given.claim <= claims:
            earlier = found.get(given.claim, given)
            found[given.claim] = earlier if earlier is not None and earlier.assessment is given.assessment else None
    if not any(found.values()):
        raise MemberReplyUnusable(member, "assessments of claims: no entry is of the form and about a claim shown")
    return tuple(found.get(number) for number in range(1, claims + 1))


def claim_audit_format() -> Mapping[str, JsonValue]:
    """The form of the answer as the `response_format` parameter of OpenAI's naming."""
    whole: dict[str, JsonValue] = {"type": "integer"}
    assessment: dict[str, JsonValue] = {"type": "string", "enum": [one.value for one in Assessment]}
    fields: dict[str, JsonValue] = {"claim": whole, "verdict": assessment, "turn": whole, "quote": {"type": "string"}}
    return list_format("verdicts", "verdicts", fields)
