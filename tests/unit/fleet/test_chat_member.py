"""Members over a chat model: estimates, the window, and fleets from rosters."""

import asyncio
from decimal import Decimal

import pytest

from devtools.scripted import SCRIPTED_USAGE
from dissolution.answers import FinishReason, MemberCard, MemberKind, RenderedPrompt, Reply
from dissolution.errors import MemberWindowExceeded
from dissolution.values import NotMeasured
from fleet.chat_member import EXACT_MARGIN, ChatMember, build_members, close_members
from fleet.prices import TokenPrice, roster_price
from fleet.roster import RosterPrice, parse_roster
from tests.unit.fleet.parts import a_card, a_task

ROSTER = """
[[member]]
name = "a"
model = "openai/x"
family = "one"
api_base = "http://127.0.0.1:9/v1"
max_output_tokens = 100
price = { input_usd = 1, output_usd = 2 }

[[member]]
name = "b"
model = "openai/y"
family = "two"
api_base = "http://127.0.0.1:9/v1"
"""


class Words:
    """Counts words."""

    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


class Fake:
    """A chat model that says what it was asked."""

    def __init__(self, *, window: int | None = None, price: TokenPrice | None = None) -> None:
        self.window_tokens = window
        self._price = price
        self.closed = 0

    @property
    def card(self) -> MemberCard:
        return a_card("m", kind=MemberKind.LANGUAGE_MODEL)

    def price(self, input_tokens: int) -> TokenPrice | None:
        return self._price if input_tokens else None

    async def complete(self, prompt: RenderedPrompt, *, max_output_tokens: int, deadline_s: float) -> Reply:
        text = f"{prompt.text}|{max_output_tokens}|{deadline_s:g}"
        return Reply(text=text, finish=FinishReason.STOP, usage=SCRIPTED_USAGE)

    async def aclose(self) -> None:
        self.closed += 1


def member(model: Fake) -> ChatMember:
    return ChatMember(model, max_output_tokens=50, counter=Words())


def test_the_prompt_the_limit_and_the_deadline_are_passed_on() -> None:
    reply = asyncio.run(member(Fake()).answer(a_task(deadline_s=7)))
    assert reply.text == "Four parts, please.|50|7"
    assert member(Fake()).card.kind is MemberKind.LANGUAGE_MODEL


def test_an_estimate_is_the_prompt_and_the_longest_answer() -> None:
    price = roster_price(RosterPrice(input_usd=Decimal(1), output_usd=Decimal(2)))
    usage = member(Fake(price=price)).estimate(a_task())
    assert (usage.input_tokens, usage.output_tokens) == (3, 50)  # "Four parts, please." has three words
    assert usage.cost_usd == Decimal("0.000103")  # 3 * 1e-6 + 50 * 2e-6
    assert isinstance(usage.cached_input_tokens, NotMeasured)
    assert isinstance(member(Fake()).estimate(a_task()).cost_usd, NotMeasured)


def test_a_prompt_beyond_the_window_is_not_sent() -> None:
    assert asyncio.run(member(Fake(window=3)).answer(a_task())).text
    with pytest.raises(MemberWindowExceeded, match=r"3 tokens.* 2"):
        asyncio.run(member(Fake(window=2)).answer(a_task()))


def test_a_fleet_is_built_and_closed_in_the_rosters_order() -> None:
    members = build_members(parse_roster(ROSTER), Words(), environ={})
    assert [one.card.name for one in members] == ["a", "b"]
    assert members[0].estimate(a_task()).output_tokens == 100
    assert members[0].estimate(a_task()).cost_usd == Decimal("0.000203")
    fake = Fake()
    asyncio.run(close_members([*members, member(fake)]))
    assert fake.closed == 1


def test_what_fits_leaves_room_for_the_answer_the_state_and_an_error_of_counting() -> None:
    prompt = a_task().prompt  # three words
    assert member(Fake()).fits(prompt, 10**9)
    assert member(Fake(window=100)).fits(prompt, 37)  # 3 + 37 + 50 = 90 = 100 less a tenth
    assert not member(Fake(window=100)).fits(prompt, 38)
    assert member(Fake(window=100)).max_output_tokens == 50


def test_openai_models_are_counted_by_their_own_vocabulary_and_others_by_the_one_given() -> None:
    text = ROSTER + ROSTER.replace('"a"', '"c"').replace('"b"', '"d"').replace("openai/x", "openai/gpt-5-mini")
    members = build_members(parse_roster(text), Words(), environ={})
    assert [member.counter_name for member in members] == ["words", "words", "o200k_base", "words"]
    assert members[2].estimate(a_task()).input_tokens == 5  # "Four", " parts", ",", " please", "."


def test_exact_counts_need_less_room_in_the_window() -> None:
    prompt = a_task(" ".join(["word"] * 3)).prompt.model_copy()
    model = Fake(window=100)
    count = Words().count(prompt.text)
    output = 99 - count  # fills the window but for one hundredth
    exact = ChatMember(model, max_output_tokens=output, counter=Words(), margin=EXACT_MARGIN)
    assert exact.fits(prompt)
    assert not exact.fits(prompt, prior_tokens=1)
    assert not ChatMember(model, max_output_tokens=output, counter=Words()).fits(prompt)
