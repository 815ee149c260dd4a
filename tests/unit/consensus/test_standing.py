"""Who stands: what families share, whatever else; and what one family says, ranked and while there is room."""

from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.guards import vetoes
from consensus.profile import profile_of
from dissolution.claims import DissentReason, Mark, Section
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


def test_a_claim_of_one_family_that_values_set_against_a_supported_one_is_dissent_and_names_it() -> None:
    said = [a_statement(TURNS[5], member) for member in ("ann", "bea")] + [a_statement(TURNS[4], "cid")]
    found = consensus_of(said, TALK)
    (claim,), (dissent,) = found.claims, found.dissent
    assert vetoes(profile_of(claim.text), profile_of(dissent.text))
    assert (dissent.reason, dissent.against) == (DissentReason.FEW_FAMILIES, (claim.id,))


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
