"""Members of the fleet that audit a candidate: asked about claims in blocks, each call a row, failures as values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from dissolution.answers import MemberFailure, Reply
from dissolution.claim_audit import AssessedClaim, Auditor
from dissolution.claims import Claim, MemberName
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.job import Job
from frame_agent.assessing import Judged, assessed_of
from prompts.claim_auditing import AT_ONCE, read_claim_audit, render_claim_audit
from workers.probe_members import ProbeMember
from workers.services import Services

NOT_ASKED = "policy field 'frame.auditor_calls' allows no further call"


@dataclass
class _Asked:
    """One auditor while it is asked."""

    name: MemberName
    member: ProbeMember
    assessed: list[AssessedClaim] = field(default_factory=list[AssessedClaim])
    unproved: int = 0
    unread: int = 0
    failure: MemberFailure | None = None
    detail: str = ""

    @property
    def is_heard(self) -> bool:
        """Whether it may be asked on: it has not failed."""
        return self.failure is None

    def hear(self, said: Judged | MemberFailure, block: Sequence[Claim]) -> None:
        """Take in what it says about one block."""
        if isinstance(said, MemberFailure):
            self.failure, self.detail = said, said.detail
            self.unread += len(block)
            return
        self.assessed += said.assessed
        self.unproved += said.unproved
        self.unread += said.unread

    def done(self) -> Auditor:
        """What came of it."""
        return Auditor(
            member=self.name,
            family=self.name if self.member.member is None else self.member.member.card.family,
            assessed=tuple(self.assessed),
            unproved=self.unproved,
            unread=self.unread,
            failure=None if self.failure is None else self.failure.error_class,
            detail=self.detail,
        )


def audited_by_members(services: Services, job: Job, snapshot: Snapshot, consensus: Consensus) -> tuple[Auditor, ...]:
    """What the members of policy say of the candidate's claims, in the order of policy.

    All are asked about a block at the same time, then about the next, so that with too few calls the first blocks are
    read by everybody. The first failure of a member ends its asking; what it said before counts.

    Args:
        services: The fleet, the store, the event loop.
        job: Its policy names the members and how often they are asked.
        snapshot: What the claims are about.
        consensus: The candidate.
    """
    policy = job.policy.frame
    blocks = [consensus.claims[start : start + AT_ONCE] for start in range(0, len(consensus.claims), AT_ONCE)]
    names = policy.auditor if blocks else ()
    auditors = [_Asked(name, ProbeMember(services, job, "frame_audit", name)) for name in names]
    left = policy.auditor_calls
    for block in blocks if auditors else ():
        left -= _ask(auditors, snapshot, block, left)
    return tuple(one.done() for one in auditors)


def _ask(auditors: Sequence[_Asked], snapshot: Snapshot, block: Sequence[Claim], calls: int) -> int:
    """Ask about one block, with at most `calls` calls; how many were made."""
    asked: list[_Asked] = []
    made = 0
    for one in auditors:
        if one.is_heard and made + one.member.has_model <= calls:
            asked.append(one)
            made += one.member.has_model
            continue
        one.unread += len(block)
        one.detail = one.detail or NOT_ASKED
    if not asked:
        return 0
    prompt = render_claim_audit(snapshot, [(one.section, one.text) for one in block], key=asked[0].member.key)
    results = asked[0].member.together([one.member for one in asked], prompt)
    for one in asked:
        read = partial(_assessed, snapshot, block, one.name)
        one.hear(one.member.understood(results.get(one.name), read), block)
    return made


def _assessed(snapshot: Snapshot, block: Sequence[Claim], name: MemberName, reply: Reply) -> Judged:
    return assessed_of(snapshot, block, read_claim_audit(reply, len(block), member=name))
