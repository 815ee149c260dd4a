"""What an adjudicator is asked about, and what its answers may change: joins under the guards, and keeping apart."""

import numpy as np
import pytest

from consensus.adjudication import Linked, Links, adjudicated, group_with_links, links
from consensus.adjudicators import RecordedAdjudicator, ScriptedAdjudicator, both_ways
from consensus.build import build_consensus
from consensus.cluster import AverageLinkage
from consensus.hashing import HashingEmbedder
from consensus.profile import Profile, profile_of
from consensus.vectors import Matrix
from dissolution.adjudication import Adjudication, ClaimPair, PairAnswer, PairVerdict, Relation
from dissolution.answers import FailureClass, MemberFailure
from dissolution.claims import DissentReason, Mark, Section
from dissolution.findings import NOT_ADJUDICATED, Consensus
from dissolution.policy import ConsensusPolicy
from dissolution.ports import Adjudicator
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement

CUT = 0.4
LAKE, WATER, TOWER = "The lake is deep.", "The water goes far down.", "The tower has stairs."
FIRST, LAST = "The deadline is March 15.", "The deadline is March 30."
SAME = both_ways(Relation.ENTAILS, "same depth")
FAILURE = MemberFailure(error_class=FailureClass.TIMEOUT, detail="no answer")


def a_matrix(n: int, between: float) -> Matrix:
    found = np.full((n, n), between)
    np.fill_diagonal(found, 0.0)
    return found


def profiles(*texts: str) -> list[Profile]:
    return [profile_of(text) for text in texts]


def ask(adjudicator: Adjudicator | None, *texts: str, between: float = CUT, most: int = 40) -> Adjudication:
    found = adjudicated(adjudicator, profiles(*texts), a_matrix(len(texts), between), CUT, most=most)
    assert isinstance(found, Adjudication)
    return found


def groups_of(adjudication: Adjudication, *texts: str, between: float = CUT) -> list[list[str]]:
    read = profiles(*texts)
    groups, _ = group_with_links(
        AverageLinkage(CUT), a_matrix(len(texts), between), read, links(adjudication), apart=CUT
    )
    return [[texts[row] for row in group] for group in groups]


def test_without_an_adjudicator_nobody_is_asked() -> None:
    assert adjudicated(None, profiles(LAKE, WATER), a_matrix(2, CUT), CUT, most=40) == NOT_ADJUDICATED
    assert links(NOT_ADJUDICATED) == Links()


def test_only_pairs_in_doubt_are_asked_about_and_a_clear_case_asks_nobody() -> None:
    scripted = ScriptedAdjudicator(lambda _pair: SAME)
    assert ask(scripted, LAKE, WATER, between=0.9) == Adjudication(member="scripted", doubtful=0, asked=0)
    assert scripted.asked == []


def test_the_bound_holds_and_what_was_left_unasked_is_counted() -> None:
    scripted = ScriptedAdjudicator(lambda _pair: SAME)
    found = ask(scripted, LAKE, WATER, TOWER, most=2)
    assert (found.doubtful, found.asked, len(found.decisions)) == (3, 2, 2)
    assert len(scripted.asked[0]) == 2


def test_the_question_is_the_same_in_any_order_of_the_claims() -> None:
    one, two = ScriptedAdjudicator(lambda _pair: SAME), ScriptedAdjudicator(lambda _pair: SAME)
    ask(one, LAKE, WATER, TOWER)
    ask(two, TOWER, LAKE, WATER)
    assert one.asked == two.asked


def test_a_decision_keeps_pair_verdict_member_and_reason() -> None:
    (decision,) = ask(ScriptedAdjudicator(lambda _pair: SAME, name="judge"), LAKE, WATER).decisions
    assert decision.pair == ClaimPair(first=LAKE, second=WATER)
    assert (decision.verdict, decision.member, decision.overruled) == (PairVerdict.SAME, "judge", None)
    assert decision.reason == "first to second: entails, second to first: entails; same depth"


def test_a_pair_left_out_is_not_decided_and_a_failure_decides_nothing() -> None:
    assert ask(ScriptedAdjudicator(lambda _pair: None), LAKE, WATER).decisions == ()
    failed = ask(ScriptedAdjudicator(FAILURE), LAKE, WATER)
    assert (failed.failure, failed.decisions, failed.asked) == (FAILURE, (), 1)
    assert links(failed) == Links()


