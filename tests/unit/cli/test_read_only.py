"""What only reads works on a database that nobody may write: its file, its folder, or its whole disk."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cli.fleet.spend import show_spending
from cli.ledger.history import diff_versions, log_conversation
from cli.ledger.recall import RecallOptions, recall
from cli.run.asof import NOW
from cli.shared.exits import Exit
from dissolution.errors import StoreUnavailable
from store.sql.sqlite_reading import has_log
from store.sql.unit_of_work import sql_reading_factory
from tests.unit.cli.stored import ended, url_in

NOBODY = 65534
LEDGER = "ledger.sqlite3"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """A folder with a committed job; outside pytest's, through which only their owner may go."""
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        monkeypatch.setenv("DISSOLVE_SETTINGS", str(place / "none.toml"))
        ended(place)
        yield place
        place.chmod(0o700)


@contextmanager
def unwritable(folder: Path) -> Generator[None]:
    """File and folder can be read and not written, also where root runs this: permissions do not bind it."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if before == 0:
            os.seteuid(0)
        folder.chmod(0o700)


def commands(url: str) -> dict[str, Callable[[], Exit]]:
    wanted = RecallOptions(
        conversation="conv-1", text="Terraform", section=None, when=NOW, every_state=False, limit=10, db=url,
        as_json=False,
    )  # fmt: skip
    return {
        "log": lambda: log_conversation("conv-1", db=url, as_json=False),
        "recall": lambda: recall(wanted),
        "diff": lambda: diff_versions("conv-1", "0", None, db=url, as_json=False),
        "spend": lambda: show_spending(day="all", tenant=None, db=url, as_json=False),
    }


@pytest.mark.parametrize("name", ["log", "recall", "diff", "spend"])
def test_a_command_that_reads_says_the_same_of_a_database_that_nobody_may_write(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = commands(url_in(folder))[name]
    assert command() is Exit.OK
    told = capsys.readouterr().out
    assert told

    with unwritable(folder):
        with pytest.raises(OSError, match="ermission denied"):
            (folder / "new").touch()
        assert command() is Exit.OK

    assert capsys.readouterr().out == told


def test_a_write_is_refused_by_what_was_opened_to_be_read(folder: Path) -> None:
    reading = sql_reading_factory(url_in(folder))

    with closing(reading), reading() as work, pytest.raises(RuntimeError, match="only reads"):
        work.commit()
    with closing(reading), reading.engine.connect() as connection, pytest.raises(StoreUnavailable, match="writ"):
        connection.exec_driver_sql("DELETE FROM jobs")


def test_what_somebody_commits_meanwhile_is_read(folder: Path) -> None:
    reading = sql_reading_factory(url_in(folder))
    with closing(reading):
        with reading() as work:
            assert not work.ledger.events("conv-2")

        ended(folder, name="conv-2")

        with reading() as work:
            assert work.ledger.events("conv-2")


def test_a_file_whose_log_cannot_be_read_with_it_is_refused(folder: Path) -> None:
    """Of a writer that was killed: without its log the file is an older state, and wrong without a word."""
    file, log = folder / LEDGER, folder / f"{LEDGER}-wal"
    with closing(sqlite3.connect(file)) as writer:
        writer.execute("UPDATE conversations SET title = 'newer'")
        writer.commit()
        left = file.read_bytes(), log.read_bytes()
    file.write_bytes(left[0])
    log.write_bytes(left[1])
    assert has_log(file)

    with unwritable(folder), pytest.raises(StoreUnavailable, match="cannot be opened"):
        sql_reading_factory(url_in(folder))
    with closing(sql_reading_factory(url_in(folder))) as reading, reading() as work:
        assert work.conversations.get("conv-1").title == "newer"


def test_without_a_log_the_file_is_read_where_nothing_can_be_made_beside_it(folder: Path) -> None:
    (folder / f"{LEDGER}-shm").mkdir()

    with closing(sql_reading_factory(url_in(folder))) as reading, reading() as work:
        assert work.ledger.events("conv-1")


def test_reading_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="no file"):
        sql_reading_factory(url_in(tmp_path / "elsewhere"))

    assert list(tmp_path.iterdir()) == []
