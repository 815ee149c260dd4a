"""What members tell of one part of a claim, in other words, or of another one, leaves the rest to the rules."""

import pytest

from dissolution.claim_audit import Assessment
from dissolution.claims import Claim, Section
from dissolution.conversation import Snapshot
from dissolution.framing import RULES, Action, FramePolicy, FrameReport
from frame_agent.audit import audit
from frame_agent.register import register_of
from tests.unit.frame_agent.framed import ASSISTANT, USER, a_candidate, a_claim, talk
from tests.unit.frame_agent.judged import about, says

DATES = talk(
    (USER, "The launch takes place on 4 May in the harbour hall."),
    (ASSISTANT, "Noted."),
    (USER, "Correction: the launch takes place on 11 May in the harbour hall. The posters are printed in Leith."),
)
GUESSES = talk(
    (USER, "I'd guess the boiler serves 40 flats. I suppose the chimney is 12 metres high. Ravi looks after the roof."),
    (ASSISTANT, "Noted. The boiler stands in the cellar. The boiler serves the flats of the house."),
    (USER, "The attic has two windows."),
)


def report_of(
    snapshot: Snapshot, claim: Claim, assessment: Assessment, quote: str, policy: FramePolicy | None = None
) -> FrameReport:
    """The audit of one claim with three families that say the same of it."""
    told = [says(claim, assessment, quote, family=family, snapshot=snapshot) for family in ("a", "b", "d")]
    return audit(register_of(snapshot), a_candidate(claim), snapshot, policy or FramePolicy(), told)


def by_section(report: FrameReport, claim: Claim) -> list[tuple[Section, str]]:
    after = report.amended or a_candidate(claim)
    return [(one.section, one.text) for one in after.claims]


def test_what_is_no_doubt_gives_way_to_no_earlier_word() -> None:
    claim = a_claim(Section.DECIDED, "The launch takes place on 11 May in the harbour hall.", DATES, 3)
    report = report_of(DATES, claim, Assessment.DEMOTION, "The launch takes place on 4 May")
    assert by_section(report, claim) == [(claim.section, claim.text)]


def test_a_doubt_gives_way_to_no_other_figure() -> None:
    claim = a_claim(Section.KNOWN, "Perhaps the launch takes place on 11 May in the harbour hall.", DATES, 3)
    ((_, after),) = by_section(report_of(DATES, claim, Assessment.DEMOTION, "The launch takes place on 4 May"), claim)
    assert "11 May" in after


def test_who_said_one_sentence_clears_no_guess_in_another() -> None:
    text = "The boiler serves 40 flats. The user said the attic has two windows."
    claim = a_claim(Section.DECIDED, text, GUESSES, 1)
    report = report_of(GUESSES, claim, Assessment.ATTRIBUTION, "The attic has two windows")
    assert (Section.EDGES, "Assumed, not confirmed: The boiler serves 40 flats.") in by_section(report, claim)


def test_an_approval_that_nobody_gave_is_given_to_nobody_else() -> None:
    claim = a_claim(Section.DECIDED, "Ravi approved a sauna in the attic.", GUESSES, 1)
    report = report_of(GUESSES, claim, Assessment.ATTRIBUTION, "The attic has two windows")
    assert by_section(report, claim) == [(Section.EDGES, f"Not found in the conversation: {claim.text}")]


def test_what_is_told_of_one_part_clears_no_other() -> None:
    claim = a_claim(Section.DECIDED, "The boiler serves 40 flats. The chimney is 12 metres high.", GUESSES, 1)
    report = report_of(GUESSES, claim, Assessment.REJECTED, "The boiler stands in the cellar")
    assert (Section.EDGES, "Assumed, not confirmed: The chimney is 12 metres high.") in by_section(report, claim)
    assert Section.DECIDED not in {section for section, _ in by_section(report, claim)}


@pytest.mark.parametrize("action", [Action.ANNOTATE, Action.BLOCK])
def test_only_what_policy_repairs_takes_the_place_of_what_the_rules_find(action: Action) -> None:
    claim = a_claim(Section.DECIDED, "The boiler serves 40 flats.", GUESSES, 1)
    policy = FramePolicy(fabrication=action, demotion=action)
    for assessment, quote in ((Assessment.DEMOTION, "The boiler serves the flats"), (Assessment.FABRICATION, "")):
        report = report_of(GUESSES, claim, assessment, quote, policy)
        (ours,) = [one for one in about(report) if RULES in one.told_by]
        assert (ours.disputed, ours.action) == (False, Action.REPAIR)
        assert Section.DECIDED not in {section for section, _ in by_section(report, claim)}
