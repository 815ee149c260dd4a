"""When to ask again, and how long to wait first. Pure: error in, decision out."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Annotated

from pydantic import Field

from dissolution.errors import MemberError, MemberRateLimited, MemberTimeout, MemberUnavailable
from dissolution.values import Frozen

RETRYABLE: tuple[type[MemberError], ...] = (MemberRateLimited, MemberTimeout, MemberUnavailable)
"""What may pass by itself. A wrong key, an empty account, a refusal or a malformed request stays what it is; a reply
that could not be read has been paid for, and asking again may well buy the same."""

MILLISECONDS = 1000.0


class RetryPolicy(Frozen):
    """How often and how patiently one call is repeated."""

    max_attempts: Annotated[int, Field(ge=1, le=10)] = 3
    """Requests in all, the first included."""

    base_s: Annotated[float, Field(gt=0, le=60)] = 0.5
    """Upper bound of the first wait (s); it doubles with every attempt."""

    cap_s: Annotated[float, Field(gt=0, le=600)] = 20.0
    """Upper bound of any wait we choose ourselves (s)."""


class RetryDecision(Frozen):
    """Ask again after `wait_s` seconds, or give up; `reason` in words either way."""

    retry: bool
    wait_s: Annotated[float, Field(ge=0)] = 0.0
    reason: str


def decide(
    error: MemberError, *, attempts: int, elapsed_s: float, deadline_s: float, policy: RetryPolicy, rng: random.Random
) -> RetryDecision:
    """Whether to ask again.

    The wait is full jitter, uniform in [0, min(cap_s, base_s * 2^(attempts - 1))] (Brooker, "Exponential Backoff And
    Jitter", AWS Architecture Blog, 2015). Where the provider names a wait, that comes first and the jitter is added to
    it, so that callers told the same instant do not all return at it.

    Args:
        error: What the last attempt ended with.
        attempts: Requests made so far, 1 or more.
        elapsed_s: Seconds since the call began.
        deadline_s: Seconds the whole call may take. A wait that would reach it is not begun.
        policy: Attempts and waits.
        rng: Source of the jitter.

    Returns:
        The decision.
    """
    if not isinstance(error, RETRYABLE):
        return RetryDecision(retry=False, reason=f"{error.code} does not pass by waiting")
    if attempts >= policy.max_attempts:
        return RetryDecision(retry=False, reason=f"asked {attempts} times")
    jitter = rng.uniform(0.0, min(policy.cap_s, policy.base_s * 2.0 ** (attempts - 1)))
    wait = (error.retry_after_s or 0.0) + jitter
    if elapsed_s + wait >= deadline_s:
        return RetryDecision(retry=False, reason=f"waiting {wait:.3g} s would reach the deadline of {deadline_s:g} s")
    return RetryDecision(retry=True, wait_s=wait, reason=f"{error.code}, attempt {attempts}")


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """The wait a provider asks for (s, not negative), or None when it names none or none that can be read.

    Read are `retry-after-ms` (OpenAI, Azure) and `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3).

    Args:
        headers: Response headers, names in any case.
        now: This instant, aware; HTTP dates count from it.
    """
    lowered = {name.lower(): value.strip() for name, value in headers.items()}
    milliseconds = _seconds(lowered.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / MILLISECONDS
    text = lowered.get("retry-after", "")
    seconds = _seconds(text)
    if seconds is not None or not text:
        return seconds
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = then if then.tzinfo else then.replace(tzinfo=UTC)  # RFC 9110: HTTP dates are GMT
    return max(0.0, (aware - now).total_seconds())


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < float("inf") else None
