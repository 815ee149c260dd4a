"""The steps of one cycle, each by what it leaves open and what it ends."""

from datetime import timedelta

from consensus.hashing import HashingEmbedder
from consensus.reconcile.contests import quoted
from consensus.reconcile.cycle import Cycle
from consensus.reconcile.run import reconcile
from dissolution.claims import Claim, ClaimState, Dissent, Mark, Section, TemporalClass
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.intervals import InstantInterval
from dissolution.ledger import ChangeKind
from dissolution.policy import Policy
from tests.factories import INSTANT, a_snapshot
from tests.unit.consensus.made import consensus_of
from tests.unit.consensus.reconcile.made import (
    a_boundary,
    a_claim,
    a_cycle,
    a_dissent,
    a_space,
    held,
    of_kind,
    said_by,
)

CACHE = "The cache holds 512 MB."


def given(snapshot: Snapshot, old: tuple[Claim, ...], new: tuple[Claim, ...], through: int = 1) -> Consensus:
    """A cycle with given claims on both sides."""
    prior = held(snapshot).model_copy(update={"claims": old, "through": through})
    heard = consensus_of((), snapshot).model_copy(update={"claims": new})
    return reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job="job-2")


def test_a_fuller_wording_by_as_many_families_revises() -> None:
    fuller = "The cache holds 512 MB for the portal in Dublin."
    snapshot = a_snapshot(CACHE, fuller)
    old, new = a_claim(CACHE, snapshot, 1, name="c1"), a_claim(fuller, snapshot, 2, name="c2")
    found = given(snapshot, (old,), (new,))
    assert [claim.text for claim in found.claims] == [fuller]
    assert [(claim.state, claim.closing and claim.closing.by) for claim in found.closed] == [
        (ClaimState.SUPERSEDED, "c2")
    ]
    alone = a_claim(fuller, snapshot, 2, name="c2", writers=("ann",))
    assert {claim.id for claim in given(snapshot, (old,), (alone,)).claims} >= {"c1"}


def test_a_fuller_wording_revises_neither_what_a_person_pinned_nor_a_question() -> None:
    fuller = "The cache holds 512 MB for the portal in Dublin."
    snapshot = a_snapshot(CACHE, fuller)
    pinned = a_claim(CACHE, snapshot, 1, name="c1").model_copy(update={"marks": (Mark.PINNED,)})
    found = given(snapshot, (pinned,), (a_claim(fuller, snapshot, 2, name="c2"),))
    assert not found.closed


def test_a_fuller_wording_takes_over_what_stands_against_it() -> None:
    fuller, other = "The cache holds 512 MB for the portal in Dublin.", "The cache holds 1024 MB."
    snapshot = a_snapshot(f"{CACHE} {fuller}", other)
    old = a_claim(CACHE, snapshot, 1, name="c1")
    new = (a_claim(fuller, snapshot, 1, name="c2"), a_claim(other, snapshot, 2, name="c3"))
    found = given(snapshot, (old,), new)
    assert [claim.id for claim in found.closed] == ["c1"]
    (edge,) = (claim for claim in found.claims if claim.section is Section.EDGES)
    assert quoted(edge) == (fuller, other)
    assert {claim.id for claim in found.claims if Mark.CONTESTED in claim.marks} == {"c2", "c3", edge.id}


def test_a_name_ends_what_it_fits_alone_and_contests_what_it_fits_among_others() -> None:
    freeze, other = "Nobody breaks the deploy freeze.", "Nobody breaks the hiring freeze."
    words = "Drop the deploy freeze."
    snapshot = a_snapshot(freeze, other, words)
    one = a_claim(freeze, snapshot, 1, Section.DECIDED, name="c1")
    two = a_claim(other, snapshot, 2, Section.DECIDED, name="c2")
    found = given(snapshot, (one, two), (), through=2)
    assert [claim.id for claim in found.closed] == ["c1"]
    both = a_snapshot(freeze, other, "Drop the freeze.")
    doubt = given(both, (one, two), (), through=2)
    assert not doubt.closed
    assert {change.claim for change in of_kind(doubt, ChangeKind.CONTESTED)} == {"c1", "c2"}
    assert all(Mark.CONTESTED not in claim.marks for claim in doubt.claims)


def dated(*contents: str) -> Snapshot:
    plain = a_snapshot(*contents)
    turns = (turn.model_copy(update={"said_at": INSTANT + timedelta(days=turn.number)}) for turn in plain.turns)
    return Snapshot(conversation=plain.conversation, turns=tuple(turns))


