"""Opposites that no turn settles: both are marked, one EDGE states both, and it ends with either side."""

from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.contested import both_sides, sides_of
from consensus.hashing import HashingEmbedder
from consensus.reconcile.contests import Contests, edge_id, edge_of, quoted
from consensus.reconcile.desk import Desk
from consensus.reconcile.run import reconcile
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Closing, Mark, Section, Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.intervals import TurnInterval
from dissolution.ledger import ChangeKind
from dissolution.policy import Policy
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of
from tests.unit.consensus.reconcile.made import a_boundary, a_claim, a_cycle, a_space, held, of_kind, said_by

SMALL, LARGE, THIRD = "The cache holds 512 MB.", "The cache holds 1024 MB.", "The cache holds 2048 MB."
TURNS = (SMALL, LARGE)


def edges_of(found: Consensus | BoundaryState) -> list[Claim]:
    return [claim for claim in found.claims if quoted(claim) is not None]


def marked(found: Consensus | BoundaryState) -> set[str]:
    firm = (claim for claim in found.claims if claim.section is not Section.EDGES)
    return {claim.text for claim in firm if Mark.CONTESTED in claim.marks}


def contested() -> tuple[Snapshot, BoundaryState]:
    """The user says one thing and the assistant another, a cycle later; nothing settles it."""
    snapshot = a_snapshot(*TURNS)
    return snapshot, a_boundary(
        a_cycle(held(a_snapshot(SMALL), *said_by(SMALL)), snapshot, *said_by(LARGE)), snapshot, 2
    )


def test_both_claims_are_marked_and_one_edge_states_both() -> None:
    snapshot, found = contested()
    (edge,) = edges_of(found)
    assert marked(found) == {SMALL, LARGE}
    assert edge.text == both_sides(SMALL, 2, LARGE, 2)
    assert edge.id == edge_id(*(claim.id for claim in found.claims if claim.id != edge.id))
    assert [piece.turn for piece in edge.evidence] == [1, 2]
    assert all(piece.stands_in(snapshot) for piece in edge.evidence)
    assert edge.valid == TurnInterval(start=2)
    assert {change.kind for change in found.changes if change.claim == edge.id} == {ChangeKind.ADDED}
    assert not found.closed


def test_the_edge_is_the_same_for_either_order() -> None:
    snapshot = a_snapshot(*TURNS)
    one, two = a_claim(SMALL, snapshot, 1, name="c1"), a_claim(LARGE, snapshot, 2, name="c2")
    assert edge_of(one, two) == edge_of(two, one)


def test_saying_either_side_again_adds_no_second_edge() -> None:
    snapshot, prior = contested()
    for version, said in enumerate((SMALL, LARGE, SMALL), start=3):
        found = a_cycle(prior, snapshot, *said_by(said), job=f"job-{version}")
        assert [edge.id for edge in edges_of(found)] == [edge.id for edge in edges_of(prior)]
        assert marked(found) == {SMALL, LARGE}
        prior = a_boundary(found, snapshot, version)


def test_a_side_in_other_words_on_a_newer_turn_adds_no_second_edge() -> None:
    _, prior = contested()
    words = "1024 MB is what the cache holds."
    snapshot = a_snapshot(*TURNS, "Hm.", words)
    found = a_cycle(prior, snapshot, *said_by(words), job="job-3")
    assert len(edges_of(found)) == 1


def test_a_turn_that_settles_it_ends_the_edge_and_lifts_the_marks() -> None:
    _, prior = contested()
    snapshot = a_snapshot(*TURNS, LARGE)
    found = a_cycle(prior, snapshot, *said_by(LARGE), job="job-3")
    assert [claim.text for claim in found.claims] == [LARGE]
    assert not marked(found)
    states = {claim.text: (claim.state, claim.closing) for claim in found.closed}
    assert states.keys() == {SMALL, both_sides(SMALL, 2, LARGE, 2)}
    state, closing = states[both_sides(SMALL, 2, LARGE, 2)]
    assert state is ClaimState.EXPIRED
    assert closing is not None
    assert closing.by == found.claims[0].id
    assert [piece.turn for piece in closing.evidence] == [3]


def test_a_third_value_ends_both_and_the_edge() -> None:
    _, prior = contested()
    found = a_cycle(prior, a_snapshot(*TURNS, f"No: {THIRD}"), *said_by(THIRD), job="job-3")
    assert [claim.text for claim in found.claims] == [THIRD]
    assert len(found.closed) == 3


