"""Charts as vectors: the one file that knows matplotlib. The same values give the same bytes."""

import io
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from dissolution.errors import InputError
from dissolution.installed import is_installed
from dissolution.values import Frozen

SALT = "dissolution"
"""Seeds the ids inside an SVG, which are random otherwise."""

Numbers = tuple[float, ...]


class Series(Frozen):
    """Points (x, y) drawn as a line, as steps, as marks alone or as bars; `low` and `high` draw a band about them.

    All of one length; a band needs both of its edges.
    """

    name: str
    x: Numbers
    y: Numbers
    low: Numbers = ()
    high: Numbers = ()
    shape: Literal["line", "step", "points", "bars"] = "line"
    dashed: bool = False


class Marker(Frozen):
    """A line across the panel: at one x (a turn at which something happened) or at one y (a threshold)."""

    name: str  # repeated names stand in the legend once
    at: float
    axis: Literal["x", "y"] = "x"
    dashed: bool = True


class Panel(Frozen):
    """One pair of axes; labels name the quantity and its unit."""

    title: str = ""
    x_label: Annotated[str, Field(min_length=1)]
    y_label: Annotated[str, Field(min_length=1)]
    series: tuple[Series, ...]
    markers: tuple[Marker, ...] = ()
    x_ticks: tuple[tuple[float, str], ...] = ()  # where x is no number: position and words
    y_range: tuple[float, float] | None = None


def check_charts() -> None:
    """Raise InputError where nothing draws charts; who needs them after long work asks before it."""
    if not is_installed("matplotlib"):
        raise InputError("charts need 'matplotlib', which a light install leaves out", "pip install matplotlib")


def draw_svg(panels: Sequence[Panel], *, width_in: float = 8.0, height_in: float | None = None) -> str:
    """An SVG document (UTF-8 text) of the panels, one under the other.

    No display and no global state of the drawing library is used, so charts may be drawn in any thread. Text stays
    text, so that it can be searched, read aloud and shown in the reader's own font; lines differ in dash and mark as
    well as in colour, so that they can be told apart without it.

    Args:
        panels: What is drawn; at least one.
        width_in: Width in inches of 72 units, above 0.
        height_in: Height in inches, above 0; three a panel if None.

    Raises:
        InputError: This installation draws none.
    """
    check_charts()
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style: Any = {
        "svg.hashsalt": SALT,
        "svg.fonttype": "none",
        "text.parse_math": False,
        "font.family": "sans-serif",
        "axes.grid": True,
    }
    library: Any = mpl  # its stubs leave much unsaid: this file is the place where that ends
    with library.rc_context(style):
        height = 3.0 * len(panels) if height_in is None else height_in
        figure: Any = Figure(figsize=(width_in, height), layout="constrained")
        for place, panel in enumerate(panels, start=1):
            _draw_panel(figure.add_subplot(len(panels), 1, place), panel)
        held = io.StringIO()
        figure.savefig(held, format="svg", metadata={"Date": None})
    return held.getvalue()


# Okabe and Ito's palette, which people with any colour vision can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", "--", "-.", ":")
FEW = 40  # points; marks of more than that run into each other
MARKS = ("o", "s", "^", "D", "v", "P", "X")


def _draw_panel(axes: Any, panel: Panel) -> None:  # noqa: ANN401 - an object of the drawing library
    for place, series in enumerate(panel.series):
        _draw_series(axes, series, place, len(panel.series))
    told: set[str] = set()
    for marker in panel.markers:
        line = axes.axvline if marker.axis == "x" else axes.axhline
        label = None if marker.name in told else marker.name
        line(marker.at, color="0.35", linewidth=1.0, linestyle="--" if marker.dashed else "-", label=label)
        told.add(marker.name)
    axes.set_title(panel.title, loc="left", fontsize="medium")
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.grid(alpha=0.25)
    if panel.x_ticks:
        axes.set_xticks([at for at, _ in panel.x_ticks], [words for _, words in panel.x_ticks])
    if panel.y_range is not None:
        axes.set_ylim(*panel.y_range)
    if len(panel.series) > 1 or panel.markers:
        axes.legend(fontsize="small", frameon=False, loc="best")


def _draw_series(axes: Any, series: Series, place: int, count: int) -> None:  # noqa: ANN401 - as above
    colour = COLOURS[place % len(COLOURS)]
    dash = DASHES[1] if series.dashed else DASHES[place % len(DASHES)]
    mark = MARKS[place % len(MARKS)]
    if series.shape == "bars":
        width = 0.8 / count
        shifted = [x + (place - (count - 1) / 2) * width for x in series.x]
        axes.bar(shifted, series.y, width=width, color=colour, label=series.name)
        if series.low and series.high:
            axes.vlines(shifted, series.low, series.high, color="0.2", linewidth=1.2)
        return
    if series.low and series.high:
        axes.fill_between(series.x, series.low, series.high, color=colour, alpha=0.18, linewidth=0)
    if series.shape == "points":
        axes.plot(series.x, series.y, linestyle="none", marker=mark, markersize=4, color=colour, label=series.name)
    elif series.shape == "step":
        axes.step(series.x, series.y, where="post", linestyle=dash, color=colour, label=series.name)
    else:
        shown = mark if len(series.x) <= FEW else ""
        axes.plot(series.x, series.y, dash, marker=shown, markersize=3.5, color=colour, label=series.name)
