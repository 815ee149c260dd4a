"""The whole of reconciling: a cycle's consensus against what is held."""

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from consensus.hashing import HashingEmbedder
from consensus.reconcile.preview import what_is_contested, what_would_close
from consensus.reconcile.run import reconcile
from dissolution.boundary import BoundaryState
from dissolution.claims import (
    Claim,
    ClaimState,
    Closing,
    DissentReason,
    HeldAct,
    Mark,
    Section,
    StatedClaim,
    Statement,
    TemporalClass,
)
from dissolution.conversation import Snapshot
from dissolution.errors import NoCalibration
from dissolution.findings import Consensus, EmbeddingStamp, Vectors
from dissolution.intervals import TurnInterval
from dissolution.ledger import ChangeKind
from dissolution.policy import Policy
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of
from tests.unit.consensus.reconcile.made import a_boundary, a_claim, a_cycle, a_dissent, held, of_kind, said_by

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
    found = a_cycle(prior, first, *said_by("The portal's cache holds 512 MB.", writers=("cid", "dan")))
    assert [claim.id for claim in found.claims] == [prior.claims[0].id]
    assert found.claims[0].text == prior.claims[0].text
    assert found.claims[0].support.families == ("alpha", "beta", "delta", "gamma")
    assert [change.kind for change in found.changes] == [ChangeKind.AFFIRMED]


def test_a_new_value_on_newer_evidence_supersedes() -> None:
    first = a_snapshot(CACHE)
    changed = "The cache holds 1024 MB."
    grown = a_snapshot(CACHE, "Right.", changed)
    found = a_cycle(held(first, *said_by(CACHE)), grown, *said_by(changed))
    assert [claim.text for claim in found.claims] == [changed]
    assert closed_of(found) == [(CACHE, ClaimState.SUPERSEDED)]
    closed = found.closed[0]
    assert closed.valid == TurnInterval(start=1, end=3)
    assert closed.closing is not None
    assert closed.closing.by == found.claims[0].id
    assert [piece.turn for piece in closed.closing.evidence] == [3]
    assert of_kind(found, ChangeKind.REVISED)[0].other == closed.id
    assert what_would_close(found)[0]["by_text"] == changed


def test_a_value_on_older_turns_does_not_come_back() -> None:
    changed = "The cache holds 1024 MB."
    snapshot = a_snapshot(CACHE, "Right.", changed)
    prior = held(snapshot, *said_by(changed))
    stale = reconcile(
        prior,
        consensus_of((), snapshot).model_copy(update={"claims": (a_claim(CACHE, snapshot, 1),)}),
        snapshot,
        HashingEmbedder(),
        Policy(),
        job="job-2",
    )
    assert [claim.text for claim in stale.claims] == [changed]
    assert [(item.text, item.reason) for item in stale.dissent] == [(CACHE, DissentReason.SUPERSEDED)]
    assert stale.dissent[0].against == (prior.claims[0].id,)


def test_a_backward_mutation_empties_the_interval_and_reaches_back() -> None:
    wrong = "The pilot ran on Marlow-7B with 40 documents."
    right = "Correction: the pilot ran on Marlow-3B with 40 documents, it was never Marlow-7B."
    snapshot = a_snapshot(wrong, "Fine.", right)
    found = a_cycle(held(a_snapshot(wrong), *said_by(wrong)), snapshot, *said_by(right))
    assert closed_of(found) == [(wrong, ClaimState.CORRECTED)]
    assert found.closed[0].valid == TurnInterval(start=1, end=1)
    assert found.claims[0].valid.start == 1


def test_different_subjects_never_close_each_other() -> None:
    one, two = "The staging database runs Postgres 14.", "The production database runs Postgres 16."
    found = a_cycle(held(a_snapshot(one), *said_by(one)), a_snapshot(one, "Yes.", two), *said_by(two))
    assert not found.closed
    assert {claim.text for claim in found.claims} == {one, two}


