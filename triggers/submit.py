"""The only way in: a conversation and a job are stored in one transaction, the doorbell rings after it."""

from collections.abc import Sequence

from dissolution.conversation import Conversation
from dissolution.errors import BehindBoundary
from dissolution.ids import new_job_id
from dissolution.job import Job
from dissolution.policy import Policy
from dissolution.ports import Clock, JobQueue
from dissolution.store_ports import UnitOfWorkFactory
from dissolution.values import Frozen


class Request(Frozen):
    """What somebody asks for: dissolve this conversation up to a turn, with this fleet, under this policy."""

    conversation: Conversation
    through: int | None = None
    fleet: str
    policy: Policy


class Submission(Frozen):
    """What was stored: the job, and how many turns of the conversation were new."""

    job: Job
    new_turns: int


def submit(
    request: Request, *, unit_of_work: UnitOfWorkFactory, clock: Clock, queue: JobQueue, stages: Sequence[str]
) -> Submission:
    """Extend the stored conversation, store a queued job with one step a stage, then ring for the first stage.

    The job is fenced on the boundary version that stands now. Raises ChangedPast, UnknownTurn, and BehindBoundary when
    the snapshot ends before the standing boundary does.
    """
    with unit_of_work() as work:
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
            policy=request.policy,
            expected_version=work.boundaries.version(stored.id),
            created_at=clock.now(),
        )
        work.jobs.add(job, stages)
        work.jobs.record(job.id, clock.now(), "job_queued")
        work.commit()
    queue.ring(job.id, stages[0])
    return Submission(job=job, new_turns=new_turns)
