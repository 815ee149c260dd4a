"""Schedule: so many turns, tokens or hours after the last firing, boundary or beginning, whichever came last."""

from datetime import datetime, timedelta

from dissolution.policy.triggers import SchedulePolicy
from dissolution.triggering import TriggerState, TurnMark

HOUR_S = 3600.0


def since(state: TriggerState) -> TurnMark | None:
    """From where turns, tokens and hours are counted; None before the first turn."""
    marks = [mark for mark in (state.began, state.boundary, state.fired) if mark is not None]
    return max(marks, key=lambda mark: mark.turn) if marks else None


def dueness(policy: SchedulePolicy, state: TriggerState, at: datetime) -> float | None:
    """How far the nearest of the schedules has come, 1 when it is due; None when there is none."""
    mark = since(state)
    if mark is None:
        return None
    shares: list[float] = []
    if policy.every_turns is not None:
        shares.append((state.through - mark.turn) / policy.every_turns)
    if policy.every_tokens is not None:
        shares.append((state.tokens - mark.tokens) / policy.every_tokens)
    if policy.every_hours is not None:
        shares.append(max(0.0, (at - mark.at).total_seconds()) / HOUR_S / policy.every_hours)
    return max(shares) if shares else None


def next_look(policy: SchedulePolicy, state: TriggerState, at: datetime) -> datetime | None:
    """When the schedule of hours comes due, if that is after `at`: nobody may say anything until then.

    None without such a schedule, and when it was due already: what holds it back then is changed by a turn or by the
    end of a job, and either is looked at anyway.
    """
    mark = since(state)
    if mark is None or policy.every_hours is None:
        return None
    due = mark.at + timedelta(hours=policy.every_hours)
    return due if due > at else None