def test_a_third_value_that_nothing_settles_stands_against_both() -> None:
    _, prior = contested()
    snapshot = a_snapshot(*TURNS, "Hm.")
    grown = Snapshot(
        conversation=snapshot.conversation,
        turns=(*snapshot.turns, snapshot.turns[1].model_copy(update={"number": 4, "speaker": "cy", "content": THIRD})),
    )
    found = a_cycle(prior, grown, *said_by(THIRD), job="job-3")
    assert marked(found) == {SMALL, LARGE, THIRD}
    pairs = {frozenset(quoted(edge) or ()) for edge in edges_of(found)}
    assert pairs == {frozenset({SMALL, LARGE}), frozenset({SMALL, THIRD}), frozenset({LARGE, THIRD})}


def test_what_ends_one_side_for_another_value_stands_against_the_other_side() -> None:
    _, prior = contested()
    pinned = tuple(
        claim.model_copy(update={"marks": (*claim.marks, Mark.PINNED)}) if claim.text == LARGE else claim
        for claim in prior.claims
    )
    found = a_cycle(
        prior.model_copy(update={"claims": pinned}), a_snapshot(*TURNS, THIRD), *said_by(THIRD), job="job-3"
    )
    assert marked(found) == {LARGE, THIRD}
    assert [quoted(edge) for edge in edges_of(found)] == [(LARGE, THIRD)]


def test_a_fuller_wording_of_a_later_cycle_takes_over_the_contest() -> None:
    fuller = "The cache holds 512 MB for the portal in Dublin."
    _, prior = contested()
    snapshot = a_snapshot(*TURNS, "Hm.", "So.")
    heard = consensus_of((), snapshot).model_copy(update={"claims": (a_claim(fuller, snapshot, 4, name="c9"),)})
    found = reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job="job-3")
    firm = {claim.text for claim in found.claims if claim.section is not Section.EDGES}
    assert firm == {fuller, LARGE}
    assert [set(quoted(edge) or ()) for edge in edges_of(found)] == [firm]
    assert marked(found) == firm


def test_one_claim_or_a_pair_that_no_longer_stands_has_no_edge() -> None:
    snapshot = a_snapshot(*TURNS)
    one, two = a_claim(SMALL, snapshot, 1, name="c1"), a_claim(LARGE, snapshot, 2, name="c2")
    desk = Desk({claim.id: claim for claim in (one, two)}, 2, "job-2")
    contests = Contests(desk, a_space(SMALL, LARGE), snapshot, [], [])
    for pair in (("c1", "c1"), ("c1", "gone")):
        contests.note(*pair)
    contests.settle([])
    assert not desk.new
    contests.note("c2", "c1")
    contests.note("c1", "c2")
    contests.settle([])
    assert list(desk.new) == [edge_id("c1", "c2")]


def test_a_claim_said_again_after_the_words_against_it_stands_beside_them_and_an_edge_states_both() -> None:
    use, out = "We use EKS for the workers.", "EKS is ruled out."
    early, late = a_snapshot(use), a_snapshot(use, "Fine.", out, "Fine.", use)
    prior = held(early, *said_by(use, Section.DECIDED))
    found = a_cycle(prior, late, *said_by(out, Section.DECIDED), *said_by(use, Section.DECIDED, place=1))
    assert not found.closed
    assert marked(found) == {use, out}
    (edge,) = edges_of(found)
    assert set(quoted(edge) or ()) == {use, out}
    after = a_snapshot(use, "Fine.", out, "Fine.", use, "Right.", out)
    over = a_cycle(a_boundary(found, late, 2), after, *said_by(out, Section.DECIDED), job="job-3")
    assert {claim.text for claim in over.closed} == {use, edge.text}
    assert not marked(over)


def test_values_of_one_slot_that_nobody_settles_have_an_edge_though_no_figure_is_in_them() -> None:
    first, second = "Deploys happen on Tuesday.", "Deploys happen on Thursday."
    found = a_cycle(
        held(a_snapshot(first), *said_by(first, Section.DECIDED)),
        a_snapshot(first, second),
        *said_by(second, Section.DECIDED),
    )
    assert marked(found) == {first, second}
    assert len(edges_of(found)) == 1


