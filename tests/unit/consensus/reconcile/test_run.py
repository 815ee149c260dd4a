"""The whole of reconciling: a cycle's consensus against what is held."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.reconcile.closing import ended
from consensus.reconcile.run import reconcile
from dissolution.boundary import BoundaryState
from dissolution.claims import (
    Claim,
    ClaimState,
    Closing,
    DissentReason,
    HeldAct,
    HeldMark,
    Mark,
    Section,
    Statement,
    TemporalClass,
)
from dissolution.conversation import Snapshot
from dissolution.errors import NoCalibration
from dissolution.findings import Consensus, EmbeddingStamp, Vectors
from dissolution.intervals import InstantInterval, TurnInterval
from dissolution.ledger import ChangeKind
from dissolution.policy.job_policy import Policy
from dissolution.reviewing import Fault, Hint
from dissolution.values import NotMeasured
from tests.factories import INSTANT, a_snapshot
from tests.unit.consensus.made import consensus_of
from tests.unit.consensus.reconcile.made import (
    a_boundary,
    a_claim,
    a_cycle,
    a_dissent,
    acting,
    affirms,
    answers,
    closes,
    held,
    of_kind,
    revises,
    said_by,
    whole,
)

CACHE = "The cache holds 512 MB."
RULE = "Nobody deploys without Ravi's yes."


def closed_of(found: Consensus) -> list[tuple[str, ClaimState]]:
    return [(claim.text, claim.state) for claim in found.closed]


def test_the_first_cycle_adds_everything_with_its_class() -> None:
    snapshot = a_snapshot(CACHE, RULE)
    found = a_cycle(None, snapshot, *said_by(CACHE), *said_by(RULE, Section.DECIDED, place=1))
    assert {change.kind for change in found.changes} == {ChangeKind.ADDED}
    assert {claim.text: claim.temporal_class for claim in found.claims} == {
        CACHE: TemporalClass.CURRENT_STATE,
        RULE: TemporalClass.FORWARD_OPEN,
    }
    assert {claim.affirmed for claim in found.claims} == {2}
    assert found.prior_version == 0


def test_what_is_forgotten_is_carried_and_counted() -> None:
    first = a_snapshot(RULE)
    prior = held(first, *said_by(RULE, Section.DECIDED))
    grown = a_snapshot(RULE, "Fine.", CACHE)
    second = a_boundary(a_cycle(prior, grown, *said_by(CACHE)), grown, 2)
    third = a_cycle(second, grown, *said_by(CACHE), job="job-3")
    old = next(claim for claim in third.claims if claim.text == RULE)
    assert (old.state, old.carried, old.id, old.affirmed) == (ClaimState.CARRIED, 2, prior.claims[0].id, 1)
    assert third.prior_version == 2
    assert [change.claim for change in of_kind(third, ChangeKind.CARRIED)] == [old.id]


def test_a_claim_said_again_keeps_its_words_and_grows_in_support() -> None:
    first = a_snapshot("The cache of the portal holds 512 MB.")
    prior = held(first, *said_by("The cache of the portal holds 512 MB."))
    found = a_cycle(prior, first, *said_by("The cache of the portal now holds 512 MB.", writers=("cid", "dan")))
    assert [claim.id for claim in found.claims] == [prior.claims[0].id]
    assert found.claims[0].text == prior.claims[0].text
    assert found.claims[0].support.families == ("alpha", "beta", "delta", "gamma")
    assert [change.kind for change in found.changes] == [ChangeKind.AFFIRMED]


def test_a_newer_value_that_names_no_claim_stands_beside_the_older_one_and_is_a_hint() -> None:
    changed = "The cache holds 1024 MB."
    grown = a_snapshot(CACHE, "Right.", changed)
    prior = held(a_snapshot(CACHE), *said_by(CACHE))
    found = a_cycle(prior, grown, *said_by(changed))
    assert {claim.text for claim in found.claims} == {CACHE, changed}
    assert not found.closed
    assert not of_kind(found, ChangeKind.CONTESTED)
    assert [(hint.suspects, hint.claims) for hint in found.hints] == [(Fault.STALE, (prior.claims[0].id,))]
    assert found.hints[0].evidence == whole(grown, 3)


def test_what_two_families_revise_is_superseded_by_what_they_say() -> None:
    changed = "The cache holds 1024 MB."
    grown = a_snapshot(CACHE, "Right.", changed)
    prior = held(a_snapshot(CACHE), *said_by(CACHE))
    found = a_cycle(prior, grown, *acting(changed, revises(prior.claims[0]), turn=3))
    assert [claim.text for claim in found.claims] == [changed]
    assert closed_of(found) == [(CACHE, ClaimState.SUPERSEDED)]
    closed = found.closed[0]
    assert closed.valid == TurnInterval(start=1, end=3)
    assert closed.closing is not None
    assert closed.closing.by == found.claims[0].id
    assert closed.closing.evidence == (whole(grown, 3),)
    assert of_kind(found, ChangeKind.REVISED)[0].other == closed.id
    assert not found.hints


def test_what_is_closed_expires_and_nothing_takes_its_place() -> None:
    gone = "The freeze on deploys is lifted."
    grown = a_snapshot(RULE, "Right.", gone)
    prior = held(a_snapshot(RULE), *said_by(RULE, Section.DECIDED))
    found = a_cycle(prior, grown, *acting(gone, closes(prior.claims[0]), turn=3))
    assert closed_of(found) == [(RULE, ClaimState.EXPIRED)]
    assert found.closed[0].closing is not None
    assert found.closed[0].closing.by is None
    assert of_kind(found, ChangeKind.CLOSED)[0].other == found.claims[0].id


def test_an_answered_question_does_not_stand_again() -> None:
    question, answer = "Which host does the rcli alias reach?", "The rcli alias reaches host rds-cache-01."
    grown = a_snapshot(question, "I look.", answer)
    prior = held(a_snapshot(question), *said_by(question, Section.EDGES))
    said = acting(answer, answers(prior.claims[0]), turn=3)
    again = said_by(question, Section.EDGES, writers=("cid", "dan"), place=1)
    found = a_cycle(prior, grown, *said, *again)
    assert closed_of(found) == [(question, ClaimState.SUPERSEDED)]
    assert [(claim.section, claim.text) for claim in found.claims] == [(Section.KNOWN, answer)]
    assert found.closed[0].closing is not None
    assert found.closed[0].closing.by == found.claims[0].id


def test_a_correction_empties_the_interval_and_reaches_back() -> None:
    wrong = "The pilot ran on Marlow-7B with 40 documents."
    right = "Correction: the pilot ran on Marlow-3B with 40 documents, it was never Marlow-7B."
    snapshot = a_snapshot(wrong, "Fine.", right)
    prior = held(a_snapshot(wrong), *said_by(wrong))
    found = a_cycle(prior, snapshot, *acting(right, revises(prior.claims[0]), turn=3))
    assert closed_of(found) == [(wrong, ClaimState.CORRECTED)]
    assert found.closed[0].valid == TurnInterval(start=1, end=1)
    assert found.claims[0].valid.start == 1


def test_what_one_family_of_two_says_never_held_is_only_superseded() -> None:
    wrong = "The pilot ran on Marlow-7B with 40 documents."
    right, plainly = "It was never Marlow-7B: the pilot ran on Marlow-3B.", "The pilot ran on Marlow-3B."
    snapshot = a_snapshot(wrong, "Fine.", "No, it was never Marlow-7B, the pilot ran on Marlow-3B.")
    prior = held(a_snapshot(wrong), *said_by(wrong))
    said = [
        *acting(right, revises(prior.claims[0]), writers=("ann",), turn=3),
        *acting(plainly, revises(prior.claims[0]), writers=("bea", "cid"), turn=3),
    ]
    found = a_cycle(prior, snapshot, *said)
    assert closed_of(found) == [(wrong, ClaimState.SUPERSEDED)]
    assert found.closed[0].valid == TurnInterval(start=1, end=3)


def test_a_commitment_that_two_families_revise_into_known_ends_and_the_review_is_asked_where_it_belongs() -> None:
    again = RULE.upper().rstrip(".")
    grown = a_snapshot(RULE, "Hm.", "Nobody deploys without the yes of Ravi, as I said.")
    prior = held(a_snapshot(RULE), *said_by(RULE, Section.DECIDED))
    same = a_cycle(prior, grown, *acting(again, revises(prior.claims[0]), turn=3))
    assert [(claim.section, claim.text) for claim in same.claims] == [(Section.DECIDED, RULE)], "the same words"
    other = "Nobody deploys without the yes of Ravi."
    found = a_cycle(prior, grown, *acting(other, revises(prior.claims[0]), turn=3))
    assert closed_of(found) == [(RULE, ClaimState.SUPERSEDED)]
    (hint,) = found.hints
    assert (hint.suspects, hint.claims) == (Fault.WRONG_SECTION, (found.claims[0].id,))


OLD = "The nightly backup of the portal goes to the archive bucket in Dublin at 02:00."
NEXT = "The nightly backup of the portal goes to the archive bucket in Dublin at 05:00."
PARAPHRASE = "At 05:00 each night the portal is backed up to the Dublin archive bucket."
QUEUE = "The queue of the portal runs on Kafka with 3 brokers."


def two_cycles(*second: Statement, third: Sequence[Statement] = ()) -> tuple[BoundaryState, Consensus, Consensus]:
    """OLD and QUEUE held, a second cycle in which turn 3 says NEXT, and a third in which nothing new is said."""
    first = a_snapshot(OLD, QUEUE)
    prior = held(first, *said_by(OLD), *said_by(QUEUE, place=1))
    grown = a_snapshot(OLD, QUEUE, NEXT)
    after = a_cycle(prior, grown, *second)
    later = a_snapshot(OLD, QUEUE, NEXT, "Thanks.")
    return prior, after, a_cycle(a_boundary(after, grown, 2), later, *third, job="job-3", ended=after.closed)


def the_old(prior: BoundaryState) -> Claim:
    return next(claim for claim in prior.claims if claim.text == OLD)


PRIOR = held(a_snapshot(OLD, QUEUE), *said_by(OLD), *said_by(QUEUE, place=1))
SUCCESSORS = {
    "in several brackets": acting(NEXT, revises(the_old(PRIOR)), affirms(PRIOR.claims[-1]), turn=3),
    "by a paraphrase": (
        *acting(NEXT, revises(the_old(PRIOR)), writers=("ann",), turn=3),
        *acting(PARAPHRASE, revises(the_old(PRIOR)), writers=("bea",), turn=3),
    ),
    "beside a family that cites nothing": (
        *acting(NEXT, revises(the_old(PRIOR)), turn=3),
        *acting(PARAPHRASE, writers=("cid",), turn=3),
    ),
    "beside a family that repeats the state": (
        *acting(NEXT, revises(the_old(PRIOR)), turn=3),
        *said_by(OLD, writers=("cid",), place=1),
        *said_by("The portal's nightly backup goes to the archive bucket in Dublin at 02:00.", writers=("dan",)),
    ),
}


@pytest.mark.parametrize("how", SUCCESSORS)
def test_the_words_of_what_is_revised_never_stand_beside_its_successor(how: str) -> None:
    prior, after, later = two_cycles(*SUCCESSORS[how], third=said_by(OLD))
    assert [(claim.id, claim.state) for claim in after.closed] == [(the_old(prior).id, ClaimState.SUPERSEDED)]
    for found in (after, later):
        assert OLD not in {claim.text for claim in found.claims}
        assert all(claim.marks == (Mark.SINGLE_SOURCE,) for claim in found.claims if "02:00" in claim.text)
        assert [claim.text for claim in found.claims if "05:00" in claim.text]
        assert QUEUE in {claim.text for claim in found.claims}
    stale = {claim.id for claim in after.claims if "02:00" in claim.text}
    pointed_at = {name for hint in after.hints if hint.suspects is Fault.CONTRADICTS for name in hint.claims}
    assert stale <= pointed_at, "what one family says of the old state in words of its own is pointed at"


def test_other_words_for_what_ended_stand_and_the_review_is_asked_whether_they_are_stale() -> None:
    retold = "The nightly backup of the portal goes to the bucket in Dublin at 02:00."
    naming = (affirms(the_old(PRIOR)),)
    for writers in (("cid",), ("cid", "dan")):
        echoes = said_by(retold, writers=writers)
        _, _, later = two_cycles(*acting(NEXT, revises(the_old(PRIOR)), turn=3), third=echoes)
        (back,) = [claim for claim in later.claims if claim.text == retold]
        (hint,) = [hint for hint in later.hints if hint.claims == (back.id,)]
        assert (hint.suspects, hint.evidence) == (Fault.STALE, whole(a_snapshot(OLD, QUEUE, NEXT), 3))
        assert the_old(PRIOR).id in hint.basis
        named = acting(retold, *naming, writers=writers, turn=1)
        _, _, out = two_cycles(*acting(NEXT, revises(the_old(PRIOR)), turn=3), third=named)
        assert retold not in {claim.text for claim in out.claims}, "they name what ended as what they say"
        assert DissentReason.SUPERSEDED in {one.reason for one in out.dissent}


def test_one_family_ends_nothing_that_two_state_and_the_next_review_is_told() -> None:
    prior, after, _ = two_cycles(*acting(NEXT, revises(the_old(PRIOR)), writers=("ann",), turn=3))
    assert not after.closed
    carried = next(claim for claim in after.claims if claim.text == OLD)
    assert (carried.id, carried.state) == (the_old(prior).id, ClaimState.CARRIED)
    (hint,) = after.hints
    assert (hint.suspects, hint.claims, hint.basis) == (
        Fault.STALE,
        (carried.id,),
        "1 family says that it ends; it takes 2",
    )
    assert hint.evidence is not None
    assert hint.evidence.turn == 3


def test_a_statement_revises_one_claim_and_closes_another() -> None:
    text = "The backup moves to 05:00 because Kafka is gone."
    grown = a_snapshot(OLD, QUEUE, text)
    other = next(claim for claim in PRIOR.claims if claim.text == QUEUE)
    found = a_cycle(PRIOR, grown, *acting(text, revises(the_old(PRIOR)), closes(other), turn=3))
    assert set(closed_of(found)) == {(OLD, ClaimState.SUPERSEDED), (QUEUE, ClaimState.EXPIRED)}
    assert [claim.text for claim in found.claims] == [text]


def test_repeating_the_state_that_was_shown_makes_no_claim_and_no_support() -> None:
    text = "The portal keeps its sessions in Redis and nowhere else."
    told = "Sessions of the portal stand in Redis."
    prior = held(a_snapshot(text), *said_by(text))
    found = a_cycle(prior, a_snapshot(text, "Thanks."), *said_by(told, writers=("cid", "dan")))
    assert [(claim.text, claim.support.families) for claim in found.claims] == [(text, ("alpha", "beta"))]
    assert of_kind(found, ChangeKind.AFFIRMED)[0].reason == "repeated from the state that was shown"


def test_values_that_a_held_claim_has_not_stand_beside_it_until_reviewers_merge_them() -> None:
    text, fuller = "The portal keeps sessions in Redis.", "The portal keeps its sessions in Redis, on port 6379."
    prior = held(a_snapshot(text), *said_by(text))
    grown = a_snapshot(text, "Hm.", fuller)
    for marks, state in (((), ClaimState.CARRIED), ((affirms(prior.claims[0]),), ClaimState.CURRENT)):
        found = a_cycle(prior, grown, *acting(fuller, *marks, turn=3))
        assert {claim.text: claim.state for claim in found.claims} == {text: state, fuller: ClaimState.CURRENT}
        assert [(hint.suspects, len(hint.claims)) for hint in found.hints] == [(Fault.SAME_AS, 2)]


def test_a_change_without_any_typed_value_is_not_swallowed_by_what_it_changes() -> None:
    old = "All code of the portal and of its workers is indented with tabs."
    new = "All code of the portal and of its workers is indented with spaces."
    prior, grown = held(a_snapshot(old), *said_by(old)), a_snapshot(old, "Hm.", new)
    said = acting(new, revises(prior.claims[0]), turn=3)
    assert {claim.text for claim in a_cycle(prior, grown, *said_by(new)).claims} == {old, new}
    assert {
        claim.text for claim in a_cycle(prior, grown, *said[:1], *acting(new, writers=("bea",), turn=3)).claims
    } == {
        old,
        new,
    }
    found = a_cycle(prior, grown, *said)
    assert [claim.text for claim in found.claims] == [new]
    assert closed_of(found) == [(old, ClaimState.SUPERSEDED)]


@pytest.mark.parametrize("mark", [Mark.PINNED, Mark.CONFIRMED])
def test_members_never_end_what_a_person_pinned_or_confirmed(mark: Mark) -> None:
    prior = held(a_snapshot(CACHE), *said_by(CACHE))
    kept = prior.claims[0].model_copy(update={"marks": (mark,)})
    prior = prior.model_copy(update={"claims": (kept,)})
    changed = "The cache holds 1024 MB."
    said = acting(changed, revises(kept), writers=("ann", "bea", "cid", "dan"), turn=3)
    found = a_cycle(prior, a_snapshot(CACHE, "Right.", changed), *said)
    assert not found.closed
    assert {claim.text for claim in found.claims} == {CACHE, changed}
    assert "a person pinned or confirmed it" in found.hints[0].basis


def test_no_wording_of_a_turn_ends_anything() -> None:
    rule, fence = "Replies stay under 200 words.", "Nobody merges until the audit is over."
    first = a_snapshot(rule, fence)
    prior = held(first, *said_by(rule, Section.IDENTITY), *said_by(fence, Section.DECIDED, place=1))
    grown = a_snapshot(rule, fence, "Please drop the length limit.", "The audit is over.", "Forget all of that.")
    found = a_cycle(prior, grown)
    assert not found.closed
    assert {claim.text for claim in found.claims} == {rule, fence}
    assert {change.kind for change in found.changes} == {ChangeKind.CARRIED}


def test_a_caller_s_interval_ends_a_claim_unless_it_is_pinned() -> None:
    texts = (RULE, "Right.", "Hello again.")
    turns = tuple(
        turn.model_copy(update={"said_at": INSTANT + timedelta(days=3 * n)})
        for n, turn in enumerate(a_snapshot(*texts).turns)
    )
    dated = Snapshot(conversation="conv-1", turns=turns)
    prior = held(a_snapshot(RULE), *said_by(RULE, Section.DECIDED))
    until = InstantInterval(start=INSTANT, end=INSTANT + timedelta(days=4))
    limited = prior.claims[0].model_copy(update={"valid_instants": until})
    found = a_cycle(prior.model_copy(update={"claims": (limited,)}), dated)
    assert closed_of(found) == [(RULE, ClaimState.EXPIRED)]
    assert found.closed[0].valid.end == 3
    pinned = limited.model_copy(update={"marks": (Mark.PINNED,)})
    assert not a_cycle(prior.model_copy(update={"claims": (pinned,)}), dated).closed


def test_a_commitment_that_is_demoted_is_repaired() -> None:
    first = a_snapshot(RULE)
    prior = held(first, *said_by(RULE, Section.DECIDED))
    known = a_claim(RULE, first, 1, Section.KNOWN, name="c2")
    heard = consensus_of((), first).model_copy(update={"claims": (known,)})
    found = reconcile(prior, heard, first, HashingEmbedder(), Policy(), job="job-2")
    assert [claim.section for claim in found.claims] == [Section.DECIDED]
    assert "demoted" in of_kind(found, ChangeKind.REPAIRED)[0].reason


def test_a_commitment_that_is_said_in_dissent_alone_is_repaired() -> None:
    first = a_snapshot(RULE)
    prior = held(first, *said_by(RULE, Section.DECIDED))
    heard = consensus_of((), first).model_copy(update={"dissent": (a_dissent(RULE, first, 1),)})
    found = reconcile(prior, heard, first, HashingEmbedder(), Policy(), job="job-2")
    assert "lost" in of_kind(found, ChangeKind.REPAIRED)[0].reason
    assert found.claims[0].state is ClaimState.CURRENT
    assert not found.dissent


@pytest.mark.parametrize("section", [Section.KNOWN, Section.DECIDED])
def test_saying_a_commitment_again_is_no_revision_whatever_members_call_it(section: Section) -> None:
    prior = held(a_snapshot(RULE), *said_by(RULE, Section.DECIDED))
    grown = a_snapshot(RULE, "Once more: nobody deploys without Ravi's yes.")
    said = a_claim(RULE, grown, 2, section, name="c2")
    said = said.model_copy(update={"statements": acting(RULE, revises(prior.claims[0]), section=section, turn=2)})
    heard = consensus_of((), grown).model_copy(update={"claims": (said,)})
    found = reconcile(prior, heard, grown, HashingEmbedder(), Policy(), job="job-2")
    assert not found.closed
    assert [(claim.section, claim.id) for claim in found.claims] == [(Section.DECIDED, prior.claims[0].id)]
    assert bool(of_kind(found, ChangeKind.REPAIRED)) is (section is Section.KNOWN)


def test_a_closed_claim_does_not_come_back_by_repetition() -> None:
    snapshot = a_snapshot(CACHE)
    prior = held(snapshot, *said_by(CACHE))
    gone = prior.claims[0].model_copy(
        update={
            "state": ClaimState.EXPIRED,
            "closing": Closing(state=ClaimState.EXPIRED, reason="a person retracted it"),
            "valid": TurnInterval(start=1, end=1),
        }
    )
    empty = prior.model_copy(update={"claims": ()})
    again = a_cycle(empty, snapshot, *said_by(CACHE), ended=(gone,))
    assert not again.claims
    assert again.dissent[0].reason is DissentReason.SUPERSEDED
    newer = a_snapshot("Hello.", "Sure?", CACHE)
    back = a_cycle(empty, newer, *acting(CACHE, turn=3), ended=(gone,))
    assert [claim.text for claim in back.claims] == [CACHE]


def test_a_dismissed_branch_stays_dismissed() -> None:
    snapshot = a_snapshot(CACHE)
    out = a_dissent(CACHE, snapshot, 1, reason=DissentReason.DISMISSED)
    prior = held(snapshot).model_copy(update={"dissent": (out,)})
    found = a_cycle(prior, snapshot, *said_by(CACHE))
    assert not found.claims
    assert [item.reason for item in found.dissent] == [DissentReason.DISMISSED]


@pytest.mark.parametrize("reason", [DissentReason.FEW_FAMILIES, DissentReason.SIZE])
def test_a_minority_branch_is_promoted_when_families_add_up(reason: DissentReason) -> None:
    snapshot = a_snapshot("The portal keeps sessions in Redis on port 6379.", "Yes.")
    text = "Sessions of the portal are kept in Redis on port 6379."
    prior = held(snapshot).model_copy(update={"dissent": (a_dissent(text, snapshot, 1),)})
    heard = consensus_of((), snapshot).model_copy(
        update={"dissent": (a_dissent(text, snapshot, 1, ("bea",), name="d2", reason=reason),)}
    )
    found = reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job="job-2")
    assert [claim.text for claim in found.claims] == [text]
    assert found.claims[0].support.families == ("alpha", "beta")
    assert of_kind(found, ChangeKind.PROMOTED)[0].other == "d1"
    assert not found.dissent


def test_a_branch_that_enough_families_say_is_promoted_beside_what_it_contradicts_with_a_hint() -> None:
    stands, branch = "The cache holds 512 MB.", "The cache holds 256 MB."
    snapshot = a_snapshot(stands, branch)
    prior = held(a_snapshot(stands), *said_by(stands))
    prior = prior.model_copy(update={"through": 2, "dissent": (a_dissent(branch, snapshot, 2, ("ann", "bea")),)})
    found = reconcile(prior, consensus_of((), snapshot), snapshot, HashingEmbedder(), Policy(), job="job-2")
    assert {claim.text for claim in found.claims} == {stands, branch}
    assert [hint.suspects for hint in found.hints] == [Fault.CONTRADICTS]


def test_a_branch_that_says_what_ended_is_not_promoted() -> None:
    snapshot = a_snapshot(CACHE, "No.")
    prior = held(a_snapshot(CACHE), *said_by(CACHE))
    gone = ended(prior.claims[0], ClaimState.EXPIRED, 2, "closed", evidence=(whole(snapshot, 2),))
    prior = prior.model_copy(update={"claims": (), "dissent": (a_dissent(CACHE, snapshot, 1, ("ann", "bea")),)})
    found = a_cycle(prior, snapshot, ended=(gone,))
    assert not found.claims
    assert len(found.dissent) == 1


def test_hints_of_this_cycle_go_with_the_claim_that_stands_for_theirs() -> None:
    prior = held(a_snapshot(CACHE), *said_by(CACHE))
    grown = a_snapshot(CACHE, CACHE)
    heard = consensus_of(acting(CACHE, turn=2), grown, job="job-2")
    unknown = NotMeasured(not_measured="made")
    about = [
        Hint(suspects=Fault.GUESS, claims=(name,), probability=unknown, basis="x")
        for name in (heard.claims[0].id, "c0")
    ]
    heard = heard.model_copy(update={"hints": tuple(about)})
    found = reconcile(prior, heard, grown, HashingEmbedder(), Policy(), job="job-2")
    assert [hint.claims for hint in found.hints] == [(prior.claims[0].id,)]


def test_dissent_keeps_its_cycles_and_families() -> None:
    snapshot = a_snapshot(CACHE)
    one = a_dissent(CACHE, snapshot, 1)
    prior = held(snapshot).model_copy(update={"dissent": (one,)})
    heard = consensus_of((), snapshot).model_copy(update={"dissent": (one,)})
    found = reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job="job-2")
    assert [(item.cycles, item.support.families) for item in found.dissent] == [(2, ("alpha",))]


class Strange:
    """An embedder nobody calibrated."""

    stamp = EmbeddingStamp(model="strange", digest="x", dimension=2)

    def embed(self, texts: object) -> Vectors:
        raise AssertionError(texts)


def test_an_embedder_without_calibration_is_refused() -> None:
    snapshot = a_snapshot(CACHE)
    prior = held(snapshot, *said_by(CACHE))
    with pytest.raises(NoCalibration):
        reconcile(prior, consensus_of((), snapshot), snapshot, Strange(), Policy(), job="job-2")


# What members may say in any order, and what they may do to any held claim with it.
SAID = (
    (CACHE, Section.KNOWN),
    ("The cache holds 1024 MB.", Section.KNOWN),
    (RULE, Section.DECIDED),
    ("Deploys happen on Tuesday.", Section.DECIDED),
    ("Replies stay under 200 words.", Section.IDENTITY),
    ("Which host does the rcli alias reach?", Section.EDGES),
    ("The rcli alias reaches host rds-cache-01.", Section.KNOWN),
    ("EKS is ruled out.", Section.DECIDED),
    ("Please drop the length limit.", Section.KNOWN),
    ("The audit is over.", Section.KNOWN),
)
SETS = (("ann",), ("ann", "abe"), ("ann", "bea"), ("bea", "cid"), ("ann", "bea", "cid", "dan"))
ACTS = (None, *HeldAct)
BULLET = st.tuples(
    st.integers(0, len(SAID) - 1), st.sampled_from(SETS), st.sampled_from(ACTS), st.integers(0, 20), st.booleans()
)
BULLETS = st.lists(BULLET, min_size=1, max_size=5, unique_by=lambda one: one[0])
Bullet = tuple[int, tuple[str, ...], HeldAct | None, int, bool]


def conversation_of(*cycles: list[Bullet]) -> list[Snapshot]:
    """One snapshot a cycle: each cycle's sentences are its turns."""
    turns: list[str] = []
    found: list[Snapshot] = []
    for bullets in cycles:
        turns += [SAID[one[0]][0] for one in bullets]
        found.append(a_snapshot(*turns))
    return found


