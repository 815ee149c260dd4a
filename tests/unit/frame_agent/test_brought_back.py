import pytest

from frame_agent.brought_back import brought_back
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
