"""The gate: paired outcomes become a verdict, as soon as they settle it.

Each question gives D = 1 (right from the history, wrong from the candidate), 0 or -1, and the loss is E[D]. Two
hypotheses are tested side by side by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
betting", J. R. Stat. Soc. B 86, 2024): a capital that starts at 1 and is multiplied by 1 + b(m - D) can be expected
to grow only when E[D] < m. By Ville's inequality it reaches 1/alpha with a chance of at most alpha when E[D] >= m, at
whatever question one stops, so the bounds hold for every stopping rule and for every rate of gains.

The bet against "the loss is reject_loss or more" is the one of Wald's sequential probability ratio test ("Sequential
tests of statistical hypotheses", Ann. Math. Stat. 16, 1945) of reject_loss against accept_loss: without gains the
capital IS his likelihood ratio, and gains cannot spoil its bound. The other direction cannot use his bet, because one
gain would ruin it, and mixes two smaller ones.

A job that may repair gives several candidates the chance to be accepted by mistake. So the policy's `false_accept` is
shared out among them (`error_share`): by the union bound the chance that any of them is accepted at a loss of
reject_loss or more is `false_accept` at most. False rejections need no sharing. A rejection with a repair left ends
nothing, and whether one is left is known before a candidate is asked, so that only one rejection of a job is final.
"""

import math
from collections.abc import Sequence

from dissolution.findings import GateDecision, Verdict
from dissolution.policy.calibration import CALIBRATION
from dissolution.policy.gate import GatePolicy, TokenPressure
from dissolution.probing import GateReading, GateState, PairedOutcome, VetoKind
from dissolution.values import Measured, NotMeasured

REJECT_BETS = CALIBRATION.probe.reject_bets

FIRST_SHARE = CALIBRATION.probe.first_share

VETO_WORDS = {
    VetoKind.LOST_COMMITMENT: "a standing commitment or prohibition is lost",
    VetoKind.ASSERTED_SUPERSEDED: "a value that was taken back is stated as one that holds",
}
SHOWN_VETOES = 5

STRANGE = CALIBRATION.probe.strange_history


def accept_bet(policy: GatePolicy, *, masked: bool = False) -> float:
    """The bet against a loss of `reject_loss` or more: Wald's.

    It is (1 - a/r) / (1 - r) for a = accept_loss and r = reject_loss. With it a loss multiplies the capital by a/r, and
    an equal pair by (1 - a) / (1 - r).
    """
    accept, reject = policy.zone(masked=masked)
    return (1 - accept / reject) / (1 - reject)


def reject_bets(policy: GatePolicy, *, masked: bool = False) -> tuple[tuple[float, float], ...]:
    """(weight, bet) of the mixture against a loss of `accept_loss` or less; each bet is below 1 / (1 + accept_loss)."""
    accept, _ = policy.zone(masked=masked)
    return tuple((weight, share / (1 + accept)) for weight, share in REJECT_BETS)


def error_share(number: int, repairs: int) -> float:
    """The share (0..1) of `false_accept` that one candidate of a job may spend; over all of them they add up to 1.

    The first has half of it, since most jobs have no other, and the amended ones have the other half in equal parts.

    Args:
        number: Which candidate, 0 for the first.
        repairs: Repairs that the job may make, 0 where there is nobody to ask again.
    """
    if repairs == 0:
        return 1.0
    return FIRST_SHARE if number == 0 else (1 - FIRST_SHARE) / repairs


def accept_bound(policy: GatePolicy, share: float = 1.0) -> float:
    """The evidence (log) from which on a candidate is accepted that may spend this share of `false_accept`."""
    return math.log(1 / (share * policy.false_accept))


def least_questions(policy: GatePolicy, *, masked: bool, share: float = 1.0) -> int:
    """Questions without a loss that accept; with fewer nothing can be accepted."""
    accept, reject = policy.zone(masked=masked)
    return math.ceil(accept_bound(policy, share) / math.log((1 - accept) / (1 - reject)))


def most_losses(questions: int, policy: GatePolicy, *, masked: bool, share: float = 1.0) -> int | None:
    """Losses with which so many questions (0 or more) still accept, nothing gained; None when they never do."""
    accept, reject = policy.zone(masked=masked)
    kept, lost = math.log((1 - accept) / (1 - reject)), math.log(accept / reject)
    spare = questions * kept - accept_bound(policy, share)
    return None if spare < 0 else int(spare / (kept - lost))


