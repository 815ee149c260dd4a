"""Snapshots longer than a member's context window: asked window by window, each carrying the state of the one before.

Only members that know their window take part; for all others a snapshot is one window. In a cycle the first window
begins after the boundary that stands; every window shows that boundary, and what was said of the windows before it.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Protocol, runtime_checkable

from pydantic import PrivateAttr

from dissolution.answers import MemberCard, MemberFailure, MemberTask, PromptStamp, RenderedPrompt, Reply, Usage
from dissolution.conversation import Snapshot
from dissolution.errors import MemberReplyUnusable, MemberWindowExceeded
from dissolution.ports.models import Member
from dissolution.room import Room
from dissolution.values import Frozen
from fleet.budget import total
from fleet.failures import failure_of
from prompts.catalog import FIRST_PROMPT, NEXT_PROMPT
from prompts.held import HeldState
from prompts.render import render

CARRIED = {1: (NEXT_PROMPT, 1), 2: (NEXT_PROMPT, 2), 3: ("carried", 1), 4: ("carried", 2)}
"""The prompt of a window that carries the state of the one before, by version of the four-part prompt."""


@runtime_checkable
class Counting(Protocol):
    """A member that counts the tokens of its prompts."""

    @property
    def counter_name(self) -> str:
        """How: the name of a vocabulary, or of an approximation."""
        ...


@runtime_checkable
class Windowed(Member, Protocol):
    """A member that knows how much it can read."""

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:
        """Whether the prompt, `prior_tokens` more and the longest answer fit its window; True when none is known."""
        ...

    @property
    def max_output_tokens(self) -> int:
        """Most tokens of one answer: what a carried state may take in the next window."""
        ...


SAID_SINCE = "STATED OF LATER TURNS, UP TO TURN {since}, AND NOT YET PART OF THE STATE"
"""Heads the reply to the window before in a cycle."""


class Window(Frozen):
    """One stretch of turns that a member reads at once: those after `since` up to and including `through`."""

    since: int  # 0 in the first window of a first dissolution
    through: int


class Asker(Frozen):
    """What windows are rendered with; `cycle` is the boundary that stands, None in a first dissolution.

    `room` is what members are told they may take: of the turns they read, all windows together.
    """

    version: int
    key: bytes
    deadline_s: float
    room: Room
    cycle: HeldState | None = None
    cycle_version: int = 5
    _latest: "tuple[Snapshot, Window, str | None, MemberTask] | None" = PrivateAttr(default=None)

    @property
    def since(self) -> int:
        """The turn after which the first window begins."""
        return 0 if self.cycle is None else self.cycle.through

    def whole(self, snapshot: Snapshot) -> Window:
        """All turns that are asked about, as one window."""
        return Window(since=self.since, through=snapshot.through)

    def task(self, snapshot: Snapshot, window: Window, prior: str | None) -> MemberTask:
        """The task of one window; `prior` is the reply to the window before, None in the first.

        The latest is kept: members that read the same are asked the same, and each is planned for before it is asked.
        """
        kept = self._latest
        if kept is None or kept[0] is not snapshot or kept[1:3] != (window, prior):
            kept = self._latest = (snapshot, window, prior, self._made(snapshot, window, prior))
        return kept[3]

    def _made(self, snapshot: Snapshot, window: Window, prior: str | None) -> MemberTask:
        part = Snapshot(conversation=snapshot.conversation, turns=snapshot.turns[: window.through])
        if self.cycle is not None:
            said = "" if prior is None else f"\n\n{SAID_SINCE.format(since=window.since)}\n{prior}"
            prompt = render(
                NEXT_PROMPT,
                self.cycle_version,
                part,
                key=self.key,
                prior=f"{self.cycle.text}{said}",
                since_turn=window.since,
                excerpt=True,
                room=self.room,
            )
        elif prior is None:
            prompt = render(FIRST_PROMPT, self.version, part, key=self.key, room=self.room)
        else:
            prompt = render(
                *CARRIED[self.version],
                part,
                key=self.key,
                prior=prior,
                since_turn=window.since,
                excerpt=True,
                room=self.room,
            )
        return MemberTask(snapshot=part, since=self.since, prompt=prompt, deadline_s=self.deadline_s)


NOTHING = Usage(input_tokens=0, cached_input_tokens=0, output_tokens=0, cost_usd=Decimal(0))
"""What a member uses that is not asked."""

PLACE_FOR_STATE = "KNOWN"
"""Stands for a carried state while windows are planned; its real size is reserved beside it."""


def plan(member: Member, snapshot: Snapshot, asker: Asker) -> tuple[Window, ...]:
    """The windows a member reads a snapshot in: each as long as fits, in order, without gaps or overlaps.

    Raises MemberWindowExceeded when a single turn does not fit.
    """
    whole = asker.whole(snapshot)
    if not isinstance(member, Windowed) or _fits(member, snapshot, whole, asker):
        return (whole,)
    windows: list[Window] = []
    since = asker.since
    while since < snapshot.through:
        window = _longest(member, snapshot, since, asker)
        windows.append(window)
        since = window.through
    return tuple(windows)


def _fits(member: Windowed, snapshot: Snapshot, window: Window, asker: Asker) -> bool:
    if window.since == asker.since:
        return member.fits(asker.task(snapshot, window, None).prompt)
    task = asker.task(snapshot, window, PLACE_FOR_STATE)
    return member.fits(task.prompt, prior_tokens=member.max_output_tokens)


def _longest(member: Windowed, snapshot: Snapshot, since: int, asker: Asker) -> Window:
    """The longest window from `since` that fits, by bisection: more turns never need fewer tokens."""
    low, high = since, snapshot.through
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(member, snapshot, Window(since=since, through=middle), asker):
            low = middle
        else:
            high = middle - 1
    if low == since:
        detail = f"turn {since + 1} alone does not fit the window beside the state carried so far"
        raise MemberWindowExceeded(member.card.name, detail)
    return Window(since=since, through=low)


class InWindows:
    """A member that reads a snapshot window by window; its answer is the reply to the last one.

    Args:
        member: Who is asked.
        windows: Two or more, from `plan`.
        snapshot: What they are windows of.
        asker: What they are rendered with.
        landed: Replies of earlier windows that landed in an earlier run, by ordinal.
        usable: Whether a reply can be carried into the next window.
        reserve: Given the ordinal and estimate before a window is asked; raises MemberOverBudget over the cap.
        on_asked: Told the ordinal and prompt before a window is asked.
        on_landed: Told the result and ordinal when a window lands; not of the last, whose reply is the answer.
    """

    def __init__(
        self,
        member: Member,
        windows: tuple[Window, ...],
        *,
        snapshot: Snapshot,
        asker: Asker,
        landed: dict[int, Reply],
        usable: Callable[[Reply, int], bool],
        reserve: Callable[[Member, int, Usage], None],
        on_asked: Callable[[Member, int, PromptStamp], None],
        on_landed: Callable[[Member, Reply | MemberFailure, int], None],
    ) -> None:
        self._member = member
        self._windows = windows
        self._snapshot = snapshot
        self._asker = asker
        self._landed = landed
        self._usable = usable
        self._reserve = reserve
        self._on_asked = on_asked
        self._on_landed = on_landed

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._member.card

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the windows make their own tasks
        """What all windows that have not landed would use at most, with carried states as long as an answer may be."""
        longest = self._member.max_output_tokens if isinstance(self._member, Windowed) else 1
        parts: list[Usage] = []
        for ordinal, window in enumerate(self._windows):
            if ordinal not in self._landed:
                prior = None if ordinal == 0 else " ".join([PLACE_FOR_STATE] * longest)
                parts.append(self._member.estimate(self._asker.task(self._snapshot, window, prior)))
        return total(parts)

    async def answer(self, task: MemberTask) -> Reply:  # noqa: ARG002 - as above
        """Ask the windows in order. Raises MemberReplyUnusable when one gives nothing to carry on, or a MemberError."""
        prior: str | None = None
        last = len(self._windows) - 1
        for ordinal, window in enumerate(self._windows[:-1]):
            reply = self._landed.get(ordinal) or await self._carry(ordinal, window, prior)
            if not self._usable(reply, window.through):
                detail = f"window {ordinal + 1} of {last + 1} gave nothing that could be carried on"
                raise MemberReplyUnusable(self.card.name, detail)
            prior = reply.text
        return await self._ask(last, self._windows[last], prior)

    async def _carry(self, ordinal: int, window: Window, prior: str | None) -> Reply:
        """Ask a window that is not the last, and tell what came of it."""
        try:
            reply = await self._ask(ordinal, window, prior)
        except Exception as error:
            self._on_landed(self._member, failure_of(error), ordinal)
            raise
        self._on_landed(self._member, reply, ordinal)
        return reply

    async def _ask(self, ordinal: int, window: Window, prior: str | None) -> Reply:
        task = self._asker.task(self._snapshot, window, prior)
        self._reserve(self._member, ordinal, self._member.estimate(task))
        self._on_asked(self._member, ordinal, task.prompt.stamp)
        return await self._member.answer(task)


class Unfit:
    """A member that cannot read even one turn of the snapshot: it fails when asked, as a value like any other."""

    def __init__(self, card: MemberCard, error: MemberWindowExceeded) -> None:
        self._card = card
        self._error = error

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._card

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - nothing will be sent
        """Nothing will be used."""
        return NOTHING

    async def answer(self, task: MemberTask) -> Reply:  # noqa: ARG002 - as above
        """Raise why it cannot."""
        raise self._error
