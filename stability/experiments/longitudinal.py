"""Experiment 3: does understanding hold while a conversation grows and is dissolved again and again?"""

from collections.abc import Callable, Mapping, Sequence

from dissolution.stability import Arm, CycleFigures, TruthFigures
from dissolution.values import Measured, NotMeasured
from stability.experiments.cycles import Cycled, conversations_of, reason_of, run_cycles
from stability.experiments.report import (
    Cell,
    Conclusion,
    ExperimentReport,
    Figure,
    Hypothesis,
    Line,
    RowGroup,
    Table,
    all_of,
    at_least,
    shown,
)
from stability.experiments.statistics import of_means
from stability.experiments.workspace import Choice
from stability.measures import overall_survival
from stability.statistics import Interval, bootstrap, theil_sen
from workers.services import Services

ARMS = (Arm.LEDGER, Arm.TRUNCATION)
MOST_ASSERTED = 0.05
"""Share of closed or superseded values that may still be asserted."""

Reads = Callable[[CycleFigures], Measured]


def _truth(read: Callable[[TruthFigures], tuple[int, int]]) -> Reads:
    """A share of two counts of the truth's figures."""

    def share(figures: CycleFigures) -> Measured:
        if isinstance(figures.truth, NotMeasured):
            return figures.truth
        part, whole = read(figures.truth)
        return part / whole if whole else NotMeasured(not_measured="none at this turn")

    return share


MEASURES: Mapping[str, tuple[str, Reads]] = {
    "truth": ("True claims held", _truth(lambda truth: (truth.held, truth.true_now))),
    "competence": ("Questions answered rightly", lambda figures: figures.competence),
    "commitments": (
        "True commitments kept",
        _truth(lambda truth: (truth.commitments_before - truth.commitments_lost, truth.commitments_before)),
    ),
    "asserted": ("Values and commitments that are over, asserted still",
                 _truth(lambda truth: (truth.still_asserted, truth.ended_by_now))),
    "survival": ("Claims of the cycle before that stand", lambda figures: overall_survival(figures.flows)),
    "drift": ("Drift from the first cycle (cosine distance)", lambda figures: figures.drift_first),
    "agreement": ("Agreement of the members on claims", lambda figures: figures.claim_agreement),
    "dominant": ("Largest cluster of whole answers, by words", lambda figures: figures.dominant_cluster_share),
}  # fmt: skip
"""Title and reading of each measure, by name."""

SHARES = ("truth", "competence", "commitments", "asserted", "survival")


def experiment_3(choice: Choice, services: Services) -> ExperimentReport:
    """Dissolve conversations at rising turns, each cycle on what the one before left, and measure what holds."""
    found = [run_cycles(services, choice, one, ARMS) for one in conversations_of(choice)]
    places = max((cell.key.cycle for one in found for cell in one.cells), default=0)
    domains = ", ".join(f"{one.one.name} ({one.one.domain})" for one in found)
    turns = "; ".join(
        f"{one.one.name} {', '.join(str(turn) for turn in sorted({cell.through for cell in one.cells}))}"
        for one in found
    )
    return ExperimentReport(
        number=3,
        title="Longitudinal stability",
        hypotheses=_hypotheses(found, places, choice.seed),
        method=(
            (
                "A stability run over each conversation: at each checkpoint an ordinary job, its members seeing the "
                "standing boundary and the turns since (recorded ones: their own answer before and the turns since). "
                "Beside it the last turns that fit into the boundary's tokens. Measures are those of stability runs."
            ),
            f"Cycles end after turns: {turns}.",
            (
                "95 % bootstrap intervals over conversations, replicates of one staying together; a slope is Theil and "
                "Sen's over the cycles of a conversation."
            ),
        ),
        data=(f"Planted conversations: {domains}.",),
        fleet=choice.name,
        tables=tuple(_table(found, name, places, choice.seed) for name in MEASURES),
        row_groups=tuple(_rows(one, arm) for one in found for arm in ARMS),
        limits=_limits(choice, found, places),
        seed=choice.seed,
        software="",
        command="",
    )


def values_at(one: Cycled, arm: Arm, cycle: int, reads: Reads) -> list[float]:
    """A measure of one cycle, a replicate each; what was not measured is left out."""
    return [
        value
        for figures in one.figures(arm, cycle)
        if not isinstance(value := reads(figures), NotMeasured)
    ]  # fmt: skip


def slopes(found: Sequence[Cycled], arm: Arm, places: int, reads: Reads, seed: int) -> Interval:
    """The mean slope of a measure over cycles, conversations drawn."""
    each: list[list[float]] = []
    for one in found:
        means = [
            sum(values) / len(values)
            for cycle in range(1, places + 1)
            if (values := values_at(one, arm, cycle, reads))
        ]  # fmt: skip
        slope = theil_sen(means)
        each.append([] if isinstance(slope, NotMeasured) else [slope])
    return bootstrap(each, seed=seed)


