"""Adjudication by a member of the job's fleet: one question in the consensus step, its call a row like any other."""

from collections.abc import Sequence

from dissolution.adjudication import ClaimPair, PairAnswer
from dissolution.answers import Call, FailureClass, MemberFailure, MemberKind, MemberTask, Reply
from dissolution.conversation import Snapshot
from dissolution.errors import BudgetExceeded, MemberError
from dissolution.job import Job
from dissolution.policy import QuorumPolicy
from dissolution.ports import Adjudicator, Member
from fleet.failures import failure_of, member_failure
from fleet.fan_out import fan_out
from prompts.entailment import read_pairs, render_pairs
from workers.calls import STAGE as FAN_OUT
from workers.calls import CallBook
from workers.seats import seated
from workers.services import Services
from workers.spending import closing, reserve

STAGE = "consensus"

CANNOT_COMPARE = frozenset({MemberKind.EXTRACTIVE, MemberKind.RECORDED})
"""Members that answer about a conversation and about nothing else."""


class MemberAdjudicator:
    """Asks one member, once: what has landed in an earlier run of the step is read again and not asked again.

    Args:
        services: The store, the clock, the event loop.
        job: Its policy caps what may be spent and how long is waited.
        member: Who is asked.
        snapshot: What the claims are about; a member's task names it, the question does not show it.
    """

    def __init__(self, services: Services, job: Job, member: Member, snapshot: Snapshot) -> None:
        self._services = services
        self._job = job
        self._member = seated(services, job, STAGE, member)
        self._snapshot = snapshot

    @property
    def name(self) -> str:
        """Who is asked."""
        return self._member.card.name

    def adjudicate(self, pairs: Sequence[ClaimPair]) -> tuple[PairAnswer | None, ...] | MemberFailure:
        """The member's answers, or why there are none: it failed, refused, was over budget, or was not understood."""
        result = self._result(pairs)
        if isinstance(result, MemberFailure):
            return result
        try:
            return read_pairs(result, len(pairs), member=self.name)
        except MemberError as error:
            return failure_of(error)

    def _result(self, pairs: Sequence[ClaimPair]) -> Reply | MemberFailure:
        """What landed, now or in an earlier run, as it is stored."""
        with self._services.unit_of_work() as work:
            earlier = work.jobs.calls(self._job.id, STAGE)
            spent = [call.reply.usage for call in work.jobs.calls(self._job.id, FAN_OUT) if call.reply is not None]
            key = work.installation_key()
            work.commit()  # the key may have been made just now
        deadline_s = self._job.policy.quorum.hard_deadline_s
        prompt = render_pairs(pairs, key=key)
        task = MemberTask(snapshot=self._snapshot, prompt=prompt, deadline_s=deadline_s)
        book = CallBook(self._services, self._job, task, earlier, key, stage=STAGE, spent_before=spent)
        if not book.results((self._member,)):
            try:
                reserve(self._services, self._job, STAGE, (self._member,), task)
            except BudgetExceeded as error:
                return failure_of(error)
            self._services.run_async(
                fan_out(
                    (self._member,),
                    lambda _member: task,
                    alone(deadline_s),
                    usable=lambda _reply: True,
                    on_asked=book.asked,
                    on_landed=book.landed,
                    may_ask=book.may_ask,
                )
            )
        with self._services.unit_of_work() as work:
            closing(self._services, self._job, STAGE)(work)
            work.commit()
            return landed(work.jobs.calls(self._job.id, STAGE), self.name)


def alone(deadline_s: float) -> QuorumPolicy:
    """The quorum of a question to one member, waited for until `deadline_s` (s)."""
    return QuorumPolicy(min_members=1, min_families=1, soft_deadline_s=deadline_s, hard_deadline_s=deadline_s)


def landed(calls: Sequence[Call], member: str) -> Reply | MemberFailure:
    """What came of a member's call. Raises LookupError when it has not landed: it is asked before this is read."""
    for call in calls:
        if call.member.name == member and (result := call.reply or call.failure) is not None:
            return result
    message = f"member {member!r} has no landed call in stage {STAGE!r}"
    raise LookupError(message)


class NobodyToAsk:
    """An adjudicator that the fleet does not have (any more), or that has no model: its failure is a value too."""

    def __init__(self, name: str, why: str) -> None:
        self._name = name
        self._failure = member_failure(FailureClass.BAD_REQUEST, why)

    @property
    def name(self) -> str:
        """Who was to be asked."""
        return self._name

    def adjudicate(self, pairs: Sequence[ClaimPair]) -> MemberFailure:  # noqa: ARG002 - nobody hears them
        """Why there are no answers."""
        return self._failure


def adjudicator_of(services: Services, job: Job, snapshot: Snapshot) -> Adjudicator | None:
    """The adjudicator that the job's policy names, or None when it names none."""
    name = job.policy.consensus.adjudicator
    if name is None:
        return None
    member = next((member for member in services.fleet(job) if member.card.name == name), None)
    if member is None:
        return NobodyToAsk(name, f"the fleet has no member {name!r} now; nobody was asked")
    if member.card.kind in CANNOT_COMPARE:
        return NobodyToAsk(name, f"a member of kind {member.card.kind.value!r} has no model; nothing was asked")
    return MemberAdjudicator(services, job, member, snapshot)
