"""The gateway over real HTTP against the loopback provider: every way a reply can come or fail to come."""

import asyncio
import inspect
import os
import pickle
import subprocess
import sys
import traceback
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest

from devtools.loopback_spec import LoopbackAct, LoopbackStep, ModelScript
from dissolution.answers import FinishReason, MemberKind, RenderedPrompt, Reply
from dissolution.errors import MemberError, MemberRateLimited, MemberRequestRejected, MemberTimeout
from dissolution.values import NotMeasured
from fleet.check import CHECK_PROMPT
from fleet.litellm_errors import CLASSES
from fleet.litellm_gateway import load_litellm, map_entry, supported_parameters
from fleet.litellm_reply import read_usage
from tests.integration.fleet.parts import DIALECTS, KEY, a_model, a_provider, a_script, ask


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """The library imports a provider's adapters at the first call; that must not eat into a test's short deadline."""

    async def call() -> None:
        async with a_provider({"warm": ModelScript()}) as provider:
            for dialect in DIALECTS:
                await ask(a_model(provider, "warm", dialect))

    asyncio.run(call())


def outcome_of(
    act: LoopbackAct,
    dialect: str,
    *,
    deadline_s: float = 60.0,
    **member: Any,  # noqa: ANN401 - any fields of a roster member
) -> tuple[Reply | MemberError, int]:
    """What asking a model that does `act` comes to, and how many requests it took."""

    async def run() -> tuple[Reply | MemberError, int]:
        async with a_provider({"m": a_script(act)}) as provider:
            try:
                outcome: Reply | MemberError = await ask(
                    a_model(provider, "m", dialect, **member), deadline_s=deadline_s
                )
            except MemberError as error:
                outcome = error
            return outcome, provider.served["m"].requests

    return asyncio.run(run())


