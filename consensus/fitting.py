"""Keeps a reviewed candidate to its room: what binds stands always, the rest by worth while there is room."""

from consensus.injected import BINDING
from dissolution.claims import Claim, ClaimId, Dissent, DissentReason, Mark
from dissolution.findings import Consensus
from dissolution.ledger import ChangeKind

HELD = frozenset({ChangeKind.AFFIRMED, ChangeKind.CARRIED, ChangeKind.REPAIRED, ChangeKind.REVISED})
"""Changes of claims that the ledger holds, or that take the place of one it held: room takes nothing away from it."""

PERSONS = frozenset({Mark.PINNED, Mark.CONFIRMED})
TWO = 2  # families: what two state is moved by two, not by its size


def kept_to(consensus: Consensus, words: int) -> Consensus:
    """The candidate without new claims of one family in KNOWN and EDGES for which there is no room.

    DECIDED, IDENTITY, what two families state, what a person keeps and what the ledger holds stand always and may take
    more. Of the rest those come first that their member wrote first: members are told to begin with what the next
    answers need. What does not fit is dissent `size`.

    Args:
        consensus: The candidate after its review.
        words: What all new claims may take; what is held does not count.
    """
    held = _held(consensus)
    new = [one for one in consensus.claims if one.id not in held]
    optional = sorted(filter(_may_go, new), key=_rank)
    free = words - sum(map(_words, new)) + sum(map(_words, optional))
    out: set[ClaimId] = set()
    for one in optional:
        if _words(one) <= free:
            free -= _words(one)
        else:
            out.add(one.id)
    if not out:
        return consensus
    aside = tuple(_aside(one, words) for one in consensus.claims if one.id in out)
    return consensus.model_copy(
        update={
            "claims": tuple(one for one in consensus.claims if one.id not in out),
            "dissent": (*consensus.dissent, *aside),
            "changes": tuple(one for one in consensus.changes if one.claim not in out),
        }
    )


def _held(consensus: Consensus) -> frozenset[ClaimId]:
    """The claims that the ledger holds, and those that take the place of one it held."""
    kept = {change.claim for change in consensus.changes if change.kind in HELD}
    heirs = {claim.closing.by for claim in consensus.closed if claim.closing is not None and claim.closing.by}
    return frozenset(kept | heirs)


def _may_go(claim: Claim) -> bool:
    """Whether a new claim stands only where there is room for it."""
    return claim.section not in BINDING and len(claim.support.families) < TWO and PERSONS.isdisjoint(claim.marks)


def _rank(claim: Claim) -> tuple[int, int, str]:
    """What its member wrote first, then the shorter."""
    return min((said.ordinal for said in claim.statements), default=0), _words(claim), claim.text


def _words(claim: Claim) -> int:
    return len(claim.text.split())


def _aside(claim: Claim, words: int) -> Dissent:
    return Dissent(
        id=claim.id,
        section=claim.section,
        text=claim.text,
        evidence=claim.evidence,
        support=claim.support,
        statements=claim.statements,
        reason=DissentReason.SIZE,
        detail=f"no room: new claims have {words} words, and one family states it",
    )
