"""Structures by which something is turned down, each with the thing that is."""

import pytest

from frame_agent.refusals import CONTRASTS, FORMS
from frame_agent.terms import terms_of

THING = terms_of("roof garden")


@pytest.mark.parametrize(
    "text",
    [
        "Forget the roof garden.",
        "Skip the roof garden.",
        "The board turned the roof garden down.",
        "The roof garden got the chop.",
        "The roof garden doesn't hold.",
        "We are not going to use the roof garden.",
        "I refuse to build the roof garden.",
        "The roof garden? No.",
        "The roof garden: Piet says no.",
        "That kills the roof garden.",
        "Nobody wants the roof garden.",
        "We called off the roof garden.",
    ],
)
def test_what_is_turned_down_is_named(text: str) -> None:
    assert any(terms_of(match["thing"]) >= THING for form in FORMS for match in form.finditer(text))


@pytest.mark.parametrize("text", ["We picked the terrace over the roof garden.", "The terrace, not the roof garden."])
def test_a_contrast_names_what_it_leaves(text: str) -> None:
    assert any(terms_of(match["thing"]) >= THING for form in CONTRASTS for match in form.finditer(text))


@pytest.mark.parametrize(
    "text", ["The roof garden opens in May.", "The tests run in 40 seconds.", "The deposit is paid."]
)
def test_a_plain_statement_turns_nothing_down(text: str) -> None:
    assert not any(form.search(text) for form in (*FORMS, *CONTRASTS))


def test_a_long_line_without_marks_is_read_at_once() -> None:
    assert not any(form.search("so " + "word " * 120) for form in FORMS)
