"""The decision: what must hold whatever the signals say, and each reason to hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.policy.gate import TokenPressure
from dissolution.policy.job_policy import Policy, RenderPolicy
from dissolution.policy.triggers import TriggerPolicy
from dissolution.triggering import Decision, ReasonCode, Signal, SignalValue, TriggerAction, TriggerState
from dissolution.values import NotMeasured
from tests.unit.triggers.worlds import a_state, calling, mark
from triggers.decision import LEVELS, Circumstances, called, decide, released, wanted_after_rejections

POLICY = Policy(triggers=TriggerPolicy(cooldown_tokens=1000, cooldown_turns=5, min_new_tokens=500, min_gain=0.2))
ABSENT = NotMeasured(not_measured="nobody did")


def decided(state: TriggerState, *values: SignalValue, job: str | None = None, covered: bool = False) -> Decision:
    return decide(Circumstances(state=state, values=values, policy=POLICY, job_in_flight=job, covered=covered))


def codes(decision: Decision) -> list[ReasonCode]:
    return [reason.code for reason in decision.reasons]


def test_a_signal_that_calls_fires_with_its_reason() -> None:
    decision = decided(a_state(), calling(Signal.DRIFT, 1.5, 0.6), calling(Signal.BUDGET, 0.3, 0.2))
    assert (decision.action, decision.called, codes(decision)) == (
        TriggerAction.FIRE,
        (Signal.DRIFT,),
        [ReasonCode.CALLED],
    )
    assert decision.reasons[0].words == "drift 0.6 (calls from 1)"


def test_without_a_call_it_holds_and_says_so() -> None:
    absent = SignalValue(signal=Signal.LOCK_IN, value=ABSENT, estimator="none")
    decision = decided(a_state(), calling(Signal.DRIFT, 0.99), absent)
    assert (decision.fires, codes(decision)) == (False, [ReasonCode.QUIET])


def test_the_strongest_call_stands_first() -> None:
    values = (calling(Signal.DRIFT, 1.2), calling(Signal.TOPIC_SHIFT, 2.0), calling(Signal.BUDGET, 1.2))
    assert decided(a_state(), *values).called == (Signal.TOPIC_SHIFT, Signal.BUDGET, Signal.DRIFT)


HOLDS = {
    ReasonCode.COOLING: a_state(fired=mark(97, 9_800)),
    ReasonCode.TOO_LITTLE: a_state(boundary=mark(90, 9_600)),
    ReasonCode.CANNOT_SHRINK: a_state(kept_share=0.95, boundary=mark(50, 8_000), held_tokens=100),
    ReasonCode.NO_PROGRESS: a_state(rejections=2, rejected=mark(90, 9_000)),
}


@pytest.mark.parametrize("code", HOLDS)
def test_each_hold_has_its_reason_and_a_person_overrides_it(code: ReasonCode) -> None:
    decision = decided(HOLDS[code], calling(Signal.DRIFT))
    assert not decision.fires
    assert code in codes(decision)
    assert ReasonCode.CALLED in codes(decision)  # what called is told as well
    assert decided(HOLDS[code], calling(Signal.MANUAL)).fires


def test_a_person_does_not_override_a_job_in_flight_a_covered_turn_or_an_empty_hand() -> None:
    manual = calling(Signal.MANUAL)
    assert codes(decided(a_state(), manual, job="j1"))[0] is ReasonCode.JOB_IN_FLIGHT
    assert codes(decided(a_state(), manual, covered=True))[0] is ReasonCode.COVERED
    assert codes(decided(a_state(boundary=mark(100, 10_000)), manual))[0] is ReasonCode.TOO_LITTLE


def test_nothing_is_dissolved_twice_over_the_same_turns_whatever_the_policy_allows() -> None:
    greedy = TriggerPolicy(cooldown_tokens=0, cooldown_turns=0, min_new_tokens=0, min_gain=0.0)
    state = a_state(boundary=mark(100, 10_000), held_tokens=9000)
    policy = Policy(triggers=greedy)
    decision = decide(Circumstances(state=state, values=(calling(Signal.SCHEDULE),), policy=policy))
    assert (decision.fires, codes(decision)[0]) == (False, ReasonCode.TOO_LITTLE)


def test_pressure_follows_the_context() -> None:
    budget = POLICY.triggers.budget
    for share, level in ((0.1, TokenPressure.NONE), (0.6, TokenPressure.RISING), (0.9, TokenPressure.OVERFLOWING)):
        assert decided(a_state(tokens=round(share * budget.context_tokens))).pressure is level


def test_the_breaker_asks_for_twice_as_much_each_time() -> None:
    def wanted(rejections: int) -> int:
        return wanted_after_rejections(a_state(rejections=rejections, rejected=mark(90, 9_000)), POLICY)

    # Half as much again, then twice that growth: 9000 * 1.5, 9000 * 2, 9000 * 3.
    assert [wanted(count) for count in (0, 1, 2, 3, 4)] == [0, 0, 13_500, 18_000, 27_000]
    assert wanted(10_000) > 10**9  # no overflow
    later = a_state(rejections=2, rejected=mark(90, 9_000), boundary=mark(50, 8_000))
    assert wanted_after_rejections(later, POLICY) == 1_500  # counted from the boundary


def test_a_level_that_fired_waits_for_its_release_and_events_do_not() -> None:
    state = a_state(unreleased=(Signal.DRIFT,))
    high = calling(Signal.DRIFT, 1.2, 0.5)
    assert called((high,), state) == ()
    assert ReasonCode.NOT_RELEASED in codes(decided(state, high))
    assert released((high,), state, POLICY) == (Signal.DRIFT,)
    between = calling(Signal.DRIFT, 0.95, POLICY.triggers.drift.release + 0.01)
    assert released((between,), state, POLICY) == (Signal.DRIFT,)  # below the threshold, above the release
    low = calling(Signal.DRIFT, 0.5, POLICY.triggers.drift.release - 0.01)
    assert released((low,), state, POLICY) == ()
    gone = SignalValue(signal=Signal.DRIFT, value=ABSENT, estimator="test")
    assert released((gone,), state, POLICY) == released((), state, POLICY) == (Signal.DRIFT,)
    lock = a_state(unreleased=(Signal.LOCK_IN,))
    assert released((calling(Signal.LOCK_IN, 0.99),), lock, POLICY) == ()
    assert Signal.BUDGET not in LEVELS


def test_what_is_expected_is_never_more_than_a_rendering_holds() -> None:
    tight = POLICY.model_copy(update={"render": RenderPolicy(budget_tokens=500)})
    state = a_state(kept_share=0.99)
    assert decide(Circumstances(state=state, values=(calling(Signal.BUDGET),), policy=tight)).fires


def values() -> st.SearchStrategy[tuple[SignalValue, ...]]:
    one = st.builds(calling, st.sampled_from(list(Signal)), st.floats(0, 3), st.floats(0, 2))
    return st.lists(one, max_size=7, unique_by=lambda value: value.signal).map(tuple)


@st.composite
def states(draw: st.DrawFn) -> TriggerState:
    tokens = draw(st.integers(0, 40_000))
    through = draw(st.integers(1, 400))

    def point() -> st.SearchStrategy[object]:
        some = st.tuples(st.integers(0, through), st.integers(0, tokens)).map(lambda pair: mark(*pair))
        return st.one_of(st.none(), some)

    return a_state(
        tokens=tokens,
        through=through,
        fired=draw(point()),
        boundary=draw(point()),
        rejected=draw(point()),
        held_tokens=draw(st.integers(0, 5_000)),
        rejections=draw(st.integers(0, 5)),
        kept_share=draw(st.one_of(st.none(), st.floats(0, 1.5))),
        unreleased=tuple(draw(st.sets(st.sampled_from(sorted(LEVELS))))),
    )


@given(states(), values(), st.sampled_from([None, "j1"]), st.booleans())
def test_whatever_the_signals_say(
    state: TriggerState,
    given_values: tuple[SignalValue, ...],
    job: str | None,
    covered: bool,  # noqa: FBT001 - drawn
) -> None:
    now = Circumstances(state=state, values=given_values, policy=POLICY, job_in_flight=job, covered=covered)
    decision = decide(now)
    assert decide(now) == decision
    manual = Signal.MANUAL in decision.called
    assert set(decision.called).isdisjoint(state.unreleased)
    if not decision.fires:
        return
    assert decision.called
    assert job is None
    assert not covered
    if manual:
        return
    triggers = POLICY.triggers
    fresh = state.tokens - (state.boundary.tokens if state.boundary else 0)
    assert fresh >= triggers.min_new_tokens
    assert fresh >= wanted_after_rejections(state, POLICY)
    if state.fired is not None:
        assert state.tokens - state.fired.tokens >= triggers.cooldown_tokens
        assert state.through - state.fired.turn >= triggers.cooldown_turns
