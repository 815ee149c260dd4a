"""Fleets made of another's members: some, one several times over, one asked for a summary. For stability runs."""

from collections.abc import Sequence

from dissolution.answers import MemberCard, MemberTask, Reply, Usage
from dissolution.errors import InvalidRoster
from dissolution.ports.models import Member
from dissolution.values import Frozen
from prompts.render import render

SOME = "some:"
COPIES = "copies:"
SUMMARY = "summary:"
END = ";"
"""Ends the names; what follows is the description of the fleet they are drawn from. No member's name holds it."""


class DrawnFleet(Frozen):
    """Some members of a fleet, copies of one of them, or one that is asked for a plain summary."""

    base: str
    members: tuple[str, ...]
    copies: int = 1
    summaries: bool = False

    @property
    def description(self) -> str:
        """As a job stores it: `some:a,b;extractive`, `copies:3,a;roster:/etc/fleet.toml` or `summary:a;roster:…`."""
        head = f"{COPIES}{self.copies}," if self.copies > 1 else SOME
        head = SUMMARY if self.summaries else head
        return f"{head}{','.join(self.members)}{END}{self.base}"

    def of(self, fleet: Sequence[Member]) -> tuple[Member, ...]:
        """The members it names, in the order of the fleet. Raises InvalidRoster for one that is not there."""
        by_name = {member.card.name: member for member in fleet}
        unknown = sorted(set(self.members) - set(by_name))
        if unknown:
            raise InvalidRoster(f"members {unknown!r} of {self.base!r}", f"choose from {', '.join(sorted(by_name))}")
        if self.copies > 1:
            return tuple(CopiedMember(by_name[self.members[0]], number) for number in range(1, self.copies + 1))
        chosen = tuple(member for member in fleet if member.card.name in self.members)
        return tuple(map(SummarisingMember, chosen)) if self.summaries else chosen


class CopiedMember:
    """A member under another name, so that it can be asked several times in one fan-out. Its family stays one."""

    def __init__(self, member: Member, number: int) -> None:
        self._member = member
        self._card = member.card.model_copy(update={"name": f"{member.card.name}#{number}"})

    @property
    def card(self) -> MemberCard:
        """Who it is, with its number."""
        return self._card

    def estimate(self, task: MemberTask) -> Usage:
        """As the member's own."""
        return self._member.estimate(task)

    async def answer(self, task: MemberTask) -> Reply:
        """The member's words, asked for once more. Raises what the member raises."""
        return await self._member.answer(task)


class SummarisingMember:
    """A member that is asked for a plain summary of all turns in place of the job's prompt: the source's control."""

    def __init__(self, member: Member) -> None:
        self._member = member

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._member.card

    def estimate(self, task: MemberTask) -> Usage:
        """As the member's own, for the summary."""
        return self._member.estimate(summarised(task))

    async def answer(self, task: MemberTask) -> Reply:
        """The summary. Raises what the member raises."""
        return await self._member.answer(summarised(task))


def summarised(task: MemberTask) -> MemberTask:
    """The task with the control prompt over the whole snapshot."""
    prompt = render("summary", 1, task.snapshot, key=b"")  # its version 1 has no delimiter and needs no key
    return task.model_copy(update={"prompt": prompt, "since": 0})


def drawn_fleet(description: str) -> DrawnFleet | None:
    """What a description of a drawn fleet says, or None for any other. Raises InvalidRoster when it is not complete."""
    if not description.startswith((SOME, COPIES, SUMMARY)):
        return None
    head, ends, base = description.partition(END)
    names = [name for name in head.partition(":")[2].split(",") if name]
    copies = names.pop(0) if head.startswith(COPIES) and names else "1"
    if not ends or not base or not names or not copies.isdecimal() or (copies != "1" and len(names) > 1):
        remedy = "give `some:NAME,NAME;FLEET`, `copies:N,NAME;FLEET` or `summary:NAME;FLEET`"
        raise InvalidRoster(f"fleet {description!r}", remedy)
    summaries = head.startswith(SUMMARY)
    return DrawnFleet(base=base, members=tuple(names), copies=int(copies), summaries=summaries)


def base_of(description: str) -> str:
    """The fleet that members are drawn from; any other description as it is. Raises InvalidRoster."""
    drawn = drawn_fleet(description)
    return description if drawn is None else drawn.base
