"""Dissolutions that are asked for, whoever asks and by which way: checked, counted against the caps, and stored."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from api.errors import TooManyJobs
from api.state import Caller
from dissolution.conversation import Conversation
from dissolution.job import Job, Lane
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWork
from dissolution.sizes import refuse_too_large, size_of
from triggers.submit import Request, Submission, submit
from workers.bootstrap import check_fleet, members_to_pay
from workers.checks.roster_keys import refuse_missing_keys
from workers.estimates.refusal import refuse_over_caps
from workers.pipeline import STAGE_NAMES, first_queues


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be dissolved, by whom and how."""

    conversation: Conversation
    through: int | None
    fleet: str
    policy: Policy
    hold: bool = False
    lane: Lane = Lane.INTERACTIVE


def submitted(
    caller: Caller,
    wanted: Wanted,
    *,
    before: Callable[[UnitOfWork], None] = lambda _: None,
    after: Callable[[UnitOfWork, Job], None] = lambda _work, _job: None,
) -> Submission:
    """Store the job with its rings; `before` and `after` run in its transaction, first and last.

    Raises SnapshotTooLarge, TooManyJobs, what `submit` raises, and what a fleet or a cap on money is refused with.
    """
    services, began = caller.api.services, time.time_ns()
    snapshot = wanted.conversation.snapshot(wanted.through)
    refuse_too_large(snapshot, services.settings, services.counter.count)
    check_fleet(wanted.fleet, snapshot)
    if caller.api.embedded:  # jobs run in this process; what workers have in their environment is not known here
        refuse_missing_keys(wanted.fleet)
    refuse_over_caps(services, members_to_pay(wanted.fleet), snapshot, wanted.policy, caller.tenant)

    def first(work: UnitOfWork) -> None:
        before(work)
        _refuse_too_many(caller, work)

    made = submit(
        Request(
            conversation=wanted.conversation,
            through=wanted.through,
            fleet=wanted.fleet,
            policy=wanted.policy,
            hold=wanted.hold,
            tenant=caller.tenant,
            lane=wanted.lane,
        ),
        unit_of_work=services.unit_of_work,
        clock=services.clock,
        queue=services.bell,
        stages=STAGE_NAMES,
        ready=first_queues(wanted.fleet, wanted.lane, giant=size_of(snapshot).is_giant),
        before=first,
        after=after,
    )
    if caller.api.tracing is not None:
        caller.api.tracing.submitted(made.job, began)
    return made


def _refuse_too_many(caller: Caller, work: UnitOfWork) -> None:
    most = caller.api.services.settings.api_queued_jobs
    if work.service.listing.unfinished(caller.tenant, most) >= most:
        raise TooManyJobs(f"{most} dissolutions have not ended", "try again when some have")
