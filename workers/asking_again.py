"""The fleet asked again about a few turns: its statements, to be heard beside those of its answers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dissolution.answers import MemberKind, MemberTask, RenderedPrompt, Reply
from dissolution.claims import Statement
from dissolution.conversation import Snapshot
from dissolution.job import Job
from dissolution.ports import Member
from prompts.parse import parse_reply
from prompts.spans import render_spans
from workers.services import Services
from workers.stage_calls import StageCalls

STAGE = "repair"

ORDINALS = 10_000
"""Statements of one round are numbered from a multiple of this, so that each has a number of its own."""


class HeardAgain(NamedTuple):
    """What the fleet said about those turns."""

    statements: tuple[Statement, ...]
    answered: int  # members with something to say


def ask_about(services: Services, job: Job, snapshot: Snapshot, turns: Sequence[int]) -> HeardAgain:
    """Ask every member that can answer about a few turns; a failed one is a value in its row and sinks nothing.

    The members are given turns and nothing of the questions that pointed to them.

    Args:
        services: The fleet, the store, the event loop.
        job: The job.
        snapshot: What it works on.
        turns: Turn numbers, ascending; one or more.
    """
    members = [member for member in services.fleet(job) if member.card.kind is not MemberKind.RECORDED]
    if not members:
        return HeardAgain((), 0)
    with services.unit_of_work() as work:
        key = work.installation_key()
        work.commit()
    excerpt = excerpt_of(snapshot, turns)
    prompt = render_spans(snapshot, turns, key=key)
    deadline_s = job.policy.quorum.hard_deadline_s
    results = StageCalls(services, job, STAGE).ask(
        members, lambda member: task_for(member, snapshot, excerpt, prompt, deadline_s), job.policy.quorum
    )
    renumbered = dict(enumerate(turns, start=1))
    statements: list[Statement] = []
    answered = 0
    for member in members:
        result = results[member.card.name]
        numbers = renumbered if member.card.kind is MemberKind.EXTRACTIVE else None
        said = said_by(member, result, snapshot, numbers) if isinstance(result, Reply) else ()
        answered += bool(said)
        statements += said
    return HeardAgain(tuple(statements), answered)


def excerpt_of(snapshot: Snapshot, turns: Sequence[int]) -> Snapshot:
    """Those turns as a snapshot of their own, numbered from 1: what an extraction method reads."""
    shown = (snapshot.turn(number) for number in turns)
    renumbered = tuple(turn.model_copy(update={"number": place}) for place, turn in enumerate(shown, start=1))
    return Snapshot(conversation=snapshot.conversation, turns=renumbered)


def task_for(
    member: Member, snapshot: Snapshot, excerpt: Snapshot, prompt: RenderedPrompt, deadline_s: float
) -> MemberTask:
    """The task of one member: extraction methods read the turns themselves, everybody else the prompt."""
    read = excerpt if member.card.kind is MemberKind.EXTRACTIVE else snapshot
    return MemberTask(snapshot=read, prompt=prompt, deadline_s=deadline_s)


def said_by(
    member: Member, reply: Reply, snapshot: Snapshot, renumbered: Mapping[int, int] | None
) -> tuple[Statement, ...]:
    """The statements of a usable reply, with the turns' own numbers; none of any other."""
    through = snapshot.through if renumbered is None else len(renumbered)
    parsed = parse_reply(reply.text, reply.finish, through=through)
    if not parsed.usable:
        return ()
    own = renumbered or {}
    return tuple(
        Statement(
            member=member.card.name,
            family=member.card.family,
            ordinal=place,
            claim=claim.model_copy(update={"turns": tuple(own.get(turn, turn) for turn in claim.turns), "place": None}),
        )
        for place, claim in enumerate(parsed.claims)
    )
