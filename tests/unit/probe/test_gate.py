"""The gate: what settles it, what no average outweighs, and that worse outcomes never help."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dissolution.findings import Verdict
from dissolution.policy.gate import BALANCED, LENIENT, PRESETS, STRICT, GatePolicy, TokenPressure
from dissolution.probing import GateReading, GateState, PairedOutcome, VetoKind
from dissolution.values import NotMeasured
from probe.gate import (
    accept_bet,
    decide,
    error_share,
    expected_questions,
    least_questions,
    read_gate,
    reject_bets,
)

SAME, LOST, GAINED = (True, True), (True, False), (False, True)


def outcomes(*pairs: tuple[bool, bool]) -> list[PairedOutcome]:
    return [
        PairedOutcome(question=f"q{n}", history_right=history, candidate_right=candidate)
        for n, (history, candidate) in enumerate(pairs)
    ]


def vetoed(kind: VetoKind = VetoKind.LOST_COMMITMENT) -> PairedOutcome:
    return PairedOutcome(question="v", history_right=True, candidate_right=False, veto=kind)


def test_the_bet_is_walds_likelihood_ratio() -> None:
    bet = accept_bet(BALANCED)
    assert 1 + bet * (0.15 - 1) == pytest.approx(0.05 / 0.15)
    assert 1 + bet * (0.15 - 0) == pytest.approx(0.95 / 0.85)
    reading = read_gate(outcomes(SAME, LOST, SAME), BALANCED)
    assert reading.accept_evidence == pytest.approx(2 * math.log(0.95 / 0.85) + math.log(0.05 / 0.15))
    assert sum(weight for weight, _ in reject_bets(BALANCED)) == 1


def test_a_candidate_that_loses_nothing_passes_after_27_questions() -> None:
    reading = read_gate(outcomes(*[SAME] * 120), BALANCED)
    assert (reading.state, reading.used, reading.observed_loss) == (GateState.ACCEPT, 27, 0.0)  # 27 > 2.996 / 0.1112
    assert read_gate(outcomes(*[SAME] * 26), BALANCED).state is GateState.OPEN


def test_a_candidate_that_loses_everything_fails_early() -> None:
    reading = read_gate(outcomes(*[LOST] * 120), BALANCED)
    assert reading.state is GateState.REJECT
    assert reading.used <= 6
    assert reading.lost == reading.used


def test_a_gain_ruins_no_capital() -> None:
    reading = read_gate(outcomes(*[GAINED] * 3), BALANCED)
    assert reading.gained == 3
    assert math.isfinite(reading.reject_evidence)
    assert reading.reject_evidence < 0 < reading.accept_evidence


@pytest.mark.parametrize("repairs", range(11))
def test_the_candidates_of_a_job_share_the_whole_error(repairs: int) -> None:
    shares = [error_share(number, repairs) for number in range(repairs + 1)]
    assert sum(shares) == pytest.approx(1)
    assert min(shares) > 0
    assert shares[0] == (1.0 if repairs == 0 else 0.5)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("share", [1.0, 0.5, 0.25])
@pytest.mark.parametrize("policy", list(PRESETS.values()), ids=list(PRESETS))
def test_a_share_of_the_error_asks_for_more_questions(policy: GatePolicy, share: float, *, masked: bool) -> None:
    least = least_questions(policy, masked=masked, share=share)
    same = [one.model_copy(update={"masked": masked}) for one in outcomes(*[SAME] * least)]
    assert read_gate(same, policy, share=share).state is GateState.ACCEPT
    assert read_gate(same[1:], policy, share=share).state is GateState.OPEN
    assert read_gate(same, policy, share=share).accept_bound == pytest.approx(math.log(20 / share))
    assert least < expected_questions(policy, masked=masked, share=share)
    assert least_questions(policy, masked=masked, share=share / 2) > least


def test_nothing_asked_is_nothing_measured() -> None:
    reading = read_gate([], BALANCED)
    assert isinstance(reading.observed_loss, NotMeasured)
    assert reading.state is GateState.OPEN
    assert (reading.accept_evidence, reading.reject_evidence) == (0, 0)


@pytest.mark.parametrize("kind", list(VetoKind))
def test_no_average_outweighs_a_veto(kind: VetoKind) -> None:
    reading = read_gate([*outcomes(*[SAME] * 10), vetoed(kind), *outcomes(*[SAME] * 100)], BALANCED)
    assert reading.state is GateState.REJECT
    assert reading.used == 11
    assert reading.vetoes == (("v", kind),)
    decision = decide(reading, BALANCED, history_share=1.0)
    assert decision.verdict is Verdict.KEEP_HISTORY
    assert any("veto by question v" in reason for reason in decision.reasons)


def test_a_veto_needs_a_loss() -> None:
    with pytest.raises(ValidationError, match="cannot veto"):
        PairedOutcome(question="q", history_right=True, candidate_right=True, veto=VetoKind.LOST_COMMITMENT)


pairs = st.lists(st.sampled_from([SAME, LOST, GAINED, (False, False)]), max_size=150)


@given(pairs, st.data(), st.sampled_from(list(PRESETS.values())))
def test_worse_outcomes_never_turn_reject_into_accept(
    better: list[tuple[bool, bool]], data: st.DataObject, policy: GatePolicy
) -> None:
    worse = [(history, candidate and not data.draw(st.booleans())) for history, candidate in better]
    before, after = read_gate(outcomes(*better), policy), read_gate(outcomes(*worse), policy)
    rank = {GateState.REJECT: 0, GateState.OPEN: 1, GateState.ACCEPT: 2}
    assert rank[after.state] <= rank[before.state]


@given(pairs, st.integers(0, 150))
def test_a_veto_never_helps(given_pairs: list[tuple[bool, bool]], place: int) -> None:
    plain = outcomes(*given_pairs)
    before = read_gate(plain, BALANCED)
    after = read_gate([*plain[:place], vetoed(), *plain[place:]], BALANCED)
    assert after.state is not GateState.ACCEPT or before.state is GateState.ACCEPT
    if before.state is not GateState.ACCEPT or place < before.used:
        assert after.state is GateState.REJECT


@given(pairs)
def test_the_first_crossing_settles_it(given_pairs: list[tuple[bool, bool]]) -> None:
    whole = read_gate(outcomes(*given_pairs), BALANCED)
    assert read_gate(outcomes(*given_pairs[: whole.used]), BALANCED) == whole
    if whole.used:
        earlier = read_gate(outcomes(*given_pairs[: whole.used - 1]), BALANCED)
        assert earlier.state is GateState.OPEN


def reading_of(state: GateState) -> GateReading:
    if state is GateState.ACCEPT:
        return read_gate(outcomes(*[SAME] * 80), BALANCED)
    return read_gate(outcomes(*[LOST] * 20), BALANCED) if state is GateState.REJECT else read_gate([], BALANCED)


@pytest.mark.parametrize(
    ("state", "policy", "repairable", "pressure", "verdict"),
    [
        (GateState.ACCEPT, BALANCED, True, TokenPressure.NONE, Verdict.COMMIT),
        (GateState.ACCEPT, BALANCED, False, TokenPressure.OVERFLOWING, Verdict.COMMIT),
        (GateState.REJECT, BALANCED, True, TokenPressure.NONE, Verdict.REPAIR),
        (GateState.REJECT, LENIENT, True, TokenPressure.RISING, Verdict.REPAIR),
        (GateState.REJECT, BALANCED, False, TokenPressure.NONE, Verdict.KEEP_HISTORY),
        (GateState.REJECT, LENIENT, False, TokenPressure.RISING, Verdict.KEEP_HISTORY),
        (GateState.REJECT, STRICT, False, TokenPressure.OVERFLOWING, Verdict.COMMIT_DEGRADED),
        (GateState.OPEN, BALANCED, True, TokenPressure.RISING, Verdict.REPAIR),
        (GateState.OPEN, BALANCED, False, TokenPressure.NONE, Verdict.KEEP_HISTORY),
        (GateState.OPEN, BALANCED, False, TokenPressure.RISING, Verdict.COMMIT_DEGRADED),
        (GateState.OPEN, STRICT, False, TokenPressure.RISING, Verdict.KEEP_HISTORY),
        (GateState.OPEN, LENIENT, True, TokenPressure.NONE, Verdict.COMMIT_DEGRADED),
        (GateState.OPEN, STRICT, False, TokenPressure.OVERFLOWING, Verdict.COMMIT_DEGRADED),
    ],
)
def test_verdicts(
    state: GateState, policy: GatePolicy, *, repairable: bool, pressure: TokenPressure, verdict: Verdict
) -> None:
    decision = decide(
        reading_of(state),
        policy,
        history_share=0.9,
        repair_rounds_left=1,
        repairable=repairable,
        pressure=pressure,
    )
    assert decision.verdict is verdict


def test_no_round_left_is_no_repair() -> None:
    decision = decide(reading_of(GateState.REJECT), BALANCED, history_share=0.9, repair_rounds_left=0, repairable=True)
    assert decision.verdict is Verdict.KEEP_HISTORY


@pytest.mark.parametrize("share", [0.69, NotMeasured(not_measured="no reader")])
def test_a_weak_history_arm_is_never_a_pass(share: float | NotMeasured) -> None:
    decision = decide(
        reading_of(GateState.ACCEPT), BALANCED, history_share=share, repair_rounds_left=2, repairable=True
    )
    assert decision.verdict is Verdict.KEEP_HISTORY
    assert decision.reasons[0].startswith("inconclusive")


def test_the_reader_being_weak_is_no_rejection_either() -> None:
    decision = decide(reading_of(GateState.REJECT), LENIENT, history_share=0.2)
    assert decision.verdict is Verdict.COMMIT_DEGRADED
    decision = decide(read_gate([vetoed()], LENIENT), LENIENT, history_share=0.2)
    assert decision.verdict is Verdict.KEEP_HISTORY


def test_presets_get_laxer() -> None:
    strict, balanced, lenient = PRESETS.values()
    assert strict.reject_loss < balanced.reject_loss < lenient.reject_loss
    assert strict.accept_loss < balanced.accept_loss < lenient.accept_loss


def test_a_policy_without_indifference_zone_is_refused() -> None:
    with pytest.raises(ValidationError, match="widen the zone"):
        GatePolicy(accept_loss=0.15, reject_loss=0.15)


def masked(*losses: int) -> list[PairedOutcome]:
    return [
        PairedOutcome(question=f"q{n}", history_right=loss >= 0, candidate_right=loss <= 0, masked=True)
        for n, loss in enumerate(losses)
    ]


def test_masked_questions_have_thresholds_of_their_own() -> None:
    half = [1, 0, 0] * 20
    assert read_gate(masked(*half), BALANCED).state is GateState.ACCEPT
    assert read_gate(masked(*[1] * 40), BALANCED).state is GateState.REJECT
    plain = [outcome.model_copy(update={"masked": False}) for outcome in masked(*half)]
    assert read_gate(plain, BALANCED).state is GateState.REJECT
    decision = decide(read_gate(masked(*half), BALANCED), BALANCED, history_share=1.0)
    assert decision.verdict is Verdict.COMMIT
    assert any("of masked questions of 50% or less, reject at 75% or more" in reason for reason in decision.reasons)


def test_the_zone_of_masked_questions_is_checked_and_gets_laxer() -> None:
    zones = [preset.zone(masked=True) for preset in (STRICT, BALANCED, LENIENT)]
    assert zones == sorted(zones)
    with pytest.raises(ValidationError, match=r"masked_accept_loss 0\.8"):
        GatePolicy(masked_accept_loss=0.8)


def test_a_history_that_answers_next_to_nothing_may_be_another_one() -> None:
    said = decide(read_gate(masked(0, 0), BALANCED), BALANCED, history_share=0.04).reasons[0]
    assert "or the bank asks about something else than this history" in said
    weak = decide(read_gate(masked(0, 0), BALANCED), BALANCED, history_share=0.5).reasons[0]
    assert "something else" not in weak
