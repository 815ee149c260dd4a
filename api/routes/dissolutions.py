"""Dissolutions: asked for, followed, cancelled, tried again, looked at before their commit, let go or discarded."""

from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from api.bodies import body_of, described
from api.choosing import fleet_named, fleet_shown, policy_for
from api.intake import read_talk
from api.links import conversation_link
from api.paging import Cursor, Limit, Page, cursor_of, instant_in, parts_of
from api.problems import ALWAYS, documented
from api.repeats import AlreadyAnswered, Once, OnlyOnce
from api.replies import made, shown
from api.routes.conversations import new_name, refuse_existing
from api.schemas import Dissolution, NewDissolution, StageShown, Why
from api.security import Reader, Writer
from api.state import Caller
from api.submitting import Wanted, submitted
from dissolution.boundary_size import size_in_words
from dissolution.conversation import Conversation
from dissolution.estimates import sent_in_words
from dissolution.job import Job, JobStatus, Step
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWork
from dissolution.receipt.job_receipt import Receipt
from dissolution.tenancy import name_of
from dissolution.values import NotMeasured
from probe.need import bank_need
from workers.execution.job_moves import cancel as cancel_job
from workers.execution.job_moves import requeue
from workers.stages.hold import approve
from workers.stages.hold import discard as discard_job

router = APIRouter(prefix="/v1/dissolutions", tags=["dissolutions"])

POLL_S = 2
"""When it is worth looking again (s): the Retry-After of a job that was taken."""

PARTS = ("receipt", "answers", "dissent", "frame", "probe", "preview", "boundary", "events")
NEW = described(NewDissolution)
WHY = described(Why)


@router.post(
    "",
    status_code=202,
    response_model=Dissolution,
    responses=documented(*ALWAYS, 404, 409, 413, 415),
    openapi_extra=NEW,
)
def create(
    caller: Writer, repeat: OnlyOnce, body: Annotated[NewDissolution, Depends(body_of(NewDissolution))]
) -> Response:
    """Take a dissolution; it is done later. Follow `Location`, its events, or be called back."""
    settings = caller.api.services.settings
    fleet = fleet_named(settings, body.fleet)
    policy = policy_for(settings, body.policy, fleet, body.effort)
    try:
        job = _submitted(caller, repeat, body, fleet, policy)
    except AlreadyAnswered as answered:
        with caller.api.reads() as work:
            job = caller.job(work, str(answered.outcome["job"]))
    with caller.api.reads() as work:
        told = told_of(work, job).model_copy(update={"bank": bank_told(work, job)})
    return made(told, 202, {"location": f"{router.prefix}/{job.id}", "retry-after": str(POLL_S)})


def _submitted(caller: Caller, repeat: Once, body: NewDissolution, fleet: str, policy: Policy) -> Job:
    """Store the job with its rings. Raises AlreadyAnswered, TooManyJobs and what `submit` raises."""
    conversation = _conversation(caller, body, policy)

    def before(work: UnitOfWork) -> None:
        repeat.begin(work, caller)
        if body.inline is not None:
            refuse_existing(work, conversation.id)

    def after(work: UnitOfWork, job: Job) -> None:
        repeat.end(work, caller, {"job": job.id}, job.conversation)

    wanted = Wanted(
        conversation=conversation, through=body.through, fleet=fleet, policy=policy, hold=body.hold, lane=body.lane
    )
    return submitted(caller, wanted, before=before, after=after).job


def _conversation(caller: Caller, body: NewDissolution, policy: Policy) -> Conversation:
    """The conversation that is to be dissolved: stored, or read from the body."""
    if body.inline is not None:
        name = new_name(caller, body.inline.name)
        return read_talk(caller, body.inline, name, body.inline.title, policy).conversation
    with caller.api.reads() as work:
        return work.conversations.get(caller.conversation(body.conversation or ""))


def bank_told(work: UnitOfWork, job: Job) -> str | None:
    """What the gate needs of questions, where its policy asks for fewer; None where it does not."""
    if not job.policy.probe.on:
        return None
    need = bank_need(job.policy.probe, work.conversations.get(job.conversation).snapshot(job.through))
    return need.words if need.short else None


def told_of(work: UnitOfWork, job: Job) -> Dissolution:
    """A job with its stages and the addresses of what belongs to it."""
    at = f"{router.prefix}/{job.id}"
    links = {"self": at, "conversation": conversation_link(name_of(job.conversation))}
    links |= {part: f"{at}/{part}" for part in PARTS}
    stages = [_stage(step) for step in work.jobs.steps(job.id)]
    told = _used(work.boundaries.receipt(job.id), links["dissent"])
    return _line(job).model_copy(update={"stages": stages, "links": links, **told})


