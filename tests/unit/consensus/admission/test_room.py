"""A reviewed candidate is kept to its room: what binds and what two families state stands, the rest by worth."""

from consensus.admission.room import kept_to
from dissolution.claims import ClaimId, Dissent, DissentReason, Mark, Section
from dissolution.findings import Consensus
from dissolution.ledger import Change, ChangeKind
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of

TURNS = (
    "The pump of the northern house runs at night.",
    "The lease of the mill ends with the year.",
    "The choir sings the psalm on Sunday.",
    "The index lists every author of the volume.",
)
WORDS = len(TURNS[0].split())
TALK = a_snapshot(*TURNS)


def a_candidate(second: Section = Section.KNOWN) -> Consensus:
    said = [a_statement(TURNS[0], "ann"), a_statement(TURNS[0], "bea")]
    said += [a_statement(text, "ann", second, ordinal=n) for n, text in enumerate(TURNS[1:], start=1)]
    return consensus_of(said, TALK)


def fitted(found: Consensus, words: int) -> Consensus:
    """Kept to its words when the review changed nothing."""
    return kept_to(found, words, found)


def texts(found: Consensus) -> set[str]:
    return {claim.text for claim in found.claims}


def test_there_is_room_for_what_its_member_wrote_first() -> None:
    kept = fitted(a_candidate(), WORDS + len(TURNS[1].split()))
    assert texts(kept) == set(TURNS[:2])
    assert {(one.text, one.reason) for one in kept.dissent} == {(text, DissentReason.SIZE) for text in TURNS[2:]}
    assert fitted(a_candidate(), 1000) == a_candidate()


def test_what_binds_and_what_two_families_state_stands_without_any_room() -> None:
    assert texts(fitted(a_candidate(), 1)) == {TURNS[0]}
    for section in (Section.DECIDED, Section.IDENTITY):
        assert fitted(a_candidate(section), 1) == a_candidate(section)


def test_what_holds_another_familys_statement_together_with_others_stands_without_room() -> None:
    found = a_candidate()
    kept, beside, single = (next(one for one in found.claims if one.text == text) for text in TURNS[1:])
    both = a_statement(f"{TURNS[1]} {TURNS[2]}", "bea")
    goes = consensus_of([both], TALK).claims[0]
    aside = Dissent.of_claim(goes, DissentReason.CONTAINED, "held together", against=(kept.id, beside.id))
    own = Dissent.of_claim(
        consensus_of([a_statement(f"{TURNS[3]} Twice.", "ann")], TALK).claims[0],
        DissentReason.CONTAINED,
        "of the same family",
        against=(single.id,),
    )
    assert texts(fitted(found.model_copy(update={"dissent": (aside, own)}), 1)) == set(TURNS[:3])


def held(found: Consensus, claim: ClaimId, kind: ChangeKind) -> Consensus:
    other = "c-before" if kind is ChangeKind.REVISED else None
    change = Change(kind=kind, claim=claim, other=other, reason="held")
    return found.model_copy(update={"changes": (change,)})


def test_what_is_held_or_takes_the_place_of_what_was_held_or_a_person_keeps_is_not_taken_away_for_size() -> None:
    found = a_candidate()
    claim = next(one for one in found.claims if one.text == TURNS[3])
    for kind in (ChangeKind.CARRIED, ChangeKind.AFFIRMED, ChangeKind.REVISED):
        assert texts(fitted(held(found, claim.id, kind), 1)) == {TURNS[0], TURNS[3]}
    pinned = tuple(
        one.model_copy(update={"marks": (Mark.PINNED,)}) if one.id == claim.id else one for one in found.claims
    )
    assert texts(fitted(found.model_copy(update={"claims": pinned}), 1)) == {TURNS[0], TURNS[3]}


def test_what_is_held_takes_no_room_of_new_claims() -> None:
    found = a_candidate()
    claim = next(one for one in found.claims if one.text == TURNS[3])
    carried = held(found, claim.id, ChangeKind.CARRIED)
    assert texts(fitted(carried, WORDS + len(TURNS[1].split()))) == {TURNS[0], TURNS[1], TURNS[3]}


def test_what_the_review_made_or_moved_stands_whoever_stated_it() -> None:
    found = a_candidate()
    claim = next(one for one in found.claims if one.text == TURNS[3])
    before = found.model_copy(update={"claims": tuple(one for one in found.claims if one.id != claim.id)})
    assert texts(kept_to(found, 1, before)) == {TURNS[0], TURNS[3]}


def test_what_says_how_a_held_claim_ended_stands() -> None:
    found = a_candidate()
    claim = next(one for one in found.claims if one.text == TURNS[3])
    ended = Change(kind=ChangeKind.CLOSED, claim="c-before", other=claim.id, reason="it ended")
    assert texts(fitted(found.model_copy(update={"changes": (ended,)}), 1)) == {TURNS[0], TURNS[3]}
