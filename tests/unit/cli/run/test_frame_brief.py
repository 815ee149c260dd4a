"""What `show` tells of the frame beside a boundary."""

from pathlib import Path

import pytest

from cli.shared.exits import Exit
from dissolution.reviewing import Fault
from tests.unit.cli.run.test_show import options, show_job
from tests.unit.cli.stored import reviewed, url_in, waiting

RULE = "Never restart the primary during business hours."


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def test_show_tells_the_findings_and_where_all_are_in_each_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting(tmp_path)
    show_job(options(tmp_path))
    assert "REVIEW" not in capsys.readouterr().out, "a job that has not ended has no findings yet"
    job = reviewed(tmp_path, RULE, (Fault.ONE_ANSWER_ONLY, 3, "during business hours"))
    assert show_job(options(tmp_path, job.id)) is Exit.OK
    text = capsys.readouterr().out
    brief = text[text.index("REVIEW: ") :].splitlines()
    assert brief[1] == "1 finding (one answer only 1; 1 repaired)"
    assert brief[2].startswith("• asked for one answer only, put right: ")
    assert RULE in brief[2]
    assert f"all of it: dissolve frame {job.id} --db {url_in(tmp_path)}" in brief
    assert text.index("REVIEW: ") < text.index("next  ")
    show_job(options(tmp_path, job.id, export="markdown"))
    text = capsys.readouterr().out
    assert "## Frame\n\nWhat reviewers say of the candidate: 1 finding (" in text
    assert "- asked for one answer only, put right, say ann, ben: " in text
    assert f"All of it: `dissolve frame {job.id}`." in text
    assert text.index("## Frame") < text.index("## Receipt")
