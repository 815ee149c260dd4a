"""A provider on this machine and models that ask it."""

import random
from collections.abc import Mapping

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackAct, LoopbackSpec, LoopbackStep, ModelScript
from dissolution.answers import Reply
from fleet.check import CHECK_PROMPT
from fleet.litellm_gateway import LiteLLMChatModel
from fleet.roster import RosterMember

KEY = "Zq9-plain-form-key-77"
DIALECTS = ("openai", "anthropic")


def a_script(act: LoopbackAct, times: int = 100, **more: object) -> ModelScript:
    """A model that does one thing `times` times and then answers."""
    step = LoopbackStep(act=act, times=times, retry_after="0.01" if act is LoopbackAct.RATE_LIMIT else None)
    return ModelScript.model_validate({"steps": (step,), **more})


def a_provider(models: Mapping[str, ModelScript], **more: object) -> LoopbackProvider:
    """A provider on a free port."""
    return LoopbackProvider(LoopbackSpec.model_validate({"models": dict(models), **more}))


def a_model(
    provider: LoopbackProvider,
    model: str,
    dialect: str = "openai",
    *,
    environ: Mapping[str, str] | None = None,
    **more: object,
) -> LiteLLMChatModel:
    """A gateway to one model of the provider, with one attempt unless told otherwise."""
    base = f"{provider.base_url}/v1" if dialect == "openai" else provider.base_url
    form = {"name": "m", "model": f"{dialect}/{model}", "family": "f", "api_base": base, "api_key_env": "THE_KEY"}
    member = RosterMember.model_validate(form | {"max_attempts": 1, "timeout_s": 20} | more)
    keys = {"THE_KEY": KEY} if environ is None else environ
    return LiteLLMChatModel(member, environ=keys, rng=random.Random(1), sleep=no_wait)  # noqa: S311 - reproducible jitter


async def no_wait(_seconds: float) -> None:
    """A sleep that takes no time."""


async def ask(model: LiteLLMChatModel, *, deadline_s: float = 60.0) -> Reply:
    """One question, and the connections closed after it."""
    try:
        return await model.complete(CHECK_PROMPT, max_output_tokens=64, deadline_s=deadline_s)
    finally:
        await model.aclose()