def heard_in(bullets: list[Bullet], prior: BoundaryState | None, snapshot: Snapshot) -> list[Statement]:
    """What members state: each bullet with its act on one held claim, or on two, and the turn it rests on."""
    held_ids = [claim.id for claim in sorted(prior.claims, key=lambda one: one.text)] if prior else []
    first = snapshot.through - len(bullets) + 1
    found: list[Statement] = []
    for place, (pick, writers, act, about, two) in enumerate(bullets):
        text, section = SAID[pick]
        named = [held_ids[(about + n) % len(held_ids)] for n in range(1 + two)] if held_ids and act else []
        marks = [HeldMark(act=act, about=name) for name in dict.fromkeys(named)] if act else []
        found += acting(text, *marks, section=section, writers=writers, turn=first + place, place=place)
    return found


def ending_families(found: Consensus, fresh: Consensus, name: str) -> set[str]:
    """The families of this cycle that say that a claim ends."""
    said = [one for item in (*fresh.claims, *fresh.dissent) for one in item.statements]
    return {
        one.family for one in said for mark in one.claim.marks if mark.about == name and mark.act is not HeldAct.AFFIRM
    }


@settings(max_examples=40, deadline=None)
@given(first=BULLETS, second=BULLETS, third=BULLETS)
def test_nothing_held_is_lost_and_what_two_families_hold_ends_by_two(
    first: list[Bullet], second: list[Bullet], third: list[Bullet]
) -> None:
    prior: BoundaryState | None = None
    for version, (snapshot, bullets) in enumerate(
        zip(conversation_of(first, second, third), (first, second, third), strict=True), start=1
    ):
        heard = consensus_of(heard_in(bullets, prior, snapshot), snapshot, job=f"job-{version}")
        found = reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job=f"job-{version}")
        before = {claim.id: claim for claim in prior.claims} if prior else {}
        still, over = {claim.id: claim for claim in found.claims}, {claim.id: claim for claim in found.closed}
        assert before.keys() <= still.keys() | over.keys()
        assert not still.keys() & over.keys()
        since = prior.through if prior else 0
        for name, claim in over.items():
            assert claim.closing is not None
            assert claim.closing.evidence
            assert all(piece.stands_in(snapshot) and piece.turn > since for piece in claim.closing.evidence)
            families = ending_families(found, heard, name)
            assert len(families) >= min(2, len(before[name].support.families))
            assert claim.closing.by is None or claim.closing.by in still
        for name, claim in before.items():
            assert name not in still or still[name].section is claim.section
        assert not of_kind(found, ChangeKind.CONTESTED)
        assert {name for hint in found.hints for name in hint.claims} <= still.keys()
        prior = a_boundary(found, snapshot, version)


