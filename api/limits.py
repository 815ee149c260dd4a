"""How fast each client may ask: a bucket of requests that fills up again by the second."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_CLIENTS = 10_000
"""Buckets that are kept; the one that was used longest ago is forgotten first, and is full by then."""


class RequestLimits:
    """Counts requests by client in this process.

    Args:
        per_minute: Requests a minute, and as many at once after a pause.
        now: Seconds that never run backwards.
    """

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._per_s = per_minute / 60
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, client: str) -> float:
        """Take one request; 0 when it may be made, else how long to wait (s)."""
        with self._lock:
            now = self._now()
            left, at = self._buckets.pop(client, (self._most, now))
            left = min(self._most, left + (now - at) * self._per_s)
            allowed = left >= 1
            self._buckets[client] = (left - 1 if allowed else left, now)
            while len(self._buckets) > MOST_CLIENTS:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else max(1.0, (1 - left) / self._per_s)
