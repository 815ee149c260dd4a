"""Metrics, scraped over HTTP as Prometheus does it: right figures, bounded labels, and no content."""

import urllib.request
from datetime import datetime
from pathlib import Path

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from devtools.clock import FixedClock
from devtools.scripted import Say
from dissolution.errors import StoreUnavailable
from dissolution.findings import Verdict
from dissolution.job import JobStatus
from dissolution.measures import BOUNDS_S, CallCount, Durations, Measures
from dissolution.outbox import QueueCount
from dissolution.settings import Settings
from tests.contract.redis_server import a_free_port, a_redis
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, a_member, running
from tests.unit.store.ledgers import later
from workers.checks.health import BeatingDoorbell
from workers.checks.metrics import KEPT_S, MOST_MODELS, MetricsServer, StoreCollector, metrics_of
from workers.redis.queue_state import RedisDoorbell
from workers.runtime.inline import run_job

SECRET = "The launch code is kept by Mira."


def nothing(**more: object) -> Measures:
    none = Durations(count=0, sum_s=0, up_to=(0,) * len(BOUNDS_S))
    given: dict[str, object] = {
        "at": INSTANT,
        "jobs": {},
        "queues": (),
        "oldest_step_at": None,
        "dead_steps": 0,
        "leases_ran_out": 0,
        "calls": (),
        "quorum": none,
        "stages": {},
        "verdicts": {},
        "spent_usd": 0,
        "spent_today_usd": 0,
        "reserved_usd": 0,
        "unpriced_calls": 0,
    }
    return Measures.model_validate({**given, **more})


def values(found: Measures) -> dict[str, float]:
    """Every sample by name and labels."""
    return of(list(metrics_of(found)))


def of(metrics: list[Metric]) -> dict[str, float]:
    samples = [sample for metric in metrics for sample in metric.samples]
    return {f"{one.name}{sorted(one.labels.values()) or ''}": one.value for one in samples}


def a_call_count(model: str, calls: int, outcome: str = "stop") -> CallCount:
    return CallCount(model=model, outcome=outcome, calls=calls, input_tokens=10 * calls, output_tokens=calls, usd=0.5)


def test_each_figure_has_its_metric() -> None:
    took = Durations(count=3, sum_s=12.0, up_to=tuple(2 if bound >= 2.5 else 0 for bound in BOUNDS_S))
    standing = QueueCount(queue="dissolve.io.1-batch", waiting=4, running=2, expired=1, oldest_at=later(-30))
    found = values(
        nothing(
            jobs={JobStatus.RUNNING: 2, JobStatus.COMMITTED: 7},
            queues=(standing,),
            oldest_step_at=later(-45),
            dead_steps=1,
            leases_ran_out=3,
            calls=(a_call_count("a", 2), a_call_count("a", 1, "timeout"), a_call_count("a", 4, "in_flight")),
            quorum=took,
            stages={"fan_out": took},
            verdicts={Verdict.COMMIT: 5, Verdict.KEEP_HISTORY: 1},
            spent_usd=1.5,
            spent_today_usd=0.5,
            reserved_usd=0.25,
            unpriced_calls=2,
        )
    )
    expected = {
        "dissolve_jobs['running']": 2,
        "dissolve_jobs['committed']": 7,
        "dissolve_jobs['failed']": 0,
        "dissolve_queue_waiting['dissolve.io.1-batch']": 4,
        "dissolve_queue_running['dissolve.io.1-batch']": 2,
        "dissolve_queue_lease_ran_out['dissolve.io.1-batch']": 1,
        "dissolve_queue_oldest_seconds['dissolve.io.1-batch']": 30,
        "dissolve_oldest_unfinished_step_seconds": 45,
        "dissolve_dead_steps": 1,
        "dissolve_lease_expiries_total": 3,
        "dissolve_calls_total['a', 'stop']": 2,
        "dissolve_calls_total['a', 'timeout']": 1,
        "dissolve_calls_in_flight['a']": 4,
        "dissolve_call_tokens_total['a', 'input']": 70,
        "dissolve_call_usd_total['a']": 1.5,
        "dissolve_quorum_seconds_bucket['1']": 0,
        "dissolve_quorum_seconds_bucket['2.5']": 2,
        "dissolve_quorum_seconds_bucket['+Inf']": 3,
        "dissolve_quorum_seconds_sum": 12,
        "dissolve_step_seconds_count['fan_out']": 3,
        "dissolve_gate_verdicts_total['commit']": 5,
        "dissolve_gate_verdicts_total['keep_history']": 1,
        "dissolve_gate_verdicts_total['commit_degraded']": 0,
        "dissolve_spend_usd_total": 1.5,
        "dissolve_spend_today_usd": 0.5,
        "dissolve_reserved_usd": 0.25,
        "dissolve_unpriced_calls_total": 2,
    }
    assert {name: found.get(name) for name in expected} == expected