@settings(max_examples=15, deadline=None)
@given(first=BULLETS, second=BULLETS)
def test_the_same_cycle_twice_changes_nothing(first: list[Bullet], second: list[Bullet]) -> None:
    early, late = conversation_of(first, second)
    prior = a_boundary(a_cycle(None, early, *heard_in(first, None, early), job="job-1"), early)
    said = heard_in(second, prior, late)
    once = a_cycle(prior, late, *said)
    twice = a_cycle(a_boundary(once, late, 2), late, *said, ended=once.closed)
    assert not twice.closed
    assert {(c.id, c.text, c.section) for c in twice.claims} == {(c.id, c.text, c.section) for c in once.claims}


@settings(max_examples=15, deadline=None)
@given(first=BULLETS, second=BULLETS, data=st.data())
def test_no_hints_change_what_a_cycle_comes_to(first: list[Bullet], second: list[Bullet], data: st.DataObject) -> None:
    early, late = conversation_of(first, second)
    prior = a_boundary(a_cycle(None, early, *heard_in(first, None, early), job="job-1"), early)
    heard = consensus_of(heard_in(second, prior, late), late)
    names = [claim.id for claim in (*prior.claims, *heard.claims)]
    unknown = NotMeasured(not_measured="made")
    one = st.builds(
        Hint,
        suspects=st.sampled_from(Fault),
        claims=st.lists(st.sampled_from(names), max_size=2).map(tuple),
        probability=st.just(unknown),
        basis=st.just("x"),
    )
    hinted = heard.model_copy(update={"hints": tuple(data.draw(st.lists(one, max_size=6)))})
    plain = reconcile(prior, heard, late, HashingEmbedder(), Policy(), job="job-2")
    other = reconcile(prior, hinted, late, HashingEmbedder(), Policy(), job="job-2")
    assert other.model_copy(update={"hints": plain.hints}) == plain


