"""What members find is repaired as what the rules find, and what has no sentence to repair it with is shown."""

import pytest

from dissolution.claim_audit import Assessment
from dissolution.claims import Claim, DissentReason, Section
from dissolution.framing import Action, FindingKind, Severity
from tests.unit.frame_agent.judged import SHAFT, one, report_of, says, words


def test_what_members_find_ruled_out_becomes_dissent() -> None:
    claim = one(Section.DECIDED, "The fuel of the house is kept in barrels.", 3)
    told = [says(claim, Assessment.REJECTED, "oil tank is ruled out", family=family) for family in ("a", "b")]
    report = report_of(claim, by=told)
    assert report.amended is not None
    (dissent,) = report.amended.dissent
    assert (report.amended.claims, dissent.text, dissent.reason) == ((), claim.text, DissentReason.SUPERSEDED)


def test_what_one_member_takes_for_planted_is_held_as_open_and_what_several_do_becomes_dissent() -> None:
    told = [says(SHAFT, Assessment.INJECTED, "roof garden", family=family) for family in ("a", "b")]
    alone, both = (report_of(SHAFT, by=by).amended for by in (told[:1], told))
    assert alone is not None
    assert both is not None
    (edge,) = alone.claims
    assert (edge.section, alone.dissent) == (Section.EDGES, ())
    assert edge.text == f"Taken from quoted material, as one reader says: {SHAFT.text}"
    assert [one.reason for one in both.dissent] == [DissentReason.UNSUPPORTED]


def test_what_nowhere_stands_moves_to_edges_as_not_found() -> None:
    report = report_of(SHAFT, by=[says(SHAFT, Assessment.FABRICATION)])
    (finding,) = report.findings
    assert (finding.severity, finding.evidence) == (Severity.HIGH, ())
    assert finding.words == f"{SHAFT.text!r} is found nowhere in the conversation"
    assert report.amended is not None
    (edge,) = report.amended.claims
    assert (edge.section, edge.text) == (Section.EDGES, f"Not found in the conversation: {SHAFT.text}")


def test_what_is_labelled_as_not_found_is_not_labelled_again() -> None:
    twice = one(Section.DECIDED, "Ravi approved a sauna in the attic. Ravi approved a casino in the cellar.")
    report = report_of(twice, by=[])
    assert [one.kind for one in report.findings] == [FindingKind.FABRICATION] * 2
    assert report.amended is not None
    (edge,) = report.amended.claims
    assert edge.text == f"Not found in the conversation: {twice.text}"
    again = report_of(edge, by=[says(edge, Assessment.FABRICATION)]).amended
    assert again is not None
    assert [one.text for one in again.claims] == [edge.text]


def test_a_doubt_about_what_is_firm_gets_the_firm_words_back() -> None:
    doubt = one(Section.EDGES, "The courtyard drain might manage a few litres a second.", 2)
    report = report_of(doubt, by=[says(doubt, Assessment.DEMOTION, "drain takes 9 litres")])
    assert [one.kind for one in report.findings] == [FindingKind.DEMOTION]
    assert report.amended is not None
    (claim,) = report.amended.claims
    assert (claim.section, claim.text) == (Section.KNOWN, "The courtyard drain takes 9 litres a second.")
    assert claim.evidence[0] == words(claim.text)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The drain might cope with little.", "The lift shaft ends"),  # firm, and about something else
        ("The boiler might serve 40 flats.", "I'd guess the boiler serves 40 flats"),  # a guess itself
    ],
)
def test_nothing_but_a_firm_sentence_about_the_same_takes_the_place_of_a_doubt(text: str, quote: str) -> None:
    doubt = one(Section.EDGES, text, 2)
    report = report_of(doubt, by=[says(doubt, Assessment.DEMOTION, quote)])
    (finding,) = report.findings
    assert (finding.kind, finding.action, report.amended) == (FindingKind.DEMOTION, Action.ANNOTATE, None)


def test_an_order_of_quoted_material_never_takes_the_place_of_a_doubt() -> None:
    doubt = one(Section.EDGES, "The roof garden may be approved one day.", 2)
    obeying = [says(doubt, Assessment.DEMOTION, "the landlord approved", family=family) for family in ("a", "b")]
    report = report_of(doubt, by=obeying)
    (finding,) = report.findings
    assert (finding.action, report.amended) == (Action.ANNOTATE, None)


def test_words_are_given_back_to_who_said_them() -> None:
    said = "says that the lift goes up to level six and no higher."
    claim = one(Section.KNOWN, f"The user {said}", 2)
    assert report_of(claim, by=[]).findings == ()
    report = report_of(claim, by=[says(claim, Assessment.ATTRIBUTION, "lift shaft")])
    assert report.amended is not None
    assert [one.text for one in report.amended.claims] == [
        "The assistant says that the lift goes up to level six and no higher."
    ]


@pytest.mark.parametrize(
    ("claim", "assessment", "quote"),
    [
        (SHAFT, Assessment.ATTRIBUTION, "lift shaft"),  # it names nobody
        (SHAFT, Assessment.ATTRIBUTION, ""),
        (one(Section.KNOWN, "What the will gives to 'the heirs' stays."), Assessment.HEDGED, "Hm"),
        (SHAFT, Assessment.DEMOTION, "Hm"),
    ],
)
def test_what_no_rule_can_repair_is_shown_with_the_words_that_prove_it(
    claim: Claim, assessment: Assessment, quote: str
) -> None:
    report = report_of(claim, by=[says(claim, assessment, quote)])
    (finding,) = report.findings
    assert (finding.action, finding.outcome, report.amended) == (Action.ANNOTATE, None, None)
    assert [found.turn for found in finding.evidence] == ([words(quote).turn] if quote else [])
    assert claim.text in finding.words
