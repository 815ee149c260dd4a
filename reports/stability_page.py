"""A stability report as one self-contained page, as Markdown and as JSON. Nothing in it is loaded from elsewhere."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dissolution.stability import Arm, ReplicateKind
from dissolution.values import Measured, NotMeasured
from prompts.export.markdown import escaped
from reports.drawing import Panel, Series, draw_svg
from reports.stability_figures import RawCell, StabilityReport
from reports.stability_measures import Measure
from reports.stability_series import Line, MeasureReport, Point
from stability.statistics import Interval, Trend

TEMPLATES = Path(__file__).parent / "templates"
KINDS: Mapping[ReplicateKind, str] = {
    ReplicateKind.NONE: "nothing to compare it with",
    ReplicateKind.ASKED_AGAIN: "each asks the members anew",
    ReplicateKind.MEMBERS_DRAWN: "answers are fixed: each draws members with replacement",
}
NONE = "–"
"""Shown for what was not measured; the table of the cell says why."""


class LastRow(NamedTuple):
    """One measure after the last cycle, arm by arm."""

    measure: Measure
    values: tuple[str, ...]


def figure(value: Measured) -> str:
    """A number for a person: at most four digits that matter."""
    if isinstance(value, NotMeasured):
        return NONE
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"  # noqa: PLR2004 - four digits


def interval(value: Interval | Trend) -> str:
    """The ends of an interval for a person."""
    if isinstance(value.low, NotMeasured) or isinstance(value.high, NotMeasured):
        return NONE
    return f"{figure(value.low)} to {figure(value.high)}"


def raw_rows(cell: RawCell) -> list[tuple[str, str]]:
    """Every figure of a cell by name, with the reason where there is none."""
    if isinstance(cell.figures, NotMeasured):
        return [("not measured", cell.figures.not_measured)]
    return [(name, json.dumps(value)) for name, value in cell.figures.model_dump(mode="json").items()]


def last_rows(report: StabilityReport) -> list[LastRow]:
    """Each measure after its last cycle, in the order of the plan's arms."""
    return [
        LastRow(found.measure, tuple(_last(found, arm) for arm in report.run.plan.arms)) for found in report.measures
    ]


def _last(found: MeasureReport, arm: Arm) -> str:
    line = next((line for line in found.lines if line.arm is arm), None)
    return figure(line.points[-1].interval.estimate) if line is not None else NONE


def plot(found: MeasureReport) -> str:
    """The lines of one measure as SVG, without its XML declaration: it stands inside a page."""
    panel = Panel(
        title=found.measure.label,
        x_label="cycle (through turn)",
        y_label=found.measure.label.partition(" (")[2].rstrip(")") or "value",
        series=tuple(_series(line) for line in found.lines),
        x_ticks=_ticks(found.lines),
        y_range=(-0.03, 1.03) if found.measure.share else None,
    )
    drawn = draw_svg([panel], width_in=8.0, height_in=3.4)
    return drawn[drawn.index("<svg") :]


def _series(line: Line) -> Series:
    shown = [(point.cycle, value, point) for point in line.points if (value := _number(point)) is not None]
    ends = [(point.interval.low, point.interval.high) for _, _, point in shown]
    known = [(low, high) for low, high in ends if isinstance(low, float) and isinstance(high, float)]
    whole = len(known) == len(shown)
    return Series(
        name=line.arm.value,
        x=tuple(float(cycle) for cycle, _, _ in shown),
        y=tuple(value for _, value, _ in shown),
        low=tuple(low for low, _ in known) if whole else (),
        high=tuple(high for _, high in known) if whole else (),
    )


def _number(point: Point) -> float | None:
    value = point.interval.estimate
    return None if isinstance(value, NotMeasured) else value


def _ticks(lines: Sequence[Line]) -> tuple[tuple[float, str], ...]:
    through = {point.cycle: point.through for line in lines for point in line.points}
    return tuple((float(cycle), f"{cycle} ({turn})") for cycle, turn in sorted(through.items()))


def environment() -> Any:  # noqa: ANN401 - jinja2 is loaded on first use
    """What templates of reports are rendered with: everything is escaped, a missing value is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made: Any = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    made.filters |= {"figure": figure, "range": interval, "raw": raw_rows}
    return made


def page(report: StabilityReport) -> str:
    """The report as one HTML document with all of its pictures inside."""
    plots = {found.measure.name: plot(found) for found in report.measures}
    template = environment().get_template("stability.html.j2")
    words = KINDS[report.run.plan.kind]
    return str(template.render(report=report, plots=plots, last=last_rows(report), kind=words))


def markdown(report: StabilityReport) -> str:
    """The report as Markdown: the summary, the last cycle, every trend. Pictures and cells are in the page."""
    plan = report.run.plan
    arms = [arm.value for arm in plan.arms]
    head = (
        f"Run {report.run.id}, {report.run.status.value}; {len(plan.checkpoints)} cycles, {plan.replicates} "
        f"replicates ({KINDS[plan.kind]}), fleet {escaped(plan.fleet)}, seed {plan.seed}."
    )
    lines = [
        f"# Stability of {escaped(plan.conversation)}",
        "",
        head,
        "",
        *(f"- {line}" for line in report.summary),
        "",
        "What was not shown:",
        "",
        *(f"- {line}" for line in report.limits),
        "",
        f"| after the last cycle | {' | '.join(arms)} |",
        f"|---|{'---|' * len(arms)}",
        *(f"| {row.measure.label} | {' | '.join(row.values)} |" for row in last_rows(report)),
        "",
        "| trend a cycle | arm | slope | 95 % interval | p, corrected |",
        "|---|---|---|---|---|",
        *(
            f"| {found.measure.label} | {line.arm.value} | {figure(line.trend.slope)} | {interval(line.trend)} "
            f"| {figure(line.trend.p_corrected)} |"
            for found in report.measures
            for line in found.lines
        ),
        *_against(report),
    ]
    return "\n".join(lines) + "\n"


def _against(report: StabilityReport) -> list[str]:
    """The arms against the first one, as a table; nothing where there is one."""
    if not report.against:
        return []
    return [
        "",
        f"| less {report.run.plan.arms[0].value}, cell by cell | arm | cells | difference | 95 % interval |",
        "|---|---|---|---|---|",
        *(
            f"| {row.measure.label} | {row.right_arm.value} | {row.paired.pairs} "
            f"| {figure(row.paired.difference.estimate)} | {interval(row.paired.difference)} |"
            for row in report.against
        ),
    ]


def write_report(report: StabilityReport, folder: Path) -> tuple[Path, ...]:
    """Write `stability.html`, `stability.md` and `stability.json` into a folder; returns the three.

    Raises OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "stability.html": page(report),
        "stability.md": markdown(report),
        "stability.json": report.model_dump_json(indent=1) + "\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return tuple(folder / name for name in texts)
