"""What an experiment comes to, as values: hypotheses with their conclusions, tables of figures, and the rows behind."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from dissolution.values import Frozen, Measured, NotMeasured
from stability.statistics import Interval

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
"""What a table or a group of rows is called: a link on a page leads to it."""

Cell = bool | int | float | str | NotMeasured
"""One value of a row."""


class Conclusion(StrEnum):
    """What the figures say about a hypothesis."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not supported"
    CANNOT_BE_SAID = "cannot be said"


class Hypothesis(Frozen):
    """What was held before measuring, and what came of it."""

    text: str
    conclusion: Conclusion
    reason: str  # with the figures it rests on


class RowGroup(Frozen):
    """Raw rows that figures are computed from."""

    name: Name
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @model_validator(mode="after")
    def _rows_fit(self) -> "RowGroup":
        if any(len(row) != len(self.columns) for row in self.rows):
            message = f"rows of {self.name!r} do not all have {len(self.columns)} values"
            raise ValueError(message)
        return self


class Figure(Frozen):
    """A number with its 95 % interval and the groups of rows it comes from."""

    value: Interval
    rows: tuple[Name, ...]


class Line(Frozen):
    """One line of a table: figures, or words where something is told and not measured."""

    name: str
    cells: tuple[Figure | str, ...]


class Table(Frozen):
    """Figures side by side; drawn as well where `plot` says how: columns are the positions, lines the series."""

    name: Name
    title: str
    caption: str  # what the interval is taken over, and whatever a reader must know to read it
    head: str  # over the names of the lines
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    plot: Literal["bars", "line"] | None = None
    x_label: str = ""
    y_label: str = ""

    @model_validator(mode="after")
    def _lines_fit(self) -> "Table":
        if any(len(line.cells) != len(self.columns) for line in self.lines):
            message = f"lines of table {self.name!r} do not all have {len(self.columns)} cells"
            raise ValueError(message)
        if self.plot is not None and not (self.x_label and self.y_label):
            message = f"table {self.name!r} is drawn without the names of its axes"
            raise ValueError(message)
        return self


class ExperimentReport(Frozen):
    """Everything an experiment says."""

    number: Annotated[int, Field(ge=1, le=5)]
    title: str
    hypotheses: Annotated[tuple[Hypothesis, ...], Field(min_length=1)]
    method: tuple[str, ...]
    data: tuple[str, ...]
    fleet: str
    tables: tuple[Table, ...]
    row_groups: tuple[RowGroup, ...]
    limits: tuple[str, ...]
    seed: int
    software: str
    command: str
    seconds: Measured = NotMeasured(not_measured="nobody looked at the clock")  # of the processor

    @property
    def conclusion(self) -> Conclusion:
        """Of all hypotheses together: one that fails fails all, one that is open leaves all open."""
        found = {one.conclusion for one in self.hypotheses}
        ranked = (Conclusion.NOT_SUPPORTED, Conclusion.CANNOT_BE_SAID)
        return next((one for one in ranked if one in found), Conclusion.SUPPORTED)

    @model_validator(mode="after")
    def _numbers_have_rows(self) -> "ExperimentReport":
        known = [group.name for group in self.row_groups] + [table.name for table in self.tables]
        if len(set(known)) != len(known):
            message = f"names are given twice: {sorted({one for one in known if known.count(one) > 1})!r}"
            raise ValueError(message)
        named = {name for figure in self.figures() for name in figure.rows}
        if missing := sorted(named - set(known)):
            message = f"figures name rows that are not there: {missing!r}"
            raise ValueError(message)
        return self

    def figures(self) -> tuple[Figure, ...]:
        """All figures of all tables."""
        return tuple(
            cell for table in self.tables for line in table.lines for cell in line.cells if isinstance(cell, Figure)
        )


def at_least(value: Interval, least: float) -> Conclusion:
    """Whether a figure is at least `least`: its whole interval is, or none of it, or it cannot be said."""
    if isinstance(value.low, NotMeasured) or isinstance(value.high, NotMeasured):
        return Conclusion.CANNOT_BE_SAID
    if value.low >= least:
        return Conclusion.SUPPORTED
    return Conclusion.NOT_SUPPORTED if value.high < least else Conclusion.CANNOT_BE_SAID


def all_of(found: Sequence[Conclusion]) -> Conclusion:
    """Whether all hold: not when one fails, not known when one is open or there is none."""
    if Conclusion.NOT_SUPPORTED in found:
        return Conclusion.NOT_SUPPORTED
    return Conclusion.CANNOT_BE_SAID if Conclusion.CANNOT_BE_SAID in found or not found else Conclusion.SUPPORTED


def number(value: Measured) -> str:
    """A number for a person, at most three digits that matter, thousands whole; a dash where there is none."""
    if isinstance(value, NotMeasured):
        return "–"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"  # noqa: PLR2004 - thousands


def shown(value: Interval) -> str:
    """An estimate with the ends of its interval: `0.81 (0.77 to 0.85)`."""
    if isinstance(value.low, NotMeasured) or isinstance(value.high, NotMeasured):
        return number(value.estimate)
    return f"{number(value.estimate)} ({number(value.low)} to {number(value.high)})"
