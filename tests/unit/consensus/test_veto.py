import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.profile import Profile
from consensus.veto import head_of, lead_of, lead_words, other_thing, same_subject, shared_words, subject


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("The session Redis runs allkeys-lru.", "the session redis"),
        ("The outage began on db-west-2.", "the outage"),
        ("The nightly runs are green.", "the nightly runs"),
        ("The costs of the move are high.", "the costs of the move"),
        ("The closed gate stays shut.", "the closed gate"),
        ("No verb here", "no verb here"),
        ("", ""),
    ],
)
def test_the_lead_ends_at_the_first_verb(text: str, lead: str) -> None:
    assert lead_of(Profile(text)) == lead


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("The money for infrastructure is 6,400 USD a month.", "budget"),
        ("The infrastructure budget of Tidewater is 9,000.", "budget"),
        ("12 is a number.", None),
        ("", None),
    ],
)
def test_the_head_is_what_the_lead_names_first(text: str, head: str | None) -> None:
    assert head_of(Profile(text)) == head


def test_figures_units_and_words_of_standing_are_no_subject() -> None:
    assert subject(Profile("The 12 tonnes of ore are still unverified.")) == frozenset({"ton", "ore"})
    assert lead_words(Profile("Twelve big crates are late.")) == frozenset({"big", "crat"})


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ({"redis", "sess"}, {"rds", "sess"}, 2),
        ({"configuration"}, {"conf"}, 1),
        ({"lake"}, {"tower"}, 0),
        ({"a3"}, {"a31"}, 0),
        (set[str](), {"lake"}, 0),
    ],
)
def test_short_forms_stand_for_long_ones(one: set[str], two: set[str], same: int) -> None:
    assert shared_words(frozenset(one), frozenset(two)) == same
    assert shared_words(frozenset(two), frozenset(one)) == same


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The maximum depth is 11 m.", "The mean depth is 4 m."),
        ("The figure is due on 3 May.", "The draft is due on 5 May."),
        ("The rent for the shop is 900 EUR.", "The rent for the flat is 700 EUR."),
        ("The p value of roach to Daphnia is 0.6.", "The p value of Daphnia to algae is 0.8."),
    ],
)
def test_other_things_with_much_in_common(one: str, two: str) -> None:
    assert other_thing(Profile(one), Profile(two))
    assert other_thing(Profile(two), Profile(one))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The approved budget of Tidewater is 9,000.", "The money for Tidewater is 6,400."),
        ("More than 10 errors in an hour send it back.", "On more than 5 errors in an hour it goes back."),
        ("With more than 5 errors web-a3 goes back.", "More than 10 failures take web-a3 back."),
        ("Is", "Is"),
        ("", ""),
    ],
)
def test_the_same_thing_in_other_words(one: str, two: str) -> None:
    assert not other_thing(Profile(one), Profile(two))
    assert not other_thing(Profile(two), Profile(one))


@given(st.text(max_size=80), st.text(max_size=80))
def test_both_ways_the_same_answer(one: str, two: str) -> None:
    a, b = Profile(one), Profile(two)
    assert same_subject(a, b) == same_subject(b, a)
    assert other_thing(a, b) == other_thing(b, a)
