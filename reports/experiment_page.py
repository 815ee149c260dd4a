"""An experiment as one self-contained page, as Markdown and as JSON. Nothing in it is loaded from elsewhere."""

from pathlib import Path
from typing import Any

from dissolution.values import NotMeasured
from reports.drawing import Panel, Series, draw_svg
from reports.stability_page import TEMPLATES
from stability.experiments.report import Cell, ExperimentReport, Figure, Table, number, shown


def cell(value: Cell) -> str:
    """One value of a row for a person; what was not measured says why."""
    if isinstance(value, NotMeasured):
        return str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)


def plot(table: Table) -> str:
    """The figures of a table as SVG without an XML declaration: columns are the positions, lines the series."""
    series = tuple(one for place in range(len(table.lines)) if (one := _series(table, place)) is not None)
    panel = Panel(
        title=table.title,
        x_label=table.x_label,
        y_label=table.y_label,
        series=series,
        x_ticks=tuple((float(place), name) for place, name in enumerate(table.columns)),
    )
    drawn = draw_svg([panel], width_in=8.0, height_in=3.6)
    return drawn[drawn.index("<svg") :]


def _series(table: Table, place: int) -> Series | None:
    """One line's figures; intervals are drawn where every one of them has its ends."""
    line = table.lines[place]
    points: list[tuple[float, float]] = []
    ends: list[tuple[float, float]] = []
    for column, figure in enumerate(line.cells):
        if not isinstance(figure, Figure) or isinstance(figure.value.estimate, NotMeasured):
            continue
        points.append((float(column), figure.value.estimate))
        low, high = figure.value.low, figure.value.high
        if not isinstance(low, NotMeasured) and not isinstance(high, NotMeasured):
            ends.append((low, high))
    if not points:
        return None
    whole = len(ends) == len(points)
    return Series(
        name=line.name,
        x=tuple(x for x, _ in points),
        y=tuple(y for _, y in points),
        low=tuple(low for low, _ in ends) if whole else (),
        high=tuple(high for _, high in ends) if whole else (),
        shape="bars" if table.plot == "bars" else "line",
    )


def page(report: ExperimentReport) -> str:
    """The report as one HTML document with all of its pictures and rows inside."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment: Any = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {"shown": shown, "number": number, "cell": cell}
    plots = {table.name: plot(table) for table in report.tables if table.plot is not None}
    places = {group.name: place for place, group in enumerate(report.row_groups, start=1)}
    template = environment.get_template("experiment.html.j2")
    return str(template.render(report=report, plots=plots, places=places))


def markdown(report: ExperimentReport) -> str:
    """The report as Markdown; pictures and rows are in the page."""
    lines = [
        f"# Experiment {report.number}: {report.title}",
        "",
        (
            f"Verdict: **{report.conclusion.value}**. Fleet {report.fleet}, seed {report.seed}, version "
            f"{report.software}; {number(report.seconds)} s of the processor. `{report.command}`"
        ),
        "",
        "| hypothesis | verdict | figures |",
        "|---|---|---|",
        *(f"| {one.text} | {one.conclusion.value} | {one.reason} |" for one in report.hypotheses),
        "",
        "Method and data:",
        "",
        *(f"- {line}" for line in (*report.method, *report.data)),
    ]
    for table in report.tables:
        lines += ["", f"## {table.title}", "", table.caption, "", *table_lines(table)]
    lines += ["", "## Limits", "", *(f"- {line}" for line in report.limits)]
    return "\n".join(lines) + "\n"


def table_lines(table: Table) -> list[str]:
    """A table as Markdown."""
    told = [f"| {table.head} | {' | '.join(table.columns)} |", "|---" * (len(table.columns) + 1) + "|"]
    for line in table.lines:
        cells = (one if isinstance(one, str) else shown(one.value) for one in line.cells)
        told.append(f"| {line.name} | {' | '.join(cells)} |")
    return told


def write_experiment(report: ExperimentReport, folder: Path) -> tuple[Path, ...]:
    """Write `experiment-N.html`, `.md` and `.json` into a folder; returns the three.

    Raises OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        ".html": page(report),
        ".md": markdown(report),
        ".json": report.model_dump_json(indent=1) + "\n",
    }
    written = tuple(folder / f"experiment-{report.number}{ending}" for ending in texts)
    for path, text in zip(written, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return written
