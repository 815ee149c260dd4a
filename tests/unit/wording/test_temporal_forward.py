"""What binds from now on, and what only describes, proposes or asks once."""

import pytest

from wording.temporal_forward import binds_firmly, forward_cues


@pytest.mark.parametrize(
    "sentence",
    [
        "Decided: two replicas.",
        "We've agreed to rent.",
        "The rule is one reviewer.",
        "The shed stays green and that's final.",
        "From now on we meet at nine.",
        "I'll bring the cake.",
        "The tenant shall insure the house.",
        "No bread without salt.",
        "Nobody enters the lab.",
        "We always lock the door.",
        "You are the scribe here.",
        "Your job is to doubt.",
        "Let's keep the old one.",
        "We go with the bus.",
        "Never touch the red wire.",
        "Don't use floats.",
        "If it rains, we stop.",
        "Oslo it is.",
        "Four boxes for the attic, then.",
        "Everything has to pass the gate.",
        "The plan is out for good.",
        "The draft goes to Ida by 4 September.",
        "Ida sends the draft by the end of May.",
    ],
)
def test_binds(sentence: str) -> None:
    assert forward_cues(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The door opens inwards.",
        "The parser never returns nothing.",
        "We could go by bus.",
        "I'd keep the old one.",
        "Show me the last line.",
        "Keep it to two lines, just this once.",
        "We'll be arguing all night.",
        "Agreed, that makes sense.",
        "They sleep by day, don't they.",
        "I think we should go.",
        "The disk will be full by Sunday.",
        "The letter came by 4 May.",
        "He passed by the 4 May bridge.",
        "Maybe Ida sends it by 4 May.",
        "",
    ],
)
def test_does_not_bind(sentence: str) -> None:
    assert forward_cues(sentence) == ()


def test_a_decision_binds_whatever_hedge_stands_beside_it() -> None:
    assert binds_firmly("We decided against it, I think.")
    assert forward_cues("Maybe it could be better, but from now on we meet at nine.")
    assert not binds_firmly("I'll bring the cake.")
