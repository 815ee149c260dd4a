"""Charts are vectors with text, and repeatable."""

from xml.etree import ElementTree as ET

import pytest

from reports.drawing import Marker, Panel, Series, draw_svg

LINE = Series(name="drift", x=(1, 2, 3), y=(0.1, 0.4, 0.2), low=(0.0, 0.3, 0.1), high=(0.2, 0.5, 0.3))


def a_panel(*series: Series, markers: tuple[Marker, ...] = ()) -> Panel:
    return Panel(x_label="turn", y_label="distance (cosine)", series=series or (LINE,), markers=markers)


def test_a_chart_is_one_svg_document_with_its_words_as_text() -> None:
    drawn = draw_svg([a_panel()])
    assert ET.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own bytes
    assert "distance (cosine)" in drawn


def test_the_same_values_give_the_same_bytes() -> None:
    assert draw_svg([a_panel(), a_panel()]) == draw_svg([a_panel(), a_panel()])


def test_the_size_is_the_one_asked_for() -> None:
    assert 'width="144pt" height="72pt"' in draw_svg([a_panel()], width_in=2, height_in=1)


@pytest.mark.parametrize("shape", ["line", "step", "points", "bars"])
def test_every_shape_changes_what_is_drawn(shape: str) -> None:
    shaped = LINE.model_copy(update={"shape": shape, "name": "other"})
    assert draw_svg([a_panel(LINE)]) != draw_svg([a_panel(LINE, shaped)])
    assert "other" in draw_svg([a_panel(LINE, shaped)])


def test_markers_of_one_name_stand_in_the_legend_once() -> None:
    fired = tuple(Marker(name="fired here", at=at) for at in (1.5, 2.5))
    limit = Marker(name="limit", at=0.3, axis="y")
    drawn = draw_svg([a_panel(markers=(*fired, limit))])
    assert drawn.count(">fired here<") == 1
    assert drawn.count(">limit<") == 1


def test_words_and_range_of_axes_are_shown() -> None:
    panel = a_panel().model_copy(update={"x_ticks": ((1.0, "first"), (3.0, "last")), "y_range": (0.0, 1.0)})
    drawn = draw_svg([panel])
    assert ">first<" in drawn
    assert ">1.0<" in drawn


def test_words_cannot_leave_their_place() -> None:
    hostile = a_panel().model_copy(update={"title": "<script>alert(1)</script> & $x_{"})
    drawn = draw_svg([hostile])
    assert "<script>" not in drawn
    assert "$x_{" in drawn