def questions_for(lost: int, policy: GatePolicy, *, masked: bool, share: float = 1.0) -> int:
    """The fewest questions that accept with so many lost, nothing gained; fewer than none count as none."""
    accept, reject = policy.zone(masked=masked)
    kept = math.log((1 - accept) / (1 - reject))
    cost = kept - math.log(accept / reject)
    return math.ceil((accept_bound(policy, share) + max(0, lost) * cost) / kept)


def expected_questions(policy: GatePolicy, *, masked: bool, share: float = 1.0) -> int:
    """Questions that a candidate at `accept_loss` needs on average to be accepted, nothing gained.

    The evidence divided by its mean growth for each question: Wald's (1945) average sample number, without overshoot.
    """
    accept, reject = policy.zone(masked=masked)
    growth = (1 - accept) * math.log((1 - accept) / (1 - reject)) + accept * math.log(accept / reject)
    return math.ceil(accept_bound(policy, share) / growth)


def read_gate(outcomes: Sequence[PairedOutcome], policy: GatePolicy, *, share: float = 1.0) -> GateReading:
    """What the outcomes say, in the order they came, up to the one that settles it.

    Masked questions have thresholds of their own. A veto settles it as a rejection at once. Worse outcomes never turn a
    rejection into an acceptance: both capitals move monotonously with each outcome.

    Args:
        outcomes: One for each question asked.
        policy: The job's.
        share: Of `false_accept`, what this candidate may spend (0..1, see `error_share`).
    """
    to_accept, to_reject = accept_bound(policy, share), math.log(1 / policy.false_reject)
    masked = any(outcome.masked for outcome in outcomes)
    accept_loss, reject_loss = policy.zone(masked=masked)
    against_loss, bet = 0.0, accept_bet(policy, masked=masked)
    purses = [[math.log(weight), stake] for weight, stake in reject_bets(policy, masked=masked)]
    lost = gained = used = 0
    vetoes: list[tuple[str, VetoKind]] = []
    state, against_keeping = GateState.OPEN, 0.0
    for outcome in outcomes:
        used += 1
        lost += outcome.loss == 1
        gained += outcome.loss == -1
        against_loss += math.log1p(bet * (reject_loss - outcome.loss))
        for purse in purses:
            purse[0] += math.log1p(purse[1] * (outcome.loss - accept_loss))
        against_keeping = _log_sum([purse[0] for purse in purses])
        if outcome.veto is not None:
            vetoes.append((outcome.question, outcome.veto))
            state = GateState.REJECT
        elif against_loss >= to_accept:
            state = GateState.ACCEPT
        elif against_keeping >= to_reject:
            state = GateState.REJECT
        if state is not GateState.OPEN:
            break
    return GateReading(
        state=state,
        used=used,
        lost=lost,
        gained=gained,
        observed_loss=(lost - gained) / used if used else NotMeasured(not_measured="no question was asked"),
        accept_evidence=against_loss,
        reject_evidence=against_keeping,
        accept_bound=to_accept,
        reject_bound=to_reject,
        masked=masked,
        vetoes=tuple(vetoes),
    )


def decide(
    reading: GateReading,
    policy: GatePolicy,
    *,
    history_share: Measured,
    repair_rounds_left: int = 0,
    repairable: bool = False,
    pressure: TokenPressure = TokenPressure.NONE,
) -> GateDecision:
    """The verdict, with its reasons.

    Args:
        reading: From `read_gate`.
        policy: The job's.
        history_share: Share of the held-out questions that the history arm got right, 0..1, or why there is none.
        repair_rounds_left: Rounds the job may still repair in, 0 or more.
        repairable: Whether somebody can be asked about turns again.
        pressure: How badly the history needs to be replaced. When it overflows its reader the candidate is committed
            degraded whatever the gate says, because the history is no usable context any more.
    """
    reasons = list(_evidence_words(reading, policy))
    floor = _floor_words(history_share, policy)
    if floor is None and reading.state is GateState.ACCEPT:
        return GateDecision(verdict=Verdict.COMMIT, reasons=tuple(reasons))
    if floor is not None:
        reasons.insert(0, floor)
    rejected = reading.state is GateState.REJECT and (floor is None or bool(reading.vetoes))
    can_repair = repairable and repair_rounds_left > 0 and floor is None
    verdict, why = _without_acceptance(
        policy, rejected=rejected, veto=bool(reading.vetoes), can_repair=can_repair, pressure=pressure
    )
    return GateDecision(verdict=verdict, reasons=(*reasons, why))


