"""Completion: what shells are given, and that nothing of it can fail, be evaluated, or make a database."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.completion_command import VARIABLE, completion
from dissolution.settings import Settings
from tests.architecture.project import ROOT
from tests.databases import migrated
from tests.factories import a_conversation
from tests.running import running

HOSTILE = ("rm -rf x", "$(id)", "`id`", "a'b", 'a\\"b', "a)b", "*", "-x", "~", "two\nlines", "a:b", "\u202ex")


@pytest.fixture
def db(tmp_path: Path) -> str:
    url = migrated(tmp_path / "ledger.sqlite3")
    with running(tmp_path, [], Settings(db=url, embedder="hashing")) as services, services.unit_of_work() as work:
        for name in ("launch-1", "launch-2", "offsite", "会议", *HOSTILE):
            work.conversations.extend(a_conversation("We use Postgres.", name=name))
        work.commit()
    return url


def called(shell: str, line: str, cwd: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """The program as a shell asks it what may stand at the end of a line."""
    words = line.split(" ")
    asked = {
        "bash": {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    environment = os.environ | {"PYTHONPATH": str(ROOT), VARIABLE: f"complete_{shell}"} | asked | given
    start = "from cli.main import main; import sys; sys.argv[0] = 'dissolve'; main()"
    return subprocess.run(
        [sys.executable, "-c", start], env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )


def offered(line: str, cwd: Path, **given: str) -> list[str]:
    done = called("bash", line, cwd, **given)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("dissolve trig", ["triggers"]),
        ("dissolve triggers un", ["unwatch"]),
        ("dissolve run talk.json --gate s", ["strict"]),
        ("dissolve triggers watch x --preset p", ["patient"]),
        ("dissolve show --as h", ["html"]),
        ("dissolve completion f", ["fish"]),
    ],
)
@pytest.mark.usefixtures("processes")
def test_commands_options_and_presets_are_offered(tmp_path: Path, line: str, found: list[str]) -> None:
    assert offered(line, tmp_path) == found
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["show", "append", "log", "triggers state", "frame", "run", "stability run"])
@pytest.mark.usefixtures("processes")
def test_stored_conversations_are_offered(db: str, tmp_path: Path, command: str) -> None:
    assert sorted(offered(f"dissolve {command} la", tmp_path, DISSOLVE_DB=db)) == ["launch-1", "launch-2"]


@pytest.mark.usefixtures("processes")
def test_only_names_that_are_one_word_in_every_shell_are_offered(db: str, tmp_path: Path) -> None:
    assert sorted(offered("dissolve show ", tmp_path, DISSOLVE_DB=db)) == ["launch-1", "launch-2", "offsite", "会议"]
    for shell in ("zsh", "fish"):
        told = called(shell, f"dissolve show --db {db} ", tmp_path).stdout
        assert "offsite" in told
        assert not any(name in told for name in ("rm -rf", "id", "a'b", "a)b"))


@pytest.mark.usefixtures("processes")
def test_files_stand_before_conversations_where_a_file_is_wanted(db: str, tmp_path: Path) -> None:
    (tmp_path / "launch.json").touch()
    assert offered("dissolve run la", tmp_path, DISSOLVE_DB=db) == []  # and so the shell offers its files
    assert offered("dissolve run ", tmp_path, DISSOLVE_DB=db) == []
    assert offered("dissolve run off", tmp_path, DISSOLVE_DB=db) == ["offsite"]


@pytest.mark.parametrize("given", ["sqlite:///nowhere.sqlite3", "not a url"])
@pytest.mark.usefixtures("processes")
def test_without_a_database_nothing_is_offered_said_or_made(tmp_path: Path, given: str) -> None:
    assert offered("dissolve show la", tmp_path, DISSOLVE_DB=given) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.usefixtures("processes")
def test_the_script_of_each_shell_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    completion(shell)  # pyright: ignore[reportArgumentType] - one of the shells
    script = capsys.readouterr().out
    assert VARIABLE in script
    assert f"complete_{shell}" in script
    if path := shutil.which(shell):
        subprocess.run([path, "-n"], input=script, text=True, check=True)


@pytest.mark.usefixtures("processes")
def test_bash_completes_with_the_script(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    completion("bash")
    script = capsys.readouterr().out
    program = tmp_path / "dissolve"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom cli.main import main\nmain()\n"
    )
    program.chmod(0o755)
    asked = f"COMP_WORDS=({program} show la); COMP_CWORD=2; _dissolve_completion {program}; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(
        [shutil.which("bash") or "bash", "--norc"],
        input=f"{script}\n{asked}\n",
        env=os.environ | {"DISSOLVE_DB": db},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(done.stdout.split()) == ["launch-1", "launch-2"]
