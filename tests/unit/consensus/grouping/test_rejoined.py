from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of

FIRST, SECOND = "The lake has 83 ha of open water.", "Roach falls by half after the stocking."
TALK = a_snapshot(FIRST, SECOND, "Pike are stocked in the northern bay every spring.")


def test_sentences_of_one_statement_that_all_stand_are_whole_again_and_tell_who_said_which() -> None:
    said = [a_statement(f"{FIRST} {SECOND}", "ann"), a_statement(FIRST, "bea"), a_statement(SECOND, "cid")]
    (claim,) = consensus_of(said, TALK).claims
    assert claim.text == f"{FIRST} {SECOND}"
    assert claim.support.families == ("alpha", "beta", "gamma")
    assert f"“{FIRST}” alpha, beta" in claim.reason
    assert {evidence.turn for evidence in claim.evidence} == {1, 2}


def test_a_statement_is_not_parted_where_nobody_else_says_a_part_of_it() -> None:
    (claim,) = consensus_of([a_statement(f"{FIRST} {SECOND}", "ann")], TALK).claims
    assert claim.text == f"{FIRST} {SECOND}"


def test_a_sentence_that_does_not_stand_is_not_carried_by_the_others() -> None:
    made_up = "The moon base orders 77 llamas from Andromeda."
    said = [a_statement(f"{FIRST} {made_up}", "ann"), a_statement(FIRST, "bea")]
    assert [claim.text for claim in consensus_of(said, TALK).claims] == [FIRST]
