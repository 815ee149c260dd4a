"""Claims that differ in one phrase at one place."""

import pytest

from consensus.reconcile.phrases import differing


@pytest.mark.parametrize(
    ("one", "two", "old", "new"),
    [
        ("The train goes to Ely.", "The train goes to Norwich.", "Ely", "Norwich"),
        ("The lead is Ilse.", "The lead is Ravi.", "Ilse", "Ravi"),
        ("The hotel should be a hostel in spirit.", "The hotel should be a castle in spirit.", "", ""),
        ("They want Thai food.", "The food they want is to be Basque.", "Thai", "Basque"),
    ],
)
def test_the_phrase_of_each_is_found(one: str, two: str, old: str, new: str) -> None:
    found = differing(one, two)
    if not old:
        assert found is None or found[0].text != found[1].text
        return
    assert found is not None
    assert (found[0].text, found[1].text) == (old, new)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The staging database is slow.", "The production database is slow."),
        ("The food should be Thai.", "The food should be cheap."),
        ("The lead is Ilse.", "The lead should be Ravi."),
        ("The train goes to Ely.", "The train comes from Norwich."),
        ("The table has 5 legs of oak.", "The table has 5 legs of pine."),
        ("The hotel needs parking.", "The hotel needs wifi."),
        ("The lead of the whole long project in the north is Ilse.", "Ravi."),
    ],
)
def test_other_places_kinds_and_moods_are_no_such_pair(one: str, two: str) -> None:
    assert differing(one, two) is None
