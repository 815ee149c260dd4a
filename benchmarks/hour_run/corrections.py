"""Ten small conversations with one plain correction each, run without a key: what is told of the replaced value?

An unread run may assert nothing. It quotes; where it quotes both values the right one is to stand last.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.hour_run.stranger import ROOT, Stranger
from dissolution.claims import Section
from prompts.export.framing import HEADINGS

FOLDER = ROOT / "benchmarks" / "data" / "corrections"
BUDGET_TOKENS = 250
"""Of the context: too small for most of these conversations, so that something is left out and something is chosen."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one run tells of the two values.

    Attributes:
        conversation: Its id.
        asserted: Claims of the boundary, and lines that the context tells as known, decided, open or binding, that
            name the replaced value without the right one. To be 0.
        quoted: Whether the replaced value is quoted in the excerpts.
        right_quoted: Whether the right one is.
        newest_last: Whether, where both are quoted, the last quotation of either is the right one; None else.
        stale_context: Whether the context names the replaced value and never the right one.
    """

    conversation: str
    asserted: int
    quoted: bool
    right_quoted: bool
    newest_last: bool | None
    stale_context: bool

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def corrections(stranger: Stranger) -> list[Told]:
    """Run all of them. Raises RuntimeError when a command of this project fails."""
    return [correction(stranger, file) for file in sorted(FOLDER.glob("*.json"))]


def correction(stranger: Stranger, file: Path) -> Told:
    """Run one conversation without a key, and read its boundary and its context."""
    name = file.stem
    boundary = answered(stranger, "run", str(file), "--json")
    context = answered(stranger, "show", name, "--as", "messages", "--budget-tokens", str(BUDGET_TOKENS))
    return told(name, json.loads(file.read_text(encoding="utf-8"))["correction"], boundary, context)


def answered(stranger: Stranger, *words: str) -> dict[str, Any]:
    """The JSON that a command prints."""
    done, _ = stranger.types(words)
    if done.returncode:
        raise RuntimeError(f"dissolve {' '.join(words)} ended with {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def told(name: str, values: Mapping[str, Any], boundary: Mapping[str, Any], context: Mapping[str, Any]) -> Told:
    """What a boundary document and a context tell of a replaced and a right value.

    Args:
        name: The conversation.
        values: `replaced` and `right`.
        boundary: The document that `run --json` prints.
        context: The document that `show --as messages` prints.
    """
    old, new = str(values["replaced"]), str(values["right"])
    claims = [claim["text"] for section in Section for claim in boundary["sections"][section]]
    texts = [message["content"] for message in context["messages"]]
    stated = [*claims, *(line for text in texts for line in asserted_lines(text))]
    quotes = [quote for quote in (one["text"] for one in boundary["excerpts"]) if old in quote or new in quote]
    both = any(old in quote for quote in quotes) and any(new in quote for quote in quotes)
    whole = "\n".join(texts)
    return Told(
        conversation=name,
        asserted=sum(old in line and new not in line for line in stated),
        quoted=any(old in quote for quote in quotes),
        right_quoted=any(new in quote for quote in quotes),
        newest_last=new in quotes[-1] if both else None,
        stale_context=old in whole and new not in whole,
    )


def asserted_lines(text: str) -> Iterator[str]:
    """The lines of a context's text that stand under a heading of a section."""
    under = False
    for line in text.splitlines():
        if line in HEADINGS.values():
            under = True
        elif not line.strip():
            under = False
        elif under:
            yield line
