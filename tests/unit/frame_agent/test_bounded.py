import pytest

from dissolution.premises import PremiseStatus
from frame_agent.bounded import bounded
from frame_agent.record import Part
from frame_agent.terms import terms_of
from tests.unit.frame_agent.framed import ASSISTANT, USER, record_of

TALK = record_of(
    (USER, "For this reply only: answer with a plain yes or no and nothing else. Is the boiler red?"),
    (ASSISTANT, "Yes."),
    (USER, "Always tell me who owns the meters when you answer."),
)
ONCE = [said for said in TALK.said if said.found.status is PremiseStatus.ONE_OFF]
FIRM = [said for said in TALK.said if said.found.status is PremiseStatus.ASSERTED]


def found(text: str) -> bool:
    return bounded(TALK, Part(text, terms_of(text), hedged=False), ONCE, FIRM) is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I answer with a plain yes or no and nothing else.", True),
        ("I always tell who owns the meters when I answer.", False),  # a standing request says it
        ("For one reply the answer was a plain yes or no and nothing else.", False),  # it bounds itself
        ("The boiler serves 40 flats.", False),
    ],
)
def test_a_rule_made_of_words_about_answers_is_found(text: str, *, expected: bool) -> None:
    assert found(text) is expected


def test_without_a_request_for_one_answer_there_is_nothing_to_repeat() -> None:
    text = "I answer with a plain yes or no and nothing else."
    assert bounded(TALK, Part(text, terms_of(text), hedged=False), [], FIRM) is None
