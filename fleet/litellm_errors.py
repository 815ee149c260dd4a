"""LiteLLM's exceptions in our words. Knows their names and texts, and does not import the library.

Classes alone do not tell enough: a 429 may be an empty account, a 500 may be a web page that was no JSON, a 400 may be
a prompt too long. So first what the provider said is looked at, then the status, then the class.
"""

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import cast

from dissolution.errors import (
    MemberAuthError,
    MemberBillingError,
    MemberContentFiltered,
    MemberError,
    MemberRateLimited,
    MemberReplyUnusable,
    MemberRequestRejected,
    MemberTimeout,
    MemberUnavailable,
    MemberWindowExceeded,
)
from fleet.failures import bounded
from fleet.retry import retry_after_s

CLASSES: Mapping[str, type[MemberError]] = {
    "AuthenticationError": MemberAuthError,
    "PermissionDeniedError": MemberAuthError,
    "PaymentRequiredError": MemberBillingError,
    "BudgetExceededError": MemberBillingError,
    "RateLimitError": MemberRateLimited,
    "Timeout": MemberTimeout,
    "APIConnectionError": MemberUnavailable,
    "APIError": MemberUnavailable,
    "BadGatewayError": MemberUnavailable,
    "InternalServerError": MemberUnavailable,
    "MidStreamFallbackError": MemberUnavailable,
    "MockException": MemberUnavailable,
    "OpenAIError": MemberUnavailable,
    "ServiceUnavailableError": MemberUnavailable,
    "BadRequestError": MemberRequestRejected,
    "ImageFetchError": MemberRequestRejected,
    "InvalidRequestError": MemberRequestRejected,
    "LiteLLMUnknownProvider": MemberRequestRejected,
    "ModelNotMappedError": MemberRequestRejected,
    "NotFoundError": MemberRequestRejected,
    "UnprocessableEntityError": MemberRequestRejected,
    "UnsupportedParamsError": MemberRequestRejected,
    "VectorStoreSearchError": MemberRequestRejected,
    "ContextWindowExceededError": MemberWindowExceeded,
    "BlockedPiiEntityError": MemberContentFiltered,
    "ContentPolicyViolationError": MemberContentFiltered,
    "GuardrailRaisedException": MemberContentFiltered,
    "ModifyResponseException": MemberContentFiltered,
    "RejectedRequestError": MemberContentFiltered,
    "SensitiveDataRouteException": MemberContentFiltered,
    "APIResponseValidationError": MemberReplyUnusable,
    "JSONSchemaValidationError": MemberReplyUnusable,
}
"""Every exception class of `litellm.exceptions`, by name; a test compares the two lists."""

STATUSES: Mapping[int, type[MemberError]] = {
    401: MemberAuthError,
    402: MemberBillingError,
    403: MemberAuthError,
    408: MemberTimeout,
    429: MemberRateLimited,
    504: MemberTimeout,
}
"""Statuses that say more than the class LiteLLM chose (it makes some 403 a BadRequestError)."""

# An empty account. OpenAI says insufficient_quota; Anthropic, DeepSeek, OpenRouter and others in these words. Google's
# "exceeded your current quota" is left out: it says so for rate limits too, and then names a wait.
_BILLING = re.compile(
    r"insufficient_quota|credit balance is too low|insufficient (?:credits?|balance|funds)|payment required"
    r"|billing (?:hard )?limit|billing[_ ]not[_ ]active|spend(?:ing)? limit|requires? more credits|arrears"
    r"|not have access to (?:the |this )?model",
    re.IGNORECASE,
)

# A key that is not accepted, from providers that do not answer 401 (Google: 400 API_KEY_INVALID).
_AUTH = re.compile(
    r"api[_ ]key[_ ](?:not[_ ]valid|invalid)|invalid (?:x-)?api[- ]?key|incorrect api key", re.IGNORECASE
)

# A prompt longer than the window, as OpenAI, Anthropic, Google, vLLM and Mistral put it.
_WINDOW = re.compile(
    r"context[_ ]length|context window|prompt is too long|input is too long|maximum context|too many (?:input )?tokens"
    r"|input token count|exceeds the (?:maximum|model'?s max)\w* (?:number of )?(?:input )?(?:tokens|length)",
    re.IGNORECASE,
)