def test_a_side_that_a_person_retracts_ends_the_edge_in_the_next_cycle() -> None:
    snapshot, prior = contested()
    closing = Closing(state=ClaimState.EXPIRED, reason="a person retracted it")
    gone = next(claim for claim in prior.claims if claim.text == SMALL).model_copy(
        update={"state": ClaimState.EXPIRED, "closing": closing, "valid": TurnInterval(start=1, end=2)}
    )
    left = tuple(claim for claim in prior.claims if claim.id != gone.id)
    found = a_cycle(prior.model_copy(update={"claims": left}), snapshot, *said_by(LARGE), job="job-3", ended=(gone,))
    assert [claim.text for claim in found.claims] == [LARGE]
    assert not marked(found)
    assert [(claim.state, claim.closing and claim.closing.by) for claim in found.closed] == [(ClaimState.EXPIRED, None)]


def test_an_edge_that_a_person_retracts_leaves_no_marks() -> None:
    snapshot, prior = contested()
    left = tuple(claim for claim in prior.claims if claim.section is not Section.EDGES)
    found = a_cycle(prior.model_copy(update={"claims": left}), snapshot, job="job-3")
    assert not marked(found)
    assert not edges_of(found)


def test_an_unmarked_edge_of_a_pinned_claim_is_made_once() -> None:
    prior = held(a_snapshot(SMALL), *said_by(SMALL))
    pinned = prior.claims[0].model_copy(update={"marks": (Mark.PINNED,)})
    snapshot = a_snapshot(SMALL, "Fine.", LARGE)
    found = a_cycle(prior.model_copy(update={"claims": (pinned,)}), snapshot, *said_by(LARGE))
    assert len(edges_of(found)) == 1
    assert next(claim for claim in found.claims if claim.id == pinned.id).marks == (Mark.PINNED, Mark.CONTESTED)


def test_what_may_be_another_thing_stays_side_by_side() -> None:
    one, two = "The marketing budget is 40,000 euros.", "The budget is 50,000 euros."
    found = a_cycle(held(a_snapshot(one), *said_by(one)), a_snapshot(one, two), *said_by(two))
    assert not found.closed
    assert not marked(found)
    assert not edges_of(found)


def test_a_plain_denial_is_an_opposite() -> None:
    one, two = "We use EKS for the workers.", "We do not use EKS for the workers."
    snapshot = a_snapshot(one, two)
    heard = consensus_of((), snapshot).model_copy(update={"claims": (a_claim(two, snapshot, 2, Section.DECIDED),)})
    prior = held(a_snapshot(one), *said_by(one, Section.DECIDED))
    found = reconcile(prior, heard, snapshot, HashingEmbedder(), Policy(), job="job-2")
    assert marked(found) == {one, two}


def both_in_one_cycle() -> tuple[Snapshot, BoundaryState]:
    """Both sides come up before anything is held: the consensus states them, and both are dissent."""
    snapshot = a_snapshot(*TURNS)
    return snapshot, held(snapshot, *said_by(SMALL), *said_by(LARGE, place=1))


def test_the_edge_of_the_consensus_ends_when_a_newer_claim_settles_it() -> None:
    _, prior = both_in_one_cycle()
    assert [sides_of(edge.text) for edge in edges_of(prior)] == [(SMALL, LARGE)]
    quiet = a_snapshot(*TURNS, "Fine.")
    still = a_boundary(a_cycle(prior, quiet), quiet, 2)
    assert [edge.id for edge in edges_of(still)] == [edge.id for edge in edges_of(prior)]
    found = a_cycle(still, a_snapshot(*TURNS, "Fine.", "Hm.", LARGE), *said_by(LARGE), job="job-3")
    assert [claim.text for claim in found.claims] == [LARGE]
    assert [claim.state for claim in found.closed] == [ClaimState.EXPIRED]


def test_the_edge_of_the_consensus_said_again_with_more_support_is_one() -> None:
    snapshot, prior = both_in_one_cycle()
    writers = ("ann", "bea", "cid")
    found = a_cycle(prior, snapshot, *said_by(SMALL, writers=writers), *said_by(LARGE, writers=writers, place=1))
    assert [edge.id for edge in edges_of(found)] == [edge.id for edge in edges_of(prior)]


def test_the_edge_of_the_consensus_marks_the_held_side_and_ends_with_it() -> None:
    snapshot, with_edge = both_in_one_cycle()
    side = a_claim(SMALL, snapshot, 1, name="c1")
    prior = with_edge.model_copy(update={"claims": (*with_edge.claims, side)})
    found = a_cycle(prior, snapshot)
    assert marked(found) == {SMALL}
    over = a_cycle(a_boundary(found, snapshot, 2), a_snapshot(*TURNS, f"No: {THIRD}"), *said_by(THIRD), job="job-3")
    assert [claim.text for claim in over.claims] == [THIRD]
    assert len(over.closed) == 2


