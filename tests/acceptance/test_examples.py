"""Every example runs as it stands."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, shown

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(arguments: list[str], home: Path) -> str:
    """What a script prints, run from the project folder with nothing of the machine's settings."""
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", *arguments],
        cwd=ROOT,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=shown)
def test_examples_run_and_print_something(example: Path, own_home: Path) -> None:
    assert run([str(example)], own_home).strip()


def test_there_are_examples() -> None:
    assert EXAMPLES
