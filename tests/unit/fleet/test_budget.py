"""Sums with unknown parts, caps, and the guard before each call."""

from decimal import Decimal

import pytest

from devtools.scripted import Say, ScriptedMember
from dissolution.answers import FailureClass, FinishReason, Usage
from dissolution.errors import BudgetExceeded
from dissolution.policy.job_policy import BudgetPolicy
from dissolution.values import NotMeasured
from fleet.budget import check, estimate, refusal_over_cap, total
from tests.unit.fleet.parts import a_card, a_task

UNKNOWN = NotMeasured(not_measured="no price")
POLICY = BudgetPolicy(max_usd=Decimal("1.00"), max_input_tokens=1000)
STRICT = POLICY.model_copy(update={"allow_unknown_price": False})


def usage(tokens: int | None = 100, usd: str | None = "0.25") -> Usage:
    count = UNKNOWN if tokens is None else tokens
    price = UNKNOWN if usd is None else Decimal(usd)
    return Usage(input_tokens=count, cached_input_tokens=count, output_tokens=count, cost_usd=price)


class Priced(ScriptedMember):
    """A member with a price tag."""

    def __init__(self, name: str, tag: Usage) -> None:
        super().__init__(a_card(name), [Say("x", FinishReason.STOP)])
        self._tag = tag

    def estimate(self, task: object) -> Usage:  # noqa: ARG002 - the port's signature
        return self._tag


def test_nothing_at_all_is_zero() -> None:
    nothing = total([])
    assert (nothing.input_tokens, nothing.cost_usd, nothing.unpriced) == (0, Decimal(0), 0)


def test_known_parts_add_up_exactly() -> None:
    summed = total([usage(100, "0.1"), usage(50, "0.2")])
    assert (summed.input_tokens, summed.cached_input_tokens, summed.output_tokens) == (150, 150, 150)
    assert summed.cost_usd == Decimal("0.3")  # decimal, not 0.30000000000000004


def test_one_unknown_part_makes_the_sum_unknown_and_keeps_the_known_part() -> None:
    summed = total([usage(100, "0.1"), usage(None, None)])
    assert str(summed.cost_usd) == "not measured: the cost is not known for 1 of 2 calls"
    assert str(summed.input_tokens) == "not measured: the tokens are not known for 1 of 2 calls"
    assert (summed.known_input_tokens, summed.known_cost_usd) == (100, Decimal("0.1"))
    assert (summed.uncounted, summed.unpriced) == (1, 1)


def test_an_estimate_names_the_members_without_a_price() -> None:
    expected = estimate([Priced("a", usage()), Priced("b", usage(200, None))], a_task())
    assert expected.without_price == ("b",)
    assert expected.input_tokens == 300
    assert isinstance(expected.cost_usd, NotMeasured)


def test_caps_are_inclusive() -> None:
    check(total([usage(1000, "1.00")]), POLICY)
    with pytest.raises(BudgetExceeded, match=r"USD 1\.01.* 1\.00"):
        check(total([usage(1000, "1.01")]), POLICY)
    with pytest.raises(BudgetExceeded, match=r"1001.* 1000"):
        check(usage(1001, "0"), POLICY)


def test_an_unknown_part_does_not_hide_a_known_one_over_the_cap() -> None:
    with pytest.raises(BudgetExceeded, match=r"1\.5"):
        check(total([usage(1, "1.5"), usage(None, None)]), POLICY)
    with pytest.raises(BudgetExceeded, match="1500"):
        check(total([usage(1500, None), usage(None, None)]), POLICY)


def test_unknown_prices_pass_only_where_the_policy_says_so() -> None:
    expected = estimate([Priced("a", usage()), Priced("b", usage(200, None))], a_task())
    check(expected, POLICY)
    with pytest.raises(BudgetExceeded, match=r"1 \('b'\).* 0"):
        check(expected, STRICT)
    with pytest.raises(BudgetExceeded, match=r"price 1 .* 0"):
        check(usage(1, None), STRICT)


def test_the_guard_counts_what_is_in_flight() -> None:
    spent = [usage(100, "0.25")] * 3
    assert refusal_over_cap(spent, usage(100, "0.25"), POLICY) is None
    refused = refusal_over_cap(spent, usage(100, "0.26"), POLICY)
    assert refused is not None
    assert refused.error_class is FailureClass.BUDGET
    assert "1.01" in refused.detail
    assert refusal_over_cap([], usage(1, None), STRICT) is not None
