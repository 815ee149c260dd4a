"""Ask all members at once, take what comes, stop when the quorum stands and time is up.

Pure asyncio: no store, no parser, no clock but the event loop's. The caller is told of every landing the moment it
happens and can make it durable; given the landings of an earlier run, it is not asked again what has landed.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from dissolution.answers import FailureClass, MemberCard, MemberFailure, MemberTask, Reply
from dissolution.errors import InvalidRoster
from dissolution.policy.job_policy import QuorumPolicy
from dissolution.ports.models import Member
from dissolution.values import Frozen, Measured, NotMeasured
from fleet.failures import failure_of, member_failure
from fleet.quorum import Quorum, count_quorum

CANCEL_GRACE_S = 2.0
"""How long a cancelled call may take to clean up before it is left behind; a member that ignores cancellation must not
hold up the job."""


UNNEEDED = MemberFailure(
    error_class=FailureClass.CANCELLED, detail="the families that had answered agreed as far as the policy asks"
)
"""Lands for whoever is not waited for because the others agree."""


class Landing(Frozen):
    """What came of one member: a reply or a failure, and whether it came too late to count.

    `late`: it landed after the soft deadline with the quorum already standing, or after the hard one. `latency_s` runs
    from the start of the fan-out, in seconds of the event loop's clock.
    """

    member: MemberCard
    result: Reply | MemberFailure
    late: bool
    latency_s: Measured


class FanOutOutcome(Frozen):
    """Every member's landing, in the members' order, and how the quorum came out."""

    landings: tuple[Landing, ...]
    quorum: Quorum

    @property
    def results(self) -> Mapping[str, Reply | MemberFailure]:
        """What came of each member, by name."""
        return {landing.member.name: landing.result for landing in self.landings}


async def fan_out(
    members: Sequence[Member],
    task_for: Callable[[Member], MemberTask],
    quorum: QuorumPolicy,
    *,
    usable: Callable[[MemberCard, Reply], bool],
    on_asked: Callable[[Member], None],
    on_landed: Callable[[Member, Reply | MemberFailure, bool], None],
    landed: Mapping[str, Reply | MemberFailure] | None = None,
    landed_late: Collection[str] = (),
    on_asking: Callable[[], None] = lambda: None,
    on_ended: Callable[[Sequence[Member], MemberFailure], None] | None = None,
    refusal_of: Callable[[Member], MemberFailure | None] | None = None,
    agree: Callable[[Sequence[tuple[MemberCard, Reply]]], bool] | None = None,
) -> FanOutOutcome:
    """Ask every member that has not landed, all at once.

    Until the soft deadline everybody is waited for. From then on waiting ends as soon as the quorum stands: stragglers
    are cancelled (failure class `cancelled`), or, if the policy keeps them, waited for until the hard deadline and
    marked late. At the hard deadline whoever has not landed fails with `timeout`. Each task's own deadline ends its
    call with `timeout` too. A failing or crashing member is a value and disturbs nobody.

    Args:
        members: Whom to ask; names must differ.
        task_for: The task of one member. Called for all before the first is asked, so that its errors cost nothing.
        quorum: Who must answer and how long it may take (s, from the call of this function).
        usable: Whether a member's reply counts (it has been parsed and is no refusal, stub or garbage). Must not raise.
        on_asked: Told before a member is asked. An exception ends the fan-out.
        on_asking: Called once all of them have been told of, before the first request. An exception ends the fan-out.
        on_landed: Told of member, result and lateness when a call lands. An exception ends the fan-out.
        on_ended: Told at once of all whose calls are ended with one failure, in place of `on_landed` of each.
        landed: Results of an earlier run by member name; these members are not asked again and count as they did.
        landed_late: The names among `landed` whose answer was late then; they never count.
        agree: Says of the usable answers whether they agree so far that no more is needed; it is asked once the quorum
            stands, and calls still in flight are then cancelled. Nobody asks if None. Must not raise.
        refusal_of: Returns why a member must not be asked now (its budget), or None; the failure lands at once.

    Returns:
        All landings and the quorum.

    Raises:
        InvalidRoster: Two members with one name.
        asyncio.CancelledError: The caller was cancelled. What has landed has been told; calls in flight are cancelled
            and not told, so a later run asks them again.
    """
    _refuse_namesakes(members)
    round_ = _Round(quorum, usable, on_landed, agree, on_ended)
    tasks = {member.card.name: task_for(member) for member in members if member.card.name not in (landed or {})}
    for member in members:
        if landed and member.card.name in landed:
            round_.take_up(member, landed[member.card.name], late=member.card.name in landed_late)
    asked: list[Member] = []
    try:
        for member in members:
            if member.card.name in tasks:
                refusal = UNNEEDED if round_.agrees() else refusal_of(member) if refusal_of else None
                if refusal is not None:
                    round_.land(member, refusal)
                    continue
                on_asked(member)
                asked.append(member)
        on_asking()
        for member in asked:
            round_.start(member, tasks[member.card.name])
        await round_.run()
    finally:
        await round_.abandon()
    landings = tuple(round_.landings[member.card.name] for member in members)
    return FanOutOutcome(landings=landings, quorum=count_quorum(round_.counted, quorum))


def _refuse_namesakes(members: Sequence[Member]) -> None:
    seen: set[str] = set()
    for member in members:
        if member.card.name in seen:
            raise InvalidRoster(f"two members are named {member.card.name!r}", "give every member its own name")
        seen.add(member.card.name)


class _Round:
    """The state of one fan-out."""

    def __init__(
        self,
        quorum: QuorumPolicy,
        usable: Callable[[MemberCard, Reply], bool],
        on_landed: Callable[[Member, Reply | MemberFailure, bool], None],
        agree: Callable[[Sequence[tuple[MemberCard, Reply]]], bool] | None,
        on_ended: Callable[[Sequence[Member], MemberFailure], None] | None = None,
    ) -> None:
        self._on_ended = on_ended
        self._quorum = quorum
        self._usable = usable
        self._on_landed = on_landed
        self._agree = agree
        self._heard: list[tuple[MemberCard, Reply]] = []
        self._agreed = False
        self._asked_about = 0  # answers when it was last asked whether they agree
        self._time = asyncio.get_running_loop().time
        self._started = self._time()
        self._members: dict[asyncio.Task[None], Member] = {}
        self._verdict: MemberFailure | None = None  # why the calls still in flight are being ended
        self.landings: dict[str, Landing] = {}
        self.counted: list[MemberCard] = []

    @property
    def _elapsed(self) -> float:
        return self._time() - self._started

    @property
    def _stands(self) -> bool:
        return count_quorum(self.counted, self._quorum).met

    @property
    def _is_late(self) -> bool:
        elapsed = self._elapsed
        after_soft = elapsed > self._quorum.soft_deadline_s and self._stands
        return after_soft or elapsed > self._quorum.hard_deadline_s or self._verdict is not None

    def take_up(self, member: Member, result: Reply | MemberFailure, *, late: bool) -> None:
        """Count what an earlier run brought in, without telling anybody again."""
        earlier = NotMeasured(not_measured="landed in an earlier run")
        self.landings[member.card.name] = Landing(member=member.card, result=result, late=late, latency_s=earlier)
        self._count(member.card, result, late=late)

    def start(self, member: Member, task: MemberTask) -> None:
        """Put one call in flight."""
        self._members[asyncio.create_task(self._ask(member, task), name=f"ask {member.card.name}")] = member

    def land(self, member: Member, result: Reply | MemberFailure, *, late: bool = False, tell: bool = True) -> None:
        """Tell of a result and count it; what has landed keeps its first result."""
        if member.card.name in self.landings:
            return
        landing = Landing(member=member.card, result=result, late=late, latency_s=max(0.0, self._elapsed))
        self.landings[member.card.name] = landing
        if tell:
            self._on_landed(member, result, late)  # first made durable, then judged
        self._count(member.card, result, late=late)

    def _count(self, card: MemberCard, result: Reply | MemberFailure, *, late: bool) -> None:
        if not late and isinstance(result, Reply) and self._usable(card, result):
            self.counted.append(card)
            self._heard.append((card, result))

    def agrees(self) -> bool:
        """Whether the quorum stands and its answers agree so far that no more is needed."""
        if self._agree is not None and self._stands and len(self._heard) > self._asked_about:
            self._asked_about = len(self._heard)
            self._agreed = self._agree(tuple(self._heard))
        return self._agreed

    async def _ask(self, member: Member, task: MemberTask) -> None:
        result: Reply | MemberFailure
        limit = asyncio.timeout(task.deadline_s)
        try:
            async with limit:
                result = await member.answer(task)
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                if self._verdict is None:
                    raise  # the whole fan-out is cancelled: this call has not landed
                return  # `_end` lands it, with all others
            result = member_failure(FailureClass.INTERNAL, "CancelledError")  # the member cancelled itself
        except TimeoutError as error:
            detail = f"no answer within the call's deadline of {task.deadline_s:g} s"
            result = member_failure(FailureClass.TIMEOUT, detail) if limit.expired() else failure_of(error)
        except Exception as error:  # noqa: BLE001 - whatever a member does must not sink the others (rule 7)
            result = failure_of(error)
        self.land(member, result, late=self._is_late)

    async def run(self) -> None:
        """Wait until everybody landed or waiting has no more use. Re-raises what a caller's function raised."""
        pending = set(self._members)
        while pending:
            if self._elapsed >= self._quorum.hard_deadline_s:
                detail = f"no answer by the hard deadline of {self._quorum.hard_deadline_s:g} s"
                await self._end(member_failure(FailureClass.TIMEOUT, detail))
                return
            soft_is_past = self._elapsed >= self._quorum.soft_deadline_s
            if soft_is_past and self._stands and self._quorum.stragglers == "cancel":
                await self._end(member_failure(FailureClass.CANCELLED, "the quorum stood at the soft deadline"))
                return
            until = self._quorum.hard_deadline_s if soft_is_past else self._quorum.soft_deadline_s
            done, pending = await asyncio.wait(
                pending, timeout=max(0.0, until - self._elapsed), return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                task.result()
            if pending and self.agrees():
                await self._end(UNNEEDED)
                return

    async def _end(self, verdict: MemberFailure) -> None:
        """End the calls still in flight with this failure."""
        self._verdict = verdict
        await self.abandon()
        left = [member for member in self._members.values() if member.card.name not in self.landings]
        for member in left:  # those that would not be cancelled, too
            self.land(member, verdict, tell=self._on_ended is None)
        if left and self._on_ended is not None:
            self._on_ended(left, verdict)
        for task in self._members:
            if task.done() and not task.cancelled():
                task.result()

    async def abandon(self) -> None:
        """Cancel what is in flight and give it a moment to clean up; never raises on its own account."""
        pending = {task for task in self._members if not task.done()}
        for task in pending:
            task.cancel()
        if pending:
            await asyncio.wait(pending, timeout=CANCEL_GRACE_S)
        for task in self._members:
            if task.done():
                with suppress(asyncio.CancelledError):
                    task.exception()  # seen, so that the loop does not report it as never retrieved