def test_an_empty_store_has_every_series_that_alerts_ask_for() -> None:
    found = values(nothing())
    assert found["dissolve_oldest_unfinished_step_seconds"] == 0
    assert all(found[f"dissolve_jobs['{status.value}']"] == 0 for status in JobStatus)


def test_the_most_asked_models_have_series_and_all_others_share_one() -> None:
    calls = tuple(a_call_count(f"m{number:03}", 1000 - number) for number in range(MOST_MODELS + 30))
    found = values(nothing(calls=calls))
    models = {name for name in found if name.startswith("dissolve_calls_total")}
    assert len(models) == MOST_MODELS + 1
    assert found["dissolve_calls_total['m000', 'stop']"] == 1000
    assert found["dissolve_calls_total['other', 'stop']"] == sum(1000 - n for n in range(MOST_MODELS, MOST_MODELS + 30))


class Counting:
    """A store that counts its readings, and may be away."""

    def __init__(self) -> None:
        self.readings = 0
        self.away = False

    def read(self, at: datetime) -> Measures:
        self.readings += 1
        if self.away:
            raise StoreUnavailable("db", "away")
        return nothing(at=at)

    def clock(self) -> datetime:
        return INSTANT


def test_one_reading_serves_all_who_ask_within_seconds_and_a_store_that_is_away_is_told() -> None:
    store, time_s = Counting(), [100.0]
    collector = StoreCollector(store, FixedClock(INSTANT), monotonic=lambda: time_s[0])
    assert list(collector.describe()) == []
    for _ in range(3):
        assert of(list(collector.collect()))["dissolve_database_up"] == 1
    assert store.readings == 1
    store.away, time_s[0] = True, 100.0 + KEPT_S
    assert of(list(collector.collect())) == {"dissolve_database_up": 0}
    store.away, time_s[0] = False, 100.0 + 2 * KEPT_S
    assert of(list(collector.collect()))["dissolve_database_up"] == 1


def scraped(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as reply:
        return reply.read().decode()


@pytest.mark.usefixtures("processes")
def test_a_scrape_over_http_tells_of_a_job_and_nothing_it_says(tmp_path: Path) -> None:
    answer = Say(f"## KNOWN\n- [1] {SECRET}\n\n## DECIDED\n\n## EDGES\n\n## IDENTITY\n")
    with a_redis(tmp_path / "redis") as server:
        settings = Settings(
            db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}",
            embedder="hashing",
            redis_url=server.url,
            metrics_port=a_free_port(),
        )
        with running(tmp_path, [a_member(name, answer) for name in "abc"], settings) as services:
            run_job(services, a_job(services, a_conversation(SECRET, "Yes.", "Thanks.")).id)
        bell = BeatingDoorbell(settings)
        bell.lost_everything()
        with MetricsServer(settings, clock=FixedClock(INSTANT), doorbell=bell) as made:
            text = scraped(made.port)
            server.stop()
            without = scraped(made.port)
        bell.close()
    found = of(list(text_string_to_metric_families(text)))
    assert found["dissolve_calls_total['script', 'stop']"] == 3
    assert found["dissolve_quorum_seconds_count"] == 1
    assert found["dissolve_step_seconds_count['fan_out']"] == 1
    assert (found["dissolve_database_up"], found["dissolve_redis_up"], found["dissolve_relays"]) == (1, 1, 1)
    assert "Mira" not in text
    gone = of(list(text_string_to_metric_families(without)))
    assert gone["dissolve_redis_up"] == 0
    assert "dissolve_relays" not in gone
    assert gone["dissolve_database_up"] == 1


def test_a_port_that_is_taken_is_an_error_and_not_a_silent_server(tmp_path: Path) -> None:
    settings = Settings(
        db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}",
        redis_url=SecretStr(f"redis://127.0.0.1:{a_free_port()}/0"),
        metrics_port=a_free_port(),
    )
    bell = RedisDoorbell(settings)
    with MetricsServer(settings, clock=FixedClock(INSTANT), doorbell=bell):
        second = MetricsServer(settings, clock=FixedClock(INSTANT), doorbell=bell)
        with pytest.raises(OSError, match="in use"):
            second.__enter__()
        second.__exit__()
