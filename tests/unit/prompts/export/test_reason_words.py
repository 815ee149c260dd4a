"""Stored reasons are told in words; every reason, fault and action has some."""

import pytest

from dissolution.claims import DissentReason, Section
from dissolution.framing import Action
from dissolution.reviewing import Fault
from prompts.export.dissent_words import SHORT, WHY, dissent_in_words
from prompts.export.reason_words import ACTION_WORDS, FAULT_WORDS, reason_in_words
from tests.unit.prompts.export.boundaries import a_dissent


def test_nothing_that_is_stored_lacks_words() -> None:
    assert set(WHY) == set(SHORT) == set(DissentReason)
    assert set(FAULT_WORDS) == set(Fault)
    assert set(ACTION_WORDS) == set(Action)


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ("families: KNOWN 1", "stated as KNOWN by 1 family"),
        ("families: DECIDED 3, KNOWN 1", "stated as DECIDED by 3 families, as KNOWN by 1 family"),
        ("review: same as, say m1, m2", "reviewers m1, m2: the same said twice"),
        ("review: missing, say m1 (turn 24)", "reviewer m1: missing (turn 24)"),
        (
            "review: stale or false, say a, b (turns 2, 9): c1 holds",
            "reviewers a, b: holds no longer or not what was said",
        ),
        ("a person said so", "a person said so"),
    ],
)
def test_votes_and_remarks_become_sentences_and_anything_else_stays(stored: str, told: str) -> None:
    assert reason_in_words(stored).startswith(told)


@pytest.mark.parametrize(
    ("reason", "detail", "told"),
    [
        (
            DissentReason.FEW_FAMILIES,
            "1 of 2 families; evidence 0.42 is below 0.55 asked of a single source",
            "too few models state it, and its words fit the turns too loosely",
        ),
        (
            DissentReason.FEW_FAMILIES,
            "1 of 2 families; the policy admits no single source",
            "too few models state it, and the policy takes nothing on one family's word",
        ),
        (
            DissentReason.INJECTED,
            "kept from binding: its words stand in quoted material of turn 44 alone",
            "its words stand in quoted or pasted text alone, which binds nobody (turn 44)",
        ),
        (DissentReason.CONTAINED, "contained: 16 % of it is new", "what stands already says it"),
        (DissentReason.SIZE, "no room: 12 of 10 words stand", "there was no room for it, and others matter more"),
        (
            DissentReason.REVIEWED,
            "review: guess, say m1, m2 (turn 3)",
            "reviewers say that it does not stand as it is: reviewers m1, m2: only guessed (turn 3)",
        ),
    ],
)
def test_what_was_set_aside_says_why_without_the_arithmetic(reason: DissentReason, detail: str, told: str) -> None:
    item = a_dissent("d1", "It rains.").model_copy(update={"reason": reason, "detail": detail})
    assert item.section is Section.KNOWN
    assert dissent_in_words(item) == told
