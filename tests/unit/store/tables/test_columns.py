"""Column types on a real SQLite database; PostgreSQL has them in the contract suites."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sqlalchemy import Column, Connection, MetaData, Table, create_engine, insert, select, text
from sqlalchemy.exc import StatementError

from dissolution.conversation import Language
from dissolution.values import NotMeasured
from store.tables.columns import Document, ExactText, Instant, begins_with, restored, storable, utc

SHELF = Table(
    "shelf",
    MetaData(),
    Column("at", Instant),
    Column("words", ExactText),
    Column("language", Document(Language)),
)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    SHELF.metadata.create_all(engine)
    with engine.connect() as open_connection:
        yield open_connection
    engine.dispose()


@given(st.text(st.characters(), max_size=30))
def test_any_text_is_restored_from_what_any_database_can_hold(words: str) -> None:
    stored = storable(words)

    assert restored(stored) == words
    assert "\0" not in stored
    stored.encode()


@pytest.mark.parametrize("words", ["\ufdd00000", "\ufdd0", "\ufdd0fdd0", "\0\ud800\udfff"])
def test_text_that_looks_like_an_escape_is_none(words: str) -> None:
    assert restored(storable(words)) == words != storable(words)


def test_ordinary_text_is_stored_as_it_is() -> None:
    assert storable("naïve 🦊\x1b[0m") == "naïve 🦊\x1b[0m"


def test_an_instant_is_stored_and_read_as_utc(connection: Connection) -> None:
    nepal = timezone(timedelta(hours=5, minutes=45))
    connection.execute(insert(SHELF).values(at=datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=nepal)))

    stored = connection.execute(text("SELECT at FROM shelf")).scalar_one()
    assert stored == "2025-12-31 18:15:00.000001"
    read = connection.scalar(select(SHELF.c.at))
    assert read == datetime(2025, 12, 31, 18, 15, 0, 1, tzinfo=UTC)
    assert read is not None
    assert read.tzinfo is UTC


def test_a_naive_instant_is_refused(connection: Connection) -> None:
    naive = datetime(2026, 1, 1)  # noqa: DTZ001 - the point of the test
    with pytest.raises(ValueError, match="naive"):
        utc(naive)
    with pytest.raises(StatementError, match="is naive"):
        connection.execute(insert(SHELF).values(at=naive))


def test_instants_compare_on_the_database(connection: Connection) -> None:
    first = datetime(2026, 1, 1, 12, tzinfo=UTC)
    for seconds in (-0.000001, 0, 0.000001):
        connection.execute(insert(SHELF).values(at=first + timedelta(seconds=seconds)))

    assert len(connection.scalars(select(SHELF.c.at).where(SHELF.c.at <= first)).all()) == 2


def test_a_document_is_json_text_and_is_checked_when_read(connection: Connection) -> None:
    language = Language(code="en", confidence=NotMeasured(not_measured="too short"))
    connection.execute(insert(SHELF).values(language=language))

    assert connection.execute(text("SELECT language FROM shelf")).scalar_one() == (
        '{"code":"en","confidence":{"not_measured":"too short"}}'
    )
    assert connection.scalar(select(SHELF.c.language)) == language
    connection.execute(text("UPDATE shelf SET language = '{}'"))
    with pytest.raises(ValidationError):
        connection.scalar(select(SHELF.c.language))


def test_nothing_stays_nothing(connection: Connection) -> None:
    connection.execute(insert(SHELF).values(at=None, words=None, language=None))

    assert connection.execute(select(SHELF)).one() == (None, None, None)


@pytest.mark.parametrize(("prefix", "found"), [("a", 1), ("A", 1), ("a%", 0), ("", 4), ("\0", 1), ("_", 0), ("%", 1)])
def test_a_prefix_is_matched_letter_by_letter(connection: Connection, prefix: str, found: int) -> None:
    connection.execute(insert(SHELF), [{"words": words} for words in ("abc", "ABC", "%", "\0x")])

    assert len(connection.execute(select(SHELF.c.words).where(begins_with(SHELF.c.words, prefix))).all()) == found
