"""Someone who has just cloned the project: an empty home, and commands typed in the project's folder."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = 600
"""After so long (s) a command hangs."""

MISSING = re.compile(r"No such (?:command|option)\b")
"""What the command line says to a word that this version does not have."""

IDS = {"CLAIM": re.compile(r"\bc[0-9a-f]{12}\b"), "JOB": re.compile(r"\bj[0-9a-f]{12}\b")}


class Came(StrEnum):
    """What came of a step."""

    WELL = "well"
    MISSING = "missing"
    FAILED = "failed"
    SEEN = "seen"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a newcomer does.

    Attributes:
        name: What for, in a few words.
        words: What is typed after `dissolve`. CLAIM and JOB stand for the first id that the steps before printed.
        ends: The exit codes that are right; empty where any is, and the code is only told.
    """

    name: str
    words: tuple[str, ...]
    ends: frozenset[int] = frozenset({0})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step printed, how long it took and how it ended.

    Attributes:
        step: Its name.
        typed: The command as it was typed.
        came: Well, missing in this version, failed, or only seen.
        lines: Lines on stdout.
        error_lines: Lines on stderr.
        seconds: Wall time.
        code: The exit code; None for what is no command.
        note: Where the exit code is not 0, the last line that was printed, of stderr if there was any.
    """

    step: str
    typed: str
    came: Came
    lines: int
    error_lines: int
    seconds: float
    code: int | None
    note: str = ""

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "seconds": round(self.seconds, 2)}


@dataclass(slots=True)
class Stranger:
    """Types commands, one after the other, and remembers the ids that were printed.

    Attributes:
        home: An empty folder.
        settings: Environment variables beside the home, such as the embedder.
    """

    home: Path
    settings: dict[str, str]
    ids: dict[str, str] = field(default_factory=dict[str, str])

    def environment(self) -> dict[str, str]:
        """What a process of theirs knows."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DISSOLVE_")}
        return {**kept, "HOME": str(self.home), "PYTHONPATH": str(ROOT), **self.settings}

    def types(self, words: Sequence[str]) -> tuple[subprocess.CompletedProcess[str], float]:
        """Run a command; how it ended, and its wall time in seconds."""
        started = time.perf_counter()
        done = subprocess.run(  # noqa: S603 - this project's own command
            [sys.executable, "-m", "cli.main", *words],
            cwd=ROOT,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )
        return done, time.perf_counter() - started

    def takes(self, step: Step) -> Outcome:
        """Do one step."""
        words = [self.ids.get(word, word) for word in step.words]
        done, seconds = self.types(words)
        self.remember(done.stdout)
        return Outcome(
            step=step.name,
            typed="dissolve " + " ".join(words),
            came=judged(step, done),
            lines=lines(done.stdout),
            error_lines=lines(done.stderr),
            seconds=seconds,
            code=done.returncode,
            note=last_line(done.stderr) or last_line(done.stdout) if done.returncode else "",
        )

    def remember(self, printed: str) -> None:
        """Keep the first id of each kind for the steps that follow."""
        for name, pattern in IDS.items():
            if found := pattern.search(printed):
                self.ids[name] = found[0]


def judged(step: Step, done: subprocess.CompletedProcess[str]) -> Came:
    """What came of a step: a word that this version does not know is missing, not failed."""
    if done.returncode in step.ends:
        return Came.WELL
    if done.returncode and MISSING.search(done.stderr):
        return Came.MISSING
    return Came.FAILED if step.ends else Came.SEEN


def tried(name: str, typed: str, act: Callable[[], str]) -> Outcome:
    """A step that is no single command: `act` returns what it printed, and raises when it does not work."""
    started = time.perf_counter()
    try:
        printed, came, note = act(), Came.WELL, ""
    except Exception as error:  # noqa: BLE001 - a step that fails is a figure, and the hour goes on
        printed, came, note = "", Came.FAILED, f"{type(error).__name__}: {error}".splitlines()[0]
    return Outcome(name, typed, came, lines(printed), 0, time.perf_counter() - started, None, note)


def last_line(text: str) -> str:
    """The last line of a text, or "" without any."""
    return next(reversed(text.strip().splitlines()), "")


def lines(text: str) -> int:
    """How many lines a text has that are not empty."""
    return sum(bool(line.strip()) for line in text.splitlines())
