from datetime import UTC, datetime

import pytest

from dissolution.claims import Claim, ClaimState, Closing, Section, TemporalClass
from dissolution.intervals import InstantInterval
from prompts.export.markdown import boundary_markdown
from prompts.export.notes import standing_notes
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, evidence_in

CONVERSATION = a_conversation("It rains.")
QUOTE = (evidence_in(CONVERSATION, 1, "rains"),)
NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


def claim(section: Section = Section.KNOWN, **update: object) -> Claim:
    return a_claim("c1", section, "It rains.", QUOTE).model_copy(update=update)


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        (claim(), ()),
        (claim(state=ClaimState.CARRIED, carried=1), ("carried, 1 cycle",)),
        (claim(state=ClaimState.CARRIED, carried=12), ("carried, 12 cycles",)),
        (claim(state=ClaimState.CORRECTED, closing=Closing(state=ClaimState.CORRECTED, reason="x")), ("corrected",)),
        (claim(temporal_class=TemporalClass.FORWARD_OPEN), ("binds from now on",)),
        (claim(Section.DECIDED, temporal_class=TemporalClass.FORWARD_OPEN), ()),
        (claim(Section.DECIDED, temporal_class=TemporalClass.DEFERRED), ("holds from a later time",)),
        (claim(temporal_class=TemporalClass.CLOSED_HISTORICAL), ("of the past",)),
        (claim(temporal_class=TemporalClass.BACKWARD_MUTATION), ("corrects what was said",)),
        (claim(valid_instants=InstantInterval(start=NINE)), ("from 2026-03-01T09:00:00+00:00",)),
        (
            claim(valid_instants=InstantInterval(start=NINE, end=NINE)),
            ("from 2026-03-01T09:00:00+00:00 until 2026-03-01T09:00:00+00:00",),
        ),
    ],
)
def test_what_a_reader_should_know(given: Claim, notes: tuple[str, ...]) -> None:
    assert standing_notes(given) == notes


def test_the_page_says_it() -> None:
    boundary = a_boundary(CONVERSATION, claim(state=ClaimState.CARRIED, carried=3))
    assert "  - note: carried, 3 cycles\n" in boundary_markdown(boundary, CONVERSATION, None)