@pytest.mark.parametrize(
    ("forward", "backward", "verdict"),
    [
        (Relation.ENTAILS, Relation.ENTAILS, PairVerdict.SAME),
        (Relation.ENTAILS, Relation.NEITHER, PairVerdict.NEITHER),
        (Relation.NEITHER, Relation.NEITHER, PairVerdict.NEITHER),
        (Relation.NEITHER, Relation.CONTRADICTS, PairVerdict.OPPOSED),
        (Relation.CONTRADICTS, Relation.ENTAILS, PairVerdict.OPPOSED),
    ],
)
def test_what_two_relations_come_to(forward: Relation, backward: Relation, verdict: PairVerdict) -> None:
    assert PairAnswer(forward=forward, backward=backward).verdict is verdict


def test_same_joins_what_the_distance_would_part_and_opposed_parts_what_it_would_join() -> None:
    same = ask(ScriptedAdjudicator(lambda _pair: SAME), LAKE, WATER, between=0.45)
    assert groups_of(same, LAKE, WATER, between=0.45) == [[LAKE, WATER]]
    opposed = ask(ScriptedAdjudicator(lambda _pair: both_ways(Relation.CONTRADICTS)), LAKE, WATER, between=0.35)
    assert groups_of(opposed, LAKE, WATER, between=0.35) == [[LAKE], [WATER]]
    neither = ask(ScriptedAdjudicator(lambda _pair: both_ways(Relation.NEITHER)), LAKE, WATER, between=0.35)
    assert groups_of(neither, LAKE, WATER, between=0.35) == [[LAKE, WATER]]


def test_a_guard_that_finds_claims_opposed_outranks_any_answer() -> None:
    """Such a pair is not even asked about; where its topic is in doubt, the answer is overruled and says so."""
    assert ask(ScriptedAdjudicator(lambda _pair: SAME), FIRST, LAST, between=0.2).asked == 0
    one, two = "The invoice is due on March 15.", "We meet the client on March 30."
    (decision,) = ask(ScriptedAdjudicator(lambda _pair: SAME), one, two, between=0.2).decisions
    assert (decision.verdict, decision.overruled is None) == (PairVerdict.SAME, False)
    assert str(decision.overruled).startswith("date: ")
    forced = Links(same=frozenset({frozenset({LAKE, FIRST}), frozenset({LAKE, LAST})}))
    groups, _ = group_with_links(AverageLinkage(CUT), a_matrix(3, 0.5), profiles(LAKE, FIRST, LAST), forced, apart=CUT)
    assert not any({1, 2} <= set(group) for group in groups)


def test_an_overruled_answer_makes_no_link() -> None:
    decision = ask(ScriptedAdjudicator(lambda _pair: SAME), LAKE, WATER).decisions[0]
    overruled = decision.model_copy(update={"overruled": "date: 15 against 30"})
    assert links(Adjudication(member="m", doubtful=1, asked=1, decisions=(overruled,))) == Links()


def test_same_holds_in_chains() -> None:
    pairs = frozenset({frozenset({LAKE, WATER}), frozenset({WATER, TOWER})})
    groups, _ = group_with_links(
        AverageLinkage(CUT), a_matrix(3, 0.95), profiles(LAKE, WATER, TOWER), Links(pairs), apart=CUT
    )
    assert groups == ((0, 1, 2),)


def test_opposed_groups_are_no_repeats_afterwards_but_of_one_topic_and_the_given_distances_stay() -> None:
    given = a_matrix(3, 0.2)
    opposed = Links(opposed=frozenset({frozenset({LAKE, TOWER})}))
    groups, told = group_with_links(AverageLinkage(CUT), given, profiles(LAKE, WATER, TOWER), opposed, apart=CUT)
    assert groups == ((0, 1), (2,))
    assert told[0, 2] == told[1, 2] == told[2, 1] == CUT
    assert np.array_equal(given, a_matrix(3, 0.2))
    assert np.array_equal(told, told.T)


def test_links_hold_for_every_row_of_a_text() -> None:
    opposed = Links(opposed=frozenset({frozenset({LAKE, WATER})}))
    read = profiles(LAKE, LAKE, WATER, WATER)
    distances = a_matrix(4, 0.2)
    distances[0, 1] = distances[1, 0] = distances[2, 3] = distances[3, 2] = 0.0
    assert group_with_links(AverageLinkage(CUT), distances, read, opposed, apart=CUT)[0] == ((0, 1), (2, 3))


