import pytest

from frame_agent.brought_back import brought_back, denied, overtaken
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
    assert (denied(PROPOSED, part, near, binding=True) is not None) is expected


def test_a_proposal_that_was_turned_down_may_be_told_as_a_fact() -> None:
    text = "The neighbour paints the stairwell with tar."
    part = Part(text, terms_of(text), hedged=False)
    near = [(PROPOSED.bears(said, part), said) for said in PROPOSED.near(part.terms)]
    assert denied(PROPOSED, part, near) is None


FIGURES = record_of(
    (USER, "The van carries 640 kg and the fee is 3.3 percent. The hall seats forty in grade 7 chairs."),
    (ASSISTANT, "The scale at the depot shows less."),
    (
        USER,
        "Forget the 640, it carries 580 kg. The fee is 4.0 percent, not 3.3. Grade 8, padded chairs, the 7 is dead.",
    ),
    (USER, "Just this once, skip the fire drill for the autumn fair."),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The load of the van is 640 kg.", True),
        ("The load of the van is 580 kg, after 640 was given up.", False),  # it tells the figure that stands
        ("The fee is 3.3 percent.", True),
        ("The fee is 4.0 percent.", False),
        ("The hall has padded chairs of grade 7.", True),
        ("The hall has padded chairs of grade 8.", False),
        ("The fire drill is part of the autumn.", False),  # left out for one time only
    ],
)
def test_a_figure_that_was_ruled_out_needs_few_words_in_common(text: str, *, expected: bool) -> None:
    part = Part(text, terms_of(text), hedged=False)
    near = sorted(((FIGURES.bears(said, part), said) for said in FIGURES.near(part.terms)), key=lambda pair: -pair[0])
    assert (brought_back(FIGURES, part, near, binding=True) is not None) is expected


PLANS = record_of(
    (USER, "I'd thought of opening the kiosk on 6 May. We wanted a striped awning. Originally the counter was oak."),
    (ASSISTANT, "The awning is striped."),
    (
        USER,
        "The kiosk opens later, when the permit is there. There was a sign in brass, that was struck from the list.",
    ),
)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("The kiosk opens on 6 May.", "I'd thought"),
        ("The kiosk opens on 9 May.", None),  # the plan does not say so
        ("The awning is striped.", None),  # somebody says so firmly besides
        ("The kiosk was not opened on 6 May.", None),
        ("The kiosk perhaps opens on 6 May, nobody knows.", None),
        ("A sign in brass is on the list.", "There was a sign"),
        ("The gate is painted green.", None),
    ],
)
def test_a_plan_of_once_is_no_decision(text: str, plan: str | None) -> None:
    part = Part(text, terms_of(text), hedged=False)
    near = sorted(((PLANS.bears(said, part), said) for said in PLANS.near(part.terms)), key=lambda pair: -pair[0])
    found = overtaken(part, near)
    assert (found.found.text[: len(plan)] if found and plan else found) == plan


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
