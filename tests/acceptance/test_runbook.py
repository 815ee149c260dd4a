"""The runbook: every command in its boxes is run here, in the situation it is for."""

import json
import os
import re
import secrets
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from dissolution.job import JobStatus, StepStatus
from dissolution.settings import load_settings
from store.sql.places import parse_url
from tests.acceptance.test_containers import folder_of
from tests.acceptance.test_up import DISSOLVE, TALK, Home
from tests.architecture.project import ROOT
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port
from workers.checks.health import CHECKS

PAGE = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
TALKS = ROOT / "benchmarks" / "data"
TALK_NAME = "op-flask-sessions"


def commands() -> list[str]:
    """Every line of every box."""
    return [line for box in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in box.splitlines()]


class Installation(Home):
    """A home whose commands are those of the page, word for word but for the names that stand for others."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        programs = folder / "programs"
        programs.mkdir()
        (programs / "dissolve").write_text(f'#!/bin/sh\nexec {" ".join(DISSOLVE)} "$@"\n', encoding="utf-8")
        (programs / "dissolve").chmod(0o755)
        (folder / "deploy").symlink_to(ROOT / "deploy")
        postgres = folder_of("pgserver", "pginstall", "bin")
        self.environment: dict[str, str] = {
            # Without the database's address: the page speaks of the default place.
            **{name: value for name, value in self.environment.items() if name != "DISSOLVE_DB"},
            "PATH": os.pathsep.join(
                [str(programs), str(Path(sys.executable).parent), str(postgres), os.environ["PATH"]]
            ),
            "PYTHONPATH": str(ROOT),
            "DISSOLVE_MAX_ATTEMPTS": "1",
        }
        self.file = folder / ".dissolution" / "ledger.sqlite3"
        self.process: subprocess.Popen[str] | None = None

    def page(self, command: str, code: int = 0, **names: str) -> str:
        """Run a command of the page; what it said."""
        done = self.tried(command, **names)
        assert done.returncode == code, f"{done.args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def tried(self, command: str, **names: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the page, however it ends."""
        assert command in commands(), f"the page has no {command!r}"
        words = command
        for name, value in names.items():
            words = re.sub(rf"\b{re.escape(name)}\b", value, words)
        return subprocess.run(
            ["bash", "-c", words],  # noqa: S607 - as a person would
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )

    def enqueued(self, *words: str | Path) -> str:
        """The id of one job that was stored."""
        stored = self.dissolve("enqueue", *words, "--lane", "interactive", "--json")
        assert stored.returncode == 0, stored.stderr
        return str(json.loads(stored.stdout)["jobs"][0]["job"])

    def status_of(self, job: str) -> str:
        """As the database has it: to be looked at again and again, since no program is started for it."""
        with closing(sqlite3.connect(self.file, timeout=LONGEST_S)) as connection:
            return str(connection.execute("SELECT status FROM jobs WHERE id = ?", (job,)).fetchone()[0])

    def well(self, *parts: str) -> bool:
        """What `dissolve health` would find, without starting a program for every look."""
        settings = load_settings(db=f"sqlite:///{self.file}", redis_url=self.environment["DISSOLVE_REDIS_URL"])
        return all(CHECKS[part](settings).well for part in parts)

    def start(self) -> subprocess.Popen[str]:
        """`dissolve up`; end it with `stop`."""
        with (self.folder / "up.out").open("w", encoding="utf-8") as out:
            self.process = process = subprocess.Popen(
                [*DISSOLVE, "up", "--io", "1", "--no-flower", "--no-api", "--no-metrics"],
                env=self.environment,
                stderr=out,
                text=True,
                start_new_session=True,
            )
        eventually(lambda: "worker-cpu: process" in self.said() or process.poll() is not None, what="up")
        assert process.poll() is None, self.said()
        password = re.search(
            r"^requirepass (\S+)$", (self.file.parent / "up" / "redis.conf").read_text(encoding="utf-8"), re.MULTILINE
        )
        assert password is not None
        self.environment["DISSOLVE_REDIS_URL"] = f"redis://:{password[1]}@127.0.0.1:{self.port}/0"
        return process

    def stop(self, process: subprocess.Popen[str]) -> None:
        process.terminate()
        assert process.wait(LONGEST_S) == 0

    def kill_what_is_left(self) -> None:
        if self.process is not None:
            for leader in (self.process.pid, *self.leaders()):
                kill_group(leader)
            self.process.wait(LONGEST_S)


@pytest.fixture
def home(tmp_path: Path) -> Generator[Installation]:
    made = Installation(tmp_path)
    yield made
    made.kill_what_is_left()


def test_every_state_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert {status.value for status in JobStatus} | {status.value for status in StepStatus} <= explained