def test_a_pinned_claim_is_contested_and_not_closed() -> None:
    first = a_snapshot(CACHE)
    prior = held(first, *said_by(CACHE))
    pinned = prior.claims[0].model_copy(update={"marks": (Mark.PINNED,)})
    prior = prior.model_copy(update={"claims": (pinned,)})
    changed = "The cache holds 1024 MB."
    found = a_cycle(prior, a_snapshot(CACHE, "Right.", changed), *said_by(changed))
    assert not found.closed
    firm = [claim for claim in found.claims if claim.section is not Section.EDGES]
    assert {claim.text for claim in firm} == {CACHE, changed}
    assert all(Mark.CONTESTED in claim.marks for claim in firm)
    assert what_is_contested(found)[0]["against"] == pinned.id


def test_a_turn_ends_a_pinned_claim_only_in_words() -> None:
    text = "Replies stay under 200 words."
    first = a_snapshot(text)
    prior = held(first, *said_by(text, Section.IDENTITY))
    pinned = prior.claims[0].model_copy(update={"marks": (Mark.PINNED,)})
    prior = prior.model_copy(update={"claims": (pinned,)})
    found = a_cycle(prior, a_snapshot(text, "Yes.", "Please drop the length limit."))
    assert not found.closed
    assert of_kind(found, ChangeKind.CONTESTED)[0].evidence[0].turn == 3


def test_a_turn_ends_a_rule_that_nobody_of_the_fleet_speaks_of() -> None:
    text = "Replies stay under 200 words."
    prior = held(a_snapshot(text), *said_by(text, Section.IDENTITY))
    found = a_cycle(prior, a_snapshot(text, "Yes.", "Please drop the length limit."))
    assert closed_of(found) == [(text, ClaimState.EXPIRED)]
    assert found.closed[0].closing is not None
    assert found.closed[0].closing.evidence[0].text == "Please drop the length limit."


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
    newer = a_snapshot(CACHE, "Sure?", "Yes: the cache holds 512 MB.")
    back = a_cycle(empty, newer, *said_by("The cache holds 512 MB."), ended=(gone,))
    assert [claim.text for claim in back.claims] == [CACHE]


def test_a_dismissed_branch_stays_dismissed() -> None:
    snapshot = a_snapshot(CACHE)
    out = a_dissent(CACHE, snapshot, 1, reason=DissentReason.DISMISSED)
    prior = held(snapshot).model_copy(update={"dissent": (out,)})
    found = a_cycle(prior, snapshot, *said_by(CACHE))
    assert not found.claims
    assert [item.reason for item in found.dissent] == [DissentReason.DISMISSED]


def test_a_minority_branch_is_promoted_when_families_add_up() -> None:
    snapshot = a_snapshot("The portal keeps sessions in Redis on port 6379.", "Yes.")
    text = "Sessions of the portal are kept in Redis on port 6379."
    prior = held(snapshot).model_copy(update={"dissent": (a_dissent(text, snapshot, 1),)})
    heard = consensus_of((), snapshot).model_copy(
        update={"dissent": (a_dissent(text, snapshot, 1, ("bea",), name="d2"),)}
    )
    found = reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job="job-2")
    assert [claim.text for claim in found.claims] == [text]
    assert found.claims[0].support.families == ("alpha", "beta")
    assert of_kind(found, ChangeKind.PROMOTED)[0].other == "d1"
    assert not found.dissent


def test_a_branch_that_contradicts_a_claim_is_never_promoted() -> None:
    stands, branch = "The cache holds 512 MB.", "The cache holds 256 MB."
    snapshot = a_snapshot(stands, branch)
    prior = held(a_snapshot(stands), *said_by(stands))
    prior = prior.model_copy(update={"through": 2, "dissent": (a_dissent(branch, snapshot, 2, ("ann", "bea")),)})
    found = reconcile(prior, consensus_of((), snapshot), snapshot, HashingEmbedder(), Policy(), job="job-2")
    assert [item.text for item in found.dissent] == [branch]
    assert not of_kind(found, ChangeKind.PROMOTED)


def test_dissent_keeps_its_cycles_and_families() -> None:
    snapshot = a_snapshot(CACHE)
    one = a_dissent(CACHE, snapshot, 1)
    prior = held(snapshot).model_copy(update={"dissent": (one,)})
    heard = consensus_of((), snapshot).model_copy(update={"dissent": (one,)})
    found = reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job="job-2")
    assert [(item.cycles, item.support.families) for item in found.dissent] == [(2, ("alpha",))]


