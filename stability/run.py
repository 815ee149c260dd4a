"""A stability run from its plan to its last cell: started, gone on with after any interruption, cancelled."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import groupby

from dissolution.conversation import Conversation
from dissolution.errors import IllegalMove, InputError
from dissolution.ids import JobId, new_job_id
from dissolution.job import ENDED, Job, JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import TriggerPolicy
from dissolution.ports.store import UnitOfWork
from dissolution.sizes import refuse_too_large
from dissolution.stability import Arm, Cell, CycleFigures, RunStatus, StabilityPlan, StabilityRun
from dissolution.surprise import SurpriseEstimator
from dissolution.values import NotMeasured
from stability.arms import cells_of, has_jobs
from stability.cells import CellWork, yardsticks_of
from stability.measuring import Past, Yardsticks
from triggers.simulate import firings, simulate, traced
from workers.bootstrap import check_fleet
from workers.execution.job_moves import cancel
from workers.runtime.inline import run_job
from workers.services import Services
from workers.triggers.facts import counter_for, measured_turns

RUN_PREFIX = "run-"

MOST_CYCLES = 500
"""Of one plan (`dissolution.stability.StabilityPlan`)."""

Told = Callable[[str], None]
"""Is told in a line what happens; facts, no content."""


def run_id() -> str:
    """A new run's id; ids sort by the time they were made."""
    return f"{RUN_PREFIX}{new_job_id().removeprefix('j')}"


def start_run(
    services: Services,
    plan: StabilityPlan,
    *,
    tenant: str = "default",
    before: Callable[[UnitOfWork], None] | None = None,
    after: Callable[[UnitOfWork, StabilityRun], None] | None = None,
) -> StabilityRun:
    """Store a run with its cells; nothing is asked yet. `before` and `after` run in the same transaction.

    Raises NotFound (no such conversation), InputError (a checkpoint beyond it, a truth that cannot be read),
    SnapshotTooLarge (the last checkpoint), InvalidRoster (a fleet that cannot speak about it).
    """
    with services.unit_of_work() as work:
        conversation = work.conversations.get(plan.conversation)
    if plan.checkpoints[-1] > len(conversation.turns):
        raise InputError(
            f"checkpoint {plan.checkpoints[-1]}", f"{conversation.id!r} has {len(conversation.turns)} turns"
        )
    largest = conversation.snapshot(plan.checkpoints[-1])
    refuse_too_large(largest, services.settings, services.counter.count)
    check_fleet(plan.fleet, conversation.snapshot(plan.checkpoints[0]))
    run = StabilityRun(id=run_id(), plan=plan, tenant=tenant, created_at=services.clock.now())
    yardsticks_of(run)
    names = [member.card.name for member in services.fleet(_asking(run, services))]
    with services.unit_of_work() as work:
        if before is not None:
            before(work)
        work.stability.add(run, cells_of(run, names))
        if after is not None:
            after(work, run)
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
        yardsticks: Questions to put to every state in place of the plan's; the truth is the plan's.
        told: Who is told what happens.
    """

    def __init__(
        self,
        services: Services,
        run: StabilityRun,
        *,
        yardsticks: Yardsticks | None = None,
        told: Told = lambda _: None,
    ) -> None:
        self._services = services
        self._run = run
        self._work = CellWork(services, run, yardsticks)
        self._told = told
        self._sizes: dict[tuple[int, int], int] = {}

    def go_on(self) -> StabilityRun:
        """Do all that is not done, here and one job after the other; returns the run as it then is.

        Raises what a job's steps raise, and InputError for a job that is held; the run can be gone on with after that.
        """
        for cells in self._series():
            past = Past()
            for cell in cells:
                stored = stored_run(self._services, self._run.id)
                if stored.status is not RunStatus.RUNNING:
                    return stored
                if cell.figures is None and cell.job is None and has_jobs(self._run.plan, cell.key.arm):
                    left = left_usd(self._services, self._run)
                    if left is not None and left <= 0:
                        return end_run(self._services, self._run, RunStatus.STOPPED, over_cap(self._run))
                past = self._do(cell, past)
        return end_run(self._services, self._run, RunStatus.DONE)

    def _series(self) -> Iterator[tuple[Cell, ...]]:
        with self._services.unit_of_work() as work:
            cells = work.stability.cells(self._run.id)
        self._sizes.update(sizes_of(cells))
        yield from series_of(cells)

    def _do(self, cell: Cell, past: Past) -> Past:
        if isinstance(cell.figures, NotMeasured):
            return past
        job = self._ended_job(cell, past) if has_jobs(self._run.plan, cell.key.arm) else None
        found = self._work.find(cell, job, self._sizes)
        if isinstance(found, NotMeasured):
            self._work.settle(cell, found)
            return past
        if cell.figures is not None:
            return self._work.pass_over(cell, found, past)
        figures, following = self._work.measure(cell, found, past)
        if cell.key.arm is Arm.LEDGER:
            self._sizes[cell.key.replicate, cell.key.cycle] = figures.tokens
        self._work.settle(cell, figures)
        return following

    def _ended_job(self, cell: Cell, past: Past) -> Job:
        """The cell's job, run to its end: submitted first where it has none."""
        if cell.job is None:
            job = self._work.submit(cell, past, None, left_usd(self._services, self._run))
        else:
            job = stored_job(self._services, cell.job)
        self._told(f"{cell.key.name}: job {job.id} through turn {cell.through}")
        if job.status in ENDED:
            return job
        ended = run_job(self._services, job.id)
        if ended.status is JobStatus.HELD:
            remedy = "commit or discard it, then go on with the run"
            raise InputError(f"job {job.id!r} of cell {cell.key.name!r} is held", remedy)
        return ended


