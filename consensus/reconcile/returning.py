"""Claims that come back after they were closed: not by mere repetition, only when newer turns say them."""

from collections.abc import Sequence

from consensus.reconcile.matching import says_all
from consensus.reconcile.merging import newest
from consensus.reconcile.space import Space
from dissolution.claims import Claim, ClaimId, Dissent, DissentReason, Evidence


def kept_closed(
    fresh: Sequence[Claim],
    gone: Sequence[Claim],
    before: Sequence[Dissent],
    space: Space,
    spoken: Sequence[Evidence],
) -> tuple[list[Claim], list[Dissent]]:
    """The claims of a cycle that may be held, and as dissent those that only repeat what was closed or dismissed.

    Args:
        fresh: The claims of this cycle.
        gone: Claims that were closed earlier.
        before: Dissent held before; what a person dismissed is among it.
        space: Distances between the texts.
        spoken: Everything that somebody says in the conversation, in order.
    """
    dismissed = [item for item in before if item.reason is DissentReason.DISMISSED]
    kept: list[Claim] = []
    back: list[Dissent] = []
    for claim in fresh:
        why = next((why for old in gone if (why := _repeats(claim, old, space, spoken))), None)
        if why is not None:
            back.append(as_dissent(claim, DissentReason.SUPERSEDED, why))
        elif any(space.same(claim.text, old.text) and _last(claim, spoken) <= newest(old) for old in dismissed):
            back.append(as_dissent(claim, DissentReason.DISMISSED, "a person dismissed it, and no newer turn says it"))
        else:
            kept.append(claim)
    return kept, back


def _last(claim: Claim, spoken: Sequence[Evidence]) -> int:
    """The last turn that says a claim: one it rests on, or a later one with all its words."""
    again = (piece.turn for piece in spoken if piece.turn > newest(claim) and says_all(claim.text, [piece.text]))
    return max(again, default=newest(claim))


def _repeats(claim: Claim, old: Claim, space: Space, spoken: Sequence[Evidence]) -> str | None:
    """Why a claim only repeats a closed one, or None: newer turns than those that closed it say it."""
    if not (claim.id == old.id or space.same(claim.text, old.text)):
        return None
    closing = old.closing
    ended = max((piece.turn for piece in closing.evidence), default=0) if closing is not None else 0
    if _last(claim, spoken) > max(newest(old), ended):
        return None
    return (
        f"{old.id} was {old.state.value} ({closing.reason if closing else 'closed'}), and no newer turn says it again"
    )


def as_dissent(claim: Claim, reason: DissentReason, detail: str, against: tuple[ClaimId, ...] = ()) -> Dissent:
    """A claim of this cycle that may not be held, kept with its words, voters and the reason."""
    return Dissent(
        id=claim.id,
        section=claim.section,
        text=claim.text,
        evidence=claim.evidence,
        support=claim.support,
        statements=claim.statements,
        reason=reason,
        detail=detail,
        against=against,
    )
