"""The repair step: failed train questions point to turns, the fleet is asked about those, the result is probed afresh.

Everything a round asks is a row, and what it computes follows from rows alone: a restart asks only what is missing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.answers import MemberFailure
from dissolution.claims import Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, GateDecision, NotRun, Verdict
from dissolution.framing import FrameReport
from dissolution.gate_policy import TokenPressure
from dissolution.job import Job
from dissolution.probe_receipt import RepairLine
from dissolution.probing import Split
from dissolution.values import Measured, NotMeasured
from probe.gate import error_share
from probe.repair import Repair, plan_repair
from workers.arm_readers import reader_of
from workers.asking_again import ORDINALS, STAGE, ask_about
from workers.auditing import audit_again
from workers.candidate import current_candidate
from workers.candidate_arm import Asked, Asking, Candidate, face, read_split
from workers.deciding import consensus_of
from workers.further_bank import Fresh, fresh_questions
from workers.gating import Found, pressure_of, verdict_on
from workers.outcomes import StepResult, step_output
from workers.probe_outcomes import Faced, HistoryReport, RepairReport, RepairRound, SealedBank, outcome
from workers.questioning import absent
from workers.reviewing import Reviewed, nobody_read
from workers.services import Services


def repair(services: Services, job: Job) -> StepResult:
    """Repair the candidate as often as the gate asks for and policy allows; the last verdict is the job's."""
    with services.unit_of_work() as work:
        decision = GateDecision.model_validate_json(step_output(work, job, "gate"))
    if decision.verdict is not Verdict.REPAIR:
        return absent(NotRun(not_run="the gate asked for no repair"))
    report = Rounds(services, job).run(decision)
    told = [f"turns {', '.join(map(str, one.line.turns))}: {one.decision.verdict.value}" for one in report.rounds]
    note = f"{'; '.join(told) or 'nothing could be asked again'}: {report.decision.verdict.value}"
    return StepResult(output=report, note=note)


class State(NamedTuple):
    """The banks and the candidate by now, what is spent, and what more was said."""

    asked: Asked
    consensus: Consensus
    spent: tuple[str, ...] = ()  # train questions
    used: tuple[str, ...] = ()  # held-out questions that were put: no later verdict rests on them
    said: tuple[Statement, ...] = ()


