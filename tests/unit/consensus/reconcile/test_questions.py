"""Questions and what answers them."""

import pytest

from consensus.reconcile.questions import answers
from dissolution.claims import Mark, Section
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim

ASKED = "Which host does the rcli alias reach? It is not looked up yet."


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The rcli alias reaches host rds-cache-01.", True),
        ("The rcli alias is used by Tobias.", False),
        ("Perhaps the rcli alias reaches host rds-cache-01.", False),
        ("Whether the rcli alias reaches a host is open.", False),
    ],
)
def test_an_answer_speaks_of_all_that_is_asked_for_certain(said: str, *, expected: bool) -> None:
    snapshot = a_snapshot(ASKED, "I look.", said)
    assert answers(a_claim(said, snapshot, 3), a_claim(ASKED, snapshot, 1, Section.EDGES)) is expected


def test_older_words_pinned_and_contested_questions_and_questions_themselves_are_no_matter() -> None:
    said = "The rcli alias reaches host rds-cache-01."
    snapshot = a_snapshot(said, "Hm.", ASKED)
    question = a_claim(ASKED, snapshot, 3, Section.EDGES)
    assert not answers(a_claim(said, snapshot, 1), question)
    later = a_snapshot(ASKED, "Hm.", said)
    asked = a_claim(ASKED, later, 1, Section.EDGES)
    assert answers(a_claim(said, later, 3), asked)
    for mark in (Mark.PINNED, Mark.CONTESTED):
        assert not answers(a_claim(said, later, 3), asked.model_copy(update={"marks": (mark,)}))
    assert not answers(a_claim(said, later, 3, Section.EDGES), asked)
    assert not answers(a_claim(said, later, 3), a_claim(said, later, 1))


def test_a_short_question_is_answered_by_nothing() -> None:
    snapshot = a_snapshot("Which host?", "Hm.", "The host is a1.")
    assert not answers(a_claim("The host is a1.", snapshot, 3), a_claim("Which host?", snapshot, 1, Section.EDGES))
