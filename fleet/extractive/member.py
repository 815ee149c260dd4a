"""An extraction method as a member of the fleet."""

import asyncio
from collections.abc import Callable, Sequence
from decimal import Decimal

from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, Reply, Usage
from fleet.extractive.reply import reply_text
from fleet.extractive.selection import LENGTH_POWER, ranked, select
from fleet.extractive.units import Reading, read_snapshot

Score = Callable[[Reading], Sequence[float]]
"""A method: one score for each unit of the reading, in their order; 0 or less leaves it out."""

NO_MODEL = Usage(input_tokens=0, cached_input_tokens=0, output_tokens=0, cost_usd=Decimal(0))
"""True zeros: no language model is asked."""


class ExtractiveMember:
    """Answers by choosing sentences of the snapshot with one method. It states nothing. No network, no cost.

    Args:
        method: short name, such as "echo"; the family is `extractive-<method>`.
        model: the method in words, shown wherever the member is named.
        version: raised when the method changes what it chooses.
        score: the method itself.
        length_power: how far a long sentence counts less; 0 for scores that have their price already.
    """

    def __init__(self, method: str, model: str, version: str, score: Score, length_power: float = LENGTH_POWER) -> None:
        name = f"extractive-{method}"
        self._card = MemberCard(name=name, family=name, kind=MemberKind.EXTRACTIVE, model=model, version=version)
        self._score = score
        self._length_power = length_power

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._card

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's signature; nothing depends on the task
        """Nothing: no language model is asked."""
        return NO_MODEL

    async def answer(self, task: MemberTask) -> Reply:
        """What the method chose as JSON, of a cycle from its turns; the same task gives the same text.

        The prompt is not read.
        """
        text = await asyncio.to_thread(self._text, task)
        return Reply(text=text, finish=FinishReason.STOP, usage=NO_MODEL, model_reported=self._card.model)

    def _text(self, task: MemberTask) -> str:
        reading = read_snapshot(task.snapshot, task.since)
        return reply_text(select(reading, ranked(reading, self._score(reading), self._length_power)))
