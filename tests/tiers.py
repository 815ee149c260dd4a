"""Which tier a test belongs to: one rule, so that nobody has to remember it.

The second tier has what needs a process, a service, a browser, PostgreSQL or the weights of a model: the folders
`tests/integration` and `tests/acceptance`, whatever asks for the fixture `processes` or `weights` (itself or through
another fixture), and each case of a test that runs on PostgreSQL. Everything else is the first tier, where starting a
process and loading a model fail. What takes seconds without any of these is marked `slow` by hand, with the reason.
"""

import multiprocessing.util
import os
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from consensus.embedding.causal_model import CausalModel
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from store.sql import engine

SLOW_FOLDERS = frozenset({"acceptance", "integration"})
SLOW_FIXTURES = frozenset({"postgresql_server", "processes", "weights"})
SLOW_CASES = frozenset({"postgresql"})
"""Cases whose fixtures are asked for by name while the test runs, when its tier is long settled."""

QUICK_PROGRAMS = frozenset({"fc-list", "git", "make", "uname"})
"""What takes milliseconds and needs nothing: a test of the first tier may start it, or the libraries that it uses."""

Command = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def is_slow(item: pytest.Item) -> bool:
    """Whether a collected test belongs to the second tier."""
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    fixtures: Sequence[str] = getattr(item, "fixturenames", ())
    cases = getattr(getattr(item, "callspec", None), "params", {}).values()
    return (
        folder in SLOW_FOLDERS
        or not SLOW_FIXTURES.isdisjoint(fixtures)
        or any(isinstance(case, str) and case in SLOW_CASES for case in cases)
    )


def started_by(command: Command) -> str:
    """The name of the program that a command starts."""
    return Path(command if isinstance(command, str | os.PathLike) else command[0]).name


def refuse_to_start(program: str) -> None:
    """Raise RuntimeError unless the program is one of QUICK_PROGRAMS."""
    if program not in QUICK_PROGRAMS:
        message = f"a quick test tried to start {program}: the fixture `processes` makes it a slow one, which may"
        raise RuntimeError(message)


def refuse_to_spawn(*_: object) -> None:
    """Raise RuntimeError."""
    refuse_to_start("a Python of its own")


def refuse_to_load(*_: object) -> None:
    """Raise RuntimeError."""
    message = "a quick test tried to load a model: the fixture `weights` makes it a slow one, which may"
    raise RuntimeError(message)


@contextmanager
def kept_quick(item: pytest.Item) -> Generator[None]:
    """In the block, a test of the first tier can start no process and load no model; one of the second may."""
    if item.get_closest_marker("slow") is not None:
        yield
        return
    start = subprocess.Popen[Any].__init__

    def guarded(self: subprocess.Popen[Any], args: Command, *more: Any, **named: Any) -> None:  # noqa: ANN401 - Popen's own
        refuse_to_start(started_by(args))
        start(self, args, *more, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", guarded)
        patch.setattr(os, "fork", partial(refuse_to_start, "a copy of itself"))
        patch.setattr(multiprocessing.util, "spawnv_passfds", refuse_to_spawn)
        patch.setattr(
            engine, "SYNCHRONOUS", "OFF"
        )  # no power fails while a quick test runs: SQLite need not wait for disks
        patch.setattr(SentenceTransformerEmbedder, "_load", refuse_to_load)
        patch.setattr(CausalModel, "_loaded", refuse_to_load)
        yield
