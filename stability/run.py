"""A stability run from its plan to its last cell: started, gone on with after any interruption, cancelled."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import groupby
from pathlib import Path

from dissolution.conversation import Conversation, Snapshot
from dissolution.errors import IllegalMove, InputError
from dissolution.ids import new_job_id
from dissolution.job import ENDED, Job, JobStatus, Lane
from dissolution.stability import JOB_ARMS, Arm, Cell, CycleFigures, RunStatus, StabilityPlan, StabilityRun
from dissolution.values import NotMeasured
from stability.arms import cells_of, recorded_summary, request_of, truncated
from stability.measuring import Made, Past, Yardsticks, made_by, measure_cell
from stability.state import State, state_of_text
from stability.truth import read_truth
from triggers.submit import submit
from workers.bootstrap import check_fleet
from workers.inline import run_job
from workers.moves import cancel
from workers.pipeline import STAGE_NAMES, first_queues
from workers.services import NoBell, Services

RUN_PREFIX = "run-"

Told = Callable[[str], None]
"""Is told in a line what happens; facts, no content."""


def run_id() -> str:
    """A new run's id; ids sort by the time they were made."""
    return f"{RUN_PREFIX}{new_job_id().removeprefix('j')}"


def start_run(services: Services, plan: StabilityPlan, *, tenant: str = "default") -> StabilityRun:
    """Store a run with its cells; nothing is asked yet.

    Raises NotFound (no such conversation), InputError (a checkpoint beyond it, a truth file that cannot be read),
    InvalidRoster (a fleet that cannot speak about it).
    """
    with services.unit_of_work() as work:
        conversation = work.conversations.get(plan.conversation)
    if plan.checkpoints[-1] > len(conversation.turns):
        raise InputError(
            f"checkpoint {plan.checkpoints[-1]}", f"{conversation.id!r} has {len(conversation.turns)} turns"
        )
    check_fleet(plan.fleet, conversation.snapshot(plan.checkpoints[0]))
    if plan.truth is not None:
        read_truth(Path(plan.truth))
    run = StabilityRun(id=run_id(), plan=plan, tenant=tenant, created_at=services.clock.now())
    names = [member.card.name for member in services.fleet(_asking(run, services))]
    with services.unit_of_work() as work:
        work.stability.add(run, cells_of(run, names))
        work.commit()
    return run


def _asking(run: StabilityRun, services: Services) -> Job:
    """A job that stands for the run where its fleet is built: nothing of it is stored."""
    return Job(
        id=run.id,
        conversation=run.plan.conversation,
        through=run.plan.checkpoints[0],
        snapshot_digest="0" * 64,
        fleet=run.plan.fleet,
        policy=run.plan.policy,
        created_at=services.clock.now(),
    )


