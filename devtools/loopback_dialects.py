"""The two tongues of the loopback provider: OpenAI chat completions and Anthropic messages, as they look on the wire.

Shapes follow the public API references of both (chat completion object and error object; message object and error
object, 2026). Error wordings are those the providers use, because clients tell errors apart by them.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from devtools.loopback_http import Request, Response, json_response
from devtools.loopback_spec import LoopbackAct

TOKEN = re.compile(r"\s*\S+|\s+$")
BITS = {False: 8.0, True: 4.0}
"""Of a token that is new to a prompt, and of one that stood in it before."""

HTML_PAGE = (
    b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"
)


@dataclass(frozen=True)
class Asked:
    """What a request asks: model, all message text, the key it came with, and its wish for tokens."""

    model: str
    prompt: str
    key: str
    max_tokens: int | None
    echo: bool = False  # a completion endpoint gives the prompt back, with its log-probabilities
    cacheable: int | None = None  # characters of the prompt that may be cached; None: all of it


@dataclass(frozen=True)
class Counted:
    """Tokens of one answer."""

    prompt: int
    cached: int
    output: int
    written: int = 0  # to the cache, of a dialect that tells


class Dialect(Protocol):
    """How one API speaks."""

    def asked(self, request: Request, body: Mapping[str, object]) -> Asked:
        """What the request asks."""
        ...

    def answer(self, asked: Asked, act: LoopbackAct, text: str, tokens: Counted, number: int) -> object:
        """The body of a 200: a good reply, or one of the ill-shaped ones."""
        ...

    def error(self, asked: Asked, act: LoopbackAct, prompt_tokens: int, window: int) -> tuple[int, object]:
        """Status and body of a refusal."""
        ...


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        blocks = cast("list[object]", content)
        return "".join(str(cast("dict[str, object]", b).get("text", "")) for b in blocks if isinstance(b, dict))
    return ""


def _messages(body: Mapping[str, object]) -> str:
    messages = body.get("messages")
    listed = cast("list[object]", messages) if isinstance(messages, list) else []
    dicts = [cast("dict[str, object]", message) for message in listed if isinstance(message, dict)]
    return "\n".join([_text(body.get("system")), *(_text(message.get("content")) for message in dicts)]).strip("\n")


def _marked(body: Mapping[str, object]) -> int:
    """Characters of the prompt up to the end of the last block with a cache mark; 0 without one."""
    messages = body.get("messages")
    listed = [body.get("system"), *(cast("list[object]", messages) if isinstance(messages, list) else [])]
    contents = [cast("dict[str, object]", one).get("content") if isinstance(one, dict) else one for one in listed]
    place = marked = 0
    for content in contents:
        for block in cast("list[object]", content) if isinstance(content, list) else [content]:
            place += len(_text(block if isinstance(block, str) else [block]))
            if isinstance(block, dict) and "cache_control" in block:
                marked = place
        place += bool(place)  # the line break between two messages
    return marked


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class OpenAI:
    """POST …/chat/completions."""

    def asked(self, request: Request, body: Mapping[str, object]) -> Asked:
        """Model, messages, bearer key, max_completion_tokens or max_tokens."""
        wish = _whole(body.get("max_completion_tokens", body.get("max_tokens")))
        key = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        return Asked(str(body.get("model", "")), _messages(body), key, wish)

    def answer(self, asked: Asked, act: LoopbackAct, text: str, tokens: Counted, number: int) -> object:
        """A chat completion object."""
        finish = {LoopbackAct.LENGTH: "length", LoopbackAct.CONTENT_FILTER: "content_filter"}.get(act, "stop")
        message: dict[str, object] = {"role": "assistant", "content": text, "refusal": None}
        if act is LoopbackAct.REFUSAL:
            message |= {"content": None, "refusal": "I'm sorry, I can't help with that."}
        if act in {LoopbackAct.NULL_CONTENT, LoopbackAct.CONTENT_FILTER}:
            message["content"] = None
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        return {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1_780_000_000,
            "model": asked.model,
            "choices": [] if act is LoopbackAct.NO_CHOICES else [choice],
            "usage": {
                "prompt_tokens": tokens.prompt,
                "completion_tokens": tokens.output,
                "total_tokens": tokens.prompt + tokens.output,
                "prompt_tokens_details": {"cached_tokens": tokens.cached, "audio_tokens": 0},
            },
        }

    def error(self, asked: Asked, act: LoopbackAct, prompt_tokens: int, window: int) -> tuple[int, object]:
        """An error object."""
        too_long = (
            f"This model's maximum context length is {window} tokens. However, your messages resulted in "
            f"{prompt_tokens} tokens. Please reduce the length of the messages."
        )
        status, kind, code, message = {
            LoopbackAct.RATE_LIMIT: (
                429,
                "requests",
                "rate_limit_exceeded",
                "Rate limit reached for requests per min (RPM).",
            ),
            LoopbackAct.BILLING: (
                429,
                "insufficient_quota",
                "insufficient_quota",
                "You exceeded your current quota, please check your plan and billing details.",
            ),
            LoopbackAct.AUTH: (
                401,
                "invalid_request_error",
                "invalid_api_key",
                f"Incorrect API key provided: {asked.key}. You can find your API key at your account page.",
            ),
            LoopbackAct.FORBIDDEN: (
                403,
                "invalid_request_error",
                "unsupported_country",
                "Country or region not supported.",
            ),
            LoopbackAct.NOT_FOUND: (
                404,
                "invalid_request_error",
                "model_not_found",
                f"The model `{asked.model}` does not exist or you do not have access to it.",
            ),
            LoopbackAct.BAD_REQUEST: (
                400,
                "invalid_request_error",
                "unsupported_parameter",
                "Unsupported parameter: 'seed' is not supported with this model.",
            ),
            LoopbackAct.CONTEXT: (
                400,
                "invalid_request_error",
                "context_length_exceeded",
                too_long,
            ),
            LoopbackAct.UNAVAILABLE: (
                503,
                "server_error",
                None,
                "The engine is currently overloaded, please try again later.",
            ),
            LoopbackAct.OVERLOADED: (529, "overloaded_error", None, "Overloaded"),
        }.get(act, (500, "server_error", None, "The server had an error while processing your request."))
        return status, {"error": {"message": message, "type": kind, "param": None, "code": code}}


class Completions(OpenAI):
    """POST …/completions, with `echo` and `logprobs` as vLLM serves it: a token is a word with the space before it."""

    def asked(self, request: Request, body: Mapping[str, object]) -> Asked:
        """Model, prompt, bearer key, max_tokens and echo."""
        key = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        prompt, echo = str(body.get("prompt", "")), body.get("echo") is True
        return Asked(str(body.get("model", "")), prompt, key, _whole(body.get("max_tokens")), echo)

    def answer(self, asked: Asked, act: LoopbackAct, text: str, tokens: Counted, number: int) -> object:
        """A text completion object; one word is made, and a word that stood before has half the bits of a new one."""
        made = f" {(text.split() or ['.'])[0]}"
        parts = [*(TOKEN.findall(asked.prompt) if asked.echo else ()), made]
        logs = [-BITS[part in parts[:place]] * math.log(2) for place, part in enumerate(parts)]
        choice = {
            "index": 0,
            "text": "".join(parts),
            "finish_reason": "length",
            "logprobs": {
                "tokens": parts,
                "token_logprobs": [None, *logs[1:]] if asked.echo else logs,
                "text_offset": [sum(map(len, parts[:place])) for place in range(len(parts))],
                "top_logprobs": None,
            },
        }
        usage = {"prompt_tokens": tokens.prompt, "completion_tokens": 1, "total_tokens": tokens.prompt + 1}
        return {
            "id": f"cmpl-{number}",
            "object": "text_completion",
            "created": 1_780_000_000,
            "model": asked.model,
            "choices": [] if act is LoopbackAct.NO_CHOICES else [choice],
            "usage": usage,
        }


class Anthropic:
    """POST …/v1/messages."""

    def asked(self, request: Request, body: Mapping[str, object]) -> Asked:
        """Model, system and messages, x-api-key, max_tokens, and how far it is marked to be cached."""
        key = request.headers.get("x-api-key", "")
        prompt, marked = _messages(body), _marked(body)
        return Asked(str(body.get("model", "")), prompt, key, _whole(body.get("max_tokens")), cacheable=marked)

    def answer(self, asked: Asked, act: LoopbackAct, text: str, tokens: Counted, number: int) -> object:
        """A message object."""
        stop = {
            LoopbackAct.LENGTH: "max_tokens",
            LoopbackAct.REFUSAL: "refusal",
            LoopbackAct.CONTENT_FILTER: "refusal",
        }.get(act, "end_turn")
        content: list[object] = [{"type": "text", "text": text}]
        if act in {LoopbackAct.NO_CHOICES, LoopbackAct.REFUSAL, LoopbackAct.CONTENT_FILTER}:
            content = []
        if act is LoopbackAct.NULL_CONTENT:
            content = [{"type": "text", "text": ""}]
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": tokens.prompt - tokens.cached - tokens.written,
                "cache_read_input_tokens": tokens.cached,
                "cache_creation_input_tokens": tokens.written,
                "output_tokens": tokens.output,
            },
        }

    def error(self, asked: Asked, act: LoopbackAct, prompt_tokens: int, window: int) -> tuple[int, object]:
        """An error object."""
        status, kind, message = {
            LoopbackAct.RATE_LIMIT: (
                429,
                "rate_limit_error",
                "This request would exceed your organization's rate limit.",
            ),
            LoopbackAct.BILLING: (
                400,
                "invalid_request_error",
                "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
            ),
            LoopbackAct.AUTH: (401, "authentication_error", f"invalid x-api-key: {asked.key}"),
            LoopbackAct.FORBIDDEN: (
                403,
                "permission_error",
                "Your API key does not have permission to use the resource.",
            ),
            LoopbackAct.NOT_FOUND: (404, "not_found_error", f"model: {asked.model}"),
            LoopbackAct.BAD_REQUEST: (400, "invalid_request_error", "seed: Extra inputs are not permitted"),
            LoopbackAct.CONTEXT: (
                400,
                "invalid_request_error",
                f"prompt is too long: {prompt_tokens} tokens > {window} maximum",
            ),
            LoopbackAct.UNAVAILABLE: (503, "api_error", "Service unavailable"),
            LoopbackAct.OVERLOADED: (529, "overloaded_error", "Overloaded"),
        }.get(act, (500, "api_error", "Internal server error"))
        return status, {"type": "error", "error": {"type": kind, "message": message}}


DIALECTS: Mapping[str, Dialect] = {
    "/chat/completions": OpenAI(),
    "/completions": Completions(),
    "/messages": Anthropic(),
}
"""By how a path ends, the longer ending first."""

ILL_MADE = frozenset(
    {
        LoopbackAct.CUT,
        LoopbackAct.DROP,
        LoopbackAct.DRIP,
        LoopbackAct.WRONG_JSON,
        LoopbackAct.WRONG_SHAPE,
        LoopbackAct.HTML,
        LoopbackAct.BAD_GATEWAY,
    }
)
"""Acts whose fault is in the transport or the body as a whole, the same in both dialects."""

ANSWERED = frozenset(
    {
        LoopbackAct.ANSWER,
        LoopbackAct.LENGTH,
        LoopbackAct.NO_CHOICES,
        LoopbackAct.NULL_CONTENT,
        LoopbackAct.REFUSAL,
        LoopbackAct.CONTENT_FILTER,
    }
)
"""Acts that are a 200 in the dialect's own form (and are billed)."""


def ill_made(act: LoopbackAct, good: object, drip_s: float) -> Response:
    """The response of an act of ILL_MADE, from the good body it should have had."""
    body = json.dumps(good).encode()
    return {
        LoopbackAct.CUT: Response(200, body, cut=True),
        LoopbackAct.DROP: Response(200, b"", drop=True),
        LoopbackAct.DRIP: Response(200, body, drip_s=drip_s),
        LoopbackAct.WRONG_JSON: Response(200, body[: len(body) // 2]),
        LoopbackAct.WRONG_SHAPE: json_response(200, {"status": "ok", "data": [1, 2, 3]}),
        LoopbackAct.HTML: Response(200, HTML_PAGE, content_type="text/html"),
        LoopbackAct.BAD_GATEWAY: Response(
            502, b"<html><body><h1>502 Bad Gateway</h1></body></html>", content_type="text/html"
        ),
    }[act]
