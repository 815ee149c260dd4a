"""The plain words of a stability report: what held, what did not, and what the run cannot tell."""

from collections.abc import Sequence

from dissolution.stability import Arm, Cadence, Cell, CycleFigures, ReplicateKind, StabilityRun, TruthFigures
from dissolution.values import Measured, NotMeasured
from reports.stability_series import Line, MeasureReport

SURE = 0.05
"""Corrected p up to which a slope is called a trend."""
FEW_REPLICATES = 5
FEW_CYCLES = 8
"""Below these intervals are wide and the trend test is rough; the report says so."""


def summary(run: StabilityRun, cells: Sequence[Cell], measures: Sequence[MeasureReport]) -> tuple[str, ...]:
    """What a reader in a hurry is to know, arm by arm: commitments, what is over, truth, competence, survival."""
    told: list[str] = []
    for arm in run.plan.arms:
        parts = [_commitments(cells, arm), _over(cells, arm)]
        for name, words in (("truth_recall", "truth held"), ("competence", "questions answered")):
            line = next((one for one in _lines(measures, name) if one.arm is arm), None)
            if line is not None:
                parts.append(_direction(line, words))
        said = "; ".join(part for part in parts if part)
        if said:
            told.append(f"{arm.value}: {said}.")
    told.extend(_against(measures))
    return tuple(told) or ("Nothing has been measured yet.",)


def _truths(cells: Sequence[Cell], arm: Arm) -> list[TruthFigures]:
    mine = [cell.figures for cell in cells if cell.key.arm is arm and isinstance(cell.figures, CycleFigures)]
    return [one.truth for one in mine if isinstance(one.truth, TruthFigures)]


def _commitments(cells: Sequence[Cell], arm: Arm) -> str:
    truths = _truths(cells, arm)
    held, lost = (sum(getattr(one, name) for one in truths) for name in ("commitments_before", "commitments_lost"))
    if held:
        return f"{lost} of {held} true commitments lost over all cycles"
    mine = [cell.figures for cell in cells if cell.key.arm is arm and isinstance(cell.figures, CycleFigures)]
    shares = [one.commitment_survival for one in mine if not isinstance(one.commitment_survival, NotMeasured)]
    return f"commitments survive a cycle at {min(shares):.3f} or more" if shares else ""


def _over(cells: Sequence[Cell], arm: Arm) -> str:
    truths = _truths(cells, arm)
    over, asserted = (sum(getattr(one, name) for one in truths) for name in ("ended_by_now", "still_asserted"))
    return f"{asserted} of {over} values and commitments that were over are asserted still" if over else ""


def _lines(measures: Sequence[MeasureReport], name: str) -> tuple[Line, ...]:
    return next((found.lines for found in measures if found.measure.name == name), ())


def _direction(line: Line, words: str) -> str:
    first, last = (line.points[place].interval.estimate for place in (0, -1))
    moved = f"{words} from {_shown(first)} to {_shown(last)}"
    p, slope = line.trend.p_corrected, line.trend.slope
    if isinstance(p, NotMeasured) or isinstance(slope, NotMeasured):
        return f"{moved} (too few cycles for a trend)"
    if p > SURE or slope == 0:
        return f"{moved} (no trend shown)"
    return f"{moved} ({'rises' if slope > 0 else 'falls'})"


def _shown(value: Measured) -> str:
    return "–" if isinstance(value, NotMeasured) else f"{value:.2f}"


def _against(measures: Sequence[MeasureReport]) -> list[str]:
    """Which arm holds most truth in the end, in words; only where there are several."""
    lines = _lines(measures, "truth_recall") or _lines(measures, "competence")
    ends = [
        (value, line.arm.value)
        for line in lines
        if not isinstance(value := line.points[-1].interval.estimate, NotMeasured)
    ]
    if len(ends) < 2:  # noqa: PLR2004 - a pair
        return []
    ranked = ", ".join(f"{arm} {value:.2f}" for value, arm in sorted(ends, key=lambda one: (-one[0], one[1])))
    return [f"After the last cycle: {ranked}."]


def limits(run: StabilityRun, cells: Sequence[Cell]) -> tuple[str, ...]:
    """What the run did not show, and why."""
    plan = run.plan
    told: list[str] = []
    pending = sum(cell.figures is None for cell in cells)
    if pending:
        told.append(f"{pending} of {len(cells)} cells have not run.")
    if plan.kind is ReplicateKind.NONE:
        told.append("One replicate: nothing is said about how far another run would differ.")
    elif plan.kind is ReplicateKind.MEMBERS_DRAWN:
        told.append(
            "The members' answers are fixed. Replicates draw members and so tell how much depends on who is asked, "
            "not how much a model varies when it is asked again."
        )
    if 1 < plan.replicates < FEW_REPLICATES:
        told.append(f"{plan.replicates} replicates: intervals rest on few and are too narrow.")
    if len(plan.checkpoints) < FEW_CYCLES:
        told.append(f"{len(plan.checkpoints)} cycles: only a strong trend could be found.")
    if plan.cadence is Cadence.FIRINGS:
        told.append("Cycles run where the policy's triggers fire: other policies have other cycles.")
    if not plan.has_truth:
        told.append("No truth is known for this conversation: that a claim survives does not say that it is true.")
    told.append("One conversation: nothing is said about others.")
    reasons = dict.fromkeys(
        f"{cell.key.arm.value}: {cell.figures.not_measured}." for cell in cells if isinstance(cell.figures, NotMeasured)
    )
    told.extend(list(reasons)[:10])
    if len(reasons) > 10:  # noqa: PLR2004 - a list that can be read
        told.append(f"{len(reasons) - 10} more reasons stand with their cells.")
    return tuple(told)
