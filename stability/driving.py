"""Runs that workers do: what can be done in one now is done, and nobody waits.

A message names the run and nothing else. It may be lost, repeated or handled twice at once: a cell's job is named in
the transaction that stores it, and a cell is measured from what is stored, so the second comes to the same.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress

from dissolution.errors import DissolutionError, IllegalMove, StoreError
from dissolution.job import ENDED, Job
from dissolution.stability import Arm, Cell, CycleFigures, RunStatus, StabilityRun
from dissolution.values import NotMeasured
from stability.arms import has_jobs
from stability.cells import CellState, CellWork
from stability.measuring import Past
from stability.run import end_run, left_usd, over_cap, series_of, sizes_of, stored_job, stored_run
from workers.services import Services

log = logging.getLogger(__name__)

MOST_JOBS = 8
"""Jobs of one run at a time: a tenant's other work goes on beside it."""

MOST_CELLS = 20
"""Cells begun or measured in one go: a step must end within the limit of its process. The rest is asked for again."""


def advance_run(services: Services, name: str) -> int:
    """Begin and measure the cells of a run for which nobody is waited for; how many that were.

    A run whose yardsticks cannot be read any more, or whose money is spent, ends as stopped with the reason. Raises
    NotFound, StoreError.
    """
    run = stored_run(services, name)
    if run.status is not RunStatus.RUNNING or run.plan.lane is None:
        return 0
    try:
        done = _Pass(services, run).go()
    except StoreError:
        raise
    except DissolutionError as error:
        log.warning("stability run %s is stopped: %s", run.id, error)
        _end(services, run, RunStatus.STOPPED, str(error))
        return 0
    return done


def _end(services: Services, run: StabilityRun, status: RunStatus, reason: str | None = None) -> None:
    with suppress(IllegalMove):  # somebody ended it meanwhile
        end_run(services, run, status, reason)


class _Pass:
    """One pass over the series of a run."""

    def __init__(self, services: Services, run: StabilityRun) -> None:
        self._services = services
        self._run = run
        self._work = CellWork(services, run)
        with services.unit_of_work() as work:
            self._cells = work.stability.cells(run.id)
            named = [cell.job for cell in self._cells if cell.job is not None and cell.figures is None]
            self._jobs: dict[str, Job] = {job: work.jobs.get(job) for job in named}
        self._sizes = sizes_of(self._cells)
        self._in_flight = sum(job.status not in ENDED for job in self._jobs.values())
        self._settled = {cell.key.name for cell in self._cells if cell.figures is not None}
        self._done = 0
        self._is_over_cap = False

    def go(self) -> int:
        for cells in series_of(self._cells):
            self._series(cells)
        if self._is_over_cap:
            if self._in_flight == 0:
                _end(self._services, self._run, RunStatus.STOPPED, over_cap(self._run))
        elif len(self._settled) == len(self._cells):
            _end(self._services, self._run, RunStatus.DONE)
        return self._done

    def _series(self, cells: Sequence[Cell]) -> None:
        """Go through one replicate of one arm up to the cell that has to wait."""
        left = [cell for cell in cells if cell.figures is None]
        if not left or self._waits(left[0]):
            return
        past = self._past(cells[: cells.index(left[0])])
        for cell in left:
            if self._done >= MOST_CELLS or self._waits(cell):
                return
            if cell.job is None and has_jobs(self._run.plan, cell.key.arm):
                self._begin(cell, past)
                return
            past = self._measure(cell, past)

    def _waits(self, cell: Cell) -> bool:
        if cell.job is not None:
            return self._jobs[cell.job].status not in ENDED
        same = cell.key.model_copy(update={"arm": Arm.LEDGER})
        fills = cell.key.arm is Arm.TRUNCATION and Arm.LEDGER in self._run.plan.arms
        return fills and same.name not in self._settled

    def _past(self, settled: Sequence[Cell]) -> Past:
        """What stood before, from what is stored; nothing is measured again."""
        past = Past()
        for cell in settled:
            if isinstance(cell.figures, NotMeasured):
                continue
            job = None if cell.job is None else stored_job(self._services, cell.job)
            found = self._work.find(cell, job, self._sizes)
            if isinstance(found, CellState):
                past = self._work.pass_over(cell, found, past)
        return past

    def _begin(self, cell: Cell, past: Past) -> None:
        """Submit the cell's job unless enough are at work: of a run with a cap one, since what it costs counts."""
        left = left_usd(self._services, self._run)
        if left is not None and left <= 0:
            self._is_over_cap = True
            return
        if self._in_flight >= (MOST_JOBS if left is None else 1):
            return
        with suppress(IllegalMove):  # another process has submitted it, or the run has ended
            self._work.submit(cell, past, self._run.plan.lane, left)
            self._in_flight += 1
            self._done += 1

    def _measure(self, cell: Cell, past: Past) -> Past:
        job = None if cell.job is None else self._jobs[cell.job]
        found = self._work.find(cell, job, self._sizes)
        figures: CycleFigures | NotMeasured
        following = past
        if isinstance(found, NotMeasured):
            figures = found
        else:
            figures, following = self._figures(cell, found, past)
        self._work.settle(cell, figures)
        self._settled.add(cell.key.name)
        self._done += 1
        if cell.key.arm is Arm.LEDGER and isinstance(figures, CycleFigures):
            self._sizes[cell.key.replicate, cell.key.cycle] = figures.tokens
        return following

    def _figures(self, cell: Cell, found: CellState, past: Past) -> tuple[CycleFigures | NotMeasured, Past]:
        try:
            return self._work.measure(cell, found, past)
        except DissolutionError:
            raise
        except Exception as error:  # noqa: BLE001 - a cell that cannot be measured must not hold the run for ever
            log.error("stability run %s, %s: %s", self._run.id, cell.key.name, type(error).__name__)  # noqa: TRY400 - its text may hold content
            return NotMeasured(not_measured=f"measuring it broke: {type(error).__name__}"), past