class Runner:
    """Goes on with one run. Every step of it can be interrupted: what is stored is not done again.

    Args:
        services: What jobs run with.
        run: The run.
        yardsticks: Questions to put to every state; the truth is read from the plan's file.
        told: Who is told what happens.
        wait: Waits for a job that workers run; None runs the jobs here.
    """

    def __init__(
        self,
        services: Services,
        run: StabilityRun,
        *,
        yardsticks: Yardsticks | None = None,
        told: Told = lambda _: None,
        wait: Callable[[Job], Job] | None = None,
    ) -> None:
        self._services = services
        self._run = run
        truth = read_truth(Path(run.plan.truth)) if run.plan.truth is not None else None
        given = yardsticks or Yardsticks()
        self._yardsticks = Yardsticks(questions=given.questions, reader=given.reader, truth=truth)
        self._told = told
        self._wait = wait
        with services.unit_of_work() as work:
            self._conversation = work.conversations.get(run.plan.conversation)
        self._sizes: dict[tuple[int, int], int] = {}  # tokens of the ledger arm's states, by replicate and cycle

    def go_on(self) -> StabilityRun:
        """Do all that is not done; returns the run as it then is.

        Raises what a job's steps raise; the run can be gone on with after that.
        """
        for cells in self._lanes():
            past = Past()
            for cell in cells:
                if self._stored().status is not RunStatus.RUNNING:
                    return self._stored()
                if self._is_over_cap():
                    return self._end(RunStatus.STOPPED, f"the cap of {self._run.plan.max_usd} USD is reached")
                past = self._do(cell, past)
        return self._end(RunStatus.DONE)

    def _lanes(self) -> Iterator[Sequence[Cell]]:
        """The cells of each replicate of each arm, in order of cycles; the ledger's arm first: others take its size."""
        with self._services.unit_of_work() as work:
            cells = work.stability.cells(self._run.id)
        ordered = sorted(cells, key=lambda cell: cell.key.arm is not Arm.LEDGER)
        for _, lane in groupby(ordered, key=lambda cell: (cell.key.arm, cell.key.replicate)):
            yield tuple(lane)

    def _do(self, cell: Cell, past: Past) -> Past:
        if isinstance(cell.figures, NotMeasured):
            return past
        found = self._state_of(cell, past)
        if isinstance(found, NotMeasured):
            self._settle(cell, found)
            return past
        made, state = found
        snapshot = self._snapshot(cell)
        figures, following = measure_cell(
            self._services, snapshot, state, past=past, yardsticks=self._yardsticks, made=made
        )
        if cell.key.arm is Arm.LEDGER:
            self._sizes[cell.key.replicate, cell.key.cycle] = figures.tokens
        if cell.figures is None:
            self._settle(cell, figures)
        return following

    def _settle(self, cell: Cell, figures: CycleFigures | NotMeasured) -> None:
        with self._services.unit_of_work() as work:
            work.stability.settle(self._run.id, cell.key, figures)
            work.commit()

    def _state_of(self, cell: Cell, past: Past) -> tuple[Made | None, State] | NotMeasured:
        if cell.key.arm in JOB_ARMS:
            job = self._job_of(cell, past)
            return made_by(self._services, job)
        text = self._text_of(cell)
        return text if isinstance(text, NotMeasured) else (None, state_of_text(text))

    def _text_of(self, cell: Cell) -> str | NotMeasured:
        if cell.key.arm is Arm.SUMMARY:
            return recorded_summary(self._run.plan.fleet, cell.members[0], cell.through)
        budget = self._run.plan.policy.render.budget_tokens
        tokens = self._sizes.get((cell.key.replicate, cell.key.cycle), budget)
        return truncated(self._snapshot(cell), tokens, self._services.counter)

    def _job_of(self, cell: Cell, past: Past) -> Job:
        """The cell's job, run to its end: submitted first where it has none."""
        job = self._submitted(cell, past) if cell.job is None else self._job(cell.job)
        self._told(f"{cell.key.name}: job {job.id} through turn {cell.through}")
        if job.status in ENDED:
            return job
        ended = run_job(self._services, job.id) if self._wait is None else self._wait(job)
        if ended.status is JobStatus.HELD:
            remedy = "commit or discard it, then go on with the run"
            raise InputError(f"job {job.id!r} of cell {cell.key.name!r} is held", remedy)
        return ended

    def _job(self, job: str) -> Job:
        with self._services.unit_of_work() as work:
            return work.jobs.get(job)

    def _submitted(self, cell: Cell, past: Past) -> Job:
        """Submit a cell's job and name it, in one transaction: a run that dies in between asks nobody twice."""
        lane = None if self._wait is None else Lane.STABILITY
        before = past.before.text if past.before is not None else None
        request = request_of(self._run, cell, self._conversation, before, lane=lane)
        return submit(
            request,
            unit_of_work=self._services.unit_of_work,
            clock=self._services.clock,
            queue=NoBell(),
            stages=STAGE_NAMES,
            ready=first_queues(request.fleet, lane) if lane is not None else None,
            after=lambda work, job: work.stability.start(self._run.id, cell.key, job.id),
        ).job

    def _snapshot(self, cell: Cell) -> Snapshot:
        return self._conversation.snapshot(cell.through)

    def _stored(self) -> StabilityRun:
        with self._services.unit_of_work() as work:
            return work.stability.get(self._run.id)

    def _is_over_cap(self) -> bool:
        cap = self._run.plan.max_usd
        return cap is not None and spent(self._services, self._run) >= cap

    def _end(self, status: RunStatus, reason: str | None = None) -> StabilityRun:
        with self._services.unit_of_work() as work:
            ended = work.stability.end(self._run.id, status, self._services.clock.now(), reason)
            work.commit()
        return ended


def spent(services: Services, run: StabilityRun) -> Decimal:
    """US dollars that the jobs of a run have used, as far as it is known."""
    with services.unit_of_work() as work:
        jobs = [cell.job for cell in work.stability.cells(run.id) if cell.job is not None]
        receipts = [work.boundaries.receipt(job) for job in jobs]
    return sum((receipt.cost.known_usd for receipt in receipts if receipt is not None), Decimal(0))


def cancel_run(services: Services, name: str, reason: str) -> StabilityRun:
    """End a run and the jobs of it that have not ended; what was measured stays.

    Raises NotFound, IllegalMove (it has ended otherwise).
    """
    with services.unit_of_work() as work:
        run = work.stability.get(name)
        ended = work.stability.end(run.id, RunStatus.CANCELLED, services.clock.now(), reason)
        jobs = [cell.job for cell in work.stability.cells(run.id) if cell.job is not None and cell.figures is None]
        work.commit()
    for job in jobs:
        with suppress(IllegalMove):  # ended meanwhile
            cancel(services, job)
    return ended


def checkpoints_every(conversation: Conversation, turns: int) -> tuple[int, ...]:
    """Every so many turns, and the last one."""
    last = len(conversation.turns)
    return tuple(sorted({*range(turns, last + 1, turns), last}))
