"""Outbox in memory; see `store.sql.outbox` for what each method promises."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from dissolution.ids import JobId
from dissolution.job import LIVE, JobStatus, Step, StepStatus
from dissolution.outbox import OutboxRow, QueueCount, Ring, Waiting, fair_order
from store.memory_state import State
from store.sql.outbox import MOST_DOUBLINGS
from store.tables.columns import utc


class MemoryOutbox:
    """Rings in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def put(self, ring: Ring, at: datetime, due_at: datetime) -> None:
        """Want the ring sent at `due_at`; one that stands already is put off, or brought forward, to then."""
        standing = self._state.outbox.get((ring.job, ring.stage))
        made = OutboxRow(ring=ring, created_at=utc(at), due_at=utc(due_at))
        changes = {"ring": ring, "due_at": utc(due_at), "sent_at": None}
        self._state.outbox[ring.job, ring.stage] = standing.model_copy(update=changes) if standing else made

    def want(self, rings: Mapping[Ring, datetime], at: datetime) -> tuple[Ring, ...]:
        """Want each ring sent at its moment; one that stands already is left as it is. Those that did not stand."""
        new = tuple(ring for ring in rings if (ring.job, ring.stage) not in self._state.outbox)
        for ring in new:
            self.put(ring, at, rings[ring])
        return new

    def settle(self, job: JobId, stage: str) -> None:
        """The step is over: nothing is to be sent for it any more. No error when nothing was."""
        self._state.outbox.pop((job, stage), None)

    def follow(self, job: JobId, stage: str, rings: Mapping[Ring, datetime], at: datetime) -> tuple[Ring, ...]:
        """As `settle` and `want`."""
        self.settle(job, stage)
        return self.want(rings, at)

    def of_job(self, job: JobId) -> tuple[OutboxRow, ...]:
        """The rings of a job, oldest first."""
        return tuple(self._shown(row) for row in self._state.outbox.values() if row.ring.job == job)

    def take(self, queue: str, at: datetime, limit: int, resend_s: float) -> tuple[Ring, ...]:
        """The rings of a queue to be sent now, in their fair order; they count as sent."""
        now = utc(at)
        due = [row for row in self._live() if row.ring.queue == queue and row.due_at <= now and self._ready(row, now)]
        numbered = {number: row for number, row in enumerate(self._state.outbox.values()) if row in due}
        waiting = [Waiting(*self._load(row), row.due_at, number) for number, row in numbered.items()]
        taken = [numbered[one.number] for one in fair_order(waiting, self._in_hand(queue, now))][:limit]
        for row in taken:
            wait = timedelta(seconds=resend_s * 2 ** min(row.attempts, MOST_DOUBLINGS))
            changes = {"sent_at": now, "due_at": now + wait, "attempts": row.attempts + 1}
            self._state.outbox[row.ring.job, row.ring.stage] = row.model_copy(update=changes)
        return tuple(row.ring for row in taken)

    def at_work(self, tenant: str, queues: Collection[str], at: datetime) -> int:
        """How many steps of a tenant, of these queues, run under a lease that holds."""
        held = (row for row in self._live() if row.ring.queue in queues and self._holds(self._step(row), utc(at)))
        return sum(self._load(row)[0] == tenant for row in held)

    def held(self, at: datetime, limit: int) -> tuple[OutboxRow, ...]:
        """Rings whose step runs under a lease that holds, the one that ends first before all others."""
        held = [row for row in self._live() if self._holds(self._step(row), utc(at))]
        return tuple(self._shown(row) for row in sorted(held, key=self._lease_end))[:limit]

    def bring_forward(self, at: datetime, *, job: JobId | None = None, stage: str | None = None) -> int:
        """Make what was sent due now; all of it, or one job's or step's. Returns how many."""
        changed = 0
        for key, row in tuple(self._state.outbox.items()):
            chosen = job in {None, row.ring.job} and stage in {None, row.ring.stage}
            if chosen and row.sent_at is not None and row.due_at > utc(at):
                self._state.outbox[key] = row.model_copy(update={"due_at": utc(at)})
                changed += 1
        return changed

    def rein_in(self, at: datetime, *, lease_s: float, wait_s: float) -> int:
        """Bound what a clock that was set back has left far in the future; how many leases and rings."""
        now, length, changed = utc(at), timedelta(seconds=lease_s), 0
        for place, step in tuple(self._state.steps.items()):
            if self._holds(step, now + 2 * length):
                self._state.steps[place] = step.model_copy(update={"lease_until": now + length})
                changed += 1
        for key, row in tuple(self._state.outbox.items()):
            begins = now + timedelta(seconds=wait_s) if row.sent_at is None else now
            if row.due_at > begins and (row.sent_at is None or row.sent_at > now + length):
                self._state.outbox[key] = row.model_copy(update={"due_at": now})
                changed += 1
        return changed

    def strays(self, limit: int) -> tuple[str, ...]:
        """Jobs that wait for workers, have not ended, are not held, and have no ring."""
        rung = {job for job, _ in self._state.outbox}
        live = (job for job in self._state.jobs.values() if job.lane is not None and job.status in LIVE)
        return tuple(sorted(job.id for job in live if job.id not in rung))[:limit]

    def queues(self, at: datetime) -> tuple[QueueCount, ...]:
        """How each queue stands, by name; queues without a ring are left out."""
        return tuple(self._count(queue, utc(at)) for queue in sorted({row.ring.queue for row in self._live()}))

    def job_counts(self) -> Mapping[JobStatus, int]:
        """How many jobs there are of each status; statuses without a job are left out."""
        return Counter(job.status for job in self._state.jobs.values())

    def _count(self, queue: str, now: datetime) -> QueueCount:
        rows = [row for row in self._live() if row.ring.queue == queue]
        steps = [self._step(row) for row in rows]
        waiting = [row for row, step in zip(rows, steps, strict=True) if step.status is StepStatus.QUEUED]
        running = [step for step in steps if step.status is StepStatus.RUNNING]
        return QueueCount(
            queue=queue,
            waiting=len(waiting),
            running=sum(self._holds(step, now) for step in running),
            expired=sum(not self._holds(step, now) for step in running),
            oldest_at=min((row.created_at for row in waiting), default=None),
        )

    def _load(self, row: OutboxRow) -> tuple[str, int]:
        """Whose it is, and the expected work."""
        job = self._state.jobs[row.ring.job]
        return job.tenant, job.through

    def _in_hand(self, queue: str, now: datetime) -> Counter[str]:
        """The expected work of what each tenant has at work, or sent and not taken up."""
        found: Counter[str] = Counter()
        for row in self._live():
            step = self._step(row)
            sent = step.status is StepStatus.QUEUED and row.sent_at is not None and row.due_at > now
            if row.ring.queue == queue and (sent or self._holds(step, now)):
                tenant, work = self._load(row)
                found[tenant] += work
        return found

    def _live(self) -> list[OutboxRow]:
        return [row for row in self._state.outbox.values() if self._state.jobs[row.ring.job].status in LIVE]

    def _step(self, row: OutboxRow) -> Step:
        return self._state.steps[row.ring.job, row.ring.stage]

    def _ready(self, row: OutboxRow, now: datetime) -> bool:
        step = self._step(row)
        return step.status is StepStatus.QUEUED or (step.status is StepStatus.RUNNING and not self._holds(step, now))

    def _holds(self, step: Step, now: datetime) -> bool:
        return step.status is StepStatus.RUNNING and step.lease_until is not None and step.lease_until > now

    def _lease_end(self, row: OutboxRow) -> datetime:
        until = self._step(row).lease_until
        return row.created_at if until is None else until

    def _shown(self, row: OutboxRow) -> OutboxRow:
        step = self._step(row)
        return row.model_copy(update={"owner": step.owner if step.status is StepStatus.RUNNING else None})
