"""What a stability report says, as values: series with intervals, trends, and where each number comes from."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from dissolution.stability import Arm, Cell, CycleFigures, StabilityRun
from dissolution.values import Frozen, Measured, NotMeasured
from reports.stability_comparison import Row, arms_against_first
from reports.stability_measures import MEASURES, Reads
from reports.stability_series import Line, MeasureReport, Point
from reports.stability_words import limits, summary
from stability.measures import survival
from stability.statistics import Interval, Trend, bootstrap, half_life, spread, trend, variance_ratio

NOT_ASKED = NotMeasured(not_measured="it was not among those that were compared")


class SectionLife(Frozen):
    """How long claims of one section live in one arm."""

    arm: Arm
    section: str
    survival: Interval
    half_life_cycles: Measured


class MemberLine(Frozen):
    """One member in one arm: the share of each cycle's groups of statements that it is in."""

    arm: Arm
    member: str
    points: tuple[Point, ...]
    trend: Trend


class RawCell(Frozen):
    """One cell with every figure, or why there is none."""

    name: str
    arm: Arm
    replicate: int
    cycle: int
    through: int
    members: tuple[str, ...]
    job: str | None
    figures: CycleFigures | NotMeasured


class StabilityReport(Frozen):
    """Everything a report says."""

    run: StabilityRun
    measures: tuple[MeasureReport, ...]
    lives: tuple[SectionLife, ...]
    against: tuple[Row, ...] = ()  # each further arm less the first, cell by cell
    members: tuple[MemberLine, ...] = ()
    cells: tuple[RawCell, ...]
    usd: Decimal
    summary: tuple[str, ...]  # in plain words
    limits: tuple[str, ...]  # what was not shown


def report_on(run: StabilityRun, cells: Sequence[Cell], usd: Decimal) -> StabilityReport:
    """The report of a run as far as it has come."""
    settled = [(cell, cell.figures) for cell in cells if isinstance(cell.figures, CycleFigures)]
    found: list[MeasureReport] = []
    tested = max(1, len(MEASURES) * len(run.plan.arms))
    for measure, reads in MEASURES:
        lines = tuple(
            line
            for arm in run.plan.arms
            if (line := _line(run, arm, [one for one in settled if one[0].key.arm is arm], reads, tested)) is not None
        )
        if lines:
            found.append(MeasureReport(measure=measure, lines=lines))
    return StabilityReport(
        run=run,
        measures=tuple(found),
        lives=tuple(_lives(run, settled)),
        against=arms_against_first(cells, run.plan.arms, run.plan.seed),
        members=tuple(_member_lines(run, settled, tested)),
        cells=tuple(_raw(cell) for cell in cells),
        usd=usd,
        summary=summary(run, cells, found),
        limits=limits(run, cells),
    )


def _raw(cell: Cell) -> RawCell:
    pending = NotMeasured(not_measured="this cell has not run")
    return RawCell(
        name=cell.key.name,
        arm=cell.key.arm,
        replicate=cell.key.replicate,
        cycle=cell.key.cycle,
        through=cell.through,
        members=cell.members,
        job=cell.job,
        figures=pending if cell.figures is None else cell.figures,
    )


def _line(
    run: StabilityRun, arm: Arm, settled: Sequence[tuple[Cell, CycleFigures]], reads: Reads, tested: int
) -> Line | None:
    values = {
        (cell.key.replicate, cell.key.cycle): value
        for cell, figures in settled
        if not isinstance(value := reads(figures), NotMeasured)
    }
    if not values:
        return None
    replicates = sorted({replicate for replicate, _ in values})
    cycles = sorted({cycle for _, cycle in values})
    points = tuple(
        Point(
            cycle=cycle,
            through=run.plan.checkpoints[cycle - 1],
            interval=bootstrap(
                [[values[one, cycle]] for one in replicates if (one, cycle) in values], seed=run.plan.seed
            ),
            cells=tuple(f"{arm.value}-r{one}-c{cycle}" for one in replicates if (one, cycle) in values),
        )
        for cycle in cycles
    )
    series = {one: [values[one, cycle] for cycle in cycles if (one, cycle) in values] for one in replicates}
    whole = [one for one in series.values() if len(one) == len(cycles)]
    means = [sum(one) / len(one) for one in series.values()]
    return Line(
        arm=arm,
        points=points,
        trend=trend(whole, looks=tested, seed=run.plan.seed),
        spread=spread(means),
        ratio=variance_ratio(series),
    )


def _lives(run: StabilityRun, settled: Sequence[tuple[Cell, CycleFigures]]) -> list[SectionLife]:
    found: list[SectionLife] = []
    for arm in run.plan.arms:
        shares: dict[str, dict[int, list[float]]] = {}
        for cell, figures in settled:
            if cell.key.arm is not arm or isinstance(figures.flows, NotMeasured):
                continue
            for flow in figures.flows:
                share = survival(flow)
                if not isinstance(share, NotMeasured):
                    shares.setdefault(flow.section.value, {}).setdefault(cell.key.replicate, []).append(share)
        found.extend(
            SectionLife(
                arm=arm,
                section=section,
                survival=bootstrap(list(of_replicate.values()), seed=run.plan.seed),
                half_life_cycles=half_life([one for series in of_replicate.values() for one in series]),
            )
            for section, of_replicate in shares.items()
        )
    return found


def _member_lines(run: StabilityRun, settled: Sequence[tuple[Cell, CycleFigures]], tested: int) -> Iterator[MemberLine]:
    """How much of what the fleet states each member states, cycle by cycle."""
    for arm in run.plan.arms:
        mine = [one for one in settled if one[0].key.arm is arm]
        for member in sorted({name for _, figures in mine for name in figures.members}):
            line = _line(run, arm, mine, _coverage_of(member), tested)
            if line is not None:
                yield MemberLine(arm=arm, member=member, points=line.points, trend=line.trend)


def _coverage_of(member: str) -> Reads:
    return lambda figures: figures.members.get(member, NOT_ASKED)
