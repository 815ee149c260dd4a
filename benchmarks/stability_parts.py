"""Figures of stability runs put together: cycle by cycle, and over conversations with intervals."""

from collections.abc import Callable, Mapping, Sequence

from dissolution.stability import Arm, Cell, CycleFigures, SectionFlow, StabilityRun, TruthFigures
from dissolution.values import Frozen, Measured, NotMeasured
from stability.statistics import Interval, bootstrap

Runs = Sequence[tuple[StabilityRun, Sequence[Cell]]]


HEADS = (
    "arm",
    "truth held in the end",
    "less a single dissolution",
    "true commitments lost",
    "kept, worst cycle",
    "asserted though over",
    "questions answered",
    "tokens",
    "cells without a state",
)


class Row(Frozen):
    """One arm of one conversation after one cycle, summed over replicates."""

    conversation: str
    arm: str
    cycle: int
    through: int
    figures: Mapping[str, Measured]


class Cycles(Frozen):
    """Rows of cycles."""

    rows: tuple[Row, ...]

    def table(self) -> str:
        """As Markdown."""
        names = list(dict.fromkeys(name for row in self.rows for name in row.figures))
        lines = [
            f"| conversation | arm | cycle | turn | {' | '.join(names)} |",
            f"|---|---|---|---|{'---|' * len(names)}",
        ]
        for row in self.rows:
            shown = " | ".join(told(row.figures.get(name, NotMeasured(not_measured="none"))) for name in names)
            lines.append(f"| {row.conversation} | {row.arm} | {row.cycle} | {row.through} | {shown} |")
        return "\n".join(lines)


class Total(Frozen):
    """One arm over all conversations and replicates."""

    arm: str
    recall_end: Interval  # of what is true at the end, the share held after the last cycle
    against_single: Interval  # that less the recall of a single dissolution over the whole conversation
    commitments_lost: int
    commitments_before: int
    worst_cycle: Measured  # least share of true commitments kept in any cell
    still_asserted: int
    ended: int
    competence_end: Interval
    tokens_end: Interval
    not_measured: int  # cells without figures


class Totals(Frozen):
    """Arms over conversations, and where each figure comes from."""

    arms: tuple[Total, ...]
    cycles: Cycles

    def table(self) -> str:
        """As Markdown."""
        lines = [
            f"| {' | '.join(HEADS)} |",
            f"|{'---|' * len(HEADS)}",
        ]
        for one in self.arms:
            shares = (ranged(one.recall_end), ranged(one.against_single))
            lost = f"{one.commitments_lost} of {one.commitments_before}"
            over = f"{one.still_asserted} of {one.ended}"
            ends = (ranged(one.competence_end), ranged(one.tokens_end))
            cells = (one.arm, *shares, lost, told(one.worst_cycle), over, *ends, str(one.not_measured))
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines) + "\n\n" + self.cycles.table()


def told(value: Measured) -> str:
    """A figure for a person."""
    if isinstance(value, NotMeasured):
        return "–"
    return f"{value:.0f}" if value >= 10 else f"{value:.3f}".rstrip("0").rstrip(".")


def ranged(value: Interval) -> str:
    """An estimate with the ends of its interval."""
    if isinstance(value.low, NotMeasured) or isinstance(value.high, NotMeasured):
        return told(value.estimate)
    return f"{told(value.estimate)} ({told(value.low)} to {told(value.high)})"


def truths(cells: Sequence[Cell], arm: Arm) -> list[tuple[Cell, TruthFigures]]:
    """The cells of an arm with their figures against the truth."""
    return [
        (cell, cell.figures.truth)
        for cell in cells
        if cell.key.arm is arm
        and isinstance(cell.figures, CycleFigures)
        and isinstance(cell.figures.truth, TruthFigures)
    ]


def recall(truth: TruthFigures) -> float:
    """The share of what is true now that is held."""
    return truth.held / truth.true_now


def totals(rolled: Runs, single: Runs) -> Totals:
    """All arms over all conversations; intervals draw conversations with their replicates."""
    alone = {
        (run.plan.conversation, cell.key.replicate): recall(truth)
        for run, cells in single
        for cell, truth in truths(cells, Arm.LEDGER)
    }
    arms = rolled[0][0].plan.arms
    rows = tuple(row for run, cells in rolled for row in cycles_of(run, cells, against_truth).rows)
    return Totals(arms=tuple(_total(arm, rolled, alone) for arm in arms), cycles=Cycles(rows=rows))


