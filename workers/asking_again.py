"""The fleet asked again about a few turns: its statements, to be heard beside those of its answers."""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.answers import MemberTask, Reply
from dissolution.claims import Statement
from dissolution.conversation import Snapshot
from dissolution.job import Job
from dissolution.ports import Member
from dissolution.room import room_of
from fleet.answering import can_answer
from prompts.parse import parse_reply
from prompts.spans import render_spans
from workers.naming_members import who_accounts
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
    members = [one for one in who_accounts(job.policy, services.fleet(job)) if can_be_asked_again(one)]
    if not members:
        return HeardAgain((), 0)
    with services.unit_of_work() as work:
        key = work.installation_key()
        work.commit()
    room = room_of(job.policy.size, sum(services.counter.count(snapshot.turn(turn).content) for turn in turns))
    prompt = render_spans(snapshot, turns, room, key=key)
    task = MemberTask(snapshot=snapshot, prompt=prompt, deadline_s=job.policy.quorum.hard_deadline_s)
    results = StageCalls(services, job, STAGE).ask(members, lambda _member: task, job.policy.quorum)
    statements: list[Statement] = []
    answered = 0
    for member in members:
        result = results[member.card.name]
        said = said_by(member, result, snapshot) if isinstance(result, Reply) else ()
        answered += bool(said)
        statements += said
    return HeardAgain(tuple(statements), answered)


def can_be_asked_again(member: Member) -> bool:
    """Whether a member can say something about a few turns alone: no extraction method can, a recording may not."""
    return can_answer(member, STAGE)


def said_by(member: Member, reply: Reply, snapshot: Snapshot) -> tuple[Statement, ...]:
    """The statements of a usable reply; none of any other."""
    parsed = parse_reply(reply.text, reply.finish, through=snapshot.through)
    if not parsed.usable:
        return ()
    return tuple(
        Statement(
            member=member.card.name,
            family=member.card.family,
            ordinal=place,
            claim=claim.model_copy(update={"place": None}),
        )
        for place, claim in enumerate(parsed.claims)
    )
