import pytest
from pydantic import ValidationError

from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, evidence_in

CONVERSATION = a_conversation("We use Postgres.")
QUOTE = (evidence_in(CONVERSATION, 1, "Postgres"),)


def test_sections_keep_the_order_of_their_claims() -> None:
    boundary = a_boundary(
        CONVERSATION,
        a_claim("k1", Section.KNOWN, "One.", QUOTE),
        a_claim("e1", Section.EDGES, "Open."),
        a_claim("k2", Section.KNOWN, "Two.", QUOTE),
    )
    assert [claim.id for claim in boundary.section(Section.KNOWN)] == ["k1", "k2"]
    assert boundary.section(Section.IDENTITY) == ()


def test_boundary_survives_json() -> None:
    boundary = a_boundary(CONVERSATION, a_claim("k1", Section.KNOWN, "Eins «ß».", QUOTE))
    assert BoundaryState.model_validate_json(boundary.model_dump_json()) == boundary


@pytest.mark.parametrize("change", [{"snapshot_digest": "A" * 64}, {"version": 0}, {"through": 0}])
def test_impossible_boundaries_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        BoundaryState.model_validate(a_boundary(CONVERSATION).model_dump() | change)
