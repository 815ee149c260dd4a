"""The fleet asked again about a few turns: what they settle that no claim holds, as remarks with words of a turn."""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.answers import MemberTask, Reply
from dissolution.claims import Claim
from dissolution.conversation import Snapshot
from dissolution.errors import MemberError
from dissolution.job import Job
from dissolution.ports.models import Member
from dissolution.reviewing import Fault, Remark, Reviewer
from fleet.answering import can_answer
from frame_agent.review.quote_proof import remarks_of
from prompts.reviewing import ShownClaim, read_review
from prompts.spans import render_spans
from workers.members.named_members import who_accounts
from workers.members.stage_calls import StageCalls
from workers.services import Services

STAGE = "repair"


class HeardAgain(NamedTuple):
    """What the fleet says that no claim holds."""

    reviewers: tuple[Reviewer, ...]  # those that answered, each with what it misses

    @property
    def remarks(self) -> int:
        """How much they miss, all together."""
        return sum(len(one.remarks) for one in self.reviewers)


def ask_about(
    services: Services, job: Job, snapshot: Snapshot, turns: Sequence[int], claims: Sequence[Claim]
) -> HeardAgain:
    """Ask every member that can answer about a few turns; a failed one is a value in its row and sinks nothing.

    The members are given turns and the candidate, and nothing of the questions that pointed to these turns.

    Args:
        services: The fleet, the store, the event loop.
        job: The job.
        snapshot: What it works on.
        turns: Turn numbers, ascending; one or more.
        claims: The candidate.
    """
    members = [one for one in who_accounts(job.policy, services.fleet(job)) if can_be_asked_again(one)]
    if not members:
        return HeardAgain(())
    with services.unit_of_work() as work:
        key = work.installation_key()
        work.commit()
    shown = [ShownClaim(number=place, section=one.section, text=one.text) for place, one in enumerate(claims, start=1)]
    prompt = render_spans(snapshot, turns, shown, key=key)
    task = MemberTask(snapshot=snapshot, prompt=prompt, deadline_s=job.policy.quorum.hard_deadline_s)
    results = StageCalls(services, job, STAGE).ask(members, lambda _member: task, job.policy.quorum)
    heard = (said_by(member, results[member.card.name], snapshot, turns) for member in members)
    return HeardAgain(tuple(one for one in heard if one is not None))


def can_be_asked_again(member: Member) -> bool:
    """Whether a member can say something about a few turns alone: no extraction method can, a recording may not."""
    return can_answer(member, STAGE)


def said_by(member: Member, result: object, snapshot: Snapshot, turns: Sequence[int]) -> Reviewer | None:
    """What one member misses, with words of one of these turns; None when it failed or its reply is of no use."""
    if not isinstance(result, Reply):
        return None
    try:
        given = read_review(result, (), member=member.card.name)
    except MemberError:
        return None
    proved = remarks_of(snapshot, {}, [one for one in given if one.fault is Fault.MISSING])
    told: tuple[Remark, ...] = tuple(
        one for one in proved.remarks if one.evidence is not None and one.evidence.turn in turns
    )
    unproved = proved.unproved + len(proved.remarks) - len(told)
    return Reviewer(member=member.card.name, family=member.card.family, remarks=told, unproved=unproved)
