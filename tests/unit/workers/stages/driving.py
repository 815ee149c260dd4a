"""A job taken up to one stage, so that the stage itself can be looked at."""

from dissolution.conversation import Conversation
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from tests.running import a_job
from workers.execution.steps import run_step
from workers.pipeline import AFTER, STAGE_NAMES
from workers.services import Services


def needed_by(stage: str) -> tuple[str, ...]:
    """The stages that come before one, directly or not, in running order."""
    found = set(AFTER[stage])
    for earlier in reversed(STAGE_NAMES):
        if earlier in found:
            found |= AFTER[earlier]
    return tuple(name for name in STAGE_NAMES if name in found)


def a_job_before(stage: str, services: Services, talk: Conversation, policy: Policy | None = None) -> Job:
    """A job whose stages before this one are done."""
    job = a_job(services, talk, policy)
    for earlier in needed_by(stage):
        assert run_step(services, job.id, earlier), earlier
    with services.unit_of_work() as work:
        return work.jobs.get(job.id)
