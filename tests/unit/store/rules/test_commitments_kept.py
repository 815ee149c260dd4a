from itertools import product

import pytest

from dissolution.claims import BINDING_SECTIONS, ClaimState, Section
from dissolution.errors import TemporalError
from dissolution.intervals import InstantInterval
from store.rules.commitments_kept import check_kept
from store.rules.versioning import Place, RecordedClaim
from tests.unit.store.cycles import BUDGET, OPENS, a_cycle, ended
from tests.unit.store.ledgers import later

FIRST = a_cycle("j1", None, (OPENS,))


def _held(*claims: object) -> list[RecordedClaim]:
    return [RecordedClaim(1, Place(1, 0), 1, "j1", (1, 1), claim) for claim in claims]  # pyright: ignore[reportArgumentType] - claims


@pytest.mark.parametrize(("before", "now"), list(product(Section, Section)))
def test_a_commitment_never_moves_out_of_what_binds(before: Section, now: Section) -> None:
    candidate = a_cycle("j2", None, (BUDGET.model_copy(update={"section": now}),))
    held = _held(BUDGET.model_copy(update={"section": before}))
    if before in BINDING_SECTIONS and now not in BINDING_SECTIONS:
        with pytest.raises(TemporalError, match=f"{before}.*demoted to {now}"):
            check_kept(held, candidate)
    else:
        check_kept(held, candidate)


@pytest.mark.parametrize(
    ("section", "state", "cite", "until", "refused"),
    [
        (
            section,
            state,
            cite,
            until,
            section in BINDING_SECTIONS and not cite and not (until and state is ClaimState.EXPIRED),
        )
        for section in Section
        for state in (ClaimState.SUPERSEDED, ClaimState.CORRECTED, ClaimState.EXPIRED)
        for cite in (None, 4)
        for until in (None, later(9))
    ],
)
def test_a_commitment_ends_by_a_cited_turn_or_its_own_time(
    section: Section,
    state: ClaimState,
    cite: int | None,
    until: object,
    refused: bool,  # noqa: FBT001 - a column
) -> None:
    instants = InstantInterval.model_validate({"start": later(0), "end": until})
    claim = BUDGET.model_copy(update={"section": section, "valid_instants": instants})
    candidate = a_cycle("j2", None, (OPENS,), (ended(claim, 4, state, cite=cite),))
    if refused:
        with pytest.raises(TemporalError, match="no turn is cited"):
            check_kept(_held(claim), candidate)
    else:
        check_kept(_held(claim), candidate)


def test_what_is_closed_already_needs_no_keeping() -> None:
    check_kept(_held(ended(BUDGET, 4)), FIRST)
    with pytest.raises(TemporalError, match="lost"):
        check_kept(_held(BUDGET), FIRST)
