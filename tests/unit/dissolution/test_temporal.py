"""Temporal values: instants are aware, intervals half-open and in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dissolution.errors import InputError, NaiveInstant
from dissolution.temporal import Basis, Temporal, TemporalClass, TemporalCue, aware, instant_interval

NAIVE = datetime(2026, 3, 1, 9)  # noqa: DTZ001 - what must be refused
OSLO = timezone(timedelta(hours=1))


def test_the_classes_are_the_five_of_the_design() -> None:
    assert [name.value for name in TemporalClass] == [
        "forward_open",
        "deferred",
        "current_state",
        "closed_historical",
        "backward_mutation",
    ]


def test_an_instant_comes_back_in_utc() -> None:
    made = aware(datetime(2026, 3, 1, 9, tzinfo=OSLO))
    assert made == datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert made.tzinfo is UTC


def test_a_naive_instant_is_refused_by_name() -> None:
    with pytest.raises(NaiveInstant, match="end '2026-03-01T09:00:00'"):
        aware(NAIVE, "end")


@pytest.mark.parametrize(
    ("start", "end", "name"),
    [(NAIVE, None, "start"), (datetime(2026, 1, 1, tzinfo=UTC), NAIVE, "end")],
)
def test_an_interval_needs_a_zone_on_both_sides(start: datetime, end: datetime | None, name: str) -> None:
    with pytest.raises(NaiveInstant) as caught:
        instant_interval(start, end)
    assert caught.value.name == name
    assert isinstance(caught.value, InputError)


def test_an_interval_may_be_open_and_may_be_empty() -> None:
    start = datetime(2026, 3, 1, 9, tzinfo=OSLO)
    assert instant_interval(start).end is None
    empty = instant_interval(start, start)
    assert empty.start == empty.end


@given(st.datetimes(timezones=st.just(UTC)), st.timedeltas(min_value=timedelta(seconds=1), max_value=timedelta(days=9)))
def test_a_reversed_interval_is_refused(start: datetime, step: timedelta) -> None:
    if start - datetime.min.replace(tzinfo=UTC) < step:
        return
    with pytest.raises(InputError, match="before it starts"):
        instant_interval(start, start - step)


def test_the_same_instant_in_two_zones_is_no_reversal() -> None:
    utc = datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert instant_interval(datetime(2026, 3, 1, 9, tzinfo=OSLO), utc).end == utc


def test_a_result_survives_json_with_its_interval() -> None:
    cue = TemporalCue(start=0, end=5, text="never", speaks_for=TemporalClass.FORWARD_OPEN)
    made = Temporal(
        temporal_class=TemporalClass.CLOSED_HISTORICAL,
        basis=Basis.INTERVAL,
        cues=(cue,),
        valid=instant_interval(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)),
    )
    assert Temporal.model_validate_json(made.model_dump_json()) == made


def test_a_cue_has_words() -> None:
    with pytest.raises(ValidationError):
        TemporalCue(start=0, end=1, text="", speaks_for=TemporalClass.DEFERRED)
