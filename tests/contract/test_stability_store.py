"""Stability runs and their cells: one suite over every adapter."""

import pytest

from dissolution.claims import Section
from dissolution.errors import IllegalMove, NotFound
from dissolution.job import JobStatus, Lane
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.stability import (
    Arm,
    Cell,
    CellKey,
    CycleFigures,
    ReplicateKind,
    RunStatus,
    SectionFlow,
    StabilityPlan,
    StabilityRun,
    TruthFigures,
)
from dissolution.values import NotMeasured
from tests.factories import INSTANT, a_conversation
from tests.unit.store.ledgers import a_job, later

ARMS = (Arm.REWRITE, Arm.LEDGER)  # not in alphabetical order: the plan's order is what counts


def a_run(name: str = "run-2026-aaaa", minutes: int = 0) -> StabilityRun:
    plan = StabilityPlan(
        conversation="conv-1",
        checkpoints=(1, 2),
        replicates=2,
        kind=ReplicateKind.MEMBERS_DRAWN,
        arms=ARMS,
        fleet="extractive",
        policy=Policy(),
        seed=7,
        software="1",
    )
    return StabilityRun(id=name, plan=plan, created_at=later(minutes))


def cells(run: StabilityRun) -> tuple[Cell, ...]:
    return tuple(
        Cell(run=run.id, key=CellKey(arm=arm, replicate=replicate, cycle=cycle), through=cycle, members=("lead",))
        for arm in ARMS
        for replicate in (1, 2)
        for cycle in (1, 2)
    )


def figures() -> CycleFigures:
    flow = SectionFlow(section=Section.KNOWN, before=2, survived=1, moved=0, ended=0, lost=1, now=3)
    truth = TruthFigures(
        true_now=3,
        held=2,
        held_before=2,
        lost=1,
        commitments_before=1,
        commitments_lost=0,
        ended_by_now=1,
        still_asserted=0,
        revised_rightly=1,
    )
    return CycleFigures(
        flows=(flow,), present_tense_share=0.5, forbidden_phrases=0, claims=3, tokens=40, compression=2.5, truth=truth
    )


@pytest.fixture
def run(units: UnitOfWorkFactory) -> StabilityRun:
    found = a_run()
    with units() as work:
        work.conversations.extend(a_conversation("One.", "Two."))
        work.stability.add(found, cells(found)[::-1])
        work.commit()
    return found


