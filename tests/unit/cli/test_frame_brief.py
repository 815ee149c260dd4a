"""What `show` tells of the frame beside a boundary."""

from pathlib import Path

import pytest

from cli.exits import Exit
from tests.unit.cli.stored import GOOD, TALK, ended, url_in, waiting
from tests.unit.cli.test_show import options, show_job

GUESSED = (
    *TALK,
    "I guess the invoice service keeps 30 days of logs. Then the audit copy is 30 days too, because of it.",
)
PROMOTED = GOOD.replace("KNOWN\n", "KNOWN\n- The invoice service keeps 30 days of logs. [turn 4]\n")


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def test_show_tells_the_findings_and_where_all_are_in_each_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting(tmp_path)
    show_job(options(tmp_path))
    assert "FRAME" not in capsys.readouterr().out, "a job that has not ended has no findings yet"
    job = ended(tmp_path, *GUESSED, heard=(PROMOTED, PROMOTED))
    assert show_job(options(tmp_path, job.id)) is Exit.OK
    text = capsys.readouterr().out
    brief = text[text.index("FRAME: ") :].splitlines()
    assert brief[1].startswith("1 finding (")
    assert brief[2] == f"all of it: dissolve frame {job.id} --db {url_in(tmp_path)}"
    assert text.index("FRAME: ") < text.index("read on: ")
    show_job(options(tmp_path, job.id, export="markdown"))
    text = capsys.readouterr().out
    assert "## Frame\n\nWhat became of what was taken for granted: 1 finding (" in text
    assert f"All of it: `dissolve frame {job.id}`." in text
    assert text.index("## Frame") < text.index("## Receipt")
