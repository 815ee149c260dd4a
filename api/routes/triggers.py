"""Triggers: what they remember of a conversation, and what they decided or would have decided, turn by turn."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from api.bodies import body_of, described
from api.choosing import fleet_named, fleet_shown, policy_for
from api.errors import NotRunYet
from api.moments import LARGEST
from api.paging import Limit
from api.problems import ALWAYS, documented
from api.replies import made, public, shown
from api.routes.boundaries import stored
from api.schemas import Shape
from api.security import Reader, Writer
from dissolution.job import Lane
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWork
from dissolution.triggering import Evaluation, Watch

router = APIRouter(prefix="/v1/conversations/{conversation}/triggers", tags=["triggers"])

RESPONSES = documented(*ALWAYS, 404)


class NewWatch(Shape):
    """A conversation that triggers are to watch, and what their dissolutions are made with."""

    fleet: Annotated[str, Query(min_length=1, max_length=100)] = "extractive"
    policy: Policy | str = Policy()
    lane: Lane = Lane.BATCH


class TriggersShown(Shape):
    """How a conversation is watched, and what its triggers remember."""

    conversation: str
    fleet: str
    policy: str
    policy_digest: str
    shadow: bool
    """Whether firings are recorded and nothing else."""
    lane: Lane
    since: datetime
    through: int
    """The last turn that was looked at, 0 before any."""
    evaluations: int
    tokens: int
    fired_turn: int | None
    job: str | None
    """The dissolution in flight that they asked for."""
    rejections: int


class Evaluations(Shape):
    """What was measured and decided, turn by turn: also what would have been done in shadow mode."""

    items: list[Evaluation]
    next: int | None = None
    """Give it as `after` for those that follow; null on the last page."""


WATCH = described(NewWatch)


@router.get("", response_model=TriggersShown, responses=RESPONSES)
def read(request: Request, caller: Reader, conversation: str) -> Response:
    """How the conversation is watched and what is remembered of it."""
    with caller.api.reads() as work:
        return shown(request, _shown(work, stored(caller, work, conversation), conversation))


@router.put("", response_model=TriggersShown, responses=documented(*ALWAYS, 404, 413, 415), openapi_extra=WATCH)
def watch(caller: Writer, conversation: str, body: Annotated[NewWatch, Depends(body_of(NewWatch))]) -> Response:
    """Watch it from now on, or otherwise than before."""
    services = caller.api.services
    fleet = fleet_named(services.settings, body.fleet)
    policy = policy_for(services.settings, body.policy, fleet)
    with caller.api.units() as work:
        name = stored(caller, work, conversation)
        wanted = Watch(
            conversation=name,
            fleet=fleet,
            policy=policy,
            lane=body.lane,
            tenant=caller.tenant,
            since=services.clock.now(),
        )
        work.triggers.watch(wanted)
        reply = made(_shown(work, name, conversation))
        work.commit()
    return reply


@router.delete("", status_code=204, response_class=Response, responses=RESPONSES)
def unwatch(caller: Writer, conversation: str) -> Response:
    """Watch it no more; what was remembered and decided stays."""
    with caller.api.units() as work:
        work.triggers.unwatch(stored(caller, work, conversation))
        work.commit()
    return Response(status_code=204)


@router.get("/log", response_model=Evaluations, responses=RESPONSES)
def log(
    request: Request,
    caller: Reader,
    conversation: str,
    limit: Limit = 50,
    after: Annotated[int, Query(ge=0, le=LARGEST, description="Evaluations with a number above this.")] = 0,
) -> Response:
    """Every evaluation with its signals and reasons, oldest first."""
    with caller.api.reads() as work:
        found = work.triggers.evaluations(stored(caller, work, conversation), after, limit + 1)
    items = [public(one) for one in found[:limit]]
    return shown(request, Evaluations(items=items, next=items[-1].number if len(found) > limit else None))


def _shown(work: UnitOfWork, name: str, conversation: str) -> TriggersShown:
    """Raises NotRun for a conversation that is not watched."""
    found, state = work.triggers.watched(name), work.triggers.state(name)
    if found is None:
        raise NotRunYet(f"conversation {conversation!r} is not watched", "watch it with PUT first")
    return TriggersShown(
        conversation=conversation,
        fleet=fleet_shown(found.fleet),
        policy=found.policy.name,
        policy_digest=found.policy.digest,
        shadow=found.policy.triggers.shadow,
        lane=found.lane,
        since=found.since,
        through=0 if state is None else state.through,
        evaluations=0 if state is None else state.number,
        tokens=0 if state is None else state.tokens,
        fired_turn=None if state is None or state.fired is None else state.fired.turn,
        job=None if state is None else state.job,
        rejections=0 if state is None else state.rejections,
    )
