"""What every member keeps to, whatever stands behind it."""

import asyncio
import json
import threading
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from queue import Queue

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackSpec, ModelScript
from devtools.scripted import Fail, Say, ScriptedMember
from dissolution.answers import FinishReason, MemberKind, MemberTask, Reply, Usage
from dissolution.errors import MemberError, MemberUnavailable
from dissolution.ports.models import Member
from dissolution.values import NotMeasured
from fleet.cassette_members import TapingMember, load_cassette, taping
from fleet.chat_member import ChatMember, build_members
from fleet.extractive.roster import extractive_fleet
from fleet.failures import failure_of
from fleet.recorded import load_recorded
from fleet.roster import Roster
from language.tokens import ApproximateTokenCounter
from tests.polling import LONGEST_S
from tests.unit.fleet.parts import a_card, a_prompt, a_task

Build = Callable[[Path], Member]


def recorded(folder: Path) -> Member:
    form = {"conversation": "conv-1", "writer": "w", "family": "f", "condition": "dissolve", "through": "2"}
    (folder / "w.dissolve.json").write_text(json.dumps(form | {"answer": "KNOWN: We use Redis."}), encoding="utf-8")
    return load_recorded(folder)[0]


def scripted(_folder: Path) -> Member:
    return ScriptedMember(a_card("s"), [Say("KNOWN: We use Redis.")])


def extractive(place: int) -> Build:
    def build(_folder: Path) -> Member:
        return extractive_fleet(HashingEmbedder())[place]

    build.__name__ = f"extractive_{place}"
    return build


def chat(_folder: Path) -> ChatMember:
    form = {"name": "chat", "model": "openai/m", "family": "f", "api_base": f"{provider_address()}/v1"}
    price = {"input_usd": 1, "output_usd": 2}
    roster = Roster.model_validate({"members": [form | {"price": price, "window_tokens": 9000}]})
    return build_members(roster, ApproximateTokenCounter(), environ={})[0]


def taped(folder: Path) -> Member:
    return taping([chat(folder)], folder / "tape")[0]


def replayed(folder: Path) -> Member:
    asyncio.run(ask(taped(folder), a_task("We use Redis.", "Noted.")))
    return load_cassette(folder / "tape")[0]


@cache
def provider_address() -> str:
    """A loopback provider in a thread of its own, for as long as the tests run."""
    started: Queue[str] = Queue()

    async def serve() -> None:
        async with LoopbackProvider(
            LoopbackSpec(models={"m": ModelScript(template="KNOWN: We use Redis.")})
        ) as provider:
            started.put(provider.base_url)
            await provider.serve_forever()

    threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
    return started.get(timeout=LONGEST_S)


ANSWERING: list[Build] = [recorded, scripted, chat, taped, replayed, *(extractive(place) for place in range(4))]


async def ask(member: Member, task: MemberTask) -> Reply:
    """One answer, and the connections closed after it."""
    try:
        return await member.answer(task)
    finally:
        if isinstance(member, ChatMember | TapingMember):
            await member.aclose()


@pytest.fixture(params=ANSWERING, ids=lambda build: build.__name__)
def member(request: pytest.FixtureRequest, tmp_path: Path) -> Member:
    build: Build = request.param
    return build(tmp_path)


@pytest.fixture
def task() -> MemberTask:
    return a_task("We use Redis.", "Noted.")


def check_usage(usage: Usage) -> None:
    for count in (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens):
        assert isinstance(count, NotMeasured) or count >= 0
    assert isinstance(usage.cost_usd, NotMeasured) or usage.cost_usd >= 0
    assert not isinstance(usage.cost_usd, float)


def test_its_card_stays_the_same_and_says_what_it_is(member: Member) -> None:
    assert member.card == member.card
    assert member.card.kind in MemberKind
    assert member.card.name
    assert member.card.family


def test_an_estimate_asks_nobody_and_is_repeatable(member: Member, task: MemberTask) -> None:
    first = member.estimate(task)
    check_usage(first)
    assert member.estimate(task) == first


def test_a_reply_is_typed_and_survives_storage(member: Member, task: MemberTask) -> None:
    reply = asyncio.run(ask(member, task))
    assert isinstance(reply, Reply)
    assert reply.text
    assert reply.finish in FinishReason
    check_usage(reply.usage)
    assert Reply.model_validate_json(reply.model_dump_json()) == reply


def test_it_answers_again_and_concurrently(member: Member, task: MemberTask) -> None:
    async def thrice() -> list[Reply]:
        replies = await asyncio.gather(*(member.answer(task) for _ in range(3)))
        if isinstance(member, ChatMember | TapingMember):
            await member.aclose()
        return list(replies)

    assert len({reply.text for reply in asyncio.run(thrice())}) == 1


def test_what_is_not_bought_costs_nothing(member: Member, task: MemberTask) -> None:
    if member.card.kind is not MemberKind.LANGUAGE_MODEL:
        assert member.estimate(task).cost_usd == Decimal(0)
        assert asyncio.run(ask(member, task)).usage.cost_usd == Decimal(0)


def test_a_failing_member_raises_a_member_error_that_becomes_a_value(tmp_path: Path, task: MemberTask) -> None:
    elsewhere = a_task(name="another conversation")
    failing: list[tuple[Member, MemberTask]] = [
        (recorded(tmp_path), elsewhere),
        (replayed(tmp_path), task.model_copy(update={"prompt": a_prompt("Never asked.")})),
        (ScriptedMember(a_card("s"), [Fail(MemberUnavailable)]), task),
    ]
    for member, asked in failing:
        with pytest.raises(MemberError) as caught:
            asyncio.run(member.answer(asked))
        assert caught.value.member == member.card.name
        assert failure_of(caught.value).error_class.value == caught.value.code
