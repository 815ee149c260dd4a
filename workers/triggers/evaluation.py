"""Evaluation after an append: new turns are read, what was decided is stored, and a job is submitted when it is due.

Turns are stored first, then evaluated from where the last evaluation ended. So a crash in between loses neither: the
next append, the relay, the service of one machine or `dissolve triggers catch-up` reads on from there. They also look
once more where no turn has come: when a job has ended that turns waited for, when a schedule of hours comes due, and
when a conversation is watched otherwise than before. What is remembered, every evaluation and the job that one of them
fires are stored in one transaction, fenced by a revision: of two processes that evaluate at once one stores, the other
reads again.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime

from dissolution.conversation import Turn
from dissolution.errors import DissolutionError, EvaluationConflict
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Embedder
from dissolution.ports.store import UnitOfWork
from dissolution.sizes import refuse_too_large, size_of
from dissolution.surprise import SurpriseEstimator
from dissolution.triggering import Evaluation, Reason, ReasonCode, TriggerAction, TriggerState, TurnMark, Watch
from triggers.fold import NewTurn, Present, look_again, rejected, take_in
from triggers.schedule import next_look
from triggers.sensors import Sensors
from triggers.submit import Request, submit
from workers.bootstrap import check_fleet, members_to_pay
from workers.estimates.refusal import refuse_over_caps
from workers.pipeline import STAGE_NAMES, first_queues
from workers.services import Services
from workers.triggers.facts import Around, Tools, counter_for, look_around, measured_turns, settled, watch_of

log = logging.getLogger(__name__)

BATCH_TURNS = 64
"""Turns that are read in one transaction: memory does not grow with what has to be caught up."""

THIS_ONE = "that this evaluation submits"
"""How later turns of a batch name the job that an earlier one fired."""

TRIES = 5
"""Times an evaluation begins anew because another process was first."""


@dataclass(frozen=True, kw_only=True)
class _Look:
    """What one batch starts from."""

    watch: Watch
    state: TriggerState
    turns: tuple[Turn, ...]
    around: Around
    more: bool  # there are turns behind these
    asked_by: str


@dataclass(frozen=True)
class _Evaluated:
    """What one batch came to."""

    state: TriggerState
    evaluations: tuple[Evaluation, ...]
    fired: int | None  # the place of the evaluation that wants a job
    more: bool


def after_append(
    services: Services, conversation: str, *, asked_by: str = "", estimator: SurpriseEstimator | None = None
) -> tuple[Evaluation, ...]:
    """Evaluate the turns of a conversation that were not evaluated yet; what was decided, turn by turn.

    Nothing happens to a conversation that is not watched. In shadow mode firings are recorded and nothing else, but for
    a person's call; otherwise the first one submits a job over all stored turns, and later turns wait for its end.

    Args:
        services: The ports. The embedder is used for every turn that says something.
        conversation: Its id.
        asked_by: Who calls for a dissolution now, and why; evaluated once more even without a new turn.
        estimator: Who measures surprise; who the services name for the watch's fleet if None.

    Raises:
        EvaluationConflict: other processes were first again and again; they have evaluated the turns.
        InvalidPolicy: the settings' policy file.
        ModelAssetError: the settings' `surprise_model` is not on this machine.
    """
    told: list[Evaluation] = []
    conflicts = 0
    while True:
        try:
            found = _batch(services, conversation, asked_by, estimator)
        except EvaluationConflict:
            conflicts += 1
            if conflicts == TRIES:
                raise
            continue
        if found is None:
            return tuple(told)
        told.extend(found.evaluations)
        if not found.more:
            return tuple(told)


def _batch(
    services: Services, conversation: str, asked_by: str, estimator: SurpriseEstimator | None
) -> _Evaluated | None:
    """Evaluate and store at most `BATCH_TURNS` turns; None when there is nothing to do."""
    with services.unit_of_work() as work:
        watch = watch_of(work, conversation, services.settings, services.clock.now())
        if watch is None:
            return None
        if work.triggers.watched(conversation) is None:  # the settings watch it: from now on by name
            work.triggers.watch(watch)
            work.commit()
        state = work.triggers.state(conversation) or TriggerState(conversation=conversation)
        turns = work.triggers.turns_after(conversation, state.through, BATCH_TURNS + 1)
        around = look_around(work, state)
    if not turns and not asked_by and not _is_due(state, around, services.clock.now()):
        return None
    look = _Look(
        watch=watch,
        state=state,
        turns=turns[:BATCH_TURNS],
        around=around,
        more=len(turns) > BATCH_TURNS,
        asked_by=asked_by,
    )
    batch = _evaluate(services, look, estimator or services.surprise(watch.fleet))
    return replace(batch, evaluations=_stored(services, watch, batch))


def _is_due(state: TriggerState, around: Around, at: datetime) -> bool:
    """Whether to decide once more though no turn has come."""
    changed = around.ended is not None or around.awaited_over or around.boundary is not None
    return state.through > 0 and (changed or (state.look_at is not None and state.look_at <= at))


def _evaluate(services: Services, look: _Look, estimator: SurpriseEstimator) -> _Evaluated:
    """Read the turns one by one; without any, decide once more."""
    policy, around = look.watch.policy, look.around
    counter = counter_for(services, policy)
    tools = Tools(embedder=services.embedder(), counter=counter, policy=policy, now=services.clock.now())
    sensors, state = sensors_for(look.state, policy, tools.embedder, estimator)
    state = _taken_in(services, state, sensors, around, tools)
    ahead = 0 if around.boundary is None else around.boundary.through
    news: list[NewTurn | None] = [*measured_turns(look.turns, tools.embedder, counter)] or [None]
    evaluations: list[Evaluation] = []
    fired: int | None = None
    for place, new in enumerate(news):
        number = state.through if new is None else new.turn.number
        called = look.asked_by if place == len(news) - 1 and not look.more else ""
        if called and policy.triggers.shadow:
            state = _without_trials(services, state, sensors, around, tools)
        present = Present(
            at=tools.now,
            policy=policy,
            counter=counter.name,
            job_in_flight=around.job_in_flight or (THIS_ONE if fired is not None else None),
            covered=number <= ahead,
            asked_by=called,
        )
        state, evaluation = (
            look_again(state, sensors, present) if new is None else take_in(state, sensors, new, present)
        )
        if number == ahead and state.boundary_version != around.version:
            state = _taken_in(services, state, sensors, around, tools)
        evaluations.append(evaluation)
        if evaluation.decision.fires and fired is None and not evaluation.shadow:
            fired = place
    state = state.model_copy(
        update={
            "awaited": around.job_in_flight,
            "look_at": next_look(policy.triggers.schedule, state, tools.now),
            "memory": sensors.memory(),
            "estimators": sensors.identity,
        }
    )
    return _Evaluated(state=state, evaluations=tuple(evaluations), fired=fired, more=look.more)


def _taken_in(services: Services, state: TriggerState, sensors: Sensors, around: Around, tools: Tools) -> TriggerState:
    with services.unit_of_work() as work:
        return settled(work, state, sensors, around, tools)


def _without_trials(
    services: Services, state: TriggerState, sensors: Sensors, around: Around, tools: Tools
) -> TriggerState:
    """What is remembered, with the boundary that stands in place of one that a shadow firing stands for."""
    with services.unit_of_work() as work:
        boundary = work.boundaries.current(state.conversation)
        if boundary is None:
            return state.model_copy(update={"boundary": None, "held_tokens": 0})
        return settled(work, state, sensors, replace(around, ended=None, lock_in=None, boundary=boundary), tools)


def sensors_for(
    state: TriggerState, policy: Policy, embedder: Embedder, estimator: SurpriseEstimator
) -> tuple[Sensors, TriggerState]:
    """The sensors as they stood, or new ones when the embedder, the estimator or a window is another.

    Values of two are never mixed.
    """
    stamp = embedder.stamp
    name = f"{stamp.model}-{stamp.digest[:12]}"
    fresh = Sensors(policy.triggers, stamp.dimension, name, estimator)
    if state.estimators != fresh.identity or not state.memory:
        return fresh, state.model_copy(update={"memory": b"", "estimators": fresh.identity})
    return Sensors(policy.triggers, stamp.dimension, name, estimator, state.memory), state


def _stored(services: Services, watch: Watch, batch: _Evaluated) -> tuple[Evaluation, ...]:
    """Store a batch, with the job it fires if it fires one; the evaluations as stored. Raises EvaluationConflict."""
    if batch.fired is not None:
        try:
            return _submitted(services, watch, batch)
        except EvaluationConflict:
            raise
        except DissolutionError as error:
            log.warning("conversation %r: triggers fired, but no job was submitted: %s", watch.conversation, error)
            batch = _refused(services, batch, error)
    with services.unit_of_work() as work:
        work.triggers.save(batch.state, batch.evaluations)
        work.commit()
    return batch.evaluations


def _submitted(services: Services, watch: Watch, batch: _Evaluated) -> tuple[Evaluation, ...]:
    """Submit the job over all stored turns; what is remembered and evaluated stands or falls with it."""
    with services.unit_of_work() as work:
        conversation = work.conversations.get(watch.conversation)
    snapshot = conversation.snapshot()
    refuse_too_large(snapshot, services.settings, services.counter.count)
    check_fleet(watch.fleet, snapshot)
    refuse_over_caps(services, members_to_pay(watch.fleet), snapshot, watch.policy, watch.tenant)

    def save(work: UnitOfWork, job: Job) -> None:
        mark = TurnMark(turn=batch.state.through, tokens=batch.state.tokens, at=job.created_at)
        state = batch.state.model_copy(update={"job": job.id, "job_mark": mark, "awaited": job.id})
        work.triggers.save(state, _changed(batch, {"job": job.id}))

    submission = submit(
        Request(
            conversation=conversation,
            fleet=watch.fleet,
            policy=watch.policy,
            tenant=watch.tenant,
            lane=watch.lane,
        ),
        unit_of_work=services.unit_of_work,
        clock=services.clock,
        queue=services.bell,
        stages=STAGE_NAMES,
        ready=first_queues(watch.fleet, watch.lane, giant=size_of(snapshot).is_giant),
        after=save,
    )
    return _changed(batch, {"job": submission.job.id})


def _changed(batch: _Evaluated, update: dict[str, object]) -> tuple[Evaluation, ...]:
    """The evaluations, with the one that fired changed."""
    return tuple(
        one.model_copy(update=update) if place == batch.fired else one for place, one in enumerate(batch.evaluations)
    )


def _refused(services: Services, batch: _Evaluated, error: DissolutionError) -> _Evaluated:
    """The batch with the firing turned into a hold; it counts as a rejection, so that the breaker knows of it."""
    fired = batch.evaluations[batch.fired or 0].decision
    reason = Reason(code=ReasonCode.REFUSED, words=f"the job could not be submitted: {error.code}")
    held = fired.model_copy(update={"action": TriggerAction.HOLD, "reasons": (reason, *fired.reasons)})
    state = rejected(batch.state, services.clock.now())
    return replace(batch, state=state, evaluations=_changed(batch, {"decision": held}))
