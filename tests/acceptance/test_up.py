"""`dissolve up` as a user meets it: enqueue, wait, read; and nothing is left behind when it stops."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from cli.main import main
from tests.environments import unmeasured
from tests.polling import LONGEST_S, eventually, kill_group, processes_of_group
from tests.ports import free_port

TALK = """Ann: We use PostgreSQL for the orders database. That is decided.
Bo: Agreed. The release goes out on March 15.
Ann: The nightly export takes 40 minutes, and nobody watches it on weekends.
Bo: You review every migration before it runs.
Ann: Yes, every one of them, always.
"""
DISSOLVE = [sys.executable, "-m", "cli.main"]
Command = Callable[..., tuple[int, str, str]]
"""A command by its words: its exit code, and what it wrote to stdout and stderr."""


class Home:
    """A folder with a database of its own, and the command line on it.

    Args:
        folder: An empty one.
        measured: Whether the coverage of what is started is measured, too, at twice the processor time.
    """

    def __init__(self, folder: Path, *, measured: bool = False) -> None:
        self.folder = folder
        self.file = folder / "ledger.sqlite3"
        self.port = free_port()
        self.environment = {
            **(os.environ if measured else unmeasured()),
            "HOME": str(folder),
            "DISSOLVE_DB": f"sqlite:///{self.file}",
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
            timeout=LONGEST_S,
        )

    def talks(self, count: int) -> list[Path]:
        files = [self.folder / f"talk-{number}.txt" for number in range(count)]
        for file in files:
            file.write_text(TALK, encoding="utf-8")
        return files

    def counts(self) -> dict[str, int]:
        """How many jobs stand how, as the command says it."""
        return json.loads(self.dissolve("status", "--json").stdout)["counts"]

    def stored(self) -> dict[str, int]:
        """The same as the database says it: to be looked at again and again, since no program is started for it."""
        with closing(sqlite3.connect(self.file, timeout=LONGEST_S)) as connection:
            return dict(connection.execute("SELECT status, count(*) FROM jobs GROUP BY status").fetchall())

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
            eventually(lambda: "worker-giant: process" in self.said() or process.poll() is not None, what="up")
            assert process.poll() is None, self.said()
            yield process
        finally:
            for leader in (process.pid, *self.leaders()):
                kill_group(leader)
            process.wait(LONGEST_S)

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


def test_jobs_are_enqueued_run_and_read_and_nothing_is_left_behind(tmp_path: Path) -> None:
    home = Home(tmp_path, measured=True)
    refused = home.folder / "no-such-file.txt"
    stored = home.dissolve("enqueue", *home.talks(3), refused, "--lane", "interactive", "--json")
    assert stored.returncode == 2
    document = json.loads(stored.stdout)
    assert [len(document["jobs"]), [one["file"] for one in document["refused"]]] == [3, [str(refused)]]
    assert home.counts() == {"queued": 3}
    port = free_port()
    with home.up("--metrics-port", str(port)) as process:
        eventually(lambda: home.stored().get("committed") == 3, what="three jobs to commit")
        url = f"http://127.0.0.1:{port}/metrics"
        well = {'dissolve_jobs{status="committed"} 3.0', "dissolve_database_up 1.0", "dissolve_redis_up 1.0"}
        eventually(lambda: well <= set(metrics_at(url).splitlines()), what=f"{well} at {url}")
        job = document["jobs"][0]["job"]
        shown = home.dissolve("show", job, "--json")
        assert (shown.returncode, json.loads(shown.stdout)["status"]) == (0, "committed")
        detail = json.loads(home.dissolve("status", job, "--json").stdout)["jobs"][0]
        assert {step["status"] for step in detail["steps"]} == {"done"}
        assert home.redis_listens()
        refuse_leavings(home, process, signal.SIGTERM)


def metrics_at(url: str) -> str:
    """What is exported; nothing while nobody listens yet."""
    try:
        return httpx.get(url, timeout=LONGEST_S).text
    except httpx.TransportError:
        return ""


def refuse_leavings(home: Home, process: subprocess.Popen[str], ending: signal.Signals) -> None:
    """End `dissolve up`: it takes everything along that it has started, and says so."""
    os.kill(process.pid, ending)
    assert process.wait(LONGEST_S) == (130 if ending is signal.SIGINT else 0)
    eventually(lambda: not home.left(), what="all processes to end")
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
        refuse_leavings(home, process, signal.SIGINT)


def test_a_killed_worker_is_started_again_and_a_killed_up_takes_its_programs_along(home: Home) -> None:
    with home.up() as process:
        before = len(home.leaders())
        victim = home.leaders()[1]
        os.killpg(victim, signal.SIGKILL)
        eventually(lambda: len(home.leaders()) == before + 1, what="the worker to be started again")
        assert f"ended with code -{signal.SIGKILL}; starting it again" in home.said()
        process.kill()
        process.wait(LONGEST_S)
        eventually(lambda: not home.left(), what="all processes to end")
        eventually(lambda: not home.redis_listens(), what="Redis to end")


@pytest.fixture
def command(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line on the home's database, in this process: for what needs no program of its own."""
    for name, value in home.environment.items():
        if name == "HOME" or name.startswith("DISSOLVE_"):
            monkeypatch.setenv(name, value)

    def run(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dissolve", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return run


def test_jobs_wait_are_cancelled_and_say_what_they_wait_for_with_nothing_running(home: Home, command: Command) -> None:
    job = command("enqueue", *home.talks(1))[1].split()[0]
    detail = json.loads(command("status", job, "--json")[1])["jobs"][0]
    waits = {step["stage"]: step["waits_for"] for step in detail["steps"]}
    assert (waits["fan_out"], waits["parse"]) == ("a worker", "fan_out")
    assert waits["gate"] == "frame_audit and candidate_arm"
    assert "dissolve.cpu.1-batch" in command("status")[1]
    assert command("requeue", job)[0] == 3
    assert (command("cancel", job)[0], home.stored()) == (0, {"cancelled": 1})
    code, _, said = command("cancel", job)
    assert code == 3
    assert "'cancelled' and cannot become 'cancelled'" in said
