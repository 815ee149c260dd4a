"""An extraction method as a member of the fleet."""

import asyncio
from collections.abc import Callable, Sequence
from decimal import Decimal

from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, Reply, Usage
from fleet.extractive.candidates import Reading, read_snapshot
from fleet.extractive.reply import reply_text
from fleet.extractive.selection import DEFAULT, ExtractionPolicy, select

Score = Callable[[Reading], Sequence[float]]
"""A method: one score for each candidate of the reading, in their order; 0 or less leaves it out."""

NO_MODEL = Usage(input_tokens=0, cached_input_tokens=0, output_tokens=0, cost_usd=Decimal(0))
"""True zeros: no language model is asked."""


class ExtractiveMember:
    """Answers by choosing sentences of the snapshot with one method. No language model, no network, no cost.

    Args:
        method: short name, such as "cues"; the family is `extractive-<method>`.
        model: the method in words, shown wherever the member is named.
        version: raised when the method changes what it chooses.
        score: the method itself.
        policy: how much it may keep.
    """

    def __init__(self, method: str, model: str, version: str, score: Score, policy: ExtractionPolicy = DEFAULT) -> None:
        name = f"extractive-{method}"
        self._card = MemberCard(name=name, family=name, kind=MemberKind.EXTRACTIVE, model=model, version=version)
        self._score = score
        self._policy = policy

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._card

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's signature; nothing depends on the task
        """Nothing: no language model is asked."""
        return NO_MODEL

    async def answer(self, task: MemberTask) -> Reply:
        """The chosen claims as JSON, of a cycle those of its turns; the same task gives the same text.

        The prompt is not read.
        """
        text = await asyncio.to_thread(self._text, task)
        return Reply(text=text, finish=FinishReason.STOP, usage=NO_MODEL, model_reported=self._card.model)

    def _text(self, task: MemberTask) -> str:
        reading = read_snapshot(task.snapshot, task.since)
        return reply_text(select(reading, self._score(reading), self._policy))
