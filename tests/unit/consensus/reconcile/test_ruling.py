"""What becomes of a held claim beside a newer one."""

import pytest

from consensus.reconcile.ruling import Fate, Ruling, rule, touches
from dissolution.claims import ClaimState, HeldAct, Mark, Section, StatedClaim, Statement
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, a_space


def ruled(
    old: str, new: str, section: Section = Section.KNOWN, *, marks: tuple[Mark, ...] = (), by_user: bool = True
) -> Ruling:
    """The ruling on a claim of turn 1 beside one of a later turn."""
    snapshot = a_snapshot(old, "Fine.", new) if by_user else a_snapshot(old, new)
    held = a_claim(old, snapshot, 1, section, name="c1").model_copy(update={"marks": marks})
    later = a_claim(new, snapshot, snapshot.through, name="c2")
    return rule(held, later, snapshot, a_space(old, new))


@pytest.mark.parametrize(
    ("old", "new", "section"),
    [
        ("The fix is r419.", "r419 (the quick one) is withdrawn.", Section.DECIDED),
        ("We use EKS for the workers.", "We dropped EKS.", Section.DECIDED),
        ("The nightly import job runs on web-a3.", "The nightly import job is scrapped.", Section.DECIDED),
        ("The audit log is public.", "The audit log is not public.", Section.KNOWN),
    ],
)
def test_what_is_given_up_or_denied_ends(old: str, new: str, section: Section) -> None:
    assert ruled(old, new, section).fate is Fate.ENDS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("EKS is ruled out.", "EKS is rejected."),
        ("We use EKS; Fargate is ruled out.", "Fargate is rejected."),
        ("The cache holds 512 MB.", "Nobody deploys on Fridays."),
        ("The workers run on EKS.", "The old scheduler is rejected."),
    ],
)
def test_what_says_the_same_or_something_else_ends_nothing(old: str, new: str) -> None:
    assert ruled(old, new, Section.DECIDED).fate is Fate.NOTHING


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The customer portal keeps audit logs.", "The partner portal never keeps audit logs."),
        ("The staging site uses Redis.", "The production site dropped Redis."),
    ],
)
def test_a_denial_of_what_may_be_another_thing_ends_nothing(old: str, new: str) -> None:
    found = ruled(old, new, Section.DECIDED)
    assert found.fate is not Fate.ENDS
    assert not found.opposed


@pytest.mark.parametrize("marks", [(), (Mark.PINNED,)])
def test_opposites_that_nothing_settles_are_told_from_doubts(marks: tuple[Mark, ...]) -> None:
    found = ruled("The cache holds 512 MB.", "The cache holds 1024 MB.", marks=marks, by_user=False)
    assert (found.fate, found.opposed) == (Fate.CONTESTS, True)
    doubt = ruled("The marketing budget is 40,000 euros.", "The budget is 50,000 euros.", marks=marks, by_user=False)
    assert (doubt.fate, doubt.opposed) == (Fate.CONTESTS, False)


def test_questions_and_claims_without_evidence_are_left_alone() -> None:
    assert ruled("Does the cache hold 512 MB?", "The cache holds 1024 MB.", Section.EDGES).fate is Fate.NOTHING
    snapshot = a_snapshot("Who pays?", "The cache holds 1024 MB.")
    edge = a_claim("Who pays?", snapshot, 1, Section.EDGES).model_copy(update={"evidence": ()})
    later = a_claim("The cache holds 1024 MB.", snapshot, 2)
    assert rule(edge, later, snapshot, a_space("Who pays?", later.text)).fate is Fate.NOTHING


def test_one_turn_that_says_both_settles_nothing_and_older_words_are_outdated() -> None:
    old, new = "The cache holds 512 MB.", "The cache holds 1024 MB."
    snapshot = a_snapshot(f"{old} {new}", "Fine.", new)
    space = a_space(old, new)
    first, second = a_claim(old, snapshot, 1, name="c1"), a_claim(new, snapshot, 1, name="c2")
    assert rule(first, second, snapshot, space).fate is Fate.NOTHING
    third = a_claim(new, snapshot, 3, name="c3")
    assert rule(third, first, snapshot, space).fate is Fate.OUTDATED


def test_words_that_take_it_back_correct() -> None:
    found = ruled("The cache holds 512 MB.", "Correction: the cache holds 1024 MB, it was never 512 MB.")
    assert (found.fate, found.state) == (Fate.ENDS, ClaimState.CORRECTED)


@pytest.mark.parametrize(("new", "fate"), [("The portal keeps sessions in memory.", Fate.ENDS), ("Hi.", Fate.NOTHING)])
def test_a_member_s_hint_counts_only_on_the_same_subject(new: str, fate: Fate) -> None:
    old = "Sessions of the portal are in Redis."
    snapshot = a_snapshot(old, "Fine.", new)
    held = a_claim(old, snapshot, 1, name="c1")
    said = StatedClaim(section=Section.KNOWN, text=new, act=HeldAct.REVISE, about="c1", turns=(3,))
    hint = Statement(member="ann", family="alpha", ordinal=0, claim=said)
    later = a_claim(new, snapshot, 3, name="c2").model_copy(update={"statements": (hint,)})
    assert rule(held, later, snapshot, a_space(old, new)).fate is fate


def test_a_part_is_touched_by_what_ends_it_or_says_it() -> None:
    text = "Kinesis has 8 shards; older replay comes from the archive bucket."
    snapshot = a_snapshot(text, "Hm.", "Kinesis has 20 shards.")
    held, later = a_claim(text, snapshot, 1), a_claim("Kinesis has 20 shards.", snapshot, 3)
    parts = ("Kinesis has 8 shards.", "older replay comes from the archive bucket.")
    space = a_space(*parts, later.text)
    assert [touches(part, held, later, space) for part in parts] == [True, False]
