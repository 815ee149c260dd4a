"""What new turns take back of what is held."""

from consensus.reconcile.endings import NewTurns
from dissolution.claims import ClaimState, Section
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim

RULE = "Replies stay under 200 words."


def test_a_new_turn_that_lifts_a_rule_ends_it_in_its_own_words() -> None:
    snapshot = a_snapshot(RULE, "Yes.", "Thanks. Please drop the length limit. Now the log.")
    found = NewTurns(snapshot, 2).ending(RULE, a_claim(RULE, snapshot, 1, Section.IDENTITY))
    assert found is not None
    assert (found.turn, found.state) == (3, ClaimState.EXPIRED)
    assert [piece.text for piece in found.evidence] == ["Please drop the length limit."]


def test_turns_that_the_boundary_saw_end_nothing() -> None:
    snapshot = a_snapshot(RULE, "Yes.", "Please drop the length limit.", "Fine.")
    claim = a_claim(RULE, snapshot, 1, Section.IDENTITY)
    assert NewTurns(snapshot, 3).ending(RULE, claim) is None
    assert NewTurns(snapshot, 4).ending(RULE, claim) is None
    assert NewTurns(snapshot, 2).ending(RULE, claim.model_copy(update={"section": Section.EDGES})) is None


def test_a_figure_corrected_in_words_ends_the_claim_that_has_it() -> None:
    text = "The survey has 212 answers."
    snapshot = a_snapshot(text, "Good.", "Correction: the survey has 112 answers, not 212.")
    found = NewTurns(snapshot, 2).ending(text, a_claim(text, snapshot, 1))
    assert found is not None
    assert found.state is ClaimState.CORRECTED


def test_a_figure_of_something_else_ends_nothing() -> None:
    text = "The staging database runs Postgres 14."
    snapshot = a_snapshot(text, "Good.", "The production database runs Postgres 16.")
    assert NewTurns(snapshot, 2).ending(text, a_claim(text, snapshot, 1)) is None


def test_what_is_said_is_listed() -> None:
    snapshot = a_snapshot("One.", "Two words.", "Three more words. And again.")
    turns = NewTurns(snapshot, 2)
    assert {piece.turn for piece in turns.spoken()} == {3}
    assert {piece.turn for piece in turns.everything()} == {1, 2, 3}
    assert all(piece.stands_in(snapshot) for piece in turns.everything())