def _without_acceptance(
    policy: GatePolicy, *, rejected: bool, veto: bool, can_repair: bool, pressure: TokenPressure
) -> tuple[Verdict, str]:
    """What to do with a candidate that has not passed, and why."""
    if pressure is TokenPressure.OVERFLOWING:
        why = "the history does not fit its reader any more: a labelled boundary is better than no usable context"
        return Verdict.COMMIT_DEGRADED, why
    if can_repair and (rejected or policy.when_inconclusive == "repair"):
        return Verdict.REPAIR, "there are turns that can be asked about again"
    if rejected:
        rule = "a veto cannot be outweighed" if veto else "the candidate is rejected"
        return Verdict.KEEP_HISTORY, f"{rule}: the history stays in force"
    if policy.when_inconclusive == "commit_degraded":
        return Verdict.COMMIT_DEGRADED, f"inconclusive; policy {policy.name!r} commits and labels it"
    if pressure is TokenPressure.RISING and policy.under_pressure == "commit_degraded":
        return (
            Verdict.COMMIT_DEGRADED,
            f"inconclusive under token pressure; policy {policy.name!r} commits and labels it",
        )
    return Verdict.KEEP_HISTORY, "inconclusive: the history stays in force"


def _evidence_words(reading: GateReading, policy: GatePolicy) -> Sequence[str]:
    words = [f"{reading.used} questions: {reading.lost} lost, {reading.gained} gained"]
    accept, reject = policy.zone(masked=reading.masked)
    kind = " of masked questions" if reading.masked else ""
    bounds = f"(accept at a loss{kind} of {accept:.0%} or less, reject at {reject:.0%} or more)"
    for question, kind in reading.vetoes[:SHOWN_VETOES]:
        words.append(f"veto by question {question}: {VETO_WORDS[kind]}")
    if reading.state is GateState.ACCEPT:
        words.append(f"the loss is below {reject:.0%} {bounds}")
    elif reading.state is GateState.REJECT and not reading.vetoes:
        words.append(f"the loss is above {accept:.0%} {bounds}")
    elif reading.state is GateState.OPEN:
        words += _open_words(reading, policy, bounds)
    return words


def _open_words(reading: GateReading, policy: GatePolicy, bounds: str) -> Sequence[str]:
    """Why nothing is settled, and what the answers show all the same."""
    share = math.exp(-reading.accept_bound) / policy.false_accept
    needed = expected_questions(policy, masked=reading.masked, share=share)
    if not reading.used or reading.used >= needed:
        return (f"the bank ended before the evidence was clear {bounds}",)
    short = "the conversation is too short" if reading.masked else "there are too few questions"
    bearable = most_losses(reading.used, policy, masked=reading.masked, share=share)
    passes = "cannot pass however they are answered" if bearable is None else f"pass with {bearable} lost at most"
    told = f"{short} for a statistical verdict: {reading.used} questions were asked and {passes}"
    kept = reading.used - reading.lost
    return (
        f"{told}, where a good context needs about {needed} {bounds}",
        f"checked all the same: {kept} of {reading.used} are answered as well as from the history",
    )


def _floor_words(share: Measured, policy: GatePolicy) -> str | None:
    if isinstance(share, NotMeasured):
        return f"inconclusive: history arm {share}"
    if share < policy.history_floor:
        why = "the reader is too weak for this bank"
        if share < STRANGE:
            why += ", or the bank asks about something else than this history"
        return (
            f"inconclusive: only {share:.0%} of the questions are right from the history itself, less than "
            f"{policy.history_floor:.0%}; {why}"
        )
    return None


def _log_sum(logs: Sequence[float]) -> float:
    """log(sum(exp(x))) without overflow."""
    top = max(logs)
    return top + math.log(sum(math.exp(value - top) for value in logs))
