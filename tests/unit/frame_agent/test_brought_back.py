import pytest

from frame_agent.brought_back import brought_back, denied
from frame_agent.record import Part
from frame_agent.terms import terms_of
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, record_of

RECORD = record_of(
    (USER, "Heat pumps are out, we heat with gas. If the oil tank is out, we need a permit."),
    (ASSISTANT, "Noted."),
    (TOOL, "Wood pellets are out."),
    (USER, "We decided to drop the solar panels of the barn; Emil tells the builders."),
)


def back(text: str) -> bool:
    part = Part(text, terms_of(text), hedged=False)
    near = sorted(((RECORD.bears(said, part), said) for said in RECORD.near(part.terms)), key=lambda pair: -pair[0])
    return brought_back(RECORD, part, near) is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The house uses heat pumps.", True),
        ("We heat with gas.", False),  # another clause of the same sentence
        ("Heat pumps are not used.", False),
        ("The roof is red.", False),
        ("Heat pumps are perhaps used, that is unconfirmed.", False),
        ("The house has an oil tank.", False),  # said of a case that may not come
        ("The house uses wood pellets.", False),  # a document rules out nothing
        ("We decided to drop the solar panels of the barn; Emil tells the builders.", False),  # it rules out itself
    ],
)
def test_a_claim_brings_back_what_was_ruled_out_only_when_it_states_it(text: str, *, expected: bool) -> None:
    assert back(text) is expected


@pytest.mark.parametrize(
    "text", ["We decided to drop the solar panels of the barn", "We drop the barn's solar panels."]
)
def test_who_tells_a_ruling_is_not_denied_by_it(text: str) -> None:
    part = Part(text, terms_of(text), hedged=False)
    near = sorted(((RECORD.bears(said, part), said) for said in RECORD.near(part.terms)), key=lambda pair: -pair[0])
    assert near
    assert denied(RECORD, part, near) is None


PROPOSED = record_of(
    (USER, "The neighbour offers to paint the stairwell with tar. I said no: paint belongs on the inside only."),
    (ASSISTANT, "Recorded. The red pumps don't heat the cellar at night."),
    (USER, "The attic windows close by hand."),
    (ASSISTANT, "The attic windows don't close by hand. If the gate is shut, the lift does not run."),
    (USER, "The attic windows close by hand, I tried."),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The neighbour paints the stairwell with tar.", True),
        ("The red pumps heat the cellar at night.", True),
        ("The red pumps do not heat the cellar at night.", False),
        ("The red pumps perhaps heat the cellar at night, nobody has checked.", False),
        ("The attic windows close by hand.", False),  # said again after the denial
        ("The lift runs.", False),  # denied for one case only
        ("The neighbour has a dog.", False),
    ],
)
def test_what_was_turned_down_or_denied_last_is_found(text: str, *, expected: bool) -> None:
    part = Part(text, terms_of(text), hedged=False)
    near = [(PROPOSED.bears(said, part), said) for said in PROPOSED.near(part.terms)]
    near.sort(key=lambda pair: -pair[0])
    assert (denied(PROPOSED, part, near) is not None) is expected


def test_a_decision_uses_what_it_names_at_all_and_a_later_word_settles_it() -> None:
    record = record_of(
        (USER, "The way in is the north gate."),
        (ASSISTANT, "The gate is out."),
        (USER, "So the way in is the old gate."),
    )
    text = "The way in is the gate."
    part = Part(text, terms_of(text), hedged=False)
    near = sorted(((record.bears(said, part), said) for said in record.near(part.terms)), key=lambda pair: -pair[0])
    assert brought_back(record, part, near, binding=True) is None