def test_what_ran_out_by_the_clock_expires_unless_it_is_said_again() -> None:
    snapshot = dated(CACHE, "Fine.", "Good.")
    until = InstantInterval(start=INSTANT, end=INSTANT + timedelta(days=2))
    old = a_claim(CACHE, snapshot, 1, name="c1").model_copy(update={"valid_instants": until})
    found = given(snapshot, (old,), ())
    assert [(claim.id, claim.state) for claim in found.closed] == [("c1", ClaimState.EXPIRED)]
    assert not given(snapshot, (old,), (a_claim(CACHE, snapshot, 1, name="c2"),)).closed


def test_what_was_put_off_begins_when_its_time_comes() -> None:
    snapshot = dated("From Tuesday on we deploy daily.", "Fine.", "Good.")
    later = InstantInterval(start=INSTANT + timedelta(days=2))
    old = a_claim(snapshot.turn(1).content, snapshot, 1, Section.DECIDED, name="c1").model_copy(
        update={"temporal_class": TemporalClass.DEFERRED, "valid_instants": later}
    )
    found = given(snapshot, (old,), ())
    assert [claim.temporal_class for claim in found.claims] == [TemporalClass.FORWARD_OPEN]


def test_dissent_says_a_held_claim_only_where_somebody_vouches_for_it() -> None:
    snapshot = a_snapshot(CACHE)
    prior = held(snapshot, *said_by(CACHE))
    cycle = Cycle(prior, snapshot, a_space(CACHE), Policy(), job="job-2")
    left = cycle.run((), [a_dissent(CACHE, snapshot, 1)])
    assert not left
    assert cycle.desk.open()[0].state is ClaimState.CURRENT


def test_a_branch_that_a_claim_of_the_cycle_says_is_promoted_once() -> None:
    snapshot = a_snapshot(CACHE)
    branch: Dissent = a_dissent(CACHE, snapshot, 1)
    prior = held(snapshot).model_copy(update={"dissent": (branch,)})
    found = a_cycle(prior, snapshot, *said_by(CACHE))
    assert [change.other for change in of_kind(found, ChangeKind.PROMOTED)] == ["d1"]
    again = a_cycle(a_boundary(found, snapshot, 2), snapshot, *said_by(CACHE), job="job-3")
    assert not of_kind(again, ChangeKind.PROMOTED)


def test_a_commitment_that_a_turn_says_after_the_words_that_end_it_is_contested() -> None:
    freeze, drop = "Nobody breaks the deploy freeze.", "Drop the deploy freeze."
    early = a_snapshot(freeze)
    one = a_claim(freeze, early, 1, Section.DECIDED, name="c1")
    for said, closed in ((("Fine.", drop), ["c1"]), (("Fine.", drop, "Fine.", freeze), [])):
        found = given(a_snapshot(freeze, *said), (one,), (), through=1)
        assert [claim.id for claim in found.closed] == closed
    (doubt,) = of_kind(found, ChangeKind.CONTESTED)
    assert doubt.reason.endswith("a later turn says it again")


def test_a_fact_that_a_turn_says_after_another_value_is_contested_and_not_closed() -> None:
    other = "Correction: the cache holds 1024 MB, not 512 MB."
    one = a_claim(CACHE, a_snapshot(CACHE), 1, name="c1")
    for said, closed in ((("Fine.", other), ["c1"]), (("Fine.", other, CACHE), [])):
        found = given(a_snapshot(CACHE, *said), (one,), (), through=1)
        assert [claim.id for claim in found.closed] == closed
    (doubt,) = of_kind(found, ChangeKind.CONTESTED)
    assert doubt.reason.endswith("turn 4 says it again")


def test_a_fact_that_shares_a_sentence_with_a_replaced_one_goes_on() -> None:
    both, new = "The cache holds 512 MB and the nightly backup starts at 02:00.", "The cache holds 1024 MB now."
    snapshot = a_snapshot(both, "Fine.", new)
    one = a_claim(both, snapshot, 1, name="c1")
    found = given(snapshot, (one,), (a_claim(new, snapshot, 3, name="c2"),), through=2)
    assert {claim.text for claim in found.claims} == {new, "The nightly backup starts at 02:00."}
    assert [claim.id for claim in found.closed] == ["c1"]
