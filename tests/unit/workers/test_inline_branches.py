"""Branches of a job run side by side in this process, and end together when one breaks or somebody asks to stop."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.clock import FixedClock
from dissolution.answers import MemberTask, Reply
from dissolution.errors import StepHeld
from dissolution.job import ENDED, Job, JobStatus, StepStatus
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.policy.probe import ProbePolicy
from tests.factories import INSTANT, a_conversation
from tests.polling import LONGEST_S
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember
from workers.execution import steps
from workers.execution.job_moves import cancel
from workers.runtime.inline import run_job
from workers.services import Services
from workers.step_results import StepResult

POLICY = Policy(
    quorum=QuorumPolicy(soft_deadline_s=LONGEST_S, hard_deadline_s=LONGEST_S),
    probe=ProbePolicy(writer="ann", reader="ben", judge="cem"),
)
TALK = a_conversation(*TURNS[:4])


class Meeting:
    """Holds calls until those of several prompts are in flight at the same time; what then happens is `then`."""

    def __init__(self, *prompts: str, then: Callable[[], None] = lambda: None, go_on: bool = True) -> None:
        self.open = False
        self._expected = frozenset(prompts)
        self._missing = set(prompts)
        self._then = then
        self._go_on = go_on
        self.met = asyncio.Event()

    async def come(self, prompt: str) -> None:
        """Wait for the others, if this one is expected."""
        if self.open or prompt not in self._expected:
            return
        self._missing.discard(prompt)
        if not self._missing and not self.met.is_set():
            self.met.set()
            self._then()
        await self.met.wait()
        if not self._go_on:
            await asyncio.get_running_loop().create_future()


class MeetingMember(ProbingMember):
    """A member of a meeting."""

    def __init__(self, name: str, meeting: Meeting, *, waits: bool = True) -> None:
        super().__init__(name, FACTS[:16])
        self._meeting = meeting
        self._waits = waits

    async def answer(self, task: MemberTask) -> Reply:
        if self._waits:
            await self._meeting.come(task.prompt.stamp.name)
        return await super().answer(task)


def a_fleet(meeting: Meeting) -> tuple[MeetingMember, ...]:
    """Two members that wait for each other, and one that does not."""
    return (MeetingMember("ann", meeting), MeetingMember("ben", meeting), MeetingMember("cem", meeting, waits=False))


def stages(services: Services, job: Job) -> dict[str, tuple[StepStatus, int]]:
    """Status and attempts of each step."""
    with services.unit_of_work() as work:
        return {step.stage: (step.status, step.attempts) for step in work.jobs.steps(job.id)}


def landed(services: Services, job: Job) -> set[str]:
    """Who has answered the fan-out."""
    with services.unit_of_work() as work:
        return {call.member.name for call in work.jobs.calls(job.id, "fan_out") if call.landed_at is not None}


def asked_twice(members: tuple[MeetingMember, ...]) -> list[str]:
    """Members whose answer landed twice; only what landed is in their prompts."""
    return [one.card.name for one in members if len(one.asked("four_part")) > 1]


def test_two_branches_are_in_flight_at_the_same_time(tmp_path: Path) -> None:
    meeting = Meeting("four_part", "probe_writing")
    with running(tmp_path, a_fleet(meeting)) as services:
        job = a_job(services, TALK, POLICY)
        assert run_job(services, job.id).status in ENDED


def test_ctrl_c_gives_every_branch_back_and_what_landed_is_not_asked_again(tmp_path: Path) -> None:
    waiting = Meeting("four_part", "probe_writing", then=lambda: os.kill(os.getpid(), signal.SIGINT), go_on=False)
    fleet = a_fleet(waiting)
    with running(tmp_path, fleet) as services:
        job = a_job(services, TALK, POLICY)
        with pytest.raises(KeyboardInterrupt):
            run_job(services, job.id)
        found = stages(services, job)
        assert found["fan_out"] == found["question_bank"] == (StepStatus.QUEUED, 0), "no attempt is counted"
        assert landed(services, job) == {"cem"}
        waiting.open = True
        assert run_job(services, job.id).status in ENDED
    assert not asked_twice(fleet)


def test_a_branch_that_breaks_ends_the_others_and_what_landed_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = Meeting("four_part", "probe_writing", go_on=False)
    fleet, broken = a_fleet(waiting), list[str]()
    with running(tmp_path, fleet) as services:
        job = a_job(services, TALK, POLICY)
        does = steps.STEPS["register"]

        def register(given: Services, one: Job) -> StepResult:
            if broken:
                return does(given, one)
            broken.append("once")
            given.run_async(asyncio.wait_for(waiting.met.wait(), LONGEST_S))
            message = "the register broke"
            raise RuntimeError(message)

        monkeypatch.setattr(steps, "STEPS", {**steps.STEPS, "register": register})
        with pytest.raises(RuntimeError, match="the register broke"):
            run_job(services, job.id)
        found = stages(services, job)
        assert found["fan_out"] == found["question_bank"] == (StepStatus.QUEUED, 0)
        assert found["register"] == (StepStatus.QUEUED, 1), "its attempt is counted"
        assert landed(services, job) == {"cem"}
        waiting.open = True
        assert run_job(services, job.id).status in ENDED
    assert not asked_twice(fleet)


@pytest.mark.parametrize("stage", ["fan_out", "question_bank"])
def test_a_step_that_another_process_holds_is_named_and_the_other_branches_are_given_back(
    tmp_path: Path, stage: str
) -> None:
    meeting = Meeting()
    meeting.open = True
    with running(tmp_path, a_fleet(meeting)) as services:
        job = a_job(services, TALK, POLICY)
        with services.unit_of_work() as work:
            held = work.jobs.claim(job.id, stage, "another-host:1:2:3", services.clock.now(), services.settings.lease_s)
            work.commit()
        assert held is not None
        with pytest.raises(StepHeld) as caught:
            run_job(services, job.id)
        assert (caught.value.stage, caught.value.owner) == (stage, "another-host:1:2:3")
        found = stages(services, job)
        others = {one: status for one, (status, _) in found.items() if one != stage}
        assert StepStatus.RUNNING not in others.values()
        assert found[stage][0] is StepStatus.RUNNING
        later = replace(services, clock=FixedClock(INSTANT + timedelta(seconds=services.settings.lease_s + 1)))
        assert run_job(later, job.id).status in ENDED


def test_a_job_that_is_cancelled_ends_with_all_its_branches(tmp_path: Path) -> None:
    with running(tmp_path, fleet := list[MeetingMember]()) as services:
        job = a_job(services, TALK, POLICY)
        waiting = Meeting("four_part", "probe_writing", then=lambda: cancel(services, job.id) and None, go_on=False)
        fleet += a_fleet(waiting)
        assert run_job(services, job.id).status is JobStatus.CANCELLED
        assert StepStatus.DONE not in {
            status for stage, (status, _) in stages(services, job).items() if stage != "register"
        }
        with services.unit_of_work() as work:
            assert work.boundaries.by_job(job.id) is None
