"""`dissolve up` as a user meets it: enqueue, wait, read; and nothing is left behind when it stops."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.polling import eventually, processes_of_group

TALK = """Ann: We use PostgreSQL for the orders database. That is decided.
Bo: Agreed. The release goes out on March 15.
Ann: The nightly export takes 40 minutes, and nobody watches it on weekends.
Bo: You review every migration before it runs.
Ann: Yes, every one of them, always.
"""
DISSOLVE = [sys.executable, "-m", "cli.main"]


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


class Home:
    """A folder with a database of its own, and the command line on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.environment = {
            **os.environ,
            "HOME": str(folder),
            "DISSOLVE_DB": f"sqlite:///{folder / 'ledger.sqlite3'}",
            "DISSOLVE_EMBEDDER": "hashing",
            "DISSOLVE_UP_PORT": str(self.port),
            "DISSOLVE_STOP_GRACE_S": "5",
            "PYTHONUNBUFFERED": "1",
        }

    def dissolve(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*DISSOLVE, *map(str, words)],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def talks(self, count: int) -> list[Path]:
        files = [self.folder / f"talk-{number}.txt" for number in range(count)]
        for file in files:
            file.write_text(TALK, encoding="utf-8")
        return files

    def counts(self) -> dict[str, int]:
        return json.loads(self.dissolve("status", "--json").stdout)["counts"]

    @contextmanager
    def up(self, *words: str) -> Generator[subprocess.Popen[str]]:
        """`dissolve up`, with everything it starts; whatever a test leaves of it is killed at the end."""
        with (self.folder / "up.out").open("w", encoding="utf-8") as out:
            process = subprocess.Popen(
                [*DISSOLVE, "up", "--io", "1", "--no-flower", "--no-api", *(words or ["--no-metrics"])],
                env=self.environment,
                stderr=out,
                text=True,
                start_new_session=True,
            )
        try:
            eventually(lambda: "worker-cpu: process" in self.said() or process.poll(), limit_s=60, what="up")
            yield process
        finally:
            for leader in (process.pid, *self.leaders()):
                for pid in processes_of_group(leader):
                    os.kill(pid, signal.SIGKILL)
            process.wait(30)

    def said(self) -> str:
        return (self.folder / "up.out").read_text(encoding="utf-8")

    def leaders(self) -> list[int]:
        """The leaders of the groups that `up` has started, Redis aside."""
        return [int(pid) for pid in re.findall(r": process (\d+)", self.said())]

    def left(self) -> list[int]:
        """What still runs of them."""
        return [pid for leader in self.leaders() for pid in processes_of_group(leader)]

    def redis_listens(self) -> bool:
        with socket.socket() as trial:
            return trial.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_jobs_are_enqueued_run_and_read_and_nothing_is_left_behind(home: Home, ending: signal.Signals) -> None:
    refused = home.folder / "no-such-file.txt"
    stored = home.dissolve("enqueue", *home.talks(3), refused, "--lane", "interactive", "--json")
    assert stored.returncode == 2
    document = json.loads(stored.stdout)
    assert [len(document["jobs"]), [one["file"] for one in document["refused"]]] == [3, [str(refused)]]
    assert home.counts() == {"queued": 3}
    port = free_port()
    with home.up("--metrics-port", str(port)) as process:
        eventually(lambda: home.counts().get("committed") == 3, limit_s=150, what="three jobs to commit")
        told = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text
        assert re.search(r'^dissolve_jobs\{status="committed"\} [1-3]\.0$', told, re.MULTILINE), told
        assert {f"dissolve_{name}_up 1.0" for name in ("database", "redis")} <= set(told.splitlines())
        job = document["jobs"][0]["job"]
        shown = home.dissolve("show", job, "--json")
        assert (shown.returncode, json.loads(shown.stdout)["status"]) == (0, "committed")
        detail = json.loads(home.dissolve("status", job, "--json").stdout)["jobs"][0]
        assert {step["status"] for step in detail["steps"]} == {"done"}
        assert home.redis_listens()
        os.kill(process.pid, ending)
        assert process.wait(60) == 0
        eventually(lambda: not home.left(), limit_s=20, what="all processes to end")
        assert not home.redis_listens()
        assert "stopped" in home.said()


def test_a_taken_port_and_a_second_up_are_refused_with_their_values(home: Home) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", home.port))
        taken.listen()
        done = home.dissolve("up")
        assert done.returncode == 2
        assert f"port {home.port} of 127.0.0.1 is taken" in done.stderr
        assert "--port" in done.stderr
        metrics = home.dissolve(
            "up", "--port", str(free_port()), "--no-flower", "--no-api", "--metrics-port", str(home.port)
        )
        assert metrics.returncode == 2
        assert f"port {home.port} of 127.0.0.1 is taken" in metrics.stderr
        assert "--no-metrics" in metrics.stderr
    with home.up() as process:
        second = home.dissolve("up", "--port", str(free_port()))
        assert second.returncode == 2
        assert (
            f"another `dissolve up` (process {process.pid}) runs in '{home.folder / '.dissolution' / 'up'}'"
            in second.stderr
        )


def test_a_killed_worker_is_started_again_and_a_killed_up_takes_its_programs_along(home: Home) -> None:
    with home.up() as process:
        victim = home.leaders()[1]
        os.killpg(victim, signal.SIGKILL)
        eventually(lambda: len(home.leaders()) == 4, limit_s=60, what="the worker to be started again")
        assert f"ended with code -{signal.SIGKILL}; starting it again" in home.said()
        process.kill()
        process.wait(30)
        eventually(lambda: not home.left(), limit_s=60, what="all processes to end")
        eventually(lambda: not home.redis_listens(), limit_s=20, what="Redis to end")


def test_jobs_wait_are_cancelled_and_say_what_they_wait_for_with_nothing_running(home: Home) -> None:
    stored = home.dissolve("enqueue", *home.talks(1))
    job = stored.stdout.split()[0]
    detail = json.loads(home.dissolve("status", job, "--json").stdout)["jobs"][0]
    waits = {step["stage"]: step["waits_for"] for step in detail["steps"]}
    assert (waits["fan_out"], waits["parse"]) == ("a worker", "fan_out")
    assert waits["gate"] == "frame_audit and candidate_arm"
    assert "dissolve.cpu.1-batch" in home.dissolve("status").stdout
    assert home.dissolve("requeue", job).returncode == 3
    cancelled = home.dissolve("cancel", job)
    assert (cancelled.returncode, home.counts()) == (0, {"cancelled": 1})
    again = home.dissolve("cancel", job)
    assert again.returncode == 3
    assert "'cancelled' and cannot become 'cancelled'" in again.stderr
