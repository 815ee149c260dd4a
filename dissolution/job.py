"""Jobs and steps: their statuses and the table of legal moves."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from dissolution.conversation import ConversationId, TurnNumber
from dissolution.ids import JobId
from dissolution.policy.job_policy import Policy
from dissolution.values import Frozen

TenantName = Annotated[str, Field(min_length=1, max_length=100)]


class Lane(StrEnum):
    """How urgent a job is among those that wait for workers; the first lane is served first."""

    INTERACTIVE = "interactive"  # somebody waits for it
    BATCH = "batch"  # many at once, nobody waits
    STABILITY = "stability"  # cycles and replicates of a stability run


class JobStatus(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"  # stored, nothing run yet
    RUNNING = "running"  # at least one step was claimed; also while nobody works on it
    HELD = "held"  # stopped before its commit, on request: a person commits or discards it
    COMMITTED = "committed"  # its one boundary stands
    HISTORY_KEPT = "history_kept"  # ended without a boundary; the history stays in force
    FAILED = "failed"  # ended by a fault; the history stays in force
    CANCELLED = "cancelled"  # ended on request; the history stays in force


JOB_MOVES: Mapping[JobStatus, frozenset[JobStatus]] = {
    JobStatus.QUEUED: frozenset({JobStatus.RUNNING, JobStatus.FAILED, JobStatus.CANCELLED}),
    JobStatus.RUNNING: frozenset(
        {JobStatus.HELD, JobStatus.COMMITTED, JobStatus.HISTORY_KEPT, JobStatus.FAILED, JobStatus.CANCELLED},
    ),
    JobStatus.HELD: frozenset({JobStatus.RUNNING, JobStatus.FAILED, JobStatus.CANCELLED}),
    JobStatus.COMMITTED: frozenset(),
    JobStatus.HISTORY_KEPT: frozenset(),
    JobStatus.FAILED: frozenset({JobStatus.RUNNING}),  # a re-queue
    JobStatus.CANCELLED: frozenset(),
}

ENDED = frozenset({JobStatus.COMMITTED, JobStatus.HISTORY_KEPT, JobStatus.FAILED, JobStatus.CANCELLED})

LIVE = frozenset({JobStatus.QUEUED, JobStatus.RUNNING})
"""Jobs whose steps may be claimed: neither over nor waiting for a person."""


class StepStatus(StrEnum):
    """Where a step stands."""

    QUEUED = "queued"
    RUNNING = "running"  # claimed under a lease
    DONE = "done"
    DEAD = "dead"  # failed for good; the reason is stored


STEPS_OVER = frozenset({StepStatus.DONE, StepStatus.DEAD})
"""Steps that nobody claims again unless they are reopened."""


class Job(Frozen):
    """One dissolution of one snapshot under one policy."""

    id: JobId
    conversation: ConversationId
    through: TurnNumber
    snapshot_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    fleet: Annotated[
        str, Field(min_length=1)
    ]  # how to build the fleet again: "extractive", "recorded:DIR", a roster path
    policy: Policy
    status: JobStatus = JobStatus.QUEUED
    reason: str | None = None  # why it ended as it did
    expected_version: Annotated[int, Field(ge=0)] = 0  # the ledger's version it builds on: the commit's fence
    hold: bool = False  # stop before the commit and wait for a person
    tenant: TenantName = "default"  # on whose account it runs
    lane: Lane | None = None  # where it waits for workers; None: it is run by the process that made it
    created_at: AwareDatetime
    ended_at: AwareDatetime | None = None


class Step(Frozen):
    """One stage of one job. `output` is the stage's typed result as JSON text."""

    job: JobId
    stage: str
    status: StepStatus = StepStatus.QUEUED
    epoch: Annotated[int, Field(ge=0)] = 0
    attempts: Annotated[int, Field(ge=0)] = 0
    owner: str | None = None
    lease_until: AwareDatetime | None = None
    started_at: AwareDatetime | None = None
    ended_at: AwareDatetime | None = None
    reason: str | None = None
    output: str | None = None


class Lease(Frozen):
    """The right to complete one step; worthless once somebody holds a later epoch."""

    job: JobId
    stage: str
    epoch: Annotated[int, Field(ge=1)]
    owner: str
    until: AwareDatetime


class JobEvent(Frozen):
    """Something that happened to a job, in order: what progress and logs are read from. No content in it."""

    job: JobId
    number: Annotated[int, Field(ge=1)]
    at: AwareDatetime
    kind: Annotated[str, Field(min_length=1, max_length=60)]
    detail: str = ""
