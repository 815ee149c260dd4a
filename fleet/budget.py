"""Money and tokens of a job: estimated before, guarded at every call, added up after (rule 11). Pure.

What is not known stays not known: a sum with an unknown part is NotMeasured, and its known part is kept beside it,
because the known part alone may already be over the cap.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from dissolution.answers import MemberFailure, MemberTask, Usage
from dissolution.claims import MemberName
from dissolution.errors import BudgetExceeded
from dissolution.policy.job_policy import BudgetPolicy
from dissolution.ports.models import Member
from dissolution.values import Counted, NotMeasured
from fleet.failures import failure_of


class Total(Usage):
    """A sum of usages. A figure is NotMeasured when one of its parts is; `known_…` adds up the parts that are known."""

    known_input_tokens: Annotated[int, Field(ge=0)]
    known_cost_usd: Annotated[Decimal, Field(ge=0)]
    uncounted: Annotated[int, Field(ge=0)]  # parts whose input tokens are not known
    unpriced: Annotated[int, Field(ge=0)]  # parts whose cost is not known


class Estimate(Total):
    """What asking these members would use, before anybody is asked."""

    without_price: tuple[MemberName, ...]  # members whose cost is not known


def total(usages: Iterable[Usage]) -> Total:
    """The sum of what calls used; of none at all, it is 0."""
    parts = tuple(usages)
    inputs = [part.input_tokens for part in parts]
    costs = [part.cost_usd for part in parts]
    known = sum((cost for cost in costs if isinstance(cost, Decimal)), Decimal(0))
    unpriced = sum(isinstance(cost, NotMeasured) for cost in costs)
    return Total(
        input_tokens=_sum(inputs),
        cached_input_tokens=_sum([part.cached_input_tokens for part in parts]),
        output_tokens=_sum([part.output_tokens for part in parts]),
        cost_usd=_absent(unpriced, len(parts), "the cost is") if unpriced else known,
        known_input_tokens=sum(count for count in inputs if isinstance(count, int)),
        known_cost_usd=known,
        uncounted=sum(isinstance(count, NotMeasured) for count in inputs),
        unpriced=unpriced,
    )


def estimate(members: Sequence[Member], task: MemberTask) -> Estimate:
    """What asking all of them this would use, by their own estimates."""
    return combined({member.card.name: member.estimate(task) for member in members})


def combined(usages: Mapping[str, Usage]) -> Estimate:
    """One estimate of those of several members, by name."""
    without = tuple(name for name, usage in usages.items() if isinstance(usage.cost_usd, NotMeasured))
    return Estimate(**dict(total(usages.values())), without_price=without)


def check(expected: Usage, policy: BudgetPolicy) -> None:
    """Refuse a job whose known part alone is over a cap, or with unknown prices where the policy allows none.

    Raises:
        BudgetExceeded: With the measure, its amount and the cap. An amount equal to the cap is allowed.
    """
    part = expected if isinstance(expected, Total) else total([expected])
    if part.known_cost_usd > policy.max_usd:
        raise BudgetExceeded("cost in USD", f"{part.known_cost_usd:f}", f"{policy.max_usd:f}")
    if part.known_input_tokens > policy.max_input_tokens:
        raise BudgetExceeded("input tokens", str(part.known_input_tokens), str(policy.max_input_tokens))
    if part.unpriced and not policy.allow_unknown_price:
        names = f" ({', '.join(map(repr, part.without_price))})" if isinstance(part, Estimate) else ""
        raise BudgetExceeded("number of members without a known price", f"{part.unpriced}{names}", "0")


def costs_more(used: Usage, expected: Usage) -> bool:
    """Whether a call cost more than was expected of it, and so than was reserved for it."""
    reserved = Decimal(0) if isinstance(expected.cost_usd, NotMeasured) else expected.cost_usd
    return not isinstance(used.cost_usd, NotMeasured) and used.cost_usd > reserved


def refusal_over_cap(spent: Iterable[Usage], next_estimate: Usage, policy: BudgetPolicy) -> MemberFailure | None:
    """The guard before each call.

    Args:
        spent: What landed calls used, and the estimates of calls in flight: those are as good as spent.
        next_estimate: The estimate of the call about to be made.
        policy: The caps.

    Returns:
        None when the call fits under every cap, else the failure (`budget`) its member lands with unasked.
    """
    try:
        check(total((*spent, next_estimate)), policy)
    except BudgetExceeded as error:
        return failure_of(error)
    return None


def _sum(counts: Sequence[Counted]) -> Counted:
    unknown = sum(isinstance(count, NotMeasured) for count in counts)
    if unknown:
        return _absent(unknown, len(counts), "the tokens are")
    return sum(count for count in counts if isinstance(count, int))


def _absent(unknown: int, parts: int, what: str) -> NotMeasured:
    return NotMeasured(not_measured=f"{what} not known for {unknown} of {parts} calls")
