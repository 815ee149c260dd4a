"""Keeps a reviewed candidate to its room: what binds stands always, the rest by worth while there is room."""

from collections.abc import Iterable, Mapping

from dissolution.claims import BINDING_SECTIONS, Claim, ClaimId, Dissent, DissentReason, FamilyName, Mark, Section
from dissolution.findings import Consensus
from dissolution.ledger import ChangeKind

HELD = frozenset(
    {ChangeKind.AFFIRMED, ChangeKind.CARRIED, ChangeKind.REPAIRED, ChangeKind.REVISED, ChangeKind.PROMOTED}
)
"""Changes of claims that the ledger holds, that take the place of one it held, or that gathered families."""

KEPT = frozenset({Mark.PINNED, Mark.CONFIRMED, Mark.CONTESTED})
"""Marks of what a person keeps, and of what stands for two sides."""

TWO = 2  # families: what two state is moved by two, not by its size

Firsts = Mapping[tuple[str, Section], int]


def kept_to(consensus: Consensus, words: int, reviewed: Consensus) -> Consensus:
    """The candidate without new claims of one family in KNOWN and EDGES for which there is no room.

    DECIDED, IDENTITY, what two families state, alone or with others that hold it together, what the review touched,
    what a person keeps and what the ledger holds stand always and may take more. Of the rest those come first that
    stand first in their section of their member's answer. The first that does not fit is out, and with it all behind
    it, as dissent `size`.

    Args:
        consensus: The candidate after its review.
        words: What all new claims may take; what is held does not count.
        reviewed: The candidate as it was reviewed.
    """
    held = _held(consensus)
    untouched = {(one.id, one.section, one.text) for one in reviewed.claims}
    new = [one for one in consensus.claims if one.id not in held]
    firsts = _firsts(consensus.claims)
    joined = _joined(consensus)
    free_to_go = (one for one in new if _may_go(one, joined) and (one.id, one.section, one.text) in untouched)
    optional = sorted(free_to_go, key=lambda one: (_place(one, firsts), _words(one), one.text))
    free = words - sum(map(_words, new)) + sum(map(_words, optional))
    while optional and _words(optional[0]) <= free:
        free -= _words(optional.pop(0))
    if not optional:
        return consensus
    out = {one.id for one in optional}
    why = f"no room: new claims may have {words} words, and one family states it"
    aside = tuple(Dissent.of_claim(one, DissentReason.SIZE, why) for one in consensus.claims if one.id in out)
    return consensus.model_copy(
        update={
            "claims": tuple(one for one in consensus.claims if one.id not in out),
            "dissent": (*consensus.dissent, *aside),
            "changes": tuple(one for one in consensus.changes if one.claim not in out),
            "hints": tuple(one for one in consensus.hints if out.isdisjoint(one.claims)),
        }
    )


def _held(consensus: Consensus) -> frozenset[ClaimId]:
    """The claims that the ledger holds, and those that take the place of one it held or say what ended it."""
    kept = {change.claim for change in consensus.changes if change.kind in HELD}
    ended = {change.other for change in consensus.changes if change.kind is ChangeKind.CLOSED and change.other}
    heirs = {claim.closing.by for claim in consensus.closed if claim.closing is not None and claim.closing.by}
    return frozenset(kept | ended | heirs)


def _joined(consensus: Consensus) -> Mapping[ClaimId, frozenset[FamilyName]]:
    """The families whose statements went into each claim without becoming its own, because it holds what they say."""
    found: dict[ClaimId, frozenset[FamilyName]] = {}
    for one in consensus.dissent:
        if one.reason is DissentReason.CONTAINED:
            for claim in one.against:
                found[claim] = found.get(claim, frozenset()) | frozenset(one.support.families)
    return found


def _may_go(claim: Claim, joined: Mapping[ClaimId, frozenset[FamilyName]]) -> bool:
    """Whether a new claim stands only where there is room for it: one family states it, and no other's went into it."""
    families = joined.get(claim.id, frozenset()).union(claim.support.families)
    return claim.section not in BINDING_SECTIONS and len(families) < TWO and KEPT.isdisjoint(claim.marks)


def _firsts(claims: Iterable[Claim]) -> Firsts:
    """The first number of each member's statements in each section."""
    found: dict[tuple[str, Section], int] = {}
    for said in (said for claim in claims for said in claim.statements):
        place = (said.member, said.claim.section)
        found[place] = min(said.ordinal, found.get(place, said.ordinal))
    return found


def _place(claim: Claim, firsts: Firsts) -> int:
    """Where it stands in its section of the answer, from 0."""
    return min((said.ordinal - firsts[said.member, said.claim.section] for said in claim.statements), default=0)


def _words(claim: Claim) -> int:
    return len(claim.text.split())
