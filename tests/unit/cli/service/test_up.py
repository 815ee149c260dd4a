"""The parts of `dissolve up` that need no process: its lock, its programs, its news, its signals."""

import os
import signal
from pathlib import Path

import pytest
from pydantic import SecretStr

from cli.service import up
from cli.service.up import News, alone, environment, programs
from cli.shared.exits import Exit
from cli.shared.stopping import told_to_stop
from dissolution.errors import InputError, StoreUnavailable
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from store.sql.unit_of_work import memory_unit_of_work_factory
from workers.redis.server import RedisServer


def test_a_folder_has_one_up_at_a_time(tmp_path: Path) -> None:
    with alone(tmp_path):
        message = rf"another `dissolve up` \(process {os.getpid()}\) runs in '{tmp_path}'"
        with pytest.raises(InputError, match=message), alone(tmp_path):
            raise AssertionError
    with alone(tmp_path):
        assert (tmp_path / "up.lock").read_text(encoding="utf-8") == f"{os.getpid()}\n"


def test_the_programs_are_a_relay_and_a_worker_of_each_class(tmp_path: Path) -> None:
    made = programs(Settings(io_processes=2, cpu_processes=2), tmp_path)
    assert {one.name: list(one.command[4:]) for one in made} == {
        "relay": ["relay"],
        "worker-io": ["worker", "--queue", "io"],
        "worker-io-2": ["worker", "--queue", "io"],
        "worker-cpu": ["worker", "--queue", "cpu", "--processes", "2"],
        "worker-giant": ["worker", "--queue", "giant", "--processes", "2"],
    }


def test_their_places_are_passed_in_the_environment_and_not_on_the_command_line(tmp_path: Path) -> None:
    redis = RedisServer(tmp_path, 7777, "hidden")
    given = environment(Settings(db="sqlite:///x.db", redis_url=SecretStr("redis://other")), redis)
    assert given["DISSOLVE_REDIS_URL"] == "redis://:hidden@127.0.0.1:7777/0"
    assert given["DISSOLVE_DB"] == "sqlite:///x.db"
    assert not any("hidden" in word for one in programs(Settings(), tmp_path) for word in one.command)


def test_news_are_told_when_they_are_news(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    store = memory_unit_of_work_factory()
    away = [False]

    class Units:
        def __call__(self) -> UnitOfWork:
            if away[0]:
                raise StoreUnavailable("db", "away")
            return store()

        reading = __call__

    news = News(Units())
    news()
    assert capsys.readouterr().err == ""  # it is not yet time
    monkeypatch.setattr(up, "NEWS_S", 0.0)
    news = News(Units())
    news()
    news()
    away[0] = True
    news()
    assert capsys.readouterr().err.splitlines() == ["dissolve: jobs: none", "dissolve: database db: away"]


def test_a_first_signal_stops_and_a_second_hurries() -> None:
    hurried: list[bool] = []
    before = signal.getsignal(signal.SIGTERM)
    with told_to_stop(again=lambda: hurried.append(True)) as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(10)
        assert hurried == []
        os.kill(os.getpid(), signal.SIGINT)
    assert hurried == [True]
    assert stop.ended() is Exit.OK, "by SIGTERM"
    assert signal.getsignal(signal.SIGTERM) is before
