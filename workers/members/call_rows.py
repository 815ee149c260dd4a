"""The rows of one stage's calls: each before it is made and the moment it lands, and what was spent so far."""

from collections.abc import Mapping, Sequence

from dissolution.answers import Call, MemberFailure, MemberKind, MemberTask, PromptStamp, Reply, Usage
from dissolution.errors import MemberOverBudget
from dissolution.job import Job
from dissolution.ports.models import Member
from fleet.budget import costs_more, refusal_over_cap
from language.secrets.replacing import replace_secrets
from workers.concurrency.in_flight import IN_FLIGHT
from workers.services import Services

STAGE = "fan_out"
ALL_WINDOWS = -1
"""Stands for the windows of a member that have not been asked, in the place of an ordinal."""
LOST = -2
"""From here down: calls that a dead run had in flight."""


class CallBook:
    """Keeps the calls of one stage, a fan-out unless told otherwise: their rows, and what was used against the cap.

    A member that reads the snapshot at once has one call, ordinal 0; one that reads it in windows has one call a
    window, and the reply to the last is its answer (`last_ordinals` by member name).

    Args:
        services: The store, the clock and who watches.
        job: The job.
        task: What is asked.
        earlier: The stage's calls of earlier runs.
        key: The installation's key; it makes the placeholders of secrets.
        stage: Whose calls these are.
        spent_before: What other stages of the job have used.
    """

    def __init__(
        self,
        services: Services,
        job: Job,
        task: MemberTask,
        earlier: Sequence[Call],
        key: bytes,
        *,
        stage: str = STAGE,
        spent_before: Sequence[Usage] = (),
    ) -> None:
        self._stage = stage
        self._spent_before = tuple(spent_before)
        self.last_ordinals: dict[str, int] = {}
        self._services = services
        self._job = job
        self._task = task
        self._key = key
        self._earlier = tuple(earlier)
        self._begun: set[tuple[str, int]] = set()
        self._noted: list[Call] = []
        self._lost = {(call.member.name, call.ordinal) for call in earlier if call.landed_at is None}
        self._spending: dict[tuple[str, int], Usage] = {
            (call.member.name, call.ordinal): call.reply.usage for call in earlier if call.reply
        }

    def results(self, members: Sequence[Member]) -> Mapping[str, Reply | MemberFailure]:
        """What has landed for good in an earlier run, by member name."""
        names = {member.card.name for member in members}
        found: dict[str, Reply | MemberFailure] = {}
        for call in self._earlier:
            name = call.member.name
            if name in names and call.failure is not None:
                found[name] = call.failure  # in whichever window: nothing can be carried on from there
            elif name in names and call.reply is not None and call.ordinal == self._last(name):
                found[name] = call.reply
        return found

    def earlier_replies(self, member: Member) -> dict[int, Reply]:
        """Replies to windows that landed in an earlier run, by ordinal."""
        return {call.ordinal: call.reply for call in self._earlier if call.member == member.card and call.reply}

    def refusal_of(self, member: Member) -> MemberFailure | None:
        """Why this member must not be asked now, or None; calls in flight count as spent."""
        return refusal_over_cap(self._all(), member.estimate(self._task), self._job.policy.budget)

    def spent(self) -> tuple[Usage, ...]:
        """What has been used so far, by earlier stages too, and calls in flight by their estimate."""
        return (*self._spent_before, *self._spending.values())

    def _all(self) -> tuple[Usage, ...]:
        """What has been used, and what other branches of the job have in flight here."""
        return (*self.spent(), *IN_FLIGHT.beside(self._job.id, self._stage))

    def _count(self) -> None:
        """Let other branches count this one's calls."""
        IN_FLIGHT.replace(self._job.id, self._stage, self._spending)

    def asked(self, member: Member) -> None:
        """A member is about to be asked. One that reads in windows writes its rows itself, window by window."""
        self.noted(member)
        self.asking()

    def noted(self, member: Member) -> None:
        """As `asked`, but its row waits for `asking`, which must come before the request."""
        name = member.card.name
        if self._last(name) == 0:
            self._reserve(name, 0, member.estimate(self._task))
            self._noted.append(self._call(member, 0, self._task.prompt.stamp))
        else:
            self._spending[name, ALL_WINDOWS] = member.estimate(self._task)
            self._count()
        self._services.progress.member(self._job.id, name, "asked")

    def asking(self) -> None:
        """Write the rows of all that were noted, in one transaction."""
        calls, self._noted = self._noted, []
        if calls:
            self._begin(*calls)
        IN_FLIGHT.first_asked(self._job.id)

    def reserve_window(self, member: Member, ordinal: int, expected: Usage) -> None:
        """Make room for a window's call. Raises MemberOverBudget when the cap leaves none."""
        name = member.card.name
        self._spending.pop((name, ALL_WINDOWS), None)
        refusal = refusal_over_cap(self._all(), expected, self._job.policy.budget)
        if refusal is not None:
            raise MemberOverBudget(name, refusal.detail)
        self._reserve(name, ordinal, expected)

    def _reserve(self, name: str, ordinal: int, expected: Usage) -> None:
        """Count a call as spent before it is made; one that a dead run left in flight may be charged a second time."""
        self._spending[name, ordinal] = expected
        if (name, ordinal) in self._lost:
            self._spending[name, LOST - ordinal] = expected
        self._count()

    def landed(self, member: Member, result: Reply | MemberFailure, late: bool) -> None:  # noqa: FBT001 - a callback's fact
        """Store a member's result the moment it lands, in a transaction of its own."""
        self._land(member, self._last(member.card.name), result, late=late)
        state = result.error_class.value if isinstance(result, MemberFailure) else "answered"
        self._services.progress.member(self._job.id, member.card.name, f"{state}, late" if late else state)

    def ended(self, members: Sequence[Member], failure: MemberFailure) -> None:
        """Store one failure for all whose calls are ended at once, in one transaction."""
        places = [(member, self._last(member.card.name)) for member in members]
        new = [place for place in places if (place[0].card.name, place[1]) not in self._begun]
        with self._services.unit_of_work() as work:
            if new:
                work.jobs.begin_calls([self._call(*place, self._task.prompt.stamp) for place in new])
            names = [(member.card.name, ordinal) for member, ordinal in places]
            work.jobs.end_calls(self._job.id, self._stage, names, self._services.clock.now(), failure)
            work.commit()
        for member in members:
            self._services.progress.member(self._job.id, member.card.name, failure.error_class.value)

    def window_asked(self, member: Member, ordinal: int, prompt: PromptStamp) -> None:
        """Write the row of a window's call before the call is made."""
        self._begin(self._call(member, ordinal, prompt))
        windows = self._last(member.card.name) + 1
        self._services.progress.member(self._job.id, member.card.name, f"reads window {ordinal + 1} of {windows}")

    def window_landed(self, member: Member, result: Reply | MemberFailure, ordinal: int) -> None:
        """Store a window's result the moment it lands; the last one lands as the member's result."""
        self._land(member, ordinal, result, late=False)

    def _last(self, member: str) -> int:
        return self.last_ordinals.get(member, 0)

    def _begin(self, *calls: Call) -> None:
        """Write the rows of calls before they are made: an attempt that dies is visible."""
        with self._services.unit_of_work() as work:
            work.jobs.begin_calls(calls)
            work.commit()
        self._begun.update((call.member.name, call.ordinal) for call in calls)

    def _land(self, member: Member, ordinal: int, result: Reply | MemberFailure, *, late: bool) -> None:
        name = member.card.name
        expected = self._spending.get((name, ordinal)) if member.card.kind is MemberKind.LANGUAGE_MODEL else None
        if isinstance(result, Reply):
            self._spending[name, ordinal] = result.usage
            self._count()
            # The turns had their secrets replaced; a recording, or a model that makes one up, may still bring one.
            result = result.model_copy(update={"text": replace_secrets(result.text, key=self._key).text})
        with self._services.unit_of_work() as work:
            # It was never asked when the budget refused it, or when a window before its last one failed.
            if (name, ordinal) not in self._begun:
                work.jobs.begin_call(self._call(member, ordinal, self._task.prompt.stamp))
            now = self._services.clock.now()
            work.jobs.land_call(
                job=self._job.id, stage=self._stage, member=name, ordinal=ordinal, at=now, result=result, late=late
            )
            if expected is not None and isinstance(result, Reply) and costs_more(result.usage, expected):
                work.money.settle(self._job.id, self._stage)  # the rest is, when the step is over
            work.commit()

    def _call(self, member: Member, ordinal: int, prompt: PromptStamp) -> Call:
        return Call(
            job=self._job.id,
            stage=self._stage,
            member=member.card,
            ordinal=ordinal,
            prompt=prompt,
            asked_at=self._services.clock.now(),
        )


def answering_calls(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The one call of each member that holds its answer or failure: its last, in the order of `calls`.

    Meant for a fan-out that is over; every member has landed its last ordinal then.
    """
    last = {call.member.name: call for call in sorted(calls, key=lambda call: call.ordinal)}
    return tuple(call for call in calls if last[call.member.name] is call)