def _total(arm: Arm, rolled: Runs, alone: Mapping[tuple[str, int], float]) -> Total:
    ends: list[list[float]] = []
    less: list[list[float]] = []
    right: list[list[float]] = []
    tokens: list[list[float]] = []
    every: list[TruthFigures] = []
    missing = 0
    for run, cells in rolled:
        found = truths(cells, arm)
        every.extend(truth for _, truth in found)
        missing += sum(cell.key.arm is arm and isinstance(cell.figures, NotMeasured) for cell in cells)
        last = [(cell, truth) for cell, truth in found if cell.key.cycle == len(run.plan.checkpoints)]
        ends.append([recall(truth) for _, truth in last])
        keys = [(run.plan.conversation, cell.key.replicate) for cell, _ in last]
        less.append([recall(truth) - alone[key] for (_, truth), key in zip(last, keys, strict=True) if key in alone])
        figures = [cell.figures for cell, _ in last if isinstance(cell.figures, CycleFigures)]
        right.append([one.competence for one in figures if not isinstance(one.competence, NotMeasured)])
        tokens.append([float(one.tokens) for one in figures])
    shares = [1 - one.commitments_lost / one.commitments_before for one in every if one.commitments_before]
    return Total(
        arm=arm.value,
        recall_end=bootstrap(ends),
        against_single=bootstrap(less),
        commitments_lost=sum(one.commitments_lost for one in every),
        commitments_before=sum(one.commitments_before for one in every),
        worst_cycle=min(shares) if shares else NotMeasured(not_measured="no commitment was held before"),
        still_asserted=sum(one.still_asserted for one in every),
        ended=sum(one.ended_by_now for one in every),
        competence_end=bootstrap(right),
        tokens_end=bootstrap(tokens),
        not_measured=missing,
    )


def cycles_of(
    run: StabilityRun, cells: Sequence[Cell], reads: Callable[[Sequence[CycleFigures]], Mapping[str, Measured]]
) -> Cycles:
    """A row for each arm and cycle, over its replicates."""
    rows: list[Row] = []
    for arm in run.plan.arms:
        for cycle, through in enumerate(run.plan.checkpoints, start=1):
            mine = [cell.figures for cell in cells if (cell.key.arm, cell.key.cycle) == (arm, cycle)]
            figures = [one for one in mine if isinstance(one, CycleFigures)]
            if figures:
                rows.append(
                    Row(
                        conversation=run.plan.conversation,
                        arm=arm.value,
                        cycle=cycle,
                        through=through,
                        figures=reads(figures),
                    )
                )
    return Cycles(rows=tuple(rows))


def against_truth(figures: Sequence[CycleFigures]) -> Mapping[str, Measured]:
    """What a planted conversation's truth says of one cycle."""
    known = [one.truth for one in figures if isinstance(one.truth, TruthFigures)]
    return {
        "true": float(sum(one.true_now for one in known)),
        "held": float(sum(one.held for one in known)),
        "commitments held before": float(sum(one.commitments_before for one in known)),
        "lost": float(sum(one.commitments_lost for one in known)),
        "over by now": float(sum(one.ended_by_now for one in known)),
        "asserted still": float(sum(one.still_asserted for one in known)),
        "claims": mean_of([float(one.claims) for one in figures]),
        "tokens": mean_of([float(one.tokens) for one in figures]),
    }


def kept_in_ledger(figures: Sequence[CycleFigures]) -> Mapping[str, Measured]:
    """What can be said where no truth is written down."""
    flows: list[SectionFlow] = []
    for one in figures:
        flows.extend(() if isinstance(one.flows, NotMeasured) else one.flows)
    shares = [one.commitment_survival for one in figures if not isinstance(one.commitment_survival, NotMeasured)]
    return {
        "claims before": float(sum(one.before for one in flows)),
        "survived": float(sum(one.survived + one.moved for one in flows)),
        "closed": float(sum(one.ended for one in flows)),
        "lost": float(sum(one.lost for one in flows)),
        "commitments kept or closed": mean_of(shares),
        "claims": mean_of([float(one.claims) for one in figures]),
        "tokens": mean_of([float(one.tokens) for one in figures]),
    }


def mean_of(values: Sequence[float]) -> Measured:
    """Their mean."""
    return sum(values) / len(values) if values else NotMeasured(not_measured="none")
