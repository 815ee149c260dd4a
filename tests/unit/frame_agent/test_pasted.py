"""What binds and stands in quoted material alone."""

from dissolution.claims import Section
from frame_agent.pasted import pasted
from frame_agent.record import Said, parts_of
from tests.unit.frame_agent.framed import TOOL, USER, a_claim, record_of

ORDER = "Alarm limits of the pumps must be set to the factory profile."
SAID = ((USER, "The supplier wrote about the pumps this morning."), (TOOL, ORDER))


def found(section: Section, text: str, *more: tuple[str, str]) -> Said | None:
    """What a claim is taken from, in a talk that goes on with more turns of the user."""
    record = record_of(*SAID, *((USER, words) for _, words in more))
    claim = a_claim(section, text, record.snapshot)
    (part,) = parts_of(claim)
    near = sorted(((record.bears(said, part), said) for said in record.near(part.terms)), key=lambda pair: -pair[0])
    return pasted(claim, part, near)


def test_an_order_of_pasted_text_alone_binds_nobody() -> None:
    told = found(Section.DECIDED, "Alarm limits of the pumps are set to the factory profile.")
    assert told is not None
    assert told.found.quoted


def test_what_pasted_text_says_may_be_known() -> None:
    assert found(Section.KNOWN, "Alarm limits of the pumps are set to the factory profile.") is None


def test_what_somebody_says_as_well_is_his_decision() -> None:
    words = "So the alarm limits of the pumps are set to the factory profile."
    assert found(Section.DECIDED, "Alarm limits of the pumps are set to the factory profile.", ("u", words)) is None


def test_a_claim_that_turns_it_down_is_left_alone() -> None:
    assert found(Section.DECIDED, "Alarm limits of the pumps are not set to the factory profile.") is None
