"""Members of the fleet that audit a candidate: asked about claims in blocks, each call a row, failures as values."""

from collections.abc import Sequence
from functools import partial

from dissolution.answers import MemberFailure
from dissolution.claim_audit import AssessedClaim, Auditor
from dissolution.claims import Claim, MemberName
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.job import Job
from frame_agent.assessing import assessed_of
from prompts.claim_auditing import AT_ONCE, read_claim_audit, render_claim_audit
from workers.probe_members import ProbeMember
from workers.services import Services

NOT_ASKED = "policy field 'frame.auditor_calls' allows no further call"


def audited_by_members(services: Services, job: Job, snapshot: Snapshot, consensus: Consensus) -> tuple[Auditor, ...]:
    """What the members of policy say of the candidate's claims, in the order of policy.

    The first failure of a member ends its asking; what it said before counts. Members are asked one after the other, so
    that with too few calls the first of them read everything.

    Args:
        services: The fleet, the store, the event loop.
        job: Its policy names the members and how often they are asked.
        snapshot: What the claims are about.
        consensus: The candidate.
    """
    policy = job.policy.frame
    blocks = [consensus.claims[start : start + AT_ONCE] for start in range(0, len(consensus.claims), AT_ONCE)]
    left = policy.auditor_calls
    found: list[Auditor] = []
    for name in policy.auditor if blocks else ():
        auditor, made = _audited(ProbeMember(services, job, "frame_audit", name), name, snapshot, blocks, left)
        found.append(auditor)
        left -= made
    return tuple(found)


def _audited(
    member: ProbeMember, name: MemberName, snapshot: Snapshot, blocks: Sequence[Sequence[Claim]], calls: int
) -> tuple[Auditor, int]:
    """What one member says, asked at most `calls` times, and how often it was asked."""
    family = name if member.member is None else member.member.card.family
    assessed: list[AssessedClaim] = []
    unproved = unread = 0
    for place, block in enumerate(blocks):
        beyond = unread + sum(len(one) for one in blocks[place:])
        if place >= calls:
            return _auditor(name, family, assessed, unproved, beyond, detail=NOT_ASKED), place
        prompt = render_claim_audit(snapshot, [(one.section, one.text) for one in block], key=member.key)
        said = member.said(prompt, partial(read_claim_audit, claims=len(block), member=name))
        if isinstance(said, MemberFailure):
            made = place + member.has_model
            return _auditor(name, family, assessed, unproved, beyond, failure=said), made
        judged = assessed_of(snapshot, block, said)
        assessed += judged.assessed
        unproved, unread = unproved + judged.unproved, unread + judged.unread
    return _auditor(name, family, assessed, unproved, unread), len(blocks)


def _auditor(
    name: MemberName,
    family: str,
    assessed: Sequence[AssessedClaim],
    unproved: int,
    unread: int,
    *,
    failure: MemberFailure | None = None,
    detail: str = "",
) -> Auditor:
    return Auditor(
        member=name,
        family=family,
        assessed=tuple(assessed),
        unproved=unproved,
        unread=unread,
        failure=None if failure is None else failure.error_class,
        detail=detail if failure is None else failure.detail,
    )
