from dissolution.claims import Section
from dissolution.premises import PremiseStatus
from frame_agent.record import parts_of, pieces_of
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
