"""A comparison of two stability runs as one self-contained page, as Markdown and as JSON."""

from collections.abc import Sequence
from pathlib import Path

from dissolution.values import NotMeasured
from prompts.export.markdown import escaped
from reports.drawing import Panel, Series, draw_svg
from reports.stability_comparison import ComparisonReport, Row
from reports.stability_page import environment, figure, interval

MEASURES_A_PICTURE = 30
"""Shares that one picture can hold and still be read."""


def plots(report: ComparisonReport) -> dict[str, str]:
    """Differences in shares as SVG, arm by arm; other measures have units of their own and stand in the table."""
    shares = [row for row in report.rows if row.measure.share]
    arms = list(dict.fromkeys(row.right_arm for row in shares))
    drawn: dict[str, str] = {}
    for arm in arms:
        mine = [row for row in shares if row.right_arm is arm][:MEASURES_A_PICTURE]
        drawn[arm.value] = _plot(arm.value, mine)
    return drawn


def _plot(arm: str, rows: Sequence[Row]) -> str:
    shown = [(place, row, value) for place, row in enumerate(rows, start=1) if (value := _estimate(row)) is not None]
    ends = [(row.paired.difference.low, row.paired.difference.high) for _, row, _ in shown]
    known = [(low, high) for low, high in ends if isinstance(low, float) and isinstance(high, float)]
    whole = len(known) == len(shown)
    series = Series(
        name="B less A",
        x=tuple(float(place) for place, _, _ in shown),
        y=tuple(value for _, _, value in shown),
        low=tuple(low for low, _ in known) if whole else (),
        high=tuple(high for _, high in known) if whole else (),
    )
    panel = Panel(
        title=f"{arm}: B less A, shares",
        x_label="measure (place among the shares of the table)",
        y_label="difference (share)",
        series=(series,),
        x_ticks=tuple((float(place), str(place)) for place, _, _ in shown),
    )
    drawn = draw_svg([panel], width_in=8.0, height_in=3.4)
    return drawn[drawn.index("<svg") :]


def _estimate(row: Row) -> float | None:
    value = row.paired.difference.estimate
    return None if isinstance(value, NotMeasured) else value


def page(report: ComparisonReport) -> str:
    """The comparison as one HTML document with its pictures inside."""
    template = environment().get_template("comparison.html.j2")
    return str(template.render(report=report, plots=plots(report)))


def markdown(report: ComparisonReport) -> str:
    """The comparison as Markdown."""
    sides = [
        f"- {side.name}: run {side.run.id}, {side.run.status.value}, fleet {escaped(side.run.plan.fleet)}, "
        f"policy {escaped(side.run.plan.policy.name)} ({side.run.plan.policy.digest[:12]}), {side.usd} USD"
        for side in (report.left, report.right)
    ]
    lines = [
        f"# Two stability runs of {escaped(report.left.run.plan.conversation)}",
        "",
        *sides,
        "",
        "They differ in:",
        "",
        *(f"- {escaped(line)}" for line in report.differs or ("nothing that was planned",)),
        "",
        *(f"- {line}" for line in report.summary),
        "",
        "What was not shown:",
        "",
        *(f"- {line}" for line in report.limits),
        "",
        "| B less A | arm | A | B | cells | difference | 95 % interval | last cycle | 95 % interval |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_row(row) for row in report.rows),
    ]
    return "\n".join(lines) + "\n"


def _row(row: Row) -> str:
    overall, last = row.paired.difference, row.paired.last
    cells = (
        row.measure.label,
        row.right_arm.value,
        figure(row.left),
        figure(row.right),
        str(row.paired.pairs),
        figure(overall.estimate),
        interval(overall),
        figure(last.estimate),
        interval(last),
    )
    return f"| {' | '.join(cells)} |"


def write_comparison(report: ComparisonReport, folder: Path) -> tuple[Path, ...]:
    """Write `comparison.html`, `comparison.md` and `comparison.json` into a folder; returns the three.

    Raises OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "comparison.html": page(report),
        "comparison.md": markdown(report),
        "comparison.json": report.model_dump_json(indent=1) + "\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return tuple(folder / name for name in texts)
