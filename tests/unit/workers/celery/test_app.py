"""The application: settings that recovery rests on, one task a stage, brokers that can carry messages."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import SecretStr

from dissolution.errors import StoreUnavailable
from dissolution.job import Lane
from dissolution.outbox import Ring
from dissolution.settings import Settings
from tests.factories import a_conversation
from tests.running import a_job
from workers.celery.app import ADVANCE, EVALUATE, HARD_LIMIT_AFTER_S, App, celery_settings, make_app, task_name
from workers.celery.process import WorkerProcess
from workers.celery.queue import REST_S, CeleryQueue
from workers.celery.worker import steps_of
from workers.pipeline import STAGE_NAMES, QueueClass
from workers.redis.queue_state import RedisDoorbell
from workers.services import NoBell

NOWHERE = SecretStr("redis://:hidden@127.0.0.1:9/0")
"""The discard port: nobody listens."""


def test_the_settings_that_recovery_rests_on() -> None:
    settings = Settings(step_limit_s=100)
    made = celery_settings(settings)
    hard_s = made["task_time_limit"]
    assert (made["task_soft_time_limit"], hard_s) == (100, 100 + HARD_LIMIT_AFTER_S)
    everywhere = {
        made["visibility_timeout"],
        made["broker_transport_options"]["visibility_timeout"],
        made["result_backend_transport_options"]["visibility_timeout"],
    }
    assert everywhere == {2 * hard_s}
    assert made["task_acks_late"]
    assert not made["task_reject_on_worker_lost"]
    assert made["task_ignore_result"]
    assert (made["accept_content"], made["task_serializer"]) == (["json"], "json")
    assert (made["worker_prefetch_multiplier"], made["worker_pool"]) == (1, "prefork")
    assert made["broker_transport_options"]["socket_timeout"] > 0


def test_celery_takes_every_setting_and_has_no_result_backend() -> None:
    app: Any = make_app(Settings(redis_url=NOWHERE))
    wanted = celery_settings(Settings(redis_url=NOWHERE))
    assert {name for name, value in wanted.items() if getattr(app.conf, name) != value} == set()
    assert app.conf.result_backend is None


def test_there_is_one_task_a_stage_one_to_evaluate_one_to_advance_and_each_carries_an_id() -> None:
    ran: list[tuple[str, str, str]] = []
    app: Any = make_app(Settings(redis_url=NOWHERE), lambda job, stage, queue: ran.append((job, stage, queue)))
    app.finalize()
    ours = {name for name in app.tasks if name.startswith("dissolve.")}
    tasks = (*STAGE_NAMES, EVALUATE, ADVANCE)
    assert ours == {task_name(task) for task in tasks}
    for task in tasks:
        assert app.tasks[task_name(task)]("j1") is None
    assert ran == [("j1", task, "") for task in tasks]  # called here: no message brought it


def test_a_broker_that_is_away_loses_a_ring_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(redis_url=NOWHERE)
    queue = CeleryQueue(make_app(settings))
    ring = Ring(job="j1", stage="fan_out", queue="q")
    queue.ring(ring)
    assert not queue.sent(ring)
    assert "step fan_out of job j1 not sent" in caplog.text
    assert "hidden" not in caplog.text


def test_a_broker_that_is_away_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(seconds: float) -> None:
        raise AssertionError(f"it waits {seconds} s to try again")

    monkeypatch.setattr("kombu.utils.functional.sleep", sleep)

    assert not CeleryQueue(make_app(Settings(redis_url=NOWHERE))).sent(Ring(job="j1", stage="fan_out", queue="q"))


class SometimesAway:
    """An app whose broker can be taken away; it keeps what was tried."""

    def __init__(self) -> None:
        self.away = True
        self.tried: list[str] = []

    def send_task(self, name: str, *, args: Sequence[str], queue: str, retry: bool) -> object:
        self.tried.append(f"{name} {args[0]} {queue} {retry}")
        if self.away:
            raise ConnectionRefusedError
        return None


def test_the_rings_of_one_job_find_out_once_that_the_broker_is_away_and_later_ones_try_again() -> None:
    app, moment = SometimesAway(), [100.0]
    queue = CeleryQueue(cast("App", app), now=lambda: moment[0])
    rings = [Ring(job="j1", stage=stage, queue="q") for stage in STAGE_NAMES[:3]]

    assert [queue.sent(ring) for ring in rings] == [False, False, False]
    assert len(app.tried) == 1

    app.away = False
    moment[0] += REST_S
    assert [queue.sent(ring) for ring in rings] == [True, True, True]
    assert len(app.tried) == 4


def test_the_doorbell_of_a_redis_that_is_away_knows_nothing() -> None:
    doorbell = RedisDoorbell(Settings(redis_url=NOWHERE))
    assert doorbell.depth("q") is None
    assert not doorbell.lost_everything()
    doorbell.refuse_cluster()
    doorbell.close()


def test_each_class_has_its_number_of_processes() -> None:
    settings = Settings(io_steps=7, cpu_processes=2, giant_processes=3)
    assert [steps_of(settings, queue) for queue in QueueClass] == [7, 2, 3]


def test_a_process_whose_database_was_away_at_its_start_starts_with_the_next_step(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing")
    process = WorkerProcess(settings, NoBell(), QueueClass.CPU)
    caplog.set_level("INFO")
    (tmp_path / "ledger.sqlite3").mkdir()
    with pytest.raises(StoreUnavailable):
        process.start()
    process.run("j1", "fan_out")
    assert not [thread.name for thread in threading.enumerate() if thread.name == "loop"]
    (tmp_path / "ledger.sqlite3").rmdir()
    job = a_job(process.start(), a_conversation("One.", "Two."), lane=Lane.BATCH).id
    process.run(job, "register")
    process.run(job, "register")
    process.run("no-such-job", "register")  # a message of another database ends no process
    process.run(job, "fan_out")  # the fleet "scripted" cannot be built again
    process.stop()
    assert [
        record.getMessage().partition(": ")[2][:15]
        for record in caplog.records
        if record.name == "workers.celery.process"
    ] == [
        "database sqlite",
        "done",
        "nothing to do",
        "no job 'no-such",
        "fleet 'scripted",
    ]
