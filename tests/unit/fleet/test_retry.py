"""Decisions to ask again, and waits as providers write them."""

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.errors import (
    MemberAuthError,
    MemberError,
    MemberRateLimited,
    MemberReplyUnusable,
    MemberTimeout,
    MemberUnavailable,
)
from fleet.retry import RETRYABLE, RetryDecision, RetryPolicy, decide, retry_after_s

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
POLICY = RetryPolicy(max_attempts=3, base_s=1.0, cap_s=8.0)


def a_die(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - reproducible jitter


def ask(error: MemberError, *, attempts: int = 1, elapsed_s: float = 0.0, deadline_s: float = 100.0) -> RetryDecision:
    return decide(error, attempts=attempts, elapsed_s=elapsed_s, deadline_s=deadline_s, policy=POLICY, rng=a_die(1))


@pytest.mark.parametrize("kind", MemberError.__subclasses__())
def test_only_what_may_pass_by_itself_is_asked_again(kind: type[MemberError]) -> None:
    assert ask(kind("m", "x")).retry == (kind in {MemberRateLimited, MemberTimeout, MemberUnavailable})
    assert (kind in RETRYABLE) == ask(kind("m", "x")).retry


def test_reasons_are_given_either_way() -> None:
    assert ask(MemberAuthError("m", "x")).reason == "auth does not pass by waiting"
    assert ask(MemberUnavailable("m", "x"), attempts=3).reason == "asked 3 times"
    assert ask(MemberUnavailable("m", "x"), attempts=2).reason == "unavailable, attempt 2"


def test_attempts_are_counted_to_the_last() -> None:
    assert ask(MemberUnavailable("m", "x"), attempts=2).retry
    assert not ask(MemberUnavailable("m", "x"), attempts=3).retry


@given(st.integers(1, 9), st.integers(0, 2**32))
def test_jitter_is_full_and_bounded(attempts: int, seed: int) -> None:
    policy = RetryPolicy(max_attempts=10, base_s=0.5, cap_s=4.0)
    decision = decide(
        MemberUnavailable("m", "x"),
        attempts=attempts,
        elapsed_s=0,
        deadline_s=1e6,
        policy=policy,
        rng=a_die(seed),
    )
    assert decision.retry
    assert 0 <= decision.wait_s <= min(4.0, 0.5 * 2 ** (attempts - 1))


@given(st.floats(0, 1000), st.integers(0, 2**32))
def test_a_named_wait_is_waited_in_full(wait: float, seed: int) -> None:
    decision = decide(
        MemberRateLimited("m", "x", wait),
        attempts=1,
        elapsed_s=0,
        deadline_s=1e6,
        policy=POLICY,
        rng=a_die(seed),
    )
    assert wait <= decision.wait_s <= wait + POLICY.base_s


def test_a_wait_that_would_reach_the_deadline_is_not_begun() -> None:
    late = ask(MemberRateLimited("m", "x", 60), elapsed_s=50, deadline_s=100)
    assert not late.retry
    assert "would reach the deadline of 100 s" in late.reason
    assert ask(MemberRateLimited("m", "x", 40), elapsed_s=50, deadline_s=100).retry


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"RETRY-AFTER": "0"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "later, please"}, None),
        ({"retry-after": ""}, None),
    ],
)
def test_waits_are_read_as_providers_write_them(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, NOW) == seconds


def test_a_reply_that_cannot_be_read_is_not_bought_twice() -> None:
    assert not ask(MemberReplyUnusable("m", "x")).retry
