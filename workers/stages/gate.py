"""The gate step: what the probe, the precision sample and the frame audit found becomes one verdict."""

from typing import NamedTuple

from dissolution.answers import FailureClass, MemberKind
from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.excerpts import NOBODY_HAS_READ
from dissolution.findings import Consensus, GateDecision, NotRun, Verdict
from dissolution.framing import FrameReport
from dissolution.job import Job
from dissolution.policy.gate import TokenPressure
from dissolution.policy.probe import ProbePolicy
from dissolution.ports.store import UnitOfWork
from dissolution.probing import Split
from dissolution.values import Measured, NotMeasured
from probe.gate import decide as by_statistics
from probe.gate import error_share, least_questions, read_gate
from workers.members.call_rows import STAGE as FAN_OUT
from workers.members.follow_up import can_be_asked_again
from workers.members.named_members import who_accounts
from workers.probe.outcomes import Faced, HistoryReport, SealedBank, outcome
from workers.results.candidate import current_candidate
from workers.services import Services
from workers.stages.trigger_pressure import pressure_now
from workers.step_results import StepResult

NOT_PROBED = "probe not run"
NOT_AUDITED = "frame audit not run"
REPORTED = "reported, not enforced: no language model judged the answers (policy 'probe.reader', 'probe.judge')"
NO_PLACE_LEFT = "the history does not fit its reader any more: a labelled boundary is better than no usable context"


NOTES = {
    Verdict.COMMIT: "the answers are about as good",
    Verdict.COMMIT_DEGRADED: "it may stand, and is not proven",
    Verdict.REPAIR: "too much is lost: to be mended",
    Verdict.KEEP_HISTORY: "it may not stand",
}
"""What a verdict came to, for whoever watches; its reasons stand in the receipt."""

ASKED_ONCE = frozenset({MemberKind.RECORDED, MemberKind.EXTRACTIVE})
"""Members that have nothing to say about a few turns: a recording holds one answer, a method states nothing."""


class GateInputs(NamedTuple):
    """Everything the verdict on one candidate rests on."""

    consensus: Consensus
    faced: Faced | NotRun
    history_share: Measured
    frame: FrameReport | NotRun
    pressure: TokenPressure
    rounds_left: int  # of repair
    repairable: bool


def decide(services: Services, job: Job) -> StepResult:
    """The verdict on the candidate."""
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        found = GateInputs(
            consensus=current_candidate(work, job),
            faced=outcome(work, job, "candidate_arm", Faced),
            history_share=history_share(work, job),
            frame=outcome(work, job, "frame_audit", FrameReport),
            pressure=pressure_of(services, work, job, snapshot),
            rounds_left=repairs_of(services, work, job),
            repairable=can_repair(services, work, job),
        )
    decision = verdict_on(found, job.policy.probe)
    return StepResult(output=decision, note=NOTES[decision.verdict])


def history_share(work: UnitOfWork, job: Job) -> Measured:
    """Share of the held-out questions that the history arm got right, or why there is none."""
    report = outcome(work, job, "history_arm", HistoryReport)
    return NotMeasured(not_measured=report.not_run) if isinstance(report, NotRun) else report.share


def pressure_of(services: Services, work: UnitOfWork, job: Job, snapshot: Snapshot) -> TokenPressure:
    """How badly the history needs to be replaced.

    By its tokens, because its reader could not take it in, or because triggers see its reader's context fill up.
    """
    found = (_pressure_of_history(services, work, job, snapshot), pressure_now(work, job))
    return max(found, key=list(TokenPressure).index)


def _pressure_of_history(services: Services, work: UnitOfWork, job: Job, snapshot: Snapshot) -> TokenPressure:
    policy = job.policy.probe
    calls = [call for call in work.jobs.calls(job.id) if call.stage == "history_arm"]
    if any(call.failure is not None and call.failure.error_class is FailureClass.CONTEXT_WINDOW for call in calls):
        return TokenPressure.OVERFLOWING
    if policy.window_tokens is None:
        return TokenPressure.NONE
    tokens = sum(services.counter.count(turn.content) for turn in snapshot.turns)
    if tokens > policy.overflowing_at * policy.window_tokens:
        return TokenPressure.OVERFLOWING
    return TokenPressure.RISING if tokens > policy.rising_at * policy.window_tokens else TokenPressure.NONE


def can_repair(services: Services, work: UnitOfWork, job: Job) -> bool:
    """Whether there is anything to repair with: a bank, and a fleet that can answer about a few turns."""
    if isinstance(outcome(work, job, "question_bank", SealedBank), NotRun):
        return False
    asked = {call.member.kind for call in work.jobs.calls(job.id, FAN_OUT)}
    if asked - ASKED_ONCE:
        return True
    return bool(asked) and any(can_be_asked_again(one) for one in who_accounts(job.policy, services.fleet(job)))


