"""Temporal classes of claims, and times that come or run out."""

from datetime import UTC, datetime, timedelta

import pytest

from consensus.reconcile.validity import class_of, come, has_come, never_held, now_of, ran_out, timed
from dissolution.claims import Claim, Section, TemporalClass
from dissolution.conversation import Snapshot
from dissolution.intervals import InstantInterval
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def dated(*contents: str, step: timedelta = timedelta(days=3)) -> Snapshot:
    """A snapshot whose turns are said three days apart from Monday 2 March 2026 on."""
    plain = a_snapshot(*contents)
    turns = tuple(turn.model_copy(update={"said_at": MONDAY + n * step}) for n, turn in enumerate(plain.turns))
    return Snapshot(conversation=plain.conversation, turns=turns)


def the_claim(snapshot: Snapshot, section: Section = Section.DECIDED, turn: int = 1) -> Claim:
    return timed(a_claim(snapshot.turn(turn).content, snapshot, turn, section), snapshot)


@pytest.mark.parametrize(
    ("text", "section", "expected"),
    [
        ("The workers run on EKS.", Section.DECIDED, TemporalClass.FORWARD_OPEN),
        ("We used to deploy by hand.", Section.DECIDED, TemporalClass.FORWARD_OPEN),
        ("The workers run on EKS.", Section.KNOWN, TemporalClass.CURRENT_STATE),
        ("We used to deploy by hand.", Section.KNOWN, TemporalClass.CLOSED_HISTORICAL),
        ("From now on every change needs a review.", Section.KNOWN, TemporalClass.FORWARD_OPEN),
        ("The hearing is set for 14 June.", Section.DECIDED, TemporalClass.DEFERRED),
        ("From now on every change needs a review.", Section.EDGES, TemporalClass.CURRENT_STATE),
    ],
)
def test_the_section_goes_before_the_wording(text: str, section: Section, expected: TemporalClass) -> None:
    assert class_of(a_claim(text, a_snapshot(text), 1, section)) is expected


def test_a_given_interval_outranks_the_wording() -> None:
    snapshot = dated("From now on every change needs a review.", "Yes.")
    past = InstantInterval(start=MONDAY - timedelta(days=9), end=MONDAY)
    claim = a_claim(snapshot.turn(1).content, snapshot, 1, Section.DECIDED).model_copy(update={"valid_instants": past})
    found = timed(claim, snapshot)
    assert found.temporal_class is TemporalClass.CLOSED_HISTORICAL
    assert found.valid_instants == past
    running = claim.model_copy(update={"valid_instants": InstantInterval(start=MONDAY)})
    assert timed(running, snapshot).temporal_class is TemporalClass.FORWARD_OPEN


def test_the_interval_of_a_caller_runs_out_by_the_clock_of_the_turns() -> None:
    snapshot = dated("Nothing is deployed.", "Fine.", "Hello again.")
    claim = the_claim(snapshot)
    assert ran_out(claim, now_of(snapshot)) is None
    until = claim.model_copy(update={"valid_instants": InstantInterval(start=MONDAY, end=MONDAY + timedelta(days=4))})
    assert ran_out(until, now_of(dated("Nothing is deployed.", "Fine."))) is None
    assert "it held until 2026-03-06" in (ran_out(until, now_of(snapshot)) or "")
    assert ran_out(until, None) is None


def test_no_wording_of_an_end_ends_anything() -> None:
    claim = the_claim(dated("Nothing is deployed until Friday.", "Fine.", "Hello again."))
    assert claim.valid_instants is None


def test_what_is_put_off_becomes_current_when_its_day_comes() -> None:
    text = "The hearing is set for 6 March."
    claim = the_claim(dated(text))
    assert claim.temporal_class is TemporalClass.DEFERRED
    assert not has_come(claim, now_of(dated(text)))
    assert has_come(claim, now_of(dated(text, "Hm.", "Good morning.")))
    assert not has_come(the_claim(a_snapshot(text)), now_of(a_snapshot(text, "Hm.")))
    assert come(claim).temporal_class is TemporalClass.FORWARD_OPEN
    assert come(the_claim(dated(text), Section.KNOWN)).temporal_class is TemporalClass.CURRENT_STATE


def test_a_day_that_is_past_means_next_year_and_one_that_is_none_means_nothing() -> None:
    claim = the_claim(dated("The hearing is set for 1 February."))
    assert claim.valid_instants is not None
    assert claim.valid_instants.start == datetime(2027, 2, 1, tzinfo=UTC)
    assert the_claim(dated("The hearing is set for 30 February.")).valid_instants is None


def test_words_that_take_something_back_say_that_it_never_held() -> None:
    assert never_held("Correction: it was never 7B, it has always been 3B.")
    assert not never_held("The pilot moved to 3B.")


@pytest.mark.parametrize("text", ["The audit of 4 May went well.", "The audit was in May 2026."])
def test_a_day_that_puts_nothing_off_bounds_nothing(text: str) -> None:
    assert the_claim(dated(text), Section.KNOWN).valid_instants is None