def _hypotheses(found: Sequence[Cycled], places: int, seed: int) -> tuple[Hypothesis, ...]:
    cycles = range(1, places + 1)
    rising = {name: slopes(found, Arm.LEDGER, places, MEASURES[name][1], seed) for name in ("truth", "competence")}
    kept, asserted = (
        of_means(
            [[v for cycle in cycles for v in values_at(one, Arm.LEDGER, cycle, MEASURES[name][1])] for one in found],
            seed=seed,
        )
        for name in ("commitments", "asserted")
    )
    lost, over, still = (
        sum(
            getattr(figures.truth, name)
            for one in found
            for cycle in cycles
            for figures in one.figures(Arm.LEDGER, cycle)
            if isinstance(figures.truth, TruthFigures)
        )
        for name in ("commitments_lost", "ended_by_now", "still_asserted")
    )
    return (
        Hypothesis(
            text="Understanding does not decay: over the cycles neither the truth held nor the questions answered "
            "fall.",
            conclusion=all_of([at_least(one, 0.0) for one in rising.values()]),
            reason="slope a cycle: " + "; ".join(f"{name} {shown(value)}" for name, value in rising.items()),
        ),
        Hypothesis(
            text="Every true commitment that was held is held in every later cycle.",
            conclusion=_whole(kept, lost),
            reason=f"{lost} lost over all cycles; share kept {shown(kept)}",
        ),
        Hypothesis(
            text=f"At most {MOST_ASSERTED:g} of what is over is asserted still.",
            conclusion=_at_most(asserted),
            reason=f"{still} of {over} over all cycles; mean share {shown(asserted)}",
        ),
    )  # fmt: skip


def _whole(kept: Interval, lost: int) -> Conclusion:
    if isinstance(kept.estimate, NotMeasured):
        return Conclusion.CANNOT_BE_SAID
    return Conclusion.NOT_SUPPORTED if lost else Conclusion.SUPPORTED


def _at_most(asserted: Interval) -> Conclusion:
    if isinstance(asserted.low, NotMeasured) or isinstance(asserted.high, NotMeasured):
        return Conclusion.CANNOT_BE_SAID
    if asserted.high <= MOST_ASSERTED:
        return Conclusion.SUPPORTED
    return Conclusion.NOT_SUPPORTED if asserted.low > MOST_ASSERTED else Conclusion.CANNOT_BE_SAID


def _table(found: Sequence[Cycled], name: str, places: int, seed: int) -> Table:
    title, reads = MEASURES[name]
    lines: list[Line] = []
    for arm in ARMS:
        groups = tuple(f"{arm.value}-{one.one.name}" for one in found)
        cells = tuple(
            Figure(value=of_means([values_at(one, arm, cycle, reads) for one in found], seed=seed), rows=groups)
            for cycle in range(1, places + 1)
        )
        lines.append(Line(name=arm.value, cells=cells))
        lines += [
            Line(
                name=f"{arm.value}, {one.one.domain}",
                cells=tuple(
                    Figure(
                        value=bootstrap([[value] for value in values_at(one, arm, cycle, reads)], seed=seed),
                        rows=(f"{arm.value}-{one.one.name}",),
                    )
                    for cycle in range(1, places + 1)
                ),
            )
            for one in found
            if arm is Arm.LEDGER
        ]
    return Table(
        name=name,
        title=title,
        caption="Means with 95 % bootstrap intervals over conversations; of one domain over replicates, where there "
        "are any. A dash: not measured in that cycle.",
        head="arm",
        columns=tuple(f"cycle {cycle}" for cycle in range(1, places + 1)),
        lines=tuple(lines),
        plot="line",
        x_label="cycle",
        y_label="share" if name in SHARES else "value (0 to 1)",
    )


def _rows(one: Cycled, arm: Arm) -> RowGroup:
    listed: list[tuple[Cell, ...]] = []
    for cell in one.cells:
        if cell.key.arm is not arm:
            continue
        figures = cell.figures
        measured: list[Cell] = [
            reads(figures) if isinstance(figures, CycleFigures) else NotMeasured(not_measured=reason_of(cell))
            for _, reads in MEASURES.values()
        ]
        sizes: list[Cell] = [figures.claims, figures.tokens] if isinstance(figures, CycleFigures) else ["", ""]
        listed.append((cell.key.replicate, cell.key.cycle, cell.through, *measured, *sizes))
    return RowGroup(
        name=f"{arm.value}-{one.one.name}",
        about=f"the cells of {one.one.name}, arm {arm.value}",
        columns=("replicate", "cycle", "through turn", *MEASURES, "claims", "tokens"),
        rows=tuple(listed),
    )


def _limits(choice: Choice, found: Sequence[Cycled], places: int) -> tuple[str, ...]:
    told = [
        f"{len(found)} conversations and {places} cycles: only a strong trend could be found.",
        "The retrieval reader is no language model; each cycle asks only what has been said by then.",
    ]
    if choice.replicates == 1:
        told.append("One replicate: nothing is said about how far another run would differ.")
    if choice.is_recorded:
        told.append(
            "Recorded answers were given after turns 14, 28, 42 and the last, not 10, 20, 30 and 40, and each writer "
            "went on from its own answer, not from the boundary that stood."
        )
    told.extend(
        dict.fromkeys(
            f"{one.one.name} {cell.key.name}: {reason_of(cell)}."
            for one in found
            for cell in one.cells
            if not isinstance(cell.figures, CycleFigures)
        )
    )
    return tuple(told)
