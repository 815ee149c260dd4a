from dissolution.claims import Section
from dissolution.premises import PremiseStatus
from frame_agent.record import is_cited, parts_of, pieces_of, reasons_of
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, a_claim, record_of

RECORD = record_of(
    (USER, "The boiler serves 40 flats. It hums."),
    (ASSISTANT, "Agreed. The chimney is 12 metres high."),
    (TOOL, "boiler: 40 flats"),
)


def test_sentences_have_their_present_status_and_quoted_ones_that_of_their_source() -> None:
    statuses = {said.found.text: said.status for said in RECORD.said}
    assert statuses["The boiler serves 40 flats."] is PremiseStatus.CONFIRMED
    assert statuses["The chimney is 12 metres high."] is PremiseStatus.ASSERTED
    assert statuses["boiler: 40 flats"] is PremiseStatus.ASSERTED
    assert [said.premise is None for said in RECORD.said if said.found.quoted] == [True]


def test_a_sentence_bears_what_it_says_and_better_when_it_is_the_evidence() -> None:
    (part,) = parts_of(a_claim(Section.KNOWN, "The boiler serves 40 flats.", RECORD.snapshot))
    said = RECORD.near(part.terms)[0]
    plain = RECORD.bears(said, part)
    first = RECORD.bears(said, part, a_claim(Section.KNOWN, "x", RECORD.snapshot).evidence)
    assert plain == 1.0
    assert first > plain
    other = a_claim(Section.KNOWN, "x", RECORD.snapshot, 2).evidence
    assert RECORD.bears(said, part, other) == plain
    both = (*other, *a_claim(Section.KNOWN, "x", RECORD.snapshot).evidence)
    assert plain < RECORD.bears(said, part, both) < first


def test_a_claim_is_read_by_sentences_and_a_doubt_stays_with_what_it_doubts() -> None:
    claim = a_claim(
        Section.KNOWN, "The boiler serves 40 flats; this is unverified. The chimney is tall.", RECORD.snapshot
    )
    texts = [part.text for part in parts_of(claim)]
    assert texts == ["The boiler serves 40 flats; this is unverified.", "The chimney is tall."]
    (short,) = parts_of(a_claim(Section.KNOWN, "Gas.", RECORD.snapshot))
    assert short.text == "Gas."


def test_a_list_has_pieces_and_a_plain_sentence_none() -> None:
    (listed,) = parts_of(a_claim(Section.KNOWN, "Growth is 15 percent, the roof holds 3 tonnes, x.", RECORD.snapshot))
    assert [piece.text for piece in pieces_of(listed)] == ["Growth is 15 percent", "the roof holds 3 tonnes"]
    (plain,) = parts_of(a_claim(Section.KNOWN, "The roof holds 3 tonnes.", RECORD.snapshot))
    assert pieces_of(plain) == ()


def test_what_is_told_and_why_are_parted() -> None:
    (part,) = parts_of(a_claim(Section.KNOWN, "The boiler hums at night because the pump is loose.", RECORD.snapshot))
    assert [one.text for one in reasons_of(part)] == ["The boiler hums at night", "the pump is loose."]
    (plain,) = parts_of(a_claim(Section.KNOWN, "The boiler hums at night.", RECORD.snapshot))
    assert reasons_of(plain) == ()


def test_a_sentence_goes_on_from_its_turn_and_from_the_question_before() -> None:
    record = record_of(
        (USER, "The gate is green. How many flats does the boiler serve?"),
        (ASSISTANT, "The cellar floods. Forty tenants at a guess."),
    )
    last = record.said[-1]
    assert record.around(last) >= {"boiler", "cellar"}
    assert "green" not in record.around(last)
    assert record.around(record.said[0]) == frozenset()


def test_numbers_of_several_words_are_figures() -> None:
    record = record_of((USER, "The boiler stands three hundred metres from the gate."))
    assert "300" in record.said[0].found.terms
    (part,) = parts_of(a_claim(Section.KNOWN, "The gate holds sixty-five bolts.", record.snapshot))
    assert "65" in part.terms


def test_a_claim_cites_the_sentences_its_evidence_stands_in() -> None:
    claim = a_claim(Section.KNOWN, "The boiler serves 40 flats.", RECORD.snapshot)
    assert [is_cited(claim, said) for said in RECORD.said] == [said.found.turn == 1 for said in RECORD.said]