def test_a_question_is_closed_by_the_claim_that_answers_it() -> None:
    question = "Which host does the rcli alias reach?"
    answer = "The rcli alias reaches host rds-cache-01."
    prior = held(a_snapshot(question), *said_by(question, Section.EDGES))
    found = a_cycle(prior, a_snapshot(question, "I look.", answer), *said_by(answer))
    assert closed_of(found) == [(question, ClaimState.SUPERSEDED)]
    assert found.closed[0].closing is not None
    assert "answers" in found.closed[0].closing.reason


def test_a_member_that_names_a_claim_affirms_it() -> None:
    text, other = "The portal keeps its sessions in Redis.", "Where users are logged in is remembered by Redis."
    snapshot = a_snapshot(text, other)
    prior = held(a_snapshot(text), *said_by(text))
    name = prior.claims[0].id
    cited = StatedClaim(section=Section.KNOWN, text=other, act=HeldAct.AFFIRM, about=name, turns=(2,))
    said = [Statement(member=m, family=f, ordinal=0, claim=cited) for m, f in (("ann", "alpha"), ("bea", "beta"))]
    found = a_cycle(prior, snapshot, *said)
    assert [claim.id for claim in found.claims] == [name]


def test_a_member_cannot_revise_without_newer_words() -> None:
    text, other = "The portal keeps its sessions in Redis.", "The portal keeps sessions in memory."
    snapshot = a_snapshot(text, "Yes.")
    prior = held(a_snapshot(text), *said_by(text))
    cited = StatedClaim(section=Section.KNOWN, text=other, act=HeldAct.REVISE, about=prior.claims[0].id, turns=(1,))
    found = a_cycle(prior, snapshot, Statement(member="ann", family="alpha", ordinal=0, claim=cited))
    assert not found.closed


def test_what_is_left_of_a_claim_goes_on() -> None:
    text = "Kinesis has 8 shards; older replay comes from the archive bucket."
    changed = "Kinesis has 20 shards."
    prior = held(a_snapshot(text), *said_by(text))
    found = a_cycle(prior, a_snapshot(text, "Hm.", changed), *said_by(changed))
    assert {claim.text for claim in found.claims} == {changed, "older replay comes from the archive bucket."}


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


# What anybody may say in any order: facts, rules, new values, endings, questions.
SAID = (
    (CACHE, Section.KNOWN),
    ("The cache holds 1024 MB.", Section.KNOWN),
    (RULE, Section.DECIDED),
    ("Deploys happen on Tuesday.", Section.DECIDED),
    ("Deploys happen on Thursday.", Section.DECIDED),
    ("Replies stay under 200 words.", Section.IDENTITY),
    ("I use British spelling, and keep replies under 90 words.", Section.IDENTITY),
    ("Which host does the rcli alias reach?", Section.EDGES),
    ("The rcli alias reaches host rds-cache-01.", Section.KNOWN),
    ("EKS is ruled out.", Section.DECIDED),
    ("We use EKS for the workers.", Section.DECIDED),
    ("Please drop the length limit.", Section.KNOWN),
    ("The freeze on deploys lasts until the audit is over.", Section.DECIDED),
    ("The audit is over.", Section.KNOWN),
)
PICKS = st.lists(st.integers(0, len(SAID) - 1), min_size=1, max_size=5, unique=True)


def conversation_of(*cycles: list[int]) -> list[Snapshot]:
    """One snapshot a cycle: each cycle's sentences are its turns."""
    turns: list[str] = []
    found: list[Snapshot] = []
    for picks in cycles:
        turns += [SAID[pick][0] for pick in picks]
        found.append(a_snapshot(*turns))
    return found


def heard_in(picks: list[int]) -> list[Statement]:
    return [
        a_statement(SAID[pick][0], writer, SAID[pick][1], ordinal=place)
        for writer in ("ann", "bea")
        for place, pick in enumerate(picks)
    ]


