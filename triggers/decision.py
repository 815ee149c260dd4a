"""The decision: one pure function from signals and what is remembered to fire or hold, with every reason.

What must hold, whatever the signals say (each has a property test):
- at most one job in flight for a conversation; turns that come meanwhile wait for its end and go into the next;
- at most one firing in a cool-down, but for a person's call;
- what is expected to free too little is left alone;
- after candidates that were rejected only new material counts, twice as much each time;
- a level that has fired must fall below its release before it counts again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dissolution.policy.job_policy import Policy
from dissolution.triggering import (
    Decision,
    Reason,
    ReasonCode,
    Signal,
    SignalValue,
    TriggerAction,
    TriggerState,
)
from dissolution.values import NotMeasured
from triggers.budget import context_tokens, expected_tokens, gain, new_tokens, pressure

LEVELS = frozenset({Signal.DRIFT, Signal.SURPRISE, Signal.LOCK_IN})
"""Signals that stay high once they are: they must be released before they count again. The others are events, or are
brought down by the boundary itself."""

DOUBLINGS = 20
"""At most so often does the breaker's demand double: by then nothing short of a person's call moves it."""


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """All that a decision rests on."""

    state: TriggerState  # with the turn that was just read
    values: tuple[SignalValue, ...]
    policy: Policy
    job_in_flight: str | None = None  # of the conversation, whoever submitted it
    covered: bool = False  # a boundary that was committed meanwhile covers the turn


def decide(now: Circumstances) -> Decision:
    """Fire or hold. The same circumstances give the same decision."""
    calling = called(now.values, now.state)
    level = pressure(context_tokens(now.state), now.policy.triggers.budget)
    manual = any(value.signal is Signal.MANUAL for value in calling)
    against = list(_against(now, manual=manual))
    told = tuple(Reason(code=ReasonCode.CALLED, signal=value.signal, words=_call_in_words(value)) for value in calling)
    signals = tuple(value.signal for value in calling)
    if calling and not against:
        return Decision(action=TriggerAction.FIRE, reasons=told, called=signals, pressure=level)
    held_back = tuple(
        Reason(code=ReasonCode.NOT_RELEASED, signal=signal, words=f"{signal.value} has not fallen since it fired")
        for signal in _unreleased(now)
    )
    quiet = () if calling else (Reason(code=ReasonCode.QUIET, words="no signal calls"),)
    reasons = (*quiet, *held_back, *(against if calling else ()), *told)
    return Decision(action=TriggerAction.HOLD, reasons=reasons, called=signals, pressure=level)


def called(values: Iterable[SignalValue], state: TriggerState) -> tuple[SignalValue, ...]:
    """The values that call, the strongest first: score 1 or more, and not waiting for their release."""
    calling = [one for one in values if one.score is not None and one.score >= 1 and one.signal not in state.unreleased]
    return tuple(sorted(calling, key=lambda one: (-(one.score or 0.0), one.signal.value)))


def released(values: Iterable[SignalValue], state: TriggerState, policy: Policy) -> tuple[Signal, ...]:
    """The signals that still wait for their release, after these values. What is not measured waits on."""
    by_signal = {one.signal: one for one in values}
    return tuple(one for one in state.unreleased if not _is_low(by_signal.get(one), policy))


def _is_low(value: SignalValue | None, policy: Policy) -> bool:
    if value is None or isinstance(value.value, NotMeasured) or value.score is None:
        return False
    if value.signal is Signal.DRIFT:
        return value.value < policy.triggers.drift.release
    return value.score < 1


def _unreleased(now: Circumstances) -> list[Signal]:
    high = {one.signal for one in now.values if one.score is not None and one.score >= 1}
    return [signal for signal in now.state.unreleased if signal in high]


def _against(now: Circumstances, *, manual: bool) -> Iterable[Reason]:
    """What forbids a firing; a person's call overrides all of it but a job in flight and an empty hand."""
    state, triggers = now.state, now.policy.triggers
    if now.job_in_flight is not None:
        words = f"job {now.job_in_flight} is in flight; turns since turn {_mark_of(state)} wait for its end"
        yield Reason(code=ReasonCode.JOB_IN_FLIGHT, words=words)
    if now.covered:
        yield Reason(code=ReasonCode.COVERED, words=f"a committed boundary covers turn {state.through} already")
    fresh = new_tokens(state)
    if fresh == 0:  # a schedule of hours comes due though nobody says anything
        yield Reason(code=ReasonCode.TOO_LITTLE, words="nothing was said since the boundary")
    if manual:
        return
    yield from _cooling(now)
    if 0 < fresh < triggers.min_new_tokens:
        words = f"{fresh} tokens since the boundary, fewer than {triggers.min_new_tokens}"
        yield Reason(code=ReasonCode.TOO_LITTLE, words=words)
    freed = gain(state, now.policy)
    if freed < triggers.min_gain:
        shrinks = f"{context_tokens(state)} to an expected {expected_tokens(state, now.policy)} tokens"
        words = f"{shrinks} frees {freed:.0%}, less than {triggers.min_gain:.0%}"
        yield Reason(code=ReasonCode.CANNOT_SHRINK, words=words)
    wanted = wanted_after_rejections(state, now.policy)
    if fresh < wanted:
        times = f"{state.rejections} job{'s' if state.rejections > 1 else ''} in a row ended without a commit"
        words = f"{times}; tried again from {wanted} tokens since the boundary, now {fresh}"
        yield Reason(code=ReasonCode.NO_PROGRESS, words=words)


def wanted_after_rejections(state: TriggerState, policy: Policy) -> int:
    """Tokens since the boundary before a conversation whose candidates were rejected is tried again; 0 without any.

    Below `max_rejections` the cool-down alone holds. From there on the talk must have grown by `retry_growth` since
    the last rejection, and by twice as much after each further one.
    """
    beyond = state.rejections - policy.triggers.max_rejections
    if beyond < 0 or state.rejected is None:
        return 0
    held = state.rejected.tokens - (state.boundary.tokens if state.boundary else 0)
    return round(max(held, 1) * (1 + policy.triggers.retry_growth * 2.0 ** min(beyond, DOUBLINGS)))


def _cooling(now: Circumstances) -> Iterable[Reason]:
    fired, triggers = now.state.fired, now.policy.triggers
    if fired is None:
        return
    tokens, turns = now.state.tokens - fired.tokens, now.state.through - fired.turn
    if tokens < triggers.cooldown_tokens or turns < triggers.cooldown_turns:
        needed = f"{triggers.cooldown_tokens} tokens and {triggers.cooldown_turns} turns"
        words = f"{tokens} tokens and {turns} turns since the firing at turn {fired.turn}, fewer than {needed}"
        yield Reason(code=ReasonCode.COOLING, words=words)


def _mark_of(state: TriggerState) -> int:
    return state.job_mark.turn if state.job_mark else state.through


def _call_in_words(value: SignalValue) -> str:
    shown = str(value.value) if isinstance(value.value, NotMeasured) else f"{value.value:.3g}"
    at = "" if value.threshold is None else f" (calls from {value.threshold:.3g})"
    return f"{value.signal.value} {shown}{at}{'; ' if value.note else ''}{value.note}"
