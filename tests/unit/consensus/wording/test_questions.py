"""Open questions in their forms: asked, told with "whether", with a reason and without."""

from itertools import combinations

import pytest

from consensus.build import build_consensus
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from consensus.wording.profile import profile_of
from consensus.wording.questions import asks_part_of, question_of
from dissolution.claims import Section
from dissolution.policy.job_policy import ConsensusPolicy
from dissolution.ports.models import Embedder
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement

ASKED = "Is the map room green or blue?"
FORMS = (
    ASKED,
    "Whether the map room is green or blue is open.",
    "It is open whether the map room is green or blue.",
    "It is open whether the map room is green or blue, because nobody has asked the painter.",
    "Is the map room green or blue? The samples are late.",
)
EMBEDDERS = (
    pytest.param(HashingEmbedder(), id="hashing"),
    pytest.param(SentenceTransformerEmbedder(threads=1), id="minilm", marks=pytest.mark.slow),
)
TALK = a_snapshot("The map room may be green or blue, that is open.", "The samples of the painter are late.")


def asks(part: str, whole: str) -> bool:
    return asks_part_of(profile_of(part), profile_of(whole))


@pytest.mark.parametrize("embedder", EMBEDDERS)
@pytest.mark.parametrize("other", FORMS[1:])
def test_two_forms_of_one_question_are_one_claim_of_two_families(other: str, embedder: Embedder) -> None:
    said = [a_statement(ASKED, "ann", Section.EDGES), a_statement(other, "bea", Section.EDGES)]
    found = build_consensus(
        said, TALK, embedder, ConsensusPolicy(embedder=embedder.stamp.model), job="job-1", answers={}
    )
    (claim,) = found.claims
    assert claim.support.families == ("alpha", "beta")
    assert claim.text in {ASKED, other}


def test_without_a_reason_all_forms_meet_the_one_with_it() -> None:
    assert all(asks(form, FORMS[3]) for form in FORMS if form != FORMS[3] and form != FORMS[1])
    assert all(asks(ASKED, form) for form in FORMS)


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        (ASKED, "Is the map room green or red?"),
        (ASKED, "Why is the map room green or blue?"),
        (ASKED, "Is the reading room green or blue?"),
        (ASKED, "It is open whether the map room is not green or blue."),
        (ASKED, "The map room is green or blue."),
        (ASKED, "Ada reports by noon whether the map room is green or blue."),
        ("Is it open?", "Is it open or shut?"),
        ("Has the map room 12 m2 or 14 m2?", "Has the map room 12 m2 or 15 m2?"),
        (f"{ASKED} Ada says on 3 May.", f"{ASKED} Ada says on 5 May."),
        (f"{ASKED} It is painted.", f"{ASKED} It is not painted."),
    ],
)
def test_other_matters_stay_apart(part: str, whole: str) -> None:
    assert not asks(part, whole)
    assert not asks(whole, part)


def test_a_statement_outside_edges_is_no_question() -> None:
    said = [a_statement(ASKED, "ann", Section.KNOWN), a_statement(FORMS[2], "bea", Section.KNOWN)]
    found = build_consensus(said, TALK, HashingEmbedder(), ConsensusPolicy(), job="job-1", answers={})
    assert all(len(item.support.families) == 1 for item in (*found.claims, *found.dissent))


@pytest.mark.parametrize("text", ["The map room is green.", "See http://x.org/a?b=1 for the map room.", ""])
def test_what_neither_asks_nor_says_whether_is_no_question(text: str) -> None:
    assert question_of(text) is None


def test_what_is_asked_and_what_is_added_are_told_apart() -> None:
    found = question_of(FORMS[4])
    assert found is not None
    assert (found.asked.text, found.added.text) == (ASKED, "The samples are late.")
    for one, two in combinations((FORMS[1], FORMS[2]), 2):
        told = [question_of(one), question_of(two)]
        assert all(each is not None and each.asked.text.casefold().startswith("whether") for each in told)