def test_a_linked_method_keeps_its_name() -> None:
    assert Linked(AverageLinkage(CUT), (), ()).name == AverageLinkage(CUT).name


TURNS = ("The lake is very deep in its middle.", "The water of the lake goes far down in its middle.")


def heard(adjudicator: Adjudicator | None, *between: str) -> Consensus:
    said = [a_statement(TURNS[0], "ann", turns=(1,)), a_statement(TURNS[1], "bea", turns=(2 + len(between),))]
    answers = {"ann": TURNS[0], "bea": TURNS[1]}
    policy = ConsensusPolicy(distance_threshold=0.5, embedder="hashing")
    return build_consensus(
        said,
        a_snapshot(TURNS[0], *between, TURNS[1]),
        HashingEmbedder(),
        policy,
        job="job-1",
        answers=answers,
        adjudicator=adjudicator,
    )


def test_the_consensus_keeps_the_decisions_and_goes_on_without_them() -> None:
    plain = heard(None)
    assert plain.adjudication == NOT_ADJUDICATED
    failed = heard(ScriptedAdjudicator(FAILURE))
    assert failed.model_copy(update={"adjudication": NOT_ADJUDICATED}) == plain


def test_the_answer_decides_whether_the_families_agree() -> None:
    same = heard(ScriptedAdjudicator(lambda _pair: SAME))
    opposed = heard(ScriptedAdjudicator(lambda _pair: both_ways(Relation.CONTRADICTS)))
    assert isinstance(same.adjudication, Adjudication)
    assert same.adjudication.asked == 1
    assert (same.groups, opposed.groups) == (1, 2)
    assert any(len(claim.support.families) == 2 for claim in same.claims)
    assert not any(claim.marks == () for claim in opposed.claims)


CONTRADICTS = both_ways(Relation.CONTRADICTS)


def test_what_the_adjudicator_finds_contradictory_and_no_turn_settles_is_contested() -> None:
    consensus = heard(ScriptedAdjudicator(lambda _pair: CONTRADICTS))
    (edge,) = consensus.claims
    assert (edge.section, edge.marks) == (Section.EDGES, (Mark.CONTESTED,))
    assert all(text in edge.text for text in TURNS)
    assert "adjudication" in edge.reason
    assert {lost.reason for lost in consensus.dissent} == {DissentReason.CONTESTED}


def test_the_later_word_of_the_same_speaker_settles_what_the_adjudicator_finds_contradictory() -> None:
    consensus = heard(ScriptedAdjudicator(lambda _pair: CONTRADICTS), "Noted.")  # turns 1 and 3 are the user's
    (claim,) = consensus.claims
    assert claim.text == TURNS[1]
    (lost,) = consensus.dissent
    assert (lost.text, lost.reason, lost.against) == (TURNS[0], DissentReason.SUPERSEDED, (claim.id,))
    assert "adjudicator" in lost.detail


def test_a_pair_of_one_member_is_not_asked_about() -> None:
    adjudicator = ScriptedAdjudicator(lambda _pair: SAME)
    told = adjudicated(adjudicator, profiles(LAKE, WATER), a_matrix(2, CUT), CUT, most=9, members=["ann", "ann"])
    assert isinstance(told, Adjudication)
    assert (told.doubtful, told.asked, adjudicator.asked) == (0, 0, [])
    both = adjudicated(adjudicator, profiles(LAKE, WATER), a_matrix(2, CUT), CUT, most=9, members=["ann", "bea"])
    assert isinstance(both, Adjudication)
    assert both.asked == 1


def test_a_recording_answers_a_pair_in_either_order() -> None:
    answer = PairAnswer(forward=Relation.ENTAILS, backward=Relation.NEITHER)
    recorded = RecordedAdjudicator("judge", [(ClaimPair(first=LAKE, second=WATER), answer)])
    assert recorded.adjudicate([ClaimPair(first=LAKE, second=WATER)]) == (answer,)
    (turned,) = recorded.adjudicate([ClaimPair(first=WATER, second=LAKE)])
    assert turned == PairAnswer(forward=Relation.NEITHER, backward=Relation.ENTAILS)
    assert recorded.adjudicate([ClaimPair(first=WATER, second=TOWER)]) == (None,)
