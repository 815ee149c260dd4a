"""The command line as tests use it: called in this process, or started as one of its own where that is the point."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import IO, Any
from unittest.mock import patch

import pytest

from cli.main import main
from tests.environments import unmeasured
from tests.polling import LONGEST_S

ROOT = Path(__file__).parents[1]
DATA = ROOT / "benchmarks" / "data"
NAME = "op-flask-sessions"
FILE = DATA / "planted" / f"{NAME}.json"
RECORDED = DATA / "recordings" / NAME
DISSOLVE = (sys.executable, "-m", "cli.main")
Ended = subprocess.CompletedProcess[str]


class Terminal:
    """`dissolve` with a database of its own and the hashing embedder.

    A call runs the command in this process, which loads nothing again; what breaks in it breaks the test. `process`
    and `start` start it as a process of its own, unmeasured: for signals, pipes, encodings and races.

    Args:
        folder: Where its home and its database are.
        env: What else stands in its environment.
    """

    def __init__(self, folder: Path, env: dict[str, str] | None = None) -> None:
        self.folder = folder
        self._own = {
            "DISSOLVE_DB": f"sqlite:///{folder / 'ledger.sqlite3'}",
            "DISSOLVE_EMBEDDER": "hashing",
            "HOME": str(folder),
            **(env or {}),
        }

    @property
    def env(self) -> dict[str, str]:
        """The whole environment of a process."""
        return {**{name: value for name, value in unmeasured().items() if not is_ours(name)}, **self._own}

    def __call__(self, *words: str | Path, stdin: str = "") -> Ended:
        """Run the command in this process."""
        command = ["dissolve", *map(str, words)]
        with streams(stdin) as (out, err), environment(self._own), contextlib.chdir(ROOT):
            with patch.object(sys, "argv", command):
                code = ended_with()
            return subprocess.CompletedProcess(command, code, written(out), written(err))

    def json(self, *words: str | Path) -> dict[str, Any]:
        """The one document on stdout of a command that succeeds."""
        done = self(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def process(self, *words: str | Path) -> Ended:
        """Run the command in a process of its own."""
        process = self.start(*words)
        out, err = process.communicate(timeout=LONGEST_S)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def start(self, *words: str | Path, stdout: int | IO[bytes] = subprocess.PIPE) -> subprocess.Popen[str]:
        """Start the command as a process of its own; the caller ends it."""
        return subprocess.Popen(
            [*DISSOLVE, *map(str, words)],
            cwd=ROOT,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )


def is_ours(name: str) -> bool:
    """Whether a variable of the environment is a setting of the project."""
    return name.startswith("DISSOLVE_")


@contextlib.contextmanager
def environment(own: dict[str, str]) -> Generator[None]:
    """Within the block these variables stand, and no other settings.

    Whatever else is set within it stays: LiteLLM says once, when it is loaded, where its vocabularies lie.
    """
    before = {name: os.environ.pop(name, None) for name in {*own, *filter(is_ours, os.environ)}}
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@contextlib.contextmanager
def streams(stdin: str) -> Generator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Streams of the kind a process has, in the places of this one's."""
    given, out, err = (io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (stdin.encode(), b"", b""))
    with patch.multiple(sys, stdin=given, stdout=out, stderr=err):
        yield out, err


def written(stream: io.TextIOWrapper) -> str:
    """What was written to one of `streams`."""
    stream.flush()
    stream.seek(0)
    return stream.read()


def ended_with() -> int:
    """The exit code of the command that stands in sys.argv."""
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def turns(count: int) -> dict[str, Any]:
    """The first turns of the planted conversation, under its id."""
    conversation = json.loads(FILE.read_text(encoding="utf-8"))
    return {"id": conversation["id"], "turns": conversation["turns"][:count]}


class Recorded:
    """A run of the whole planted conversation over its recorded answers, done once for all tests that read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prepare(self) -> None:
        """Run it, unless another test process has."""
        if (self.folder / "done.json").exists():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        done = Terminal(self.folder)("run", FILE, "--recorded", RECORDED, "--out", self.folder / "out")
        text = json.dumps(
            {"args": done.args, "returncode": done.returncode, "stdout": done.stdout, "stderr": done.stderr}
        )
        (self.folder / "done.json").write_text(text, encoding="utf-8")

    @property
    def done(self) -> Ended:
        """How the command ended, and what it wrote for a person."""
        return subprocess.CompletedProcess(**json.loads((self.folder / "done.json").read_text(encoding="utf-8")))

    def copied_to(self, terminal: Terminal) -> dict[str, Any]:
        """Give a terminal the database as it was after the run; the boundary's document."""
        for file in self.folder.glob("ledger.sqlite3*"):
            shutil.copy(file, terminal.folder)
        return json.loads((self.folder / "out" / "boundary.json").read_text(encoding="utf-8"))
