"""A reckoning as the tables of docs/scale.md."""

from benchmarks.reckoning_run.fleet import Fleet, Inputs
from benchmarks.reckoning_run.replay import Means

SUMMED = ("calls", "failed", "input_tokens", "cacheable_tokens", "output_tokens")


def told(means: Means, inputs: Inputs, found: Fleet) -> str:
    """Three tables in Markdown: a job by prompt, a job besides, the fleet with its costs."""
    return "\n".join((*by_prompt(means), "", *a_job(means), "", *an_hour(inputs, found), "", *in_usd(found)))


def by_prompt(means: Means) -> list[str]:
    """What a job asks."""
    head = (
        f"Mean of {means.jobs} jobs on {means.conversations} conversations: {means.turns:.0f} turns, "
        f"{means.snapshot_tokens:,.0f} tokens; {means.embedder}."
    )
    rows = [
        f"| {name} | " + " | ".join(number(getattr(one, what)) for what in SUMMED) + " |"
        for name, one in sorted(means.asked.items())
    ]
    total = "| **a job** | " + " | ".join(number(means.total(what)) for what in SUMMED) + " |"
    titles = "| prompt | calls | of them failed | input tokens | cacheable | output tokens |"
    return [head, "", titles, "|---|---|---|---|---|---|", *rows, total]


def a_job(means: Means) -> list[str]:
    """What a job leaves and takes besides."""
    rows = sorted(means.rows.items(), key=lambda row: -row[1])
    listed = ", ".join(f"{name} {number(value)}" for name, value in rows)
    stages = sorted(means.processor_s.items(), key=lambda row: -row[1])
    queues = ", ".join(f"{name} {value:.2f}" for name, value in sorted(means.queue_processor_s.items()))
    return [
        "| of a job | |",
        "|---|---|",
        f"| rows | {sum(means.rows.values()):.0f}: {listed} |",
        f"| bytes of the database | {means.database_bytes:,.0f} |",
        f"| messages to Celery | {means.rings:.1f} |",
        f"| processor time by stage (s) | {', '.join(f'{name} {value:.2f}' for name, value in stages)} |",
        f"| processor time by class of queue (s) | {queues} |",
    ]


def an_hour(inputs: Inputs, found: Fleet) -> list[str]:
    """What the fleet takes."""
    facts = {
        "jobs in flight": f"{found.jobs_in_flight:.0f} ({inputs.jobs_an_hour:g} an hour, {inputs.job_s:g} s each)",
        "calls": f"{found.calls_an_hour:,.0f} an hour, {found.calls_in_a_second:g} a second",
        "input tokens": f"{found.input_tokens_an_hour / 1e6:,.1f} million an hour, "
        f"of them {found.cacheable_tokens_an_hour / 1e6:,.1f} million cacheable",
        "output tokens": f"{found.output_tokens_an_hour / 1e6:,.1f} million an hour",
        "`io` processes": f"{found.io_processes} ({found.io_processor_s_a_job:g} s of processor time a job)",
        "`cpu` processes": f"{found.cpu_processes} ({found.cpu_processor_s_a_job:g} s of processor time a job)",
        "cores": f"{found.cores:g}",
        "rows": f"{found.rows_a_job:.0f} a job, {found.rows_a_day / 1e6:.1f} million a day",
        "database": f"{found.database_gb_a_day:.1f} GB a day",
        "messages to Celery": f"{found.messages_a_job:.0f} a job, {found.messages_an_hour:,.0f} an hour",
        "commands to Redis for limits": f"{found.limit_commands_an_hour:,.0f} an hour",
    }
    return ["| of the fleet | |", "|---|---|", *(f"| {name} | {value} |" for name, value in facts.items())]


def in_usd(found: Fleet) -> list[str]:
    """What it costs, by model."""
    rows = [
        f"| {name} | {one.usd_a_job:.3f} | {one.usd_a_job_without_cache:.3f} | {one.usd_an_hour:,.0f} |"
        for name, one in found.costs.items()
    ]
    return ["| all members are | USD a job | without caches | USD an hour |", "|---|---|---|---|", *rows]


def number(value: float) -> str:
    """A figure as it is read: whole, or with one decimal where it is small."""
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"
