"""Members of a cassette: one that asks a member live and keeps what it says, and one that replays what was kept."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from dissolution.answers import MemberCard, MemberFailure, MemberKind, MemberTask, RenderedPrompt, Reply, Usage
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidRoster, MemberError, MemberRequestRejected
from dissolution.ports.models import Member
from dissolution.values import Frozen, NotMeasured
from fleet.asked import Asked, heard
from fleet.cassette import Came, Cassette, TapedMemberCard, open_for_writing, read_head
from fleet.cassette_lookup import missing, stored_reply
from fleet.chat_member import WINDOW_MARGIN
from fleet.failures import failure_of
from fleet.neutral import Tokens, without_digits
from fleet.prices import TokenPrice
from fleet.recorded import RECORDED_USAGE
from language.secrets.replacing import replace_secrets
from language.tokens import ApproximateTokenCounter

FRESH_KEY = b"a placeholder keeps no digits here"
"""Placeholders are made and their digits left out: no key is needed that anybody keeps."""


FREE = TokenPrice(input_usd=Decimal(0), cached_input_usd=Decimal(0), cache_write_usd=Decimal(0), output_usd=Decimal(0))


class LiveMember(Member, Protocol):
    """A member over a language model, as much of it as a cassette keeps."""

    @property
    def window_tokens(self) -> int | None:
        """Its context window (tokens), or None when it is not known."""
        ...

    @property
    def max_output_tokens(self) -> int:
        """Most tokens of one answer."""
        ...

    @property
    def counter_name(self) -> str:
        """How its prompts are counted."""
        ...

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:
        """Whether a prompt fits its window."""
        ...

    async def aclose(self) -> None:
        """Close its connections."""
        ...


class Served(Frozen):
    """One question that a member of a cassette was put in this process."""

    prompt: RenderedPrompt
    asked: Asked


class TapingMember:
    """A live member whose answers are kept; what the cassette answers is not asked again.

    A failure is kept too, for the replay, and asked again.
    """

    def __init__(self, member: LiveMember, cassette: Cassette) -> None:
        self._member = member
        self._cassette = cassette
        self.served: list[Served] = []

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._member.card

    @property
    def max_output_tokens(self) -> int:
        """Most tokens of one answer."""
        return self._member.max_output_tokens

    @property
    def counter_name(self) -> str:
        """How its prompts are counted."""
        return self._member.counter_name

    def can_answer(self, prompt: str) -> bool:  # noqa: ARG002 - the port's shape: a language model answers any prompt
        """Any."""
        return True

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:
        """Whether a prompt fits its window."""
        return self._member.fits(prompt, prior_tokens)

    def estimate(self, task: MemberTask) -> Usage:
        """What asking would use; nothing when the cassette answers."""
        question, tokens = heard(task)
        stored = stored_reply(self._cassette, self.card.name, question, tokens)
        return self._member.estimate(task) if stored is None else RECORDED_USAGE

    async def answer(self, task: MemberTask) -> Reply:
        """The stored words, or the member's, which are stored. Raises MemberError."""
        question, tokens = heard(task)
        self.served.append(Served(prompt=task.prompt, asked=question.asked))
        found = stored_reply(self._cassette, self.card.name, question, tokens)
        if found is not None:
            return found
        time = asyncio.get_running_loop().time
        began = time()
        try:
            reply = await self._member.answer(task)
        except MemberError as error:
            came = Came(member=self.card.name, failure=failure_of(error), latency_s=round(time() - began, 3))
            self._cassette.add(question.asked, came)
            raise
        came = Came(
            member=self.card.name,
            answer=tuple(_kept(reply.text, tokens).split("\n")),
            finish=reply.finish,
            usage=reply.usage,
            model_reported=reply.model_reported,
            latency_s=round(time() - began, 3),
        )
        self._cassette.add(question.asked, came)
        return reply

    async def aclose(self) -> None:
        """Close the member's connections."""
        await self._member.aclose()


