"""Two runs, or two arms of one run, side by side: differences cell by cell, with intervals."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple, cast

from dissolution.errors import InputError
from dissolution.stability import Arm, Cell, CycleFigures, StabilityPlan, StabilityRun
from dissolution.values import Frozen, Measured, NotMeasured
from reports.stability_measures import MEASURES, Measure, Reads
from stability.statistics import Interval, Paired, mean, paired

Values = Mapping[tuple[int, int], float]
"""Values of one measure by replicate and cycle."""


class Row(Frozen):
    """One measure of one arm, the left's and the right's."""

    measure: Measure
    left_arm: Arm
    right_arm: Arm
    left: Measured  # mean over its cells
    right: Measured
    paired: Paired


class Side(Frozen):
    """One of two runs that are compared."""

    name: str  # A or B
    run: StabilityRun
    usd: Decimal


class ComparisonReport(Frozen):
    """Everything that a comparison of two runs says."""

    left: Side
    right: Side
    differs: tuple[str, ...]  # in what the two plans differ
    rows: tuple[Row, ...]
    summary: tuple[str, ...]
    limits: tuple[str, ...]


class Compared(NamedTuple):
    """A run with its cells and what it cost, as it is handed to a comparison."""

    run: StabilityRun
    cells: Sequence[Cell]
    usd: Decimal


def values_of(cells: Sequence[Cell], arm: Arm, reads: Reads) -> dict[tuple[int, int], float]:
    """One measure of one arm, by replicate and cycle."""
    return {
        (cell.key.replicate, cell.key.cycle): value
        for cell in cells
        if cell.key.arm is arm
        and isinstance(cell.figures, CycleFigures)
        and not isinstance(value := reads(cell.figures), NotMeasured)
    }


def rows_of(
    left: Sequence[Cell], right: Sequence[Cell], arms: Sequence[tuple[Arm, Arm]], seed: int = 0
) -> tuple[Row, ...]:
    """Every measure that both have, for each pair of arms; a pair without common cells is left out."""
    found: list[Row] = []
    for measure, reads in MEASURES:
        for one, other in arms:
            here, there = values_of(left, one, reads), values_of(right, other, reads)
            difference = paired(here, there, seed=seed)
            if isinstance(difference, NotMeasured):
                continue
            means = (mean(list(here.values())), mean(list(there.values())))
            found.append(
                Row(
                    measure=measure,
                    left_arm=one,
                    right_arm=other,
                    left=means[0],
                    right=means[1],
                    paired=difference,
                )
            )
    return tuple(found)


def arms_against_first(cells: Sequence[Cell], arms: Sequence[Arm], seed: int = 0) -> tuple[Row, ...]:
    """Each further arm of a run against its first one."""
    return rows_of(cells, cells, [(arms[0], arm) for arm in arms[1:]], seed)


def compare_runs(left: Compared, right: Compared) -> ComparisonReport:
    """Two runs over the same conversation at the same turns.

    Raises InputError when they are not about the same, or have no arm in common.
    """
    refuse_unlike(left.run.plan, right.run.plan)
    common = [arm for arm in left.run.plan.arms if arm in right.run.plan.arms]
    rows = rows_of(left.cells, right.cells, [(arm, arm) for arm in common], left.run.plan.seed)
    return ComparisonReport(
        left=Side(name="A", run=left.run, usd=left.usd),
        right=Side(name="B", run=right.run, usd=right.usd),
        differs=differences(left.run.plan, right.run.plan),
        rows=rows,
        summary=in_words(rows),
        limits=limits(left.run.plan, right.run.plan, rows),
    )


def refuse_unlike(left: StabilityPlan, right: StabilityPlan) -> None:
    """Raise InputError for plans whose cells do not belong together."""
    if left.conversation != right.conversation:
        raise InputError("the two runs are over different conversations", "compare runs over one conversation")
    if left.checkpoints != right.checkpoints:
        remedy = "run both at the same turns, with --at"
        raise InputError(f"checkpoints {list(left.checkpoints)} and {list(right.checkpoints)} differ", remedy)
    if not set(left.arms) & set(right.arms):
        raise InputError("the two runs have no arm in common", "run both with the same --arms")


def differences(left: StabilityPlan, right: StabilityPlan) -> tuple[str, ...]:
    """In what two plans differ, policies field by field."""
    told = [
        f"{name}: {getattr(left, name)} / {getattr(right, name)}"
        for name in ("fleet", "replicates", "seed", "software")
        if getattr(left, name) != getattr(right, name)
    ]
    return (*told, *_fields("policy", left.policy.model_dump(mode="json"), right.policy.model_dump(mode="json")))


def _fields(place: str, left: object, right: object) -> list[str]:
    if isinstance(left, dict) and isinstance(right, dict):
        one, other = cast("dict[str, object]", left), cast("dict[str, object]", right)
        names = sorted({*one, *other})
        return [line for name in names for line in _fields(f"{place}.{name}", one.get(name), other.get(name))]
    return [] if left == right else [f"{place}: {left} / {right}"]


def is_shown(interval: Interval) -> bool:
    """Whether the interval of a difference leaves out 0."""
    low, high = interval.low, interval.high
    return not isinstance(low, NotMeasured) and not isinstance(high, NotMeasured) and (low > 0 or high < 0)


def in_words(rows: Sequence[Row]) -> tuple[str, ...]:
    """Which differences are shown, in words."""
    shown = [(row, row.paired.difference.estimate) for row in rows if is_shown(row.paired.difference)]
    told = [
        f"{row.right_arm.value}, {row.measure.label}: B is {'higher' if value > 0 else 'lower'} by {abs(value):.3g}."
        for row, value in shown
        if not isinstance(value, NotMeasured)
    ]
    return tuple(told) or ("No difference is shown.",)


def limits(left: StabilityPlan, right: StabilityPlan, rows: Sequence[Row]) -> tuple[str, ...]:
    """What a comparison cannot tell."""
    looks = f"{len(rows)} differences are looked at, each with an interval of its own"
    told = [f"{looks}: where nothing differs, one in twenty is shown all the same."]
    if min(left.replicates, right.replicates) == 1:
        told.append("One replicate: differences have no intervals, and none is shown.")
    if left.seed != right.seed:
        told.append("The seeds differ: where replicates draw members, the two drew others.")
    told.append("One conversation: nothing is said about others.")
    return tuple(told)
