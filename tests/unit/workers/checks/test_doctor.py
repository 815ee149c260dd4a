"""`dissolve doctor`: everything well on a good installation, and each fault found, named and given a remedy."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from cli.service.doctor import show_findings
from cli.shared.exits import Exit
from dissolution.job import JobStatus
from dissolution.outbox import Ring
from dissolution.settings import Settings
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.contract.redis_server import a_free_port, a_redis
from tests.unit.store.ledgers import STAGES, TALK, a_job
from workers.bootstrap import prepare_store
from workers.checks import doctor
from workers.checks.diagnosis import CheckResult, State
from workers.checks.doctor import diagnose, keeping, skew
from workers.checks.health import BeatingDoorbell, Health
from workers.pipeline import QueueClass
from workers.redis.queue_state import redis_client

ROSTER = """
[[member]]
name = "one"
family = "alpha"
model = "openai/alpha"
api_key_env = "ALPHA_KEY"

[[member]]
name = "two"
family = "beta"
model = "openai/beta"
api_base = "http://127.0.0.1:1/v1"
"""


def settings_in(folder: Path, **more: object) -> Settings:
    nobody = SecretStr(f"redis://127.0.0.1:{a_free_port()}/0")
    return Settings.model_validate({"db": f"sqlite:///{folder / 'l.sqlite3'}", "redis_url": nobody, **more})


def by_check(found: tuple[CheckResult, ...]) -> Mapping[str, CheckResult]:
    checks = {one.check: one for one in found}
    assert len(checks) == len(found), "each check is named once"
    assert all(bool(one.remedy) == (one.state is not State.WELL) for one in found), "a fault without a remedy"
    return checks


def looked_over(settings: Settings, **more: Any) -> Mapping[str, CheckResult]:  # noqa: ANN401 - options vary by test
    return by_check(diagnose(settings, environ={}, **more))


def test_a_good_installation_is_well(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    prepare_store(settings)
    found = looked_over(settings, local=True)
    assert set(found) == {
        "settings",
        "database",
        "database clock",
        "steps",
        "disk of home",
        "disk of database",
        "embedder",
    }
    assert {one.state for one in found.values()} == {State.WELL}


def test_nothing_at_all_is_wrong_in_every_part_and_each_says_what_to_do(tmp_path: Path) -> None:
    found = looked_over(settings_in(tmp_path))
    wrong = {name for name, one in found.items() if one.state is State.WRONG}
    assert wrong == {"database", "redis", "worker-io", "worker-cpu", "worker-giant", "relay"}
    assert "dissolve migrate" in found["database"].remedy
    assert all("`dissolve " in found[name].remedy for name in wrong), "each names the command that mends it"


def test_a_deployment_needs_its_key_and_traces_should_tell_no_content(tmp_path: Path) -> None:
    bare = settings_in(
        tmp_path,
        environment="deployment",
        redis_url=SecretStr(f"redis://:{'3f9a1c7e' * 5}@127.0.0.1:{a_free_port()}/0"),
        otlp_endpoint="http://127.0.0.1:4318/v1/traces",
        trace_content=True,
    )
    found = looked_over(bare, local=True)
    assert found["settings"].state is State.WRONG
    assert found["tracing"].state is State.DOUBTFUL
    good = bare.model_copy(update={"installation_key": SecretStr("3f9a1c7e" * 8), "trace_content": False})
    found = looked_over(good, local=True)
    assert found["settings"].state is State.WELL
    assert "tracing" not in found


def test_a_clock_that_is_off_is_found(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    prepare_store(settings)
    found = looked_over(settings, local=True, now=lambda: datetime.now(UTC) + timedelta(seconds=60))
    assert found["database clock"].state is State.WRONG
    assert "60.0 s behind" in found["database clock"].words
    assert skew("c", 1.9).state is State.WELL
    assert skew("c", -2.1).state is State.WRONG


def test_steps_that_wait_for_long_and_dead_ones_are_found(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    sql = sql_unit_of_work_factory(settings.db)
    now = datetime.now(UTC)
    with sql() as work:
        work.conversations.extend(TALK)
        work.jobs.add(a_job("j1", TALK), STAGES)
        old = now - timedelta(seconds=doctor.OLD_STEP_S + 60)
        work.outbox.put(Ring(job="j1", stage="fan_out", queue="q"), old, old)
        lease = work.jobs.claim("j1", "parse", "w", now, 60)
        assert lease is not None
        work.jobs.bury(lease, now, "poison")
        work.commit()
    sql.close()
    found = looked_over(settings, local=True)
    assert found["steps"].state is State.DOUBTFUL
    assert found["dead steps"].words == "1 steps had all their attempts"
    assert "`dissolve requeue j1`" in found["dead steps"].remedy
    assert "so for j2, j3" in doctor.requeueing(["j1", "j2", "j3"])


def test_a_refused_job_is_no_dead_step(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    sql = sql_unit_of_work_factory(settings.db)
    now = datetime.now(UTC)
    with sql() as work:
        work.conversations.extend(TALK)
        work.jobs.add(a_job("j1", TALK), STAGES)
        work.jobs.move("j1", JobStatus.RUNNING, now)
        lease = work.jobs.claim("j1", "fan_out", "w", now, 60)
        assert lease is not None
        work.jobs.bury(lease, now, "budget_exceeded")
        work.jobs.move("j1", JobStatus.HISTORY_KEPT, now, "budget_exceeded")
        work.commit()
    sql.close()
    assert "dead steps" not in looked_over(settings, local=True)


@pytest.mark.usefixtures("processes")
def test_a_redis_that_forgets_is_found(tmp_path: Path) -> None:
    with a_redis(tmp_path / "redis") as server:
        settings = settings_in(tmp_path, redis_url=server.url)
        prepare_store(settings)
        client: Any = redis_client(settings)
        client.config_set("maxmemory-policy", "allkeys-lru")
        bell = BeatingDoorbell(settings)
        bell.lost_everything()
        found = looked_over(settings)
        assert found["redis"].state is State.WELL
        assert f"Redis {client.info()['redis_version']} answers" in found["redis"].words
        assert found["redis clock"].state is State.WELL
        assert found["relay"].words == "1 relay looks"
        assert found["redis eviction"].state is State.WRONG
        assert "allkeys-lru" in found["redis eviction"].words
        assert found["worker-io"].words == "no worker of class io answered within 3 s"
        client.config_set("maxmemory-policy", "noeviction")
        assert (
            by_check(tuple(doctor.redis_checks(settings, lambda: datetime.now(UTC))))["redis eviction"].state
            is State.WELL
        )
        client.close()
        bell.close()


@pytest.mark.parametrize(
    ("version", "environment", "state", "said"),
    [
        ("7.2.16", "deployment", State.WELL, "Redis 7.2.16 answers"),
        ("7.2.16", "local", State.WELL, "Redis 7.2.16 answers"),
        ("8.0.0", "deployment", State.WELL, "Redis 8.0.0 answers"),
        ("10.0.1", "deployment", State.WELL, "Redis 10.0.1 answers"),
        ("7.0.15", "deployment", State.DOUBTFUL, "Redis 7.0.15 answers; deployments are supported with 7.2 or newer"),
        ("6.2.14", "deployment", State.DOUBTFUL, "Redis 6.2.14 answers; deployments are supported with 7.2 or newer"),
        ("6.2.14", "local", State.WELL, "Redis 6.2.14 answers; it is for one machine, deployments need 7.2 or newer"),
        ("unstable", "local", State.DOUBTFUL, "Redis answers and does not say its version"),
        (None, "deployment", State.DOUBTFUL, "Redis answers and does not say its version"),
    ],
)
def test_a_redis_older_than_what_deployments_are_supported_with_is_told(
    version: str | None, environment: str, state: State, said: str
) -> None:
    settings = Settings().model_copy(update={"environment": environment})
    found = doctor.answering({} if version is None else {"redis_version": version}, settings)
    assert (found.state, found.words) == (state, said)
    assert ("7.2 or" in found.remedy) == (state is State.DOUBTFUL)


def test_memory_persistence_and_clusters_of_redis_are_told() -> None:
    told = {"maxmemory_policy": "noeviction", "maxmemory": 100_000_000, "used_memory": 95_000_000, "aof_enabled": 0}
    found = {one.check: one.state for one in keeping(told)}
    assert found == {
        "redis eviction": State.WELL,
        "redis memory": State.DOUBTFUL,
        "redis persistence": State.DOUBTFUL,
    }
    assert [one.check for one in keeping({**told, "used_memory": 5, "aof_enabled": 1})] == ["redis eviction"]
    assert [one.check for one in keeping({**told, "used_memory": 5}, kept_by_sql=True)] == ["redis eviction"]


def test_workers_of_any_machine_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def far_away(_settings: Settings, _queue: QueueClass, *, everywhere: bool) -> Health:
        return Health(well=everywhere, words="io-1@far answers")

    def two(_settings: Settings) -> int:
        return 2

    monkeypatch.setattr(doctor, "worker_health", far_away)
    monkeypatch.setattr(doctor, "living_relays", two)
    found = by_check(tuple(doctor.worker_checks(settings_in(tmp_path))))
    assert [one.state for one in found.values()] == [State.WELL] * 4
    assert found["relay"].words == "2 relays look"


def test_a_disk_that_is_nearly_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "FREE_MB", 1e12)
    found = by_check(tuple(doctor.disk_checks(settings_in(tmp_path))))
    assert {one.state for one in found.values()} == {State.DOUBTFUL}


def test_an_embedder_without_thresholds_or_meanings_is_told(tmp_path: Path) -> None:
    for name, state in (("hashing", State.DOUBTFUL), ("somebody/else", State.WRONG), ("all-MiniLM-L6-v2", State.WELL)):
        (found,) = doctor.model_checks(settings_in(tmp_path, embedder=name))
        assert found.state is state, name


def test_a_key_that_is_not_set_is_named_and_no_key_is_told(tmp_path: Path) -> None:
    (file := tmp_path / "fleet.toml").write_text(ROSTER, encoding="utf-8")
    (without,) = doctor.roster_checks(file, {})
    assert (without.state, "ALPHA_KEY" in without.words) == (State.WRONG, True)
    (with_it,) = doctor.roster_checks(file, {"ALPHA_KEY": "sk-very-secret"})
    assert with_it.state is State.WELL
    assert "secret" not in with_it.words
    file.write_text("member = 3", encoding="utf-8")
    (broken,) = doctor.roster_checks(file, {})
    assert broken.state is State.WRONG
    assert list(doctor.roster_checks(None, {})) == []


def test_the_command_fails_when_something_is_wrong_and_not_for_a_doubt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")
    db = f"sqlite:///{tmp_path / 'l.sqlite3'}"
    assert show_findings(roster=None, local=True, db=db, as_json=False) is Exit.UNAVAILABLE
    said = capsys.readouterr().out
    assert "database: WRONG: " in said
    assert said.endswith(" checks, 1 wrong\n")
    prepare_store(Settings(db=db))
    assert show_findings(roster=None, local=True, db=db, as_json=True) is Exit.OK
    found = json.loads(capsys.readouterr().out)
    assert {one["state"] for one in found} == {"well", "doubtful"}
