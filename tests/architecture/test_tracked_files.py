"""What lies in the repository speaks of the project alone and works on any machine."""

import re
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, shown, tracked

TEXT = {".py", ".md", ".toml", ".txt", ".json", ".yml", ".yaml", ".ini", ".mako", ".sql", ".cfg", ""}
OURS = [file for file in tracked() if file.suffix in TEXT and "data" not in file.relative_to(ROOT).parts]

HOME_FOLDERS = re.compile(r"(?<![\w.])/(?:home|Users|root|work)/[\w.-]+")
INNER_HOSTS = re.compile(r"\b[\w-]+\.(?:internal|local|lan|corp|intra)\b(?!\()")
NAMED_FOR_SHOW = {"/home/you/", "/home/ann/", "/Users/ann/"}
EXEMPT = {"tests/architecture/test_tracked_files.py"}  # holds the patterns themselves


@pytest.mark.parametrize("file", OURS, ids=shown)
def test_no_machine_path_and_no_inner_host(file: Path) -> None:
    if shown(file) in EXEMPT:
        return
    text = file.read_text(encoding="utf-8")
    paths = [found[0] for found in HOME_FOLDERS.finditer(text)]
    assert [path for path in paths if not any(f"{path}/".startswith(name) for name in NAMED_FOR_SHOW)] == []
    assert INNER_HOSTS.findall(text) == []


def test_nothing_that_tools_make_is_tracked() -> None:
    unwanted = re.compile(r"(?:^|/)(?:__pycache__|\.venv|out|dist|build|\.pytest_cache)/|\.(?:pyc|sqlite3|db)$")
    assert [shown(file) for file in tracked() if unwanted.search(shown(file))] == []


def test_no_file_is_large() -> None:
    assert [shown(file) for file in tracked() if file.stat().st_size > 2_000_000] == []


def test_text_files_end_with_one_newline_and_hold_no_tabs_or_carriage_returns() -> None:
    for file in OURS:
        text = file.read_bytes()
        if text and file.suffix != ".json":  # JSON is written by programs
            assert text.endswith(b"\n"), shown(file)
            assert b"\r" not in text, shown(file)
