"""StabilityStore in memory, with the meaning of the SQL one."""

from datetime import datetime

from dissolution.errors import NotFound
from dissolution.ids import JobId
from dissolution.stability import Cell, CellKey, CycleFigures, DueRun, RunStatus, StabilityRun
from dissolution.values import NotMeasured
from store.memory_state import State
from store.sql.stability import RUN, Place, in_order, progress_of, refuse_other_end, refuse_other_job
from store.tables.columns import utc


class MemoryStability:
    """Stability runs in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def add(self, run: StabilityRun, cells: tuple[Cell, ...]) -> None:
        """Store a new run with all of its cells. Raises NotFound when its conversation is not stored."""
        if run.plan.conversation not in self._state.conversations:
            kind = "conversation"
            raise NotFound(kind, run.plan.conversation)
        self._state.stability_runs[run.plan.conversation, run.id] = run
        for cell in cells:
            self._state.stability_cells[run.plan.conversation, run.id, cell.key.name] = cell

    def get(self, run: str) -> StabilityRun:
        """A run by id or unique prefix. Raises NotFound."""
        found = [one for one in self._state.stability_runs.values() if one.id.startswith(run)]
        exact = [one for one in found if one.id == run]
        if len(exact or found) != 1 or not run:
            raise NotFound(RUN, run)
        return (exact or found)[0]

    def runs(self, status: RunStatus | None = None, tenant: str | None = None) -> tuple[StabilityRun, ...]:
        """The runs, newest first; of one status or one tenant, if one is given."""
        held = sorted(self._state.stability_runs.values(), key=lambda one: (one.created_at, one.id), reverse=True)
        mine = [one for one in held if tenant is None or one.tenant == tenant]
        return tuple(one for one in mine if status is None or one.status is status)

    def due(self) -> tuple[DueRun, ...]:
        """Running runs of workers in which something can be done now, oldest first."""
        waiting = [run for run in reversed(self.runs(RunStatus.RUNNING)) if run.plan.lane is not None]
        found = ((run, progress_of([self._place(cell) for cell in self.cells(run.id)])) for run in waiting)
        return tuple(DueRun(run=run.id, progress=progress) for run, progress in found if progress is not None)

    def _place(self, cell: Cell) -> Place:
        job = None if cell.job is None else self._state.jobs.get(cell.job)
        key, status = cell.key, None if job is None else job.status
        return Place(key.arm.value, key.replicate, key.cycle, cell.job, cell.figures is not None, status)

    def cells(self, run: str) -> tuple[Cell, ...]:
        """The cells of a run by arm (in the plan's order), replicate and cycle. Raises NotFound."""
        stored = self.get(run)
        mine = tuple(cell for cell in self._state.stability_cells.values() if cell.run == stored.id)
        return in_order(stored, mine)

    def start(self, run: str, key: CellKey, job: JobId) -> None:
        """Name the job that makes a cell, once. Raises IllegalMove (it has another; the run has ended), NotFound."""
        refuse_other_end(self.get(run), RunStatus.RUNNING)
        place, cell = self._one(run, key)
        if cell.job is not None:
            refuse_other_job(cell, job)
        self._state.stability_cells[place] = cell.model_copy(update={"job": job})

    def settle(self, run: str, key: CellKey, figures: CycleFigures | NotMeasured) -> None:
        """Store what a cell came to. Raises NotFound."""
        place, cell = self._one(run, key)
        self._state.stability_cells[place] = cell.model_copy(update={"figures": figures})

    def end(self, run: str, status: RunStatus, at: datetime, reason: str | None = None) -> StabilityRun:
        """End a run. Raises IllegalMove when it has ended otherwise, NotFound."""
        stored = self.get(run)
        if stored.status is RunStatus.RUNNING:
            stored = stored.model_copy(update={"status": status, "ended_at": utc(at), "reason": reason})
            self._state.stability_runs[stored.plan.conversation, stored.id] = stored
        refuse_other_end(stored, status)
        return stored

    def _one(self, run: str, key: CellKey) -> tuple[tuple[str, str, str], Cell]:
        for place, cell in self._state.stability_cells.items():
            if cell.run == run and cell.key == key:
                return place, cell
        raise NotFound(RUN, f"{run} {key.name}")