FAILURES = {
    LoopbackAct.RATE_LIMIT: "rate_limit",
    LoopbackAct.BILLING: "billing",
    LoopbackAct.AUTH: "auth",
    LoopbackAct.FORBIDDEN: "auth",
    LoopbackAct.NOT_FOUND: "bad_request",
    LoopbackAct.BAD_REQUEST: "bad_request",
    LoopbackAct.CONTEXT: "context_window",
    LoopbackAct.SERVER_ERROR: "unavailable",
    LoopbackAct.BAD_GATEWAY: "unavailable",
    LoopbackAct.UNAVAILABLE: "unavailable",
    LoopbackAct.OVERLOADED: "unavailable",
    LoopbackAct.CUT: "unavailable",
    LoopbackAct.DROP: "unavailable",
    LoopbackAct.WRONG_JSON: "unparsable",
    LoopbackAct.WRONG_SHAPE: "unparsable",
    LoopbackAct.HTML: "unparsable",
    LoopbackAct.NO_CHOICES: "unparsable",
    LoopbackAct.NULL_CONTENT: "unparsable",
    LoopbackAct.CONTENT_FILTER: "content_filter",
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("act", FAILURES)
def test_every_failure_has_its_class_after_one_request(act: LoopbackAct, dialect: str) -> None:
    error, requests = outcome_of(act, dialect)
    assert isinstance(error, MemberError)
    assert error.code == FAILURES[act]
    assert requests == 1, "the library repeated by itself"


def test_every_act_is_tested() -> None:
    elsewhere = {LoopbackAct.ANSWER, LoopbackAct.LENGTH, LoopbackAct.REFUSAL, LoopbackAct.DRIP, LoopbackAct.HANG}
    assert set(FAILURES) | elsewhere == set(LoopbackAct)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_comes_with_tokens_cost_and_what_was_sent(dialect: str) -> None:
    async def run() -> tuple[Reply, dict[str, Any]]:
        async with a_provider({"m": ModelScript(template="KNOWN: {model}")}) as provider:
            price = {"input_usd": 1, "output_usd": 2}
            reply = await ask(a_model(provider, "m", dialect, temperature=0.5, price=price))
            return reply, dict(provider.bodies[0])

    reply, body = asyncio.run(run())
    assert (reply.text, reply.finish, reply.model_reported) == ("KNOWN: m", FinishReason.STOP, "m")
    # the prompt has 34 characters = 9 tokens, the answer 8 = 2: 9 * 1e-6 + 2 * 2e-6
    assert (reply.usage.input_tokens, reply.usage.cached_input_tokens, reply.usage.output_tokens) == (9, 0, 2)
    assert reply.usage.cost_usd == Decimal("0.000013")
    record = reply.usage.request
    assert record is not None
    assert (record.requests, record.left_out) == (1, ())
    assert record.parameters == {name: value for name, value in body.items() if name not in {"messages", "system"}}
    assert record.parameters["temperature"] == 0.5
    assert Reply.model_validate_json(reply.model_dump_json()) == reply


def asked_twice(dialect: str, shared: int) -> tuple[list[Reply], list[dict[str, Any]]]:
    """The replies to one prompt that is sent twice, and what was sent."""

    async def run() -> tuple[list[Reply], list[dict[str, Any]]]:
        async with a_provider({"m": ModelScript()}) as provider:
            price = {"input_usd": 1, "cached_input_usd": "0.1", "cache_write_usd": "1.25", "output_usd": 2}
            model = a_model(provider, "m", dialect, price=price)
            long = RenderedPrompt.model_validate(
                {
                    "stamp": {"name": "x", "version": 1, "digest": "0" * 64},
                    "messages": [{"role": "system", "content": "s" * 700}, {"role": "user", "content": "u" * 700}],
                    "shared": shared,
                }
            )
            replies = [await model.complete(long, max_output_tokens=64, deadline_s=60) for _ in range(2)]
            await model.aclose()
            return replies, [dict(body) for body in provider.bodies]

    return asyncio.run(run())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_providers_prompt_cache_is_used_and_read_in_both_forms(dialect: str) -> None:
    (first, second), _ = asked_twice(dialect, shared=400)
    assert first.usage.cached_input_tokens == 0
    assert second.usage.cached_input_tokens == 256  # two blocks of 512 characters, 4 to a token
    assert first.usage.input_tokens == second.usage.input_tokens == 351  # 1401 characters; the cached ones included


def test_anthropic_caches_what_is_marked_alone_and_what_that_costs_is_counted() -> None:
    (first, second), (body, _) = asked_twice("anthropic", shared=400)
    blocks = body["messages"][0]["content"]
    assert [len(block["text"]) for block in blocks] == [400, 300]
    assert [block.get("cache_control") for block in blocks] == [{"type": "ephemeral"}, None]
    assert (first.usage.cache_written_tokens, second.usage.cache_written_tokens) == (256, 0)
    dear, cheap = first.usage.cost_usd, second.usage.cost_usd
    assert isinstance(dear, Decimal)
    assert isinstance(cheap, Decimal)
    assert dear - cheap == 256 * (Decimal("1.25") - Decimal("0.1")) / 1_000_000
    unmarked, (plain, _) = asked_twice("anthropic", shared=0)
    assert "cache_control" not in str(plain)
    assert [reply.usage.cached_input_tokens for reply in unmarked] == [0, 0]


def test_a_provider_that_finds_repeated_beginnings_itself_is_sent_no_mark() -> None:
    _, bodies = asked_twice("openai", shared=400)
    assert "cache_control" not in str(bodies)
    assert bodies[0]["messages"][1]["content"] == "u" * 700


@pytest.mark.parametrize(
    ("reported", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 40}}, 40),
        ({"prompt_cache_hit_tokens": 40, "prompt_cache_miss_tokens": 60}, 40),
        ({"cache_read_input_tokens": 40, "cache_creation_input_tokens": 50}, 40),
    ],
)
def test_what_was_cached_is_read_as_the_library_shows_each_providers_field(
    reported: dict[str, Any], cached: int
) -> None:
    load_litellm()
    usage: Any = import_module("litellm.types.utils").Usage(
        prompt_tokens=100, completion_tokens=5, total_tokens=105, **reported
    )
    found = read_usage(usage, lambda _tokens: None)
    assert (found.input_tokens, found.cached_input_tokens) == (100, cached)
    assert found.cache_written_tokens == reported.get("cache_creation_input_tokens", found.cache_written_tokens)


def test_what_gemini_had_cached_is_read() -> None:
    load_litellm()
    gemini: Any = import_module("litellm.llms.vertex_ai.gemini.vertex_and_google_ai_studio_gemini").VertexGeminiConfig
    told = {"promptTokenCount": 100, "candidatesTokenCount": 5, "totalTokenCount": 105, "cachedContentTokenCount": 40}
    found = read_usage(gemini._calculate_usage({"usageMetadata": told}), lambda _tokens: None)
    assert (found.input_tokens, found.cached_input_tokens) == (100, 40)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_cut_off_at_the_limit_keeps_its_beginning(dialect: str) -> None:
    reply, _ = outcome_of(LoopbackAct.LENGTH, dialect)
    assert isinstance(reply, Reply)
    assert reply.finish is FinishReason.LENGTH
    assert reply.text.startswith("1. KNOWN")


