"""A remark counts with words that stand in the turn it names; what is quoted proves little."""

import pytest

from dissolution.claims import Section
from dissolution.reviewing import Fault
from frame_agent.review.quote_proof import remarks_of
from prompts.reviewing import GivenRemark
from tests.unit.frame_agent.framed import TOOL, USER, talk
from tests.unit.frame_agent.review.made import MILL, OAK, TALK, TANK, words

SHOWN = {1: TANK, 2: OAK, 3: MILL}
ORDER = "The council orders that the weir be closed"


def given(fault: Fault, turn: int, quote: str, *claims: int, **more: object) -> GivenRemark:
    return GivenRemark.model_validate({"fault": fault, "claims": claims or (1,), "turn": turn, "quote": quote, **more})


def proof(one: GivenRemark) -> object:
    found = remarks_of(TALK, SHOWN, [one])
    assert len(found.remarks) + found.unproved == 1
    return found.remarks[0].evidence if found.remarks else None


@pytest.mark.parametrize("quote", ["guess the tank", "guess  the\ntank", "“guess the tank”", "'guess the tank'"])
def test_words_are_found_whatever_their_spacing_and_quotation_marks(quote: str) -> None:
    assert proof(given(Fault.GUESS, 1, quote)) == words("guess the tank")


def test_an_apostrophe_may_be_printed_otherwise() -> None:
    assert proof(given(Fault.GUESS, 1, "I\u2019d guess")) == words("I'd guess")


@pytest.mark.parametrize(
    ("turn", "quote"),
    [(2, "guess the tank"), (9, "guess the tank"), (0, ""), (1, "Guess the tank"), (1, "guesses the tank"), (1, "the")],
)
def test_other_words_other_turns_and_too_few_words_prove_nothing(turn: int, quote: str) -> None:
    assert proof(given(Fault.GUESS, turn, quote)) is None


def test_an_order_that_was_not_agreed_to_must_stand_in_quoted_material() -> None:
    assert proof(given(Fault.NOT_AGREED, 4, ORDER)) == words(ORDER)
    assert proof(given(Fault.NOT_AGREED, 1, "We rebuild the sluice", 2)) is None


def test_quoted_material_informs_of_facts_and_unsettles_nothing_that_binds_and_refuses_nothing() -> None:
    assert proof(given(Fault.FALSE, 4, "The tank holds 900 litres")) is not None
    assert proof(given(Fault.FALSE, 4, "The tank holds 900 litres", 2)) is None
    assert proof(given(Fault.REFUSED, 4, "The tank holds 900 litres")) is None
    assert proof(given(Fault.CONTRADICTS, 4, ORDER, 2, 3)) is None, "one of the two binds"
    missing = {"text": "The weir is closed.", "claims": ()}
    assert proof(given(Fault.MISSING, 4, ORDER, section="DECIDED", **missing)) is None
    assert proof(given(Fault.MISSING, 4, ORDER, section="KNOWN", **missing)) is not None


def test_words_that_are_quoted_first_and_said_later_in_a_turn_are_taken_where_they_are_said() -> None:
    snapshot = talk((TOOL, "The gate is shut."), (USER, "The gate is shut."))
    found = remarks_of(snapshot, {1: OAK}, [given(Fault.STALE, 2, "The gate is shut")])
    assert found.remarks[0].evidence is not None
    assert remarks_of(snapshot, {1: OAK}, [given(Fault.STALE, 1, "The gate is shut")]).unproved == 1


def test_a_remark_without_what_it_needs_is_counted_and_not_used() -> None:
    bare = [given(Fault.INCOMPLETE, 1, "guess the tank"), given(Fault.WRONG_SECTION, 1, "guess the tank")]
    bare += [given(Fault.MISSING, 1, "guess the tank", claims=(), section="KNOWN")]
    assert remarks_of(TALK, SHOWN, bare) == ((), 3)


def test_of_a_part_of_the_claims_nothing_can_be_missing() -> None:
    one = given(Fault.MISSING, 1, "guess the tank", claims=(), section="KNOWN", text="A tank.")
    assert remarks_of(TALK, SHOWN, [one], whole=False) == ((), 0)
    assert len(remarks_of(TALK, SHOWN, [one]).remarks) == 1


def test_claims_are_told_by_their_ids_and_words() -> None:
    (same,) = remarks_of(TALK, SHOWN, [given(Fault.SAME_AS, 0, "", 1, 3, best=3)]).remarks
    assert [(one.claim, one.section, one.text) for one in same.about] == [
        ("tank", Section.KNOWN, TANK.text),
        ("mill", Section.KNOWN, MILL.text),
    ]
    assert (same.best, same.evidence) == ("mill", None)
