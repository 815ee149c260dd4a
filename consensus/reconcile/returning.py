"""Claims that come back after they ended: not by mere repetition, only on words of turns after their end."""

from collections.abc import Mapping, Sequence

from consensus.reconcile.matching import retells
from consensus.reconcile.merging import newest
from consensus.reconcile.space import Space
from consensus.reconcile.votes import ends
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
        """The item as dissent when it only repeats what ended or was dismissed, else None."""
        for old in self._ended:
            if self._repeats(item, old):
                why = old.closing.reason if old.closing else "closed"
                detail = f"{old.id} was {old.state.value} ({why}), and no newer turn says it again"
                against = () if old.closing is None or old.closing.by is None else (old.closing.by,)
                return as_dissent(item, DissentReason.SUPERSEDED, detail, against)
        for out in self._dismissed:
            if self._space.same(item.text, out.text) and newest(item) <= newest(out):
                return as_dissent(item, DissentReason.DISMISSED, "a person dismissed it, and no newer turn says it")
        return None

    def _repeats(self, item: Claim | Dissent, old: Claim) -> bool:
        if newest(item) > last_turn(old) or ends(item, old.id):
            return False
        if not (item.id == old.id or self._space.same(item.text, old.text) or retells(item, old, self._space)):
            return False
        heir = None if old.closing is None or old.closing.by is None else self._heirs.get(old.closing.by)
        near = self._space.distance
        return item.text == old.text or heir is None or near(item.text, old.text) < near(item.text, heir)


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
