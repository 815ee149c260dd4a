"""What lies in the repository speaks of the project alone and works on any machine."""

import re
from collections.abc import Iterator

from tests.architecture.project import ROOT, shown, tracked

TEXT = {".py", ".md", ".toml", ".txt", ".json", ".yml", ".yaml", ".ini", ".mako", ".sql", ".cfg", ""}
OURS = [file for file in tracked() if file.suffix in TEXT and "data" not in file.relative_to(ROOT).parts]

HOME_FOLDERS = re.compile(r"(?<![\w.])/(?:home|Users|root|work)/[\w.-]+")
INNER_HOSTS = re.compile(r"\b[\w-]+\.(?:internal|local|lan|corp|intra)\b(?!\()")
NAMED_FOR_SHOW = {"/home/you/", "/home/ann/", "/Users/ann/"}
EXEMPT = {"tests/architecture/test_tracked_files.py"}  # holds the patterns themselves


def of_one_machine(text: str) -> Iterator[str]:
    """Paths and hosts in a text that only one machine has."""
    paths = (found[0] for found in HOME_FOLDERS.finditer(text))
    yield from (path for path in paths if not any(f"{path}/".startswith(name) for name in NAMED_FOR_SHOW))
    yield from INNER_HOSTS.findall(text)


def test_no_machine_path_and_no_inner_host() -> None:
    texts = {shown(file): file.read_text(encoding="utf-8") for file in OURS if shown(file) not in EXEMPT}
    assert [f"{name}: {place}" for name, text in texts.items() for place in of_one_machine(text)] == []


def test_a_machine_path_and_an_inner_host_would_be_found() -> None:
    assert list(of_one_machine("see /root/x and /home/you/y on build.internal")) == ["/root/x", "build.internal"]


def test_nothing_that_tools_make_is_tracked() -> None:
    unwanted = re.compile(r"(?:^|/)(?:__pycache__|\.venv|out|dist|build|\.pytest_cache)/|\.(?:pyc|sqlite3|db)$")
    assert [shown(file) for file in tracked() if unwanted.search(shown(file))] == []


def test_no_file_is_large() -> None:
    assert [shown(file) for file in tracked() if file.stat().st_size > 2_000_000] == []


def test_text_files_end_with_one_newline_and_hold_no_tabs_or_carriage_returns() -> None:
    texts = {shown(file): file.read_bytes() for file in OURS if file.suffix != ".json"}  # JSON is written by programs
    assert [name for name, text in texts.items() if text and (not text.endswith(b"\n") or b"\r" in text)] == []
