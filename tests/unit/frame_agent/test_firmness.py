"""What is vouched for bears a part less when it is about another thing."""

from dissolution.claims import Section
from frame_agent.firmness import STRANGE, firmness
from frame_agent.record import Record, parts_of
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, a_claim, record_of

GUESS = "I guess the boiler serves 40 flats and 12 shops."


def firm(record: Record, section: Section, text: str) -> float:
    claim = a_claim(section, text, record.snapshot)
    (part,) = parts_of(claim)
    near = [(record.bears(said, part, claim.evidence), said) for said in record.near(part.terms)]
    return firmness(record, claim, part, near, record.said[0])


def test_nothing_firm_bears_what_only_a_guess_says() -> None:
    assert firm(record_of((USER, GUESS)), Section.KNOWN, "The boiler serves 40 flats and 12 shops.") == 0.0


def test_a_firm_sentence_without_a_figure_counts_less() -> None:
    record = record_of((USER, GUESS), (ASSISTANT, "The boiler serves flats and shops."))
    claim = "The boiler serves 40 flats and 12 shops."
    assert 0 < firm(record, Section.KNOWN, claim) <= STRANGE


def test_a_table_shown_after_the_guess_with_its_figures_is_enough_and_decides_nothing() -> None:
    record = record_of((USER, GUESS), (TOOL, "boiler serves: 40 flats\nboiler serves: 12 shops"))
    assert firm(record, Section.KNOWN, "The boiler serves 40 flats and 12 shops.") == 1.0
    assert firm(record, Section.DECIDED, "The boiler serves 40 flats and 12 shops.") < 1.0