def repairs_of(services: Services, work: UnitOfWork, job: Job) -> int:
    """Repairs that the job may make, with which its candidates share the gate's error. It is known before any is asked.

    Those of its policy, where a verdict holds and somebody can be asked again. None where the bank is so small that no
    first candidate could pass with its share of the error: then the only candidate has the whole of it.
    """
    policy = job.policy.probe
    rounds = policy.gate.repair_rounds
    sealed, history = outcome(work, job, "question_bank", SealedBank), outcome(work, job, "history_arm", HistoryReport)
    if not policy.enforced or rounds == 0 or isinstance(sealed, NotRun) or isinstance(history, NotRun):
        return 0
    answered = {answer.question for answer in history.answers}
    fresh = [question for question in sealed.bank.split(Split.HELD_OUT) if question.id in answered]
    masked = any(question.item is not None for question in fresh)
    enough = len(fresh) >= least_questions(policy.gate, masked=masked, share=error_share(0, rounds))
    return rounds if enough and can_repair(services, work, job) else 0


def verdict_on(found: GateInputs, policy: ProbePolicy) -> GateDecision:
    """The verdict, with its reasons.

    A candidate that holds nothing firm, or that the frame audit blocks, is not committed. Then the statistics decide,
    within what policy lets them. Only a candidate that was probed and audited and answers well gets a plain `commit`.
    What rules find when they look the claims' values up is shown and decides nothing. Where the history is no usable
    context any more, what holds anything is committed degraded.
    """
    if found.consensus.unread:
        return on_excerpts(found, policy)
    if all(claim.section is Section.EDGES for claim in found.consensus.claims):
        return GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=("the candidate holds no claim with evidence",))
    unaudited = (NOT_AUDITED,) if isinstance(found.frame, NotRun) else ()
    if isinstance(found.frame, FrameReport) and found.frame.blocked:
        return unless_stranded(found.frame.blocked, found.pressure)
    probed = by_probe(found, policy)
    if probed.verdict is Verdict.COMMIT and unaudited:
        return GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=(*probed.reasons, *unaudited))
    if probed.verdict is Verdict.COMMIT_DEGRADED:
        return GateDecision(verdict=probed.verdict, reasons=(*probed.reasons, *unaudited))
    return probed


def on_excerpts(found: GateInputs, policy: ProbePolicy) -> GateDecision:
    """The verdict where extraction methods alone were asked: degraded at best, whatever the probe says."""
    if not found.consensus.excerpts and not found.consensus.claims:
        return GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=("the candidate holds nothing",))
    probed = by_probe(found, policy)
    verdict = Verdict.COMMIT_DEGRADED if probed.verdict is Verdict.COMMIT else probed.verdict
    return GateDecision(verdict=verdict, reasons=(NOBODY_HAS_READ, *probed.reasons))


def by_probe(found: GateInputs, policy: ProbePolicy) -> GateDecision:
    """What the probe says, as far as policy lets it decide."""
    if isinstance(found.faced, NotRun) and not (policy.on and policy.enforced):
        reason = NOT_PROBED if not policy.on else f"{NOT_PROBED}: {found.faced.not_run}"
        return GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=(reason,))
    decision = statistics(found, policy)
    if policy.enforced:
        return decision
    # What would follow from the statistics does not: it is the last reason of all but an acceptance.
    told = decision.reasons if decision.verdict is Verdict.COMMIT else decision.reasons[:-1]
    return GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=(*told, REPORTED))


def statistics(found: GateInputs, policy: ProbePolicy) -> GateDecision:
    """The gate's own verdict; nothing is asked of a policy that only reports, so it asks for no repair."""
    share, reading = found.history_share, read_gate((), policy.gate)
    if isinstance(found.faced, NotRun):
        share = NotMeasured(not_measured=found.faced.not_run)
    else:
        reading = found.faced.reading
    return by_statistics(
        reading,
        policy.gate,
        history_share=share,
        repair_rounds_left=found.rounds_left if policy.enforced else 0,
        repairable=found.repairable,
        pressure=found.pressure,
    )


def unless_stranded(reasons: tuple[str, ...], pressure: TokenPressure) -> GateDecision:
    """Keep the history for these reasons, as long as it is a usable context."""
    if pressure is TokenPressure.OVERFLOWING:
        return GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=(*reasons, NO_PLACE_LEFT))
    return GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=reasons)
