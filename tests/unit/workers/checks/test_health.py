import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from cli.service.care import show_health
from cli.shared.exits import Exit
from dissolution.errors import InputError
from dissolution.settings import Settings
from tests.contract.redis_server import a_free_port, a_redis
from workers.bootstrap import prepare_store
from workers.celery.app import START_LIMIT_S
from workers.checks.health import BEAT_LIVES_S, CHECKS, BeatingDoorbell, database_health, redis_health, relay_health
from workers.redis.queue_state import redis_client
from workers.runtime.up_state import UpState, state_of


def settings_in(folder: Path, **more: object) -> Settings:
    given = {
        "db": f"sqlite:///{folder / 'ledger.sqlite3'}",
        "flower_port": a_free_port(),
        "api_port": a_free_port(),
        "metrics_port": a_free_port(),
        **more,
    }
    nobody = SecretStr(f"redis://127.0.0.1:{a_free_port()}/0")
    return Settings.model_validate({"redis_url": nobody, **given})


@pytest.mark.parametrize("part", sorted(CHECKS))
def test_what_is_not_there_is_not_well_and_says_why(tmp_path: Path, part: str) -> None:
    found = CHECKS[part](settings_in(tmp_path))
    assert not found.well
    assert re.search("does not exist|do(es)? not answer", found.words)


def test_a_database_is_well_once_it_is_made(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    prepare_store(settings)
    assert database_health(settings).words == "the database answers, 0 jobs"
    (tmp_path / "ledger.sqlite3").write_bytes(b"no database at all" * 500)
    assert not database_health(settings).well


def test_a_database_of_a_newer_version_is_not_to_be_migrated(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    prepare_store(settings)
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite3")) as newer:
        newer.execute("UPDATE schema_revision SET version_num = '9999'")
        newer.commit()
    found = database_health(settings)
    assert (found.well, "'9999'" in found.words) == (False, True)
    assert "install that version" in found.remedy


@pytest.mark.usefixtures("processes")
def test_a_relay_is_well_while_it_looks_and_has_its_database(tmp_path: Path) -> None:
    with a_redis(tmp_path / "redis") as server:
        settings = settings_in(tmp_path, redis_url=server.url)
        assert redis_health(settings).well
        assert relay_health(settings).words == f"no relay of this machine has looked for {BEAT_LIVES_S} s"
        bell = BeatingDoorbell(settings)
        assert bell.lost_everything()
        assert not bell.lost_everything(), "a beat is not the mark"
        assert not relay_health(settings).well, "it has no database"
        prepare_store(settings)
        assert relay_health(settings).well
        client: Any = redis_client(settings)
        beats: list[bytes] = client.keys("dissolve.relay.beat.*")
        assert len(beats) == 1
        assert 0 < client.ttl(beats[0]) <= BEAT_LIVES_S
        client.close()
        bell.close()


def test_a_part_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"'kitchen'.*database, redis"):
        show_health(("kitchen",), db=None, as_json=False)


def test_the_worst_part_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    assert show_health(("database",), db=db, as_json=True) is Exit.UNAVAILABLE
    prepare_store(Settings(db=db))
    assert show_health(("database",), db=db, as_json=False) is Exit.OK
    assert capsys.readouterr().out.endswith("database: well: the database answers, 0 jobs\n")


@pytest.mark.parametrize(("age_s", "word"), [(1, "starting"), (START_LIMIT_S + 1, "NOT WELL")])
def test_a_part_of_an_up_that_has_just_begun_is_starting(
    age_s: float, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    begun = datetime.now(UTC) - timedelta(seconds=age_s)
    up = state_of(settings, tmp_path).model_copy(update={"started_at": begun})

    def beside_it(folder: object, *, db: object) -> tuple[Settings, UpState]:
        return settings, up

    monkeypatch.setattr("cli.service.care.settings_beside", beside_it)
    assert show_health(("database",), db=None, as_json=False) is Exit.UNAVAILABLE
    assert capsys.readouterr().out.startswith(f"database: {word}: ")
