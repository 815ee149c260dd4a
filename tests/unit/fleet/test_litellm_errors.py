"""The map of LiteLLM's exceptions, without the library: by name, status and words."""

from datetime import UTC, datetime
from typing import Any

import pytest

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
from fleet.litellm_errors import CLASSES, MAX_WORDS_CHARS, error_class, member_error
from fleet.scrub import scrubber

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def raised(name: str, text: str, **attributes: Any) -> Exception:  # noqa: ANN401 - whatever an exception may carry
    error: Exception = type(name, (Exception,), {})(text)
    for attribute, value in attributes.items():
        setattr(error, attribute, value)
    return error


SAID: list[tuple[Exception, type[MemberError]]] = [
    (raised("AuthenticationError", "bad key", status_code=401), MemberAuthError),
    (raised("PermissionDeniedError", "no", status_code=403), MemberAuthError),
    (raised("BadRequestError", "Country not supported", status_code=403), MemberAuthError),
    (raised("BadRequestError", "API_KEY_INVALID: API key not valid", status_code=400), MemberAuthError),
    (raised("RateLimitError", "slow down", status_code=429), MemberRateLimited),
    (raised("RateLimitError", "x", status_code=429, body={"code": "insufficient_quota"}), MemberBillingError),
    (raised("RateLimitError", "x", status_code=429, code="insufficient_quota"), MemberBillingError),
    (
        raised("RateLimitError", "RESOURCE_EXHAUSTED: You exceeded your current quota, check billing details"),
        MemberRateLimited,
    ),
    (raised("BadRequestError", "Your credit balance is too low", status_code=400), MemberBillingError),
    (raised("APIError", "Insufficient credits", status_code=402), MemberBillingError),
    (raised("APIError", "nothing said", status_code=402), MemberBillingError),
    (raised("PermissionDeniedError", "You do not have access to model x", status_code=403), MemberBillingError),
    (raised("APIError", "Overloaded", status_code=529), MemberUnavailable),
    (raised("InternalServerError", "Connection error.", status_code=500), MemberUnavailable),
    (raised("InternalServerError", "Unterminated string starting at: line 1"), MemberReplyUnusable),
    (
        raised("APIConnectionError", "Unable to get json response - x, Original Response: <html>"),
        MemberReplyUnusable,
    ),
    (
        raised("InternalServerError", "Empty or invalid response from LLM endpoint. Received: '<"),
        MemberReplyUnusable,
    ),
    (raised("Timeout", "timed out", status_code=408), MemberTimeout),
    (raised("APIError", "gateway timeout", status_code=504), MemberTimeout),
    (raised("NotFoundError", "no such model", status_code=404), MemberRequestRejected),
    (raised("BadRequestError", "This model's maximum context length is 8 tokens"), MemberWindowExceeded),
    (raised("BadRequestError", "prompt is too long: 9 tokens > 8 maximum"), MemberWindowExceeded),
    (
        raised("BadRequestError", "The input token count (9) exceeds the maximum number of tokens"),
        MemberWindowExceeded,
    ),
    (raised("BadRequestError", "temperature must be below 2"), MemberRequestRejected),
    (raised("ContentPolicyViolationError", "filtered; billing limit", status_code=400), MemberContentFiltered),
    (raised("SomethingNobodyKnows", "?"), MemberUnavailable),
]


def test_what_is_said_counts_before_status_and_class() -> None:
    assert [(str(error), error_class(error)) for error, _ in SAID] == [(str(error), kind) for error, kind in SAID]


def test_a_subclass_of_a_known_class_is_what_its_base_is() -> None:
    base = type("NotFoundError", (Exception,), {})
    assert error_class(type("NewError", (base,), {})("x")) is MemberRequestRejected


def test_a_stumble_over_the_shape_of_a_reply_is_an_unreadable_reply() -> None:
    error = raised(
        "APIConnectionError", "'content'\nTraceback (most recent call last): the conversation", status_code=500
    )
    error.__context__ = KeyError("content")
    failure = member_error(error, "m", scrub=str, now=NOW)
    assert isinstance(failure, MemberReplyUnusable)
    assert failure.detail == "the body of the reply could not be read"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("litellm.RateLimitError: RateLimitError: OpenAIException - Slow down.", "Slow down."),
        (
            'litellm.RateLimitError: AnthropicException - {"type": "error", "error": {"message": "Slow  down."}}',
            "Slow down.",
        ),
        ("litellm.InternalServerError: AnthropicException - Server gone. Handle with `litellm.Inte`.", "Server gone"),
        ("litellm.APIConnectionError: broke\nTraceback (most recent call last):\n  File x", "broke"),
        ("litellm.BadGatewayError: x {not json}", "x {not json}"),
        ('AnthropicException - {"error": "words"}', '{"error": "words"}'),
        ("", "APIError"),
    ],
)
def test_the_providers_words_come_out_alone(text: str, words: str) -> None:
    assert member_error(raised("APIError", text), "m", scrub=str, now=NOW).detail.startswith(words)


def test_the_body_goes_before_the_text_and_the_status_is_shown() -> None:
    error = raised("APIError", "litellm text", body={"error": {"message": "In the body."}}, status_code=503)
    assert member_error(error, "m", scrub=str, now=NOW).detail == "In the body. (status 503)"


def test_keys_go_by_value_and_by_form_and_long_words_are_cut() -> None:
    error = raised("AuthenticationError", f"bad plain-value-1 and sk-abcdefgh12345678 {'x' * 900}", status_code=401)
    failure = member_error(error, "m", scrub=scrubber(["plain-value-1"]), now=NOW)
    assert "plain-value-1" not in failure.detail
    assert "sk-abcdefgh" not in failure.detail
    assert len(failure.detail) <= MAX_WORDS_CHARS + len(" (status 401)")
    assert failure.__cause__ is None
    assert failure.__context__ is None


def test_waits_are_read_from_either_place() -> None:
    class Response:
        headers = {"Retry-After": "3"}  # noqa: RUF012 - as a response object has it

    assert member_error(raised("RateLimitError", "x", response=Response()), "m", scrub=str, now=NOW).retry_after_s == 3
    headers = {"retry-after": "4"}
    error = raised("RateLimitError", "x", litellm_response_headers=headers, response=None)
    assert member_error(error, "m", scrub=str, now=NOW).retry_after_s == 4
    assert member_error(raised("RateLimitError", "x"), "m", scrub=str, now=NOW).retry_after_s is None


def test_no_error_of_ours_is_internal() -> None:
    assert all(kind.code != "internal" for kind in CLASSES.values())
