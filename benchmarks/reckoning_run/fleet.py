"""A fleet from the means of its jobs: by multiplication, Little's law and a price list."""

import math
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from benchmarks.reckoning_run.replay import Means
from dissolution.errors import InputError
from dissolution.values import Frozen
from fleet.litellm_gateway import map_entry
from fleet.prices import TokenPrice, map_price

HOUR_S = 3600.0
DAY_H = 24
CALL_COMMANDS = 4
"""Commands to Redis for the limits of one call: a place of the tenant and of the account, both taken and given back."""

JOB_COMMANDS = 2
"""The same for the place of a job."""


class Inputs(Frozen):
    """What the reckoning takes from elsewhere."""

    jobs_an_hour: Annotated[float, Field(gt=0)]
    job_s: Annotated[float, Field(gt=0)]  # from submission to end
    in_flight: Annotated[int, Field(ge=1)]  # jobs that one io process holds
    io_call_processor_s: Annotated[float, Field(ge=0)]  # of one live call, in its io process
    other_processor_s: Annotated[float, Field(ge=0)] = 0.0  # of one job, in database, Redis, relay and submission
    busy: Annotated[float, Field(gt=0, le=1)]  # share of a core that is planned for


class Cost(Frozen):
    """USD of one model, if every member were that model."""

    usd_a_job: float
    usd_a_job_without_cache: float
    usd_an_hour: float


class Fleet(Frozen):
    """What so many jobs an hour take."""

    jobs_in_flight: float  # arrival rate times duration (Little's law)
    calls_an_hour: float
    calls_in_a_second: float
    input_tokens_an_hour: float
    cacheable_tokens_an_hour: float
    output_tokens_an_hour: float
    io_processor_s_a_job: float
    cpu_processor_s_a_job: float
    io_processes: int
    cpu_processes: int
    cores: float  # of all programs
    rows_a_job: float
    rows_a_day: float
    database_gb_a_day: float
    messages_a_job: float  # to Celery, through Redis
    messages_an_hour: float
    limit_commands_an_hour: float  # to Redis, for calls and jobs
    costs: dict[str, Cost]


def prices(models: Sequence[str]) -> dict[str, TokenPrice]:
    """Prices of LiteLLM's local map, by the name given. Raises InputError for a model that it does not price."""
    found: dict[str, TokenPrice] = {}
    for model in models:
        price = map_price(map_entry(model), 1)
        if price is None:
            raise InputError(f"model {model!r}", "the price map has no price of it")
        found[model] = price
    return found


def fleet(means: Means, inputs: Inputs, priced: dict[str, TokenPrice]) -> Fleet:
    """The fleet for these means and inputs."""
    rate, a_second = inputs.jobs_an_hour, inputs.jobs_an_hour / HOUR_S
    calls, sent = means.total("calls"), means.total("input_tokens")
    cacheable, said = means.total("cacheable_tokens"), means.total("output_tokens")
    io_s = means.queue_processor_s.get("io", 0.0) + calls * inputs.io_call_processor_s
    cpu_s = means.queue_processor_s.get("cpu", 0.0)
    flying, rows = a_second * inputs.job_s, sum(means.rows.values())
    return Fleet(
        jobs_in_flight=round(flying, 1),
        calls_an_hour=round(calls * rate),
        calls_in_a_second=round(calls * a_second, 1),
        input_tokens_an_hour=round(sent * rate),
        cacheable_tokens_an_hour=round(cacheable * rate),
        output_tokens_an_hour=round(said * rate),
        io_processor_s_a_job=round(io_s, 2),
        cpu_processor_s_a_job=round(cpu_s, 2),
        io_processes=max(math.ceil(flying / inputs.in_flight), math.ceil(a_second * io_s / inputs.busy)),
        cores=round(a_second * (io_s + cpu_s + inputs.other_processor_s) / inputs.busy, 1),
        cpu_processes=math.ceil(a_second * cpu_s / inputs.busy),
        rows_a_job=round(rows, 1),
        rows_a_day=round(rows * rate * DAY_H),
        database_gb_a_day=round(means.database_bytes * rate * DAY_H / 1e9, 1),
        messages_a_job=round(means.rings, 1),
        messages_an_hour=round(means.rings * rate),
        limit_commands_an_hour=round((calls * CALL_COMMANDS + JOB_COMMANDS) * rate),
        costs={name: cost(price, rate, sent, cacheable, said) for name, price in priced.items()},
    )


def cost(price: TokenPrice, rate: float, sent: float, cacheable: float, said: float) -> Cost:
    """USD of one job, and of an hour of them."""
    with_cache = float(price.cost(round(sent), round(cacheable), round(said)))
    return Cost(
        usd_a_job=round(with_cache, 4),
        usd_a_job_without_cache=round(float(price.cost(round(sent), 0, round(said))), 4),
        usd_an_hour=round(with_cache * rate, 1),
    )
