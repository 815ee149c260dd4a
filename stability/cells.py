"""One cell of a run: its job is submitted, its state read, and what came of it measured and stored."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from dissolution.conversation import Snapshot
from dissolution.job import Job, Lane
from dissolution.policy.job_policy import Policy
from dissolution.sizes import size_of
from dissolution.stability import Arm, Cell, CycleFigures, StabilityRun
from dissolution.values import NotMeasured
from probe.reading import RetrievalReader
from stability.arms import recorded_summary, request_of, told_summary, truncated
from stability.measuring import Made, Past, Yardsticks, gone_on, made_by, measure_cell, said_by
from stability.state import State, state_of_text
from stability.truth import parse_truth, read_truth
from triggers.submit import submit
from workers.pipeline import STAGE_NAMES, first_queues
from workers.services import NoBell, Services

Sizes = Mapping[tuple[int, int], int]
"""Tokens of the ledger arm's states by replicate and cycle: what a truncation may fill."""


class CellState(NamedTuple):
    """What stands after a cell, and what its job made."""

    made: Made | None
    state: State


def yardsticks_of(run: StabilityRun, given: Yardsticks | None = None) -> Yardsticks:
    """What a run's states are held against: the plan's truth, and given questions or else the plan's.

    Raises InputError for a truth file that cannot be read.
    """
    plan = run.plan
    truth = read_truth(Path(plan.truth)) if plan.truth is not None else None
    if truth is None and plan.known is not None:
        truth = parse_truth(plan.known, "the truth that came with the request")
    if given is not None and given.questions:
        return Yardsticks(questions=given.questions, reader=given.reader, truth=truth)
    return Yardsticks(questions=plan.questions, reader=RetrievalReader() if plan.questions else None, truth=truth)


class CellWork:
    """What is done to the cells of one run.

    Args:
        services: What jobs run with.
        run: The run.
        yardsticks: Questions to put to every state in place of the plan's; the truth is the plan's.

    Raises:
        NotFound: The conversation is gone.
        InputError: The truth file cannot be read.
    """

    def __init__(self, services: Services, run: StabilityRun, yardsticks: Yardsticks | None = None) -> None:
        self._services = services
        self._run = run
        self._yardsticks = yardsticks_of(run, yardsticks)
        with services.unit_of_work() as work:
            self._conversation = work.conversations.get(run.plan.conversation)

    def find(self, cell: Cell, job: Job | None, sizes: Sizes) -> CellState | NotMeasured:
        """What stands after a cell, or why nothing does.

        Args:
            cell: The cell.
            job: Its job, which has ended; None for an arm without jobs.
            sizes: What a truncation may fill.
        """
        if cell.key.arm is Arm.SUMMARY:
            return self._summary(cell, job)
        if job is not None:
            made = made_by(self._services, job)
            return made if isinstance(made, NotMeasured) else CellState(*made)
        budget = self._run.plan.policy.render.budget_tokens
        tokens = sizes.get((cell.key.replicate, cell.key.cycle), budget)
        return CellState(None, state_of_text(truncated(self._snapshot(cell), tokens, self._services.counter)))

    def _summary(self, cell: Cell, job: Job | None) -> CellState | NotMeasured:
        if job is None:
            text = recorded_summary(self._run.plan.fleet, cell.members[0], cell.through)
            return text if isinstance(text, NotMeasured) else CellState(None, state_of_text(text))
        with self._services.unit_of_work() as work:
            text = told_summary(job, work.jobs.answers(job.id))
            receipt = work.boundaries.receipt(job.id)
        if isinstance(text, NotMeasured):
            return text
        return CellState(None if receipt is None else said_by(job, receipt), state_of_text(text))

    def measure(self, cell: Cell, found: CellState, past: Past) -> tuple[CycleFigures, Past]:
        """The figures of a cell, and what the next of its series is measured against."""
        return measure_cell(
            self._services, self._snapshot(cell), found.state, past=past, yardsticks=self._yardsticks, made=found.made
        )

    def pass_over(self, cell: Cell, found: CellState, past: Past) -> Past:
        """What the next cell of the series is measured against, without measuring this one again."""
        _, following = gone_on(past, found.state, cell.through, self._yardsticks)
        return following

    def settle(self, cell: Cell, figures: CycleFigures | NotMeasured) -> None:
        """Store what a cell came to."""
        with self._services.unit_of_work() as work:
            work.stability.settle(self._run.id, cell.key, figures)
            work.commit()

    def submit(self, cell: Cell, past: Past, lane: Lane | None, left_usd: Decimal | None) -> Job:
        """Submit a cell's job and name it, in one transaction: a run that dies in between asks nobody twice.

        Args:
            cell: A cell of an arm with jobs.
            past: What stood before it.
            lane: Where the job waits for workers; None where it is run here.
            left_usd: What is left of the run's money; the job may use no more. None: the run has no cap.

        Raises IllegalMove when another process has submitted it.
        """
        before = past.before.text if past.before is not None else None
        request = request_of(self._run, cell, self._conversation, before, lane=lane)
        giant = size_of(self._snapshot(cell)).is_giant
        if left_usd is not None:
            request = request.model_copy(update={"policy": capped(request.policy, left_usd)})
        return submit(
            request,
            unit_of_work=self._services.unit_of_work,
            clock=self._services.clock,
            queue=NoBell(),
            stages=STAGE_NAMES,
            ready=None if lane is None else first_queues(request.fleet, lane, giant=giant),
            after=lambda work, job: work.stability.start(self._run.id, cell.key, job.id),
        ).job

    def _snapshot(self, cell: Cell) -> Snapshot:
        return self._conversation.snapshot(cell.through)


def capped(policy: Policy, usd: Decimal) -> Policy:
    """The policy with a job's cap lowered to what is left."""
    budget = policy.budget.model_copy(update={"max_usd": min(policy.budget.max_usd, usd)})
    return policy.model_copy(update={"budget": budget})
