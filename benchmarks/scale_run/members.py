"""Scripted members that count the tokens of what they are asked, and read no more than their window."""

from collections.abc import Callable
from decimal import Decimal

from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, RenderedPrompt, Reply, Usage
from dissolution.ports.models import TokenCounter
from language.tokens import ApproximateTokenCounter

MAX_OUTPUT = 4000
"""Most tokens of one answer, which a window keeps free for it, and again for the state that it carries."""

Script = Callable[[MemberTask], str]


class CountingMember:
    """Answers what a script makes of its task; in windows when `window` (tokens) is given.

    `read` holds the tokens of every prompt that it was asked, in order.
    """

    def __init__(self, name: str, script: Script, *, window: int | None = None) -> None:
        self._card = MemberCard(name=name, family=name, kind=MemberKind.SCRIPTED, model="script")
        self._script = script
        self._window = window
        self._counter: TokenCounter = ApproximateTokenCounter()
        self.read: list[int] = []

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._card

    @property
    def counter_name(self) -> str:
        """How its prompts are counted."""
        return self._counter.name

    @property
    def max_output_tokens(self) -> int:
        """Most tokens of one answer."""
        return MAX_OUTPUT

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:
        """Whether the prompt, `prior_tokens` more and the longest answer fit the window."""
        return self._window is None or self._counter.count(prompt.text) + prior_tokens + MAX_OUTPUT <= self._window

    def estimate(self, task: MemberTask) -> Usage:
        """Its tokens, for nothing."""
        return self._usage(self._counter.count(task.prompt.text), MAX_OUTPUT)

    async def answer(self, task: MemberTask) -> Reply:
        """What the script says."""
        self.read.append(self._counter.count(task.prompt.text))
        said = self._script(task)
        return Reply(text=said, finish=FinishReason.STOP, usage=self._usage(self.read[-1], self._counter.count(said)))

    @staticmethod
    def _usage(read: int, said: int) -> Usage:
        return Usage(input_tokens=read, cached_input_tokens=0, output_tokens=said, cost_usd=Decimal(0))
