"""The light install: with what it leaves out refused, real processes run jobs, serve HTTP and speak to agents."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from dissolution.installed import CHOSEN
from tests.acceptance.test_api import answers, ended
from tests.environments import unmeasured
from tests.polling import LONGEST_S, eventually
from tests.ports import free_port
from tests.refusing import HEAVY, refused_by
from tests.terminal import FILE, RECORDED, ROOT, is_ours

TALK = "Ana: We deploy on Tuesday at 09:00.\nBo: Agreed. Jenkins is ruled out.\nAna: Who writes the notes is open.\n"
DISSOLVE = (sys.executable, "-m", "cli.main")


@pytest.fixture
def light(tmp_path: Path) -> dict[str, str]:
    """The environment of programs that lack what the light install leaves out."""
    (folder := tmp_path / "light").mkdir()
    ours = {name: value for name, value in unmeasured().items() if not is_ours(name)}
    return {
        **ours,
        "PYTHONPATH": os.pathsep.join([str(refused_by(folder, HEAVY)), str(ROOT)]),
        "DISSOLVE_DB": f"sqlite:///{tmp_path / 'ledger.sqlite3'}",
        "HOME": str(tmp_path),
    }


def dissolve(env: dict[str, str], *words: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A command as a process."""
    command = [*DISSOLVE, *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, env=env, input=stdin, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )


def test_what_is_left_out_is_really_refused(light: dict[str, str]) -> None:
    tried = subprocess.run(
        [sys.executable, "-c", "import torch"],
        env=light,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert "refused" in tried.stderr


def test_a_run_without_a_key_chooses_the_hashing_embedder_and_says_so(light: dict[str, str]) -> None:
    ran = dissolve(light, "run", "-", "--json", stdin=TALK)
    assert ran.returncode == 0, ran.stderr
    assert CHOSEN in ran.stderr
    document = json.loads(ran.stdout)
    assert document["receipt"]["consensus"]["embedding"]["model"] == "hashing"
    assert [one["name"] for one in document["receipt"]["members"] if one.get("failure")] == []
    found = {one["check"]: one for one in json.loads(dissolve(light, "doctor", "--local", "--json").stdout)}
    assert found["embedder"]["state"] == "doubtful"
    assert "light install" in found["embedder"]["words"]


def test_recorded_answers_become_claims(light: dict[str, str]) -> None:
    ran = dissolve(light, "run", FILE, "--recorded", RECORDED, "--json")
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    assert document["committed"] is True
    assert document["sections"]["DECIDED"]
    assert document["receipt"]["consensus"]["embedding"]["model"] == "hashing"


def test_the_model_is_refused_with_what_to_do_before_anything_is_stored(light: dict[str, str], tmp_path: Path) -> None:
    ran = dissolve({**light, "DISSOLVE_EMBEDDER": "all-MiniLM-L6-v2"}, "run", "-", stdin=TALK)
    assert ran.returncode not in {0, 1}
    assert "this is a light install" in ran.stderr
    assert "unset DISSOLVE_EMBEDDER" in ran.stderr
    assert not (tmp_path / "ledger.sqlite3").exists()
    (policy := tmp_path / "policy.toml").write_text('[consensus]\nembedder = "all-MiniLM-L6-v2"\n', encoding="utf-8")
    ran = dissolve(light, "run", "-", "--policy", policy, stdin=TALK)
    assert ran.returncode not in {0, 1}
    assert "this light install has 'hashing' alone" in ran.stderr


def test_charts_are_refused_before_the_work(light: dict[str, str], tmp_path: Path) -> None:
    (talk := tmp_path / "talk.txt").write_text(TALK, encoding="utf-8")
    ran = dissolve(light, "stability", "run", talk, "--every", "1", "--out", tmp_path / "report")
    assert ran.returncode not in {0, 1}
    assert (
        ran.stderr == "dissolve: charts need 'matplotlib', which a light install leaves out: pip install matplotlib\n"
    )


def test_the_service_runs_a_job(light: dict[str, str], tmp_path: Path) -> None:
    port = free_port()
    with (log := tmp_path / "api.log").open("wb") as opened:
        served = subprocess.Popen(
            [*DISSOLVE, "api", "--port", str(port)], cwd=ROOT, env=light, stdout=opened, stderr=opened
        )
    try:
        eventually(lambda: answers(f"http://127.0.0.1:{port}/ready") or served.poll() is not None, what="the service")
        assert served.poll() is None, log.read_text(encoding="utf-8")
        assert dissolved(f"http://127.0.0.1:{port}")["status"] == "committed"
    finally:
        served.terminate()
        served.wait(LONGEST_S)
    assert CHOSEN in log.read_text(encoding="utf-8")


def dissolved(base: str) -> dict[str, Any]:
    """Dissolve a conversation over HTTP, and wait for its end."""
    turns = [{"role": "user", "content": line} for line in TALK.splitlines()]
    with httpx.Client(base_url=base, timeout=LONGEST_S) as client:
        made = client.post("/v1/conversations", json={"name": "notes", "turns": turns})
        assert made.status_code == 201, made.text
        job = client.post("/v1/dissolutions", json={"conversation": "notes"}).json()["id"]
    return ended(base, job)


def test_an_agent_dissolves_and_recalls_over_mcp(light: dict[str, str]) -> None:
    async def use() -> dict[str, Any]:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "cli.main", "mcp"], env={**light, "DISSOLVE_LOG_LEVEL": "WARNING"}
        )
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()
            turns = [{"role": "user", "content": line} for line in TALK.splitlines()]
            done = await session.call_tool("dissolve", {"messages": turns, "conversation": "notes", "wait_s": 120})
            assert not done.is_error, done
            return done.structured_content or {}

    assert asyncio.run(use())["status"] == "committed"
