"""The one place that imports LiteLLM: a ChatModel over `litellm.acompletion`.

Imported on first use, from the local price map and without reading .env files; no setting of the library is touched.
Its own repeats are off, its errors are mapped, its replies are checked, and none of its words get out unscrubbed.
"""

import asyncio
import inspect
import os
import random
import sys
import uuid
import weakref
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Any, cast

from pydantic import JsonValue

from dissolution.answers import MemberCard, MemberKind, RenderedPrompt, Reply, RequestRecord
from dissolution.errors import MemberAuthError, MemberError, MemberRequestRejected, MemberTimeout
from dissolution.limits import Limiter
from fleet.admission import Admission
from fleet.cache_marks import messages_of, needs_marks
from fleet.litellm_attempt import Answered, Unsupported, request_report
from fleet.litellm_errors import member_error
from fleet.litellm_parameters import OPENAI_PARAMETERS, parameters_sent, unsupported_words
from fleet.litellm_reply import read_reply
from fleet.local_limits import LocalLimiter
from fleet.prices import TokenPrice, map_price, roster_price
from fleet.retry import RetryPolicy, decide
from fleet.roster import RosterMember
from fleet.scrub import scrubber
from fleet.vocabulary import Vocabulary
from language.tokens import ApproximateTokenCounter

NO_KEY = "no-key-needed"
"""Sent where the roster names no key: with nothing given, the library would take one from the environment, and a key of
one provider must not reach the server of another."""

_USERS: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, set[int]] = weakref.WeakKeyDictionary()
"""Who still uses the library's cached HTTP clients, by event loop: the last one out closes them."""