# A 200 whose body could not be read: LiteLLM reports these as errors of the server or of the connection.
_UNREADABLE = re.compile(
    r"empty or invalid response from llm endpoint|unable to get json response|provider returned 'choices'"
    r"|unterminated string|expecting (?:value|property name|'.' delimiter)|invalid control character|extra data: line"
    r"|received: '<",
    re.IGNORECASE,
)

# What LiteLLM puts before the provider's words, and what it puts after them.
_PREFIX = re.compile(r"^(?:litellm\.)?(?:(?:litellm\.)?\w+(?:Error|Exception|Timeout)\b[:\s-]*)+", re.IGNORECASE)
_SUFFIX = re.compile(
    r"\s*(?:\.? ?Handle with `litellm|Traceback \(most recent|[,.]? ?Original Response:|Received: '|LiteLLM Retried"
    r"|To drop (?:unsupported|these)"
    r"|Received Model Group|Available Model Group|Raw keys:)",
)
_MISSHAPEN = (KeyError, TypeError, IndexError, AttributeError)

MAX_WORDS_CHARS = 300
"""Of a provider's words; more is a body echoed back, and bodies may hold what was asked."""


def error_class(error: Exception) -> type[MemberError]:
    """Which of our errors an exception of a LiteLLM call is; an unknown class falls back on its nearest known base."""
    said = _all_said(error)
    base = next((CLASSES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in CLASSES), MemberUnavailable)
    status = getattr(error, "status_code", None)
    if _is_misshapen(error) or (base is MemberUnavailable and _UNREADABLE.search(said)):
        return MemberReplyUnusable
    if base in {MemberTimeout, MemberContentFiltered, MemberWindowExceeded}:
        return base
    for pattern, kind in ((_BILLING, MemberBillingError), (_AUTH, MemberAuthError)):
        if pattern.search(said):
            return kind
    if isinstance(status, int) and status in STATUSES:
        return STATUSES[status]
    return MemberWindowExceeded if base is MemberRequestRejected and _WINDOW.search(said) else base


def member_error(error: Exception, member: str, *, scrub: Callable[[str], str], now: datetime) -> MemberError:
    """Our error for an exception of a LiteLLM call: the provider's own words, scrubbed, bounded, and its wait.

    The exception itself is not chained: its text may hold keys and conversation. Raise the result outside of the
    `except` block, so that it does not hang on it as context either.
    """
    kind = error_class(error)
    if kind is MemberReplyUnusable:
        return kind(
            member, "the body of the reply could not be read"
        )  # the library's words quote it, under a made-up 500
    words = bounded(scrub(_words(error)), MAX_WORDS_CHARS)
    status = getattr(error, "status_code", None)
    shown = f" (status {status})" if isinstance(status, int) else ""
    return kind(member, f"{words or type(error).__name__}{shown}", retry_after_s(_headers(error), now))


def _is_misshapen(error: Exception) -> bool:
    """Whether LiteLLM stumbled over the reply's shape: it wraps that in a connection error."""
    return type(error).__name__ == "APIConnectionError" and isinstance(error.__context__, _MISSHAPEN)


def _all_said(error: Exception) -> str:
    return f"{error} {getattr(error, 'code', '')} {getattr(error, 'body', '')}"


def _words(error: Exception) -> str:
    """The provider's sentence, out of LiteLLM's prefix, suffix and JSON."""
    body = getattr(error, "body", None)
    text = _message_in(body) or _PREFIX.sub("", _SUFFIX.split(str(error), maxsplit=1)[0])
    start = text.find("{")
    if start >= 0:
        with suppress(ValueError):  # not JSON after all: the text is used as it is
            text = _message_in(json.loads(text[start:])) or text
    return " ".join(text.split())


def _message_in(body: object) -> str:
    """`message` of an error object, or of the `error` inside it; empty when there is none."""
    if not isinstance(body, dict):
        return ""
    fields = cast("dict[str, object]", body)
    inner = fields.get("error")
    if isinstance(inner, dict):
        return _message_in(cast("dict[str, object]", inner))
    message = fields.get("message")
    return message if isinstance(message, str) else ""


def _headers(error: Exception) -> Mapping[str, str]:
    response = getattr(error, "response", None)
    found: dict[str, str] = {}
    for source in (getattr(response, "headers", None), getattr(error, "litellm_response_headers", None)):
        items = getattr(source, "items", None)
        if callable(items):
            pairs = cast("list[tuple[object, object]]", list(cast("dict[object, object]", items())))
            found |= {str(name).lower(): str(value) for name, value in pairs}
    return found
