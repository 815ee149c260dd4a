"""Joined facts are parted only where nothing reaches over the joint, and every word of a part was said."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.build import build_consensus
from consensus.compound import CARRIED_WORDS, Carried, parts
from consensus.hashing import HashingEmbedder
from dissolution.claims import Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.policy import ConsensusPolicy
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement


def texts(sentence: str) -> list[str]:
    return [part.text for part in parts(sentence)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Postgres is 1.3.0 and Fargate is ruled out because it costs too much.",
            ["Postgres is 1.3.0", "Fargate is ruled out because it costs too much."],
        ),
        ("We use Redis and Kafka is ruled out.", ["We use Redis", "Kafka is ruled out."]),
        ("The lake was deep, but the river was dry.", ["The lake was deep", "the river was dry."]),
        ("The API is in Go; the UI is in Elm; Rust is out.", ["The API is in Go", "the UI is in Elm", "Rust is out."]),
        ("Roach is withdrawn; perch and pike are out.", ["Roach is withdrawn", "perch and pike are out."]),
        ("We don't use Redis and Kafka isn't chosen.", ["We don't use Redis", "Kafka isn't chosen."]),
    ],
)
def test_clauses_with_subjects_of_their_own_are_verbatim_parts(sentence: str, expected: list[str]) -> None:
    found = parts(sentence)
    assert [part.text for part in found] == expected
    assert {part.carried for part in found} == {Carried.NOTHING}
    assert all(sentence[part.start :].startswith(part.text) for part in found)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "A certificate takes 14 weeks, belongs to its producer and cannot be transferred.",
            [
                "A certificate takes 14 weeks",
                "A certificate belongs to its producer",
                "A certificate cannot be transferred.",
            ],
        ),
        ("Henrike owns the window and gives the go.", ["Henrike owns the window", "Henrike gives the go."]),
        ("The job has failed and will never restart.", ["The job has failed", "The job will never restart."]),
    ],
)
def test_a_shared_subject_is_carried_over(sentence: str, expected: list[str]) -> None:
    found = parts(sentence)
    assert [part.text for part in found] == expected
    assert [part.carried for part in found] == [Carried.NOTHING, *[Carried.SUBJECT] * (len(found) - 1)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A, B and C are decided.", ["A is decided.", "B is decided.", "C is decided."]),
        (
            "Redis, the old queues and `kafka-2` were ruled out.",
            ["Redis was ruled out.", "the old queues were ruled out.", "`kafka-2` was ruled out."],
        ),
        (
            "The 20 percent discount and 15 percent growth are unconfirmed.",
            ["The 20 percent discount is unconfirmed.", "15 percent growth is unconfirmed."],
        ),
    ],
)
def test_a_state_shared_by_several_is_said_of_each(sentence: str, expected: list[str]) -> None:
    found = parts(sentence)
    assert [part.text for part in found] == expected
    assert {part.carried for part in found} == {Carried.PREDICATE}


WHOLE = [
    "The gap between Anna and Ben is large.",  # one thing about two
    "Anna and Ben are both leads.",
    "Anna and Ben are married.",
    "Anna and Ben are open together.",
    "A and B are 3 and 4 respectively.",
    "Either the API is in Go or the UI is in Elm and Rust is out.",
    "If the test holds, Anna is in and Ben is out.",  # a condition over both
    "Anna is in and Ben is out if the test holds.",
    "When it rains, the lake is deep and the river is wet.",
    "In version 2, the API is in Go and the UI is in Elm.",
    "He says Anna is in and Ben is out.",  # what somebody says
    "I think the API is in Go and the UI is in Elm.",
    "We know that the API is in Go and the UI is in Elm.",
    "Perhaps the API is in Go and the UI is in Elm.",
    'The note is "Anna is in and Ben is out".',  # quotations, code, brackets
    "The line is `a is on and b is off` for now.",
    "The list is closed (Anna is in and Ben is out).",
    "Is Anna in and is Ben out?",  # questions
    "Why the API is slow and the UI is fast.",
    "The API is in Go and it is slow.",  # what points back
    "The API is in Go; this is final.",
    "The API is in Go and its tests are slow.",
    "Churn is 3 percent and the 540 is borrowed.",
    "Perch is withdrawn, pike and roach are out.",  # not "roach are out"
    "Old and new rules are open.",  # one head for two
    "Layers 11-20 and 13-24 are fixed beforehand in 2 runs and 3 trials.",
    "No ship and no boat are required.",
    "Nobody has the key and will leave.",  # "nobody will leave" is another claim
    "The price is 55 and always was.",
    "The paper explains and proposes no remedy.",  # one object for two verbs
    "I advise the DBA, who owns the plan and has the key.",
    "The plan and the date are for Anna, and Ben.",
    "The API is in Go, and perch, Pike and roach were out.",  # a subject of several after a joint
    "In Porto and In Braga are closed.",  # no subjects
    "12 and 13 are closed.",
    "The API contains Go and Rust are closed.",
    "The price of it and The date are closed.",
    "The plan for Anna and The date are closed.",
    "Everything here: the API is in Go and the UI is in Elm:",
    "Der Server läuft und die Datenbank ist neu.",
    "It holds.",
    "",
    "x " * 400 + "is on and y is off.",
]


@pytest.mark.parametrize("sentence", WHOLE)
def test_what_reaches_over_a_joint_leaves_the_sentence_whole(sentence: str) -> None:
    assert texts(sentence) == [sentence]


@given(
    st.lists(
        st.sampled_from(
            [
                "the",
                "API",
                "is",
                "3",
                "and",
                ",",
                ";",
                "but",
                "Anna",
                "Ben",
                "uses",
                "needs",
                "out",
                "if",
                "it",
                "are",
                "(",
                ")",
                '"',
                "`",
            ]
        )
    )
)
def test_any_part_is_made_of_the_sentences_own_words(picked: list[str]) -> None:
    sentence = " ".join(picked)
    found = parts(sentence)
    assert found
    allowed = [*re.findall(r"\w+", sentence), "is", "was"]
    for part in found:
        assert all(word in allowed for word in re.findall(r"\w+", part.text))
        assert 0 <= part.start <= len(sentence)


TURNS = (
    "The database contains pgBouncer 1.3.0.",
    "Fargate is ruled out because of its price.",
)


def test_support_is_counted_for_what_each_said_and_told_where_the_whole_stands() -> None:
    """One family says all three, two others one of them each; the whole has one family and tells who said what."""
    joined = "The database contains pgBouncer 1.3.0 and has no replica; Fargate is ruled out because of its price."
    said = [
        a_statement(joined, "ann", turns=(1, 2)),
        a_statement("The database contains pgBouncer 1.3.0.", "bea", turns=(1,)),
        a_statement("The database has no replica.", "cid"),
    ]
    snapshot = a_snapshot(*TURNS, "The database has no replica in the new pool.")
    found = heard(said, snapshot)
    (claim,) = [claim for claim in found.claims if claim.text == joined]
    assert claim.support.families == ("alpha",)
    assert "“The database contains pgBouncer 1.3.0” alpha, beta" in claim.reason
    assert "“Fargate is ruled out because of its price.” alpha" in claim.reason


def test_a_part_that_stands_alone_tells_what_was_carried_over() -> None:
    """The first half says what the conversation does not, so that the second stands by itself."""
    said = [
        a_statement("The database contains a unicorn and has no replica.", "ann"),
        a_statement("The database contains a unicorn and has no replica.", "bea"),
    ]
    found = heard(said, a_snapshot("The database has no replica in the new pool."))
    (claim,) = found.claims
    assert claim.text == "The database has no replica."
    assert claim.reason.endswith(CARRIED_WORDS[Carried.SUBJECT])
    assert [item.text for item in found.dissent] == ["The database contains a unicorn"]
    assert CARRIED_WORDS[Carried.SUBJECT] not in found.dissent[0].detail


def heard(said: list[Statement], snapshot: Snapshot) -> Consensus:
    policy = ConsensusPolicy(distance_threshold=0.3, embedder="hashing", evidence_floor=0.6)
    return build_consensus(said, snapshot, HashingEmbedder(), policy, job="j", answers={})
