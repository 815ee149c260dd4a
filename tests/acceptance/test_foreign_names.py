"""The command as it is installed, where other packages have the names of our rooms: in the folder and on PYTHONPATH."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from dissolution_fleet.start import ROOMS
from tests.acceptance.test_api import answers
from tests.acceptance.test_up import Home
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port
from tests.terminal import ROOT

FOREIGN = "raise SystemExit(f'the package {__name__!r} of somebody else was imported')\n"
SCRIPT = "import sys\nfrom dissolution_fleet.start import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
"""What an installer writes for the command."""


class Elsewhere(Home):
    """A project of somebody else: it has a package of each of our names, and puts itself on PYTHONPATH."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.project = folder / "project"
        for room in ROOMS - {"dissolution_fleet"}:
            (self.project / room).mkdir(parents=True)
            (self.project / room / "__init__.py").write_text(FOREIGN, encoding="utf-8")
        (folder / "bin").mkdir()
        (folder / "bin" / "dissolve").write_text(SCRIPT, encoding="utf-8")
        # Ours comes last, as an installed package does.
        self.environment["PYTHONPATH"] = os.pathsep.join([str(self.project), str(ROOT)])

    @property
    def command(self) -> list[str]:
        return [sys.executable, str(self.folder / "bin" / "dissolve")]

    def dissolve(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.command, *map(str, words)],
            cwd=self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


def test_the_other_packages_would_be_taken_without_our_start(elsewhere: Elsewhere) -> None:
    plain = subprocess.run(
        [sys.executable, "-m", "cli.main", "--version"],
        cwd=elsewhere.project,
        env=elsewhere.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_S,
    )
    assert "of somebody else was imported" in plain.stderr


def test_run_and_show_use_our_rooms(elsewhere: Elsewhere) -> None:
    (talk,) = elsewhere.talks(1)
    ran = elsewhere.dissolve("run", talk, "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["committed"] is True
    assert elsewhere.dissolve("show").returncode == 0


def test_the_module_is_the_command_too(elsewhere: Elsewhere) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "dissolution_fleet", "--version"],
        cwd=elsewhere.project,
        env=elsewhere.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_S,
    )
    assert told.stdout == elsewhere.dissolve("--version").stdout


def test_workers_that_up_starts_use_our_rooms(elsewhere: Elsewhere) -> None:
    stored = elsewhere.dissolve("enqueue", *elsewhere.talks(1))
    assert stored.returncode == 0, stored.stderr
    with (elsewhere.folder / "up.out").open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            [*elsewhere.command, "up", "--io", "1", "--no-flower", "--no-api", "--no-metrics"],
            cwd=elsewhere.project,
            env=elsewhere.environment,
            stderr=out,
            text=True,
            start_new_session=True,
        )
    try:
        eventually(
            lambda: elsewhere.stored().get("committed") or "ended with code" in elsewhere.said(), what="a commit"
        )
        assert "ended with code" not in elsewhere.said()
    finally:
        for leader in (process.pid, *elsewhere.leaders()):
            kill_group(leader)
        process.wait(LONGEST_S)


def test_the_service_uses_our_rooms(elsewhere: Elsewhere) -> None:
    port = free_port()
    with (log := elsewhere.folder / "api.log").open("wb") as opened:
        served = subprocess.Popen(
            [*elsewhere.command, "api", "--port", str(port)],
            cwd=elsewhere.project,
            env=elsewhere.environment,
            stdout=opened,
            stderr=opened,
        )
    try:
        eventually(lambda: answers(f"http://127.0.0.1:{port}/ready") or served.poll() is not None, what="the service")
        assert served.poll() is None, log.read_text(encoding="utf-8")
    finally:
        served.terminate()
        served.wait(LONGEST_S)


def test_an_agent_is_served_by_our_rooms(elsewhere: Elsewhere) -> None:
    async def tools() -> set[str]:
        program, *words = elsewhere.command
        server = StdioServerParameters(
            command=program, args=[*words, "mcp"], env=elsewhere.environment, cwd=elsewhere.project
        )
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()
            return {tool.name for tool in (await session.list_tools()).tools}

    assert {"dissolve", "recall"} <= asyncio.run(tools())
