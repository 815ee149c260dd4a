"""Arithmetic of token buckets, by the instant at which a bucket is full again. Pure; `workers/redis/lua` has its twin.

This is the generic cell rate algorithm (ITU-T I.371) with places promised ahead, so that who comes first is served
first, nobody polls, and a large request is not overtaken by small ones for ever.
"""

from typing import NamedTuple

MINUTE_S = 60.0
BURST_DIVISOR = 6
"""A bucket holds a sixth of a minute's limit: ten seconds' worth may go at once."""


class Bucket(NamedTuple):
    """`capacity` units at once, `per_s` units a second after that."""

    capacity: float
    per_s: float


def bucket_of(limit: int, share: float = 1.0) -> Bucket:
    """The bucket of a limit a minute (1 or more), of which this process may use a share (0..1).

    In any half-open window of W seconds it lets through fewer than capacity + per_s * W units. So that a minute never
    has more than the limit, burst included, the rate is (limit - capacity + 1) / 60.
    """
    mine = max(1, int(limit * share))
    capacity = max(1, mine // BURST_DIVISOR)
    return Bucket(float(capacity), (mine - capacity + 1) / MINUTE_S)


def earliest(bucket: Bucket, full_at: float, units: int, now: float) -> float:
    """When `units` may pass (s): once as many are in the bucket.

    More than it can hold pass when it is full; the excess is owed, and those who come later wait for it.
    """
    return max(now, full_at - (bucket.capacity - min(float(units), bucket.capacity)) / bucket.per_s)


def charged(bucket: Bucket, full_at: float, units: int, at: float) -> float:
    """When the bucket is full again (s) after `units` have passed at instant `at`."""
    return max(full_at, at) + units / bucket.per_s


def free(bucket: Bucket, full_at: float, now: float) -> float:
    """Units in the bucket; negative when more are promised than it holds."""
    return bucket.capacity - bucket.per_s * max(0.0, full_at - now)
