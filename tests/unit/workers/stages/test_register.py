"""The register step: it reads on from where the conversation's register stands, and yields to whoever was first."""

from pathlib import Path

import pytest

from dissolution.premises import Register
from dissolution.receipt.frame import RegisterReport
from frame_agent.register.fold import register_of as built_from
from store.sql.frames import SqlFrames
from tests.factories import a_conversation
from tests.running import a_job, running
from workers.stages.register import TRIES, build_register, register_of
from workers.step_results import StepResult

TALK = a_conversation(
    "I guess the inter-rack link is shared with backup traffic.",
    "Then the copy goes over the replication link at night.",
    "We use Terraform for the rollout, decided.",
    "The rollout plan rests on the shared link.",
)


def report_in(result: StepResult) -> RegisterReport:
    assert isinstance(result.output, RegisterReport)
    return result.output


class Overtaken:
    """In the place of `extend`: others store first, so many times."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
        self.asked = 0
        store = SqlFrames.extend

        def extend(frames: SqlFrames, register: Register) -> bool:
            self.asked += 1
            return self.asked > times and store(frames, register)

        monkeypatch.setattr(SqlFrames, "extend", extend)


def test_it_reads_on_and_stores_what_is_new(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        half = report_in(build_register(services, a_job(services, TALK, through=2)))
        job = a_job(services, TALK)
        result = build_register(services, job)
        with services.unit_of_work() as work:
            stored = register_of(work, job)
    whole = report_in(result)
    assert stored == built_from(TALK.snapshot())
    assert (half.through, whole.through) == (2, 4)
    assert half.added + whole.added == len(stored.events)
    assert whole.digest == stored.digest
    assert result.note == f"{len(stored.premises)} premises"


def test_a_second_run_adds_nothing(tmp_path: Path) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, TALK)
        first, again = (report_in(build_register(services, job)) for _ in range(2))
    assert first.added > 0
    assert again == first.model_copy(update={"added": 0})


def test_who_was_overtaken_builds_it_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, TALK)
        others = Overtaken(monkeypatch, TRIES - 1)
        assert report_in(build_register(services, job)).through == 4
    assert others.asked == TRIES


def test_who_is_overtaken_time_and_again_gives_up_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path, []) as services:
        job = a_job(services, TALK)
        others = Overtaken(monkeypatch, TRIES)
        with pytest.raises(RuntimeError, match="by others"):
            build_register(services, job)
        with services.unit_of_work() as work:
            assert work.frames.register("conv-1").through == 0
    assert others.asked == TRIES
