"""`dissolve preview`, `commit` and `discard`: a job that waits for a person before its commit."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from cli.frame.frame_views import print_summary
from cli.ledger.ledger_changes import counts_in_words, items_document, print_items
from cli.ledger.suspected import hints_document, print_hints
from cli.run.run import Giving, report, run_to_end, the_job
from cli.shared.exits import Exit
from cli.shared.naming import actor_of
from cli.shared.output import hint, printing, say
from cli.shared.progress import progress_on
from cli.shared.views import console, print_excerpts
from dissolution.boundary import BoundaryState
from dissolution.conversation import Conversation
from dissolution.errors import InputError
from dissolution.findings import GateDecision, Verdict
from dissolution.job import ENDED, Job, JobStatus
from dissolution.ports.store import UnitOfWork
from dissolution.receipt.frame import FrameSummary
from dissolution.reviewing import Hint
from dissolution.settings import load_settings
from dissolution.values import NotMeasured
from prompts.export.verdict_words import VerdictWords, verdict_words
from workers.bootstrap import open_services
from workers.members.cycles import prior_boundary
from workers.results.candidate import candidate_of, current_candidate, current_decision
from workers.results.frame_summary import frame_summary
from workers.results.ledger_diff import Item, difference, items
from workers.results.receipt import build_receipt
from workers.stages.hold import approve, discard

NOT_AUDITED = NotMeasured(not_measured="the frame audit has not run")
UNDECIDED = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=("the gate has not decided yet",))


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What committing a job would do to the ledger."""

    job: Job
    conversation: Conversation
    candidate: BoundaryState
    decided: bool
    items: tuple[Item, ...]
    present: int  # the ledger's version by now
    hints: tuple[Hint, ...] = ()
    frame: FrameSummary | NotMeasured = NOT_AUDITED
    told: VerdictWords | None = None  # the verdict in words; None before there is one


def preview_job(name: str, *, db: str | None, as_json: bool) -> Exit:
    """Print what the commit of a job would add, revise, close, carry and promote, and why, and what is only suspected.

    Nothing is changed.
    """
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        preview = preview_of(work, the_job(work.jobs.find(name), name))
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(json.dumps(document(preview), ensure_ascii=False, indent=1) + "\n")
        else:
            print_preview(preview, db=db)
    return Exit.OK


def preview_of(work: UnitOfWork, job: Job) -> Preview:
    """The preview of a job that has its consensus and no boundary yet. Raises InputError for any other."""
    if job.status is JobStatus.COMMITTED:
        raise InputError(f"job {job.id!r} has committed", "see `dissolve log` and `dissolve diff` for what it did")
    if all(step.output is None for step in work.jobs.steps(job.id) if step.stage == "consensus"):
        remedy = "see its receipt with `dissolve show`" if job.status in ENDED else "run it on with `dissolve resume`"
        raise InputError(f"job {job.id!r} ({job.status.value}) has no consensus to preview", remedy)
    decision = current_decision(work, job)
    consensus = current_candidate(work, job)
    candidate = candidate_of(job, consensus, decision or UNDECIDED)
    return Preview(
        job=job,
        conversation=work.conversations.get(job.conversation),
        candidate=candidate,
        decided=decision is not None,
        items=items(difference(prior_boundary(work, job), candidate), (candidate,), ()),
        present=work.boundaries.version(job.conversation),
        hints=consensus.hints,
        frame=frame_summary(work, job),
        told=None if decision is None else words_of(work, job, candidate),
    )


def words_of(work: UnitOfWork, job: Job, candidate: BoundaryState) -> VerdictWords:
    """The verdict on a candidate that is not committed, with what its receipt would say by now."""
    receipt = work.boundaries.receipt(job.id) or build_receipt(work, job, candidate.decision, job.created_at)
    return verdict_words(candidate, receipt, waits=job.status not in ENDED)


