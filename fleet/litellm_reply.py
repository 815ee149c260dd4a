"""From LiteLLM's response object to a Reply: what is no answer is not taken for one. Does not import it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from dissolution.answers import FinishReason, Reply, Usage
from dissolution.errors import MemberContentFiltered, MemberRefused, MemberReplyUnusable
from dissolution.values import Counted
from fleet.prices import NOT_REPORTED, TokenPrice, usage_of

FINISHES: Mapping[str, FinishReason] = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "refusal": FinishReason.REFUSAL,
}

READ = ("cache_read_input_tokens", "prompt_cache_hit_tokens", "cached_content_token_count", "cachedContentTokenCount")
"""Where Anthropic, DeepSeek and Gemini say how much of a prompt they had cached."""

WRITTEN = ("cache_creation_input_tokens",)
"""Where Anthropic says how much of it was put into the cache."""


def read_reply(response: object, member: str, price: Callable[[int], TokenPrice | None]) -> Reply:
    """The reply of a response object.

    Words are kept whatever the finish reason says, because they were paid for and the parser judges them: a cut-off
    answer keeps its beginning, a refusal its sentence. Without words there is no reply.

    Args:
        response: What `acompletion` returned.
        member: Who was asked, for errors.
        price: The price of a call by its prompt's tokens.

    Raises:
        MemberReplyUnusable: No choices, or no words in the first.
        MemberRefused: The model declined without words.
        MemberContentFiltered: The provider withheld the words.
    """
    usage = read_usage(getattr(response, "usage", None), price)
    choices = getattr(response, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise MemberReplyUnusable(member, f"the reply has no choices{_paid(usage)}")
    choice = cast("list[Any]", choices)[0]
    message = getattr(choice, "message", None)
    content: object = getattr(message, "content", None)
    refusal = _refusal_of(message)
    finish = FINISHES.get(str(getattr(choice, "finish_reason", "")), FinishReason.UNKNOWN)
    text = content if isinstance(content, str) else ""
    if refusal and not text.strip():
        text, finish = refusal, FinishReason.REFUSAL
    if not text.strip():
        _raise_for_silence(member, finish, usage)
    model = getattr(response, "model", None)
    return Reply(text=text, finish=finish, usage=usage, model_reported=model if isinstance(model, str) else None)


def read_usage(reported: object, price: Callable[[int], TokenPrice | None]) -> Usage:
    """Tokens and cost of a response's usage object; what it does not report is NotMeasured.

    LiteLLM puts what providers report into OpenAI's form, `prompt_tokens_details.cached_tokens`; where a server in
    between does not, the provider's own field is read. In every form `prompt_tokens` includes these tokens.
    """
    tokens = _count(getattr(reported, "prompt_tokens", None))
    details = getattr(reported, "prompt_tokens_details", None)
    cached = _first([getattr(details, "cached_tokens", None), *(getattr(reported, name, None) for name in READ)])
    written = _first(
        [getattr(details, "cache_write_tokens", None), *(getattr(reported, name, None) for name in WRITTEN)]
    )
    output = _count(getattr(reported, "completion_tokens", None))
    return usage_of(tokens, cached, output, price(tokens) if isinstance(tokens, int) else None, written)


def _first(values: Iterable[object]) -> Counted:
    """The first of these that is a count."""
    return next((count for value in values if isinstance(count := _count(value), int)), NOT_REPORTED)


def _count(value: object) -> Counted:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else NOT_REPORTED


def _refusal_of(message: object) -> str:
    fields = getattr(message, "provider_specific_fields", None)
    inside = cast("dict[str, object]", fields).get("refusal") if isinstance(fields, dict) else None
    refusal = getattr(message, "refusal", None) or inside
    return refusal if isinstance(refusal, str) else ""


def _paid(usage: Usage) -> str:
    """Words for what a reply without words has used: a failure has no other place for it."""
    if isinstance(usage.input_tokens, int) and isinstance(usage.output_tokens, int):
        return f" (used {usage.input_tokens} input and {usage.output_tokens} output tokens)"
    return ""


def _raise_for_silence(member: str, finish: FinishReason, usage: Usage) -> None:
    paid = _paid(usage)
    if finish is FinishReason.CONTENT_FILTER:
        raise MemberContentFiltered(member, f"the provider withheld the reply{paid}")
    if finish is FinishReason.REFUSAL:
        raise MemberRefused(member, f"the model declined and gave no text{paid}")
    if finish is FinishReason.LENGTH:
        raise MemberReplyUnusable(member, f"cut off at the token limit before the first word{paid}; raise it")
    raise MemberReplyUnusable(member, f"the reply has no text{paid}")
