"""Cycles over growing conversations, run as stability runs: what experiments 3 and 4 measure on."""

from dataclasses import dataclass

from dissolution import __version__
from dissolution.boundary import BoundaryState
from dissolution.errors import InputError
from dissolution.framing import Finding
from dissolution.stability import Arm, Cell, CycleFigures, StabilityPlan
from dissolution.values import NotMeasured
from probe.reading import RetrievalReader
from stability.arms import replicate_kind
from stability.experiments.data import Planted
from stability.experiments.workspace import Choice
from stability.measuring import Yardsticks
from stability.run import Runner, start_run
from workers.bootstrap import settled_policy
from workers.services import Services

CHECKPOINTS = (10, 20, 30, 40)
"""Turns of the dissertation's longitudinal experiment."""

RECORDED_AT = (14, 28, 42)
"""Turns at which the recorded writers were asked, before the end."""


@dataclass(frozen=True)
class Cycled:
    """The cells of one conversation's run, and the boundary of each that has one."""

    one: Planted
    cells: tuple[Cell, ...]
    boundaries: dict[str, BoundaryState]  # by the cell's name
    findings: dict[str, tuple[Finding, ...]]  # of the frame audit, by the cell's name

    def figures(self, arm: Arm, cycle: int) -> list[CycleFigures]:
        """The figures of one cycle of an arm, a replicate each; those that were not measured are left out."""
        return [
            cell.figures
            for cell in self.cells
            if cell.key.arm is arm and cell.key.cycle == cycle and isinstance(cell.figures, CycleFigures)
        ]


def conversations_of(choice: Choice) -> tuple[Planted, ...]:
    """Those that were named, or all that answers over cycles were recorded of. Raises InputError."""
    every = choice.data.planted(choice.conversations)
    having = tuple(one for one in every if choice.data.has_recorded(one.name, "roll-1"))
    if choice.is_recorded and choice.conversations and len(having) < len(every):
        lacking = next(one.name for one in every if one not in having)
        names = ", ".join(one.name for one in choice.data.planted() if choice.data.has_recorded(one.name, "roll-1"))
        raise InputError(f"no answers over cycles were recorded of {lacking!r}", f"choose from {names}")
    return every if choice.conversations else having


def checkpoints_of(choice: Choice, one: Planted) -> tuple[int, ...]:
    """The turns after which a cycle runs: the dissertation's, or those at which recorded writers were asked."""
    through = one.snapshot.through
    wanted = (*RECORDED_AT, through) if choice.is_recorded else CHECKPOINTS
    return tuple(sorted({turn for turn in wanted if turn <= through}))


def run_cycles(services: Services, choice: Choice, one: Planted, arms: tuple[Arm, ...]) -> Cycled:
    """Run every arm over one conversation, cycle by cycle, each cycle an ordinary job."""
    with services.unit_of_work() as work:
        work.conversations.extend(one.conversation)
        work.commit()
    fleet = choice.description(one.name, rolled=True)
    plan = StabilityPlan(
        conversation=one.name,
        checkpoints=checkpoints_of(choice, one),
        replicates=choice.replicates,
        kind=replicate_kind(fleet, choice.replicates),
        arms=arms,
        fleet=fleet,
        policy=settled_policy(choice.policy, services.settings, fleet),
        seed=choice.seed,
        truth=str(one.file),
        software=__version__,
    )
    run = start_run(services, plan)
    yardsticks = Yardsticks(questions=one.questions, reader=RetrievalReader())
    Runner(services, run, yardsticks=yardsticks, told=lambda line: choice.told(f"{one.name} {line}")).go_on()
    with services.unit_of_work() as work:
        cells = work.stability.cells(run.id)
        jobs = {cell.key.name: cell.job for cell in cells if cell.job is not None}
        found = {name: work.boundaries.by_job(job) for name, job in jobs.items()}
        receipts = {name: work.boundaries.receipt(job) for name, job in jobs.items()}
    return Cycled(
        one,
        cells,
        {name: boundary for name, boundary in found.items() if boundary is not None},
        {
            name: receipt.frame.findings
            for name, receipt in receipts.items()
            if receipt is not None and not isinstance(receipt.frame, NotMeasured)
        },
    )


def reason_of(cell: Cell) -> str:
    """Why a cell has no figures."""
    return cell.figures.not_measured if isinstance(cell.figures, NotMeasured) else "it has not run"
