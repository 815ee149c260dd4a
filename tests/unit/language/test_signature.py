"""The linguistic signature, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.values import NotMeasured
from language.signature import forbidden_phrases, signature, tamed


def test_shares_are_counted_by_hand() -> None:
    found = signature("I know the lake. We chose pike in 2019. Two models. It will grow.")
    # Four sentences; "I" and "We" in two; of three with a tense (present, past, future) one is present.
    assert found.sentences == 4
    assert found.first_person_share == 2 / 4
    assert found.present_tense_share == 1 / 3
    assert found.forbidden_phrases == ()


def test_nothing_to_measure_is_not_zero() -> None:
    found = signature(" \n ")
    assert found.sentences == 0
    assert found.first_person_share == NotMeasured(not_measured="no sentences")
    found = signature("Two models, 40 documents.")
    assert found.first_person_share == 0.0
    assert found.present_tense_share == NotMeasured(not_measured="no sentence whose tense the rules can tell")


@pytest.mark.parametrize(
    "text", ["Route I is out.", "The US pays.", "Mine is not here: phase I.".replace("Mine", "It"), "I/O waits."]
)
def test_letters_that_are_no_pronoun(text: str) -> None:
    assert signature(text).first_person_share == 0.0


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("We discussed that it stays.", "We discussed"),
        ("the user and the assistant have also talked about it", "the user and the assistant have also talked about"),
        ("The conversation covered pricing.", "The conversation covered"),
        ("Our discussion then turned to Spot.", "Our discussion then turned to"),
        ("It was discussed whether it helps.", "It was discussed"),
        ("Views were discussed but not decided.", "were discussed"),
        ("As mentioned, it stays.", "As mentioned"),
        ("As we  noted it stays.", "As we noted"),
        ("Earlier we said no.", "Earlier we said"),
        ("Nothing in this conversation closes it.", "in this conversation"),
    ],
)
def test_forbidden(text: str, phrase: str) -> None:
    assert forbidden_phrases(text) == (phrase,)


@pytest.mark.parametrize(
    "text", ["The talk is on Monday.", "We cover the cost.", "Prices are discussed with counsel only.", "I mention it."]
)
def test_allowed(text: str) -> None:
    assert forbidden_phrases(text) in ((), ("are discussed",))
    assert "We cover" not in forbidden_phrases(text)


def test_each_spelling_is_listed_once() -> None:
    assert forbidden_phrases("We discussed A. We discussed B. we discussed C.") == ("We discussed", "we discussed")


def test_long_runs_of_stops_are_one_stop() -> None:
    assert tamed("Yes" + "." * 12 + "No") == "Yes." + " " * 11 + "No"
    assert tamed("Yes... No?!") == "Yes... No?!"
    assert signature("Yes" + "." * 300_000 + "x").sentences == 2


@given(st.text(max_size=200))
def test_never_raises_and_stays_in_range(text: str) -> None:
    found = signature(text.encode("utf-8", "replace").decode())
    for share in (found.first_person_share, found.present_tense_share):
        assert isinstance(share, NotMeasured) or 0 <= share <= 1
