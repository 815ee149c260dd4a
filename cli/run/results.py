"""What a job came to, gathered from the store and given out: printed, as one JSON document, or as files."""

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.run.answered_of import Answered, answered_of
from cli.shared.output import hint, say
from dissolution.boundary import BoundaryState
from dissolution.boundary_size import SEND_HISTORY, size_of_boundary
from dissolution.conversation import Conversation
from dissolution.errors import BudgetTooSmall
from dissolution.findings import GateDecision, Verdict
from dissolution.job import ENDED, Job, JobStatus
from dissolution.policy.job_policy import RenderPolicy
from dissolution.ports.store import UnitOfWork
from dissolution.receipt.job_receipt import Receipt
from dissolution.values import NotMeasured
from prompts.export.document import boundary_document
from prompts.export.markdown import boundary_markdown
from prompts.export.messages import boundary_messages
from workers.bootstrap import reader_counter
from workers.results.candidate import candidate_of, current_candidate, current_decision
from workers.results.receipt import build_receipt
from workers.services import Services
from workers.stages.trigger_pressure import notable_turns

FILES = ("boundary.json", "boundary.md", "receipt.json", "messages.json")
"""What --out writes; a file of an earlier job that this one has nothing for is taken away."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """All there is to show of one job. `boundary` is the committed one, or the newest candidate, which was not."""

    job: Job
    conversation: Conversation
    boundary: BoundaryState
    receipt: Receipt | None
    notable: tuple[int, ...] | None = None  # turns that were far more surprising than the rest; None: not measured
    answered: Answered | None = None  # test questions, answered from the newest candidate; None: none was put to it
    draft: Receipt | None = None  # of a job that is held: what its receipt would say by now; never stored

    @property
    def account(self) -> Receipt | None:
        """The receipt, or what it would say of a job that is held."""
        return self.receipt or self.draft

    @property
    def undecided(self) -> NotMeasured | None:
        """Why there is no verdict; None when there is one."""
        return None if self.job.status in ENDED else NotMeasured(not_measured="the job has not ended")


def gather(services: Services, job: Job) -> Result:
    """Read everything about a job back from the store; a job without a consensus has an empty candidate.

    The job is read again as well: it may have ended since.
    """
    with services.unit_of_work() as work:
        job = work.jobs.get(job.id)
        conversation = work.conversations.get(job.conversation)
        receipt = work.boundaries.receipt(job.id)
        boundary = work.boundaries.by_job(job.id)
        heard = any(step.stage == "consensus" and step.output is not None for step in work.jobs.steps(job.id))
        candidate = current_candidate(work, job) if heard and boundary is None else None
        notable = notable_turns(work, job.conversation)
        draft = draft_of(work, job)
        answered = answered_of(work, job, unanswered_in(receipt or draft))
    if boundary is None:
        # Of a job that has not ended nobody is shown this decision: `Result.undecided` stands in its place.
        reason = job.reason or f"the job is {job.status.value}"
        told = receipt or draft
        decision = told.decision if told else GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=(reason,))
        if candidate is None:
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
            boundary = candidate_of(job, candidate, decision)
    return Result(
        job=job,
        conversation=conversation,
        boundary=boundary,
        receipt=receipt,
        notable=notable,
        answered=answered,
        draft=draft,
    )


def draft_of(work: UnitOfWork, job: Job) -> Receipt | None:
    """What the receipt of a job that is held would say; None of any other job, and before its verdict."""
    if job.status is not JobStatus.HELD or (decision := current_decision(work, job)) is None:
        return None
    return build_receipt(work, job, decision, job.created_at)


def unanswered_in(receipt: Receipt | None) -> int:
    """Questions of the last round that its reader left out."""
    if receipt is None or isinstance(receipt.probe, NotMeasured) or not receipt.probe.rounds:
        return 0
    return receipt.probe.rounds[-1].unanswered


def document(result: Result) -> dict[str, Any]:
    """The one JSON document of `--json`: the boundary document with the job's status and the receipt."""
    receipt = result.receipt
    return {
        **boundary_document(result.boundary, result.conversation, result.undecided),
        "status": result.job.status.value,
        "committed": result.boundary.version is not None,
        "receipt": receipt.model_dump(mode="json") if receipt else None,
    }


