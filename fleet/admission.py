"""The way in to a provider, before every request: waits where limits ask, refuses where waiting is of no use."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import urlsplit

from dissolution.answers import Usage
from dissolution.errors import (
    MemberAuthError,
    MemberBillingError,
    MemberError,
    MemberRateLimited,
    MemberTimeout,
    MemberUnavailable,
)
from dissolution.limits import Denial, DenialReason, Ended, Endpoint, Limiter, Permit, RequestReport
from fleet.roster import RosterMember

T = TypeVar("T")

PATIENT_S = 10.0
"""A request that was given less (s) and less than the roster allows says nothing of the model when it runs out."""

ENDS: tuple[tuple[type[MemberError], Ended], ...] = (
    (MemberRateLimited, Ended.RATE_LIMITED),
    (MemberAuthError, Ended.AUTH),
    (MemberBillingError, Ended.BILLING),
    (MemberUnavailable, Ended.BROKEN),
    (MemberTimeout, Ended.BROKEN),
)
"""What a failure means for limits. Any other is an answer: the model works, and does not like what it was asked."""


class Admission:
    """One member's way to its provider.

    Args:
        limiter: Decides when.
        member: Who is asked, and how long one request may take.
        sleep: What waits.
    """

    def __init__(
        self,
        limiter: Limiter,
        member: RosterMember,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._limiter = limiter
        self._endpoint = endpoint_of(member)
        self._member = member.name
        self._timeout_s = member.timeout_s
        self._sleep = sleep

    async def ask(
        self,
        attempt: Callable[[float], Awaitable[T]],
        *,
        tokens: int,
        rest_s: float,
        told: Callable[[T], RequestReport | MemberError],
    ) -> T:
        """Make one request when its turn comes, and report on it.

        Args:
            attempt: Makes the request, given the seconds left; returns its failures.
            tokens: What it is expected to use.
            rest_s: Seconds left of the whole call.
            told: What its outcome means for limits.

        Raises:
            MemberError: Nothing was sent: its turn comes too late (rate limit), the model's circuit is open
                (unavailable), or the account was refused a short while ago (auth, billing).
        """
        time = asyncio.get_running_loop().time
        ends_at = time() + rest_s
        permit = await self._admitted(tokens, ends_at)
        rest_s = ends_at - time()
        report = RequestReport(ended=Ended.UNTOLD)
        try:
            outcome = await attempt(rest_s)
            found = told(outcome)
            report = (
                report_of(found, patient=rest_s >= min(self._timeout_s, PATIENT_S))
                if isinstance(found, MemberError)
                else found
            )
        finally:
            await self._limiter.report(permit, report)
        return outcome

    async def _admitted(self, tokens: int, ends_at: float) -> Permit:
        time = asyncio.get_running_loop().time
        held: Permit | None = None
        while True:
            answer = await self._limiter.take(
                self._endpoint, tokens, within_s=max(0.0, ends_at - time()), hold_s=self._timeout_s, held=held
            )
            if isinstance(answer, Denial):
                raise self._refusal(answer)
            if not answer.wait_s:
                return answer
            try:
                await self._sleep(answer.wait_s)
            except BaseException:
                await self._limiter.report(answer, RequestReport(ended=Ended.UNSENT))
                raise
            held = answer

    def _refusal(self, denial: Denial) -> MemberError:
        model, account, wait = self._endpoint.model, self._endpoint.account, denial.wait_s
        unasked = f"nothing was sent; again in {wait:.3g} s, or after `dissolve fleet limits --reset {model}`"
        match denial.why:
            case DenialReason.RATE_LIMIT:
                detail = f"the limits of {model!r} leave no room before the deadline: the next place is in {wait:.3g} s"
                return MemberRateLimited(self._member, detail, wait)
            case DenialReason.CIRCUIT:
                detail = f"{model!r} failed several times in a row and is left alone; {unasked}"
                return MemberUnavailable(self._member, detail, wait)
            case DenialReason.AUTH:
                return MemberAuthError(self._member, f"the key of account {account!r} was refused; {unasked}", wait)
            case DenialReason.BILLING:
                return MemberBillingError(self._member, f"account {account!r} has no credit; {unasked}", wait)


def report_of(error: MemberError, *, patient: bool) -> RequestReport:
    """What a failure means for limits; `patient`: the request had the time it may take."""
    ended = next((ended for kind, ended in ENDS if isinstance(error, kind)), Ended.ANSWERED)
    if isinstance(error, MemberTimeout) and not patient:
        ended = Ended.UNTOLD
    return RequestReport(ended=ended, retry_after_s=error.retry_after_s)


def answered(usage: Usage) -> RequestReport:
    """The report on a request with a reply; its tokens where the provider told both."""
    used = None
    if isinstance(usage.input_tokens, int) and isinstance(usage.output_tokens, int):
        used = usage.input_tokens + usage.output_tokens
    return RequestReport(ended=Ended.ANSWERED, used_tokens=used)


def endpoint_of(member: RosterMember) -> Endpoint:
    """What a member's limits are counted for. Its account is told by provider, name of the key's variable and host."""
    provider, _, _ = member.model.partition("/")
    key = "ambient" if member.ambient_credentials else member.api_key_env or "no key"
    host = f"@{urlsplit(member.api_base).netloc}" if member.api_base else ""
    return Endpoint(model=member.model, account=f"{provider}:{key}{host}", rpm=member.rpm, tpm=member.tpm)
