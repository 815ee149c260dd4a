"""The reckoning of a fleet: Little's law, processes by time and by jobs held, and what a cache may serve."""

from decimal import Decimal

import pytest

from benchmarks.reckoning_run.fleet import Inputs, fleet
from benchmarks.reckoning_run.replay import Asked, Means, Tally, count_prompts, shared_chars
from fleet.prices import TokenPrice

MEANS = Means(
    jobs=1,
    conversations=1,
    embedder="hashing",
    turns=10,
    snapshot_tokens=1000,
    asked={
        "four_part": Asked(calls=3, input_tokens=3000, cacheable_tokens=1000, output_tokens=500),
        "review": Asked(calls=1, input_tokens=2000, cacheable_tokens=1000, output_tokens=100),
    },
    rows={"calls": 4, "claims": 6},
    database_bytes=1000,
    rings=11,
    processor_s={"fan_out": 0.6, "consensus": 3.0},
    queue_processor_s={"io": 0.6, "cpu": 3.0},
)
INPUTS = Inputs(jobs_an_hour=3600, job_s=100, in_flight=200, io_call_processor_s=0.1, busy=0.5)
PRICE = TokenPrice(
    input_usd=Decimal("0.001"),
    cached_input_usd=Decimal("0.0001"),
    cache_write_usd=Decimal("0.001"),
    output_usd=Decimal("0.002"),
)


def test_jobs_in_flight_are_their_rate_times_their_duration() -> None:
    assert fleet(MEANS, INPUTS, {}).jobs_in_flight == 100


@pytest.mark.parametrize(
    ("in_flight", "busy", "processes"),
    [(200, 0.5, 2), (10, 0.5, 10), (200, 0.25, 4)],
    ids=["by processor time", "by jobs held", "by the share of a core"],
)
def test_io_processes_are_as_many_as_the_scarcer_of_both_asks_for(in_flight: int, busy: float, processes: int) -> None:
    inputs = INPUTS.model_copy(update={"in_flight": in_flight, "busy": busy})
    found = fleet(MEANS, inputs, {})
    assert found.io_processes == processes  # 1 s of a job each second: 0.6 s and four calls of 0.1 s
    assert found.cpu_processes == 3 / busy


def test_a_cache_makes_the_tokens_it_serves_cheaper_and_no_others() -> None:
    cost = fleet(MEANS, INPUTS, {"model": PRICE}).costs["model"]
    assert cost.usd_a_job == pytest.approx(3 + 2000 * 0.0001 + 600 * 0.002)
    assert cost.usd_a_job_without_cache == pytest.approx(5 + 600 * 0.002)
    assert cost.usd_an_hour == pytest.approx(3600 * cost.usd_a_job)


def test_rows_and_messages_grow_with_the_jobs() -> None:
    found = fleet(MEANS, INPUTS, {})
    assert (found.rows_a_day, found.messages_an_hour) == (10 * 3600 * 24, 11 * 3600)


@pytest.mark.parametrize(
    ("one", "other", "shared"), [("", "a", 0), ("ab", "ab", 2), ("abc", "abd", 2), ("xab", "ab", 0), ("ab", "abc", 2)]
)
def test_a_beginning_is_shared_to_the_first_difference(one: str, other: str, shared: int) -> None:
    assert shared_chars(one, other) == shared


def test_only_what_was_sent_before_and_is_long_enough_can_be_cached() -> None:
    history = "the session table is kept on the second node " * 20
    prompts = [("four_part", f"{history}state it"), ("review", f"{history}review it"), ("review", "another beginning")]
    tally = Tally()
    count_prompts(prompts, 100, tally)
    assert not tally.asked["four_part"]["cacheable_tokens"]
    assert 100 < tally.asked["review"]["cacheable_tokens"] < tally.asked["review"]["input_tokens"]
    short = Tally()
    count_prompts(prompts, 10_000, short)
    assert not short.asked["review"]["cacheable_tokens"]
