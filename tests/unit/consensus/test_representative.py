import pytest

from consensus.profile import profile_of
from consensus.representative import choose, stands_alone
from tests.unit.consensus.made import a_statement

MEMBERS = ("ann", "bea", "cid", "dan")


def chosen(*texts: str, scores: tuple[float, ...] | None = None) -> str:
    said = [a_statement(text, member) for text, member in zip(texts, MEMBERS, strict=False)]
    return texts[choose(said, [profile_of(text) for text in texts], scores or (0.8,) * len(texts))]


def test_the_fullest_wording_speaks() -> None:
    full = "The canary runs on web-a3 under Ravi before the other two nodes."
    assert chosen("The canary runs on web-a3.", full, "The canary runs on web-a3 under Ravi.") == full


def test_it_keeps_what_all_say() -> None:
    assert "07:30" in chosen("At 07:30 the canary runs.", "Each canary on each of these nodes runs at 07:30.")


def test_a_value_that_most_who_state_one_do_not_state_does_not_speak() -> None:
    """Two families say that the store has 512 MB, one adds another size that nobody bears out."""
    odd = "The store has 512 MB, and it may grow to 900 MB in the new year of the lease."
    assert chosen("The store has 512 MB.", odd, "512 MB is what the store has.") != odd


def test_it_rests_on_evidence() -> None:
    assert chosen("One way.", "Other way around.", scores=(0.5, 0.0)) == "One way."


def test_it_is_one_claim() -> None:
    assert chosen(f"The job runs daily {'now ' * 60}", "The job runs daily.") == "The job runs daily."


def test_ties_go_by_length_and_by_the_alphabet() -> None:
    assert chosen("beta", "alfa") == "alfa"


@pytest.mark.parametrize(("text", "alone"), [("", False), ("The job.", True), ("w " * 61, False)])
def test_what_is_one_claim_by_its_length(text: str, alone: bool) -> None:  # noqa: FBT001 - a table
    assert stands_alone(text) is alone
