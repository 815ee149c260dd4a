"""A small finished run with figures made up, for tests of reports."""

from dissolution.claims import Section
from dissolution.policy.job_policy import Policy
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
from tests.factories import INSTANT

ARMS = (Arm.LEDGER, Arm.REWRITE, Arm.SUMMARY)
NO_SUMMARY = NotMeasured(not_measured="no summary by <b>'writer'</b> was recorded")


def a_run(*, replicates: int = 2, truth: str | None = "talk.json") -> StabilityRun:
    """Four cycles of three arms."""
    plan = StabilityPlan(
        conversation="<i>talk</i> & more",
        checkpoints=(10, 20, 30, 40),
        replicates=replicates,
        kind=ReplicateKind.NONE if replicates == 1 else ReplicateKind.MEMBERS_DRAWN,
        arms=ARMS,
        fleet="extractive",
        policy=Policy(),
        truth=truth,
        software="1",
    )
    return StabilityRun(id="run-abcd", plan=plan, status=RunStatus.DONE, created_at=INSTANT, ended_at=INSTANT)


def figures(arm: Arm, replicate: int, cycle: int) -> CycleFigures:
    """The ledger keeps everything; the rewrite loses one claim of four a cycle, the second replicate two."""
    lost = 0 if arm is Arm.LEDGER or cycle == 1 else replicate
    flow = SectionFlow(section=Section.DECIDED, before=4, survived=4 - lost, moved=0, ended=0, lost=lost, now=4)
    truth = TruthFigures(
        true_now=10,
        held=10 - lost * cycle // 2,
        held_before=4 * (cycle > 1),
        lost=lost,
        commitments_before=4 * (cycle > 1),
        commitments_lost=lost,
        ended_by_now=cycle,
        still_asserted=0,
        revised_rightly=cycle,
    )
    first = NotMeasured(not_measured="the first cycle has none before it")
    return CycleFigures(
        flows=first if cycle == 1 else (flow,),
        commitment_survival=first if cycle == 1 else 1 - lost / 4,
        present_tense_share=0.9,
        forbidden_phrases=0,
        claims=4,
        tokens=100 * cycle,
        compression=5.0,
        competence=0.8,
        competence_by_age={"up to 10 turns": 0.8},
        truth=truth,
        members={"writer-a": 0.5, "writer-b": 0.1 * cycle},
    )


def cells(run: StabilityRun) -> tuple[Cell, ...]:
    """All of its cells, settled; the summary's with a reason."""
    return tuple(
        Cell(
            run=run.id,
            key=CellKey(arm=arm, replicate=replicate, cycle=cycle),
            through=through,
            job=None if arm is Arm.SUMMARY else f"j{arm.value}{replicate}{cycle}",
            figures=NO_SUMMARY if arm is Arm.SUMMARY else figures(arm, replicate, cycle),
        )
        for arm in run.plan.arms
        for replicate in range(1, run.plan.replicates + 1)
        for cycle, through in enumerate(run.plan.checkpoints, start=1)
    )
