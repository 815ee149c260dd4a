"""Log-probabilities of text that a completion endpoint reads: one request a turn, with the prompt echoed.

The endpoint is OpenAI's `/completions` with `echo` and `logprobs`, as vLLM and llama-cpp-python serve it; chat
endpoints have nothing like it. A server that ignores `echo` gives no token of the prompt, and then nothing is measured.
Whatever goes wrong is told as "not measured": no turn waits for a second try, and no evaluation fails for it.
"""

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import Any, cast

from dissolution.errors import MemberAuthError, MemberError
from dissolution.limits import Ended, Limiter, RequestReport
from fleet.admission import Admission
from fleet.litellm_errors import member_error
from fleet.litellm_gateway import NO_KEY, load_litellm
from fleet.local_limits import LocalLimiter
from fleet.roster import RosterMember
from fleet.scrub import scrubber
from language.tokens import ApproximateTokenCounter

log = logging.getLogger(__name__)

COMPLETIONS = "text-completion-openai"
"""The provider by whose name LiteLLM speaks to a `/completions` endpoint."""

MOST_CHARS = 8_000
"""Characters of one turn that are sent, besides what came before: together at most about 5000 tokens a turn."""

Logs = tuple[float | None, ...]


class PromptScorer:
    """Asks one member of a roster for the log-probabilities of a text after what came before.

    Args:
        member: It has `prompt_logprobs`, and an address.
        environ: Where its key is looked up.
        limiter: Says when; one of its own by default, so that a server that is away is left alone for a while.
    """

    def __init__(
        self, member: RosterMember, *, environ: Mapping[str, str] = os.environ, limiter: Limiter | None = None
    ) -> None:
        self._member = member
        self._key = environ.get(member.api_key_env, "") if member.api_key_env else NO_KEY
        self._scrub = scrubber([self._key])
        self._admission = Admission(limiter or LocalLimiter(), member)

    def __call__(self, before: str, text: str) -> Logs | None:
        """Natural log-probabilities of the text's tokens; None when they cannot be had. For threads without a loop."""
        try:
            return asyncio.run(self._asked(before, text[:MOST_CHARS]))
        except MemberError as error:
            log.warning("surprise of a turn is not measured: member %r: %s", self._member.name, error.code)
            return None

    async def _asked(self, before: str, text: str) -> Logs | None:
        if not self._key:
            raise MemberAuthError(self._member.name, f"environment variable {self._member.api_key_env!r} is not set")
        prompt = f"{before}\n{text}" if before else text
        outcome = await self._admission.ask(
            partial(self._attempt, prompt, text),
            tokens=ApproximateTokenCounter().count(prompt) + 1,
            rest_s=self._member.timeout_s,
            told=lambda got: got if isinstance(got, MemberError) else RequestReport(ended=Ended.ANSWERED),
        )
        if isinstance(outcome, MemberError):
            raise outcome
        return outcome or None

    async def _attempt(self, prompt: str, text: str, rest_s: float) -> Logs | MemberError:
        """One request. Errors are returned, so that they are raised with nothing chained.

        It holds up its loop, which is its alone. The client is its own too: the library keeps those it makes, by loop.
        """
        member, library = self._member, load_litellm()
        clients: Any = import_module("openai")
        try:
            with clients.OpenAI(api_key=self._key, base_url=member.api_base, timeout=rest_s, max_retries=0) as client:
                response = library.text_completion(
                    model=f"{COMPLETIONS}/{member.model.partition('/')[2]}",
                    prompt=prompt,
                    echo=True,
                    logprobs=1,
                    max_tokens=1,  # none would be enough, and is refused by some servers
                    temperature=0.0,
                    max_retries=0,
                    client=client,
                    api_base=member.api_base,
                    api_key=self._key,
                )
            return logs_of(response, text)
        except Exception as error:  # noqa: BLE001 - the library raises whatever its providers' adapters raise
            return member_error(error, member.name, scrub=self._scrub, now=datetime.now(UTC))


def logs_of(response: object, text: str) -> Logs:
    """Of the tokens of `text` in a completion object that echoes a prompt which ends with it; empty when it has none.

    Tokens are counted from the prompt's end backwards, since servers put marks before its beginning.
    """
    choices = getattr(response, "choices", None)
    choice: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else None
    listed: Any = getattr(choice, "logprobs", None)
    tokens, logs = (_listed(listed, name) for name in ("tokens", "token_logprobs"))
    made: object = getattr(getattr(response, "usage", None), "completion_tokens", None)
    generated = made if isinstance(made, int) and made in {0, 1} else 1
    echoed = [str(token) for token in tokens[: len(tokens) - generated]]
    if len(tokens) != len(logs) or sum(len(token) for token in echoed) < len(text):
        return ()
    held, first = 0, len(echoed)
    while held < len(text):
        first -= 1
        held += len(echoed[first])
    return tuple(_number(log) for log in logs[first : len(echoed)])


def _listed(held: object, name: str) -> Sequence[object]:
    found: object = cast("dict[str, object]", held).get(name) if isinstance(held, dict) else getattr(held, name, None)
    return cast("list[object]", found) if isinstance(found, list) else ()


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
