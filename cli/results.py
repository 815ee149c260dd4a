"""What a job came to, gathered from the store and given out: printed, as one JSON document, or as files."""

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dissolution.boundary import BoundaryState
from dissolution.conversation import Conversation
from dissolution.errors import InputError
from dissolution.findings import Consensus, GateDecision, Verdict
from dissolution.job import Job
from dissolution.receipt import Receipt
from prompts.export.document import boundary_document
from prompts.export.markdown import boundary_markdown
from prompts.export.messages import boundary_messages
from workers.committing import candidate_of
from workers.services import Services


@dataclass(frozen=True, kw_only=True)
class Result:
    """All there is to show of one job. `boundary` is the committed one, or the candidate that was not committed."""

    job: Job
    conversation: Conversation
    boundary: BoundaryState
    receipt: Receipt | None


def gather(services: Services, job: Job) -> Result:
    """Read everything about a job back from the store; a job without a consensus has an empty candidate."""
    with services.unit_of_work() as work:
        conversation = work.conversations.get(job.conversation)
        receipt = work.boundaries.receipt(job.id)
        boundary = work.boundaries.by_job(job.id)
        outputs = {step.stage: step.output for step in work.jobs.steps(job.id)}
    if boundary is None:
        reason = job.reason or f"the job is {job.status.value}"
        decision = receipt.decision if receipt else GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=(reason,))
        heard = outputs["consensus"]
        if heard is None:
            boundary = BoundaryState(
                conversation=job.conversation,
                job=job.id,
                through=job.through,
                snapshot_digest=job.snapshot_digest,
                decision=decision,
                claims=(),
                dissent=(),
            )
        else:
            boundary = candidate_of(job, Consensus.model_validate_json(heard), decision)
    return Result(job=job, conversation=conversation, boundary=boundary, receipt=receipt)


def document(result: Result) -> dict[str, Any]:
    """The one JSON document of `--json`: the boundary document with the job's status and the receipt."""
    receipt = result.receipt
    return {
        **boundary_document(result.boundary, result.conversation),
        "status": result.job.status.value,
        "committed": result.boundary.version is not None,
        "receipt": receipt.model_dump(mode="json") if receipt else None,
    }


def print_json(services: Services, job: Job) -> None:
    """Exactly one JSON document on stdout."""
    sys.stdout.write(json.dumps(document(gather(services, job)), ensure_ascii=False, indent=1) + "\n")


def print_result(services: Services, job: Job) -> None:
    """The boundary, the dissent in short and the receipt, for a person."""
    from cli.views import console, print_boundary, print_dissent, print_ending, print_receipt

    result = gather(services, job)
    out = console()
    print_boundary(out, result.boundary, result.conversation)
    print_dissent(out, result.boundary, full=False)
    if result.receipt is not None:
        print_receipt(out, result.receipt, full=False)
    print_ending(out, result.job, result.boundary)


def write_out(services: Services, job: Job, folder: Path) -> None:
    """Write boundary.json, boundary.md, messages.json and receipt.json; each is whole or absent.

    The messages are left out when the job has not committed: nothing may replace the history then.
    """
    result = gather(services, job)
    files = {
        "boundary.json": json.dumps(document(result), ensure_ascii=False, indent=1),
        "boundary.md": boundary_markdown(result.boundary, result.conversation, result.receipt),
    }
    if result.receipt is not None:
        files["receipt.json"] = result.receipt.model_dump_json(indent=1)
    if result.boundary.version is not None:
        files["messages.json"] = messages_json(services, result)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            write_whole(folder / name, text + "\n")
    except OSError as error:
        raise InputError(
            f"--out {str(folder)!r}", f"cannot be written: {error.strerror}; the job itself ended"
        ) from error


def messages_json(services: Services, result: Result) -> str:
    """The messages ready to send, as JSON."""
    rendered = boundary_messages(result.boundary, result.conversation, result.job.policy.render, services.counter)
    return rendered.model_dump_json(indent=1)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