def test_a_refusal_in_words_is_kept_and_one_without_is_a_failure() -> None:
    spoken, _ = outcome_of(LoopbackAct.REFUSAL, "openai")
    assert isinstance(spoken, Reply)
    assert (spoken.finish, spoken.text) == (FinishReason.REFUSAL, "I'm sorry, I can't help with that.")
    silent, _ = outcome_of(LoopbackAct.REFUSAL, "anthropic")
    assert isinstance(silent, MemberError)
    assert silent.code == "content_filter"  # the library maps the stop reason `refusal` so


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("act", [LoopbackAct.DRIP, LoopbackAct.HANG])
def test_a_body_that_drips_or_never_comes_ends_at_the_deadline(act: LoopbackAct, dialect: str) -> None:
    error, requests = outcome_of(act, dialect, timeout_s=0.3)
    assert isinstance(error, MemberTimeout)
    assert "no whole reply within 0.3 s" in error.detail
    assert requests == 1


def test_the_deadline_of_the_call_goes_before_that_of_a_request() -> None:
    error, _ = outcome_of(LoopbackAct.HANG, "openai", deadline_s=0.2, timeout_s=20)
    assert isinstance(error, MemberTimeout)
    assert "within 0.2 s" in error.detail


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_library_reckons_no_price_and_tells_nobody(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    litellm, told = load_litellm(), list[object]()

    def reckoned(**about: object) -> None:
        told.append(about)

    class Told(import_module("litellm.integrations.custom_logger").CustomLogger):
        async def async_log_success_event(self, *about: object) -> None:
            told.append(about)

    monkeypatch.setattr(litellm, "response_cost_calculator", reckoned)
    monkeypatch.setattr(litellm, "_async_success_callback", [Told()])
    reply, requests = outcome_of(LoopbackAct.ANSWER, dialect)
    assert isinstance(reply, Reply)
    assert requests == 1
    assert not told


def test_with_no_time_left_nothing_is_sent() -> None:
    error, requests = outcome_of(LoopbackAct.ANSWER, "openai", deadline_s=0.0)
    assert isinstance(error, MemberTimeout)
    assert requests == 0


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "act", [LoopbackAct.RATE_LIMIT, LoopbackAct.SERVER_ERROR, LoopbackAct.OVERLOADED, LoopbackAct.CUT]
)
def test_what_passes_by_itself_is_asked_again_and_counted(act: LoopbackAct, dialect: str) -> None:
    async def run() -> Reply:
        async with a_provider({"m": a_script(act, times=2)}) as provider:
            return await ask(a_model(provider, "m", dialect, max_attempts=3))

    reply = asyncio.run(run())
    assert reply.usage.request is not None
    assert reply.usage.request.requests == 3


def test_attempts_end_and_the_wait_the_provider_named_is_told() -> None:
    error, requests = outcome_of(LoopbackAct.RATE_LIMIT, "openai", max_attempts=2)
    assert isinstance(error, MemberRateLimited)
    assert error.retry_after_s == 0.01
    assert requests == 2


def test_a_named_wait_beyond_the_deadline_is_not_begun() -> None:
    async def run() -> int:
        step = LoopbackStep(act=LoopbackAct.RATE_LIMIT, times=9, retry_after="120")
        async with a_provider({"m": ModelScript(steps=(step,))}) as provider:
            with pytest.raises(MemberRateLimited) as caught:
                await ask(a_model(provider, "m", max_attempts=5), deadline_s=30)
            assert caught.value.retry_after_s == 120
            return provider.served["m"].requests

    assert asyncio.run(run()) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_key_that_is_echoed_never_gets_out(
    dialect: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    error, _ = outcome_of(LoopbackAct.AUTH, dialect)
    assert isinstance(error, MemberError)
    printed = "".join(traceback.format_exception(error))
    for text in (str(error), repr(error), repr(pickle.dumps(error)), printed, caplog.text, *capfd.readouterr()):
        assert KEY not in text
    chain: list[BaseException | None] = [error.__cause__, error.__context__]
    assert chain == [None, None]


def test_nothing_is_printed_on_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    for act in (LoopbackAct.ANSWER, LoopbackAct.SERVER_ERROR, LoopbackAct.NOT_FOUND, LoopbackAct.HTML):
        for dialect in DIALECTS:
            outcome_of(act, dialect)
    assert capfd.readouterr().out == ""


def test_a_key_that_is_not_set_is_an_auth_failure_and_nothing_is_sent() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript()}) as provider:
            with pytest.raises(MemberError, match="'THE_KEY'") as caught:
                await ask(a_model(provider, "m", environ={}))
            assert caught.value.code == "auth"
            assert provider.bodies == []

    asyncio.run(run())