class LiteLLMChatModel:
    """One endpoint of a provider, behind the ChatModel port.

    Args:
        member: What the roster says.
        environ: Where the key is looked up; the process's environment by default.
        response_format: Sent when the roster asks for structured output; a JSON object without a schema by default.
        formats: The same for prompts that want another form, by prompt name.
        limiter: Says when each request may be made; one of this process alone by default.
        sleep: What waits between attempts.
        rng: Source of the jitter.
    """

    def __init__(
        self,
        member: RosterMember,
        *,
        environ: Mapping[str, str] = os.environ,
        response_format: Mapping[str, JsonValue] | None = None,
        formats: Mapping[str, Mapping[str, JsonValue]] | None = None,
        limiter: Limiter | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self._member = member
        self._key = environ.get(member.api_key_env, "") if member.api_key_env else NO_KEY
        self._scrub = scrubber([self._key])
        self._response_format = dict(response_format or {"type": "json_object"})
        self._formats = dict(formats or {})
        self._sleep = sleep
        self._admission = Admission(limiter or LocalLimiter(), member, sleep=sleep)
        self._rng = rng or random.Random()  # noqa: S311 - jitter, no secret
        self._retry = RetryPolicy(max_attempts=member.max_attempts)
        self._card = MemberCard(
            name=member.name, family=member.family, kind=MemberKind.LANGUAGE_MODEL, model=member.model
        )

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._card

    def price(self, input_tokens: int) -> TokenPrice | None:
        """The price of a call with a prompt of this length, or None when it is not known.

        The roster's price goes first. The price map is believed for the provider's own endpoint only: what a server
        at another `api_base` costs, it cannot know.
        """
        if self._member.price is not None:
            return roster_price(self._member.price)
        return None if self._member.api_base else map_price(map_entry(self._member.model), input_tokens)

    @property
    def window_tokens(self) -> int | None:
        """Its context window (tokens) by the roster or the price map, or None when neither knows."""
        known = self._member.window_tokens or map_entry(self._member.model).get("max_input_tokens")
        return known if isinstance(known, int) else None

    def supported_parameters(self) -> tuple[str, ...]:
        """The parameters the library believes this model takes, in alphabetical order; its opinion, no promise."""
        return supported_parameters(self._member.model)

    async def complete(self, prompt: RenderedPrompt, *, max_output_tokens: int, deadline_s: float) -> Reply:
        """The model's reply, repeated as `fleet.retry` decides, within `deadline_s` seconds in all.

        Raises:
            MemberError: The last attempt's failure; nothing is chained to it.
        """
        if not load_litellm.cache_info().currsize:  # seconds of importing must not hold up the event loop
            await asyncio.to_thread(load_litellm)
        litellm = load_litellm()
        if not self._key:
            raise MemberAuthError(self._card.name, f"environment variable {self._member.api_key_env!r} is not set")
        wished, left_out = self._parameters(prompt.stamp.name)
        time = asyncio.get_running_loop().time
        began, attempts = time(), 0
        while True:
            attempts += 1
            parameters = {"max_tokens": max_output_tokens, **wished}
            outcome = await self._admission.ask(
                partial(self._attempt, litellm, prompt, parameters),
                tokens=self._expected(prompt) + max_output_tokens,
                rest_s=deadline_s - (time() - began),
                told=request_report,
            )
            if isinstance(outcome, Answered):
                record = RequestRecord(requests=attempts, parameters=outcome.sent, left_out=left_out)
                usage = outcome.reply.usage.model_copy(update={"request": record})
                return outcome.reply.model_copy(update={"usage": usage})
            if isinstance(outcome, Unsupported):  # refused by the library itself: nothing was sent
                wished, left_out = self._without(outcome, wished, left_out)
                attempts -= 1
                continue
            decision = decide(
                outcome,
                attempts=attempts,
                elapsed_s=time() - began,
                deadline_s=deadline_s,
                policy=self._retry,
                rng=self._rng,
            )
            if not decision.retry:
                raise outcome
            await self._sleep(decision.wait_s)

    def _expected(self, prompt: RenderedPrompt) -> int:
        """Input tokens of a request, for its place in the limit of tokens; put right when they are known."""
        return ApproximateTokenCounter().count(prompt.text) if self._member.tpm is not None else 0

    async def aclose(self) -> None:
        """Close the HTTP clients of this event loop once nobody else here uses them. Safe to call twice."""
        users = _USERS.get(asyncio.get_running_loop(), set())
        if id(self) in users:
            users.discard(id(self))
            if not users:
                await close_clients()

    def _parameters(self, prompt: str) -> tuple[dict[str, JsonValue], tuple[str, ...]]:
        """What the roster wishes for that the model supports, and what is left out by its leave."""
        member = self._member
        wished: dict[str, JsonValue] = dict(member.params)
        own: dict[str, JsonValue] = {"temperature": member.temperature, "seed": member.seed}
        wished.update({name: value for name, value in own.items() if value is not None})
        if member.structured_output:
            wished["response_format"] = cast("JsonValue", self._formats.get(prompt, self._response_format))
        supported = supported_parameters(member.model)
        known = set(wished) & OPENAI_PARAMETERS
        missing = sorted(name for name in known if supported and name not in supported)
        refused = [name for name in missing if name not in member.leave_out_unsupported]
        if refused:
            raise MemberRequestRejected(self._card.name, unsupported_words(refused, member.model))
        return {name: value for name, value in wished.items() if name not in missing}, tuple(missing)

    def _without(
        self, outcome: "Unsupported", wished: dict[str, JsonValue], left_out: tuple[str, ...]
    ) -> tuple[dict[str, JsonValue], tuple[str, ...]]:
        """The parameters without those the library says the model does not take, where the roster gives leave."""
        named = [name for name in wished if name in outcome.words and name in self._member.leave_out_unsupported]
        if not named:
            raise MemberRequestRejected(self._card.name, outcome.words)
        kept = {name: value for name, value in wished.items() if name not in named}
        return kept, tuple(sorted({*left_out, *named}))

    async def _attempt(
        self, litellm: ModuleType, prompt: RenderedPrompt, parameters: Mapping[str, JsonValue], rest_s: float
    ) -> "Answered | Unsupported | MemberError":
        """One request, or none when no time is left. Returns errors, so that they are raised with nothing chained."""
        limit_s = min(self._member.timeout_s, rest_s)
        too_late = MemberTimeout(self._card.name, f"no whole reply within {limit_s:.3g} s")
        if limit_s <= 0:
            return too_late
        _USERS.setdefault(asyncio.get_running_loop(), set()).add(id(self))
        sent: dict[str, JsonValue] = {}

        def on_sending(details: Mapping[str, Any]) -> None:
            sent.update(parameters_sent(details))

        arguments = self._arguments(prompt, on_sending)
        try:
            # The library's timeout bounds one read, and a dripping body is many reads: this one bounds the whole.
            async with asyncio.timeout(limit_s):
                response = await bare_completion(litellm, {**arguments, **parameters})
            return Answered(read_reply(response, self._card.name, self.price), sent)
        except TimeoutError:
            return too_late
        except MemberError as error:
            return type(error)(*error.args)  # a new one, free of the context it was raised in
        except Exception as error:  # noqa: BLE001 - the library raises whatever its providers' adapters raise
            failure = member_error(error, self._card.name, scrub=self._scrub, now=datetime.now(UTC))
            unsupported = type(error).__name__ == "UnsupportedParamsError"
            return Unsupported(failure.detail) if unsupported else failure

    def _arguments(self, prompt: RenderedPrompt, on_sending: Callable[[Mapping[str, Any]], None]) -> dict[str, object]:
        arguments: dict[str, object] = {
            "model": self._member.model,
            "messages": messages_of(prompt, marked=needs_marks(self._member.model)),
            "timeout": self._member.timeout_s,  # the same every time: the library keeps one client for each value
            "max_retries": 0,
            "logger_fn": on_sending,
        }
        if not self._member.ambient_credentials:
            arguments["api_key"] = self._key
        if self._member.api_base:
            arguments["api_base"] = self._member.api_base
        return arguments


async def bare_completion(litellm: ModuleType, arguments: Mapping[str, object]) -> object:
    """The library's call without what it does around it: its cache, its prices, callbacks, repeats of its own.

    None of that is used here, and it takes as long as the call itself; so the function is asked that the library wraps.
    """
    utils: Any = litellm.utils
    given = {**arguments, "litellm_call_id": str(uuid.uuid4())}
    now = datetime.now(UTC).astimezone().replace(tzinfo=None)  # naive and local, as its own instants are
    about, given = utils.function_setup("acompletion", utils.Rules(), now, **given)
    call: Callable[..., Awaitable[object]] = inspect.unwrap(litellm.acompletion)
    return await call(**given, litellm_logging_obj=about)


CONNECTIONS = 10_000
"""Connections of one process at a time, to one host too. How many calls go at once is for rosters and tenants to limit:
in the library's own pool, of 500 to a host, a call would wait unseen while its clock runs."""


@cache
def load_litellm() -> ModuleType:
    """The library, imported once: local price map, no .env, and quiet on stdout, which belongs to our one document."""
    if "litellm" not in sys.modules:
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"  # else fetched at the first call to Anthropic
        os.environ["LITELLM_MODE"] = "PRODUCTION"
        for name in ("AIOHTTP_CONNECTOR_LIMIT", "AIOHTTP_CONNECTOR_LIMIT_PER_HOST"):
            os.environ.setdefault(name, str(CONNECTIONS))
    import litellm
    from litellm.litellm_core_utils import exception_mapping_utils, get_llm_provider_logic

    # These two print advice on every error. The switch for it is a setting shared with everybody in the process, so
    # they are given a print of their own instead.
    for module in (exception_mapping_utils, get_llm_provider_logic):
        vars(module)["print"] = _print_nothing
    return litellm


def _print_nothing(*_words: object, **_options: object) -> None:
    """A print that prints nothing."""


def map_entry(model: str) -> Mapping[str, object]:
    """What the local price map says of a model of its own provider; empty when it says nothing."""
    prices = cast("Mapping[str, Mapping[str, object]]", load_litellm().model_cost)
    provider, _, name = model.partition("/")
    entry = prices.get(model) or prices.get(name, {})
    return entry if model in prices or entry.get("litellm_provider") == provider else {}


BUNDLED_VOCABULARIES = frozenset({"cl100k_base", "o200k_base", "o200k_harmony"})
"""Vocabularies the library carries in its package; any other would be fetched."""


@cache
def openai_vocabulary(model: str) -> Vocabulary | None:
    """The vocabulary of an OpenAI model (behind a gateway too), from the library's own copy; None for others."""
    _, found, name = model.rpartition("openai/")
    if not found:
        return None
    load_litellm()
    counting: Any = import_module("litellm.litellm_core_utils.token_counter")
    try:
        vocabulary: str = counting.tiktoken.encoding_name_for_model(name)
    except KeyError:  # a name it does not know, such as that of a server of one's own
        return None
    return cast("Vocabulary", counting.get_encoding(vocabulary)) if vocabulary in BUNDLED_VOCABULARIES else None


@cache
def supported_parameters(model: str) -> tuple[str, ...]:
    """The parameters the library's tables list for a model, in alphabetical order; empty when they do not know it."""
    listed: Any = load_litellm().get_supported_openai_params(model)
    return tuple(sorted(cast("list[str]", listed or [])))


async def close_clients() -> None:
    """Close and forget the HTTP clients the library cached for the running event loop."""
    clients: Any = load_litellm().in_memory_llm_clients_cache
    ending = f"-{id(asyncio.get_running_loop())}"
    for key in [key for key in clients.cache_dict if key.endswith(ending)]:
        client: Any = clients.cache_dict[key]
        await client.close()
        clients.cache_dict.pop(key, None)
        clients.ttl_dict.pop(key, None)
