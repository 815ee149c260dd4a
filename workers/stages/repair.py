"""The repair step: lost questions point to turns, the fleet is asked what is missing of those, the result is probed.

Everything a round asks is a row, and what it computes follows from rows alone: a restart asks only what is missing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.answers import MemberFailure
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, GateDecision, NotRun, Verdict
from dissolution.framing import FrameReport
from dissolution.job import Job
from dissolution.policy.gate import TokenPressure
from dissolution.probing import PairedOutcome, Question, Split
from dissolution.receipt.probe import RepairLine
from dissolution.reviewing import Reviewer
from dissolution.values import Measured, NotMeasured
from frame_agent.review.follow_up import heard_in_all, taken_up_again
from probe.gate import error_share
from probe.repair import Repair, least_told, plan_repair
from workers.members.follow_up import STAGE, ask_about
from workers.members.wording_distance import comparing_by
from workers.probe.arm_readers import reader_of
from workers.probe.outcomes import Faced, HistoryReport, RepairReport, RepairRound, SealedBank, outcome
from workers.results.candidate import current_candidate
from workers.results.frame_summary import repaired
from workers.services import Services
from workers.stages.candidate_arm import Asked, Asking, Candidate, face, read_split
from workers.stages.further_bank import Fresh, fresh_questions
from workers.stages.gate import GateInputs, pressure_of, verdict_on
from workers.stages.question_bank import absent
from workers.step_results import StepResult, step_output


def repair(services: Services, job: Job) -> StepResult:
    """Repair the candidate as often as the gate asks for and policy allows; the last verdict is the job's."""
    with services.unit_of_work() as work:
        decision = GateDecision.model_validate_json(step_output(work, job, "gate"))
    if decision.verdict is not Verdict.REPAIR:
        return absent(NotRun(not_run="the gate asked for no repair"))
    report = Rounds(services, job).run(decision)
    told = [f"turns {', '.join(map(str, one.line.turns))}: {one.decision.verdict.value}" for one in report.rounds]
    note = f"{'; '.join(told) or 'no fresh question could be put'}: {report.decision.verdict.value}"
    return StepResult(output=report, note=note)


class State(NamedTuple):
    """The banks and the candidate by now, what it met, what is spent, and what its reviewers said."""

    asked: Asked
    consensus: Consensus
    faced: Faced
    spent: tuple[str, ...] = ()  # questions that pointed to turns of a repair
    used: tuple[str, ...] = ()  # held-out questions that were put: no later verdict rests on them
    heard: tuple[Reviewer, ...] = ()  # in the review and in each repair


