from datetime import timedelta

import pytest

from dissolution.policy.gate import TokenPressure
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import BudgetSignalPolicy, SchedulePolicy
from tests.factories import INSTANT
from tests.unit.triggers.worlds import a_state, mark
from triggers.budget import context_tokens, expected_tokens, gain, learned_share, new_tokens, pressure
from triggers.schedule import dueness, since

POLICY = Policy()


@pytest.mark.parametrize(
    ("tokens", "level"),
    [
        (0, TokenPressure.NONE),
        (599, TokenPressure.NONE),
        (600, TokenPressure.RISING),
        (899, TokenPressure.RISING),
        (900, TokenPressure.OVERFLOWING),
        (10**9, TokenPressure.OVERFLOWING),
    ],
)
def test_levels(tokens: int, level: TokenPressure) -> None:
    assert pressure(tokens, BudgetSignalPolicy(context_tokens=1000, soft_share=0.6, hard_share=0.9)) is level


def test_context_and_gain_by_hand() -> None:
    state = a_state(boundary=mark(80, 8_000), held_tokens=500)
    assert (new_tokens(state), context_tokens(state)) == (2_000, 2_500)
    assert expected_tokens(state, POLICY) == 500 + 700  # 0.35 of the new ones
    assert gain(state, POLICY) == pytest.approx(1_300 / 2_500)
    assert gain(a_state(tokens=0), POLICY) == 0.0
    assert gain(a_state(boundary=mark(99, 9_900), held_tokens=100, kept_share=1.5), POLICY) < 0


def test_a_conversation_shows_what_its_boundaries_keep() -> None:
    state = a_state(held_tokens=500)
    assert learned_share(state, 900, 1_000) == pytest.approx(0.4)
    known = state.model_copy(update={"kept_share": 0.2})
    assert learned_share(known, 900, 1_000) == pytest.approx(0.3)
    assert learned_share(known, 100, 1_000) == pytest.approx(0.1)  # it shrank: none of it was kept
    assert learned_share(known, 10**6, 1) == pytest.approx(0.85)  # capped at 1.5
    assert learned_share(known, 900, 0) == 0.2


def test_schedules_count_from_the_last_firing_or_boundary() -> None:
    state = a_state(boundary=mark(40, 4_000), fired=mark(60, 6_000))
    assert since(state) == mark(60, 6_000)
    assert dueness(SchedulePolicy(every_turns=80), state, INSTANT) == pytest.approx(40 / 80)
    assert dueness(SchedulePolicy(every_tokens=4_000), state, INSTANT) == pytest.approx(1.0)
    assert dueness(SchedulePolicy(every_hours=2), state, INSTANT + timedelta(hours=3)) == pytest.approx(1.5)
    assert dueness(SchedulePolicy(every_hours=2, every_turns=4), state, INSTANT) == pytest.approx(10)
    assert dueness(SchedulePolicy(), state, INSTANT) is None
    assert dueness(SchedulePolicy(every_turns=1), a_state(began=None), INSTANT) is None
    assert dueness(SchedulePolicy(every_hours=1), state, INSTANT - timedelta(hours=9)) == 0.0  # a clock set back
