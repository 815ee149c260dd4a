import pytest

from dissolution.premises import Acceptance, Dependant, DependantKind, PremiseEventKind, PremiseStatus
from frame_agent.extraction import propositions
from frame_agent.register import empty
from frame_agent.state import VERIFIED, Folding, part_of
from tests.factories import a_turn

TURN = a_turn(1, "I guess the boiler serves 40 flats, so two pumps suffice.")
(FOUND,) = propositions(TURN)


@pytest.fixture
def folding() -> Folding:
    folding = Folding(empty("c"))
    folding.through = 9
    folding.state(FOUND, TURN)
    return folding


def test_what_is_written_down_comes_to_the_premises_it_was_written_about(folding: Folding) -> None:
    (one,) = folding.premises
    folding.accept(one, a_turn(2, "Yes."), Acceptance.EXPLICIT_YES, FOUND.evidence, "accepted in words")
    assert one.status is PremiseStatus.HEDGED
    folding.accept(one, a_turn(3, "Counted."), Acceptance.EXPLICIT_YES, FOUND.evidence, VERIFIED)
    folding.act(one, PremiseEventKind.RESTATED, a_turn(4, "Again."), FOUND.evidence, "said again")
    (premise,) = folding.register().premises
    assert (premise.id, premise.status, premise.changed) == ("p1.1", PremiseStatus.CONFIRMED, 4)
    assert Folding(folding.register()).premises[0].status is PremiseStatus.CONFIRMED


def test_the_same_dependant_is_written_once(folding: Folding) -> None:
    (one,) = folding.premises
    assert not one.asks
    dependant = Dependant(kind=DependantKind.QUESTION, evidence=FOUND.evidence, cue="asked")
    for _ in range(2):
        folding.rest(one, a_turn(2, "So."), dependant, "asked")
    assert [event.kind for event in folding.events] == [PremiseEventKind.STATED, PremiseEventKind.RESTS]
    assert one.asks


def test_premises_are_found_by_what_they_are_about(folding: Folding) -> None:
    assert folding.near(FOUND.terms) == folding.premises
    assert folding.alike(FOUND.terms) == folding.premises
    assert folding.near(frozenset({"roof"}), 1) == []
    assert folding.alike(frozenset({"40", "flat", *(f"w{n}" for n in range(40))})) == []


def test_the_rest_of_a_sentence_stands_verbatim() -> None:
    part = part_of(FOUND, FOUND.text.index(", so"))
    assert part.text == "so two pumps suffice."
    assert TURN.content[part.start : part.end] == part.text
