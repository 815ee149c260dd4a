"""How much one tenant may have at work at a time: jobs that ask their fleets, and calls in flight."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from dissolution.answers import MemberCard, MemberKind, MemberTask, Reply, Usage
from dissolution.checking import unchecked
from dissolution.errors import MemberRateLimited, TenantBusy
from dissolution.job import Job
from dissolution.limits import Seats
from dissolution.ports.models import Member
from workers.services import Services

SEAT_WAIT_S = 5.0
"""How long a job waits in its queue before it asks for a seat again (s)."""

JOB_MARGIN_S = 60.0
"""What a job may take beyond the hard deadline of its fan-out (s) before its seat is free without it."""

FIRST_LOOK_S = 0.05
LONGEST_LOOK_S = 1.0
"""Pause between two looks for a seat for a call (s): it doubles from the first to this."""


@contextmanager
def job_seat(services: Services, job: Job) -> Generator[None]:
    """Hold a seat of the job's tenant in the block. Raises TenantBusy when all are taken.

    A job that no worker runs needs none: whoever runs it runs one at a time.
    """
    if job.lane is None:
        yield
        return
    limit, hold_s = services.settings.tenant_jobs, job.policy.quorum.hard_deadline_s + JOB_MARGIN_S
    limiter = services.limiter
    if not services.run_async(limiter.enter(job.tenant, Seats.JOBS, job.id, limit=limit, hold_s=hold_s)):
        raise TenantBusy(job.tenant, limit)
    try:
        yield
    finally:
        with unchecked():  # also of a step that is not wanted any more
            services.run_async(limiter.leave(job.tenant, Seats.JOBS, job.id))


def seated(services: Services, job: Job, stage: str, member: Member) -> Member:
    """The member, waiting for a seat of the job's tenant before each call, if it is one that is called over a wire."""
    return Seated(services, job, stage, member) if member.card.kind is MemberKind.LANGUAGE_MODEL else member


class Seated:
    """A member that is asked only while its tenant has a seat for the call.

    Args:
        services: The limiter and how many seats there are.
        job: Whose tenant it is.
        stage: What asks; with job and member it names the call.
        member: Who is asked.
    """

    def __init__(self, services: Services, job: Job, stage: str, member: Member) -> None:
        self._limiter = services.limiter
        self._watch = services.watch
        self._job, self._stage = job, stage
        self._limit = services.settings.tenant_calls
        self._tenant = job.tenant
        self._who = f"{job.id} {stage} {member.card.name}"
        self._member = member

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._member.card

    def estimate(self, task: MemberTask) -> Usage:
        """What it would use."""
        return self._member.estimate(task)

    async def answer(self, task: MemberTask) -> Reply:
        """Its words. Raises MemberRateLimited when no seat comes free before the deadline, or what it raises."""
        time = asyncio.get_running_loop().time
        ends_at, pause = time() + task.deadline_s, FIRST_LOOK_S
        while not await self._limiter.enter(
            self._tenant, Seats.CALLS, self._who, limit=self._limit, hold_s=max(0.001, ends_at - time())
        ):
            if time() + pause >= ends_at:
                detail = f"tenant {self._tenant!r} had {self._limit} calls in flight until the deadline, its most"
                raise MemberRateLimited(self.card.name, detail)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_LOOK_S)
        try:
            with self._watch.call(self._job, self._stage, self.card, task) as told:
                rest = task.model_copy(update={"deadline_s": max(0.001, ends_at - time())})
                reply = await self._member.answer(rest)
                told(reply)
                return reply
        finally:
            await self._limiter.leave(self._tenant, Seats.CALLS, self._who)
