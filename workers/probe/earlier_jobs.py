"""What earlier jobs on the very same turns have already found out, so that nothing is asked twice."""

from collections.abc import Iterator

from dissolution.findings import NotRun
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from workers.probe.outcomes import Report, outcome

MOST_LOOKED_AT = 20
"""Earlier jobs on the same turns that are looked at, the newest first."""


def earlier_outcomes(work: UnitOfWork, job: Job, stage: str, form: type[Report]) -> Iterator[tuple[Job, Report]]:
    """What a stage of other jobs of the same tenant on the same snapshot came to, the newest first."""
    same = (
        other
        for other in work.jobs.find(job.conversation)
        if other.id != job.id
        and (other.conversation, other.tenant) == (job.conversation, job.tenant)
        and (other.through, other.snapshot_digest) == (job.through, job.snapshot_digest)
    )
    for _place, other in zip(range(MOST_LOOKED_AT), same, strict=False):
        found = outcome(work, other, stage, form)
        if not isinstance(found, NotRun):
            yield other, found
