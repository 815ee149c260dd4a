from datetime import UTC, datetime

import pytest

from cli.run.asof import NOW, When, moment_in_words, moment_of, show_as_of, version_through
from dissolution.errors import InputError, UnknownTurn
from dissolution.intervals import Moment
from dissolution.ledger import LedgerEventKind
from tests.factories import a_conversation
from tests.unit.workers.results.test_ledger_diff import an_event

TALK = a_conversation(*(f"Turn {n}." for n in range(1, 31)))
EVENTS = (
    an_event(1, LedgerEventKind.COMMITTED, through=10),
    an_event(2, LedgerEventKind.PINNED, through=10, claim="c1"),
    an_event(3, LedgerEventKind.COMMITTED, through=22),
    an_event(4, LedgerEventKind.ROLLED_BACK, through=10, restored=2),
)


@pytest.mark.parametrize(
    ("when", "moment"),
    [
        (NOW, Moment()),
        (When(turn=20), Moment(turn=20)),
        (When(known_at="3"), Moment(version=3)),
        (When(turn=20, known_at="v1"), Moment(turn=20, version=1)),
        (When(known_at="2026-03-01T09:00:00Z"), Moment(recorded=datetime(2026, 3, 1, 9, tzinfo=UTC))),
        (When(turn=20, known_at_turn=20), Moment(turn=20, version=2)),
        (When(known_at_turn=30), Moment(version=4)),
    ],
)
def test_points_in_time(when: When, moment: Moment) -> None:
    assert moment_of(when, EVENTS, TALK) == moment
    assert when.given is (when != NOW)


@pytest.mark.parametrize(
    ("when", "error"),
    [
        (When(turn=31), UnknownTurn),
        (When(known_at_turn=31), UnknownTurn),
        (When(known_at="5"), InputError),
        (When(known_at="1", known_at_turn=2), InputError),
        (When(known_at_turn=9), InputError),
    ],
)
def test_points_that_do_not_exist(when: When, error: type[Exception]) -> None:
    with pytest.raises(error):
        moment_of(when, EVENTS, TALK)


def test_what_was_known_at_a_turn_is_what_stood_before_a_later_turn_was_covered() -> None:
    assert version_through(EVENTS, 21, "c") == 2  # the roll-back of version 4 was not known then
    assert version_through(EVENTS, 22, "c") == 4
    with pytest.raises(InputError, match="turns 1 to 10"):
        version_through(EVENTS, 9, "c")
    with pytest.raises(InputError, match="no boundary yet"):
        version_through((), 9, "c")


def test_points_in_words() -> None:
    assert moment_in_words(Moment(), EVENTS) == "what holds now, as known now"
    assert moment_in_words(Moment(turn=20, version=1), EVENTS) == (
        "what held at turn 20, as known in version 1 (through turn 10)"
    )
    at = Moment(recorded=datetime(2026, 3, 1, 9, tzinfo=UTC))
    assert moment_in_words(at, EVENTS) == "what holds now, as known at 2026-03-01T09:00:00+00:00"


def test_a_point_in_time_is_one_of_a_conversation() -> None:
    with pytest.raises(InputError, match="name the conversation"):
        show_as_of(None, When(turn=3), db=None, as_json=False)
