"""The open part of the ledger while a cycle is gone through."""

from consensus.reconcile.open_claims import Desk, End
from dissolution.claims import Claim, ClaimState, DissentReason, Section
from dissolution.intervals import TurnInterval
from dissolution.ledger import ChangeKind
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, a_dissent

OLD, NEW = "The cache holds 512 MB.", "The cache holds 1024 MB."
SNAPSHOT = a_snapshot(OLD, "Fine.", NEW)


def old_claim(section: Section = Section.KNOWN) -> Claim:
    return a_claim(OLD, SNAPSHOT, 1, section, name="c1")


def new_claim() -> Claim:
    return a_claim(NEW, SNAPSHOT, 3, name="c2")


def a_desk(*held: Claim) -> Desk:
    return Desk({claim.id: claim for claim in held}, SNAPSHOT.through)


def ending(state: ClaimState = ClaimState.SUPERSEDED, by: str | None = None) -> End:
    return End(state, 3, "turn 3 says so", by)


def test_a_successor_that_was_held_before_is_not_revised() -> None:
    desk = a_desk(old_claim(), new_claim())
    desk.end(desk.held["c1"], ending(by="c2"))
    assert [change.kind for change in desk.changes] == [ChangeKind.CLOSED]
    assert [claim.id for claim in desk.open()] == ["c2"]


def test_a_new_successor_revises_the_first_that_it_ends_and_reaches_back_after_a_correction() -> None:
    other = a_claim("The cache has 512 MB.", SNAPSHOT, 1, name="c3")
    desk = a_desk(old_claim(), other)
    desk.add(new_claim(), "not held before")
    desk.end(desk.held["c1"], ending(ClaimState.CORRECTED, by="c2"))
    desk.end(desk.held["c3"], End(ClaimState.SUPERSEDED, 3, "also", "c2"))
    revised = next(change for change in desk.changes if change.claim == "c2")
    assert (revised.kind, revised.other) == (ChangeKind.REVISED, "c1")
    assert desk.new["c2"].valid == TurnInterval(start=1)
    assert desk.closed["c1"].valid == TurnInterval(start=1, end=1)


def test_a_promoted_successor_stays_promoted() -> None:
    desk = a_desk(old_claim())
    desk.add(new_claim(), "was dissent", ChangeKind.PROMOTED, "d1")
    desk.end(desk.held["c1"], ending(by="c2"))
    assert (desk.changes[0].kind, desk.changes[0].other) == (ChangeKind.PROMOTED, "d1")


def test_dissent_alone_claims_nothing_and_a_lost_commitment_is_repaired() -> None:
    desk = a_desk(old_claim(Section.DECIDED))
    desk.affirm("c1", a_dissent(OLD, SNAPSHOT, 1))
    desk.settle()
    assert [change.kind for change in desk.changes] == [ChangeKind.REPAIRED]
    assert "lost" in desk.changes[0].reason


def test_a_commitment_that_claims_contain_is_not_lost() -> None:
    desk = a_desk(old_claim(Section.DECIDED))
    desk.affirm("c1", a_dissent(OLD, SNAPSHOT, 1, reason=DissentReason.CONTAINED))
    desk.settle()
    assert [change.kind for change in desk.changes] == [ChangeKind.AFFIRMED]
    assert desk.changes[0].reason == "said again by 1 family"


def test_what_nobody_says_is_carried_and_what_is_said_grows() -> None:
    desk = a_desk(old_claim(), a_claim("Fine.", SNAPSHOT, 2, name="c3"))
    desk.affirm("c1", a_claim(OLD, SNAPSHOT, 1, name="c8", writers=("cid",)))
    desk.settle()
    assert desk.home["c8"] == "c1"
    assert desk.held["c1"].support.members == ("ann", "bea", "cid")
    assert (desk.held["c3"].state, desk.held["c3"].carried) == (ClaimState.CARRIED, 1)


def test_what_only_repeats_the_state_that_was_shown_adds_no_support() -> None:
    desk = a_desk(old_claim())
    echo = a_claim(OLD, SNAPSHOT, 1, name="c8", writers=("cid",))
    desk.affirm("c1", echo)
    desk.echoes.add(echo.id)
    desk.settle()
    assert desk.held["c1"].support.members == ("ann", "bea")
    assert (desk.held["c1"].state, desk.held["c1"].affirmed) == (ClaimState.CURRENT, 3)
    assert "repeated" in desk.changes[0].reason
