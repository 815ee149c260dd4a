"""The limits of the whole fleet, in Redis: each decision is one Lua script on the server, by the server's clock.

Keys hold names of models, accounts and tenants; values hold instants and counts. All of them expire.
"""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

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
from fleet.limit_rules import Bucket, bucket_of, free
from fleet.local_limits import BOUGHT_NOTHING, LONGEST_WAIT_S, UNNAMED_WAIT_S

PREFIX = "dissolve:limits:"
UNLIMITED = Bucket(0.0, 0.0)

Answer = list[Any]
"""What a script returns: a list of strings (bytes), numbers, and lists of those."""


class Client(Protocol):
    """redis-py's asyncio client, as far as it is used here."""

    def register_script(self, script: str) -> Callable[..., Awaitable[Any]]:
        """A script that is sent by its digest, and whole when the server does not know it."""
        ...

    def scan_iter(self, match: str) -> AsyncIterator[bytes]:
        """All keys that fit a pattern."""
        ...

    async def delete(self, *names: str | bytes) -> int:
        """Delete keys."""
        ...

    async def zrem(self, name: str, *values: str) -> int:
        """Take members off a sorted set."""
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


@cache
def script(name: str) -> str:
    """The text of a script, with what all of them begin with."""
    folder = Path(__file__).parent / "lua"
    return "".join((folder / f"{one}.lua").read_text(encoding="utf-8") for one in ("common", name))


class SharedLimiter:
    """The Limiter port over Redis. Raises redis-py's errors when Redis is away.

    Args:
        client: An asyncio client; used from one event loop.
        rules: When circuits open, and for how long accounts are blocked.
    """

    def __init__(self, client: Client, rules: LimitRules | None = None) -> None:
        self._client = client
        self._rules = rules or LimitRules()
        self._take, self._report, self._enter, self._show = (
            client.register_script(script(name)) for name in ("take", "report", "enter", "show")
        )

    async def take(
        self, endpoint: Endpoint, tokens: int, *, within_s: float, hold_s: float, held: Permit | None = None
    ) -> Permit | Denial:
        """Take the next free place (see the port)."""
        requests_in, tokens_in = buckets_of(endpoint)
        permit = Permit(id=secrets.token_hex(8), endpoint=endpoint, tokens=tokens, shared=True)
        places = (*requests_in, *tokens_in)
        before = ("", 0) if held is None else (held.id, held.tokens)
        names = (endpoint.model, endpoint.account, endpoint.rpm or "", endpoint.tpm or "")
        answer: Answer = await self._take(
            keys=keys_of(endpoint), args=[permit.id, tokens, within_s, hold_s, *places, *before, *names]
        )
        kind, *rest = answer
        if kind == b"denied":
            return Denial(why=DenialReason(rest[0].decode()), wait_s=float(rest[1]))
        wait = float(rest[0])
        if held is not None and not wait:
            return held.model_copy(update={"wait_s": 0.0})
        return permit.model_copy(update={"wait_s": wait, "trial": bool(rest[1])})

    async def report(self, permit: Permit, report: RequestReport) -> None:
        """Say what came of a permit (see the port)."""
        requests_in, tokens_in = buckets_of(permit.endpoint)
        unused = 0
        if report.ended is Ended.UNSENT or report.ended in BOUGHT_NOTHING:
            unused = permit.tokens
        elif report.used_tokens is not None:
            unused = permit.tokens - report.used_tokens
        wait = UNNAMED_WAIT_S if report.retry_after_s is None else min(report.retry_after_s, LONGEST_WAIT_S)
        rules = self._rules
        await self._report(
            keys=keys_of(permit.endpoint),
            args=[
                *(permit.id, report.ended.value, int(report.ended is Ended.UNSENT), unused),
                *(requests_in.per_s, tokens_in.per_s, wait),
                *(rules.failures, rules.open_s, rules.longest_open_s, rules.account_block_s),
            ],
        )

    async def enter(self, tenant: str, seats: Seats, who: str, *, limit: int, hold_s: float) -> bool:
        """Take one of the tenant's seats (see the port)."""
        return bool(await self._enter(keys=[seats_key(tenant, seats)], args=[who, limit, hold_s]))

    async def leave(self, tenant: str, seats: Seats, who: str) -> None:
        """Give a seat back."""
        await self._client.zrem(seats_key(tenant, seats), who)

    async def standing(self) -> LimitsStanding:
        """How everything stands in the fleet."""
        buckets: list[BucketStanding] = []
        blocks: list[BlockStanding] = []
        seats: list[SeatStanding] = []
        async for kind, name, now, found in self._everything():
            if kind == "seats":
                which, _, tenant = name.partition(":")
                seats.append(SeatStanding(tenant=tenant, seats=Seats(which), taken=found))
                continue
            fields = fields_of(found)
            if kind == "model":
                buckets.append(bucket_standing(fields, now))
            elif float(fields["until"]) > now:
                why = DenialReason(fields["why"])
                blocks.append(BlockStanding(account=name, why=why, for_s=float(fields["until"]) - now))
        return LimitsStanding(
            shared=True,
            buckets=tuple(sorted(buckets, key=lambda one: (one.model, one.account))),
            blocks=tuple(sorted(blocks, key=lambda one: one.account)),
            seats=tuple(sorted((one for one in seats if one.taken), key=lambda one: (one.tenant, one.seats))),
        )

    async def reset(self, model: str) -> int:
        """Forget all about a model and the blocks of its accounts; how many endpoints that were."""
        gone: list[str] = []
        count = 0
        async for kind, name, _, found in self._everything():
            if kind == "model" and fields_of(found)["model"] == model:
                count += 1
                gone += [f"{PREFIX}model:{name}", f"{PREFIX}account:{fields_of(found)['account']}"]
        if gone:
            await self._client.delete(*gone)
        return count

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _everything(self) -> AsyncIterator[tuple[str, str, float, Any]]:
        """Each key's kind and name, the instant it was read at, and what stands there; keys that have just gone not."""
        async for key in self._client.scan_iter(match=f"{PREFIX}*"):
            kind, _, name = key.decode().removeprefix(PREFIX).partition(":")
            answer: Answer = await self._show(keys=[key])
            if answer[1]:
                yield kind, name, float(answer[0]), answer[1]


