"""The parameters of a call: which have a common name, and which were really sent."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic import JsonValue

_NOT_PARAMETERS = frozenset({"messages", "system", "contents", "prompt", "input", "system_instruction", "extra_body"})
"""What of a request body is no parameter: the prompt itself, and an empty container of the OpenAI client."""

OPENAI_PARAMETERS = frozenset(
    {
        *("temperature", "top_p", "seed", "stop", "presence_penalty", "frequency_penalty", "logit_bias", "logprobs"),
        *("top_logprobs", "response_format", "reasoning_effort", "user", "service_tier", "verbosity"),
    }
)
"""Parameters with a common name, which the library's tables speak about. Others are passed on as they are."""


def unsupported_words(names: list[str], model: str) -> str:
    """What a person reads when parameters were wished for that a model does not take."""
    listed = ", ".join(repr(name) for name in names)
    return f"{listed} not supported by model {model!r}; take it out of the roster or list it in leave_out_unsupported"


def parameters_sent(details: Mapping[str, Any]) -> dict[str, JsonValue]:
    """The parameters in what the library is about to send, as its per-call logger is told; no prompt, no key."""
    if details.get("log_event_type") != "pre_api_call":
        return {}
    body = cast("Mapping[str, Any]", details.get("additional_args") or {}).get("complete_input_dict")
    if not isinstance(body, dict):
        return {}
    fields = cast("dict[str, JsonValue]", body)
    return {name: value for name, value in fields.items() if name not in _NOT_PARAMETERS and "key" not in name.lower()}
