import numpy as np
import pytest

from consensus.profile import Profile
from consensus.representative import agreed, choose, stands_alone
from consensus.vectors import Matrix
from tests.unit.consensus.made import a_statement

MEMBERS = ("ann", "bea", "cid", "dan")


def chosen(*texts: str, scores: tuple[float, ...] | None = None, distances: Matrix | None = None) -> str:
    said = [a_statement(text, member) for text, member in zip(texts, MEMBERS, strict=False)]
    n = len(texts)
    apart = np.full((n, n), 0.2) - np.eye(n) * 0.2 if distances is None else distances
    return texts[choose(said, [Profile(text) for text in texts], scores or (0.8,) * n, apart)]


def test_it_loses_no_figure_its_group_agrees_on() -> None:
    full = "The canary runs on web-a3 at 07:30."
    assert chosen("The canary runs on web-a3.", full, f"{full} ") == full


def test_it_keeps_the_polarity() -> None:
    assert chosen("Lambda is used.", "Lambda is not used.", "Lambda is never used.") != "Lambda is used."


def test_it_keeps_a_caveat_though_most_leave_it_out() -> None:
    plain, careful = "No letter is lost.", "As far as the user can see, no letter is lost."
    assert chosen(plain, careful, plain, scores=(0.9, 0.8, 0.9)) == careful
    assert chosen(plain, plain) == plain


def test_it_keeps_names() -> None:
    texts = ("The deploys go through Ravi.", "The deploys go through Ravi alone.", "The deploys go through review.")
    assert "Ravi" in chosen(*texts, scores=(0.5, 0.5, 0.9))


def test_names_outrank_the_lead_where_they_cost_hardly_a_word() -> None:
    texts = ("The deploys go through the release manager.", "The deploys go through Ravi, the release manager.")
    said = [a_statement(texts[0], "ann"), a_statement(texts[1], "bea"), a_statement(texts[1], "cid")]
    profiles = [Profile(statement.claim.text) for statement in said]
    apart = np.full((3, 3), 0.2) - np.eye(3) * 0.2
    assert choose(said, profiles, (0.9, 0.9, 0.9), apart, "ann") != 0
    assert choose(said, profiles, (0.9, 0.5, 0.5), apart, "ann") == 0, "it would rest on less"
    longer = "The deploys go through Ravi, the release manager, who is back from his leave on the islands."
    said[1:] = [a_statement(longer, "bea"), a_statement(longer, "cid")]
    assert choose(said, [Profile(one.claim.text) for one in said], (0.9, 0.9, 0.9), apart, "ann") == 0


def test_it_rests_on_evidence() -> None:
    assert chosen("One way.", "Other way.", scores=(0.0, 0.5)) == "Other way."


def test_it_stands_alone() -> None:
    assert chosen("It runs daily.", "The job runs daily.", scores=(0.9, 0.5)) == "The job runs daily."


def test_it_lies_nearest_the_middle_and_ties_go_by_the_alphabet() -> None:
    apart = np.array([[0, 0.1, 0.1], [0.1, 0, 0.4], [0.1, 0.4, 0]])
    assert chosen("mid", "end", "far", distances=apart) == "mid"
    assert chosen("beta", "alfa") == "alfa"


@pytest.mark.parametrize(("text", "alone"), [("", False), ("They run.", False), ("The job.", True), ("w " * 61, False)])
def test_what_can_be_read_alone(text: str, alone: bool) -> None:  # noqa: FBT001 - a table
    assert stands_alone(text) is alone


def test_agreement_is_by_family() -> None:
    said = [a_statement("a", "ann"), a_statement("b", "abe"), a_statement("c", "bea")]
    profiles = [Profile("42"), Profile("42"), Profile("none")]
    assert agreed(said, profiles, lambda profile: profile.figures) == frozenset()
