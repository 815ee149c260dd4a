"""What `show` chooses, and in which form it prints it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from cli.run.page import left_out
from cli.run.results import gather
from cli.run.show import ShowOptions, show_job
from cli.shared.exits import Exit
from dissolution.errors import InputError, NotFound, StoreUnavailable
from dissolution.settings import load_settings
from tests.unit.cli.stored import GOOD, TALK, ended, url_in, waiting
from workers.bootstrap import open_services


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def options(
    folder: Path,
    name: str | None = None,
    *,
    receipt: bool = False,
    export: Literal["markdown", "messages", "html"] | None = None,
    budget_tokens: int | None = None,
    as_json: bool = False,
) -> ShowOptions:
    return ShowOptions(
        name=name,
        dissent=False,
        receipt=receipt,
        measures=False,
        export=export,
        budget_tokens=budget_tokens,
        db=url_in(folder),
        as_json=as_json,
    )


def shown(capsys: pytest.CaptureFixture[str], asked: ShowOptions) -> tuple[str, str]:
    """The id of the job that `show --json` prints, and what it says on stderr."""
    assert show_job(asked) is Exit.OK
    streams = capsys.readouterr()
    return json.loads(streams.out)["job"], streams.err


def test_a_conversation_is_its_standing_boundary_and_a_newer_job_is_mentioned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queued = waiting(tmp_path)
    assert shown(capsys, options(tmp_path, "conv-1", as_json=True)) == (queued.id, "")
    standing = ended(tmp_path)
    assert shown(capsys, options(tmp_path, "conv-1", as_json=True)) == (standing.id, "")
    kept = ended(tmp_path, *TALK, "And more.", heard=(GOOD,))
    job, said = shown(capsys, options(tmp_path, "conv-1", as_json=True))
    assert job == standing.id
    assert said == (
        f"dissolve: job {kept.id} is newer and has no boundary (history_kept): "
        f"dissolve show {kept.id} --db {url_in(tmp_path)}\n"
    )
    assert shown(capsys, options(tmp_path, kept.id, as_json=True)) == (kept.id, "")
    assert shown(capsys, options(tmp_path, as_json=True)) == (kept.id, "")


def test_a_job_that_has_not_ended_has_no_verdict_in_any_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queued = waiting(tmp_path)
    for receipt in (False, True):
        show_job(options(tmp_path, receipt=receipt))
        text = capsys.readouterr().out
        assert "Not decided: the job is queued" in text
        assert "keep_history" not in text
    show_job(options(tmp_path))
    text = capsys.readouterr().out
    assert f"next       dissolve resume {queued.id} --db {url_in(tmp_path)}" in text
    assert "dissolve explain" not in text
    show_job(options(tmp_path, export="markdown"))
    assert "keep_history" not in capsys.readouterr().out
    with pytest.raises(InputError, match="no committed boundary"):
        show_job(options(tmp_path, export="messages"))


def test_messages_take_another_budget_and_say_which_one_they_need(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ruled = [f"Service {number} must stay on port {5000 + number}." for number in range(30)]
    heard = "IDENTITY\n" + "".join(f"- {rule} [turn 1]\n" for rule in ruled)
    ended(tmp_path, " ".join(ruled), "Agreed.", heard=(heard, heard))
    with pytest.raises(InputError, match=r"give --budget-tokens (\d+) or more") as refused:
        show_job(options(tmp_path, export="messages", budget_tokens=200))
    needed = int(str(refused.value).split("--budget-tokens ")[1].split()[0])
    show_job(options(tmp_path, export="messages", budget_tokens=needed))
    rendered = json.loads(capsys.readouterr().out)
    assert rendered["tokens"] <= rendered["budget_tokens"] == needed


def test_reading_creates_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="does not exist"):
        show_job(options(tmp_path / "nowhere"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreUnavailable, match="names no file"):
        show_job(replace(options(tmp_path), db="sqlite://"))
    ended(tmp_path)
    with pytest.raises(NotFound):
        show_job(options(tmp_path, "another talk"))


def test_options_that_contradict_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--json with --as markdown"):
        show_job(options(tmp_path, as_json=True, export="markdown"))
    with pytest.raises(InputError, match=r"--budget-tokens 900.*--as"):
        show_job(options(tmp_path, export="markdown", budget_tokens=900))


def test_a_page_tells_what_a_context_leaves_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = ended(tmp_path)
    show_job(options(tmp_path, "conv-1", export="html"))
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>")
    assert "The invoice service runs on Postgres 15.4." in page
    assert "Nothing was left out of this page." in page
    with open_services(load_settings(db=url_in(tmp_path)), create=False) as services:
        result = gather(services, job)
    (refused,) = left_out(result, 50)
    assert refused.startswith("A context within 50 tokens cannot be made: what is decided needs ")
    needed = int(refused.split()[-1].rstrip("."))
    (told,) = left_out(result, needed)
    assert f"A context within {needed} tokens leaves out " in told


def test_a_page_of_a_job_that_has_not_ended_has_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    waiting(tmp_path)
    show_job(options(tmp_path, export="html"))
    page = capsys.readouterr().out
    assert "Not decided:" in page
    assert "keep_history" not in page
    with pytest.raises(InputError, match="--json with --as html"):
        show_job(options(tmp_path, as_json=True, export="html"))