# What two people may say of two things, in any order.
SAID = (
    SMALL,
    LARGE,
    THIRD,
    "Correction: the cache holds 256 MB.",
    "We use EKS for the workers.",
    "We do not use EKS for the workers.",
    "EKS is ruled out.",
    "The cache holds 512 MB for the portal in Dublin.",
    "Deploys happen on Tuesday.",
    "Deploys happen on Thursday.",
)
PICKS = st.lists(st.integers(0, len(SAID) - 1), min_size=1, max_size=4)


def heard_in(picks: list[int]) -> list[Statement]:
    return [a_statement(SAID[pick], who, ordinal=n) for who in ("ann", "bea") for n, pick in enumerate(picks)]


def says_side(text: str, side: str) -> bool:
    """Whether a claim says what the consensus stated as one side, in other words."""
    return a_space(text, side).same(text, side)


@settings(max_examples=30, deadline=None)
@given(cycles=st.lists(PICKS, min_size=2, max_size=4))
def test_no_contested_pair_without_its_edge_and_no_edge_without_its_pair(cycles: list[list[int]]) -> None:
    prior: BoundaryState | None = None
    turns: list[str] = []
    ended: list[Claim] = []
    for version, picks in enumerate(cycles, start=1):
        turns += [SAID[pick] for pick in picks]
        snapshot = a_snapshot(*turns)
        found = a_cycle(prior, snapshot, *heard_in(picks), job=f"job-{version}", ended=ended)
        texts = {claim.id: claim.text for claim in found.claims}
        edges = edges_of(found)
        assert len({edge.id for edge in edges}) == len(edges)
        quotes = {side for edge in edges for side in quoted(edge) or ()}
        for claim in found.claims:
            if claim.section is not Section.EDGES and Mark.CONTESTED in claim.marks:
                assert claim.text in quotes or any(says_side(claim.text, side) for side in quotes)
        made = {edge_id(one, two) for one in texts for two in texts if one < two}
        for edge in edges:
            if edge.reason.startswith("contested: no turn settles c"):
                assert edge.id in made
                assert set(quoted(edge) or ()) <= marked(found)
        ended += found.closed
        prior = a_boundary(found, snapshot, version)


@settings(max_examples=20, deadline=None)
@given(cycles=st.lists(PICKS, min_size=2, max_size=3))
def test_the_same_cycle_again_changes_no_contest(cycles: list[list[int]]) -> None:
    prior: BoundaryState | None = None
    turns: list[str] = []
    ended: list[Claim] = []
    for version, picks in enumerate(cycles, start=1):
        turns += [SAID[pick] for pick in picks]
        snapshot = a_snapshot(*turns)
        found = a_cycle(prior, snapshot, *heard_in(picks), job=f"job-{version}", ended=ended)
        ended += found.closed
        prior = a_boundary(found, snapshot, version)
    assert prior is not None
    again = a_cycle(prior, a_snapshot(*turns), *heard_in(cycles[-1]), job="job-9", ended=ended)
    assert {edge.id for edge in edges_of(again)} == {edge.id for edge in edges_of(prior)}
    assert marked(again) == marked(prior)
    assert not again.closed


def test_rolled_forward_a_settling_turn_clears_every_contest() -> None:
    _, prior = contested()
    for version, value in enumerate((64, 128, 256), start=3):
        text = f"The cache holds {value} MB."
        turns = [turn for n in range(3, version + 1) for turn in (f"The cache holds {2 ** (n + 3)} MB.", "Noted.")]
        snapshot = a_snapshot(*TURNS, *turns)
        found = a_cycle(prior, snapshot, *said_by(text), job=f"job-{version}")
        assert [claim.text for claim in found.claims] == [text]
        assert not marked(found)
        prior = a_boundary(found, snapshot, version)


def test_a_contest_survives_silence() -> None:
    snapshot, prior = contested()
    for version in range(3, 6):
        found = reconcile(
            prior, consensus_of((), snapshot), snapshot, HashingEmbedder(), Policy(), job=f"job-{version}"
        )
        assert marked(found) == {SMALL, LARGE}
        assert len(edges_of(found)) == 1
        assert not of_kind(found, ChangeKind.CLOSED)
        prior = a_boundary(found, snapshot, version)
