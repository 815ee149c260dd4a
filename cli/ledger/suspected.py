"""What a cycle suspects of held claims, for a person at a terminal and as JSON: it ends nothing by itself."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from cli.shared.views import shortened
from dissolution.claims import Claim, ClaimId
from dissolution.reviewing import Hint
from prompts.export.reason_words import FAULT_WORDS

DECIDE = "suspected, and nothing ends by it; members of two families decide"


def hints_document(hints: Sequence[Hint], claims: Sequence[Claim]) -> list[dict[str, JsonValue]]:
    """One entry a hint: what is suspected, of which claims, on which words, and by what."""
    texts = _texts(claims)
    return [
        {
            "suspects": hint.suspects.value,
            "claims": [{"claim": name, "text": texts.get(name)} for name in hint.claims],
            "evidence": None if hint.evidence is None else hint.evidence.model_dump(mode="json"),
            "basis": hint.basis,
        }
        for hint in hints
    ]


def print_hints(out: Console, hints: Sequence[Hint], claims: Sequence[Claim]) -> None:
    """The hints under one heading that says who decides; nothing without any."""
    if not hints:
        return
    texts = _texts(claims)
    out.print()
    out.print(Text(f"SUSPECTED ({len(hints)}): {DECIDE}", style="bold"))
    for hint in hints:
        about = "; ".join(f"{name}: {shortened(texts.get(name, ''), 200)}" for name in hint.claims)
        out.print(Text.assemble(("? ", "yellow"), f"{FAULT_WORDS[hint.suspects]}  {about}"))
        said = f"; turn {hint.evidence.turn}: {shortened(hint.evidence.text, 200)}" if hint.evidence else ""
        out.print(Text(f"    {shortened(hint.basis, 300)}{said}", style="dim"))


def _texts(claims: Sequence[Claim]) -> Mapping[ClaimId, str]:
    return {claim.id: claim.text for claim in claims}
