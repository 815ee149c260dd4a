"""What changed in a ledger, for a person at a terminal and as JSON: previews and diffs say it in the same form."""

from collections.abc import Sequence

from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from cli.shared.views import shortened
from dissolution.conversation import Conversation
from prompts.export.document import claim_document
from prompts.export.notes import standing_notes
from prompts.export.reason_words import reason_in_words
from workers.results.ledger_diff import Item, Kind

HEADINGS = {
    Kind.ADDED: "said for the first time",
    Kind.PROMOTED: "was set aside before, and enough models state it now",
    Kind.REVISED: "takes the place of what was held",
    Kind.CLOSED: "held no longer",
    Kind.CARRIED: "not said again, and nothing closes it",
    Kind.AFFIRMED: "said again",
    Kind.RESTORED: "stands again as it did in an earlier version",
    Kind.MARKED: "marked by a person",
    Kind.CONTESTED: "contradicts another claim, and no turn settles it",
    Kind.REPAIRED: "the answers would have lost or weakened it; it stands as it was",
}
COUNTED = {
    Kind.ADDED: "new",
    Kind.PROMOTED: "taken in, set aside before",
    Kind.REVISED: "changed",
    Kind.CLOSED: "ended",
    Kind.CARRIED: "kept though not said again",
    Kind.AFFIRMED: "said again",
    Kind.RESTORED: "restored",
    Kind.MARKED: "marked by a person",
    Kind.CONTESTED: "contradicted",
    Kind.REPAIRED: "put right",
}
"""Each kind after a number."""

SIGNS = {
    Kind.ADDED: "+",
    Kind.PROMOTED: "+",
    Kind.REVISED: "~",
    Kind.CLOSED: "-",
    Kind.CARRIED: "=",
    Kind.AFFIRMED: "=",
    Kind.RESTORED: "<",
    Kind.MARKED: "*",
    Kind.CONTESTED: "?",
    Kind.REPAIRED: "!",
}
STYLES = {"+": "green", "~": "yellow", "-": "red", "!": "yellow", "?": "yellow"}


def items_document(items: Sequence[Item], conversation: Conversation) -> dict[str, JsonValue]:
    """Every kind with its items, empty ones too."""
    return {
        kind.value: [
            {
                "claim": claim_document(item.claim, conversation),
                "was": None if item.was is None else claim_document(item.was, conversation),
                "other": item.other,
                "reason": item.reason,
            }
            for item in items
            if item.kind is kind
        ]
        for kind in Kind
    }


def counts_in_words(items: Sequence[Item]) -> str:
    """How many of each kind, as one line."""
    counts = {kind: sum(item.kind is kind for item in items) for kind in Kind}
    return ", ".join(f"{count} {COUNTED[kind]}" for kind, count in counts.items() if count) or "no difference"


def print_items(out: Console, items: Sequence[Item]) -> None:
    """The items under a heading for each kind."""
    for kind in Kind:
        own = [item for item in items if item.kind is kind]
        if own:
            out.print()
            out.print(Text(f"{kind.value.upper()} ({len(own)}): {HEADINGS[kind]}", style="bold"))
        for item in own:
            _print_item(out, item)


def _print_item(out: Console, item: Item) -> None:
    sign = SIGNS[item.kind]
    notes = "".join(f" [{note}]" for note in standing_notes(item.claim))
    out.print(
        Text.assemble((f"{sign} ", STYLES.get(sign, "")), f"[{item.claim.section.value}] {item.claim.text}", notes)
    )
    if item.kind is Kind.REVISED and item.was is not None:
        out.print(Text(f"    was {item.was.id}: {item.was.text}", style="dim"))
    other = f"; {item.other}" if item.other else ""
    turns = sorted({piece.turn for piece in item.claim.evidence})
    named = f"turn{'s' * (len(turns) > 1)} {', '.join(map(str, turns))}"
    place = f"; {named}" if turns else ""
    out.print(Text(f"    {item.claim.id}  {shortened(reason_in_words(item.reason), 300)}{other}{place}", style="dim"))