class CassetteMember:
    """Replays one member of a cassette to every prompt of the path; what was never asked is a failure that says so."""

    def __init__(self, taped: TapedMemberCard, cassette: Cassette) -> None:
        self._taped = taped
        self._cassette = cassette
        # Model and version stay those of the member that answered: its answers are told from others' by them.
        self._card = taped.card.model_copy(update={"kind": MemberKind.RECORDED})
        self._counter = ApproximateTokenCounter()
        self.served: list[Served] = []

    @property
    def card(self) -> MemberCard:
        """Who answered, as a recording."""
        return self._card

    @property
    def max_output_tokens(self) -> int:
        """Most tokens of one answer, as it was."""
        return self._taped.max_output_tokens

    def can_answer(self, prompt: str) -> bool:  # noqa: ARG002 - the port's shape: who was asked everything may be asked again
        """Any: whether it was asked exactly this, its answer tells."""
        return True

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:
        """Whether a prompt fitted its window."""
        window = self._taped.window_tokens
        if window is None:
            return True
        tokens = self._counter.count(prompt.text) + prior_tokens
        return tokens + self._taped.max_output_tokens <= window * (1.0 - WINDOW_MARGIN)

    def counted(self, text: str) -> int:
        """Tokens of a text, by approximation."""
        return self._counter.count(text)

    def price_of(self, input_tokens: int) -> TokenPrice:  # noqa: ARG002 - nothing is bought, whatever the length
        """Nothing."""
        return FREE

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's signature; replaying costs the same for any task
        """Tokens are not known, the price is 0."""
        return RECORDED_USAGE

    async def answer(self, task: MemberTask) -> Reply:
        """The stored words. Raises the stored failure, or MemberRequestRejected for what was never asked."""
        question, tokens = heard(task)
        self.served.append(Served(prompt=task.prompt, asked=question.asked))
        found = stored_reply(self._cassette, self.card.name, question, tokens)
        if found is not None:
            return found.model_copy(update={"usage": self._counted(found, task.prompt)})
        came = self._cassette.find(self.card.name, question.asked)
        if came is not None and came.failure is not None:
            raise _error(self.card.name, came.failure)
        raise MemberRequestRejected(self.card.name, missing(self._cassette, self.card.name, question))

    def _counted(self, found: Reply, prompt: RenderedPrompt) -> Usage:
        """The stored usage; its tokens are counted now where none were stored."""
        usage = found.usage
        counts = {"input_tokens": self.counted(prompt.text), "output_tokens": self.counted(found.text)}
        absent = {name: count for name, count in counts.items() if isinstance(getattr(usage, name), NotMeasured)}
        return usage.model_copy(update=absent)


def load_cassette(folder: Path) -> tuple[CassetteMember, ...]:
    """The members of a cassette, in the order of their roster. Raises InvalidRoster."""
    cassette = Cassette(folder)
    return tuple(CassetteMember(taped, cassette) for taped in read_head(folder).members)


def taping(members: Sequence[LiveMember], folder: Path) -> tuple[TapingMember, ...]:
    """Live members that keep what they say in a folder. Raises InvalidRoster."""
    cards = [
        TapedMemberCard(
            card=member.card, window_tokens=member.window_tokens, max_output_tokens=member.max_output_tokens
        )
        for member in members
    ]
    cassette = open_for_writing(folder, cards)
    return tuple(TapingMember(member, cassette) for member in members)


def check_cassette(folder: Path, snapshot: Snapshot) -> None:
    """Refuse a cassette of other conversations before a job is made of it. Raises InvalidRoster."""
    known = Cassette(folder).conversations
    if snapshot.conversation not in known:
        listed = ", ".join(map(repr, known)) or "nothing"
        raise InvalidRoster(
            f"cassette {str(folder)!r} holds answers about {listed}, not about {snapshot.conversation!r}",
            "give the cassette of this conversation, or the conversation's id with --conversation",
        )


def _kept(text: str, tokens: Tokens) -> str:
    """An answer as it is stored: its tokens neutral, and no secret in it."""
    return without_digits(tokens.neutralised(replace_secrets(text, key=FRESH_KEY).text))


def _error(member: str, failure: MemberFailure) -> MemberError:
    """The error that a failure was."""
    kind = next((one for one in MemberError.__subclasses__() if one.code == failure.error_class.value), MemberError)
    return kind(member, failure.detail)
