"""Log-probabilities of a prompt over real HTTP, from a server that speaks like vLLM, and from those that do not."""

import asyncio
import math
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackAct, ModelScript
from dissolution.errors import InvalidRoster
from dissolution.values import NotMeasured
from fleet.prompt_logprobs import PromptScorer, logs_of
from fleet.roster import RosterMember, parse_roster
from language.surprise.logprobs import NOT_GIVEN, LogProbEstimator
from tests.integration.fleet.parts import KEY, a_provider, a_script
from tests.polling import LONGEST_S

BIT = math.log(2)


@contextmanager
def served(**models: ModelScript) -> Generator[LoopbackProvider]:
    """The provider in a thread of its own: who scores a text waits for the reply."""
    ready: list[LoopbackProvider] = []
    loop = asyncio.new_event_loop()
    started = threading.Event()

    async def serve() -> None:
        async with a_provider(models) as provider:
            ready.append(provider)
            started.set()
            await stop.wait()

    stop = asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    started.wait(LONGEST_S)
    try:
        yield ready[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(LONGEST_S)
        loop.close()


@pytest.fixture(scope="module")
def provider() -> Generator[LoopbackProvider]:
    acts = {
        act.value: a_script(act)
        for act in (LoopbackAct.AUTH, LoopbackAct.NO_CHOICES, LoopbackAct.UNAVAILABLE, LoopbackAct.WRONG_SHAPE)
    }
    with served(good=ModelScript(), **acts) as made:
        yield made


def scorer_of(provider: LoopbackProvider, model: str = "good", **more: object) -> PromptScorer:
    form = {"name": "m", "model": f"hosted_vllm/{model}", "family": "f", "api_base": f"{provider.base_url}/v1"}
    member = RosterMember.model_validate(
        form | {"api_key_env": "THE_KEY", "prompt_logprobs": True, "timeout_s": 20} | more
    )
    return PromptScorer(member, environ={"THE_KEY": KEY})


def test_the_tokens_of_the_turn_and_no_others_are_counted(provider: LoopbackProvider) -> None:
    score = scorer_of(provider)
    assert score("", "ledger lives") == (None, pytest.approx(-8 * BIT))
    assert score("the ledger lives", "a ledger burns") == pytest.approx((-8 * BIT, -4 * BIT, -8 * BIT))
    body = provider.bodies[-1]
    assert (body["prompt"], body["echo"], body["max_tokens"]) == ("the ledger lives\na ledger burns", True, 1)
    assert body["model"] == "good"


def test_an_estimator_over_it_finds_what_was_said_before_less_surprising(provider: LoopbackProvider) -> None:
    reader = LogProbEstimator("good", scorer_of(provider)).resume(b"")
    first = reader.read("We use Postgres for the shared ledger since Tuesday noon in Oslo.")
    again = reader.read("We do not use Postgres for the shared ledger.")
    assert not isinstance(first.bits_per_token, NotMeasured)
    assert not isinstance(again.bits_per_token, NotMeasured)
    assert again.bits_per_token < first.bits_per_token == pytest.approx(8.0)
    assert again.guarded


@pytest.mark.parametrize("model", ["auth", "no_choices", "unavailable", "wrong_shape", "no_such_model"])
def test_whatever_goes_wrong_is_not_measured(provider: LoopbackProvider, model: str) -> None:
    found = LogProbEstimator(model, scorer_of(provider, model)).resume(b"").read("We use Postgres.")
    assert found.bits == NOT_GIVEN


def test_without_its_key_nothing_is_sent(provider: LoopbackProvider) -> None:
    asked = len(provider.bodies)
    assert scorer_of(provider, api_key_env="NOT_SET")("", "We use Postgres.") is None
    assert len(provider.bodies) == asked


def a_reply(tokens: object, logs: object, made: object = 1) -> object:
    choice = SimpleNamespace(logprobs=SimpleNamespace(tokens=tokens, token_logprobs=logs))
    return SimpleNamespace(choices=[choice], usage=SimpleNamespace(completion_tokens=made))


@pytest.mark.parametrize(
    ("reply", "logs"),
    [
        (a_reply(["<s>", "a", " b", " c", "!"], [None, -1, -2, -3, -4]), (-2.0, -3.0)),  # a mark before the prompt
        (a_reply(["a", " b", " c"], [None, -1, -2], made=0), (-1.0, -2.0)),  # nothing was made
        (a_reply(["a", " b", " c", "!"], [None, -1, None, -3], made=None), (-1.0, None)),
        (a_reply(["a", "\n b c", "!"], [None, -1, -2]), (-1.0,)),  # a token that reaches over the beginning
        (a_reply(["!"], [-2]), ()),  # the prompt is not echoed, as llama.cpp's own server does
        (a_reply(["a", " b c", "!"], [None, -1]), ()),
        (a_reply(None, None), ()),
        (SimpleNamespace(choices=[]), ()),
        (object(), ()),
    ],
)
def test_what_is_no_echo_is_not_taken_for_one(reply: object, logs: tuple[float | None, ...]) -> None:
    assert logs_of(reply, " b c") == logs


def test_a_member_without_an_address_has_none() -> None:
    text = '[[member]]\nname = "a"\nmodel = "openai/x"\nfamily = "f"\napi_key_env = "K"\nprompt_logprobs = true\n'
    with pytest.raises(InvalidRoster, match=r"line 6, member 1.*prompt_logprobs"):
        parse_roster(text)


def test_a_server_that_is_away_is_left_alone_for_a_while() -> None:
    with served(m=ModelScript()) as gone:
        score = scorer_of(gone, "m")
        assert score("", "We use it.") is not None
    assert [score("", "We use it.") for _ in range(5)] == [None] * 5

    def asked_again(*_: object) -> None:
        pytest.fail("it was asked again")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket.socket, "connect", asked_again)
        assert score("", "We use it.") is None
