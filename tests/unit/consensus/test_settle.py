import numpy as np

from consensus.calibration import calibration_for
from consensus.draft import Draft
from consensus.evidence import Ground, Grounding
from consensus.profile import Profile
from consensus.settle import settle
from dissolution.claims import Claim, Dissent, DissentReason, Evidence, Mark, Section
from dissolution.policy import ConsensusPolicy
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement

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