class Rounds:
    """The repairs of one job, one after the other."""

    def __init__(self, services: Services, job: Job) -> None:
        self._services = services
        self._job = job
        self._asking = Asking(services, job, STAGE)
        self._repairs = job.policy.probe.gate.repair_rounds
        with services.unit_of_work() as work:
            self._snapshot: Snapshot = work.conversations.get(job.conversation).snapshot(job.through)
            self._sealed = outcome(work, job, "question_bank", SealedBank)
            self._history = outcome(work, job, "history_arm", HistoryReport)
            self._faced = outcome(work, job, "candidate_arm", Faced)
            self._frame = outcome(work, job, "frame_audit", FrameReport)
            self._pressure: TokenPressure = pressure_of(services, work, job, self._snapshot)
            self._heard = Consensus.model_validate_json(step_output(work, job, "consensus"))
            self._first = current_candidate(work, job)

    def run(self, decision: GateDecision) -> RepairReport:
        """Round after round until the gate asks for none, or nothing is left to ask about."""
        if isinstance(self._sealed, NotRun) or isinstance(self._history, NotRun) or isinstance(self._faced, NotRun):
            # A gate that asks for repair has read all three.
            absent = NotRun(not_run="no probe")
            decision = self._without(self._first, absent, NotMeasured(not_measured=absent.not_run))
            return RepairReport(rounds=(), decision=decision, amended=None)
        asked = Asked(((self._sealed.bank, self._history),))
        state = State(asked, self._first, used=met_by(self._faced))
        faced, rounds = self._faced, list[RepairRound]()
        while decision.verdict is Verdict.REPAIR:
            planned = self._planned(state, len(rounds) + 1)
            if isinstance(planned, NotRun):
                decision = self._ended(state, faced, planned)
                break
            state, one = self._round(state, *planned, len(rounds) + 1)
            rounds.append(one)
            faced, decision = one.faced, one.decision
        amended = state.consensus if rounds else None
        return RepairReport(rounds=tuple(rounds), decision=decision, amended=amended)

    def _planned(self, state: State, number: int) -> tuple[Repair, Fresh] | NotRun:
        """What candidate `number` is to be made of and to meet, in this order, or why there is no such candidate.

        Its questions are sealed before anybody is asked what it is made of.
        """
        plan = self._plan(state)
        if isinstance(plan, str):
            return NotRun(not_run=plan)
        share = error_share(number, self._repairs)
        fresh = fresh_questions(self._services, self._job, self._snapshot, state.asked, state.used, share=share)
        return fresh if isinstance(fresh, NotRun) else (plan, fresh)

    def _plan(self, state: State) -> Repair | str:
        """The turns behind train questions that the history answers and this candidate does not; or why none are."""
        train = [one for one in state.asked.of(Split.TRAIN, "train") if one.id not in state.spent]
        reader = reader_of(self._services, self._job, STAGE)
        items = read_split(self._asking, state.asked, train, state.consensus, reader) if train else []
        if isinstance(items, MemberFailure):
            return f"reader {reader.name} failed: {items.error_class.value}"
        plan = plan_repair(self._snapshot, train, [item.outcome for item in items], spent=state.spent)
        return plan if plan.turns else "no train question points to a turn that could be asked about again"

    def _round(self, state: State, plan: Repair, fresh: Fresh, number: int) -> tuple[State, RepairRound]:
        """Ask about the planned turns, amend the candidate, and probe it with questions that none has met."""
        heard = ask_about(self._services, self._job, self._snapshot, plan.turns)
        offset = ORDINALS * number
        said = tuple(one.model_copy(update={"ordinal": one.ordinal + offset}) for one in heard.statements)
        everything = (*state.said, *said)
        amended = self._amended(everything)
        candidate = Candidate(amended, self._snapshot, error_share(number, self._repairs))
        faced = face(self._asking, fresh.asked, fresh.questions, candidate)
        left = self._repairs - number
        decision = self._verdict(amended, faced, fresh.asked.share, rounds_left=left, repairable=True)
        line = RepairLine(
            turns=plan.turns,
            questions=len(plan.spent),
            answered=heard.answered,
            statements=len(said),
            claims_before=len(state.consensus.claims),
            claims_after=len(amended.claims),
            fresh=len(fresh.questions),
            further=0 if fresh.bank is None else len(fresh.bank.bank.split(Split.HELD_OUT)),
            further_seal=None if fresh.bank is None else fresh.bank.seal,
        )
        now = State(fresh.asked, amended, (*state.spent, *plan.spent), (*state.used, *met_by(faced)), everything)
        round_ = RepairRound(
            line=line,
            spent=plan.spent,
            faced=faced,
            decision=decision,
            bank=fresh.bank,
            history=fresh.history,
            findings=None if isinstance(self._frame, NotRun) else self._frame.findings,
            blocked=() if isinstance(self._frame, NotRun) else self._frame.blocked,
        )
        return now, round_

    def _amended(self, said: Sequence[Statement]) -> Consensus:
        """The consensus of the answers and of what was said about the missed turns, grounded and audited like any.

        Where nobody has read the first candidate nobody will read this one, so nothing stands in it that would wait.
        """
        unread = isinstance(self._frame, FrameReport) and nobody_read(Reviewed(self._frame.reviewers, None))
        heard = consensus_of(self._services, self._job, said, to_be_reviewed=False if unread else None)
        if isinstance(self._frame, NotRun):
            return heard
        self._frame = audit_again(self._services, self._job, heard, self._frame)
        return self._frame.amended or heard

    def _ended(self, state: State, faced: Faced, why: NotRun) -> GateDecision:
        """The verdict when nothing can be repaired, with the reason why."""
        decision = self._without(state.consensus, faced, state.asked.share)
        return decision.model_copy(update={"reasons": (*decision.reasons, f"no repair: {why.not_run}")})

    def _without(self, consensus: Consensus, faced: Faced | NotRun, share: Measured) -> GateDecision:
        return self._verdict(consensus, faced, share, rounds_left=0, repairable=False)

    def _verdict(
        self, consensus: Consensus, faced: Faced | NotRun, share: Measured, *, rounds_left: int, repairable: bool
    ) -> GateDecision:
        found = Found(consensus, faced, share, self._frame, self._pressure, rounds_left, repairable)
        return verdict_on(found, self._job.policy.probe)


def met_by(faced: Faced) -> tuple[str, ...]:
    """The questions that were put to a candidate, whether its reader answered them or not."""
    return (*(item.question.id for item in faced.items), *faced.unanswered)
