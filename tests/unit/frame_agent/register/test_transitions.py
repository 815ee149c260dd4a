import itertools

import pytest

from dissolution.premises import Acceptance, PremiseEventKind, PremiseStatus
from frame_agent.register.transitions import SAID_YES, TAKEN_UP, after
from tests.unit.frame_agent.ranks import RANK

NOT_ACCEPTING = sorted(set(PremiseEventKind) - {PremiseEventKind.ACCEPTED, PremiseEventKind.REJECTED})


def test_nothing_but_an_acceptance_or_a_no_changes_a_status() -> None:
    every = itertools.product(PremiseStatus, NOT_ACCEPTING)
    assert [(status, act) for status, act in every if after(status, act) is not status] == []


@pytest.mark.parametrize("status", PremiseStatus)
def test_a_no_never_raises_and_silence_changes_nothing(status: PremiseStatus) -> None:
    assert RANK[after(status, PremiseEventKind.REJECTED)] <= RANK[status]
    assert after(status, PremiseEventKind.ACCEPTED, Acceptance.SILENCE) is status


def test_what_is_injected_stays_injected() -> None:
    every = itertools.product(PremiseStatus, Acceptance)
    injected = [
        (status, how)
        for status, how in every
        if after(status, PremiseEventKind.ACCEPTED, how) is PremiseStatus.INJECTED
    ]
    assert injected == [(PremiseStatus.INJECTED, how) for how in Acceptance]


def test_a_guess_taken_up_is_a_guess_still() -> None:
    accepted = PremiseEventKind.ACCEPTED
    guess = PremiseStatus.HEDGED
    assert after(guess, accepted, Acceptance.EXPLICIT_YES) is guess
    assert after(guess, accepted, Acceptance.BUILDING_ON_IT) is guess


def test_a_frame_is_confirmed_by_words_alone_and_a_refusal_is_opened_by_building_on_it() -> None:
    accepted = PremiseEventKind.ACCEPTED
    assert after(PremiseStatus.IMPLICIT, accepted, Acceptance.BUILDING_ON_IT) is PremiseStatus.IMPLICIT
    assert after(PremiseStatus.IMPLICIT, accepted, Acceptance.EXPLICIT_YES) is PremiseStatus.CONFIRMED
    assert after(PremiseStatus.REJECTED, accepted, Acceptance.BUILDING_ON_IT) is PremiseStatus.ASSERTED
    assert after(PremiseStatus.ONE_OFF, accepted, Acceptance.EXPLICIT_YES) is PremiseStatus.ONE_OFF


@pytest.mark.parametrize("table", [TAKEN_UP, SAID_YES])
def test_every_table_names_every_status(table: dict[PremiseStatus, PremiseStatus]) -> None:
    assert set(table) == set(PremiseStatus) == set(RANK)
