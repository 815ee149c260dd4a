"""What steps hand back: their output, and what must become true in the same transaction as their completion."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dissolution.estimates import PathEstimate
from dissolution.findings import GateDecision, NotRun
from dissolution.job import Job, JobStatus
from dissolution.ports.store import UnitOfWork
from dissolution.values import Frozen
from fleet.budget import Estimate
from workers.concurrency.step_memory import steps_of


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """A finished step: `output` is stored as JSON; `effect` runs in the transaction that completes the step."""

    output: Frozen
    note: str  # a few words for whoever watches, without content
    effect: Callable[[UnitOfWork], None] | None = None


class FanOutReport(Frozen):
    """Output of the fan-out step. The calls themselves are rows of their own."""

    asked: int
    answered: int
    estimate: Estimate  # made before anybody was asked, over those not yet asked
    counters: Mapping[str, str] = {}  # how prompts were counted, by member; those that count none are left out
    shown_version: int = 0  # the version of the ledger whose claims the members were shown; 0 = none
    since: int = 0  # the turn after which they read
    expected: PathEstimate | None = None  # of the whole path; None where no member is asked in words


class ParseReport(Frozen):
    """Output of the parse step. The answers themselves are rows of their own."""

    usable: int
    families: tuple[str, ...]
    statements: int
    chosen: int = 0  # stretches of turns that extraction methods chose


class Ending(Frozen):
    """Output of the commit step: how the job ended."""

    status: JobStatus
    decision: GateDecision
    version: int | None = None  # of the committed boundary


def not_run_of(output: str) -> NotRun | None:
    """The stored output as a NotRun, or None when the stage did run."""
    return NotRun.model_validate_json(output) if set(json.loads(output)) == set(NotRun.model_fields) else None


def step_output(work: UnitOfWork, job: Job, stage: str) -> str:
    """The stored output (JSON text) of a finished step of `job`."""
    for step in steps_of(work, job):
        if step.stage == stage and step.output is not None:
            return step.output
    message = f"step {stage!r} of job {job.id!r} has no output; it runs before the step that asks for it"
    raise LookupError(message)
