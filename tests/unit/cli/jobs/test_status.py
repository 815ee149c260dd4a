"""`dissolve status` and the moves beside it, for a person and as JSON."""

import json
from pathlib import Path

import pytest

from cli.jobs.status import cancel_job, requeue_job, show_status
from cli.shared.exits import Exit
from dissolution.errors import IllegalMove, NotFound
from dissolution.job import JobStatus, Lane
from dissolution.settings import Settings
from tests.databases import migrated
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, running


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with a queued job and one that failed."""
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")
    url = migrated(tmp_path / "ledger.sqlite3")
    with running(tmp_path, [], Settings(db=url, embedder="hashing")) as services:
        a_job(services, a_conversation("One.", name="first"), lane=Lane.BATCH)
        for name, lane in (("second", Lane.BATCH), ("mine", None)):
            job = a_job(services, a_conversation("One.", name=name), lane=lane).id
            with services.unit_of_work() as work:
                lease = work.jobs.claim(job, "fan_out", "w", INSTANT, 60)
                assert lease is not None
                work.jobs.bury(lease, INSTANT, "[broken] for good")
                work.jobs.move(job, JobStatus.RUNNING, INSTANT)
                work.jobs.move(job, JobStatus.FAILED, INSTANT, "step fan_out is dead: [broken] for good")
                work.commit()
    return url


def test_everything_at_a_glance(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_status((), watch=False, db=db, as_json=False) is Exit.OK
    shown = capsys.readouterr().out
    assert "jobs: 2 failed, 1 queued" in shown
    assert "dissolve.io.1-batch" in shown
    assert "0 of 11" in shown


def test_one_job_says_what_is_dead_and_why_in_its_own_words(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_status(("second",), watch=False, db=db, as_json=False)
    shown = capsys.readouterr().out
    assert "step fan_out is dead: [broken] for good" in shown
    show_status(("second", "first"), watch=False, db=db, as_json=True)
    jobs = json.loads(capsys.readouterr().out)["jobs"]
    assert [job["standing"]["status"] for job in jobs] == ["failed", "queued"]
    assert jobs[0]["steps"][0]["status"] == "dead"
    with pytest.raises(NotFound):
        show_status(("nobody",), watch=False, db=db, as_json=False)


def test_a_failed_job_is_queued_again_and_who_goes_on_is_said(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert requeue_job("second", db=db) is Exit.OK
    assert "is queued again; workers go on" in capsys.readouterr().err
    assert requeue_job("mine", db=db) is Exit.OK
    assert "dissolve resume j" in capsys.readouterr().err
    with pytest.raises(IllegalMove):
        requeue_job("second", db=db)


def test_a_job_is_cancelled_once(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cancel_job("first", db=db) is Exit.OK
    assert "is cancelled; the history of 'first' stays in force" in capsys.readouterr().err
    with pytest.raises(IllegalMove):
        cancel_job("first", db=db)