def keys_of(endpoint: Endpoint) -> Sequence[str]:
    """The keys of an endpoint: its own and its account's."""
    return [f"{PREFIX}model:{endpoint.name}", f"{PREFIX}account:{endpoint.account}"]


def seats_key(tenant: str, seats: Seats) -> str:
    """The key of a tenant's seats."""
    return f"{PREFIX}seats:{seats.value}:{tenant}"


def buckets_of(endpoint: Endpoint) -> tuple[Bucket, Bucket]:
    """The buckets of requests and of tokens."""
    return (
        bucket_of(endpoint.rpm) if endpoint.rpm else UNLIMITED,
        bucket_of(endpoint.tpm) if endpoint.tpm else UNLIMITED,
    )


def fields_of(flat: Sequence[bytes]) -> Mapping[str, str]:
    """A hash, as a script returns it: names and values in turn."""
    words = [one.decode() for one in flat]
    return dict(zip(words[::2], words[1::2], strict=True))


def bucket_standing(fields: Mapping[str, str], now: float) -> BucketStanding:
    """One model's limits, of the fields of its hash."""
    endpoint = Endpoint(
        model=fields["model"],
        account=fields["account"],
        rpm=cast("int | None", fields["rpm"] or None),  # pydantic reads the digits
        tpm=cast("int | None", fields["tpm"] or None),
    )
    requests_in, tokens_in = buckets_of(endpoint)
    open_until = float(fields.get("open_until", 0))
    ajar = Circuit.OPEN if open_until > now else Circuit.HALF_OPEN
    return BucketStanding(
        model=endpoint.model,
        account=endpoint.account,
        rpm=endpoint.rpm,
        tpm=endpoint.tpm,
        requests_free=free(requests_in, float(fields.get("requests_full_at", 0)), now) if endpoint.rpm else None,
        tokens_free=free(tokens_in, float(fields.get("tokens_full_at", 0)), now) if endpoint.tpm else None,
        blocked_s=max(0.0, float(fields.get("blocked_until", 0)) - now),
        circuit=ajar if "openings" in fields else Circuit.CLOSED,
        failures=int(fields.get("failures", 0)),
        open_s=max(0.0, open_until - now),
    )
