"""The open part of the ledger while one cycle is gone through: what is said again, what ends, what stays."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from consensus.reconcile.closing import ended
from consensus.reconcile.merging import affirmed, carried
from dissolution.claims import BINDING_SECTIONS, Claim, ClaimId, ClaimState, Dissent, DissentReason, Evidence, Section
from dissolution.intervals import TurnInterval
from dissolution.ledger import Change, ChangeKind

_ENTRY = frozenset({ChangeKind.ADDED, ChangeKind.REVISED, ChangeKind.PROMOTED})
_WEAKER = frozenset({Section.KNOWN, Section.EDGES})


@dataclass(frozen=True, slots=True)
class End:
    """How a held claim ends.

    Attributes:
        state: What it becomes.
        turn: The turn that ends it.
        reason: Why, in words.
        by: The claim that takes its place, or None.
        evidence: The words that end it.
        told: The claim of this cycle that says what ended it, where nothing takes its place.
    """

    state: ClaimState
    turn: int
    reason: str
    by: ClaimId | None = None
    evidence: tuple[Evidence, ...] = ()
    told: ClaimId | None = None


@dataclass(slots=True)
class Desk:
    """Open claims by id, and what was done to them.

    Attributes:
        held: Claims that were open before.
        through: The snapshot's last turn.
        new: Claims that this cycle adds.
        said: For each held claim the items of this cycle that say it.
        echoes: Those of these items that only repeat the state their members were shown: they add no support.
        home: For each item of this cycle the open claim that stands for it now.
    """

    held: dict[ClaimId, Claim]
    through: int
    new: dict[ClaimId, Claim] = field(default_factory=dict[ClaimId, Claim])
    said: dict[ClaimId, list[Claim | Dissent]] = field(default_factory=dict[ClaimId, list[Claim | Dissent]])
    echoes: set[ClaimId] = field(default_factory=set[ClaimId])
    home: dict[ClaimId, ClaimId] = field(default_factory=dict[ClaimId, ClaimId])
    closed: dict[ClaimId, Claim] = field(default_factory=dict[ClaimId, Claim])
    changes: list[Change] = field(default_factory=list[Change])

    def affirm(self, held: ClaimId, item: Claim | Dissent) -> None:
        """An item of this cycle says a held claim, which stands for it from now on unless it was added itself."""
        self.said.setdefault(held, []).append(item)
        self.home.setdefault(item.id, held)

    def add(self, claim: Claim, reason: str, kind: ChangeKind = ChangeKind.ADDED, other: ClaimId | None = None) -> None:
        """A claim that was not held before."""
        self.new[claim.id] = claim
        self.home[claim.id] = claim.id
        self.change(kind, claim.id, reason, other)

    def change(
        self,
        kind: ChangeKind,
        claim: ClaimId,
        reason: str,
        other: ClaimId | None = None,
        evidence: tuple[Evidence, ...] = (),
    ) -> None:
        """Note what was done."""
        self.changes.append(Change(kind=kind, claim=claim, other=other, reason=reason, evidence=evidence))

    def end(self, claim: Claim, end: End) -> None:
        """End a held claim; a successor that was not held before revises it."""
        closed = ended(claim, end.state, end.turn, end.reason, by=end.by, evidence=end.evidence)
        del self.held[claim.id]
        self.closed[claim.id] = closed
        self.change(ChangeKind.CLOSED, claim.id, end.reason, end.by or end.told, end.evidence)
        if end.by in self.new:
            self._takes_place(end.by, closed, end.reason)

    def _takes_place(self, by: ClaimId, closed: Claim, reason: str) -> None:
        """After a correction the successor holds from where the error began."""
        first = next(n for n, change in enumerate(self.changes) if change.claim == by and change.kind in _ENTRY)
        if self.changes[first].kind is ChangeKind.ADDED:
            told = f"takes the place of {closed.id}: {reason}"
            update = {"kind": ChangeKind.REVISED, "other": closed.id, "reason": told}
            self.changes[first] = self.changes[first].model_copy(update=update)
        if closed.state is ClaimState.CORRECTED:
            start = min(self.new[by].valid.start, closed.valid.start)
            self.new[by] = self.new[by].model_copy(update={"valid": TurnInterval(start=start)})

    def settle(self) -> None:
        """Affirm or carry what nothing ended, and put right what the cycle would have lost or demoted."""
        for held in tuple(self.held):
            claim, items = self.held[held], self.said.get(held, [])
            if not items:
                self.held[held] = carried(claim)
                self.change(ChangeKind.CARRIED, held, f"not said for {claim.carried + 1} cycles; nothing closes it")
                continue
            heard = [item for item in items if item.id not in self.echoes]
            self.held[held] = affirmed(claim, heard, self.through)
            lost = _temporal_error(claim, items)
            kind = ChangeKind.AFFIRMED if lost is None else ChangeKind.REPAIRED
            told = f"said again by {_families(heard)}" if heard else "repeated from the state that was shown"
            self.change(kind, held, lost or told)

    def open(self) -> list[Claim]:
        """The open part of the ledger."""
        return [*self.held.values(), *self.new.values()]


def _temporal_error(claim: Claim, items: Iterable[Claim | Dissent]) -> str | None:
    """What the cycle would have done to a commitment that it says, or None where it keeps it."""
    if claim.section not in BINDING_SECTIONS:
        return None
    claims = [item for item in items if isinstance(item, Claim)]
    lost = [item for item in items if isinstance(item, Dissent) and item.reason is not DissentReason.CONTAINED]
    if not claims and lost:
        reasons = sorted({item.reason.value for item in lost})
        return f"said, but only in dissent ({', '.join(reasons)}): it would have been lost; kept in {claim.section}"
    if claims and all(item.section in _WEAKER for item in claims):
        stood = sorted({item.section.value for item in claims})
        return f"said in {', '.join(stood)} only: it would have been demoted; kept in {claim.section}"
    return None


def _families(items: Iterable[Claim | Dissent]) -> str:
    count = len({family for item in items for family in item.support.families})
    return f"{count} {'family' if count == 1 else 'families'}"
