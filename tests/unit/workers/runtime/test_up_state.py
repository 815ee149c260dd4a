"""What a running `dissolve up` says of itself: found beside it, gone with it, never taken from one that ended."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from cli.shared.beside_up import settings_beside
from dissolution.errors import InputError
from dissolution.settings import Settings
from tests.contract.redis_server import a_free_port
from workers.checks import up_checks
from workers.checks.diagnosis import State
from workers.checks.health import Health
from workers.checks.remedies import mending
from workers.concurrency.processes import is_here, this_process
from workers.redis.server import CONFIGURATION
from workers.runtime.up_state import STATE_FILE, UpState, announced, beside, left_state, running_up, state_of

URL = "redis://:word@127.0.0.1:7777/0"


def an_up(folder: Path, **more: object) -> UpState:
    """This process as an `up` with a Redis whose place stands in the folder, where `up` leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = CONFIGURATION.format(host="127.0.0.1", port=7777, password="word", folder=folder)
    (folder / "redis.conf").write_text(text, encoding="utf-8")
    settings = Settings.model_validate({"db": "sqlite:////data/up.sqlite3", "api_port": 8888, **more})
    return state_of(settings, folder, api=True)


def test_it_stands_as_long_as_the_up_runs_for_its_owner_alone(tmp_path: Path) -> None:
    state = an_up(tmp_path)
    with announced(state):
        assert running_up(tmp_path) == state
        assert stat.S_IMODE((tmp_path / STATE_FILE).stat().st_mode) == 0o600
        assert ":word@" not in (tmp_path / STATE_FILE).read_text(encoding="utf-8")
    assert left_state(tmp_path) is None


@pytest.mark.usefixtures("processes")
def test_one_whose_process_is_gone_is_stale(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    host, namespace, _, started = this_process().rsplit(":", 3)
    for gone in (f"{host}:{namespace}:{ended.pid}:{started}", f"elsewhere:{namespace}:{os.getpid()}:{started}", "x"):
        assert not is_here(gone)
        state = an_up(tmp_path).model_copy(update={"process": gone})
        with announced(state):
            assert running_up(tmp_path) is None
            assert left_state(tmp_path) == state
            (found,) = up_checks.up_checks(Settings(), None, tmp_path)
            assert (found.check, found.state) == ("up", State.DOUBTFUL)
            assert "start `dissolve up` again" in found.remedy
    assert is_here(this_process())


@pytest.mark.parametrize("written", ["", "{", '{"process": 3}', "\ud800"])
def test_a_broken_file_is_no_up(tmp_path: Path, written: str) -> None:
    (tmp_path / STATE_FILE).write_bytes(written.encode("utf-8", errors="surrogatepass"))
    assert running_up(tmp_path) is None


def test_what_the_settings_name_stands_and_the_rest_is_the_ups(tmp_path: Path) -> None:
    state = an_up(tmp_path)
    found = beside(Settings(), state)
    assert (found.redis_url.get_secret_value(), found.db, found.api_port) == (URL, "sqlite:////data/up.sqlite3", 8888)
    assert found.flower_port == Settings().flower_port, "it has no Flower"
    own = Settings(redis_url=SecretStr("redis://own/0"), db="sqlite:///own.db", api_port=9999)
    assert beside(own, state) == own
    assert beside(own, state, named=True).redis_url.get_secret_value() == URL
    assert beside(own, None) is own
    secret = an_up(tmp_path, db="postgresql://ann:hidden@host/db")
    assert "hidden" not in secret.model_dump_json()
    assert beside(Settings(), secret).db == Settings().db


def test_commands_find_the_usual_one_and_refuse_a_folder_where_none_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISSOLVE_REDIS_URL", "DISSOLVE_DB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DISSOLVE_SETTINGS", str(tmp_path / "none.toml"))
    assert settings_beside()[1] is None
    with announced(an_up(tmp_path / ".dissolution" / "up")):
        settings, state = settings_beside(db="sqlite:///given.db")
        assert state is not None
        assert (settings.redis_url.get_secret_value(), settings.db) == (URL, "sqlite:///given.db")
    with pytest.raises(InputError, match="`dissolve up`"):
        settings_beside(tmp_path / "other")
    with announced(an_up(tmp_path / ".dissolution" / "up", db="postgresql://ann:hidden@host/db")):
        settings_beside()
    assert "postgresql://ann:***@host/db, whose password is kept nowhere" in capsys.readouterr().err


def test_a_look_at_other_parts_than_the_ups_says_so(tmp_path: Path) -> None:
    state = an_up(tmp_path).model_copy(update={"api_port": None})
    ours = beside(Settings(), state)
    (found,) = up_checks.up_checks(ours, state)
    assert (found.state, f"process {os.getpid()}" in found.words) == (State.WELL, True)
    (redis,) = up_checks.up_checks(ours.model_copy(update={"redis_url": SecretStr("redis://own/0")}), state)
    assert "another Redis" in redis.words
    assert f"--dir {tmp_path}" in redis.remedy
    (db,) = up_checks.up_checks(ours.model_copy(update={"db": "sqlite:///own.db"}), state)
    assert "sqlite:////data/up.sqlite3" in db.remedy


def test_a_page_that_is_missing_is_wrong_once_the_up_has_had_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = an_up(tmp_path, api_port=a_free_port())
    ours = beside(Settings(), state)

    def states(now: Callable[[], datetime]) -> list[State]:
        return [one.state for one in up_checks.up_checks(ours, state, now=now)]

    assert states(lambda: state.started_at) == [State.WELL, State.DOUBTFUL]
    assert states(lambda: state.started_at + timedelta(hours=1)) == [State.WELL, State.WRONG]

    def answers(_settings: Settings) -> Health:
        return Health(well=True, words="answers")

    monkeypatch.setattr(up_checks, "CHECKS", {"api": answers})
    assert states(lambda: datetime.now(UTC)) == [State.WELL, State.WELL]


def test_what_mends_a_part_depends_on_whether_an_up_is_to_run_it(tmp_path: Path) -> None:
    state = an_up(tmp_path)
    assert "`dissolve worker --queue cpu`" in mending("worker-cpu")
    assert "`dissolve up`" in mending("redis")
    assert str(tmp_path / "worker-cpu.log") in mending("worker-cpu", state)
    assert str(tmp_path) in mending("worker", state)
    assert f"process {os.getpid()}" in mending("redis", state)
    assert mending("database", state) == mending("database")
