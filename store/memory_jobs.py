"""JobStore in memory; see `store.sql.jobs`, `store.sql.steps` and `store.sql.calls` for what each method promises."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from dissolution.answers import Answer, Call, MemberFailure, Reply
from dissolution.conversation import chained_digests
from dissolution.errors import IllegalMove, LeaseLost, NotFound
from dissolution.ids import JobId
from dissolution.job import ENDED, LIVE, STEPS_OVER, Job, JobEvent, JobStatus, Lease, Step, StepStatus, check_job_move
from store.memory_money import MemoryMoney
from store.memory_service import MemoryWebhooks
from store.memory_state import State
from store.rules.checks import CALL, UNTRIED, call_name, check_call, check_job, check_stages, refuse_landed
from store.tables.columns import utc

_JOB = "job"


class MemoryJobs:
    """Jobs, steps, calls and answers in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def add(self, job: Job, stages: Sequence[str]) -> None:
        """Store a queued job with one queued step a stage. Raises IllegalMove, SnapshotMismatch."""
        taken = self._state.jobs.get(job.id)
        if taken is not None:
            raise IllegalMove(_JOB, job.id, taken.status, JobStatus.QUEUED)
        conversation = self._state.conversations.get(job.conversation)
        turns = conversation.turns if conversation else ()
        check_job(job, chained_digests(turns)[job.through - 1] if job.through <= len(turns) else None)
        self._state.jobs[job.id] = job
        for stage in stages:
            self._state.steps[job.id, stage] = Step(job=job.id, stage=stage)

    def get(self, job: JobId) -> Job:
        """The job. Raises NotFound."""
        if job not in self._state.jobs:
            raise NotFound(_JOB, job)
        return self._state.jobs[job]

    def find(self, prefix: str) -> tuple[Job, ...]:
        """Jobs whose id starts with `prefix`, or whose conversation is exactly `prefix`; newest first."""
        return tuple(job for job in reversed(self._by_age()) if job.id.startswith(prefix) or job.conversation == prefix)

    def unfinished(self, limit: int | None = None) -> tuple[Job, ...]:
        """Jobs that have not ended, oldest first; at most `limit` of them, if one is given."""
        return tuple(job for job in self._by_age() if job.status not in ENDED)[:limit]

    def move(self, job: JobId, status: JobStatus, at: datetime, reason: str | None = None) -> Job:
        """Change a job's status. Raises IllegalMove, NotFound."""
        ended_at = utc(at) if status in ENDED else None
        present = self.get(job)
        check_job_move(job, present.status, status)
        moved = present.model_copy(update={"status": status, "reason": reason, "ended_at": ended_at})
        self._state.jobs[job] = moved
        if status in ENDED:
            for key in [key for key in self._state.outbox if key[0] == job]:
                del self._state.outbox[key]
            MemoryMoney(self._state).close(job, at)
        MemoryWebhooks(self._state).announce(moved, status, at)
        return moved

    def set_hold(self, job: JobId, hold: bool) -> Job:  # noqa: FBT001 - one value of one named setting
        """Say whether a job waits for a person before its commit. Raises NotFound, IllegalMove."""
        return self._change(job, {"hold": hold}, JobStatus.HELD)

    def reopen(self, job: JobId, stages: Sequence[str], at: datetime, expected_version: int) -> Job:
        """Put done and dead steps back to queued, on another version of the ledger. Raises NotFound, IllegalMove."""
        utc(at)
        changed = self._change(job, {"expected_version": expected_version}, JobStatus.RUNNING)
        check_stages(job, stages, [step.stage for step in self.steps(job)])
        for stage in stages:
            step = self._state.steps[job, stage]
            if step.status in STEPS_OVER:
                self._state.steps[job, stage] = step.model_copy(update=UNTRIED)
        return changed

    def _change(self, job: JobId, values: dict[str, object], wanted: JobStatus) -> Job:
        present = self.get(job)
        if present.status in ENDED:
            raise IllegalMove(_JOB, job, present.status, wanted)
        self._state.jobs[job] = present.model_copy(update=values)
        return self._state.jobs[job]

    def steps(self, job: JobId) -> tuple[Step, ...]:
        """The steps of a job in the order they were added."""
        return tuple(step for step in self._state.steps.values() if step.job == job)

    def claim(self, job: JobId, stage: str, owner: str, at: datetime, lease_s: float) -> Lease | None:
        """Take a step that is queued, or whose lease ran out by `at`; None when it is not to be had."""
        now, until = utc(at), utc(at) + timedelta(seconds=lease_s)
        step = self._state.steps.get((job, stage))
        if step is None or step.status in STEPS_OVER:
            return None
        if self._state.jobs[job].status not in LIVE:
            return None
        if step.lease_until is not None and step.lease_until > now:
            return None
        changes = {
            "status": StepStatus.RUNNING,
            "epoch": step.epoch + 1,
            "attempts": step.attempts + 1,
            "owner": owner,
            "lease_until": until,
            "started_at": step.started_at or now,
            "reason": None,
        }
        self._state.steps[job, stage] = step.model_copy(update=changes)
        return Lease(job=job, stage=stage, epoch=step.epoch + 1, owner=owner, until=until)

    def renew(self, lease: Lease, at: datetime, lease_s: float) -> Lease:
        """Hold on for `lease_s` more seconds from `at`. Raises LeaseLost."""
        until = utc(at) + timedelta(seconds=lease_s)
        if lease.job not in self._state.jobs or self._state.jobs[lease.job].status in ENDED:
            raise LeaseLost(lease.job, lease.stage, lease.epoch)
        self._under(lease, {"lease_until": until})
        return lease.model_copy(update={"until": until})

    def renew_all(self, leases: Sequence[Lease], at: datetime, lease_s: float) -> tuple[Lease, ...]:
        """As `renew` for many at once; those that are still held, and nothing of the others."""
        utc(at)
        held: list[Lease] = []
        for lease in leases:
            with suppress(LeaseLost):
                held.append(self.renew(lease, at, lease_s))
        return tuple(held)

    def ended(self, jobs: Collection[JobId]) -> frozenset[JobId]:
        """Which of these jobs have ended."""
        stored = self._state.jobs
        return frozenset(job for job in jobs if job in stored and stored[job].status in ENDED)

    def complete(self, lease: Lease, at: datetime, output: str) -> None:
        """Finish a step with its output. Raises LeaseLost."""
        self._under(lease, {"status": StepStatus.DONE, "output": output, "ended_at": utc(at), "lease_until": None})

    def release(self, lease: Lease, at: datetime, reason: str, *, counted: bool = True) -> None:
        """Give a step back as queued; an attempt that does not count is taken off again. Raises LeaseLost."""
        utc(at)
        changes: dict[str, object] = {
            "status": StepStatus.QUEUED,
            "reason": reason,
            "owner": None,
            "lease_until": None,
        }
        if not counted:
            changes["attempts"] = self._state.steps[lease.job, lease.stage].attempts - 1
        self._under(lease, changes)

    def bury(self, lease: Lease, at: datetime, reason: str) -> None:
        """Declare a step dead with its reason. Raises LeaseLost."""
        self._under(lease, {"status": StepStatus.DEAD, "reason": reason, "ended_at": utc(at), "lease_until": None})

    def begin_calls(self, calls: Sequence[Call]) -> None:
        """As `begin_call` for several at once."""
        for call in calls:
            self.begin_call(call)

    def begin_call(self, call: Call) -> None:
        """Record that a member is about to be asked. Raises IllegalMove, NotFound."""
        check_call(call)
        if (call.job, call.stage) not in self._state.steps:
            kind = "step"
            raise NotFound(kind, f"{call.job}/{call.stage}")
        key = (call.job, call.stage, call.member.name, call.ordinal)
        before = self._state.calls.get(key)
        if before is not None and before.landed_at is not None:
            refuse_landed(call)
        self._state.calls[key] = call.model_copy(update={"late": False})

    def land_call(
        self,
        *,
        job: JobId,
        stage: str,
        member: str,
        ordinal: int,
        at: datetime,
        result: Reply | MemberFailure,
        late: bool,
    ) -> None:
        """Store a reply or failure; what has landed keeps its first result. Raises NotFound."""
        landed_at = utc(at)
        key = (job, stage, member, ordinal)
        call = self._state.calls.get(key)
        if call is None:
            raise NotFound(CALL, call_name(job, stage, member, ordinal))
        if call.landed_at is None:
            name = "reply" if isinstance(result, Reply) else "failure"
            self._state.calls[key] = call.model_copy(update={name: result, "landed_at": landed_at, "late": late})

    def end_calls(
        self, job: JobId, stage: str, places: Sequence[tuple[str, int]], at: datetime, failure: MemberFailure
    ) -> None:
        """As `land_call` with one failure for several calls of a step, by member and ordinal."""
        for member, ordinal in places:
            self.land_call(job=job, stage=stage, member=member, ordinal=ordinal, at=at, result=failure, late=False)

    def calls(self, job: JobId, stage: str | None = None) -> tuple[Call, ...]:
        """All calls of one step, or of all, by member name and ordinal."""
        found = (call for call in self._state.calls.values() if call.job == job and stage in {None, call.stage})
        return tuple(sorted(found, key=lambda call: (call.member.name, call.ordinal)))

    def save_answers(self, job: JobId, answers: Sequence[Answer], *, first: bool = False) -> None:  # noqa: ARG002
        """Store what was parsed; replaces an earlier attempt's. Raises NotFound."""
        self.get(job)
        self._state.answers[job] = tuple(answers)

    def answers(self, job: JobId) -> tuple[Answer, ...]:
        """The parsed answers of a job, by member name."""
        return tuple(sorted(self._state.answers.get(job, ()), key=lambda answer: answer.member.name))

    def record(self, job: JobId, at: datetime, kind: str, detail: str = "") -> None:
        """Append an event; events of one job are numbered from 1. Raises NotFound."""
        self.get(job)
        events = self._state.events.get(job, ())
        event = JobEvent(job=job, number=len(events) + 1, at=utc(at), kind=kind, detail=detail)
        self._state.events[job] = (*events, event)

    def events(self, job: JobId, after: int = 0) -> tuple[JobEvent, ...]:
        """Events with a number above `after`, in order."""
        return tuple(event for event in self._state.events.get(job, ()) if event.number > after)

    def _under(self, lease: Lease, changes: dict[str, object]) -> None:
        step = self._state.steps.get((lease.job, lease.stage))
        if step is None or step.status is not StepStatus.RUNNING or step.epoch != lease.epoch:
            raise LeaseLost(lease.job, lease.stage, lease.epoch)
        self._state.steps[lease.job, lease.stage] = step.model_copy(update=changes)

    def _by_age(self) -> list[Job]:
        return sorted(self._state.jobs.values(), key=lambda job: (job.created_at, job.id))
