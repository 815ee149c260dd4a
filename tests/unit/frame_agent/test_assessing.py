"""A fault counts with words that stand in the turn it names, spoken or quoted as the assessment wants them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.claim_audit import AssessedClaim, Assessment
from dissolution.claims import Evidence, Section
from dissolution.conversation import QuotedKind, QuotedSpan, Snapshot
from frame_agent.assessing import NO_PROOF, assessed_of, proved
from prompts.claim_auditing import GivenAssessment
from tests.factories import a_turn
from tests.unit.frame_agent.framed import TOOL, USER, a_claim, talk

TALK = talk(
    (USER, "I'd guess the boiler serves\n  40 flats, nobody (yet) has counted."),
    (TOOL, "Minutes: the roof garden is approved."),
)
MAIL = "The mail says: ship on Friday. My own guess: we ship on Friday."
PASTED = Snapshot(
    conversation="c",
    turns=(a_turn(1, MAIL, quoted=(QuotedSpan(start=15, end=30, kind=QuotedKind.DOCUMENT),)),),
)
FAULTS = [one for one in Assessment if one not in NO_PROOF]
SPOKEN = [one for one in FAULTS if one is not Assessment.INJECTED]
BINDING = [Section.DECIDED, Section.IDENTITY]
OTHERS = [Section.KNOWN, Section.EDGES]


def place(
    turn: int, quote: str, *, assessment: Assessment = Assessment.HEDGED, section: Section = Section.KNOWN
) -> str | None:
    """The words of TALK that prove the assessment."""
    found = proved(TALK, section, assessment, turn, quote)
    assert found is None or found.stands_in(TALK)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("the boiler serves", "the boiler serves"),
        ("boiler serves 40 flats", "boiler serves\n  40 flats"),
        ("boiler \t serves\n40   flats", "boiler serves\n  40 flats"),
        ("  the boiler  ", "the boiler"),
        ('"the boiler"', "the boiler"),
        ("'the boiler'", "the boiler"),
        ("\u201cthe boiler\u201d", "the boiler"),
        ("\u2018the boiler\u2019", "the boiler"),
        ("\" 'the boiler' \"", "the boiler"),
        ("nobody (yet) has", "nobody (yet) has"),
        ("I'd guess", "I'd guess"),
    ],
)
def test_copied_words_are_found_whatever_stands_around_and_between_them(quote: str, words: str) -> None:
    assert place(1, quote) == words


@pytest.mark.parametrize(
    ("turn", "quote"),
    [
        (1, "the boiler serves 41 flats"),
        (1, "The boiler serves"),
        (1, "boiler . serves"),
        (1, "boiler.*serves"),
        (1, "the boiler ... flats"),
        (1, "roof garden"),
        (2, "the boiler serves"),
        (0, "the boiler serves"),
        (3, "the boiler serves"),
        (-1, "the boiler serves"),
        (10**12, "the boiler serves"),
        (1, ""),
        (1, "  "),
        (1, "''"),
        (1, " \u201c \u201d "),
    ],
)
def test_words_that_do_not_stand_in_that_turn_prove_nothing(turn: int, quote: str) -> None:
    assert place(turn, quote) is None


def test_a_later_turn_is_no_proof_in_an_earlier_snapshot() -> None:
    short = Snapshot(conversation="c", turns=TALK.turns[:1])
    assert proved(short, Section.KNOWN, Assessment.INJECTED, 2, "roof garden") is None
    assert place(2, "roof garden", assessment=Assessment.INJECTED) == "roof garden"


@pytest.mark.parametrize("section", list(Section))
def test_an_order_of_quoted_material_must_stand_in_quoted_material(section: Section) -> None:
    assert place(1, "the boiler serves", assessment=Assessment.INJECTED, section=section) is None
    assert place(2, "the roof garden", assessment=Assessment.INJECTED, section=section) == "the roof garden"


@pytest.mark.parametrize("assessment", SPOKEN)
def test_what_binds_is_unsettled_by_spoken_words_alone(assessment: Assessment) -> None:
    for section in BINDING:
        assert place(1, "the boiler serves", assessment=assessment, section=section) == "the boiler serves"
        assert place(2, "the roof garden", assessment=assessment, section=section) is None


@pytest.mark.parametrize("assessment", SPOKEN)
def test_a_fact_can_be_unsettled_by_what_a_document_says(assessment: Assessment) -> None:
    for section in OTHERS:
        assert place(1, "the boiler serves", assessment=assessment, section=section) == "the boiler serves"
        informs = None if assessment is Assessment.REJECTED else "the roof garden"  # it turns nothing down
        assert place(2, "the roof garden", assessment=assessment, section=section) == informs


def test_words_that_stand_quoted_and_spoken_in_one_turn_prove_where_they_can() -> None:
    spoken = proved(PASTED, Section.DECIDED, Assessment.HEDGED, 1, "ship on Friday")
    assert spoken is not None
    assert spoken.start == MAIL.rindex("ship on Friday")
    for section, assessment in ((Section.DECIDED, Assessment.INJECTED), (Section.KNOWN, Assessment.HEDGED)):
        found = proved(PASTED, section, assessment, 1, "ship on Friday")
        assert found is not None
        assert found.start == MAIL.index("ship on Friday")
    assert proved(PASTED, Section.DECIDED, Assessment.HEDGED, 1, "mail says: ship") is None  # half of it is quoted
    assert proved(PASTED, Section.KNOWN, Assessment.INJECTED, 1, "My own guess") is None


CLAIMS = [
    a_claim(Section.KNOWN, f"The boiler serves {number} flats.", TALK, 1, f"c{number}") for number in range(40, 45)
]


def an_assessment(name: str, text: str, assessment: Assessment, evidence: Evidence | None = None) -> AssessedClaim:
    return AssessedClaim(claim=name, section=Section.KNOWN, text=text, assessment=assessment, evidence=evidence)


def test_what_counts_of_an_answer_is_kept_with_the_words_of_claim_and_turn() -> None:
    judged = assessed_of(
        TALK,
        CLAIMS,
        [
            GivenAssessment(claim=1, assessment=Assessment.HEDGED, turn=1, quote='"boiler serves 40 flats"'),
            GivenAssessment(claim=2, assessment=Assessment.HEDGED, turn=2, quote="boiler serves 40 flats"),
            None,
            GivenAssessment(claim=4, assessment=Assessment.FABRICATION),
            GivenAssessment(claim=5, assessment=Assessment.SOUND, turn=1, quote="nobody (yet) has counted"),
        ],
    )
    start = TALK.turns[0].content.index("boiler")
    words = Evidence(turn=1, start=start, end=start + 24, text="boiler serves\n  40 flats")
    assert judged.assessed == (
        an_assessment("c40", "The boiler serves 40 flats.", Assessment.HEDGED, words),
        an_assessment("c43", "The boiler serves 43 flats.", Assessment.FABRICATION),
        an_assessment("c44", "The boiler serves 44 flats.", Assessment.SOUND),
    )
    assert (judged.unproved, judged.unread) == (1, 1)


def test_the_section_of_each_claim_says_which_words_prove() -> None:
    claims = [a_claim(section, "The roof garden is approved.", TALK, 2, section.value) for section in Section]
    told = [GivenAssessment(claim=n, assessment=Assessment.HEDGED, turn=2, quote="roof garden") for n in range(1, 5)]
    judged = assessed_of(TALK, claims, told)
    assert [one.claim for one in judged.assessed] == ["KNOWN", "EDGES"]
    assert judged.unproved == 2


@pytest.mark.parametrize(
    ("text", "quote", "counts"),
    [
        ("The boiler serves 40 flats.", "the", False),  # stands in any turn
        ("The boiler serves 40 flats.", "I'd guess", True),  # the words after it tell what it is about
        ("The ferry sails at noon.", "I'd guess the boiler serves", False),  # about something else
    ],
)
def test_a_proof_has_to_do_with_the_claim(text: str, quote: str, *, counts: bool) -> None:
    given_one = GivenAssessment.model_validate({"claim": 1, "verdict": "hedged", "turn": 1, "quote": quote})
    judged = assessed_of(TALK, [a_claim(Section.KNOWN, text, TALK, 1)], [given_one])
    assert (len(judged.assessed), judged.unproved) == ((1, 0) if counts else (0, 1))


def test_as_many_entries_are_wanted_as_claims_were_shown() -> None:
    with pytest.raises(ValueError, match="shorter"):
        assessed_of(TALK, CLAIMS, [None])


@given(
    st.sampled_from(list(Section)),
    st.lists(
        st.none()
        | st.builds(
            GivenAssessment,
            claim=st.just(1),
            verdict=st.sampled_from(list(Assessment)),
            turn=st.integers(0, 3),
            quote=st.sampled_from(["", "the boiler", "I'd guess the", "roof garden", "nowhere said"])
            | st.text(max_size=6),
        ),
        max_size=6,
    ),
)
def test_every_entry_counts_or_is_unproved_or_unread_and_every_proof_stands(
    section: Section, told: list[GivenAssessment | None]
) -> None:
    claims = [a_claim(section, "The boiler serves 40 flats.", TALK, 1, f"c{place}") for place in range(len(told))]
    judged = assessed_of(TALK, claims, told)
    assert len(judged.assessed) + judged.unproved + judged.unread == len(told)
    for one in judged.assessed:
        assert (one.evidence is None) == (one.assessment in NO_PROOF)
        assert one.evidence is None or one.evidence.stands_in(TALK)
