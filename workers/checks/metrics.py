"""Metrics for Prometheus, read from SQL when they are asked for; `dissolve metrics` serves them over HTTP.

Counts come from the tables, so they are whole however many processes work, and after any of them has died. Labels are
of fixed sets, but for the names of models, of which the most asked are told apart and the rest is one. No content.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self, cast

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import start_http_server
from prometheus_client.registry import Collector, CollectorRegistry

from dissolution.errors import DissolutionError
from dissolution.findings import Verdict
from dissolution.job import JobStatus
from dissolution.measures import BOUNDS_S, CallCount, Durations, MeasureReader, Measures
from dissolution.ports.models import Clock
from dissolution.settings import Settings
from workers.bootstrap import open_store
from workers.celery.relay import ALL_QUEUES
from workers.checks.health import living_relays
from workers.pipeline import STAGE_NAMES
from workers.redis.queue_state import Doorbell

if TYPE_CHECKING:
    from store.sql.unit_of_work import SqlUnitOfWorkFactory

log = logging.getLogger(__name__)

MOST_MODELS = 50
"""Models that have series of their own; the rest is `other`."""

OTHER = "other"

KEPT_S = 5.0
"""For so long (s) one reading serves everybody who asks: several may scrape, and each reading goes over tables."""


class StoreCollector(Collector):
    """Reads the store for each scrape, but not more often than every KEPT_S.

    Args:
        reader: What is read.
        clock: Time.
        monotonic: Seconds, never going back.
    """

    def __init__(self, reader: MeasureReader, clock: Clock, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._reader = reader
        self._clock = clock
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._kept: tuple[float, tuple[Metric, ...]] | None = None

    def describe(self) -> Iterator[Metric]:
        """Nothing: what there is is known when it is read, and registering reads nothing."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """All metrics of the store, and whether it could be read."""
        with self._lock:
            now = self._monotonic()
            if self._kept is None or now - self._kept[0] >= KEPT_S:
                self._kept = (now, tuple(self._read()))
            return iter(self._kept[1])

    def _read(self) -> Iterator[Metric]:
        started = self._monotonic()
        try:
            found = self._reader.read(self._clock.now())
        except DissolutionError as error:
            log.warning("%s; what is stored is not told", error)
            yield up("database", well=False)
            return
        yield up("database", well=True)
        yield gauge("scrape_seconds", "How long reading the store took.", self._monotonic() - started)
        yield from metrics_of(found)


class RedisCollector(Collector):
    """What Redis knows: messages that wait, and relays that look."""

    def __init__(self, doorbell: Doorbell, relays: Callable[[], int | None]) -> None:
        self._doorbell = doorbell
        self._relays = relays

    def describe(self) -> Iterator[Metric]:
        """Nothing, as above."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Depths of the queues, and how many relays look."""
        depths = {queue: self._doorbell.depth(queue) for queue in ALL_QUEUES}
        relays = self._relays()
        yield up("redis", well=relays is not None and None not in depths.values())
        messages = GaugeMetricFamily(
            "dissolve_redis_messages", "Messages in a queue of Redis; the rest waits in SQL.", labels=["queue"]
        )
        for queue, depth in depths.items():
            if depth is not None:
                messages.add_metric([queue], depth)
        yield messages
        if relays is not None:
            yield gauge("relays", "Relays that have looked within the last half minute.", relays)


def metrics_of(found: Measures) -> Iterator[Metric]:
    """One reading as metrics."""
    yield from job_metrics(found)
    yield from queue_metrics(found)
    yield from call_metrics(found.calls)
    yield histogram("quorum_seconds", "From a job's first question to the last answer that counted.", found.quorum)
    stages = HistogramMetricFamily("dissolve_step_seconds", "From a step's first start to its end.", labels=["stage"])
    for stage in STAGE_NAMES:
        if stage in found.stages:
            took = found.stages[stage]
            stages.add_metric([stage], classes(took), took.sum_s)
    yield stages
    yield counter("spend_usd", "US dollars that language models have cost, where it is known.", found.spent_usd)
    yield gauge("spend_today_usd", "US dollars spent today (UTC).", found.spent_today_usd)
    yield gauge("reserved_usd", "US dollars reserved by steps at work.", found.reserved_usd)
    yield counter("unpriced_calls", "Calls that have landed and whose cost nobody knows.", found.unpriced_calls)


def job_metrics(found: Measures) -> Iterator[Metric]:
    """Jobs, verdicts and steps that went wrong."""
    jobs = GaugeMetricFamily("dissolve_jobs", "Jobs by status.", labels=["status"])
    for status in JobStatus:
        jobs.add_metric([status.value], found.jobs.get(status, 0))
    yield jobs
    verdicts = CounterMetricFamily("dissolve_gate_verdicts", "Verdicts that ended a job.", labels=["verdict"])
    for verdict in (Verdict.COMMIT, Verdict.COMMIT_DEGRADED, Verdict.KEEP_HISTORY):
        verdicts.add_metric([verdict.value], found.verdicts.get(verdict, 0))
    yield verdicts
    words = "Steps that were taken over from a process that died or stood still."
    yield counter("lease_expiries", words, found.leases_ran_out)
    yield gauge("dead_steps", "Steps that had all their attempts; `dissolve requeue` tries again.", found.dead_steps)


