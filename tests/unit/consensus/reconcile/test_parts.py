"""What is left of a claim of which a part ends."""

import pytest

from consensus.reconcile.parts import left_of, parts_of, sentences_of
from dissolution.claims import Section
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim

LONG = "I use British spelling, explain each symbol at first use, and keep replies to 200 words."


def test_sentences_clauses_and_what_one_subject_does_are_parts() -> None:
    assert sentences_of(LONG) == (
        "I use British spelling.",
        "I explain each symbol at first use.",
        "I keep replies to 200 words.",
    )
    assert sentences_of("The cache is 1 GB; the queue is empty. Nothing else.") == (
        "The cache is 1 GB",
        "the queue is empty.",
        "Nothing else.",
    )
    assert sentences_of("We like tea and biscuits.") == ("We like tea and biscuits.",)
    assert sentences_of("We wait.") == ("We wait.",)


def test_what_nothing_touches_goes_on_as_one_claim() -> None:
    snapshot = a_snapshot(LONG)
    claim = a_claim(LONG, snapshot, 1, Section.IDENTITY)
    left = left_of(claim, lambda part: "200" in part, [], "job-2")
    assert left is not None
    assert left.text == "I use British spelling; I explain each symbol at first use."
    assert left.id != claim.id
    assert left.evidence == claim.evidence
    assert left.section is Section.IDENTITY


def test_nothing_is_left_of_one_part_of_a_whole_end_or_of_what_others_say() -> None:
    snapshot = a_snapshot(LONG)
    claim = a_claim(LONG, snapshot, 1, Section.IDENTITY)
    assert left_of(claim, lambda _: True, [], "job-2") is None
    assert left_of(claim, lambda _: False, [], "job-2") is None
    assert left_of(a_claim("We wait.", snapshot, 1), lambda _: True, [], "job-2") is None
    others = ["I use British spelling.", "I explain each symbol at first use."]
    left = left_of(claim, lambda part: "200" in part, others[1:], "job-2")
    assert left is not None
    assert left.text == "I use British spelling."


def test_a_part_whose_words_do_not_tell_its_evidence_keeps_all_of_it() -> None:
    snapshot = a_snapshot("Something else was said here.")
    claim = a_claim("The cache is 1 GB; the queue is full of letters.", snapshot, 1)
    left = left_of(claim, lambda part: "cache" in part, [], "job-2")
    assert left is not None
    assert (left.text, left.evidence) == ("the queue is full of letters.", claim.evidence)
    assert parts_of(claim) == ("The cache is 1 GB", "the queue is full of letters.")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "The cache holds 512 MB and the nightly backup starts at 02:00.",
            ("The cache holds 512 MB", "The nightly backup starts at 02:00."),
        ),
        ("Ann owns billing, and Bob owns search.", ("Ann owns billing", "Bob owns search.")),
        (
            "We use Postgres 14, but the staging site runs Postgres 16.",
            ("We use Postgres 14", "The staging site runs Postgres 16."),
        ),
    ],
)
def test_clauses_with_a_subject_and_a_verb_each_are_parts(text: str, parts: tuple[str, ...]) -> None:
    assert sentences_of(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "The gap between the north and the south site is 3 km.",
        "If the cache fails and the disk is full, we stop.",
        "The licence stays Apache-2.0, as Goran and the board decided.",
        "Ann and the board decided on Rust.",
        "The report covers the north and the south.",
    ],
)
def test_what_only_lists_or_reaches_over_a_joint_stays_whole(text: str) -> None:
    assert sentences_of(text) == (text,)
