"""Steps as workers run them: delivered at any time, twice, in any order; cancelled, poisoned, given back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from devtools.clock import FixedClock
from devtools.scripted import Crash, Delay, Say
from dissolution.conversation import Conversation
from dissolution.errors import InvalidRoster, LeaseLost, StoreUnavailable
from dissolution.job import Job, JobStatus, Lane, Step, StepStatus
from dissolution.outbox import Ring
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from tests.factories import INSTANT, a_conversation
from tests.running import Deaths, Killed, a_job, a_member, running
from workers.execution import steps
from workers.execution.job_moves import cancel
from workers.execution.steps import finish, run_step
from workers.pipeline import STAGE_NAMES, QueueClass, queue_name
from workers.services import Services
from workers.step_results import ParseReport, StepResult

ANSWER = (
    "KNOWN\n- We deploy on Tuesday. [turn 1]\nDECIDED\n- We use PostgreSQL. [turn 2]\nEDGES\nnone\nIDENTITY\nnone\n"
)
TALK = a_conversation("We deploy on Tuesday.", "We use PostgreSQL.")
MEMBERS = (a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER)))


class Bell:
    """Remembers what was rung for."""

    def __init__(self) -> None:
        self.rings: list[Ring] = []

    def ring(self, ring: Ring) -> None:
        self.rings.append(ring)

    @property
    def stages(self) -> list[str]:
        return [ring.stage for ring in self.rings]


class Own:
    """A process that goes on with these stages by itself."""

    def __init__(self, *stages: str) -> None:
        self.stages = stages

    def __call__(self, ring: Ring) -> bool:
        return ring.stage in self.stages


def queued(services: Services, talk: Conversation = TALK) -> Job:
    return a_job(services, talk, lane=Lane.BATCH)


def steps_of(services: Services, job: str) -> dict[str, Step]:
    with services.unit_of_work() as work:
        return {step.stage: step for step in work.jobs.steps(job)}


def rung(services: Services, job: str) -> list[str]:
    with services.unit_of_work() as work:
        return [row.ring.stage for row in work.outbox.of_job(job)]


def after(services: Services, seconds: float) -> Services:
    """The same services so much later, in another process."""
    now = services.clock.now() + timedelta(seconds=seconds)
    return replace(services, clock=FixedClock(now), owner="another")


def test_completing_a_step_rings_exactly_what_became_ready(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as silent:
        bell = Bell()
        services = replace(silent, bell=bell)
        job = queued(services).id
        assert rung(services, job) == ["fan_out", "register", "question_bank"]
        expected = {
            "register": [],
            "fan_out": ["parse"],
            "parse": [],
            "question_bank": ["consensus", "history_arm"],
            "history_arm": [],
            "consensus": ["frame_audit"],
            "frame_audit": ["candidate_arm"],
            "candidate_arm": ["gate"],
            "gate": ["repair"],
            "repair": ["commit"],
            "commit": [],
        }
        for stage, wanted in expected.items():
            bell.rings.clear()
            assert run_step(services, job, stage)
            assert bell.stages == wanted
            assert stage not in rung(services, job)
        with services.unit_of_work() as work:
            assert work.jobs.get(job).status is JobStatus.COMMITTED
        assert rung(services, job) == []


def test_a_process_goes_on_with_what_is_its_own_and_nobody_is_told_of_it(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as silent:
        bell = Bell()
        own = replace(silent, bell=bell, goes_on=Own("history_arm", "frame_audit", "gate"))
        job = queued(own).id
        assert run_step(own, job, "question_bank")
        assert bell.stages == []
        assert steps_of(own, job)["history_arm"].status is StepStatus.DONE
        assert rung(own, job) == ["fan_out", "register"]
        for stage in ("fan_out", "register", "parse"):
            assert run_step(own, job, stage)
        assert bell.stages == ["parse", "consensus"]
        assert run_step(own, job, "consensus")
        assert bell.stages == ["parse", "consensus", "candidate_arm"]
        assert (steps_of(own, job)["frame_audit"].status, rung(own, job)) == (StepStatus.DONE, ["candidate_arm"])
        with own.unit_of_work() as work:
            told = [(event.kind, event.detail) for event in work.jobs.events(job)]
        assert told[-3:-1] == [("step_done", "consensus"), ("step_started", "frame_audit")]


def test_what_a_dead_process_went_on_with_is_rung_for_when_its_lease_has_run_out(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        claimed = steps.claim(services, job, "question_bank")
        assert claimed is not None
        lease_s = services.settings.lease_s
        sealed = steps.STEPS["question_bank"](services, claimed.job)
        following = finish(replace(services, goes_on=Own("history_arm")), claimed.lease, sealed)
        assert following is not None
        assert (following.lease.stage, following.lease.owner) == ("history_arm", services.owner)
        steps.IN_HAND.discard(following.lease)  # as when its process died at this line
        queue, now = queue_name(QueueClass.IO, Lane.BATCH), services.clock.now()
        with services.unit_of_work() as work:
            before = work.outbox.take(queue, now + timedelta(seconds=lease_s - 1), 10, 15)
            then = work.outbox.take(queue, now + timedelta(seconds=lease_s + 1), 10, 15)
        assert "history_arm" not in [ring.stage for ring in before]
        assert "history_arm" in [ring.stage for ring in then]
        later = after(services, lease_s + 1)
        assert run_step(later, job, "history_arm")
        assert steps_of(later, job)["history_arm"].attempts == 2


def test_nobody_goes_on_to_the_commit_of_a_job_that_is_held(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as silent:
        services = replace(silent, bell=(bell := Bell()), goes_on=Own("commit"))
        job = queued(services).id
        with services.unit_of_work() as work:
            work.jobs.set_hold(job, True)
            work.commit()
        for stage in STAGE_NAMES[:-1]:
            assert run_step(services, job, stage)
        assert bell.stages[-1] == "commit"
        assert steps_of(services, job)["commit"].status is StepStatus.QUEUED


def test_rings_go_to_the_queue_of_their_class_and_lane(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as silent:
        services = replace(silent, bell=Bell())
        job = queued(services).id
        run_step(services, job, "fan_out")
        with services.unit_of_work() as work:
            queues = {row.ring.stage: row.ring.queue for row in work.outbox.of_job(job)}
        assert queues["register"] == queue_name(QueueClass.IO, Lane.BATCH)
        assert queues["parse"] == queue_name(QueueClass.CPU, Lane.BATCH)


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_a_message_for_a_step_whose_turn_has_not_come_does_nothing(tmp_path: Path, stage: str) -> None:
    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        ready = stage in {"fan_out", "register", "question_bank"}
        assert run_step(services, job, stage) is ready
        assert steps_of(services, job)[stage].attempts == int(ready)
        assert run_step(services, job, "no_such_stage") is False


def test_every_message_delivered_twice_and_backwards_gives_one_boundary(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        for _ in STAGE_NAMES:
            for stage in (*reversed(STAGE_NAMES), *STAGE_NAMES):
                run_step(services, job, stage)
        with services.unit_of_work() as work:
            assert work.boundaries.version(TALK.id) == 1
            kinds = [event.kind for event in work.jobs.events(job)]
        assert kinds.count("boundary_committed") == 1
        assert [member.asked for member in MEMBERS] != []
        assert {step.attempts for step in steps_of(services, job).values()} == {1}


@pytest.mark.slow  # a whole job for each commit at which it may die
def test_a_process_that_dies_at_any_commit_loses_nothing_for_workers(tmp_path: Path) -> None:
    """Every step is run to its end by whoever rings next; what died is taken over when its lease has run out."""
    die_at_commits(tmp_path, going_on=False)


@pytest.mark.slow  # a whole job for each commit at which it may die
def test_nor_does_one_that_goes_on_with_the_next_step_by_itself(tmp_path: Path) -> None:
    die_at_commits(tmp_path, going_on=True)


def die_at_commits(tmp_path: Path, *, going_on: bool) -> None:
    for moment in ("before", "after"):
        for place in range(1, 48, 5):  # each single one is died at in tests/acceptance, by the inline runner
            folder = tmp_path / f"{moment}-{place}"
            folder.mkdir()
            members = (a_member("a", Say(ANSWER)), a_member("b", Say(ANSWER)))
            with running(folder, members) as alone:
                services = replace(alone, goes_on=Own(*STAGE_NAMES if going_on else ()))
                job = queued(services).id
                deaths = Deaths(place, moment)
                with_death = deaths.around(services)
                try:
                    for stage in STAGE_NAMES:
                        run_step(with_death, job, stage)
                except Killed:
                    later = after(services, services.settings.lease_s + 1)
                    for _ in range(3):
                        for stage in STAGE_NAMES:
                            run_step(later, job, stage)
                with services.unit_of_work() as work:
                    assert work.jobs.get(job).status is JobStatus.COMMITTED, (moment, place)
                    assert work.boundaries.version(TALK.id) == 1
                    assert work.outbox.of_job(job) == ()
                assert all(member.asked <= 2 for member in members)
                if not deaths.dead:
                    break


def test_a_cancelled_job_keeps_what_its_running_step_brings_and_changes_no_more(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        claimed = steps.claim(services, job, "fan_out")
        assert claimed is not None
        cancel(services, job)
        with pytest.raises(LeaseLost), services.unit_of_work() as work:
            work.jobs.renew(claimed[1], services.clock.now(), 60)
        effects: list[str] = []
        report = ParseReport(usable=0, families=(), statements=0)
        finish(services, claimed[1], StepResult(output=report, note="", effect=lambda _: effects.append("made")))
        with services.unit_of_work() as work:
            assert work.jobs.get(job).status is JobStatus.CANCELLED
        assert (effects, rung(services, job)) == ([], [])
        assert steps_of(services, job)["fan_out"].status is StepStatus.DONE
        assert not run_step(services, job, "register")


def test_a_step_that_every_process_dies_at_is_dead_at_the_cap(tmp_path: Path) -> None:
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing", max_attempts=3)
    with running(tmp_path, MEMBERS, settings) as services:
        job = queued(services).id
        for attempt in range(settings.max_attempts):
            assert steps.claim(after(services, attempt * (settings.lease_s + 1)), job, "fan_out") is not None
        assert steps.claim(after(services, 1000), job, "fan_out") is None
        step = steps_of(services, job)["fan_out"]
        assert (step.status, step.reason) == (StepStatus.DEAD, "every process that tried it ended at it (3 times)")
        with services.unit_of_work() as work:
            ended = work.jobs.get(job)
            assert work.boundaries.receipt(job) is not None
        assert ended.status is JobStatus.FAILED
        assert ended.reason == "step fan_out is dead: every process that tried it ended at it (3 times)"


def test_a_job_that_its_maker_runs_may_be_interrupted_as_often_as_he_likes(tmp_path: Path) -> None:
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing", max_attempts=2)
    with running(tmp_path, MEMBERS, settings) as services:
        job = a_job(services, TALK).id
        for attempt in range(6):
            assert steps.claim(after(services, attempt * (settings.lease_s + 1)), job, "fan_out") is not None


@pytest.mark.parametrize(
    ("error", "attempts", "wait_s"),
    [
        (KeyboardInterrupt(), 0, 0),
        (StoreUnavailable("db", "away"), 0, 2),
        (InvalidRoster("fleet", "mend it"), 1, 2),
        (ValueError("secret words of a conversation"), 1, 2),
    ],
)
def test_a_step_given_back_rests_before_it_is_rung_for_again(
    tmp_path: Path, error: BaseException, attempts: int, wait_s: float
) -> None:
    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        claimed = steps.claim(services, job, "fan_out")
        assert claimed is not None
        steps.give_back(services, claimed.job, claimed.lease, error)
        step = steps_of(services, job)["fan_out"]
        assert (step.status, step.attempts) == (StepStatus.QUEUED, attempts)
        assert "secret" not in str(step.reason)
        with services.unit_of_work() as work:
            (row,) = [row for row in work.outbox.of_job(job) if row.ring.stage == "fan_out"]
        assert row.due_at == INSTANT + timedelta(seconds=wait_s)


def broken(services: Services, job: str, times: int) -> Sequence[Step]:
    for _ in range(times):
        with pytest.raises(ValueError, match="words"):
            run_step(services, job, "parse")
    return tuple(steps_of(services, job).values())


def test_a_step_that_breaks_again_and_again_is_dead_and_its_job_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_services: Services, _job: Job) -> StepResult:
        raise ValueError("words of a conversation")

    monkeypatch.setattr(steps, "STEPS", {**steps.STEPS, "parse": breaks})
    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        run_step(services, job, "fan_out")
        broken(services, job, services.settings.max_attempts)
        parse = steps_of(services, job)["parse"]
        assert (parse.status, parse.reason) == (StepStatus.DEAD, "ValueError")
        assert rung(services, job) == []
        with services.unit_of_work() as work:
            assert work.jobs.get(job).status is JobStatus.FAILED


def test_a_failing_member_is_stored_once_and_no_fault_of_the_step(tmp_path: Path) -> None:
    members = (a_member("a", Crash()), a_member("b", Say(ANSWER)), a_member("c", Say(ANSWER)))
    with running(tmp_path, members) as services:
        job = queued(services).id
        assert run_step(services, job, "fan_out")
        assert not run_step(services, job, "fan_out")
        assert [member.asked for member in members] == [1, 1, 1]


@pytest.mark.parametrize(("stragglers", "late"), [("cancel", False), ("keep", True)])
def test_once_the_quorum_stands_stragglers_are_cancelled_or_kept_as_late(
    tmp_path: Path, stragglers: Literal["cancel", "keep"], *, late: bool
) -> None:
    quorum = QuorumPolicy(soft_deadline_s=0.05, hard_deadline_s=20, stragglers=stragglers)
    members = (*(a_member(name, Say(ANSWER)) for name in "ab"), a_member("slow", Delay(0.3, Say(ANSWER))))
    with running(tmp_path, members) as services:
        job = a_job(services, TALK, Policy(quorum=quorum), lane=Lane.BATCH).id
        assert run_step(services, job, "fan_out")
        assert run_step(services, job, "parse")
        with services.unit_of_work() as work:
            calls = {call.member.name: call for call in work.jobs.calls(job, "fan_out")}
        slow = calls["slow"]
        assert (slow.late, slow.reply is not None) == (late, late)
        assert (slow.failure is not None and slow.failure.error_class.value) == (False if late else "cancelled")
        assert '"usable":2' in str(steps_of(services, job)["parse"].output)


def test_a_job_is_held_when_it_comes_to_its_commit_and_not_by_a_message_that_comes_early(tmp_path: Path) -> None:
    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        with services.unit_of_work() as work:
            work.jobs.set_hold(job, True)
            work.commit()
        for stage in STAGE_NAMES[:-1]:
            assert not run_step(services, job, "commit")
            with services.unit_of_work() as work:
                assert work.jobs.get(job).status is not JobStatus.HELD
            assert run_step(services, job, stage)
        assert not run_step(services, job, "commit")
        with services.unit_of_work() as work:
            assert work.jobs.get(job).status is JobStatus.HELD
            assert work.outbox.of_job(job) == ()


def test_a_job_that_was_held_is_rung_for_when_it_goes_on(tmp_path: Path) -> None:
    def hold(work: UnitOfWork, job: str, status: JobStatus) -> None:
        work.jobs.move(job, status, INSTANT)
        work.commit()

    with running(tmp_path, MEMBERS) as services:
        job = queued(services).id
        run_step(services, job, "register")
        with services.unit_of_work() as work:
            hold(work, job, JobStatus.HELD)
        assert not run_step(services, job, "fan_out")
        with services.unit_of_work() as work:
            hold(work, job, JobStatus.RUNNING)
        assert run_step(services, job, "fan_out")