@settings(max_examples=25, deadline=None)
@given(first=PICKS, second=PICKS, third=PICKS)
def test_nothing_held_is_lost_and_every_end_is_cited(first: list[int], second: list[int], third: list[int]) -> None:
    prior: BoundaryState | None = None
    for version, (snapshot, picks) in enumerate(
        zip(conversation_of(first, second, third), (first, second, third), strict=True), start=1
    ):
        found = a_cycle(prior, snapshot, *heard_in(picks), job=f"job-{version}")
        before = {claim.id: claim for claim in prior.claims} if prior else {}
        still, ended = {claim.id for claim in found.claims}, {claim.id: claim for claim in found.closed}
        assert before.keys() <= still | ended.keys()
        assert not still & ended.keys()
        for claim in ended.values():
            assert claim.closing is not None
            if before[claim.id].section in {Section.DECIDED, Section.IDENTITY}:
                assert claim.closing.evidence
            assert all(piece.stands_in(snapshot) for piece in claim.closing.evidence)
        contested = {(c.claim, c.other) for c in of_kind(found, ChangeKind.CONTESTED)}
        assert not any({one, two} & ended.keys() for one, two in contested)
        for name, claim in before.items():
            if name in still and claim.section in {Section.DECIDED, Section.IDENTITY}:
                assert next(c for c in found.claims if c.id == name).section is claim.section
        prior = a_boundary(found, snapshot, version)


@settings(max_examples=15, deadline=None)
@given(first=PICKS, second=PICKS)
@example(first=[0, 2, 1, 3], second=[0])
@example(first=[0, 10], second=[9, 0, 10])
def test_the_same_cycle_twice_changes_nothing(first: list[int], second: list[int]) -> None:
    early, late = conversation_of(first, second)
    prior = a_boundary(a_cycle(None, early, *heard_in(first), job="job-1"), early)
    once = a_cycle(prior, late, *heard_in(second))
    twice = a_cycle(a_boundary(once, late, 2), late, *heard_in(second))
    assert not twice.closed
    assert {(c.id, c.text, c.section) for c in twice.claims} == {(c.id, c.text, c.section) for c in once.claims}
    assert {c.kind for c in twice.changes} <= {ChangeKind.AFFIRMED, ChangeKind.CARRIED, ChangeKind.CONTESTED}


@settings(max_examples=15, deadline=None)
@given(first=PICKS, second=PICKS, data=st.data())
def test_order_and_names_have_no_part_in_it(first: list[int], second: list[int], data: st.DataObject) -> None:
    early, late = conversation_of(first, second)
    prior = a_boundary(a_cycle(None, early, *heard_in(first), job="job-1"), early)
    heard = consensus_of(heard_in(second), late)
    mixed = heard.model_copy(update={"claims": tuple(data.draw(st.permutations(heard.claims)))})
    turned = prior.model_copy(update={"claims": tuple(data.draw(st.permutations(prior.claims)))})
    straight = reconcile(prior, heard, late, HashingEmbedder(), Policy(), job="job-2")
    other = reconcile(turned, mixed, late, HashingEmbedder(), Policy(), job="job-2")
    assert straight.claims == other.claims
    assert straight.closed == other.closed
    assert sorted(map(repr, straight.changes)) == sorted(map(repr, other.changes))


def renamed(claim: Claim) -> Claim:
    """The same claim by members of other names."""
    new = tuple(said.model_copy(update={"member": f"x-{said.member}"}) for said in claim.statements)
    support = claim.support.model_copy(update={"members": tuple(f"x-{name}" for name in claim.support.members)})
    return claim.model_copy(update={"statements": new, "support": support})


def test_members_names_have_no_part_in_it() -> None:
    for first, second in itertools.pairwise([[0, 2, 5], [1, 4, 11], [7, 9], [8, 10]]):
        early, late = conversation_of(first, second)
        prior = a_boundary(a_cycle(None, early, *heard_in(first), job="job-1"), early)
        heard = consensus_of(heard_in(second), late)
        named = heard.model_copy(update={"claims": tuple(renamed(claim) for claim in heard.claims)})
        straight = reconcile(prior, heard, late, HashingEmbedder(), Policy(), job="job-2")
        other = reconcile(prior, named, late, HashingEmbedder(), Policy(), job="job-2")
        assert [(c.id, c.text, c.state) for c in straight.claims] == [(c.id, c.text, c.state) for c in other.claims]
        assert straight.changes == other.changes
