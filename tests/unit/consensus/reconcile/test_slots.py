"""The values of a claim: what kind, which role, what of."""

import pytest

from consensus.reconcile.slots import about, values
from consensus.reconcile.terms import Role


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The table is for 5 people.", {("count:people", "5")}),
        ("A party of 4 will eat there.", {("count:people", "4")}),
        ("A table for 6, please.", {("count:people", "6")}),
        ("A hotel with a star rating of 4.", {("count:star", "4")}),
        ("The swaps are R = 64.", {("symbol:R", "64")}),
        ("They meet on Friday.", {("weekday", "weekday:5")}),
        ("Dinner should be Italian.", {("scale:origin", "italian")}),
        ("They want eastern European food.", {("scale:origin", "eastern european")}),
        ("The pump runs on the left.", {("scale:side", "left")}),
        ("The north office is closed.", {("scale:access", "closed")}),
        ("We eat at Backstreet Bistro.", set[tuple[str, str]]()),
        ("The flat is in North Street.", set[tuple[str, str]]()),
        ("One of them waits.", set[tuple[str, str]]()),
        ("Node a1 is slow.", set[tuple[str, str]]()),
    ],
)
def test_values_have_kinds(text: str, kinds: set[tuple[str, str]]) -> None:
    assert {(value.kind, value.key) for value in values(text)} == kinds


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("The train leaves at 9:15.", {Role.START}),
        ("The train should arrive by 9:15.", {Role.END}),
        ("The bar is open from 9:15.", {Role.START}),
        ("The bar is open until 9:15.", {Role.UNTIL}),
        ("The bar is busy at 9:15.", set[Role]()),
        ("We need at least 9 nodes.", {Role.LEAST}),
        ("We need at most 9 nodes.", {Role.MOST}),
    ],
)
def test_values_have_roles(text: str, roles: set[Role]) -> None:
    assert values(text)[-1].roles == roles


def test_a_clause_without_a_thing_of_its_own_is_about_its_sentence() -> None:
    value = values("The cut-over window is on Sunday, at 04:30.")[-1]
    assert value.kind == "clock"
    assert {"cut", "window"} & value.about or "cut-over" in value.about


def test_words_for_one_thing_are_one() -> None:
    assert about("The place to stay needs parking.") == about("The hotel has parking.")
    assert about("The hotel") != about("The restaurant")
