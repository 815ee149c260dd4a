"""StabilityStore over SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, insert, select, update

from dissolution.errors import IllegalMove, NotFound
from dissolution.ids import JobId
from dissolution.job import ENDED, JobStatus
from dissolution.stability import Cell, CellKey, CycleFigures, DueRun, RunStatus, StabilityRun
from dissolution.values import NotMeasured
from store.sql.rows import Repository
from store.tables import jobs as tables
from store.tables.columns import begins_with, utc
from store.tables.stability import stability_cells, stability_runs

RUN = "stability run"


class Place(NamedTuple):
    """Where one cell stands."""

    arm: str
    replicate: int
    cycle: int
    job: JobId | None
    settled: bool
    status: JobStatus | None  # of its job


def progress_of(places: Sequence[Place]) -> int | None:
    """How far a run has come, in steps that only rise; None when it waits for jobs alone.

    Of each replicate of an arm the first cell without figures says whether something can be done.
    """
    first: dict[tuple[str, int], Place] = {}
    for place in sorted(places, key=lambda one: one.cycle):
        if not place.settled:
            first.setdefault((place.arm, place.replicate), place)
    ready = [one for one in first.values() if one.job is None or one.status is None or one.status in ENDED]
    if first and not ready:
        return None
    ended = sum(one.status is not None and one.status in ENDED for one in places)
    return ended + sum(one.job is not None for one in places) + sum(one.settled for one in places)


class SqlStability(Repository):
    """Stability runs in one transaction."""

    def add(self, run: StabilityRun, cells: tuple[Cell, ...]) -> None:
        """Store a new run with all of its cells. Raises NotFound when its conversation is not stored."""
        known = select(tables.conversations.c.id).where(tables.conversations.c.id == run.plan.conversation)
        if self._connection.execute(known).one_or_none() is None:
            kind = "conversation"
            raise NotFound(kind, run.plan.conversation)
        values = run.model_dump(exclude={"plan", "status"})
        values |= {"conversation": run.plan.conversation, "status": run.status.value, "plan": run.plan}
        self._connection.execute(insert(stability_runs).values(values))
        self._connection.execute(insert(stability_cells), [_cell_values(run, cell) for cell in cells])

    def get(self, run: str) -> StabilityRun:
        """A run by id or unique prefix. Raises NotFound."""
        query = select(stability_runs).where(begins_with(stability_runs.c.id, run))
        found = [_run(row) for row in self._connection.execute(query)]
        exact = [one for one in found if one.id == run]
        if len(exact or found) != 1 or not run:
            raise NotFound(RUN, run)
        return (exact or found)[0]

    def runs(self, status: RunStatus | None = None, tenant: str | None = None) -> tuple[StabilityRun, ...]:
        """The runs, newest first; of one status or one tenant, if one is given."""
        query = select(stability_runs).order_by(stability_runs.c.created_at.desc(), stability_runs.c.id.desc())
        if status is not None:
            query = query.where(stability_runs.c.status == status.value)
        if tenant is not None:
            query = query.where(stability_runs.c.tenant == tenant)
        return tuple(_run(row) for row in self._connection.execute(query))

    def due(self) -> tuple[DueRun, ...]:
        """Running runs of workers in which something can be done now, oldest first."""
        waiting = [run for run in reversed(self.runs(RunStatus.RUNNING)) if run.plan.lane is not None]
        found = ((run, progress_of(self._places(run.id))) for run in waiting)
        return tuple(DueRun(run=run.id, progress=progress) for run, progress in found if progress is not None)

    def _places(self, run: str) -> list[Place]:
        """Where each cell of a run stands, without reading what was measured."""
        cell, job = stability_cells.c, tables.jobs.c
        query = (
            select(cell.arm, cell.replicate, cell.cycle, cell.made_by, cell.figures.is_not(None), job.status)
            .select_from(stability_cells.outerjoin(tables.jobs, job.id == cell.made_by))
            .where(cell.run == run)
        )
        return [
            Place(arm, replicate, cycle, made_by, settled, None if status is None else JobStatus(status))
            for arm, replicate, cycle, made_by, settled, status in self._connection.execute(query)
        ]

    def cells(self, run: str) -> tuple[Cell, ...]:
        """The cells of a run by arm (in the plan's order), replicate and cycle. Raises NotFound."""
        stored = self.get(run)
        rows = self._connection.execute(select(stability_cells).where(stability_cells.c.run == stored.id))
        return in_order(stored, tuple(_cell(row) for row in rows))

    def start(self, run: str, key: CellKey, job: JobId) -> None:
        """Name the job that makes a cell, once.

        The run is locked, so that none is begun beside its end. Raises IllegalMove when the cell has another job or the
        run has ended, NotFound.
        """
        row = stability_runs.c
        going = update(stability_runs).where(row.id == run, row.status == RunStatus.RUNNING.value)
        if self._connection.execute(going.values(status=RunStatus.RUNNING.value)).rowcount == 0:
            refuse_other_end(self.get(run), RunStatus.RUNNING)
        free = stability_cells.c.made_by.is_(None)
        done = self._connection.execute(update(stability_cells).where(_at(run, key), free).values(made_by=job))
        if done.rowcount == 0:
            refuse_other_job(self._one(run, key), job)

    def settle(self, run: str, key: CellKey, figures: CycleFigures | NotMeasured) -> None:
        """Store what a cell came to. Raises NotFound."""
        done = self._connection.execute(update(stability_cells).where(_at(run, key)).values(figures=figures))
        if done.rowcount == 0:
            raise NotFound(RUN, f"{run} {key.name}")

    def end(self, run: str, status: RunStatus, at: datetime, reason: str | None = None) -> StabilityRun:
        """End a run. Raises IllegalMove when it has ended otherwise, NotFound."""
        row = stability_runs.c
        running = update(stability_runs).where(row.id == run, row.status == RunStatus.RUNNING.value)
        self._connection.execute(running.values(status=status.value, ended_at=utc(at), reason=reason))
        stored = self.get(run)
        refuse_other_end(stored, status)
        return stored

    def _one(self, run: str, key: CellKey) -> Cell:
        row = self._connection.execute(select(stability_cells).where(_at(run, key))).one_or_none()
        if row is None:
            raise NotFound(RUN, f"{run} {key.name}")
        return _cell(row)


def _at(run: str, key: CellKey) -> ColumnElement[bool]:
    cell = stability_cells.c
    return (
        (cell.run == run) & (cell.arm == key.arm.value) & (cell.replicate == key.replicate) & (cell.cycle == key.cycle)
    )


def _run(row: Row[Any]) -> StabilityRun:
    return StabilityRun.model_validate({name: getattr(row, name) for name in StabilityRun.model_fields})


def _cell_values(run: StabilityRun, cell: Cell) -> dict[str, object]:
    return {
        "conversation": run.plan.conversation,
        "run": cell.run,
        **cell.key.model_dump(mode="json"),
        "through": cell.through,
        "members": cell.members,
        "made_by": cell.job,
        "figures": cell.figures,
    }


def _cell(row: Row[Any]) -> Cell:
    key = CellKey(arm=row.arm, replicate=row.replicate, cycle=row.cycle)
    return Cell(run=row.run, key=key, through=row.through, members=row.members, job=row.made_by, figures=row.figures)


def in_order(run: StabilityRun, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Cells by arm (in the plan's order), replicate and cycle."""
    place = {arm: number for number, arm in enumerate(run.plan.arms)}
    return tuple(sorted(cells, key=lambda one: (place[one.key.arm], one.key.replicate, one.key.cycle)))


def refuse_other_job(cell: Cell, job: JobId) -> None:
    """Raise IllegalMove when a cell is made by another job than this one."""
    if cell.job != job:
        kind = "stability cell"
        raise IllegalMove(kind, cell.key.name, cell.job or "without a job", job)


def refuse_other_end(run: StabilityRun, status: RunStatus) -> None:
    """Raise IllegalMove when a run has ended otherwise than so."""
    if run.status is not status:
        raise IllegalMove(RUN, run.id, run.status, status)
