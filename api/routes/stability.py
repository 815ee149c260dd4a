"""Stability runs: asked for, followed cell by cell, cancelled, reported on, compared. Workers do them."""

from collections.abc import Sequence
from threading import Lock
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from api.bodies import body_of, described
from api.choosing import fleet_named, fleet_shown, policy_for
from api.errors import TooManyJobs
from api.links import conversation_link
from api.paging import Cursor, Limit, Page, cursor_of, instant_in, parts_of
from api.problems import ALWAYS, documented
from api.repeats import AlreadyAnswered, Once, OnlyOnce
from api.replies import made, shown
from api.report_forms import Form, accepted, text
from api.security import Reader, Writer
from api.stability_shapes import MOST_CELLS, CellShown, NewStabilityRun, StabilityRunShown, questions_of, truth_of
from api.state import Caller
from dissolution import __version__
from dissolution.conversation import Conversation
from dissolution.errors import InputError, NotFound
from dissolution.job import Lane
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWork
from dissolution.stability import Cadence, Cell, RunStatus, StabilityPlan, StabilityRun
from dissolution.tenancy import name_of
from dissolution.values import NotMeasured
from language.surprise.backoff import BackoffEstimator
from reports import stability_comparison_page, stability_page
from reports.stability_comparison import Compared, ComparisonReport, compare_runs
from reports.stability_figures import StabilityReport, report_on
from stability.arms import replicate_kind
from stability.run import cancel_run, checkpoints_at_firings, checkpoints_every, refuse_too_many, spent, start_run
from workers.bootstrap import members_to_pay
from workers.estimates.refusal import refuse_over_caps

router = APIRouter(prefix="/v1/stability-runs", tags=["stability"])

POLL_S = 5
"""When it is worth looking again (s)."""

MOST_RUNNING = 4
"""Runs of one tenant at a time."""

MOST_REPLAYED = 1000
"""Turns through which triggers are replayed within a request."""

NEW = described(NewStabilityRun)
RESPONSES = documented(*ALWAYS, 404)
OTHER_FORMS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}, "text/markdown": {}}}}
FORMS = RESPONSES | OTHER_FORMS

drawing = Lock()
"""Pictures are drawn one at a time: a report takes a second of the processor."""


@router.post(
    "",
    status_code=202,
    response_model=StabilityRunShown,
    responses=documented(*ALWAYS, 404, 409, 413, 415),
    openapi_extra=NEW,
)
def create(
    caller: Writer, repeat: OnlyOnce, body: Annotated[NewStabilityRun, Depends(body_of(NewStabilityRun))]
) -> Response:
    """Take a run; workers do it, each cycle as an ordinary dissolution of the lane `stability`. Follow `Location`."""
    try:
        run = _started(caller, repeat, body)
    except AlreadyAnswered as answered:
        with caller.api.reads() as work:
            run = _run(caller, work, str(answered.outcome["run"]))
    told = _told(caller, run)
    return made(told, 202, {"location": f"{router.prefix}/{run.id}", "retry-after": str(POLL_S)})


def _started(caller: Caller, repeat: Once, body: NewStabilityRun) -> StabilityRun:
    """Store the run. Raises AlreadyAnswered, TooManyJobs, InputError and what `start_run` raises."""
    services = caller.api.services
    fleet = fleet_named(services.settings, body.fleet)
    policy = policy_for(services.settings, body.policy, fleet)
    with caller.api.units() as work:
        conversation = work.conversations.get(caller.conversation(body.conversation))
    plan = _plan(caller, body, conversation, fleet, policy)
    last = conversation.snapshot(plan.checkpoints[-1])
    refuse_over_caps(services, members_to_pay(fleet), last, policy, caller.tenant)

    def before(work: UnitOfWork) -> None:
        repeat.begin(work, caller)
        if len(work.stability.runs(RunStatus.RUNNING, caller.tenant)) >= MOST_RUNNING:
            raise TooManyJobs(f"{MOST_RUNNING} stability runs have not ended", "try again when one has, or cancel one")

    def after(work: UnitOfWork, run: StabilityRun) -> None:
        repeat.end(work, caller, {"run": run.id}, run.plan.conversation)

    return start_run(services, plan, tenant=caller.tenant, before=before, after=after)