def test_dead_steps_are_seen_and_queued_again_on_workers(home: Installation) -> None:
    recorded = home.folder / "recorded"
    shutil.copytree(TALKS / "recordings" / TALK_NAME, recorded)
    (talk := home.folder / "talk.txt").write_text(TALK, encoding="utf-8")
    job = home.enqueued(TALKS / "planted" / f"{TALK_NAME}.json", "--recorded", recorded)
    recorded.rename(home.folder / "elsewhere")
    process = home.start()
    eventually(lambda: home.status_of(job) == "failed", what="the job to fail")
    assert "dead" in home.page("dissolve status JOB", JOB=job)
    assert "1 failed" in home.page("dissolve status")
    command = "dissolve health database redis relay worker-io worker-cpu worker-giant"
    eventually(lambda: home.well(*command.split()[2:]), what="health")
    # A worker has three seconds to answer, and a busy machine may take longer: so it is asked until it does.
    found = eventually(lambda: done.stdout if (done := home.tried(command)).returncode == 0 else "", what=command)
    assert found.count(": well:") == 6
    home.page("dissolve health redis relay")
    (home.folder / "elsewhere").rename(recorded)
    home.page("dissolve requeue JOB", JOB=job)
    eventually(lambda: home.status_of(job) == "committed", what="the job to commit")
    assert f"RECEIPT of job {job}" in home.page("dissolve show JOB --receipt", JOB=job)
    home.page("dissolve fleet limits")
    assert "no limits are kept" in home.page("dissolve fleet limits --reset MODEL", 2, MODEL="openai/none")
    home.stop(process)
    waiting = home.enqueued(talk)
    home.page("dissolve cancel JOB", JOB=waiting)
    assert home.status_of(waiting) == "cancelled"


def test_held_jobs_are_previewed_committed_and_discarded(home: Installation) -> None:
    jobs: list[str] = []
    for name in ("one", "two"):
        (talk := home.folder / f"{name}.txt").write_text(TALK, encoding="utf-8")
        done = home.dissolve("run", talk, "--hold", "--json")
        assert done.returncode == 0, done.stderr
        jobs.append(str(json.loads(done.stdout)["job"]))
    home.page("dissolve preview JOB", JOB=jobs[0])
    home.page("dissolve commit JOB", JOB=jobs[0])
    home.page('dissolve discard JOB --why "wrong meeting"', JOB=jobs[1])
    assert [home.status_of(job) for job in jobs] == ["committed", "cancelled"]


def test_a_provider_that_is_down_is_named(home: Installation) -> None:
    (home.folder / "mine.toml").write_text(
        f'[[member]]\nname = "gone"\nmodel = "openai/gone"\nfamily = "gone"\napi_base = "http://127.0.0.1:{free_port()}/v1"\n'
        "max_attempts = 1\n",
        encoding="utf-8",
    )
    assert "gone" in home.page("dissolve fleet check ROSTER.toml", 1, **{"ROSTER.toml": "mine.toml"})


def test_a_sqlite_ledger_is_backed_up_while_in_use_and_restored(home: Installation) -> None:
    (talk := home.folder / "talk.txt").write_text(TALK, encoding="utf-8")
    assert home.dissolve("run", talk).returncode == 0
    interrupted = home.enqueued(talk)
    before = dumped(home.file)
    with closing(sqlite3.connect(home.file)) as busy:
        busy.execute("BEGIN IMMEDIATE")
        busy.execute("UPDATE jobs SET reason = 'of a transaction that never ended'")
        home.page("deploy/backup-sqlite ~/.dissolution/ledger.sqlite3 backup.sqlite3")
    copy = home.folder / "backup.sqlite3"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert dumped(copy) == before
    again = subprocess.run(
        [ROOT / "deploy/backup-sqlite", home.file, copy], capture_output=True, check=False, timeout=LONGEST_S
    )
    assert again.returncode == 2, "a backup that is there is not written over"
    home.page("dissolve cancel JOB", JOB=interrupted)
    home.file.write_bytes(b"lost" * 5000)
    assert home.dissolve("status").returncode == 4
    for line in (
        "rm -f ~/.dissolution/ledger.sqlite3 ~/.dissolution/ledger.sqlite3-wal ~/.dissolution/ledger.sqlite3-shm",
        "install -m 600 backup.sqlite3 ~/.dissolution/ledger.sqlite3",
        "dissolve migrate",
    ):
        home.page(line)
    assert "1 committed, 1 queued" in home.page("dissolve status")
    home.page("dissolve health database")
    assert dumped(home.file) == before
    assert home.dissolve("resume", interrupted).returncode == 0, "the restored job goes on"
    assert home.status_of(interrupted) == "committed"


def dumped(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def test_a_postgresql_ledger_is_backed_up_and_restored(
    home: Installation, empty_postgresql_pair: tuple[str, str]
) -> None:
    first, second = empty_postgresql_pair
    (talk := home.folder / "talk.txt").write_text(TALK, encoding="utf-8")
    assert home.dissolve("run", talk, "--db", first).returncode == 0
    shown = home.dissolve("show", "talk", "--json", "--db", first).stdout
    assert len(json.loads(shown)["sections"]) == 4
    home.environment |= {"FROM": first, "TO": second}
    home.page('pg_dump --format=custom --file=ledger.dump "$FROM"')
    home.page('pg_restore --exit-on-error --no-owner --dbname="$TO" ledger.dump')
    assert home.dissolve("show", "talk", "--json", "--db", second).stdout == shown
    assert home.dissolve("health", "database", "--db", second).returncode == 0
    assert home.dissolve("run", "talk", "--db", second).returncode == 0, "the restored ledger goes on"


@pytest.fixture
def empty_postgresql_pair(postgresql_server: str) -> Generator[tuple[str, str]]:
    """URLs of two empty databases."""
    url = parse_url(postgresql_server)
    names = [f"runbook_{secrets.token_hex(4)}" for _ in range(2)]
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with closing(engine.connect()) as connection:
        for name in names:
            connection.execute(text(f"CREATE DATABASE {name}"))
        first, second = (
            url.set(drivername="postgresql", database=name).render_as_string(hide_password=False) for name in names
        )
        yield first, second
        for name in names:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


def test_no_command_of_the_page_is_left_out_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [line for line in commands() if line not in source.replace("\\", "")] == []