def document(preview: Preview) -> dict[str, object]:
    """The preview as JSON values."""
    job, decision = preview.job, preview.candidate.decision
    return {
        "conversation": job.conversation,
        "job": job.id,
        "status": job.status.value,
        "through": job.through,
        "from_version": job.expected_version,
        "present_version": preview.present,
        "verdict": decision.verdict.value if preview.decided else {"not_measured": "the gate has not decided yet"},
        "reasons": list(decision.reasons) if preview.decided else [],
        "changes": items_document(preview.items, preview.conversation),
        "hints": hints_document(preview.hints, preview.candidate.claims),
        "excerpts": [excerpt.model_dump(mode="json") for excerpt in preview.candidate.excerpts],
        "frame": preview.frame.model_dump(mode="json"),
    }


def print_preview(preview: Preview, *, db: str | None) -> None:
    """The preview for a person, and how to go on."""
    out, job = console(), preview.job
    told = preview.told.told if preview.told else "Not decided yet."
    out.print(Text(told, style="yellow"))
    out.print(
        Text(f"job {job.id} ({job.status.value.replace('_', ' ')}): {job.conversation!r}, turns 1 to {job.through}")
    )
    against = f"beside version {job.expected_version}" if job.expected_version else "nothing is held yet"
    out.print(Text(f"{against}: {counts_in_words(preview.items)}"))
    if preview.present != job.expected_version:
        moved = f"the ledger is at version {preview.present} by now; `dissolve commit` reconciles the job with it first"
        out.print(Text(moved, style="yellow"))
    print_excerpts(out, preview.candidate)
    print_items(out, preview.items)
    print_hints(out, preview.hints, preview.candidate.claims)
    if not isinstance(preview.frame, NotMeasured):
        print_summary(out, without_hints(preview.frame, preview.hints))
    if job.status is JobStatus.HELD:
        out.print()
        ways = f"{hint('commit', job.id, db=db)} · {hint('discard', job.id, db=db)}"
        out.print(Text(f"go on: {ways}", style="dim"), soft_wrap=True)


def without_hints(frame: FrameSummary, told: Sequence[Hint]) -> FrameSummary:
    """The summary without the hints that stand above it already: a review is given those of the consensus, too."""
    return frame.model_copy(update={"hints": tuple(one for one in frame.hints if one not in told)})


def commit_job(name: str, giving: Giving) -> Exit:
    """Let a held job go on to its commit, and print what came of it.

    When the ledger has moved on since it was held, it is reconciled with what stands now and held again.
    """
    settings = load_settings(db=giving.db)
    with (
        progress_on(sys.stderr, verbose=giving.verbose) as progress,
        open_services(settings, progress, create=False) as services,
    ):
        with services.unit_of_work() as work:
            job = the_job(work.jobs.find(name), name)
        same = approve(services, job)
        ended = run_to_end(services, job, db=giving.db)
        progress.stop()
        if ended.status is JobStatus.HELD:
            moved = "while it was being committed" if same else "since it was held"
            look = hint("preview", job.id, db=giving.db)
            say(f"the ledger moved on {moved}; job {job.id} is reconciled with it and held again: {look}")
            if giving.as_json:
                with services.unit_of_work() as work, printing(Exit.HELD):
                    told = document(preview_of(work, ended))
                    sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
            return Exit.HELD
        return report(services, ended, giving)


def discard_job(name: str, *, why: str | None, by: str | None, db: str | None, as_json: bool) -> Exit:
    """End a held job without a boundary."""
    reason = f"discarded by {actor_of(by)}: {why or 'no reason given'}"
    with open_services(load_settings(db=db), create=False) as services:
        with services.unit_of_work() as work:
            job = the_job(work.jobs.find(name), name)
        ended = discard(services, job, reason)
    with printing(Exit.OK):
        if as_json:
            told = {"job": ended.id, "status": ended.status.value, "reason": ended.reason}
            sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        else:
            sys.stdout.write(f"job {ended.id} is discarded; the history stays in force\n")
    return Exit.OK
