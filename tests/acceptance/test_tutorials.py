"""Every box of the tutorials is run as it stands, and what stands below it is what it prints."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, shown
from tests.environments import unmeasured

FOLDER = ROOT / "docs" / "tutorials"
PAGES = sorted(FOLDER.glob("*.md"))


def refresh(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FOLDER / "refresh.py"), *map(str, words)],
        env=unmeasured(),
        capture_output=True,
        text=True,
        check=False,
    )


def a_page(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return page


def box(command: str, printed: str | None = None, *, above: str = "", shown: str = "") -> str:
    """A box, and below it what it prints; `above` and `shown` are the notes of the two."""
    page = f"{above}\n```sh\n{command}\n```\n"
    return page if printed is None else f"{page}\n{shown}\n```text\n{printed}\n```\n"


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_a_tutorial_shows_what_its_boxes_print(page: Path) -> None:
    done = refresh("--check", page)
    assert done.returncode == 0, done.stderr


def test_what_differs_is_told_and_written(tmp_path: Path) -> None:
    page = a_page(tmp_path, "before\n" + box("echo one", "two") + "\nafter\n")
    told = refresh("--check", page)
    assert told.returncode == 1
    assert "-two\n+one" in told.stderr
    assert "\ntwo\n" in page.read_text(encoding="utf-8"), "a check writes nothing"
    assert refresh(page).returncode == 0
    assert page.read_text(encoding="utf-8") == "before\n" + box("echo one", "one") + "\nafter\n"
    assert refresh("--check", page).returncode == 0


@pytest.mark.parametrize(
    ("printed", "stands", "same"),
    [
        ("job j0123456789ab took 12.1 s", "job jfedcba987654 took 0.9 s", True),
        ("at 2026-11-26T17:53:19Z", "at 2025-01-01 00:00:00", True),
        ("USD: 0.054 of 5 USD, 0.0300064 a claim", "USD: 0.05 of 4 USD, 0.0000000 a claim", True),
        ("a   table\nwrapped", "a table wrapped", True),
        ("5 claims", "6 claims", False),
        ("share 21%", "share 22%", False),
    ],
)  # fmt: skip
def test_only_ids_times_and_money_may_differ(printed: str, stands: str, same: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a column
    page = a_page(tmp_path, box(f"printf '%s\\n' '{printed}'", stands))
    assert (refresh("--check", page).returncode == 0) is same


@pytest.mark.parametrize(
    ("note", "stands"),
    [
        ("<!-- shown: first 2 -->", "1\n2\n⋮"),
        ("<!-- shown: last 1 -->", "⋮\n5"),
        ("<!-- shown: first 1, last 2 -->", "1\n⋮\n4\n5"),
        ("<!-- shown: first 3, last 2 -->", "1\n2\n3\n4\n5"),
    ],
)
def test_of_a_long_output_the_lines_that_a_note_asks_for_are_shown(note: str, stands: str, tmp_path: Path) -> None:
    page = a_page(tmp_path, box("seq 5", "", shown=note))
    assert refresh(page).returncode == 0
    assert page.read_text(encoding="utf-8") == box("seq 5", stands, shown=note)


def test_an_id_that_was_printed_is_what_claim_stands_for(tmp_path: Path) -> None:
    page = a_page(tmp_path, box("echo c0123456789ab cfedcba987654") + box("echo it is CLAIM", "it is c0123456789ab"))
    assert refresh("--check", page).returncode == 0
    again = refresh("--check", a_page(tmp_path, box("echo it is JOB")))
    assert again.returncode == 1
    assert "JOB" in again.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (box("false"), "ended with 1, not 0"),
        (box("true", above="<!-- ends with 4 -->"), "ended with 0, not 4"),
        (box("true", above="<!-- sown: first 1 -->"), "'sown: first 1'"),
        (box("true", "x", above="<!-- not run: it hangs -->"), "no box was run"),
    ],
)
def test_a_page_that_cannot_be_followed_is_refused_and_stays(text: str, said: str, tmp_path: Path) -> None:
    page = a_page(tmp_path, text)
    done = refresh(page)
    assert done.returncode == 1
    assert said in done.stderr
    assert page.read_text(encoding="utf-8") == text


def test_a_box_that_ends_as_its_note_says_is_well(tmp_path: Path) -> None:
    assert refresh("--check", a_page(tmp_path, box("exit 4", above="<!-- ends with 4 -->"))).returncode == 0


def test_a_page_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = refresh(tmp_path / "nowhere.md")
    assert done.returncode == 2
    assert "nowhere.md" in done.stderr


def test_boxes_know_no_settings_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_DB", "sqlite:///mine.sqlite3")
    page = a_page(tmp_path, box('echo "${DISSOLVE_DB:-none}" "$(ls -A "$HOME")"', "none"))
    assert refresh("--check", page).returncode == 0


def test_the_readme_shows_what_the_first_tutorial_is_about() -> None:
    """The example before everything else: turns, rules and claims are those of the conversation and of the tutorial."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (FOLDER / "my-coding-agent-forgets-its-rules.md").read_text(encoding="utf-8")
    rows = re.findall(r'^\| turn (\d+): "([^"]+)" \| gone \| "([^"]+)" \|$', readme, re.MULTILINE)
    assert len(rows) == 3
    for turn, said, claim in rows:
        assert f"GONE   turn {turn}: " in page
        assert f"holds  turn {turn}: " in page
        assert claim in page
        assert said in turn_of_the_conversation(int(turn))


def turn_of_the_conversation(number: int) -> str:
    file = ROOT / "benchmarks" / "data" / "fresh" / "ft-search-latency.json"
    return json.loads(file.read_text(encoding="utf-8"))["turns"][number - 1]["content"]


def test_every_tutorial_is_linked_and_few_boxes_are_not_run() -> None:
    index, readme = ((ROOT / name).read_text(encoding="utf-8") for name in ("docs/README.md", "README.md"))
    for page in PAGES:
        assert f"(tutorials/{page.name})" in index
        assert f"(docs/tutorials/{page.name})" in readme
        assert page.read_text(encoding="utf-8").count("<!-- not run: ") <= 1
