import pytest

from dissolution.premises import PremiseStatus
from frame_agent.extraction import propositions
from tests.factories import a_turn

SAID = "the pump loses four litres a day"


def statuses(text: str) -> list[PremiseStatus]:
    return [one.status for one in propositions(a_turn(1, text)) if "pump" in one.text]


@pytest.mark.parametrize(
    "frame",
    [
        "I have a feeling {said}.",
        "I'm pretty sure {said}.",
        "Odds are {said}.",
        "If I'm not mistaken {said}.",
        "Last I heard, {said}.",
        "Without having checked, {said}.",
        "Say {said}.",
        "For planning purposes {said}.",
        "Until we hear otherwise {said}.",
        "Hypothesis: {said}.",
        "As a rough figure {said}.",
        "My estimate is that {said}.",
        "A friend told me {said}.",
        "The vendor claims {said}.",
        "In theory {said}.",
    ],
)
def test_a_sentence_that_vouches_for_nothing_is_a_guess(frame: str) -> None:
    assert statuses(frame.format(said=SAID)) == [PremiseStatus.HEDGED]


@pytest.mark.parametrize(
    "after",
    [
        "That's my guess anyway.",
        "Just a hunch.",
        "That number is a placeholder.",
        "Not confirmed yet.",
        "Take it with a pinch of salt.",
        "I made that up.",
        "We'll see.",
        "I may be wrong.",
    ],
)
def test_the_next_sentence_can_doubt_the_one_before(after: str) -> None:
    assert statuses(f"{SAID.capitalize()}. {after}") == [PremiseStatus.HEDGED]


@pytest.mark.parametrize(
    "text",
    [
        "Our memory use rose when the pump was added.",
        "The pump has to be checked every May.",
        "For now we use the pump of last year.",
        "I read the log of the pump this morning.",
        "The pump loses four litres a day. I'm not sure which valve is next.",
        "The pump loses four litres a day. I can't find the second valve.",
    ],
)
def test_what_only_sounds_alike_stays_a_statement(text: str) -> None:
    assert PremiseStatus.HEDGED not in statuses(text)[:1]