def test_a_key_of_the_environment_is_not_sent_to_a_server_that_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    async def run() -> None:
        async with a_provider({"m": ModelScript()}, key=KEY) as provider:
            with pytest.raises(MemberError) as caught:
                await ask(a_model(provider, "m", api_key_env=None))
            assert caught.value.code == "auth"  # the server wanted the key and did not get it

    asyncio.run(run())


def test_ambient_credentials_are_the_librarys_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    async def run() -> None:
        async with a_provider({"m": ModelScript()}, key=KEY) as provider:
            reply = await ask(a_model(provider, "m", api_key_env=None, ambient_credentials=True))
            assert reply.text

    asyncio.run(run())


def test_without_an_address_the_providers_own_is_used() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript()}) as provider:
            arguments = a_model(provider, "m", api_base=None)._arguments(CHECK_PROMPT, lambda _details: None)
            assert "api_base" not in arguments
            assert (arguments["api_key"], arguments["timeout"], arguments["max_retries"]) == (KEY, 20.0, 0)

    asyncio.run(run())


def test_an_unsupported_parameter_is_an_error_unless_it_may_be_left_out() -> None:
    async def run() -> None:
        async with a_provider({"m": ModelScript()}) as provider:
            with pytest.raises(MemberRequestRejected, match=r"'seed'.*'anthropic/m'"):
                await ask(a_model(provider, "m", "anthropic", seed=7))
            assert provider.bodies == []
            reply = await ask(a_model(provider, "m", "anthropic", seed=7, leave_out_unsupported=["seed"]))
            assert reply.usage.request is not None
            assert reply.usage.request.left_out == ("seed",)
            assert "seed" not in provider.bodies[-1]

    asyncio.run(run())


def test_what_the_library_refuses_by_itself_is_treated_alike() -> None:
    async def run() -> None:
        async with a_provider({"gpt-5-mini": ModelScript()}) as provider:  # takes no temperature but 1
            with pytest.raises(MemberRequestRejected, match="temperature"):
                await ask(a_model(provider, "gpt-5-mini", temperature=0.2))
            assert provider.bodies == []
            member = a_model(provider, "gpt-5-mini", temperature=0.2, leave_out_unsupported=["temperature"])
            reply = await ask(member)
            assert reply.usage.request is not None
            assert (reply.usage.request.requests, reply.usage.request.left_out) == (1, ("temperature",))
            assert "temperature" not in provider.bodies[-1]

    asyncio.run(run())


def test_structured_output_and_further_parameters_are_sent() -> None:
    async def run() -> Any:  # noqa: ANN401 - a request body
        async with a_provider({"m": ModelScript()}) as provider:
            await ask(a_model(provider, "m", structured_output=True, seed=3, params={"top_p": 0.9}))
            return provider.bodies[-1]

    body = asyncio.run(run())
    assert body["response_format"] == {"type": "json_object"}
    assert (body["seed"], body["top_p"], body["max_tokens"]) == (3, 0.9, 64)


def test_a_model_without_a_known_price_costs_not_known() -> None:
    async def run() -> Reply:
        async with a_provider({"gpt-4.1-mini": ModelScript()}) as provider:
            return await ask(a_model(provider, "gpt-4.1-mini"))

    assert isinstance(asyncio.run(run()).usage.cost_usd, NotMeasured)  # the map's price is not that of another server


def test_clients_are_closed_by_the_last_who_uses_them() -> None:
    clients = load_litellm().in_memory_llm_clients_cache.cache_dict

    async def run() -> None:
        ending = f"-{id(asyncio.get_running_loop())}"

        def cached() -> list[str]:
            return [key for key in clients if key.endswith(ending)]

        async with a_provider({"m": ModelScript()}) as provider:
            one, other = a_model(provider, "m"), a_model(provider, "m", "anthropic")
            for model in (one, other):
                await model.complete(CHECK_PROMPT, max_output_tokens=8, deadline_s=60)
            assert len(cached()) == 2
            await one.aclose()
            assert len(cached()) == 2
            await other.aclose()
            assert cached() == []
            await other.aclose()
            assert (await ask(one)).text  # and a closed model opens again

    asyncio.run(run())