def print_json(result: Result) -> None:
    """Exactly one JSON document on stdout."""
    sys.stdout.write(json.dumps(document(result), ensure_ascii=False, indent=1) + "\n")


def print_result(result: Result, *, db: str | None, verbose: bool = False) -> None:
    """What a job came to on one screen, for a person; with `verbose` everything before it."""
    from cli.run.first_screen import print_screen, print_verdict
    from cli.shared.views import console

    out = console()
    if verbose:
        from cli.run.frame_brief import print_frame
        from cli.run.receipt_views import print_receipt
        from cli.shared.views import print_boundary, print_dissent

        print_verdict(out, result)
        print_boundary(out, result.boundary, result.conversation)
        print_dissent(out, result.boundary, full=False, db=db)
        print_frame(out, result, db=db)
        if result.receipt is not None:
            print_receipt(out, result.receipt)
        out.print()
    print_screen(out, result, db=db)


def write_out(result: Result, folder: Path, *, budget_tokens: int | None, db: str | None) -> None:
    """Write boundary.json, boundary.md, messages.json and receipt.json; each is whole or absent.

    The messages are left out when the job has not committed, as nothing may replace the history then, and when they
    do not fit into the budget, which is said on stderr.

    Raises:
        OSError: the folder or a file in it cannot be written.
    """
    files = {
        "boundary.json": json.dumps(document(result), ensure_ascii=False, indent=1),
        "boundary.md": markdown(result),
    }
    if result.receipt is not None:
        files["receipt.json"] = result.receipt.model_dump_json(indent=1)
    if result.boundary.version is not None:
        try:
            files["messages.json"] = messages_json(result, budget_tokens, db=db)
        except BudgetTooSmall as error:
            render = ("show", result.job.id, "--as", "messages", "--budget-tokens", error.needed_tokens)
            say(f"messages.json is not written: {error.what}; run `{hint(*render, db=db)}`")
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if name in files:
            write_whole(folder / name, files[name].rstrip("\n") + "\n")
        else:
            (folder / name).unlink(missing_ok=True)


def markdown(result: Result) -> str:
    """The boundary as Markdown."""
    return boundary_markdown(result.boundary, result.conversation, result.receipt, result.undecided)


def messages_json(result: Result, budget_tokens: int | None = None, *, db: str | None = None) -> str:
    """The messages ready to send, as JSON, within `budget_tokens` or else the policy's budget.

    What they leave out is said on stderr, with how to find it. Raises BudgetTooSmall.
    """
    render = rendering(result.job, budget_tokens)
    counter = reader_counter(render.reader)
    rendered = boundary_messages(result.boundary, result.conversation, render, counter, result.notable)
    if size_of_boundary(result.boundary, result.conversation.snapshot(result.boundary.through), counter).send_history:
        say(SEND_HISTORY)
    left_out = {section: count for section, count in rendered.left_out.claims.items() if count}
    if left_out:
        counts = ", ".join(f"{count} of {section.value}" for section, count in left_out.items())
        find = hint("recall", result.boundary.conversation, db=db)
        say(f"the messages leave out claims to stay within {render.budget_tokens} tokens ({counts}): {find}")
    return rendered.model_dump_json(indent=1)


def rendering(job: Job, budget_tokens: int | None) -> RenderPolicy:
    """How the job's policy says to render, with another token budget when one is given; the policy stays as it is."""
    render = job.policy.render
    return render if budget_tokens is None else render.model_copy(update={"budget_tokens": budget_tokens})


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
