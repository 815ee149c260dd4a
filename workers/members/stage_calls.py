"""Calls of a stage that asks members more than once: each is a row, found again by what was asked.

A call's ordinal is made from its prompt. So a restart, and a candidate that did not change, find what has landed, and
whoever is asked something else is asked anew.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence

from dissolution.answers import Call, MemberFailure, MemberKind, MemberTask, RenderedPrompt, Reply
from dissolution.errors import BudgetExceeded
from dissolution.job import Job
from dissolution.policy.job_policy import QuorumPolicy
from dissolution.ports.models import Member
from fleet.budget import costs_more, refusal_over_cap
from fleet.failures import failure_of
from fleet.fan_out import fan_out
from language.secrets.replacing import replace_secrets
from workers.concurrency.in_flight import IN_FLIGHT
from workers.concurrency.tenant_concurrency import seated
from workers.services import Services
from workers.spending import closing, reserve


class StageCalls:
    """Asks members on behalf of one stage; what has landed in an earlier run of it is read again.

    Args:
        services: The store, the clock, the event loop, who watches.
        job: Its policy caps what may be spent and how long is waited.
        stage: Whose calls these are; the calls of all stages count against the cap.
    """

    def __init__(self, services: Services, job: Job, stage: str) -> None:
        self._services = services
        self._job = job
        self._stage = stage

    def ask(
        self,
        members: Sequence[Member],
        task_for: Callable[[Member], MemberTask],
        quorum: QuorumPolicy | None = None,
    ) -> Mapping[str, Reply | MemberFailure]:
        """What came of each member, by name: its reply, or its failure as a value.

        Args:
            members: Whom to ask; at least one.
            task_for: The task of one member; all have one prompt.
            quorum: How long to wait and for whom; all of them, up to the hard deadline, when None.
        """
        place = place_of(task_for(members[0]).prompt)
        asking = _Asking(self._services, self._job, self._stage, place)
        landed = asking.landed(members)
        unasked = [member for member in members if member.card.name not in landed]
        if not unasked:
            return landed
        IN_FLIGHT.await_first(self._job.id)
        try:
            reserve(self._services, self._job, self._stage, unasked, task_for(unasked[0]))
        except BudgetExceeded as error:
            return {**landed, **{member.card.name: failure_of(error) for member in unasked}}
        try:
            outcome = self._services.run_async(
                fan_out(
                    [seated(self._services, self._job, self._stage, member) for member in members],
                    task_for,
                    quorum or everybody(len(members), self._job.policy.quorum.hard_deadline_s),
                    usable=lambda _card, _reply: True,
                    on_asked=lambda member: asking.asked(member, task_for(member)),
                    on_landed=lambda member, result, late: asking.land(member, task_for(member), result, late=late),
                    landed=landed,
                    refusal_of=lambda member: asking.refusal_of(member, task_for(member)),
                )
            )
        finally:
            IN_FLIGHT.clear(self._job.id, self._stage, place)
        with self._services.unit_of_work() as work:
            closing(self._services, self._job, self._stage)(work)
            work.commit()
        return {**outcome.results, **asking.landed(members)}


LONGEST_SOFT_DEADLINE_S = 3600.0
"""The most that a policy allows; a quorum of everybody does not stand before the hard deadline anyway."""


def everybody(members: int, deadline_s: float) -> QuorumPolicy:
    """The quorum that waits for all of them until `deadline_s` (s), at most the 7200 s of a policy's hard deadline."""
    soft = min(deadline_s, LONGEST_SOFT_DEADLINE_S)
    return QuorumPolicy(min_members=members, min_families=1, soft_deadline_s=soft, hard_deadline_s=deadline_s)


def place_of(prompt: RenderedPrompt) -> int:
    """The ordinal of the calls with this prompt: 31 bits of the SHA-256 of its messages."""
    digest = hashlib.sha256("".join(f"{one.role}:{len(one.content)}:{one.content}" for one in prompt.messages).encode())
    return int.from_bytes(digest.digest()[:4], "big") >> 1


class _Asking:
    """The rows of one asking, and what all stages of the job have used."""

    def __init__(self, services: Services, job: Job, stage: str, place: int) -> None:
        self._services = services
        self._job = job
        self._stage = stage
        self._place = place
        self._begun: set[str] = set()
        with services.unit_of_work() as work:
            calls = work.jobs.calls(job.id)
            self._key = work.installation_key()
            work.commit()  # the key may have been made just now
        self._used = {
            (call.stage, call.member.name, call.ordinal): call.reply.usage for call in calls if call.reply is not None
        }

    def landed(self, members: Sequence[Member]) -> dict[str, Reply | MemberFailure]:
        """What has landed for good, as it is stored, by member name."""
        names = {member.card.name for member in members}
        with self._services.unit_of_work() as work:
            calls = work.jobs.calls(self._job.id, self._stage)
        return {
            call.member.name: result
            for call in calls
            if call.ordinal == self._place and call.member.name in names and (result := call.reply or call.failure)
        }

    def refusal_of(self, member: Member, task: MemberTask) -> MemberFailure | None:
        """Why this member must not be asked now, or None; calls in flight count as spent."""
        spent = {**self._used, **IN_FLIGHT.of(self._job.id)}
        return refusal_over_cap(tuple(spent.values()), member.estimate(task), self._job.policy.budget)

    def asked(self, member: Member, task: MemberTask) -> None:
        """Write a call's row before the call is made."""
        IN_FLIGHT.put(self._job.id, (self._stage, member.card.name, self._place), member.estimate(task))
        self._begin(member, task)
        self._services.progress.member(self._job.id, member.card.name, f"asked ({self._stage})")

    def land(self, member: Member, task: MemberTask, result: Reply | MemberFailure, *, late: bool) -> None:
        """Store a result the moment it lands, in a transaction of its own."""
        name = member.card.name
        if isinstance(result, Reply):
            IN_FLIGHT.put(self._job.id, (self._stage, name, self._place), result.usage)
            result = result.model_copy(update={"text": replace_secrets(result.text, key=self._key).text})
        if name not in self._begun:  # the budget refused it: it was never asked
            self._begin(member, task)
        with self._services.unit_of_work() as work:
            work.jobs.land_call(
                job=self._job.id,
                stage=self._stage,
                member=name,
                ordinal=self._place,
                at=self._services.clock.now(),
                result=result,
                late=late,
            )
            paid = member.card.kind is MemberKind.LANGUAGE_MODEL
            if paid and isinstance(result, Reply) and costs_more(result.usage, member.estimate(task)):
                work.money.settle(self._job.id, self._stage)  # the rest is, when the stage is over
            work.commit()
        state = result.error_class.value if isinstance(result, MemberFailure) else "answered"
        self._services.progress.member(self._job.id, name, f"{state} ({self._stage})")

    def _begin(self, member: Member, task: MemberTask) -> None:
        call = Call(
            job=self._job.id,
            stage=self._stage,
            member=member.card,
            ordinal=self._place,
            prompt=task.prompt.stamp,
            asked_at=self._services.clock.now(),
        )
        with self._services.unit_of_work() as work:
            work.jobs.begin_call(call)
            work.commit()
        self._begun.add(member.card.name)
