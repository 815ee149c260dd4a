"""Claims that come back after they ended.

Words that ended stay out until a turn after their end says them again. That is identity and no reading: the same words,
the same id, or a statement that names the ended claim as its own. What is merely near to them may say something else:
it is held like any claim, and a hint asks the review whether it is stale.
"""

from collections.abc import Mapping, Sequence

from consensus.reconcile.comparison import Space
from consensus.reconcile.matching import retells
from consensus.reconcile.merging import newest, plain
from consensus.reconcile.votes import QUORUM, affirming, ends
from dissolution.claims import Claim, ClaimId, Dissent, DissentReason


class Gone:
    """What ended and what a person dismissed, against which the claims of a cycle are held.

    Args:
        ended: Claims that ended, in this cycle or before.
        dismissed: Dissent that a person dismissed.
        heirs: The words of what took their place, by id.
        space: Distances between all texts.
    """

    def __init__(
        self, ended: Sequence[Claim], dismissed: Sequence[Dissent], heirs: Mapping[ClaimId, str], space: Space
    ) -> None:
        self._ended = ended
        self._dismissed = dismissed
        self._heirs = heirs
        self._space = space

    def repeated_by(self, item: Claim | Dissent) -> Dissent | None:
        """The item as dissent when it only says again what ended or was dismissed, else None."""
        for old in self._ended:
            if not _newer(item, old) and _says(item, old) and _outweighs(old, item):
                why = old.closing.reason if old.closing else "closed"
                detail = f"{old.id} was {old.state.value} ({why}), and no newer turn says it again"
                against = () if old.closing is None or old.closing.by is None else (old.closing.by,)
                return as_dissent(item, DissentReason.SUPERSEDED, detail, against)
        for out in self._dismissed:
            if self._space.same(item.text, out.text) and newest(item) <= newest(out):
                return as_dissent(item, DissentReason.DISMISSED, "a person dismissed it, and no newer turn says it")
        return None

    def near_to(self, item: Claim | Dissent) -> Claim | None:
        """What ended and an item may repeat, as far as distances tell; None when nothing did."""
        return next((old for old in self._ended if not _newer(item, old) and self._nearly(item, old)), None)

    def _nearly(self, item: Claim | Dissent, old: Claim) -> bool:
        if _says(item, old) or affirming(item, old.id):
            return True
        if not (self._space.same(item.text, old.text) or retells(item, old, self._space)):
            return False
        heir = None if old.closing is None or old.closing.by is None else self._heirs.get(old.closing.by)
        near = self._space.distance
        return heir is None or near(item.text, old.text) < near(item.text, heir)


def _newer(item: Claim | Dissent, old: Claim) -> bool:
    """Whether an item rests on words after the end of a claim, or is what ends it."""
    return newest(item) > last_turn(old) or bool(ends(item, old.id))


def _says(item: Claim | Dissent, old: Claim) -> bool:
    """Whether an item says a claim in its own words, or all of its families name it as what they say."""
    if item.id == old.id or plain(item.text) == plain(old.text):
        return True
    return set(item.support.families) <= set(affirming(item, old.id))


def _outweighs(old: Claim, item: Claim | Dissent) -> bool:
    """Whether an ended claim may be held against an item: what one family alone stated may not against two.

    Who ended it is not kept with it, and one family ends only what one family stated. A person's act and a time that
    ran out have no words of a turn.
    """
    by_one = len(old.support.families) < QUORUM and old.closing is not None and bool(old.closing.evidence)
    return not by_one or len(item.support.families) < QUORUM


def last_turn(old: Claim) -> int:
    """The last turn that an ended claim rests on or ended by: only words of a later one bring it back."""
    closing = max((piece.turn for piece in old.closing.evidence), default=0) if old.closing else 0
    return max(newest(old), closing, old.valid.end or 0)


def as_dissent(item: Claim | Dissent, reason: DissentReason, detail: str, against: tuple[ClaimId, ...] = ()) -> Dissent:
    """An item of this cycle that may not be held, kept with its words, voters and the reason."""
    return Dissent(
        id=item.id,
        section=item.section,
        text=item.text,
        evidence=item.evidence,
        support=item.support,
        statements=item.statements,
        reason=reason,
        detail=detail,
        against=against,
    )
