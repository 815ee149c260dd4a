"""A cycle on top of a ledger with thousands of open claims."""

import hashlib
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.ledger_parts import NAME, START, Ledger, a_claim
from benchmarks.rolling_parts import FIGURES, REASONS, SERVICES, SHOWN
from benchmarks.scale_run.members import CountingMember
from benchmarks.scale_run.stages import Clocked, Spent, peak_mb, run_staged, services_over
from dissolution.answers import MemberTask
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Evidence, Section
from dissolution.conversation import Conversation, Language, Role, Turn
from dissolution.job import Job
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.job_policy import RenderPolicy
from dissolution.values import NotMeasured
from language.tokens import ApproximateTokenCounter
from prompts.export.messages import boundary_messages
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from workers.services import Services

NEW, AGAIN, REVISED = 24, 8, 8
"""Turns of the cycle that say something new, something held again, and a new value of something held."""

FACTS_A_TURN = 4
"""Held claims that rest on one turn."""

COMMITMENTS = 100
"""Of the open claims: half decisions, half rules. They stand in every prompt and context, whatever the budget."""


class Said(NamedTuple):
    """What one turn says, and the held words that it says again or gives another value."""

    text: str
    held: str | None = None


def ledger(claims: int, embedder: str) -> dict[str, object]:
    """One whole cycle of 40 turns on a ledger with so many open claims, four a turn."""
    counter = ApproximateTokenCounter()
    held, told = held_turns(claims), latest(claims)
    grown = talk_of([*held, *(said.text for said in told)])
    talk = grown.model_copy(update={"turns": grown.turns[: len(held)]})
    members = [CountingMember(name, partial(statements, told)) for name in ("ann", "ben", "cem")]
    with tempfile.TemporaryDirectory() as folder, services_over(Path(folder), embedder, members) as services:
        steps = {"commit of all claims at once": hold(services, talk, claims)}
        job, stages = run_staged(services, grown)
        clock = Clocked()
        with services.unit_of_work() as work:
            boundary = work.boundaries.current(NAME)
        steps["read the current boundary"] = clock.spent()
        if boundary is None:
            message = "no boundary stands"
            raise RuntimeError(message)
        clock = Clocked()
        context = boundary_messages(boundary, grown, RenderPolicy(), counter)
        steps["render the context"] = clock.spent()
        size = (Path(folder) / "scale.sqlite3").stat().st_size
    kinds = [one.kind for one in boundary.changes]
    return {
        "claims_before": claims,
        "turns": len(grown.turns),
        "ended": job.status.value,
        "changes": {kind.value: kinds.count(kind) for kind in ChangeKind if kind in kinds},
        "prompt_tokens": members[0].read[-1],
        "whole_conversation_tokens": sum(counter.count(turn.content) for turn in grown.turns),
        "context_tokens": context.tokens,
        "claims_left_out_of_the_context": sum(context.left_out.claims.values()),
        "database_mb": round(size / 1e6, 1),
        "stages": {name: spent._asdict() for name, spent in stages.items()},
        "operations": {name: spent._asdict() for name, spent in steps.items()},
        "peak_mb": round(peak_mb()),
    }


def fact(number: int, more: int = 0) -> str:
    """The value of one figure of one service, another for every number; `more` is another value of the same."""
    kind = list(FIGURES)[number // len(SERVICES) % len(FIGURES)]
    service = f"{SERVICES[number % len(SERVICES)]}-{number // (len(SERVICES) * len(FIGURES)) + 1}"
    return FIGURES[kind].format(service=service, value=10 + number * 7 % 90 + more)


def latest(claims: int) -> list[Said]:
    """What the turns of the cycle say: new facts, then held ones again, then others with another value."""
    held = [claims - place - 1 for place in range(AGAIN + REVISED)]
    return [
        *(Said(fact(claims + place)) for place in range(NEW)),
        *(Said(fact(number), fact(number)) for number in held[:AGAIN]),
        *(Said(fact(number, 1), fact(number)) for number in held[AGAIN:]),
    ]


def held_turns(claims: int) -> list[str]:
    """What the turns before say: of each claim the fact, a few in one turn."""
    facts = [fact(number) for number in range(claims)]
    return [" ".join(facts[first : first + FACTS_A_TURN]) for first in range(0, claims, FACTS_A_TURN)]


def talk_of(told: Sequence[str]) -> Conversation:
    """A conversation with a turn for each."""
    turns = (
        Turn(
            number=number,
            role=Role.USER if number % 2 else Role.ASSISTANT,
            speaker="Ann" if number % 2 else "Bob",
            content=f"{said} {REASONS[number % len(REASONS)]}.",
            recorded_at=START,
        )
        for number, said in enumerate(told, start=1)
    )
    language = Language(code="en", confidence=NotMeasured(not_measured="made up"))
    return Conversation(id=NAME, turns=tuple(turns), language=language)


def hold(services: Services, talk: Conversation, claims: int) -> Spent:
    """Commit so many claims as one boundary."""
    units = services.unit_of_work
    if not isinstance(units, SqlUnitOfWorkFactory):
        raise TypeError(units)
    made = Ledger(units, talk)
    job: Job = made.job(len(talk.turns))
    held = tuple(held_claim(talk, number, claims) for number in range(1, claims + 1))
    changes = tuple(Change(kind=ChangeKind.ADDED, claim=one.id, reason="stated") for one in held)
    boundary: BoundaryState = made.candidate(job, 0, 0, 0)
    boundary = boundary.model_copy(update={"claims": held, "changes": changes, "dissent": ()})
    clock = Clocked()
    made.commit(boundary)
    return clock.spent()


def held_claim(talk: Conversation, number: int, claims: int) -> Claim:
    """The claim of this number. Ids are as random as real ones, and commitments stand all over the ledger."""
    every = max(1, claims // COMMITMENTS)
    section = Section.KNOWN
    if number % every == 0:
        section = Section.DECIDED if number // every % 2 else Section.IDENTITY
    name = f"c{hashlib.sha256(str(number).encode()).hexdigest()[:12]}"
    turn, words = talk.turn((number - 1) // FACTS_A_TURN + 1), fact(number - 1)
    start = turn.content.index(words)
    quote = Evidence(turn=turn.number, start=start, end=start + len(words), text=words)
    return a_claim(number, turn, words).model_copy(update={"id": name, "section": section, "evidence": (quote,)})


def statements(told: Sequence[Said], task: MemberTask) -> str:
    """What each turn since the boundary says, with the held claim that it affirms or revises where that is shown."""
    shown = {match[2]: match[1] for match in SHOWN.finditer(task.prompt.text)}
    lines: list[str] = []
    for number, said in enumerate(told, start=task.since + 1):
        name = shown.get(said.held or "")
        act = "" if name is None else f" [{'affirms' if said.held == said.text else 'revises'} {name}]"
        lines.append(f"- {said.text} [turn {number}]{act}")
    return "\n".join(("KNOWN", *lines, "", "DECIDED", "none", "", "EDGES", "none", "", "IDENTITY", "none", ""))
