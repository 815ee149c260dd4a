"""The register step: what a conversation takes for granted is read on and stored."""

from dissolution.conversation import Snapshot
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.premises import Register
from dissolution.receipt.frame import PremiseReader, RegisterReport
from frame_agent.register.fold import advance
from workers.members.frame_members import read_by_members
from workers.services import Services
from workers.step_results import StepResult

TRIES = 5
"""Times a register is built anew because another job of the conversation stored turns of it in between."""


def build_register(services: Services, job: Job) -> StepResult:
    """Read on from where the conversation's register stands, and store what is new.

    Raises RuntimeError when others were first time and again; trying the step again starts from what stands then.
    """
    for _ in range(TRIES):
        snapshot, stored = _standing(services, job)
        register, readers = read_by_members(services, job, snapshot, stored, advance(stored, snapshot.turns))
        with services.unit_of_work() as work:
            if work.frames.extend(register):
                work.commit()
                return _built(register.at(job.through), len(register.events) - len(stored.events), readers)
    message = f"the register of conversation {job.conversation!r} was added to by others {TRIES} times"
    raise RuntimeError(message)


def _standing(services: Services, job: Job) -> tuple[Snapshot, Register]:
    with services.unit_of_work() as work:
        snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
        return snapshot, work.frames.register(job.conversation)


def _built(register: Register, added: int, readers: tuple[PremiseReader, ...]) -> StepResult:
    report = RegisterReport(
        through=register.through,
        digest=register.digest,
        premises=len(register.premises),
        added=added,
        readers=readers,
    )
    failed = sum(reader.failure is not None for reader in readers)
    told = f"; {len(readers) - failed} of {len(readers)} members read too" if readers else ""
    return StepResult(output=report, note=f"{report.premises} premises{told}")


def register_of(work: UnitOfWork, job: Job) -> Register:
    """The register as it stands for a job: of its snapshot's turns alone."""
    return work.frames.register(job.conversation).at(job.through)