def test_a_run_comes_back_with_its_cells_in_order(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    with units() as work:
        assert work.stability.get("run-2026") == run
        assert work.stability.cells(run.id) == cells(run)


def test_runs_are_listed_newest_first_and_by_status(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    newer = a_run("run-2026-bbbb", 5)
    with units() as work:
        work.stability.add(newer, cells(newer))
        work.stability.end(run.id, RunStatus.DONE, later(6))
        work.commit()
    with units() as work:
        assert [one.id for one in work.stability.runs()] == [newer.id, run.id]
        assert [one.id for one in work.stability.runs(RunStatus.RUNNING)] == [newer.id]
        with pytest.raises(NotFound, match="run-2026"):  # a prefix of both
            work.stability.get("run-2026")


def test_runs_of_one_tenant_are_listed_alone(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    other = a_run("run-2026-bbbb").model_copy(update={"tenant": "acme"})
    with units() as work:
        work.stability.add(other, cells(other))
        work.commit()
    with units() as work:
        assert [one.id for one in work.stability.runs(tenant="acme")] == [other.id]
        assert [one.id for one in work.stability.runs(RunStatus.RUNNING, "default")] == [run.id]


def test_a_run_of_workers_is_due_while_something_can_be_done(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    """One arm of one replicate, two cycles: submitted, waited for, ended, measured, and at last the run itself."""
    plan = run.plan.model_copy(
        update={"lane": Lane.STABILITY, "arms": (Arm.LEDGER,), "replicates": 1, "kind": ReplicateKind.NONE}
    )
    theirs = run.model_copy(update={"id": "run-2026-cccc", "plan": plan})
    keys = [CellKey(arm=Arm.LEDGER, replicate=1, cycle=cycle) for cycle in (1, 2)]
    job = a_job("job-1", a_conversation("One.", "Two."))
    seen: list[int] = []

    def look(*, due: bool) -> None:
        with units() as work:
            found = work.stability.due()
        assert [one.run for one in found] == ([theirs.id] if due else [])  # the other run is not the workers'
        seen.extend(one.progress for one in found)

    with units() as work:
        work.stability.add(theirs, tuple(Cell(run=theirs.id, key=key, through=key.cycle) for key in keys))
        work.commit()
    look(due=True)
    with units() as work:
        work.jobs.add(job, ("fan_out",))
        work.stability.start(theirs.id, keys[0], job.id)
        work.commit()
    look(due=False)
    with units() as work:
        work.jobs.move(job.id, JobStatus.RUNNING, later(1))
        work.jobs.move(job.id, JobStatus.FAILED, later(2))
        work.commit()
    look(due=True)
    with units() as work:
        work.stability.settle(theirs.id, keys[0], NotMeasured(not_measured="the job failed"))
        work.commit()
    look(due=True)
    with units() as work:
        work.stability.settle(theirs.id, keys[1], figures())
        work.commit()
    look(due=True)
    with units() as work:
        work.stability.end(theirs.id, RunStatus.DONE, later(3))
        work.commit()
    look(due=False)
    assert seen == sorted(set(seen))  # it rises with all that is done


def test_a_cell_has_one_job(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    key = CellKey(arm=Arm.LEDGER, replicate=2, cycle=1)
    with units() as work:
        work.stability.start(run.id, key, "job-1")
        work.stability.start(run.id, key, "job-1")
        with pytest.raises(IllegalMove, match="job-1"):
            work.stability.start(run.id, key, "job-2")
        work.commit()
    with units() as work:
        jobs = {cell.key.name: cell.job for cell in work.stability.cells(run.id)}
    assert jobs[key.name] == "job-1"
    assert set(jobs.values()) == {None, "job-1"}


@pytest.mark.parametrize("found", [figures(), NotMeasured(not_measured="the job failed")])
def test_a_cell_is_settled_with_what_was_measured(
    units: UnitOfWorkFactory, run: StabilityRun, found: CycleFigures | NotMeasured
) -> None:
    key = CellKey(arm=Arm.REWRITE, replicate=1, cycle=2)
    with units() as work:
        work.stability.settle(run.id, key, found)
        work.stability.settle(run.id, key, found)
        work.commit()
    with units() as work:
        settled = [(cell.key, cell.figures) for cell in work.stability.cells(run.id) if cell.figures is not None]
    assert settled == [(key, found)]


def test_what_is_not_committed_is_not_there(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    with units() as work:
        work.stability.end(run.id, RunStatus.CANCELLED, later(1), "asked for")
    with units() as work:
        assert work.stability.get(run.id).status is RunStatus.RUNNING


def test_a_run_ends_one_way(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    with units() as work:
        ended = work.stability.end(run.id, RunStatus.STOPPED, later(1), "the cap of 1 USD")
        assert (ended.status, ended.ended_at, ended.reason) == (RunStatus.STOPPED, later(1), "the cap of 1 USD")
        assert work.stability.end(run.id, RunStatus.STOPPED, later(2)) == ended
        with pytest.raises(IllegalMove, match="stopped"):
            work.stability.end(run.id, RunStatus.DONE, later(3))


def test_what_is_not_there_is_not_found(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    missing = CellKey(arm=Arm.SINGLE, replicate=1, cycle=1)
    stranger = run.model_copy(
        update={"id": "run-none-here", "plan": run.plan.model_copy(update={"conversation": "nobody"})}
    )
    with units() as work:
        for name in ("", "run-x", "run-2026-aaaaa"):
            with pytest.raises(NotFound):
                work.stability.get(name)
        with pytest.raises(NotFound):
            work.stability.settle(run.id, missing, figures())
        with pytest.raises(NotFound):
            work.stability.start(run.id, missing, "job-1")
        with pytest.raises(NotFound, match="nobody"):
            work.stability.add(stranger, ())


def test_erasing_a_conversation_takes_its_runs_and_copies(units: UnitOfWorkFactory, run: StabilityRun) -> None:
    with units() as work:
        work.conversations.extend(a_conversation("One.", name=f"conv-1~{run.id}.ledger-r1"))
        work.conversations.extend(a_conversation("One.", name="conv-10"))
        work.commit()
    with units() as work:
        work.ledger.erase("conv-1", INSTANT, actor="operator", reason="asked for")
        work.commit()
    with units() as work:
        assert work.conversations.ids() == ("conv-10",)
        assert work.stability.runs() == ()
        assert {one.conversation for one in work.ledger.erasures()} == {"conv-1", f"conv-1~{run.id}.ledger-r1"}