def _plan(
    caller: Caller, body: NewStabilityRun, conversation: Conversation, fleet: str, policy: Policy
) -> StabilityPlan:
    cadence, checkpoints = _checkpoints(caller, body, conversation, policy)
    refuse_too_many(checkpoints)
    end = len(conversation.turns)
    if checkpoints[-1] > end:
        raise InputError(f"turn {checkpoints[-1]} of `at`", f"the conversation has {end} turns")
    cells = len(body.arms) * body.replicates * len(checkpoints)
    if cells > MOST_CELLS:
        raise InputError(f"{cells} cells", f"ask for {MOST_CELLS} or fewer: arms, replicates and cycles multiplied")
    try:
        questions = questions_of(body.questions, end)
    except ValueError as error:
        raise InputError(f"`questions`: {error}", "name turns of the conversation") from None
    return StabilityPlan(
        conversation=conversation.id,
        checkpoints=checkpoints,
        replicates=body.replicates,
        kind=replicate_kind(fleet, body.replicates),
        arms=body.arms,
        fleet=fleet,
        policy=policy,
        seed=body.seed,
        max_usd=body.max_usd,
        known=truth_of(body.truth),
        questions=questions,
        cadence=cadence,
        lane=Lane.STABILITY,
        software=__version__,
    )


def _checkpoints(
    caller: Caller, body: NewStabilityRun, conversation: Conversation, policy: Policy
) -> tuple[Cadence, tuple[int, ...]]:
    if body.at is not None:
        return Cadence.TURNS, body.at
    if body.every is not None:
        return Cadence.EVERY, checkpoints_every(conversation, body.every)
    if len(conversation.turns) > MOST_REPLAYED:
        remedy = f"triggers are replayed over {MOST_REPLAYED} turns or fewer here; give `at`, or use the command line"
        raise InputError(f"`firings` over {len(conversation.turns)} turns", remedy)
    services = caller.api.services
    return Cadence.FIRINGS, checkpoints_at_firings(services, conversation, policy.triggers, BackoffEstimator())


def _run(caller: Caller, work: UnitOfWork, name: str) -> StabilityRun:
    """One of the tenant's runs. Raises NotFound for another tenant's too."""
    found = work.stability.get(name)
    if found.tenant != caller.tenant:
        kind = "stability run"
        raise NotFound(kind, name)
    return found


def _told(caller: Caller, run: StabilityRun) -> StabilityRunShown:
    """A run as it is shown by itself, with its price and cells."""
    with caller.api.reads() as work:
        cells = work.stability.cells(run.id)
    more = {"known_usd": spent(caller.api.services, run), "progress": tuple(map(_cell, cells))}
    return _line(run, cells).model_copy(update=more)


def _line(run: StabilityRun, cells: Sequence[Cell]) -> StabilityRunShown:
    """A run as a list has it."""
    at = f"{router.prefix}/{run.id}"
    plan = run.plan
    links = {"self": at, "report": f"{at}/report", "conversation": conversation_link(name_of(plan.conversation))}
    return StabilityRunShown(
        id=run.id,
        conversation=name_of(plan.conversation),
        status=run.status,
        reason=run.reason,
        checkpoints=plan.checkpoints,
        cadence=plan.cadence,
        replicates=plan.replicates,
        arms=plan.arms,
        fleet=fleet_shown(plan.fleet),
        policy=plan.policy.name,
        policy_digest=plan.policy.digest,
        seed=plan.seed,
        max_usd=plan.max_usd,
        cells=len(cells),
        settled=sum(cell.figures is not None for cell in cells),
        created_at=run.created_at,
        ended_at=run.ended_at,
        known_usd=None,
        progress=(),
        links=links,
    )


