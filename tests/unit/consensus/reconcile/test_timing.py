"""Temporal classes of claims, and times that come or run out."""

from datetime import UTC, datetime, timedelta

import pytest

from consensus.reconcile.timing import binds, class_of, come, time_of, timed
from dissolution.claims import Claim, Evidence, Section, TemporalClass
from dissolution.conversation import Snapshot
from dissolution.intervals import InstantInterval
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, whole

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


def test_what_binds_is_a_section_or_the_wording_of_what_is_known() -> None:
    snapshot = a_snapshot("From now on every change needs a review.", "The disk is full.")
    assert binds(the_claim(snapshot, Section.KNOWN))
    assert binds(the_claim(snapshot, Section.IDENTITY, 2))
    assert not binds(the_claim(snapshot, Section.KNOWN, 2))
    assert not binds(the_claim(snapshot, Section.EDGES))


def test_a_given_interval_outranks_the_wording() -> None:
    snapshot = dated("From now on every change needs a review.", "Yes.")
    past = InstantInterval(start=MONDAY - timedelta(days=9), end=MONDAY)
    claim = a_claim(snapshot.turn(1).content, snapshot, 1, Section.DECIDED).model_copy(update={"valid_instants": past})
    found = timed(claim, snapshot)
    assert found.temporal_class is TemporalClass.CLOSED_HISTORICAL
    assert found.valid_instants == past
    running = claim.model_copy(update={"valid_instants": InstantInterval(start=MONDAY)})
    assert timed(running, snapshot).temporal_class is TemporalClass.FORWARD_OPEN


def test_what_lasts_until_a_day_runs_out_after_it() -> None:
    early = dated("Nothing is deployed until Friday.", "Fine.")
    claim = the_claim(early)
    assert claim.valid_instants == InstantInterval(start=MONDAY, end=datetime(2026, 3, 7, tzinfo=UTC))
    assert time_of(claim, early, ()) is None
    late = dated("Nothing is deployed until Friday.", "Fine.", "Hello again.")
    found = time_of(claim, late, ())
    assert found is not None
    assert found.over
    assert not found.evidence


def test_what_is_put_off_becomes_current_when_its_day_comes() -> None:
    text = "The hearing is set for 6 March."
    claim = the_claim(dated(text))
    assert claim.temporal_class is TemporalClass.DEFERRED
    found = time_of(claim, dated(text, "Hm.", "Good morning."), ())
    assert found is not None
    assert not found.over
    assert come(claim).temporal_class is TemporalClass.FORWARD_OPEN
    assert come(the_claim(dated(text), Section.KNOWN)).temporal_class is TemporalClass.CURRENT_STATE


def test_a_date_that_is_past_means_next_year_and_one_that_is_none_means_nothing() -> None:
    claim = the_claim(dated("The offer is valid, nothing changes until 1 February."))
    assert claim.valid_instants is not None
    assert claim.valid_instants.end == datetime(2027, 2, 2, tzinfo=UTC)
    assert the_claim(dated("Nothing changes until 30 February.")).valid_instants is None


def test_without_instants_the_clock_says_nothing() -> None:
    snapshot = a_snapshot("Nothing is deployed until Friday.", "Fine.")
    claim = the_claim(snapshot)
    assert claim.valid_instants is None
    assert time_of(claim, snapshot, ()) is None


def spoken(snapshot: Snapshot, turn: int) -> list[Evidence]:
    return [whole(snapshot, turn)]


@pytest.mark.parametrize(
    ("text", "said", "over"),
    [
        ("Nobody merges until the audit is over.", "The audit is over.", True),
        ("For this sprint, reviews are done in pairs.", "The sprint has ended.", True),
        ("During the trial, the patient takes 20 mg.", "The trial is finished.", True),
        ("The tenant keeps the garage as long as the works last.", "The works are done now.", True),
    ],
)
def test_what_lasts_as_long_as_something_ends_with_it(text: str, said: str, *, over: bool) -> None:
    snapshot = a_snapshot(text, "Fine.", said)
    found = time_of(the_claim(snapshot), snapshot, spoken(snapshot, 3))
    assert found is not None
    assert found.over is over
    assert found.evidence == (whole(snapshot, 3),)


@pytest.mark.parametrize(
    "said", ["The audit is not over.", "When the audit is over, we talk.", "Is the audit over?", "The party is over."]
)
def test_what_is_not_over_ends_nothing(said: str) -> None:
    snapshot = a_snapshot("Nobody merges until the audit is over.", "Fine.", said)
    assert time_of(the_claim(snapshot), snapshot, spoken(snapshot, 3)) is None


@pytest.mark.parametrize("text", ["The audit of 4 May went well.", "The audit was in May 2026."])
def test_a_day_that_nothing_lasts_until_bounds_nothing(text: str) -> None:
    assert the_claim(dated(text), Section.KNOWN).valid_instants is None
