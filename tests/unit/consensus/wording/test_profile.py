import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.wording.lexical import root
from consensus.wording.profile import Profile, profile_of
from consensus.wording.typed_values import rounded_forms
from language.words import content_words


def has_all(claim: str, ground: str) -> bool:
    return not Profile(claim).lacking(Profile(ground))


@pytest.mark.parametrize(
    ("claim", "ground"),
    [
        ("It takes 120 seconds.", "within 120 s"),
        ("It takes 120 s.", "it says 120 there"),
        ("It says 120.", "within 120 s"),
        ("It costs 9,000 USD a month.", "9,000 USD"),
        ("It costs $6,147.", "the total is 6,147 USD per month"),
        ("The file helpers.py fails.", "see app/helpers.py"),
        ("Host rds-cache-01 is full.", "rds-cache-01:6380 is at 99 %"),
        ("It is due on 14 June at 07:30.", "Friday 14 June. We meet at 07:30."),
        ("It ends in June.", "It ends on 14 June."),
    ],
)
def test_a_figure_is_found_in_other_writing(claim: str, ground: str) -> None:
    assert has_all(claim, ground)


@pytest.mark.parametrize(
    ("claim", "ground"),
    [
        ("It takes 120 s.", "within 120 m"),
        ("It costs 9,000 USD per month.", "9,000 USD per year"),
        ("Commit b51f7c0 is live.", "b51f0c7 is live"),
        ("It is due on 14 June.", "due on 15 June"),
        ("It is due on 14 June.", "due in June"),
        ("It starts at 07:30.", "at 17:30"),
        ("It ran 94 times.", "it ran 45 times"),
    ],
)
def test_another_figure_is_not_taken_for_it(claim: str, ground: str) -> None:
    assert not has_all(claim, ground)


def test_parts_of_identifiers_are_words_too() -> None:
    assert {"ll_session", "session"} <= Profile("`ll_session` is set").terms


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("EKS is ruled out.", 1),
        ("EKS is not ruled out.", 2),
        ("EKS isn't used.", 1),
        ("EKS is used.", 0),
        ("Odile refuses the waiver.", 1),
        ("The rule is out now.", 0),
    ],
)
def test_denials_and_refusals_are_counted(text: str, denials: int) -> None:
    assert Profile(text).denials == denials


def test_a_profile_is_remembered() -> None:
    assert profile_of("the same text") is profile_of("the same text")


@given(st.text(max_size=200))
def test_any_text_can_be_read_and_has_its_own_figures(text: str) -> None:
    profile = Profile(text)
    assert profile.lacking(profile) == ()
    assert frozenset(profile.order) <= frozenset(map(root, content_words(text)))


def test_a_rounded_number_is_found_by_its_forms() -> None:
    assert "71 percent" in rounded_forms(Profile("The drop is 70.9 percent."))
    assert "any:45" in rounded_forms(Profile("It falls by 45.2 in all."))
    assert rounded_forms(Profile("It is 71 percent.")) == set()


def test_readings_of_one_token_meet() -> None:
    assert Profile("Chaoborus 0.03 per day").has(Profile("a share of 0.03").marks[0])
    assert Profile("Marlow-34B is out").has(Profile("34B is out").marks[0])
    assert not Profile("rds-cache-01 is full").has(Profile("rds-sess-01 is full").marks[0])