class Rounds:
    """The repairs of one job, one after the other."""

    def __init__(self, services: Services, job: Job) -> None:
        self._services = services
        self._job = job
        self._asking = Asking(services, job, STAGE)
        self._repairs = job.policy.probe.gate.repair_rounds
        with services.unit_of_work() as work:
            self._snapshot: Snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
            self._sealed = outcome(work, job, "question_bank", SealedBank)
            self._history = outcome(work, job, "history_arm", HistoryReport)
            self._faced = outcome(work, job, "candidate_arm", Faced)
            self._frame = outcome(work, job, "frame_audit", FrameReport)
            self._pressure: TokenPressure = pressure_of(services, work, job, self._snapshot)
            self._first = current_candidate(work, job)
        self._comparing = comparing_by(services.embedder, job.policy.consensus, self._snapshot)

    def run(self, decision: GateDecision) -> RepairReport:
        """Round after round until the gate asks for none, or no fresh question is left to put."""
        if isinstance(self._sealed, NotRun) or isinstance(self._history, NotRun) or isinstance(self._faced, NotRun):
            # A gate that asks for repair has read all three.
            absent = NotRun(not_run="no probe")
            decision = self._without(self._first, absent, NotMeasured(not_measured=absent.not_run))
            return RepairReport(rounds=(), decision=decision, amended=None)
        heard = () if isinstance(self._frame, NotRun) else self._frame.reviewers
        asked = Asked(((self._sealed.bank, self._history),))
        state = State(asked, self._first, self._faced, used=met_by(self._faced), heard=heard)
        rounds = list[RepairRound]()
        while decision.verdict is Verdict.REPAIR:
            share = error_share(len(rounds) + 1, self._repairs)
            # Sealed before anybody is asked what the candidate is made of that is to meet them.
            fresh = fresh_questions(self._services, self._job, self._snapshot, state.asked, state.used, share=share)
            if isinstance(fresh, NotRun):
                decision = self._ended(state, fresh)
                break
            state, one = self._round(state, self._plan(state), fresh, len(rounds) + 1)
            rounds.append(one)
            decision = one.decision
        amended = state.consensus if rounds else None
        return RepairReport(rounds=tuple(rounds), decision=decision, amended=amended)

    def _plan(self, state: State) -> Repair:
        """The turns behind the questions that this candidate lost; where none points to any, those least told of.

        A reader that fails on the questions for repair hides what these would point to, and ends nothing.
        """
        train = [one for one in state.asked.of(Split.TRAIN, "train") if one.id not in state.spent]
        put = [one for one in state.asked.of(Split.HELD_OUT, "") if one.id in state.used]
        outcomes = [*self._of_train(state, train), *(item.outcome for item in state.faced.items)]
        plan = plan_repair(self._snapshot, (*train, *put), outcomes, spent=state.spent, put=state.used)
        return plan if plan.turns else least_told(self._snapshot, state.consensus.claims)

    def _of_train(self, state: State, train: Sequence[Question]) -> list[PairedOutcome]:
        """What came of the questions for repair that no round has spent."""
        if not train:
            return []
        reader = reader_of(self._services, self._job, STAGE)
        items = read_split(self._asking, state.asked, train, state.consensus, reader)
        return [] if isinstance(items, MemberFailure) else [item.outcome for item in items]

    def _round(self, state: State, plan: Repair, fresh: Fresh, number: int) -> tuple[State, RepairRound]:
        """Ask about the planned turns, amend the candidate, and probe it with questions that none has met."""
        again = ask_about(self._services, self._job, self._snapshot, plan.turns, state.consensus.claims)
        heard = heard_in_all(state.heard, again.reviewers)
        amended, findings = taken_up_again(state.consensus, self._snapshot, heard, self._comparing, job=self._job.id)
        candidate = Candidate(amended, self._snapshot, error_share(number, self._repairs))
        faced = face(self._asking, fresh.asked, fresh.questions, candidate)
        left = self._repairs - number
        decision = self._verdict(amended, faced, fresh.asked.share, rounds_left=left, repairable=True)
        line = RepairLine(
            turns=plan.turns,
            questions=len(plan.spent),
            answered=len(again.reviewers),
            statements=again.remarks,
            taken_up=repaired(findings),
            claims_before=len(state.consensus.claims),
            claims_after=len(amended.claims),
            fresh=len(fresh.questions),
            further=0 if fresh.bank is None else len(fresh.bank.bank.split(Split.HELD_OUT)),
            further_seal=None if fresh.bank is None else fresh.bank.seal,
        )
        used = (*state.used, *met_by(faced))
        now = State(fresh.asked, amended, faced, (*state.spent, *plan.spent), used, heard)
        round_ = RepairRound(
            line=line,
            spent=plan.spent,
            faced=faced,
            decision=decision,
            bank=fresh.bank,
            history=fresh.history,
            findings=findings,
        )
        return now, round_

    def _ended(self, state: State, why: NotRun) -> GateDecision:
        """The verdict when nothing can be repaired, with the reason why."""
        decision = self._without(state.consensus, state.faced, state.asked.share)
        return decision.model_copy(update={"reasons": (*decision.reasons, f"no repair: {why.not_run}")})

    def _without(self, consensus: Consensus, faced: Faced | NotRun, share: Measured) -> GateDecision:
        return self._verdict(consensus, faced, share, rounds_left=0, repairable=False)

    def _verdict(
        self, consensus: Consensus, faced: Faced | NotRun, share: Measured, *, rounds_left: int, repairable: bool
    ) -> GateDecision:
        found = GateInputs(consensus, faced, share, self._frame, self._pressure, rounds_left, repairable)
        return verdict_on(found, self._job.policy.probe)


def met_by(faced: Faced) -> tuple[str, ...]:
    """The questions that were put to a candidate, whether its reader answered them or not."""
    return (*(item.question.id for item in faced.items), *faced.unanswered)
