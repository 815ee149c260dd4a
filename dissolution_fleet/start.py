"""Every program of the project begins here: the rooms are taken from beside this package, wherever one stands.

The rooms have plain names (`api`, `workers`, …), and a folder of such a name in the working directory or on PYTHONPATH
would else be taken for ours. Only our own names are decided; all other imports go their usual way.

As a file it is a program too: `python -P …/dissolution_fleet/start.py MODULE WORDS…` runs a module as `-m MODULE`
would. Programs start each other so (`command`), since `-m` would look into the working directory first.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import NoReturn

ROOMS = frozenset(
    {
        "api",
        "cli",
        "consensus",
        "context",
        "dissolution",
        "dissolution_fleet",
        "fleet",
        "frame_agent",
        "language",
        "probe",
        "prompts",
        "reports",
        "stability",
        "store",
        "triggers",
        "workers",
    }
)
"""The top-level names that are ours."""

HERE = str(Path(__file__).resolve().parents[1])
"""Where all of them lie: the folder that the project was installed into, or its checkout."""


class OwnRooms(MetaPathFinder):
    """Finds our top-level names beside this package, and nothing else."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the hook's signature
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The room of this name; None for every other module, and for what lies inside a room."""
        return PathFinder.find_spec(fullname, [HERE], target) if fullname in ROOMS else None


def own_rooms_first() -> None:
    """From now on, in this process and in those forked from it, our names mean our rooms."""
    if not any(isinstance(one, OwnRooms) for one in sys.meta_path):
        sys.meta_path.insert(0, OwnRooms())


def command(module: str, *words: str) -> list[str]:
    """What starts a module of ours as a program of its own, with the interpreter of this process."""
    return [sys.executable, "-P", str(Path(__file__).resolve()), module, *words]


def become(module: str, *words: str) -> NoReturn:
    """Go on as another program of ours, with this environment and these streams; or wait for it, on Windows."""
    program = command(module, *words)
    if os.name == "posix":
        os.execv(program[0], program)  # noqa: S606 - our own program, no shell
    try:
        sys.exit(subprocess.run(program, check=False).returncode)  # noqa: S603 - as above
    except KeyboardInterrupt:  # the other one was told too, and has ended
        sys.exit(130)


def main() -> None:
    """The installed command `dissolve`."""
    own_rooms_first()
    import_module("cli.__main__").main()


def run_module(words: Sequence[str]) -> None:
    """Run the module that the first word names as the main program, with the other words as its arguments."""
    import runpy

    own_rooms_first()
    module, *_ = words
    sys.argv[:] = list(words)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    run_module(sys.argv[1:])
