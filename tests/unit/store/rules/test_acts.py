import pytest

from dissolution.claims import ClaimState, Mark
from dissolution.errors import InputError
from dissolution.intervals import InstantInterval, TurnInterval
from dissolution.ledger import PERSON_ACTS, LedgerEventKind
from store.rules.acts import Occasion, acted_on, check_act, check_target
from tests.unit.store.cycles import OPENS, an_act
from tests.unit.store.ledgers import later

NOW = Occasion(through=6, at=later(50))
RETRACT = an_act(LedgerEventKind.RETRACTED, "c1-opens")
NEVER = an_act(LedgerEventKind.RETRACTED, "c1-opens", never_held=True)


def test_only_acts_of_a_person_are_done() -> None:
    for kind in LedgerEventKind:
        if kind in PERSON_ACTS:
            check_act(an_act(kind, "c1"))
        else:
            with pytest.raises(InputError, match="adopted, confirmed, dismissed, pinned, retracted, unpinned"):
                check_act(an_act(kind, "c1"))
    with pytest.raises(InputError, match="only a retraction"):
        check_act(an_act(LedgerEventKind.PINNED, "c1", never_held=True))


def test_a_mark_is_given_once_and_taken_back_alone() -> None:
    pinned = acted_on(OPENS, an_act(LedgerEventKind.PINNED, "c1"), NOW)
    both = acted_on(pinned, an_act(LedgerEventKind.CONFIRMED, "c1"), NOW)
    assert both.marks == (Mark.PINNED, Mark.CONFIRMED)
    assert acted_on(both, an_act(LedgerEventKind.UNPINNED, "c1"), NOW).marks == (Mark.CONFIRMED,)
    for claim, kind in ((OPENS, LedgerEventKind.UNPINNED), (both, LedgerEventKind.PINNED)):
        with pytest.raises(InputError, match="nothing to do"):
            acted_on(claim, an_act(kind, "c1"), NOW)


def test_a_retracted_claim_held_through_the_last_turn_or_never() -> None:
    over, wrong = acted_on(OPENS, RETRACT, NOW), acted_on(OPENS, NEVER, NOW)
    assert (over.state, over.valid) == (ClaimState.EXPIRED, TurnInterval(start=1, end=7))
    assert (wrong.state, wrong.valid) == (ClaimState.CORRECTED, TurnInterval(start=1, end=1))
    short = OPENS.model_copy(update={"valid": TurnInterval(start=1, end=3)})
    assert acted_on(short, RETRACT, NOW).valid == TurnInterval(start=1, end=3)
    future = OPENS.model_copy(update={"valid": TurnInterval(start=9)})
    assert acted_on(future, RETRACT, NOW).valid == TurnInterval(start=9, end=9)


@pytest.mark.parametrize(
    ("start", "end", "over", "never"),
    [(10, None, 50, 10), (10, 30, 30, 10), (10, 80, 50, 10), (60, None, 60, 60), (60, 80, 60, 60)],
)
def test_a_retraction_ends_the_interval_in_instants_too(start: int, end: int | None, over: int, never: int) -> None:
    instants = InstantInterval(start=later(start), end=None if end is None else later(end))
    timed = OPENS.model_copy(update={"valid_instants": instants})
    for act, until in ((RETRACT, over), (NEVER, never)):
        assert acted_on(timed, act, NOW).valid_instants == InstantInterval(start=later(start), end=later(until))


def test_a_roll_back_leads_to_another_version() -> None:
    check_target(1, 2)
    with pytest.raises(InputError, match="version 2"):
        check_target(2, 2)
