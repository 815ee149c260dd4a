"""Who stands: what families share, whatever else; and what one family says, ranked and while there is room."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.wording.profile import profile_of
from dissolution.claims import DissentReason, Mark, Section
from dissolution.reviewing import Fault
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of

TURNS = (
    "The pump of the northern house runs at night.",
    "The lease of the mill ends with the year.",
    "The choir sings the psalm on Sunday.",
    "The index lists every author of the volume.",
    "The session store rds-sess-01 has 512 MB of memory.",
    "The session store rds-sess-01 has 2048 MB of memory.",
)
TALK = a_snapshot(*TURNS)
TIGHT = 25  # words: those of the leading answer


@settings(max_examples=25, deadline=None)
@given(
    said=st.lists(st.tuples(st.sampled_from(TURNS), st.sampled_from(("ann", "bea", "cid", "dan"))), min_size=1),
    section=st.sampled_from(tuple(Section)),
)
def test_what_two_families_state_always_stands(said: list[tuple[str, str]], section: Section) -> None:
    """No size and no finding of rules takes it out."""
    distinct = list(dict.fromkeys(said))
    statements = [a_statement(text, member, section, ordinal=n) for n, (text, member) in enumerate(distinct)]
    found = consensus_of(statements, TALK, most_words=TIGHT)
    shared = {text for text, _ in distinct if len({member for other, member in distinct if other == text}) > 1}
    assert shared <= {claim.text for claim in found.claims}
    assert all(len(one.support.families) < 2 for one in found.dissent)


def test_what_values_set_against_a_supported_claim_stands_where_there_is_room_and_is_pointed_at() -> None:
    said = [a_statement(TURNS[5], member) for member in ("ann", "bea")] + [a_statement(TURNS[4], "cid")]
    found = consensus_of(said, TALK)
    assert {claim.text: claim.marks for claim in found.claims} == {TURNS[5]: (), TURNS[4]: (Mark.SINGLE_SOURCE,)}
    assert [(hint.suspects, set(hint.claims)) for hint in found.hints] == [
        (Fault.CONTRADICTS, {claim.id for claim in found.claims})
    ]


@pytest.mark.parametrize("opponent", ["ann", "cid"], ids=["of the leading answer", "of another"])
def test_what_values_set_against_a_supported_claim_comes_after_all_else_and_names_it(opponent: str) -> None:
    """There is room for one more: what says something else takes it, though it is another answer's or is longer."""
    said = [a_statement(TURNS[5], member) for member in ("ann", "bea")]
    said += [a_statement(TURNS[4], opponent, ordinal=1), a_statement(TURNS[1], "dan")]
    words = sum(len(TURNS[place].split()) for place in (5, 1))
    found = consensus_of(said, TALK, most_words=words)
    assert {claim.text for claim in found.claims} == {TURNS[5], TURNS[1]}
    (dissent,) = found.dissent
    rival = next(claim.id for claim in found.claims if claim.text == TURNS[5])
    assert (dissent.text, dissent.reason, dissent.against) == (TURNS[4], DissentReason.SIZE, (rival,))
    assert found.hints == (), "hints are about claims that stand"


SIZES = st.integers(1, 9).map(lambda n: f"The session store rds-sess-01 has {n * 256} MB of memory.")
DAYS = st.integers(1, 28).map(lambda day: f"The lease of the mill ends on {day} March 2027.")
WORDS = st.sampled_from(("ann", "abe", "bea", "cid", "dan"))


@settings(max_examples=60, deadline=None)
@given(
    shared=st.lists(st.one_of(SIZES, DAYS), min_size=1, max_size=4, unique=True),
    others=st.lists(st.tuples(st.one_of(SIZES, DAYS, st.sampled_from(TURNS)), WORDS), max_size=12),
    section=st.sampled_from(tuple(Section)),
)
def test_whatever_values_others_state_nothing_that_two_families_state_is_lost(
    shared: list[str], others: list[tuple[str, str]], section: Section
) -> None:
    """Values may stand against each other as they like: each is a claim of both families, and none is dissent."""
    talk = a_snapshot(*shared, *TURNS)
    said = [*((text, member) for text in shared for member in ("ann", "bea")), *others]
    distinct = list(dict.fromkeys(said))
    statements = [a_statement(text, member, section, ordinal=n) for n, (text, member) in enumerate(distinct)]
    found = consensus_of(statements, talk, most_words=TIGHT)
    for text in shared:
        mine = {one.key for one in statements if one.claim.text == text}
        (claim,) = [one for one in found.claims if mine <= {said.key for said in one.statements}]
        assert {"alpha", "beta"} <= set(claim.support.families)
        assert profile_of(text).figures <= profile_of(claim.text).figures
    assert all(len(one.support.families) < 2 for one in found.dissent)
    kept = {one.key for item in (*found.claims, *found.dissent) for one in item.statements}
    assert kept == {one.key for one in statements}


def test_the_rest_of_one_family_is_left_out_for_size_and_the_leading_answer_is_not() -> None:
    said = [a_statement(text, "ann", ordinal=n) for n, text in enumerate(TURNS[:3])]
    said += [a_statement(TURNS[0], "bea"), a_statement(TURNS[3], "cid", ordinal=9)]
    found = consensus_of(said, TALK, most_words=TIGHT)
    assert {claim.text for claim in found.claims} == set(TURNS[:3])
    assert [(one.text, one.reason) for one in found.dissent] == [(TURNS[3], DissentReason.SIZE)]
    assert {claim.text for claim in consensus_of(said, TALK).claims} == set(TURNS[:4])


def test_single_sources_are_marked_and_claims_of_two_families_are_not() -> None:
    said = [a_statement(TURNS[0], "ann"), a_statement(TURNS[0], "bea"), a_statement(TURNS[1], "ann", ordinal=1)]
    marks = {claim.text: claim.marks for claim in consensus_of(said, TALK).claims}
    assert marks == {TURNS[0]: (), TURNS[1]: (Mark.SINGLE_SOURCE,)}


@pytest.mark.parametrize("section", [Section.DECIDED, Section.IDENTITY])
def test_all_that_binds_stands_until_members_have_reviewed_it(section: Section) -> None:
    """Without a review what one family alone states needs strong evidence and room."""
    weak = "The northern house is pumped."
    said = [a_statement(TURNS[0], "ann"), a_statement(TURNS[0], "bea"), a_statement(weak, "cid", section, turns=(1,))]
    alone = consensus_of(said, TALK, most_words=1)
    waiting = consensus_of(said, TALK, most_words=1, to_be_reviewed=True)
    assert weak not in {claim.text for claim in alone.claims}
    assert weak in {claim.text for claim in waiting.claims}
    nowhere = a_statement("Quarterly dividends rise.", "dan", section)
    assert nowhere.claim.text in {one.text for one in consensus_of([*said, nowhere], TALK, to_be_reviewed=True).dissent}
