"""Members of the fleet behind the frame: who reads premises, and who challenges them. Each call is a row."""

from collections.abc import Mapping, Sequence
from functools import partial

from dissolution.answers import MemberFailure, Reply
from dissolution.claims import MemberName, Section
from dissolution.conversation import Snapshot
from dissolution.framing import Challenge
from dissolution.job import Job
from dissolution.premises import Register
from dissolution.receipt.frame import PremiseReader
from dissolution.values import NotMeasured
from frame_agent.challenge.challenger import SHOWN, Weighed, considered, goal_of, rank, shown_as, targets
from frame_agent.register.member_readings import MemberPremises, merged
from prompts.framing import ProposedFraming, read_challenges, read_premises, render_challenge, render_premises
from workers.members.cycles import prior_boundary
from workers.members.probe_members import ProbeMember
from workers.services import Services

PREMISES_ASKED = 30
"""Premises a member is asked for at most."""

NOTHING_TO_CHALLENGE = NotMeasured(not_measured="nothing that can be doubted has anything resting on it")


def read_by_members(
    services: Services, job: Job, snapshot: Snapshot, stored: Register, register: Register
) -> tuple[Register, tuple[PremiseReader, ...]]:
    """The register with what the members of policy read of its new turns, and what came of each of them.

    Nobody is asked when no turn is new. Members beyond `frame.extractor_calls` are not asked either, and told.
    """
    policy = job.policy.frame
    if stored.through >= register.through:
        return register, ()
    read: list[MemberPremises] = []
    readers: dict[MemberName, PremiseReader] = {}
    asked = {name: ProbeMember(services, job, "register", name) for name in policy.extractor[: policy.extractor_calls]}
    results: Mapping[MemberName, Reply | MemberFailure] = {}
    if asked:
        first = next(iter(asked.values()))
        prompt = render_premises(snapshot, after=stored.through, count=PREMISES_ASKED, key=first.key)
        results = first.together(tuple(asked.values()), prompt)
    for name, member in asked.items():
        said = member.understood(results.get(name), partial(read_premises, member=name))
        if isinstance(said, MemberFailure):
            readers[name] = PremiseReader(member=name, failure=said.error_class, detail=said.detail)
        else:
            read.append(MemberPremises(name, said))
    grown, taken = merged(stored, register, snapshot, read)
    for name, one in taken.items():
        readers[name] = PremiseReader(member=name, premises=one.premises, new=one.new)
    return grown, tuple(readers[name] for name in policy.extractor if name in readers)


def challenged(
    services: Services, job: Job, snapshot: Snapshot, register: Register
) -> tuple[Challenge, ...] | NotMeasured:
    """Framings that the conversation never considered, of most leverage first; why there are none when nobody said.

    The challenger sees the goal and the register, and nothing of the candidate. Each call shows the next premises of
    most leverage, all at the same time; what is said up to the first that fails counts.
    """
    policy = job.policy.frame
    if policy.challenger is None:
        return NotMeasured(not_measured="the policy names no challenger")
    weighed = targets(register)
    if not weighed:
        return NOTHING_TO_CHALLENGE
    with services.unit_of_work() as work:
        prior = prior_boundary(work, job)
    held = [claim.text for claim in prior.section(Section.IDENTITY)] if prior is not None else []
    known, goal = considered(register), goal_of(snapshot, held)
    name = policy.challenger
    member = ProbeMember(services, job, "frame_audit", name)
    count = max(1, policy.challenges_shown)

    def framings(shown: Sequence[Weighed]) -> tuple[ProposedFraming, ...] | MemberFailure:
        prompt = render_challenge(goal, [shown_as(one.premise) for one in shown], known, count=count, key=member.key)
        return member.said(prompt, partial(read_challenges, shown=len(shown), member=name))

    parts = [weighed[start : start + SHOWN] for start in range(0, len(weighed), SHOWN)][: policy.challenger_calls]
    proposed: list[tuple[str, Weighed, ProposedFraming]] = []
    for shown, said in zip(parts, member.at_once([partial(framings, shown) for shown in parts]), strict=True):
        if isinstance(said, MemberFailure):
            if proposed:
                break
            return NotMeasured(not_measured=f"challenger {name!r}: {said.error_class.value}, {said.detail}")
        proposed += [(name, shown[one.premise - 1], one) for one in said]
    found = [(who, one.premise, framing) for who, one, framing in proposed]
    return rank(found, known, services.embedder(), policy.challenges_shown) if found else ()
