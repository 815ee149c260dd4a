"""A member that answers or fails on cue: the shipped double for tests, drills and chaos runs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from dissolution.answers import FinishReason, MemberCard, MemberTask, Reply, Usage
from dissolution.errors import InvalidRoster, MemberError
from dissolution.values import NotMeasured

Sleep = Callable[[float], Awaitable[object]]

_SCRIPTED = NotMeasured(not_measured="scripted answer")
SCRIPTED_USAGE = Usage(
    input_tokens=_SCRIPTED, cached_input_tokens=_SCRIPTED, output_tokens=_SCRIPTED, cost_usd=Decimal(0)
)
"""Nothing is counted and nothing is bought."""


@dataclass(frozen=True)
class Say:
    """Answer with these words."""

    text: str
    finish: FinishReason = FinishReason.STOP
    usage: Usage = SCRIPTED_USAGE


@dataclass(frozen=True)
class Fail:
    """Raise this member error; `retry_after_s` in seconds."""

    error: type[MemberError]
    detail: str = "scripted failure"
    retry_after_s: float | None = None


@dataclass(frozen=True)
class Crash:
    """Raise something that is no member error, as a fault of ours would."""

    error: type[Exception] = RuntimeError
    text: str = "scripted crash"


@dataclass(frozen=True)
class Hang:
    """Never answer; ends only by cancellation."""


@dataclass(frozen=True)
class Delay:
    """Wait `seconds` (s, not negative), then play `then`."""

    seconds: float
    then: "Cue"


Cue = Say | Fail | Crash | Hang | Delay


class ScriptedMember:
    """One cue a call, in order; after the last one it is repeated, or asking again is a fault.

    Args:
        card: Who it is said to be; any kind, so that a script can stand in for any member.
        script: At least one cue; none raises InvalidRoster.
        sleep: What `Delay` waits with; tests give a virtual one.
        after_last: `repeat` plays the last cue for ever, `raise` makes a call too many a RuntimeError.
    """

    def __init__(
        self,
        card: MemberCard,
        script: Sequence[Cue],
        *,
        sleep: Sleep = asyncio.sleep,
        after_last: Literal["repeat", "raise"] = "repeat",
    ) -> None:
        if not script:
            raise InvalidRoster(f"scripted member {card.name!r} has an empty script", "give it at least one cue")
        self._card = card
        self._script = tuple(script)
        self._sleep = sleep
        self._after_last = after_last
        self._asked = 0

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._card

    @property
    def asked(self) -> int:
        """How often it was asked."""
        return self._asked

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's signature; a script costs the same for any task
        """Nothing is counted; the price is 0 because nothing is bought."""
        return SCRIPTED_USAGE

    async def answer(self, task: MemberTask) -> Reply:  # noqa: ARG002 - the port's signature; a script ignores the task
        """Play the next cue. Raises what the cue says, RuntimeError when the script ran out under `raise`."""
        place = self._asked
        self._asked += 1
        if place >= len(self._script) and self._after_last == "raise":
            message = f"scripted member {self._card.name!r} has {len(self._script)} cues and was asked once more"
            raise RuntimeError(message)
        return await self._play(self._script[min(place, len(self._script) - 1)])

    async def _play(self, cue: Cue) -> Reply:
        while isinstance(cue, Delay):
            await self._sleep(cue.seconds)
            cue = cue.then
        match cue:
            case Say(text, finish, usage):
                return Reply(text=text, finish=finish, usage=usage, model_reported=self._card.model)
            case Fail(error, detail, retry_after_s):
                raise error(self._card.name, detail, retry_after_s)
            case Crash(error, text):
                raise error(text)
            case _:
                never: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
                return await never
