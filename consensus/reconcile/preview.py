"""What a reconciled consensus would close, and why, as data: for looking at before anything is committed."""

from collections.abc import Mapping

from pydantic import JsonValue

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Closing, Evidence
from dissolution.findings import Consensus
from dissolution.ledger import ChangeKind


def what_would_close(found: Consensus | BoundaryState) -> list[dict[str, JsonValue]]:
    """One entry a claim that would end: what it becomes and why, what takes its place, and what of it goes on."""
    texts = {claim.id: claim.text for claim in found.claims}
    heirs: dict[str, list[JsonValue]] = {}
    for change in found.changes:
        if change.kind is ChangeKind.REVISED and change.other is not None and change.claim in texts:
            heirs.setdefault(change.other, []).append({"claim": change.claim, "text": texts[change.claim]})
    return [_closing(claim, claim.closing, texts, heirs) for claim in found.closed if claim.closing is not None]


def what_is_contested(found: Consensus | BoundaryState) -> list[dict[str, JsonValue]]:
    """One entry a doubt that stays: the claim, what it stands against, why nothing was closed, and the words."""
    texts = {claim.id: claim.text for claim in found.claims}
    return [
        {
            "claim": change.claim,
            "text": texts.get(change.claim),
            "against": change.other,
            "against_text": None if change.other is None else texts.get(change.other),
            "reason": change.reason,
            "evidence": _words(change.evidence),
        }
        for change in found.changes
        if change.kind is ChangeKind.CONTESTED
    ]


def _closing(
    claim: Claim, closing: Closing, texts: Mapping[str, str], heirs: Mapping[str, list[JsonValue]]
) -> dict[str, JsonValue]:
    goes_on: list[JsonValue] = [
        one for one in heirs.get(claim.id, []) if isinstance(one, dict) and one["claim"] != closing.by
    ]
    return {
        "claim": claim.id,
        "section": claim.section.value,
        "text": claim.text,
        "becomes": closing.state.value,
        "held_from": claim.valid.start,
        "held_until": claim.valid.end,
        "reason": closing.reason,
        "by": closing.by,
        "by_text": None if closing.by is None else texts.get(closing.by),
        "goes_on": goes_on,
        "evidence": _words(closing.evidence),
    }


def _words(evidence: tuple[Evidence, ...]) -> list[JsonValue]:
    return [{"turn": piece.turn, "start": piece.start, "end": piece.end, "text": piece.text} for piece in evidence]
