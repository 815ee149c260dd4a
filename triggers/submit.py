"""The only way in: a conversation and a job are stored in one transaction, the doorbell rings after it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from dissolution.conversation import Conversation
from dissolution.errors import BehindBoundary
from dissolution.ids import new_job_id
from dissolution.job import Job, Lane, TenantName
from dissolution.outbox import RING_GRACE_S, Ring
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Clock, JobQueue
from dissolution.ports.store import UnitOfWork, UnitOfWorkFactory
from dissolution.tenancy import tenant_of
from dissolution.values import Frozen


class Request(Frozen):
    """What somebody asks for: dissolve this conversation up to a turn, with this fleet, under this policy."""

    conversation: Conversation
    through: int | None = None
    fleet: str
    policy: Policy
    hold: bool = False  # the job stops before its commit and waits for a person
    tenant: TenantName | None = None  # None: the conversation's
    lane: Lane | None = None  # None: the process that submits the job runs it too


class Submission(Frozen):
    """What was stored: the job, and how many turns of the conversation were new."""

    job: Job
    new_turns: int


def submit(
    request: Request,
    *,
    unit_of_work: UnitOfWorkFactory,
    clock: Clock,
    queue: JobQueue,
    stages: Sequence[str],
    ready: Mapping[str, str] | None = None,
    before: Callable[[UnitOfWork], None] | None = None,
    after: Callable[[UnitOfWork, Job], None] | None = None,
) -> Submission:
    """Extend the stored conversation, store a queued job with one step a stage, and want it rung for.

    `ready` has the queue of each stage that workers may run at once, by stage; nothing is rung for without it. The
    rings are written in the same transaction, so a job that is stored is run, whatever becomes of this process. Only
    the interactive lane is rung for from here, because somebody waits; the relay does the rest.

    `before` and `after` run in the same transaction, first and last: what they write stands or falls with the job.

    The job is fenced on the boundary version that stands now. Raises ChangedPast, UnknownTurn, and BehindBoundary when
    the snapshot ends before the standing boundary does.
    """
    with unit_of_work() as work:
        if before is not None:
            before(work)
        new_turns = work.conversations.extend(request.conversation)
        stored = work.conversations.get(request.conversation.id)
        snapshot = stored.snapshot(request.through if request.through is not None else len(request.conversation.turns))
        standing = work.boundaries.current(stored.id)
        if standing is not None and snapshot.through < standing.through:
            raise BehindBoundary(stored.id, snapshot.through, standing.through)
        job = Job(
            id=new_job_id(),
            conversation=stored.id,
            through=snapshot.through,
            snapshot_digest=snapshot.digest,
            fleet=request.fleet,
            policy=request.policy.made_now(),
            expected_version=work.boundaries.version(stored.id),
            hold=request.hold,
            tenant=request.tenant or tenant_of(stored.id),
            lane=request.lane,
            created_at=clock.now(),
        )
        work.jobs.add(job, stages)
        work.jobs.record(job.id, job.created_at, "job_queued")
        rings = [Ring(job=job.id, stage=stage, queue=queue_name) for stage, queue_name in (ready or {}).items()]
        work.outbox.want(dict.fromkeys(rings, job.created_at + grace_of(request.lane)), job.created_at)
        if after is not None:
            after(work, job)
        work.commit()
    if request.lane is Lane.INTERACTIVE:
        for ring in rings:
            queue.ring(ring)
    return Submission(job=job, new_turns=new_turns)


def grace_of(lane: Lane | None) -> timedelta:
    """How long the relay leaves the first rings of a job to the process that submits it."""
    return timedelta(seconds=RING_GRACE_S if lane is Lane.INTERACTIVE else 0)
