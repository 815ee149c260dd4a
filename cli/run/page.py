"""A boundary as a page: what `dissolve show --as html` prints, with what a context made of it leaves out."""

from collections.abc import Iterator

from cli.run.results import Result, rendering
from dissolution.errors import BudgetTooSmall
from prompts.export.messages import boundary_messages
from workers.bootstrap import reader_counter


def html(result: Result) -> str:
    """The boundary of a job as one self-contained HTML document."""
    from reports.boundary_page import boundary_page

    boundary, conversation = result.boundary, result.conversation
    return boundary_page(boundary, conversation, result.receipt, result.undecided, tuple(left_out(result)))


def left_out(result: Result, budget_tokens: int | None = None) -> Iterator[str]:
    """What a context within a budget, else the policy's, leaves out, in sentences; nothing before there is a commit."""
    if result.boundary.version is None:
        return
    render = rendering(result.job, budget_tokens)
    budget = f"A context within {render.budget_tokens} tokens"
    try:
        rendered = boundary_messages(
            result.boundary, result.conversation, render, reader_counter(render.reader), result.notable
        )
    except BudgetTooSmall as error:
        yield f"{budget} cannot be made: what is decided needs {error.needed_tokens}."
        return
    gone = rendered.left_out
    counts = {f"claims of {section.value}": count for section, count in gone.claims.items()}
    counts |= {"excerpts": gone.excerpts, "of the last turns": gone.turns, "system messages": gone.operator_turns}
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    if told:
        yield f"{budget} leaves out {told}; this page and `dissolve recall` have them."