def series_of(cells: Sequence[Cell]) -> Iterator[tuple[Cell, ...]]:
    """The cells of each replicate of each arm, in order of cycles; the ledger's arm first: others take its size."""
    ordered = sorted(cells, key=lambda cell: cell.key.arm is not Arm.LEDGER)
    for _, one in groupby(ordered, key=lambda cell: (cell.key.arm, cell.key.replicate)):
        yield tuple(one)


def sizes_of(cells: Sequence[Cell]) -> dict[tuple[int, int], int]:
    """Tokens of the ledger arm's states that are measured, by replicate and cycle."""
    return {
        (cell.key.replicate, cell.key.cycle): cell.figures.tokens
        for cell in cells
        if cell.key.arm is Arm.LEDGER and isinstance(cell.figures, CycleFigures)
    }


def stored_run(services: Services, run: str) -> StabilityRun:
    """A run as it stands. Raises NotFound."""
    with services.unit_of_work() as work:
        return work.stability.get(run)


def stored_job(services: Services, job: JobId) -> Job:
    """A job as it stands. Raises NotFound."""
    with services.unit_of_work() as work:
        return work.jobs.get(job)


def end_run(services: Services, run: StabilityRun, status: RunStatus, reason: str | None = None) -> StabilityRun:
    """End a run; returns it as it then is. Raises IllegalMove when it has ended otherwise."""
    with services.unit_of_work() as work:
        ended = work.stability.end(run.id, status, services.clock.now(), reason)
        work.commit()
    return ended


def left_usd(services: Services, run: StabilityRun) -> Decimal | None:
    """US dollars that are left of a run's cap, or None where it has none."""
    return None if run.plan.max_usd is None else run.plan.max_usd - spent(services, run)


def over_cap(run: StabilityRun) -> str:
    """Why a run stopped."""
    return f"the cap of {run.plan.max_usd} USD is reached"


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


def refuse_too_many(checkpoints: Sequence[int]) -> None:
    """Raise InputError for more cycles than a plan may have."""
    if len(checkpoints) > MOST_CYCLES:
        raise InputError(f"{len(checkpoints)} cycles", f"choose {MOST_CYCLES} or fewer, further apart")


def checkpoints_every(conversation: Conversation, turns: int) -> tuple[int, ...]:
    """Every so many turns, and the last one."""
    last = len(conversation.turns)
    return tuple(sorted({*range(turns, last + 1, turns), last}))


def checkpoints_at_firings(
    services: Services, conversation: Conversation, triggers: TriggerPolicy, estimator: SurpriseEstimator
) -> tuple[int, ...]:
    """The turns after which triggers would have fired, each firing taken as committed at once, and the last turn.

    The conversation is replayed in shadow mode, so budget triggers see what has come since the firing before.

    Args:
        services: The ports; the embedder reads every turn that says something.
        conversation: What is replayed.
        triggers: Their policy.
        estimator: Who measures surprise.
    """
    embedder = services.embedder()
    policy = Policy(triggers=triggers)
    counter = counter_for(services, policy)
    turns = measured_turns(conversation.turns, embedder, counter)
    stamp = embedder.stamp
    trace = traced(conversation.id, turns, estimator, stamp.model, stamp.dimension)
    fired = firings(simulate(trace, triggers, counter.name))
    return tuple(sorted({*fired, len(conversation.turns)}))
