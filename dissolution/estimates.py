"""What a job is expected to use before anybody is asked: by stage and by member, and in histories."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from dissolution.claims import MemberName
from dissolution.values import Frozen, Measured, NotMeasured


class Expected(Frozen):
    """What some calls are expected to use."""

    calls: Annotated[int, Field(ge=0)]
    input_tokens: Annotated[int, Field(ge=0)]
    cached_input_tokens: Annotated[int, Field(ge=0)]
    """Part of the input that a provider has read before in this job, where it asks less for that."""
    output_tokens: Annotated[int, Field(ge=0)]
    usd: Decimal | NotMeasured
    known_usd: Annotated[Decimal, Field(ge=0)]  # the part of it that is known
    histories: Annotated[float, Field(ge=0)]  # input tokens over the snapshot's
    histories_with_caches: Annotated[float, Field(ge=0)]  # the same, cached input counted at a tenth


class ExpectedLine(Expected):
    """The same of one stage, or of one member."""

    of: Annotated[str, Field(min_length=1)]


class PathEstimate(Frozen):
    """What a job is expected to use on its whole path, without a repair."""

    snapshot_tokens: Annotated[int, Field(ge=0)]
    whole: Expected
    by_stage: tuple[ExpectedLine, ...]  # in running order; stages that ask nobody have no line
    by_member: tuple[ExpectedLine, ...]  # in the order of the roster
    accounts_at_most: Expected
    """The fan-out if every account were as long as it may be: what is reserved for it before anybody is asked."""
    repairs: Expected | None = None
    """What all repairs that the policy allows would use at most, and no part of `whole`; None where it allows none."""
    without_price: tuple[MemberName, ...] = ()  # members whose price is not known
    too_small: tuple[MemberName, ...] = ()  # members that cannot read even one turn, and are not asked for an account


def sent_in_words(times: Measured, with_caches: Measured) -> str:
    """How often the history is sent, in the one form that everything says it in."""
    if isinstance(times, NotMeasured):
        return f"history sent: {times}"
    if isinstance(with_caches, NotMeasured):
        return f"history sent {times:.1f} times; with caches {with_caches}"
    return f"history sent {times:.1f} times, {with_caches:.1f} with caches"


CACHED_WEIGHT = 0.1
"""What cached input counts for against other input: the usual share of its price."""


def histories(input_tokens: int, snapshot_tokens: int, cached_tokens: int = 0) -> Measured:
    """How often the history was sent: input tokens over those of the snapshot, 0 or more.

    Args:
        input_tokens: Of all calls that are meant.
        snapshot_tokens: Of the turns that are dissolved.
        cached_tokens: Part of the input that is counted at a tenth.
    """
    if snapshot_tokens <= 0:
        return NotMeasured(not_measured="the turns hold no token")
    return (input_tokens - (1 - CACHED_WEIGHT) * min(cached_tokens, input_tokens)) / snapshot_tokens
