"""Every example runs as it stands, and so does every Python block of a page marked with `<!-- run -->`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, shown

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").glob("*.md"))]
RUN_BLOCK = re.compile(r"^<!-- run -->\n+```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = [
    pytest.param(block, id=f"{shown(page)}-{number}")
    for page in PAGES
    for number, block in enumerate(RUN_BLOCK.findall(page.read_text(encoding="utf-8")), start=1)
]


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


@pytest.mark.parametrize("block", BLOCKS)
def test_marked_blocks_of_pages_run(block: str, own_home: Path) -> None:
    run(["-c", block], own_home)


def test_there_are_examples() -> None:
    assert EXAMPLES
