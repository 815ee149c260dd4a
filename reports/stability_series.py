"""The series of a stability report: a measure over the cycles of each arm, with intervals and trend."""

from dissolution.stability import Arm
from dissolution.values import Frozen, Measured
from reports.stability_measures import Measure
from stability.statistics import Interval, Trend


class Point(Frozen):
    """One cycle of one arm: the estimate over replicates, and the cells it comes from."""

    cycle: int
    through: int
    interval: Interval
    cells: tuple[str, ...]


class Line(Frozen):
    """One measure of one arm over its cycles."""

    arm: Arm
    points: tuple[Point, ...]
    trend: Trend
    spread: Measured  # standard deviation over replicates of their means
    ratio: Measured  # largest over smallest replicate mean


class MeasureReport(Frozen):
    """One measure over all arms that have it."""

    measure: Measure
    lines: tuple[Line, ...]
