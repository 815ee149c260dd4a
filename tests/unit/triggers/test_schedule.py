"""Schedules: by turns, tokens and hours, from the last firing, boundary or beginning on."""

from datetime import timedelta

from dissolution.policy.triggers import SchedulePolicy
from dissolution.triggering import TriggerState, TurnMark
from tests.factories import INSTANT
from triggers.schedule import dueness, next_look

HOURLY = SchedulePolicy(every_hours=1.5)


def at(turn: int, hours: float) -> TurnMark:
    return TurnMark(turn=turn, tokens=10 * turn, at=INSTANT + timedelta(hours=hours))


STATE = TriggerState(conversation="talk", through=9, tokens=90, began=at(1, 0), boundary=at(3, 1), fired=at(5, 2))


def test_the_nearest_of_the_schedules_counts_from_the_last_mark() -> None:
    both = SchedulePolicy(every_turns=8, every_tokens=100, every_hours=10)
    assert dueness(both, STATE, at(9, 3).at) == 0.5  # 4 of 8 turns; 40 of 100 tokens; 1 of 10 hours
    assert dueness(both, STATE, at(9, 9).at) == 0.7
    assert dueness(HOURLY, STATE, at(9, 1).at) == 0  # a clock that went back
    assert dueness(SchedulePolicy(), STATE, at(9, 3).at) is None
    assert dueness(both, TriggerState(conversation="talk"), INSTANT) is None


def test_the_next_look_is_when_the_hours_are_over_and_not_when_they_were() -> None:
    due = at(5, 3.5).at
    assert next_look(HOURLY, STATE, at(9, 3).at) == due
    assert next_look(HOURLY, STATE, due - timedelta(microseconds=1)) == due
    assert next_look(HOURLY, STATE, due) is None
    assert next_look(SchedulePolicy(every_turns=5), STATE, at(9, 3).at) is None
    assert next_look(HOURLY, TriggerState(conversation="talk"), INSTANT) is None
