"""Exceptions become values, without their secrets."""

import pytest

from dissolution import errors
from dissolution.answers import FailureClass
from dissolution.errors import BudgetExceeded, MemberAuthError, MemberError, MemberRateLimited
from dissolution.values import NotMeasured
from fleet.failures import bounded, failure_of, member_failure

KEY = "sk-proj-abcdefghijklmnopqrstuvwx"


@pytest.mark.parametrize("kind", MemberError.__subclasses__())
def test_every_member_error_keeps_its_class(kind: type[MemberError]) -> None:
    failure = failure_of(kind("m", "what happened", 3.5))
    assert failure.error_class.value == kind.code
    assert failure.error_class is not FailureClass.INTERNAL
    assert (failure.detail, failure.retry_after_s) == ("what happened", 3.5)


def test_a_member_error_of_no_known_code_is_internal() -> None:
    assert failure_of(errors.MemberError("m", "odd")).error_class is FailureClass.INTERNAL


def test_no_wait_is_not_zero() -> None:
    assert isinstance(failure_of(MemberAuthError("m", "no")).retry_after_s, NotMeasured)
    assert failure_of(MemberRateLimited("m", "now", 0.0)).retry_after_s == 0.0


def test_other_exceptions_tell_their_class_and_nothing_else() -> None:
    failure = failure_of(KeyError(f"turn text with {KEY}"))
    assert (failure.error_class, failure.detail) == (FailureClass.INTERNAL, "KeyError")


def test_a_passed_cap_is_a_budget_failure() -> None:
    failure = failure_of(BudgetExceeded("cost in USD", "6", "5"))
    assert failure.error_class is FailureClass.BUDGET
    assert "over the cap of 5" in failure.detail


def test_details_are_scrubbed_before_they_are_cut() -> None:
    detail = f"{'x' * 490} {KEY} and more"
    failure = member_failure(FailureClass.AUTH, detail)
    assert len(failure.detail) == 500
    assert "sk-proj" not in failure.detail


def test_cutting_shows_that_it_cut() -> None:
    assert bounded("a" * 500) == "a" * 500
    assert bounded("a" * 501) == "a" * 499 + "…"
    assert bounded("äöü", 2) == "ä…"
