"""Is the fleet there: one short question to each member."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal

from dissolution.answers import (
    FailureClass,
    MemberCard,
    MemberFailure,
    PromptMessage,
    PromptStamp,
    RenderedPrompt,
    Usage,
)
from dissolution.values import Counted, Frozen, Measured, NotMeasured
from fleet.chat_member import ChatMember
from fleet.failures import failure_of
from fleet.litellm_gateway import LiteLLMChatModel
from fleet.prices import NO_PRICE

CHECK_PROMPT = RenderedPrompt(
    stamp=PromptStamp(name="fleet_check", version=1, digest="0" * 64),  # no released file: nothing is made of the reply
    messages=(PromptMessage(role="user", content="Reply with the single word: ready"),),
)

CHECK_TOKENS = 1
"""Output tokens asked for. Models that reason first may need more than one to say anything; using up the one shows as
well that they are there."""

_SPENT_IS_HERE = (FailureClass.UNPARSABLE,)
"""Failures of a check that still prove an answering endpoint: one token is often no word."""

_NO_WINDOW = NotMeasured(not_measured="neither the roster nor the price map knows the window")
_NOT_ASKED_FOR = NotMeasured(not_measured="no answer")


class MemberCheck(Frozen):
    """What one short question found out."""

    card: MemberCard
    answers: bool
    failure: MemberFailure | None = None  # why it does not answer
    latency_s: Measured
    input_usd_per_million: Decimal | NotMeasured
    output_usd_per_million: Decimal | NotMeasured
    window_tokens: Counted
    supported_parameters: tuple[str, ...]  # by the library's tables; empty when they do not know the model
    usage: Usage | NotMeasured  # of the question itself


async def check_members(members: Sequence[ChatMember], *, deadline_s: float = 30.0) -> tuple[MemberCheck, ...]:
    """Ask every member for one token, all at once.

    Args:
        members: Whom to ask.
        deadline_s: Longest wait for each (s), repeats included.

    Returns:
        One report a member, in their order; a member that fails is a report, not an error.
    """
    return tuple(await asyncio.gather(*(_check(member, deadline_s) for member in members)))


async def _check(member: ChatMember, deadline_s: float) -> MemberCheck:
    time = asyncio.get_running_loop().time
    began = time()
    failure: MemberFailure | None = None
    usage: Usage | NotMeasured = _NOT_ASKED_FOR
    try:
        reply = await member.model.complete(CHECK_PROMPT, max_output_tokens=CHECK_TOKENS, deadline_s=deadline_s)
        usage = reply.usage
    except Exception as error:  # noqa: BLE001 - a check reports whatever is wrong with a member
        failure = failure_of(error)
    answers = failure is None or failure.error_class in _SPENT_IS_HERE
    per_million = _per_million(member)
    supported = member.model.supported_parameters() if isinstance(member.model, LiteLLMChatModel) else ()
    return MemberCheck(
        card=member.card,
        answers=answers,
        failure=failure,
        latency_s=time() - began if answers else _NOT_ASKED_FOR,
        input_usd_per_million=per_million[0],
        output_usd_per_million=per_million[1],
        window_tokens=member.model.window_tokens or _NO_WINDOW,
        supported_parameters=supported,
        usage=usage,
    )


def _per_million(member: ChatMember) -> tuple[Decimal | NotMeasured, Decimal | NotMeasured]:
    known = member.model.price(0)
    if known is None:
        return NO_PRICE, NO_PRICE
    million = Decimal(1_000_000)
    return (known.input_usd * million).normalize(), (known.output_usd * million).normalize()