def _used(receipt: Receipt | None, dissent: str) -> Mapping[str, object]:
    """What a job came to in size and in histories, as fields; nothing while it has no receipt."""
    if receipt is None:
        return {}
    cost = receipt.cost
    notes = [sent_in_words(cost.histories, cost.histories_with_caches)]
    size = None if isinstance(receipt.size, NotMeasured) else receipt.size
    if size is not None:
        notes += size_in_words(size, dissent)
    sent = {"histories": cost.histories, "histories_with_caches": cost.histories_with_caches}
    return {"size": size, "notes": notes, **sent}


def _line(job: Job) -> Dissolution:
    """A job as a list has it."""
    return Dissolution(
        id=job.id,
        conversation=name_of(job.conversation),
        through=job.through,
        status=job.status,
        reason=job.reason,
        fleet=fleet_shown(job.fleet),
        policy=job.policy.name,
        policy_digest=job.policy.digest,
        effort=job.policy.effort,
        expected_version=job.expected_version,
        hold=job.hold,
        lane=job.lane,
        created_at=job.created_at,
        ended_at=job.ended_at,
    )


def _stage(step: Step) -> StageShown:
    return StageShown(
        stage=step.stage,
        status=step.status,
        attempts=step.attempts,
        started_at=step.started_at,
        ended_at=step.ended_at,
        reason=step.reason,
    )


@router.get("", response_model=Page[Dissolution], responses=documented(*ALWAYS))
def listed(
    *,
    request: Request,
    caller: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    conversation: Annotated[str | None, Query(min_length=1, max_length=120)] = None,
    status: JobStatus | None = None,
) -> Response:
    """The tenant's dissolutions, newest first."""
    parts = parts_of(cursor, 2)
    before = None if parts is None else (instant_in(parts[0]), parts[1])
    name = None if conversation is None else caller.conversation(conversation)
    with caller.api.reads() as work:
        found = work.service.listing.jobs(
            caller.tenant, conversation=name, status=status, before=before, limit=limit + 1
        )
    last = found[limit - 1] if len(found) > limit else None
    more = None if last is None else cursor_of(last.created_at.isoformat(), last.id)
    return shown(request, Page[Dissolution](items=tuple(map(_line, found[:limit])), next=more))


@router.get("/{dissolution}", response_model=Dissolution, responses=documented(*ALWAYS, 404))
def read(request: Request, caller: Reader, dissolution: str) -> Response:
    """One dissolution with its stages."""
    with caller.api.reads() as work:
        return shown(request, told_of(work, caller.job(work, dissolution)))


@router.post("/{dissolution}/cancel", response_model=Dissolution, responses=documented(*ALWAYS, 404, 409))
def cancel(caller: Writer, dissolution: str) -> Response:
    """End it; the history stays in force. What works at it ends within about two seconds."""
    return _done(caller, dissolution, lambda job: cancel_job(caller.api.services, job.id))


@router.post(
    "/{dissolution}/retry", status_code=202, response_model=Dissolution, responses=documented(*ALWAYS, 404, 409)
)
def retry(caller: Writer, dissolution: str) -> Response:
    """Try the dead stages of a failed one again; nothing that has landed is asked again."""
    return _done(caller, dissolution, lambda job: requeue(caller.api.services, job.id), 202)


@router.post(
    "/{dissolution}/commit", status_code=202, response_model=Dissolution, responses=documented(*ALWAYS, 404, 409)
)
def commit(caller: Writer, dissolution: str) -> Response:
    """Let a held one go on to its commit; when the ledger moved on meanwhile, it is reconciled and held again."""
    return _done(caller, dissolution, lambda job: approve(caller.api.services, job), 202)


@router.post(
    "/{dissolution}/discard",
    response_model=Dissolution,
    responses=documented(*ALWAYS, 404, 409, 413, 415),
    openapi_extra=WHY,
)
def discard(caller: Writer, dissolution: str, body: Annotated[Why, Depends(body_of(Why))]) -> Response:
    """End a held one without a boundary."""
    reason = f"discarded by {caller.name}: {body.reason}"
    return _done(caller, dissolution, lambda job: discard_job(caller.api.services, job, reason))


def _done(caller: Caller, dissolution: str, act: Callable[[Job], object], status: int = 200) -> Response:
    """Do something to one of the tenant's jobs, and show how it stands then."""
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
    act(job)
    with caller.api.reads() as work:
        return made(told_of(work, caller.job(work, dissolution)), status)
