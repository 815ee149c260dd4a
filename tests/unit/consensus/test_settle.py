from dataclasses import replace

import numpy as np
import pytest

from consensus.calibration import calibration_for
from consensus.draft import Draft
from consensus.evidence import Ground, Grounding
from consensus.profile import Profile
from consensus.settle import settle
from dissolution.claims import Claim, Dissent, DissentReason, Evidence, Mark, Section
from dissolution.policy import ConsensusPolicy
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement
from tests.unit.consensus.recorded import consensus_of_recordings

TEXT = "The lake is deep and cold."
TALK = a_snapshot(TEXT, "Yes.")
EVIDENCE = Evidence(turn=1, start=0, end=len(TEXT), text=TEXT)


def a_draft(row: int, text: str, *members: str, score: float = 0.9) -> Draft:
    return Draft(
        rows=(row,),
        texts=(text,),
        statements=tuple(a_statement(text, member) for member in members),
        chosen=row,
        profile=Profile(text),
        section=Section.KNOWN,
        reason="test",
        grounding=Grounding((EVIDENCE,), score, (1,), (0,), (0,)),
    )


def settled(drafts: list[Draft], apart: float) -> tuple[tuple[Claim, ...], tuple[Dissent, ...]]:
    n = len(drafts)
    distances = np.full((n, n), apart) - np.eye(n) * apart
    return settle(drafts, distances, Ground(TALK), ConsensusPolicy(), calibration_for("hashing"), job="j")


def test_a_repeat_gives_its_statements_to_the_better_supported_claim() -> None:
    one, two = a_draft(0, TEXT, "ann", "bea"), a_draft(1, "The lake is cold and deep.", "cid")
    (claim,), dissent = settled([one, two], 0.1)
    assert claim.text == TEXT
    assert claim.support.families == ("alpha", "beta", "gamma")
    assert dissent == ()


def test_two_single_sources_that_repeat_each_other_are_no_single_source() -> None:
    one, two = a_draft(0, TEXT, "ann"), a_draft(1, "The lake is cold and deep.", "bea")
    (claim,), _ = settled([one, two], 0.1)
    assert claim.marks == ()


def test_what_is_far_apart_stands_twice() -> None:
    claims, _ = settled([a_draft(0, TEXT, "ann"), a_draft(1, "Pike eat roach.", "bea")], 0.9)
    assert [claim.marks for claim in claims] == [(Mark.SINGLE_SOURCE,), (Mark.SINGLE_SOURCE,)]


def test_opposites_are_no_repeats_however_near() -> None:
    one, two = a_draft(0, "The lake is 12 m deep.", "ann", "bea"), a_draft(1, "The lake is 15 m deep.", "ann", "cid")
    claims, _ = settled([one, two], 0.05)
    assert len(claims) == 2


def test_weak_evidence_of_one_family_is_dissent_with_the_numbers() -> None:
    claims, (dissent,) = settled([a_draft(0, TEXT, "ann", "abe", score=0.5)], 0.9)
    assert claims == ()
    assert dissent.reason is DissentReason.FEW_FAMILIES
    assert "evidence 0.50 is below 0.55" in dissent.detail


OLD, NEW, AGAIN = "The deadline is March 15.", "The deadline is March 30.", "March 30 is the deadline."
MOVED = a_snapshot(OLD, "Noted.", NEW)


def on_turn(draft: Draft, turn: int, text: str) -> Draft:
    evidence = Evidence(turn=turn, start=0, end=len(text), text=text)
    return replace(draft, grounding=Grounding((evidence,), 0.9, (turn,), (turn - 1,), (turn - 1,)))


def test_dissent_is_against_the_claim_that_stands_though_it_took_a_repeat_in() -> None:
    """The opponent's id changes when it is merged; the dissent names the one that can be looked up."""
    drafts = [
        on_turn(a_draft(0, OLD, "ann", "bea", "cid"), 1, OLD),
        on_turn(a_draft(1, NEW, "ann", "bea"), 3, NEW),
        on_turn(a_draft(2, AGAIN, "dan", "cid"), 3, NEW),
    ]
    distances = np.full((3, 3), 0.1) - np.eye(3) * 0.1
    claims, dissent = settle(drafts, distances, Ground(MOVED), ConsensusPolicy(), calibration_for("hashing"), job="j")
    assert len(claims) == 1
    (lost,) = [item for item in dissent if item.text == OLD]
    assert lost.reason is DissentReason.SUPERSEDED
    assert lost.against == (claims[0].id,)
    assert claims[0].id not in {draft.identifier("j") for draft in drafts}, "nothing was merged: the test is empty"


@pytest.mark.parametrize("conversation", ["co-ecology-model", "op-flask-sessions"])
def test_whatever_dissent_is_against_can_be_looked_up(conversation: str) -> None:
    """Over recorded answers: every id that a dissent names is that of a claim or of a dissent of the same consensus."""
    found = consensus_of_recordings(conversation)
    named = {identifier for item in found.dissent for identifier in item.against}
    assert named
    assert named <= {item.id for item in (*found.claims, *found.dissent)}


def test_a_repeat_that_was_not_grouped_falls_with_what_a_later_turn_took_back() -> None:
    """Three families say it in words of their own; the guards and the distance leave it a group by itself."""
    again = "The paper goes out on March 15."
    drafts = [
        on_turn(a_draft(0, OLD, "ann"), 1, OLD),
        on_turn(a_draft(1, NEW, "ann", "bea"), 3, NEW),
        on_turn(a_draft(2, again, "bea", "cid", "dan"), 1, OLD),
    ]
    distances = np.full((3, 3), 0.3) - np.eye(3) * 0.3
    distances[1, 2] = distances[2, 1] = 0.9  # nobody holds it against the new date by itself
    claims, dissent = settle(drafts, distances, Ground(MOVED), ConsensusPolicy(), calibration_for("hashing"), job="j")
    assert [claim.text for claim in claims] == [NEW]
    (lost,) = [item for item in dissent if item.text == again]
    assert lost.reason is DissentReason.SUPERSEDED
    assert f"says the same as {OLD!r}" in lost.detail