def test_one_client_serves_all_calls_of_a_member_however_much_time_each_has_left() -> None:
    clients = load_litellm().in_memory_llm_clients_cache.cache_dict

    async def run() -> int:
        async with a_provider({"m": ModelScript()}) as provider:
            model = a_model(provider, "m", timeout_s=60)
            for deadline_s in (30, 20.5, 10.25):  # shorter than the roster's timeout: the rest is another each time
                await model.complete(CHECK_PROMPT, max_output_tokens=8, deadline_s=deadline_s)
            found = sum(key.endswith(f"-{id(asyncio.get_running_loop())}") for key in clients)
            await model.aclose()
            return found

    assert asyncio.run(run()) == 1


def test_no_setting_of_the_library_is_touched() -> None:
    litellm = load_litellm()

    def settings() -> dict[str, str]:
        simple = (bool, int, float, str, list, dict, type(None))
        skip = ("model_cost", "_", "model_list", "module_level")
        shown = {n: repr(v) for n, v in vars(litellm).items() if type(v) in simple and not n.startswith(skip)}
        return {name: text for name, text in shown.items() if len(text) < 10_000}

    before = settings()
    for act in (LoopbackAct.ANSWER, LoopbackAct.RATE_LIMIT, LoopbackAct.SERVER_ERROR, LoopbackAct.AUTH):
        for dialect in DIALECTS:
            outcome_of(act, dialect, max_attempts=2)
    assert settings() == before


def test_every_exception_of_the_library_is_mapped() -> None:
    load_litellm()
    from litellm import exceptions

    theirs = {
        name
        for name, kind in inspect.getmembers(exceptions, inspect.isclass)
        if issubclass(kind, BaseException) and kind.__module__ == exceptions.__name__
    }
    assert theirs == set(CLASSES)


def test_the_library_is_imported_on_first_use_with_its_network_and_dotenv_off() -> None:
    program = (
        "import sys, os, fleet.litellm_gateway as g, fleet.chat_member, fleet.check;"
        "assert 'litellm' not in sys.modules; g.load_litellm(); assert 'litellm' in sys.modules;"
        "names = ('LITELLM_LOCAL_MODEL_COST_MAP', 'LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS', 'LITELLM_MODE');"
        "print(*(os.environ[name] for name in names))"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM")}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=clean, check=True)
    assert ran.stdout == "True True PRODUCTION\n"


def test_what_the_price_map_says() -> None:
    assert map_entry("openai/gpt-4.1-mini")["max_input_tokens"]
    assert map_entry("gemini/gemini-2.5-flash")["litellm_provider"] == "gemini"
    assert map_entry("openai/nonsense") == {}
    assert map_entry("hosted_vllm/gpt-4.1-mini") == {}  # another server's model of the same name
    assert "seed" in supported_parameters("openai/gpt-4.1-mini")
    assert "seed" not in supported_parameters("anthropic/claude-haiku-4-5")
    assert supported_parameters("nosuchprovider/x") == ()


def test_price_and_window_come_from_the_roster_first() -> None:
    async def run() -> None:
        async with a_provider({"gpt-4.1-mini": ModelScript()}) as provider:
            known = a_model(provider, "gpt-4.1-mini", price={"input_usd": 3, "output_usd": 4}, window_tokens=5000)
            price = known.price(10)
            assert price is not None
            assert price.input_usd * 1_000_000 == 3
            assert known.window_tokens == 5000
            assert known.card.kind is MemberKind.LANGUAGE_MODEL
            assert a_model(provider, "nonsense").window_tokens is None
            own = a_model(provider, "gpt-4.1-mini", api_base=None)
            price = own.price(10)
            assert price is not None
            assert price.input_usd > 0
            assert "temperature" in own.supported_parameters()

    asyncio.run(run())


def test_a_cancelled_call_ends_at_once() -> None:
    async def run() -> None:
        async with a_provider({"m": a_script(LoopbackAct.HANG)}) as provider:
            model = a_model(provider, "m")
            call = asyncio.create_task(ask(model))
            await provider.received.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call

    asyncio.run(run())


def test_forty_calls_in_flight_are_forty_requests() -> None:
    async def run() -> int:
        async with a_provider({"m": ModelScript()}) as provider:
            model = a_model(provider, "m")
            calls = [model.complete(CHECK_PROMPT, max_output_tokens=8, deadline_s=60) for _ in range(40)]
            replies = await asyncio.gather(*calls)
            await model.aclose()
            assert all(reply.usage.request and reply.usage.request.requests == 1 for reply in replies)
            return provider.served["m"].requests

    assert asyncio.run(run()) == 40
