"""Options that several commands share, and the names that typer offers for them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from dissolution.errors import InputError
from dissolution.policy.effort import Effort

Db = Annotated[str | None, typer.Option("--db", help="Database URL [default: ~/.dissolution/ledger.sqlite3].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write boundary, messages and receipt there.")]
BudgetTokens = Annotated[
    int | None,
    typer.Option(
        "--budget-tokens", min=200, max=1_000_000, help="Token budget of the messages [default: the policy's]."
    ),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Print the boundary, dissent, review and receipt too, and who answers when.")
]
By = Annotated[str | None, typer.Option("--by", help="Who acts, for the record [default: the login name].")]
Why = Annotated[str | None, typer.Option("--why", help="The reason, for the record.")]
FormName = Literal[
    "native",
    "native_jsonl",
    "openai",
    "anthropic",
    "message_jsonl",
    "transcript",
    "claude_code",
    "codex",
    "chatgpt",
    "claude_ai",
    "langchain",
    "responses",
    "gemini",
    "slack",
    "markdown",
    "subtitles",
    "chat_log",
]
"""The values of `language.intake.options.Form`, which `--help` must not wait for."""
FileForm = Annotated[
    FormName | None,
    typer.Option("--format", help="Form of the file [default: detected]."),
]
Efforts = Annotated[
    Effort | None,
    typer.Option(
        "--effort", help="Preset of members, reviewers and questions; what the policy says of them wins [default: its]."
    ),
]
OfFile = Annotated[
    str | None, typer.Option("--conversation", help="Which conversation of the file, where it holds several.")
]
Timezone = Annotated[str | None, typer.Option("--timezone", help="Zone of times without one, such as Europe/Oslo.")]
SectionName = Literal["KNOWN", "DECIDED", "EDGES", "IDENTITY"]


def check_budget_option(budget_tokens: int | None, *, renders: bool, needs: str) -> None:
    """Refuse a token budget for nothing. Raises InputError."""
    if budget_tokens is not None and not renders:
        raise InputError(f"--budget-tokens {budget_tokens} without {needs}", f"give {needs}, or leave it out")
