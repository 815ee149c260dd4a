"""The policy that a job was run under, a field a line; what differs from the default is marked."""

import json
from collections.abc import Iterator, Mapping
from typing import cast

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.shared.views import heading
from dissolution.job import Job
from dissolution.policy.job_policy import Policy


def print_policy(out: Console, job: Job) -> None:
    """Every field by the name that a policy file gives it, with its value and, where another, the default."""
    heading(out, f"POLICY of job {job.id}")
    print_fields(out, job.policy)


def print_fields(out: Console, policy: Policy) -> None:
    """The fields themselves, without a heading."""
    usual = dict(fields(Policy().model_dump(mode="json")))
    made = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("field", "value", "default"):
        made.add_column(name, overflow="fold")
    for name, value in fields(policy.model_dump(mode="json")):
        other = usual.get(name)
        differs = other != value
        made.add_row(
            Text(name), Text(value, style="yellow" if differs else ""), Text((other or "none") if differs else "")
        )
    out.print(made)


def fields(given: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each field with its dotted name and its value as JSON."""
    for name, value in given.items():
        if isinstance(value, dict):
            yield from fields(cast("Mapping[str, object]", value), f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", json.dumps(value, ensure_ascii=False)
