import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import SQLAlchemyError

from dissolution.errors import StoreError, StoreUnavailable
from store.sql.engine import _switch_to_wal, open_engine
from store.sql.unit_of_work import memory_unit_of_work_factory, sql_unit_of_work_factory
from tests.factories import a_conversation


def _url(folder: Path) -> str:
    return f"sqlite:///{folder / 'ledger.sqlite3'}"


@pytest.mark.slow  # quick tests do not wait for the disk
def test_sqlite_writes_ahead_syncs_fully_and_checks_keys(tmp_path: Path) -> None:
    engine = open_engine(_url(tmp_path), 12.5)
    with engine.connect() as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    engine.dispose()

    assert said == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 12500}


def test_a_transaction_is_a_writers_from_its_first_statement(tmp_path: Path) -> None:
    engine = open_engine(_url(tmp_path), 0.05)
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))
        other = sqlite3.connect(tmp_path / "ledger.sqlite3", timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()
    engine.dispose()


def test_turning_the_log_on_waits_for_whoever_holds_the_file(tmp_path: Path) -> None:
    holder = sqlite3.connect(tmp_path / "ledger.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    modes: list[str] = []

    def connect() -> None:
        engine = open_engine(_url(tmp_path), 30)
        with engine.connect() as connection:
            modes.append(connection.exec_driver_sql("PRAGMA journal_mode").scalar_one())
        engine.dispose()

    thread = threading.Thread(target=connect)
    thread.start()
    thread.join(timeout=0.2)
    assert modes == []
    holder.execute("ROLLBACK")
    thread.join()
    holder.close()

    assert modes == ["wal"]


def test_turning_the_log_on_does_not_wait_for_ever(tmp_path: Path) -> None:
    holder = sqlite3.connect(tmp_path / "ledger.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreUnavailable, match="DISSOLVE_BUSY_TIMEOUT_S"):
        sql_unit_of_work_factory(_url(tmp_path), busy_timeout_s=0.05)
    holder.close()


def test_only_another_who_holds_the_file_is_waited_for(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite3", isolation_level=None)) as driver:
        driver.execute("BEGIN")
        with pytest.raises(sqlite3.OperationalError, match="from within a transaction"):
            _switch_to_wal(driver.cursor(), float("inf"))


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite3").write_text("dear diary " * 200)

    with pytest.raises(StoreUnavailable, match="no SQLite database"):
        sql_unit_of_work_factory(_url(tmp_path))
    assert (tmp_path / "ledger.sqlite3").read_text().startswith("dear diary")


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite3").mkdir()

    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        sql_unit_of_work_factory(_url(tmp_path))


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    factory = sql_unit_of_work_factory(_url(tmp_path))
    factory.close()
    path = tmp_path / "ledger.sqlite3"
    data = bytearray(path.read_bytes())
    data[200:] = b"\xff" * (len(data) - 200)
    path.write_bytes(data)

    with pytest.raises(StoreUnavailable, match="damaged"):
        sql_unit_of_work_factory(_url(tmp_path))


def test_a_full_disk_stores_nothing_of_the_unit(tmp_path: Path) -> None:
    factory = sql_unit_of_work_factory(_url(tmp_path))
    with factory.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

    def fill(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    factory.engine.dispose()
    event.listen(factory.engine, "connect", fill)
    full = "the disk is full and nothing of this step was stored"
    with factory() as unit, pytest.raises(StoreUnavailable, match=full):
        unit.conversations.extend(a_conversation("x" * 1_000_000))
    with factory() as unit:
        assert unit.conversations.ids() == ()
    factory.close()


def test_postgresql_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(StoreUnavailable, match=r"pip install 'psycopg\[binary\]") as caught:
        open_engine("postgresql://ann:s3cr3t@localhost/x", 1)
    assert "s3cr3t" not in str(caught.value)


def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="URL, user and password") as caught:
        sql_unit_of_work_factory(f"postgresql://ann:s3cr3t@/x?host={tmp_path}&connect_timeout=1")
    assert "s3cr3t" not in str(caught.value)
    assert "ann:***@" in str(caught.value)


def test_a_broken_key_is_refused_without_the_rows_values(tmp_path: Path) -> None:
    factory = sql_unit_of_work_factory(_url(tmp_path))
    with factory.engine.connect() as connection, pytest.raises(StoreError, match="FOREIGN KEY") as caught:
        connection.execute(
            text("INSERT INTO snapshots (conversation, through, digest) VALUES (:c, 1, :d)"), {"c": "hush", "d": "x"}
        )
    assert not isinstance(caught.value, StoreUnavailable)
    assert "hush" not in str(caught.value) + str(caught.value.__cause__)
    factory.close()


def test_what_is_not_the_databases_fault_passes_through(tmp_path: Path) -> None:
    factory = sql_unit_of_work_factory(_url(tmp_path))
    with factory.engine.connect() as connection, pytest.raises(SQLAlchemyError):
        connection.execute(text("SELECT :missing"))
    factory.close()


def test_threads_share_a_database_in_memory_and_take_turns() -> None:
    units = memory_unit_of_work_factory()
    start = threading.Barrier(6)

    def store(name: str) -> None:
        start.wait()
        with units() as unit:
            unit.conversations.extend(a_conversation("We open at 9.", name=name))
            unit.commit()
        with units.reading() as unit:
            assert unit.conversations.get(name).turns[0].content == "We open at 9."

    threads = [threading.Thread(target=store, args=(name,)) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with units() as unit:
        assert unit.conversations.ids() == tuple("abcdef")


def test_each_database_in_memory_is_empty_with_a_key_of_its_own_and_checks_references() -> None:
    with memory_unit_of_work_factory()() as unit:
        unit.conversations.extend(a_conversation("We open at 9."))
        unit.commit()
        key = unit.installation_key()
    other = memory_unit_of_work_factory()
    with other() as unit:
        assert unit.conversations.ids() == ()
        assert unit.installation_key() != key
    with other.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    other.close()
