"""Members of the fleet that review a candidate: all asked at the same time, each call a row, failures as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from dissolution.answers import FailureClass, MemberFailure, MemberKind, RenderedPrompt, Reply
from dissolution.claims import Claim, MemberName
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import MOST_NEEDED, FramePolicy
from dissolution.job import Job
from dissolution.ports.models import Member
from dissolution.premises import PLAIN_STATUSES, Premise, Register
from dissolution.reviewing import Hint, Remark, Reviewer
from fleet.answering import can_answer
from fleet.failures import member_failure
from frame_agent.review.quote_proof import Proved, remarks_of
from prompts.review_blocks import Pointer, ShownClaim
from prompts.reviewing import REVIEW, SHORT_FROM, Listed, read_review, render_review, render_short_review
from workers.members.context_windows import Windowed
from workers.members.probe_members import ProbeMember
from workers.services import Services

NOT_ASKED = "policy field 'frame.review_calls' allows no further call"
NO_MEMBER = "the fleet has no language model, and no recorded member that holds a review"
NO_FAMILIES = "policy field 'frame.review_families' is 0 and 'frame.reviewers' names nobody"
NO_CLAIMS = "the candidate has no claim"

PREMISES_SHOWN = 40
"""Premises on the checklist at most: those that most rests on first."""


class Reviewed(NamedTuple):
    """Who was asked, and why nobody was; None where somebody was."""

    reviewers: tuple[Reviewer, ...]
    nobody: str | None


class Material(NamedTuple):
    """What reviewers are shown besides the conversation."""

    snapshot: Snapshot
    claims: tuple[Claim, ...]
    register: Register
    hints: tuple[Hint, ...]
    version: int

    def prompt(self, start: int, end: int, key: bytes) -> RenderedPrompt:
        """The question about the claims from `start` (0-based) up to and without `end`."""
        shown = [
            ShownClaim(number=number, section=one.section, text=one.text)
            for number, one in enumerate(self.claims[start:end], start=start + 1)
        ]
        numbers = {claim.id: number for number, claim in enumerate(self.claims, start=1)}
        of = len(self.claims)
        if self.version >= SHORT_FROM:
            pointers = tuple(pointer(one, numbers) for one in self.hints)
            return render_short_review(self.snapshot, shown, pointers, of=of, key=key, version=self.version)
        premises, hints = checklist(self.register), tuple(shown_hint(one, numbers) for one in self.hints)
        return render_review(self.snapshot, shown, premises, hints, of=of, key=key, version=self.version)


@dataclass
class _Asked:
    """One reviewer while it is asked."""

    name: MemberName
    member: ProbeMember
    at: int = 0  # claims that were put to it
    remarks: list[Remark] = field(default_factory=list[Remark])
    unproved: int = 0
    failure: MemberFailure | None = None
    detail: str = ""

    def done(self, claims: int) -> Reviewer:
        """What came of it."""
        return Reviewer(
            member=self.name,
            family=self.name if self.member.member is None else self.member.member.card.family,
            remarks=tuple(self.remarks),
            unproved=self.unproved,
            unread=claims - self.at,
            failure=None if self.failure is None else self.failure.error_class,
            detail=self.detail,
        )


def chosen(policy: FramePolicy, fleet: Sequence[Member]) -> tuple[MemberName, ...]:
    """The members that review: those that policy names, else the first that can of each family, in roster order."""
    if policy.reviewers:
        return policy.reviewers
    first: dict[str, MemberName] = {}
    for member in fleet:
        recorded = member.card.kind is MemberKind.RECORDED and can_answer(member, REVIEW)
        if recorded or member.card.kind is MemberKind.LANGUAGE_MODEL:
            first.setdefault(member.card.family, member.card.name)
    return tuple(first.values())[: policy.review_families]


def is_reviewed(policy: FramePolicy, fleet: Sequence[Member]) -> bool:
    """Whether members of two families will review the candidate.

    Then what says the same may still be merged, and another family looks at what one alone states.
    """
    names = frozenset(chosen(policy, fleet))
    families = {member.card.family for member in fleet if member.card.name in names}
    return policy.audit and len(families) >= MOST_NEEDED


def reviewed_by_members(
    services: Services,
    job: Job,
    snapshot: Snapshot,
    consensus: Consensus,
    *,
    register: Register,
    hints: Sequence[Hint] = (),
) -> Reviewed:
    """What members say of the candidate, and who was asked.

    Each is asked about as many claims at once as its window holds, all of them at the same time. The first failure of
    a member ends its asking; what it said before counts.

    Args:
        services: The fleet, the store, the event loop, the embedder's name.
        job: Its policy says who is asked and how often.
        snapshot: What the claims are about.
        consensus: The candidate.
        register: What the conversation takes for granted: the checklist of the long form.
        hints: What is suspected; of the short form also what the conversation takes for granted and no claim holds.
    """
    policy = job.policy.frame
    names = chosen(policy, services.fleet(job))
    if not names or not consensus.claims:
        why = NO_CLAIMS if not consensus.claims else NO_MEMBER if policy.review_families else NO_FAMILIES
        return Reviewed((), why)
    asked = [_Asked(name, ProbeMember(services, job, "frame_audit", name)) for name in names]
    material = Material(snapshot, consensus.claims, register, tuple(hints), policy.review_version)
    _ask_all(asked, material, policy.review_calls)
    return Reviewed(tuple(one.done(len(consensus.claims)) for one in asked), None)


def nobody_read(reviewed: Reviewed) -> bool:
    """Whether no member that was asked has read the candidate to its end."""
    return all(one.failure is not None or one.unread for one in reviewed.reviewers)


def _ask_all(asked: Sequence[_Asked], material: Material, calls: int) -> None:
    """Ask round after round until everybody has been asked about every claim, failed, or no call is left.

    The calls of a round are sent together. Rounds follow each other: a reviewer that failed is not paid for once more.
    """
    left = calls
    while True:
        groups: dict[tuple[int, int], list[_Asked]] = {}
        for one in asked:
            if one.failure is None and not one.detail and one.at < len(material.claims):
                end = _fitting(one, material)
                if one.failure is not None:
                    continue
                if one.member.has_model and left == 0:
                    one.detail = NOT_ASKED
                    continue
                left -= one.member.has_model
                groups.setdefault((one.at, end), []).append(one)
        if not groups:
            return
        parts = [partial(_ask, together, material, *place) for place, together in groups.items()]
        asked[0].member.at_once(parts)


def _fitting(one: _Asked, material: Material) -> int:
    """Up to which claim its window holds, by bisection; a failure where not even one claim fits beside the turns."""
    low, high = one.at, len(material.claims)
    member = one.member.member
    if not isinstance(member, Windowed) or member.fits(material.prompt(low, high, one.member.key)):
        return high
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if member.fits(material.prompt(one.at, middle, one.member.key)) else (low, middle)
    if low == one.at:
        detail = f"claim {one.at + 1} does not fit its window beside the conversation"
        one.failure = member_failure(FailureClass.CONTEXT_WINDOW, detail)
        one.detail = one.failure.detail
    return low


def _ask(together: Sequence[_Asked], material: Material, start: int, end: int) -> None:
    prompt = material.prompt(start, end, together[0].member.key)
    results = together[0].member.together([one.member for one in together], prompt)
    for one in together:
        said = one.member.understood(results.get(one.name), partial(_proved, material, start, end, one.name))
        if isinstance(said, MemberFailure):
            one.failure, one.detail = said, said.detail
            continue
        one.at = end
        one.remarks += said.remarks
        one.unproved += said.unproved


def _proved(material: Material, start: int, end: int, name: MemberName, reply: Reply) -> Proved:
    shown: Mapping[int, Claim] = dict(enumerate(material.claims[start:end], start=start + 1))
    whole = len(shown) == len(material.claims)
    return remarks_of(material.snapshot, shown, read_review(reply, list(shown), member=name), whole=whole)


def checklist(register: Register) -> tuple[Listed, ...]:
    """The premises of the long form: in doubt, or with something resting on them; as they were stated."""
    wanted = [one for one in register.premises if one.status not in PLAIN_STATUSES or one.open_dependants]
    most = sorted(wanted, key=lambda one: -len(one.open_dependants))[:PREMISES_SHOWN]
    kept = {one.id for one in most}
    return tuple(Listed(told=_told(one), words=one.proposition) for one in register.premises if one.id in kept)


def _told(premise: Premise) -> str:
    resting = len(premise.open_dependants)
    rests = f"; {resting} {'statement rests' if resting == 1 else 'statements rest'} on it" if resting else ""
    return f"turn {premise.turn}, taken for {premise.status.value.replace('_', ' ')}{rests}"


def pointer(hint: Hint, numbers: Mapping[str, int]) -> Pointer:
    """A hint in the short form: in as few words as find the place."""
    return Pointer(
        suspects=hint.suspects,
        claims=tuple(numbers[one] for one in hint.claims if one in numbers),
        turn=None if hint.evidence is None else hint.evidence.turn,
        words="" if hint.evidence is None else hint.evidence.text,
    )


def shown_hint(hint: Hint, numbers: Mapping[str, int]) -> Listed:
    """A hint in the long form: claims by number, the fault it suspects, and words where there are any."""
    claims = [str(numbers[one]) for one in hint.claims if one in numbers]
    about = f"claim {' and '.join(claims)}" if claims else "no claim"
    where = "" if hint.evidence is None else f", turn {hint.evidence.turn}"
    return Listed(
        told=f"{about}: {hint.suspects.value}?{where}", words="" if hint.evidence is None else hint.evidence.text
    )
