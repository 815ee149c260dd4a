"""The limits of one process: for jobs that run without workers, and while Redis is away."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dissolution.limits import (
    BlockStanding,
    BucketStanding,
    Circuit,
    Denial,
    DenialReason,
    Ended,
    Endpoint,
    LimitRules,
    LimitsStanding,
    Permit,
    RequestReport,
    Seats,
    SeatStanding,
)
from fleet.limit_rules import Bucket, bucket_of, charged, earliest, free

UNNAMED_WAIT_S = 1.0
"""How long a model is left alone that said "too many requests" and named no wait (s)."""

LONGEST_WAIT_S = 86_400.0
"""The longest wait of a provider that is believed (s)."""

BOUGHT_NOTHING = frozenset({Ended.RATE_LIMITED, Ended.AUTH, Ended.BILLING})
"""The provider refused before it did any work: the request counts, its tokens do not."""


@dataclass
class _Model:
    """What is known of one endpoint; instants are seconds of the clock."""

    endpoint: Endpoint
    requests_full_at: float = 0.0
    tokens_full_at: float = 0.0
    blocked_until: float = 0.0
    failures: int = 0
    openings: int = 0  # times in a row the circuit was opened; 0 while it is closed
    open_until: float = 0.0
    trial: str = ""
    trial_until: float = 0.0


@dataclass
class _Account:
    """An account that was refused."""

    why: DenialReason
    until: float


@dataclass
class _State:
    models: dict[str, _Model] = field(default_factory=dict[str, _Model])
    accounts: dict[str, _Account] = field(default_factory=dict[str, _Account])
    seats: dict[tuple[str, Seats], dict[str, float]] = field(default_factory=dict[tuple[str, Seats], dict[str, float]])


class LocalLimiter:
    """The Limiter port over this process's memory; to be used from one event loop.

    Args:
        rules: When circuits open, and for how long accounts are blocked.
        share: The part of each limit this process may use, 0..1; seats are not shared out.
        clock: Seconds, never going back.
    """

    def __init__(
        self, rules: LimitRules | None = None, *, share: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rules = rules or LimitRules()
        self._share = share
        self._clock = clock
        self._state = _State()

    async def take(
        self, endpoint: Endpoint, tokens: int, *, within_s: float, hold_s: float, held: Permit | None = None
    ) -> Permit | Denial:
        """Take the next free place (see the port)."""
        now, model = self._clock(), self._model(endpoint)
        denial = self._denial(model, now, held)
        if denial is None and held is not None and model.blocked_until <= now:
            return held.model_copy(update={"wait_s": 0.0})
        if held is not None:
            self._refund(model, held, requests=1, tokens=held.tokens)
        if denial is not None:
            return denial
        requests_in, tokens_in = self._buckets(endpoint)
        at = max(now, model.blocked_until)
        at = max(at, earliest(requests_in, model.requests_full_at, 1, now) if requests_in else at)
        at = max(at, earliest(tokens_in, model.tokens_full_at, tokens, now) if tokens_in else at)
        if at - now > within_s:
            return Denial(why=DenialReason.RATE_LIMIT, wait_s=at - now)
        if requests_in:
            model.requests_full_at = charged(requests_in, model.requests_full_at, 1, at)
        if tokens_in:
            model.tokens_full_at = charged(tokens_in, model.tokens_full_at, tokens, at)
        permit = Permit(
            id=secrets.token_hex(8), endpoint=endpoint, tokens=tokens, wait_s=at - now, trial=model.openings > 0
        )
        if permit.trial:
            model.trial, model.trial_until = permit.id, at + hold_s
        return permit

    async def report(self, permit: Permit, report: RequestReport) -> None:
        """Say what came of a permit (see the port)."""
        now, model, ended = self._clock(), self._model(permit.endpoint), report.ended
        if ended is Ended.UNSENT:
            self._refund(model, permit, requests=1, tokens=permit.tokens)
        elif ended in BOUGHT_NOTHING:
            self._refund(model, permit, requests=0, tokens=permit.tokens)
        elif report.used_tokens is not None:
            self._refund(model, permit, requests=0, tokens=permit.tokens - report.used_tokens)
        if ended is Ended.RATE_LIMITED:
            wait = UNNAMED_WAIT_S if report.retry_after_s is None else min(report.retry_after_s, LONGEST_WAIT_S)
            model.blocked_until = max(model.blocked_until, now + wait)
        elif ended in {Ended.AUTH, Ended.BILLING}:
            why = DenialReason(ended.value)
            self._state.accounts[permit.endpoint.account] = _Account(why, now + self._rules.account_block_s)
        self._judge(model, permit, ended, now)

    def _judge(self, model: _Model, permit: Permit, ended: Ended, now: float) -> None:
        """What a request's end means for the circuit."""
        trying = model.trial == permit.id
        if trying:
            model.trial, model.trial_until = "", 0.0
        if ended in {Ended.UNTOLD, Ended.UNSENT}:
            return
        if ended is not Ended.BROKEN:
            model.failures = model.openings = 0
            model.open_until = 0.0
            return
        model.failures += 1
        if trying or (not model.openings and model.failures >= self._rules.failures):
            longest = self._rules.longest_open_s
            model.open_until = now + min(self._rules.open_s * 2.0 ** min(model.openings, 30), longest)
            model.openings += 1

    async def enter(self, tenant: str, seats: Seats, who: str, *, limit: int, hold_s: float) -> bool:
        """Take one of the tenant's seats (see the port)."""
        now = self._clock()
        taken = {one: until for one, until in self._seats(tenant, seats).items() if until > now}
        self._state.seats[tenant, seats] = taken
        if who not in taken and len(taken) >= limit:
            return False
        taken[who] = now + hold_s
        return True

    async def leave(self, tenant: str, seats: Seats, who: str) -> None:
        """Give a seat back."""
        self._seats(tenant, seats).pop(who, None)

    async def standing(self) -> LimitsStanding:
        """How everything stands in this process."""
        now, state = self._clock(), self._state
        return LimitsStanding(
            shared=False,
            buckets=tuple(self._shown(model, now) for _, model in sorted(state.models.items())),
            blocks=tuple(
                BlockStanding(account=name, why=block.why, for_s=block.until - now)
                for name, block in sorted(state.accounts.items())
                if block.until > now
            ),
            seats=tuple(
                SeatStanding(tenant=tenant, seats=seats, taken=count)
                for (tenant, seats), taken in sorted(state.seats.items())
                if (count := sum(until > now for until in taken.values()))
            ),
        )

    async def reset(self, model: str) -> int:
        """Forget all about a model and the blocks of its accounts; how many endpoints that were."""
        gone = [name for name, one in self._state.models.items() if one.endpoint.model == model]
        for name in gone:
            self._state.accounts.pop(self._state.models.pop(name).endpoint.account, None)
        return len(gone)

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _denial(self, model: _Model, now: float, held: Permit | None) -> Denial | None:
        """Why the endpoint may not be asked at all, or None."""
        account = self._state.accounts.get(model.endpoint.account)
        if account is not None and account.until > now:
            return Denial(why=account.why, wait_s=account.until - now)
        if not model.openings:
            return None
        if model.open_until > now:
            return Denial(why=DenialReason.CIRCUIT, wait_s=model.open_until - now)
        mine = held is not None and held.id == model.trial
        if model.trial and model.trial_until > now and not mine:
            return Denial(why=DenialReason.CIRCUIT, wait_s=model.trial_until - now)
        return None

    def _refund(self, model: _Model, permit: Permit, *, requests: int, tokens: int) -> None:
        """Put back what a request did not use; negative when it used more."""
        requests_in, tokens_in = self._buckets(permit.endpoint)
        if requests_in:
            model.requests_full_at -= requests / requests_in.per_s
        if tokens_in:
            model.tokens_full_at -= tokens / tokens_in.per_s

    def _buckets(self, endpoint: Endpoint) -> tuple[Bucket | None, Bucket | None]:
        return (
            bucket_of(endpoint.rpm, self._share) if endpoint.rpm else None,
            bucket_of(endpoint.tpm, self._share) if endpoint.tpm else None,
        )

    def _model(self, endpoint: Endpoint) -> _Model:
        model = self._state.models.setdefault(endpoint.name, _Model(endpoint))
        model.endpoint = endpoint  # the roster may have been changed
        return model

    def _seats(self, tenant: str, seats: Seats) -> dict[str, float]:
        return self._state.seats.get((tenant, seats), {})

    def _shown(self, model: _Model, now: float) -> BucketStanding:
        requests_in, tokens_in = self._buckets(model.endpoint)
        half = Circuit.OPEN if model.open_until > now else Circuit.HALF_OPEN
        return BucketStanding(
            model=model.endpoint.model,
            account=model.endpoint.account,
            rpm=model.endpoint.rpm,
            tpm=model.endpoint.tpm,
            requests_free=free(requests_in, model.requests_full_at, now) if requests_in else None,
            tokens_free=free(tokens_in, model.tokens_full_at, now) if tokens_in else None,
            blocked_s=max(0.0, model.blocked_until - now),
            circuit=half if model.openings else Circuit.CLOSED,
            failures=model.failures,
            open_s=max(0.0, model.open_until - now),
        )
