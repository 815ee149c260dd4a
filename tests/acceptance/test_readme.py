"""Every command in a box of the README is run, word for word but for the names that stand for others."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from cli.main import main
from cli.run.first_screen import MOST_LINES
from tests.architecture.project import ROOT
from tests.stating import state_by_default
from tests.terminal import Terminal

TALK = json.loads((ROOT / "examples" / "launch.json").read_text(encoding="utf-8"))
MORE = {"role": "user", "content": "We decided that the backups are kept for 90 days."}

ELSEWHERE = {
    "make demo": "Makefile",
    "make test": ".ci/run",
    "dissolve run FILE --fleet ROSTER.toml": "tests/acceptance/test_roster.py",
    "dissolve api": "tests/acceptance/test_api.py",
    "dissolve up": "tests/acceptance/test_up.py",
}
"""What needs another world than one database (an installation, models, Redis, what runs on), and where it is run."""


def commands() -> list[str]:
    """Every line of every box of no language, without what is said about it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    boxes = [box for language, box in found if not language]
    lines = (line.split("  #")[0].strip() for box in boxes for line in box.splitlines())
    return [line for line in lines if line.startswith(("dissolve ", "make ", "export ", "python ", "curl ", "pip "))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")
    monkeypatch.chdir(tmp_path)
    for name, messages in (("talk", TALK), ("grown", [*TALK, MORE])):
        (tmp_path / f"{name}.json").write_text(json.dumps(messages), encoding="utf-8")
    return tmp_path


def test_every_command_of_the_readme_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state_by_default(monkeypatch)  # people act on claims
    names = {"FILE": "talk.json", "CONVERSATION": "talk"}

    def run(command: str) -> str:
        for name, value in names.items():
            command = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", value, command)
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert ended.value.code in {0, None}, f"{command}: {ended.value.code}\n{said.out}\n{said.err}"
        return said.out

    for command in (one for one in commands() if one not in ELSEWHERE):
        names["FILE"] = "grown.json" if command.startswith("dissolve append") else "talk.json"
        said = run(command)
        if command == "dissolve show":
            names["CLAIM"] = re.findall(r"^    (c[0-9a-f]{12})\b", said, re.MULTILINE)[0]
        if command.startswith("dissolve recall"):
            assert "90 days" in said


def test_the_screen_that_is_printed_is_the_one_that_make_demo_prints(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    boxes = re.findall(r"^```\w*\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    printed = next(box for box in boxes if "covers " in box)
    named = dict(
        re.findall(r"^(TALK|CASSETTE|DEMO_DB) := (\S+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    url = f"sqlite:///{tmp_path / 'demo.sqlite3'}"
    dissolve = Terminal(tmp_path, {"DISSOLVE_EMBEDDER": "all-MiniLM-L6-v2"})
    done = dissolve("run", named["TALK"], "--recorded", named["CASSETTE"], "--db", url)
    assert done.returncode == 0, done.stderr
    anonymous = re.compile(r"\bj[0-9a-f]{12}\b")
    told = anonymous.sub("JOB", done.stdout.replace(url, named["DEMO_DB"]))
    assert told == anonymous.sub("JOB", printed)
    assert len(printed.splitlines()) <= MOST_LINES


def test_what_is_run_elsewhere_is_in_the_readme_and_run_there() -> None:
    listed = commands()
    assert [one for one in ELSEWHERE if one not in listed] == []
    for command, place in ELSEWHERE.items():
        word = re.split(r"[ =]", command)[-1 if command == "dissolve up" else 1]
        assert word in (ROOT / place).read_text(encoding="utf-8"), f"{place} does not run {command!r}"
