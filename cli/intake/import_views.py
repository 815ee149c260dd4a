"""What `dissolve import` tells of the conversations that it found."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from cli.shared.output import hint
from cli.shared.views import console, shortened
from dissolution.errors import DissolutionError
from language.secrets.replacing import replace_secrets

TITLE_CHARS = 40
NAMED = 5
"""So many files that were passed over are named; all of them with --json."""
_ONLY_SHOWN = b"shown in a list"  # no placeholder that is made with it is stored


@dataclass(frozen=True, kw_only=True)
class Imported:
    """A conversation that was stored or is listed; `added` is None in a list."""

    id: str
    title: str | None
    form: str
    reason: str
    source: str
    turns: int
    added: int | None
    first: datetime | None
    last: datetime | None
    warnings: tuple[str, ...]


@dataclass
class Outcome:
    """What became of everything that was given."""

    taken: list[Imported] = field(default_factory=list[Imported])
    refused: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    passed_over: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def refuse(self, place: str, error: DissolutionError) -> None:
        """Note what was asked for and could not be taken."""
        self.refused.append((place, str(error)))

    def pass_over(self, place: str, reason: str) -> None:
        """Note what nobody asked for by name and that holds no conversation to take."""
        self.passed_over.append((place, reason))


def outcome_lines(outcome: Outcome) -> Iterator[str]:
    """Lines for a person on stderr: refusals each, what was passed over in short, notes where they are few."""
    for place, reason in outcome.refused:
        yield reason if Path(place).name in reason else f"{place}: {reason}"
    if outcome.passed_over:
        named = ", ".join(place for place, _ in outcome.passed_over[:NAMED])
        rest = len(outcome.passed_over) - NAMED
        more = f" and {rest} more" if rest > 0 else ""
        yield f"{len(outcome.passed_over)} passed over ({named}{more}); --json says why"
    noted = [one for one in outcome.taken if one.warnings]
    if len(outcome.taken) == 1:
        yield from (warning for one in noted for warning in one.warnings)
    elif noted:
        yield f"{len(noted)} of {len(outcome.taken)} conversations have notes; --json says which"


def as_json(outcome: Outcome) -> dict[str, Any]:
    """The document of --json."""
    return {
        "conversations": [
            {
                "id": one.id,
                "title": _clean(one.title),
                "form": one.form,
                "reason": one.reason,
                "source": one.source,
                "turns": one.turns,
                "added": one.added,
                "first": None if one.first is None else one.first.isoformat(),
                "last": None if one.last is None else one.last.isoformat(),
                "warnings": list(one.warnings),
            }
            for one in outcome.taken
        ],
        "refused": [{"what": place, "reason": reason} for place, reason in outcome.refused],
        "passed_over": [{"what": place, "reason": reason} for place, reason in outcome.passed_over],
    }


def print_found(outcome: Outcome, *, stored: bool, db: str | None) -> None:
    """A row for each conversation, the reason of each form once, and the next command."""
    if not outcome.taken:
        return
    out = console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("id", "turns", *(["new"] if stored else []), "first", "last", "form", "title"):
        table.add_column(heading, justify="right" if heading in {"turns", "new"} else "left", overflow="fold")
    for one in outcome.taken:
        new = [str(one.added)] if stored else []
        cells = (one.id, str(one.turns), *new, _day(one.first), _day(one.last), one.form, _shown_title(one))
        table.add_row(*map(Text, cells))
    out.print(table)
    for (form, reason), count in Counter((one.form, one.reason) for one in outcome.taken).items():
        out.print(Text(f"{form} ({count}): {reason}"))
    longest = max(outcome.taken, key=lambda one: one.turns)
    if stored:
        out.print(Text(f"dissolve one: {hint('run', longest.id, db=db)}"))
    else:
        out.print(Text("nothing was stored: without --list they are, --conversation ID takes one"))


def _day(at: datetime | None) -> str:
    return "-" if at is None else at.date().isoformat()


def _shown_title(one: Imported) -> str:
    return shortened(_clean(one.title) or "-", TITLE_CHARS)


def _clean(text: str | None) -> str | None:
    """A title without secrets: in a list nothing has replaced them yet."""
    return None if text is None else replace_secrets(text, key=_ONLY_SHOWN).text
