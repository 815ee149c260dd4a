"""Cycles: what a job on a conversation that has a boundary builds on, and what its members are shown of it."""

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim
from dissolution.conversation import Snapshot
from dissolution.errors import BehindBoundary
from dissolution.job import Job
from dissolution.ledger import Query
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWork
from prompts.held import HeldState, held_state
from workers.services import Services
from workers.step_results import FanOutReport, step_output

CYCLE_WORDS_FROM = 2
"""Four-part prompts from this version on number the turns; before it the rolling prompt is the dissertation's too."""

MOST_ENDED = 1000
"""Closed claims, newest first, among which one that comes back is looked for."""


def prior_boundary(work: UnitOfWork, job: Job) -> BoundaryState | None:
    """The boundary that the job builds on, as it stood in the version the job is fenced on; None when there is none."""
    return boundary_at(work, job.conversation, job.expected_version)


def boundary_at(work: UnitOfWork, conversation: str, version: int) -> BoundaryState | None:
    """The boundary as it stood in a version of the ledger; None for version 0. Raises NotFound."""
    if version == 0:
        return None
    present = work.boundaries.current(conversation)
    if present is None or present.version == version:
        return present
    return work.ledger.at_version(conversation, version)


def ended_claims(work: UnitOfWork, job: Job) -> tuple[Claim, ...]:
    """Claims of the conversation that were closed before, newest first and not more than 1000."""
    if job.expected_version == 0:
        return ()
    found = work.ledger.recall(job.conversation, Query(open_only=False, limit=MOST_ENDED))
    return tuple(claim for claim in found if claim.closing is not None)


def rebased(services: Services, work: UnitOfWork, job: Job) -> Job:
    """The job on the version of the ledger that stands now: for a job that has asked nobody yet."""
    version = work.boundaries.version(job.conversation)
    if version == job.expected_version:
        return job
    return work.jobs.reopen(job.id, (), services.clock.now(), version)


def refuse_behind(work: UnitOfWork, job: Job) -> None:
    """Raise BehindBoundary when the boundary that stands now covers more turns than the job's snapshot."""
    present = work.boundaries.current(job.conversation)
    if present is not None and present.through > job.through:
        raise BehindBoundary(job.conversation, job.through, present.through)


def cycle_on(prior: BoundaryState | None, job: Job, snapshot: Snapshot, services: Services) -> HeldState | None:
    """What members are shown of the boundary, or None when they read the whole snapshot.

    That is so in a first dissolution, after a roll-back to nothing, when nobody has read the boundary's last turns, and
    when no turn came after it: then the same turns are read once more.
    """
    if prior is None or prior.unread or not prior.claims or prior.through >= snapshot.through:
        return None
    return held_state(prior, job.policy.rolling.state_tokens, services.counter, snapshot.turns[prior.through :])


def cycle_version(job: Job) -> int:
    """The version of the rolling prompt that a cycle of this job asks."""
    return cycle_version_of(job.policy)


def cycle_version_of(policy: Policy) -> int:
    """The same, before there is a job."""
    return policy.rolling.prompt_version if policy.prompt_version >= CYCLE_WORDS_FROM else policy.prompt_version


def shown_cycle(services: Services, work: UnitOfWork, job: Job, snapshot: Snapshot) -> HeldState | None:
    """What the members of a fan-out that is done were shown, whatever version the job builds on by now."""
    version = FanOutReport.model_validate_json(step_output(work, job, "fan_out")).shown_version
    return cycle_on(boundary_at(work, job.conversation, version), job, snapshot, services)
