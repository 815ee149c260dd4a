"""Jobs for workers: one bad file stops no other, and a policy that workers would cut short is refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.jobs.enqueue import MARGIN_S, EnqueueOptions, check_limits, enqueue_files
from cli.shared.exits import Exit
from dissolution.errors import InvalidPolicy
from dissolution.job import JobStatus, Lane
from dissolution.policy.gate import PRESETS
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.settings import Settings
from workers.bootstrap import open_store


def options(folder: Path, *files: Path, as_json: bool = False) -> EnqueueOptions:
    return EnqueueOptions(
        files=tuple(map(str, files)),
        fleet="extractive",
        recorded=None,
        policy=None,
        lane=Lane.STABILITY,
        form=None,
        timezone=None,
        db=f"sqlite:///{folder / 'ledger.sqlite3'}",
        as_json=as_json,
    )


def talks(folder: Path, count: int) -> list[Path]:
    files = [folder / f"talk-{number}.txt" for number in range(count)]
    for number, file in enumerate(files):
        file.write_text(f"Ann: We use PostgreSQL {number}.\nBo: Agreed.\n", encoding="utf-8")
    return files


@pytest.fixture(autouse=True)
def hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")


def test_each_file_is_a_queued_job_in_its_lane(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert enqueue_files(options(tmp_path, *talks(tmp_path, 2))) is Exit.OK
    printed = capsys.readouterr()
    ids = [line.split()[0] for line in printed.out.splitlines()]
    assert "2 jobs wait in lane stability" in printed.err
    with open_store(Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))() as work:
        jobs = [work.jobs.get(job) for job in ids]
        queues = {row.ring.queue for job in ids for row in work.outbox.of_job(job)}
    assert {(job.status, job.lane, job.tenant) for job in jobs} == {(JobStatus.QUEUED, Lane.STABILITY, "default")}
    assert queues == {"dissolve.cpu.2-stability", "dissolve.io.2-stability"}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_preset_is_stored_with_the_job_and_enforced(
    tmp_path: Path, preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enqueue_files(replace(options(tmp_path, *talks(tmp_path, 1)), gate=preset)) is Exit.OK
    (job,) = (line.split()[0] for line in capsys.readouterr().out.splitlines())
    with open_store(Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))() as work:
        probe = work.jobs.get(job).policy.probe
    assert (probe.gate, probe.enforced) == (PRESETS[preset], True)


def test_a_file_that_cannot_be_used_is_told_and_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (good,) = talks(tmp_path, 1)
    missing = tmp_path / "missing.txt"
    assert enqueue_files(options(tmp_path, missing, good, as_json=True)) is Exit.BAD_INPUT
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert [one["file"] for one in document["jobs"]] == [str(good)]
    assert [(one["file"], one["error"]) for one in document["refused"]] == [(str(missing), "invalid_conversation")]
    assert str(missing) in printed.err


def test_a_policy_that_outlasts_the_workers_is_refused_with_both_values() -> None:
    settings = Settings(step_limit_s=300)
    check_limits(Policy(quorum=QuorumPolicy(hard_deadline_s=300 - MARGIN_S)), settings)
    with pytest.raises(InvalidPolicy, match=r"241.* 300 s.* 240"):
        check_limits(Policy(quorum=QuorumPolicy(hard_deadline_s=241)), settings)


def test_a_conversation_that_one_job_cannot_read_is_refused_with_the_figure_and_not_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISSOLVE_MAX_JOB_TURNS", "1")
    talk = tmp_path / "talk.txt"
    talk.write_text("User: Which database?\nAssistant: PostgreSQL.\n", encoding="utf-8")
    assert enqueue_files(options(tmp_path, talk, as_json=True)) is Exit.BAD_INPUT
    (refused,) = json.loads(capsys.readouterr().out)["refused"]
    assert refused["error"] == "snapshot_too_large"
    assert "2 turns; one job may have 1" in refused["message"]
    assert "'max_job_turns'" in refused["message"]
    with open_store(Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))() as work:
        assert work.conversations.ids() == ()