def _cell(cell: Cell) -> CellShown:
    states: dict[bool, Literal["waiting", "running"]] = {False: "waiting", True: "running"}
    missing = cell.figures.not_measured if isinstance(cell.figures, NotMeasured) else None
    settled = "not_measured" if missing is not None else "measured"
    return CellShown(
        name=cell.key.name,
        arm=cell.key.arm,
        replicate=cell.key.replicate,
        cycle=cell.key.cycle,
        through=cell.through,
        dissolution=cell.job,
        state=states[cell.job is not None] if cell.figures is None else settled,
        reason=missing,
    )


@router.get("", response_model=Page[StabilityRunShown], responses=documented(*ALWAYS))
def listed(
    *,
    request: Request,
    caller: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: RunStatus | None = None,
) -> Response:
    """The tenant's runs, newest first."""
    parts = parts_of(cursor, 2)
    before = None if parts is None else (instant_in(parts[0]), parts[1])
    with caller.api.reads() as work:
        runs = work.stability.runs(status, caller.tenant)
        found = [run for run in runs if before is None or (run.created_at, run.id) < before][: limit + 1]
        items = tuple(_line(run, work.stability.cells(run.id)) for run in found[:limit])
    last = found[limit - 1] if len(found) > limit else None
    more = None if last is None else cursor_of(last.created_at.isoformat(), last.id)
    return shown(request, Page[StabilityRunShown](items=items, next=more))


@router.get("/{run}", response_model=StabilityRunShown, responses=RESPONSES)
def read(request: Request, caller: Reader, run: str) -> Response:
    """One run, cell by cell."""
    with caller.api.reads() as work:
        found = _run(caller, work, run)
    return shown(request, _told(caller, found))


@router.post("/{run}/cancel", response_model=StabilityRunShown, responses=documented(*ALWAYS, 404, 409))
def cancel(caller: Writer, run: str) -> Response:
    """End it and the dissolutions it waits for; what was measured stays."""
    with caller.api.reads() as work:
        found = _run(caller, work, run)
    ended = cancel_run(caller.api.services, found.id, f"cancelled by {caller.name}")
    return made(_told(caller, ended))


@router.get("/{run}/report", response_model=StabilityReport, responses=FORMS)
def report(
    request: Request, caller: Reader, run: str, form: Annotated[Form | None, Query(alias="format")] = None
) -> Response:
    """What has been measured so far: JSON, or by `format` or Accept one page of HTML, or Markdown."""
    told = report_on(*_compared(caller, run))
    chosen = form or accepted(request)
    if chosen == "json":
        return shown(request, told, {"vary": "Accept"})
    with drawing:
        return text(chosen, stability_page.page(told) if chosen == "html" else stability_page.markdown(told))


@router.get("/{run}/comparison", response_model=ComparisonReport, responses=FORMS)
def comparison(
    *,
    request: Request,
    caller: Reader,
    run: str,
    other: Annotated[str, Query(alias="with", min_length=1, max_length=100, description="Another run's id.")],
    form: Annotated[Form | None, Query(alias="format")] = None,
) -> Response:
    """This run and another over the same turns, cell by cell with intervals: fleets, policies, prompts."""
    told = compare_runs(_compared(caller, run), _compared(caller, other))
    chosen = form or accepted(request)
    if chosen == "json":
        return shown(request, told, {"vary": "Accept"})
    with drawing:
        page = stability_comparison_page
        return text(chosen, page.page(told) if chosen == "html" else page.markdown(told))


def _compared(caller: Caller, name: str) -> Compared:
    """A run with its cells and price, with names in place of ids and of paths of the machine. Raises NotFound."""
    with caller.api.reads() as work:
        run = _run(caller, work, name)
        cells: Sequence[Cell] = work.stability.cells(run.id)
    plan = run.plan.model_copy(
        update={"conversation": name_of(run.plan.conversation), "fleet": fleet_shown(run.plan.fleet)}
    )
    usd = spent(caller.api.services, run)
    return Compared(run.model_copy(update={"plan": plan}), cells, usd)