def queue_metrics(found: Measures) -> Iterator[Metric]:
    """How the queues stand, in SQL."""
    waiting = GaugeMetricFamily("dissolve_queue_waiting", "Steps that are ready and not claimed.", labels=["queue"])
    running = GaugeMetricFamily("dissolve_queue_running", "Steps at work.", labels=["queue"])
    expired = GaugeMetricFamily("dissolve_queue_lease_ran_out", "Steps whose lease has run out.", labels=["queue"])
    oldest = GaugeMetricFamily(
        "dissolve_queue_oldest_seconds", "How long the step that waits longest has waited.", labels=["queue"]
    )
    standing = {one.queue: one for one in found.queues}
    for queue in ALL_QUEUES:
        one = standing.get(queue)
        waiting.add_metric([queue], one.waiting if one else 0)
        running.add_metric([queue], one.running if one else 0)
        expired.add_metric([queue], one.expired if one else 0)
        since = one.oldest_at if one else None
        oldest.add_metric([queue], 0.0 if since is None else max(0.0, (found.at - since).total_seconds()))
    yield from (waiting, running, expired, oldest)
    age = 0.0 if found.oldest_step_at is None else max(0.0, (found.at - found.oldest_step_at).total_seconds())
    yield gauge("oldest_unfinished_step_seconds", "Age of the oldest step that is ready or runs; 0 without one.", age)


def call_metrics(calls: Sequence[CallCount]) -> Iterator[Metric]:
    """Questions to models by outcome, and what they used."""
    counts = CounterMetricFamily("dissolve_calls", "Questions to models that have landed.", labels=["model", "outcome"])
    flying = GaugeMetricFamily("dissolve_calls_in_flight", "Questions without an answer yet.", labels=["model"])
    tokens = CounterMetricFamily("dissolve_call_tokens", "Tokens, where known.", labels=["model", "direction"])
    cost = CounterMetricFamily("dissolve_call_usd", "US dollars, where known.", labels=["model"])
    for model, found in by_model(calls).items():
        flying.add_metric([model], sum(one.calls for one in found if one.outcome == "in_flight"))
        landed: dict[str, int] = {}
        for one in found:
            if one.outcome != "in_flight":
                landed[one.outcome] = landed.get(one.outcome, 0) + one.calls
        for outcome, count in sorted(landed.items()):
            counts.add_metric([model, outcome], count)
        tokens.add_metric([model, "input"], sum(one.input_tokens for one in found))
        tokens.add_metric([model, "output"], sum(one.output_tokens for one in found))
        cost.add_metric([model], sum(one.usd for one in found))
    yield from (counts, flying, tokens, cost)


def by_model(calls: Sequence[CallCount]) -> Mapping[str, Sequence[CallCount]]:
    """Counts by model, by name: the most asked ones, and all others as one."""
    asked: dict[str, int] = {}
    for one in calls:
        asked[one.model] = asked.get(one.model, 0) + one.calls
    known = {name for name, _ in sorted(asked.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_MODELS]}
    grouped: dict[str, list[CallCount]] = {}
    for one in calls:
        grouped.setdefault(one.model if one.model in known else OTHER, []).append(one)
    return dict(sorted(grouped.items()))


def classes(took: Durations) -> list[tuple[str, float]]:
    """The classes of a histogram as Prometheus wants them: bound and count of all up to it."""
    found = [(f"{bound:g}", float(count)) for bound, count in zip(BOUNDS_S, took.up_to, strict=True)]
    return [*found, ("+Inf", float(took.count))]


def histogram(name: str, words: str, took: Durations) -> Metric:
    """A histogram without labels."""
    return HistogramMetricFamily(f"dissolve_{name}", words, buckets=classes(took), sum_value=took.sum_s)


def gauge(name: str, words: str, value: float) -> Metric:
    """A gauge without labels."""
    return GaugeMetricFamily(f"dissolve_{name}", words, value=value)


def counter(name: str, words: str, value: float) -> Metric:
    """A counter without labels."""
    return CounterMetricFamily(f"dissolve_{name}", words, value=value)


def up(part: str, *, well: bool) -> Metric:
    """Whether a part can be reached from here."""
    made = GaugeMetricFamily(f"dissolve_{part}_up", f"1 when the {part} answers.", value=float(well))
    return cast("Metric", made)


class MetricsServer:
    """The HTTP server of the metrics; any path answers. Use it in a `with` block.

    Args:
        settings: Address and port; where store and Redis are.
        clock: Time.
        doorbell: What Redis says.
    """

    def __init__(self, settings: Settings, *, clock: Clock, doorbell: Doorbell) -> None:
        from store.sql.measures import SqlMeasures

        self._settings = settings
        registry = CollectorRegistry()
        factory = cast("SqlUnitOfWorkFactory", open_store(settings))
        registry.register(StoreCollector(SqlMeasures(factory.engine), clock))
        registry.register(RedisCollector(doorbell, lambda: living_relays(settings)))
        self._registry = registry
        self._factory = factory
        self._stop: Callable[[], None] = lambda: None
        self.port = settings.metrics_port

    def __enter__(self) -> Self:
        """Listen. Raises OSError when the port is taken."""
        server, thread = start_http_server(self.port, addr=self._settings.metrics_address, registry=self._registry)
        self.port = server.server_port

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        self._stop = stop
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._factory.close()
