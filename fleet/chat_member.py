"""A member over a language model: the prompt goes out, the words come back; and a fleet of them from a roster."""

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from pydantic import JsonValue

from dissolution.answers import MemberCard, MemberTask, RenderedPrompt, Reply, Usage
from dissolution.errors import MemberWindowExceeded
from dissolution.limits import Limiter
from dissolution.ports.models import ChatModel, TokenCounter
from dissolution.values import NotMeasured
from fleet.litellm_gateway import LiteLLMChatModel, openai_vocabulary
from fleet.prices import TokenPrice, usage_of
from fleet.roster import Roster
from fleet.vocabulary import VocabularyTokenCounter

WINDOW_MARGIN = 0.1
"""Share of a window left free when windows are planned: counts without the model's own tokenizer err by a few per cent,
and a prompt that is refused for its length has cost a round trip."""

EXACT_MARGIN = 0.01
"""The same with the model's own tokenizer: room for what a provider puts around each message."""

CACHE_UNKNOWN = NotMeasured(not_measured="what the provider has cached is known afterwards")


class PricedChatModel(ChatModel, Protocol):
    """A ChatModel that knows its price and window."""

    def price(self, input_tokens: int) -> TokenPrice | None:
        """The price of a call with a prompt of this length, or None when it is not known."""
        ...

    @property
    def window_tokens(self) -> int | None:
        """Its context window (tokens), or None when it is not known."""
        ...

    async def aclose(self) -> None:
        """Close what it holds open."""
        ...


class ChatMember:
    """The Member port over a ChatModel.

    Args:
        model: What is asked.
        max_output_tokens: Most tokens of an answer.
        counter: Counts prompts for estimates and the window; its name stands in the receipt.
        margin: Share of the window left free, 0..1, for what the counter does not see.
    """

    def __init__(
        self,
        model: PricedChatModel,
        *,
        max_output_tokens: int,
        counter: TokenCounter,
        margin: float = WINDOW_MARGIN,
    ) -> None:
        self._model = model
        self._max_output_tokens = max_output_tokens
        self._counter = counter
        self._margin = margin

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._model.card

    @property
    def model(self) -> PricedChatModel:
        """The model behind it."""
        return self._model

    @property
    def max_output_tokens(self) -> int:
        """Most tokens of one answer."""
        return self._max_output_tokens

    @property
    def window_tokens(self) -> int | None:
        """Its context window (tokens), or None when it is not known."""
        return self._model.window_tokens

    @property
    def counter_name(self) -> str:
        """How its prompts are counted: the name of a vocabulary, or of an approximation."""
        return self._counter.name

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:
        """Whether the prompt, `prior_tokens` more and the longest answer fit the window; True when none is known.

        Counts are the counter's; its margin of the window stays free.
        """
        window = self._model.window_tokens
        if window is None:
            return True
        return self._count(prompt) + prior_tokens + self._max_output_tokens <= window * (1.0 - self._margin)

    def counted(self, text: str) -> int:
        """Tokens of a text, as prompts are counted."""
        return _counted(self._counter, text)

    def price_of(self, input_tokens: int) -> TokenPrice | None:
        """The price of a call with a prompt of this length, or None when it is not known."""
        return self._model.price(input_tokens)

    def estimate(self, task: MemberTask) -> Usage:
        """The prompt's tokens and the longest answer allowed: an upper bound of the cost, but for repeats.

        Cached input is not known beforehand and counted at the full price; what may be put into a cache is counted at
        the price of that, where it is the higher one.
        """
        prompt = self._count(task.prompt)
        price = self._model.price(prompt)
        dear = price is not None and price.cache_write_usd > price.input_usd and task.prompt.shared > 0
        used = usage_of(prompt, CACHE_UNKNOWN, self._max_output_tokens, price, prompt if dear else CACHE_UNKNOWN)
        return used.model_copy(update={"cache_written_tokens": CACHE_UNKNOWN})

    async def answer(self, task: MemberTask) -> Reply:
        """The model's words. Raises MemberWindowExceeded before asking when the prompt cannot fit, else MemberError."""
        prompt, window = self._count(task.prompt), self._model.window_tokens
        if window is not None and prompt > window:
            detail = (
                f"the prompt has about {prompt} tokens ({self._counter.name}), the window {window}; nothing was sent"
            )
            raise MemberWindowExceeded(self.card.name, detail)
        return await self._model.complete(
            task.prompt, max_output_tokens=self._max_output_tokens, deadline_s=task.deadline_s
        )

    async def aclose(self) -> None:
        """Close the model's connections."""
        await self._model.aclose()

    def _count(self, prompt: RenderedPrompt) -> int:
        return _counted(self._counter, prompt.text)


@lru_cache(maxsize=16)
def _counted(counter: TokenCounter, text: str) -> int:
    """Tokens of a text; a fan-out asks for those of one prompt several times for each member."""
    return counter.count(text)


def build_members(
    roster: Roster,
    counter: TokenCounter,
    *,
    environ: Mapping[str, str] = os.environ,
    response_format: Mapping[str, JsonValue] | None = None,
    formats: Mapping[str, Mapping[str, JsonValue]] | None = None,
    limiter: Limiter | None = None,
) -> tuple[ChatMember, ...]:
    """The members of a roster, in its order. A missing key is no error here: that member fails with `auth` when asked.

    Args:
        roster: Whom to ask.
        counter: Counts the prompts of members whose own tokenizer is not at hand.
        environ: Where keys are looked up.
        response_format: For members that ask for structured output.
        formats: The same for prompts that want another form, by prompt name.
        limiter: Says when each request may be made; each member minds its own limits if None.
    """
    built: list[ChatMember] = []
    for member in roster.members:
        vocabulary = openai_vocabulary(member.model)
        built.append(
            ChatMember(
                LiteLLMChatModel(
                    member, environ=environ, response_format=response_format, formats=formats, limiter=limiter
                ),
                max_output_tokens=member.max_output_tokens,
                counter=counter if vocabulary is None else VocabularyTokenCounter(vocabulary),
                margin=WINDOW_MARGIN if vocabulary is None else EXACT_MARGIN,
            )
        )
    return tuple(built)


async def close_members(members: Sequence[ChatMember]) -> None:
    """Close every member's connections; call it in the event loop they were asked in."""
    for member in members:
        await member.aclose()
