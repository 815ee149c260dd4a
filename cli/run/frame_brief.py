"""The review in short, beside a boundary: what reviewers say by fault, what was changed, and where to read all."""

from rich.console import Console
from rich.text import Text

from cli.run.results import Result
from cli.shared.output import hint
from cli.shared.views import heading, shortened
from prompts.export.frame_notes import frame_note
from prompts.export.reason_words import fault_in_words


def print_frame(out: Console, result: Result, *, db: str | None) -> None:
    """Findings of a job by fault, those that changed the candidate, and the command that shows all.

    Nothing is printed for a job without a receipt: it has not ended, and its verdict says so.
    """
    if result.receipt is None:
        return
    note = frame_note(result.receipt.frame)
    heading(out, "REVIEW: what reviewers say of the boundary")
    out.print(Text(note.told))
    for one in note.done:
        about = " / ".join(shortened(claim.text, 120) for claim in one.claims) or shortened(one.words, 300)
        out.print(Text(f"• {fault_in_words(one)}: {about}", style="yellow"))
    if note.more:
        out.print(Text(f"  … {note.more} more"))
    for reason in note.blocked:
        out.print(Text(f"keeps it from being committed: {reason}", style="red"))
    out.print(Text(f"all of it: {hint('frame', result.job.id, db=db)}", style="dim"), soft_wrap=True)
