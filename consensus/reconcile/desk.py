"""The open part of the ledger while one cycle is gone through: what is said again, what ends, what stays."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from consensus.reconcile.closing import ended
from consensus.reconcile.matching import Match, says_all
from consensus.reconcile.merging import affirmed, carried
from consensus.reconcile.parts import left_of, lost_of
from consensus.reconcile.timing import BINDING, binds
from dissolution.claims import Claim, ClaimId, ClaimState, Dissent, DissentReason, Evidence, Mark, Section
from dissolution.intervals import TurnInterval
from dissolution.ledger import Change, ChangeKind


def _everything(_words: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class End:
    """How a held claim ends.

    Attributes:
        state: What it becomes.
        turn: The turn that ends it.
        reason: Why, in words.
        by: The claim that takes its place, or None.
        evidence: The words that end it.
        touched: Whether words of it end with it; the rest goes on. All of it unless told otherwise.
    """

    state: ClaimState
    turn: int
    reason: str
    by: ClaimId | None = None
    evidence: tuple[Evidence, ...] = ()
    touched: Callable[[str], bool] = _everything


@dataclass(slots=True)
class Desk:
    """Open claims by id, and what was done to them.

    Attributes:
        held: Claims that were open before.
        new: Claims that this cycle adds.
        through: The snapshot's last turn.
        job: The job's id.
        said: For each held claim the items of this cycle that say it, and how.
    """

    held: dict[ClaimId, Claim]
    through: int
    job: str
    new: dict[ClaimId, Claim] = field(default_factory=dict[ClaimId, Claim])
    said: dict[ClaimId, list[tuple[Claim | Dissent, Match]]] = field(
        default_factory=dict[ClaimId, list[tuple[Claim | Dissent, Match]]]
    )
    home: dict[ClaimId, ClaimId] = field(default_factory=dict[ClaimId, ClaimId])
    closed: dict[ClaimId, Claim] = field(default_factory=dict[ClaimId, Claim])
    changes: list[Change] = field(default_factory=list[Change])

    def affirm(self, held: ClaimId, item: Claim | Dissent, how: Match) -> None:
        """An item of this cycle says a held claim; a claim that does stands for it from now on."""
        self.said.setdefault(held, []).append((item, how))
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

    def grown(self, held: ClaimId) -> Claim:
        """A held claim with what this cycle's items say of it."""
        items = [item for item, _ in self.said.get(held, [])]
        return affirmed(self.held[held], items, self.through) if items else self.held[held]

    def is_claimed(self, held: ClaimId) -> bool:
        """Whether a claim of this cycle, not dissent alone, says it."""
        return any(isinstance(item, Claim) for item, _ in self.said.get(held, []))

    def end(self, held: ClaimId, end: End) -> bool:
        """End a held claim; what of it nothing touches goes on as a claim of its own.

        A claim that a person pinned is contested instead, and so is a commitment that cannot be parted and of which
        more than what ends would be lost. Returns whether it ended.
        """
        claim = self.grown(held)
        others = [one.text for one in self.open() if one.id != held]
        refused = self._refused(claim, end, others)
        if refused is not None:
            self.change(ChangeKind.CONTESTED, held, f"{refused}: {end.reason}", end.by, end.evidence)
            return False
        closed = ended(claim, end.state, end.turn, end.reason, by=end.by, evidence=end.evidence)
        del self.held[held]
        self.closed[held] = closed
        self.change(ChangeKind.CLOSED, held, end.reason, end.by, end.evidence)
        if end.by is not None:
            self._takes_place(end.by, closed)
        left = left_of(claim, end.touched, others, self.job, within=claim.section in BINDING)
        if left is not None:
            self.add(left, f"what is left of {held}, of which a part ended: {end.reason}", ChangeKind.REVISED, held)
        return True

    def stays(self, said: Claim, ended: ClaimId) -> None:
        """What this cycle says of a claim that ends is held where it is not that which ends."""
        if not any(says_all(said.text, [claim.text]) for claim in self.open()):
            self.add(said, f"said of {ended}, and not what ended of it", ChangeKind.REVISED, ended)

    def _refused(self, claim: Claim, end: End, others: list[str]) -> str | None:
        """Why a claim does not end though something ends it; None where it does."""
        if Mark.PINNED in claim.marks:
            return "a person pinned it, so it stays"
        lost = lost_of(claim, end.touched, others) if claim.section in BINDING else ()
        return f"it would take {'; '.join(map(repr, lost))} with it, which nothing ends" if lost else None

    def _takes_place(self, by: ClaimId, closed: Claim) -> None:
        """A successor that was not held before revises; after a correction it holds from where the error began."""
        if by not in self.new:
            return
        first = next(n for n, change in enumerate(self.changes) if change.claim == by and change.kind in _ENTRY)
        if self.changes[first].kind is ChangeKind.ADDED:
            reason = f"takes the place of {closed.id}: {self.changes[-1].reason}"
            update = {"kind": ChangeKind.REVISED, "other": closed.id, "reason": reason}
            self.changes[first] = self.changes[first].model_copy(update=update)
        if closed.state is ClaimState.CORRECTED:
            start = min(self.new[by].valid.start, closed.valid.start)
            self.new[by] = self.new[by].model_copy(update={"valid": TurnInterval(start=start)})

    def settle_rest(self) -> None:
        """Affirm or carry what nothing ended, and put right what the cycle would have lost or demoted."""
        for held in tuple(self.held):
            claim, items = self.held[held], [item for item, _ in self.said.get(held, [])]
            if not items:
                self.held[held] = carried(claim)
                self.change(ChangeKind.CARRIED, held, f"not said for {claim.carried + 1} cycles; nothing closes it")
                continue
            self.held[held] = self.grown(held)
            lost = _temporal_error(claim, items)
            kind = ChangeKind.AFFIRMED if lost is None else ChangeKind.REPAIRED
            self.change(kind, held, lost or f"said again by {_families(items)}")

    def open(self) -> list[Claim]:
        """The open part of the ledger."""
        return [*self.held.values(), *self.new.values()]


_ENTRY = frozenset({ChangeKind.ADDED, ChangeKind.REVISED, ChangeKind.PROMOTED})


def _temporal_error(claim: Claim, items: Iterable[Claim | Dissent]) -> str | None:
    """What the cycle would have done to a commitment that it says, or None where it keeps it."""
    if not binds(claim):
        return None
    claims = [item for item in items if isinstance(item, Claim)]
    lost = [item for item in items if isinstance(item, Dissent) and item.reason is not DissentReason.CONTAINED]
    if not claims and lost:
        reasons = sorted({item.reason.value for item in lost})
        return f"said, but only in dissent ({', '.join(reasons)}): it would have been lost; kept in {claim.section}"
    if claims and claim.section is not Section.KNOWN and all(item.section in _WEAKER for item in claims):
        stood = sorted({item.section.value for item in claims})
        return f"said in {', '.join(stood)} only: it would have been demoted; kept in {claim.section}"
    return None


_WEAKER = frozenset({Section.KNOWN, Section.EDGES})


def _families(items: Iterable[Claim | Dissent]) -> str:
    count = len({family for item in items for family in item.support.families})
    return f"{count} {'family' if count == 1 else 'families'}"