@settings(max_examples=15, deadline=None)
@given(first=BULLETS, second=BULLETS, data=st.data())
def test_order_has_no_part_in_it(first: list[Bullet], second: list[Bullet], data: st.DataObject) -> None:
    early, late = conversation_of(first, second)
    prior = a_boundary(a_cycle(None, early, *heard_in(first, None, early), job="job-1"), early)
    heard = consensus_of(heard_in(second, prior, late), late)
    mixed = heard.model_copy(
        update={
            "claims": tuple(data.draw(st.permutations(heard.claims))),
            "dissent": tuple(data.draw(st.permutations(heard.dissent))),
        }
    )
    turned = prior.model_copy(update={"claims": tuple(data.draw(st.permutations(prior.claims)))})
    straight = reconcile(prior, heard, late, HashingEmbedder(), Policy(), job="job-2")
    other = reconcile(turned, mixed, late, HashingEmbedder(), Policy(), job="job-2")
    assert straight == other


def renamed(said: Statement) -> Statement:
    """The same statement by a member of another name in a family of another name."""
    return said.model_copy(update={"member": f"x-{said.member}", "family": f"x-{said.family}"})


@settings(max_examples=15, deadline=None)
@given(first=BULLETS, second=BULLETS)
def test_names_have_no_part_in_it(first: list[Bullet], second: list[Bullet]) -> None:
    early, late = conversation_of(first, second)
    prior = a_boundary(a_cycle(None, early, *heard_in(first, None, early), job="job-1"), early)
    said = heard_in(second, prior, late)
    straight, other = a_cycle(prior, late, *said), a_cycle(prior, late, *map(renamed, said))
    assert [(c.text, c.state) for c in straight.claims] == [(c.text, c.state) for c in other.claims]
    assert [(c.kind, c.reason) for c in straight.changes] == [(c.kind, c.reason) for c in other.changes]
