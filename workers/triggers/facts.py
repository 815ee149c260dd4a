"""What triggers need to know of a watched conversation besides its turns: jobs, boundary, lock-in, tokens, rows."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from dissolution.boundary import BoundaryState
from dissolution.conversation import Turn
from dissolution.errors import DissolutionError
from dissolution.job import ENDED, Job, JobStatus
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Embedder, TokenCounter
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from dissolution.tenancy import tenant_of
from dissolution.triggering import LockInValue, TriggerState, TurnMark, Watch
from frame_agent.register.lock_in import lock_in
from triggers.fold import NewTurn, committed, rejected
from triggers.sensors import Sensors
from triggers.talk import Row, Spoken, rows_of, spoken
from workers.bootstrap import reader_counter, settled_policy
from workers.services import Services

log = logging.getLogger(__name__)

LOCK_IN_NAME = "register-1"

MOST_CLAIMS = 100
"""Claims of a boundary whose middle drift is measured from: more cost time and move it no further."""

WINDOW_TURNS = 60
"""Turns before the end of a boundary among which its talk is looked for."""


@dataclass(frozen=True)
class Around:
    """What stands around a conversation at one moment."""

    job_in_flight: str | None
    ended: Job | None  # the job that was fired here, if it has ended
    awaited_over: bool  # the job that later turns waited for has ended, whoever submitted it
    boundary: BoundaryState | None  # the committed one, if it is another than the one that is remembered
    version: int
    lock_in: LockInValue | None  # None: as it was


@dataclass(frozen=True, kw_only=True)
class Tools:
    """What an evaluation measures with."""

    embedder: Embedder
    counter: TokenCounter
    policy: Policy
    now: datetime


def watch_of(work: UnitOfWork, conversation: str, settings: Settings, at: datetime) -> Watch | None:
    """How the conversation is watched: by name, else as the settings say; None when it is not.

    Raises InvalidPolicy for the settings' policy file.
    """
    named = work.triggers.watched(conversation)
    if named is not None or settings.watch == "off":
        return named
    policy = load_policy(settings.watch_policy) if settings.watch_policy else Policy()
    triggers = policy.triggers.model_copy(update={"shadow": settings.watch == "shadow"})
    settled = settled_policy(policy.model_copy(update={"triggers": triggers}), settings, settings.watch_fleet)
    return Watch(
        conversation=conversation,
        fleet=settings.watch_fleet,
        policy=settled,
        tenant=tenant_of(conversation),
        since=at,
    )


def watch_by_settings(work: UnitOfWork, conversation: str, settings: Settings, at: datetime) -> None:
    """Watch a conversation by name when the settings watch what nobody names, in the transaction that stores its turns.

    So a relay finds it behind, and a worker evaluates it, whoever stored the turns. A policy file or a fleet that is
    wrong is told in the log and stops no turn.
    """
    if settings.watch == "off" or work.triggers.watched(conversation) is not None:
        return
    try:
        watch = watch_of(work, conversation, settings, at)
    except DissolutionError as error:
        log.warning("conversation %r is not watched: %s", conversation, error)
        return
    if watch is not None:
        work.triggers.watch(watch)


def look_around(work: UnitOfWork, state: TriggerState) -> Around:
    """Jobs and boundary of the conversation; what has not changed is not read again."""
    ended = None
    if state.job is not None:
        job = work.jobs.get(state.job)
        ended = job if job.status in ENDED else None
    over = state.awaited is not None and work.jobs.get(state.awaited).status in ENDED
    version = work.boundaries.version(state.conversation)
    moved = version != state.boundary_version
    boundary = work.boundaries.current(state.conversation) if moved else None
    measured = None
    if ended is not None or moved:
        register = work.frames.register(state.conversation)
        if register.through > 0:
            measured = LockInValue(value=lock_in(register), estimator=LOCK_IN_NAME)
    return Around(
        job_in_flight=work.triggers.job_in_flight(state.conversation),
        ended=ended,
        awaited_over=over,
        boundary=boundary,
        version=version,
        lock_in=measured,
    )


def settled(work: UnitOfWork, state: TriggerState, sensors: Sensors, around: Around, tools: Tools) -> TriggerState:
    """What is remembered once the end of a job and a new boundary are taken in; nothing else is changed.

    A boundary that ends after the last turn that was read is taken in when that turn has been.
    """
    if around.lock_in is not None:
        state = state.model_copy(update={"lock_in": around.lock_in})
    if state.job is not None and around.ended is not None and around.ended.id == state.job:
        if around.ended.status is not JobStatus.COMMITTED:
            state = rejected(state, around.ended.ended_at or tools.now)
        else:
            state = state.model_copy(update={"job": None, "job_mark": None})
    boundary = around.boundary
    if boundary is None or boundary.through > state.through:
        return state
    since = work.triggers.turns_after(state.conversation, boundary.through, state.through - boundary.through)
    tokens = state.tokens - sum(tools.counter.count(turn.content) for turn in since)
    mark = TurnMark(turn=boundary.through, tokens=max(0, tokens), at=boundary.committed_at or tools.now)
    first = max(0, boundary.through - WINDOW_TURNS)
    window = work.triggers.turns_after(state.conversation, first, boundary.through - first)
    return committed(
        state,
        sensors,
        version=around.version,
        boundary=mark,
        held_tokens=held_tokens(boundary, tools.counter, tools.policy),
        anchors=anchors_of(tools.embedder, boundary, window, tools.policy.triggers.drift.window_tokens),
    )


def held_tokens(boundary: BoundaryState, counter: TokenCounter, policy: Policy) -> int:
    """Tokens the claims and excerpts of a boundary take in its reader's context, at most the budget of a rendering."""
    shown = (*boundary.claims, *(boundary.excerpts if policy.render.excerpts else ()))
    return min(sum(counter.count(one.text) for one in shown), policy.render.budget_tokens)


def anchors_of(embedder: Embedder, boundary: BoundaryState, turns: Sequence[Turn], tokens: int) -> tuple[Row, ...]:
    """The talk a boundary was cut from (its last `tokens` tokens), and the middle of what it holds, as rows."""
    rows: list[Row] = []
    chosen: list[Spoken] = []
    for turn in reversed(turns):
        said = spoken(turn)
        if said is not None and sum(held.tokens for held in chosen) < tokens:
            chosen.append(said)
    if chosen:
        found = rows_of(embedder.embed([one.text for one in chosen]))
        weights = np.array([[one.weight] for one in chosen], dtype=np.float32)
        rows.append(np.asarray((found * weights).sum(axis=0), dtype=np.float32))
    texts = [one.text for one in (*boundary.claims, *boundary.excerpts)[:MOST_CLAIMS]]
    if texts:
        rows.append(np.asarray(rows_of(embedder.embed(texts)).sum(axis=0), dtype=np.float32))
    return tuple(rows)


def counter_for(services: Services, policy: Policy) -> TokenCounter:
    """The tokenizer of the model that reads the context."""
    return services.counter if policy.render.reader is None else reader_counter(policy.render.reader)


def measured_turns(turns: Sequence[Turn], embedder: Embedder, counter: TokenCounter) -> list[NewTurn]:
    """Turns with their tokens, and rows of those that say something; all of them are embedded at once."""
    said = [spoken(turn) for turn in turns]
    texts = [one.text for one in said if one is not None]
    rows = iter(rows_of(embedder.embed(texts))) if texts else iter(())
    return [
        NewTurn(turn=turn, tokens=counter.count(turn.content), said=one, row=next(rows) if one is not None else None)
        for turn, one in zip(turns, said, strict=True)
    ]
