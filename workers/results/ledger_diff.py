"""What changed between two readings of a ledger: pure, so that a preview, a diff and an interface say the same.

A difference holds for each claim how it stood before and after, and nothing else; so differences compose. What the
terminal calls added, revised, closed, carried or promoted is read from it with the changes and closings in between.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimId, Section
from dissolution.ledger import Change, ChangeKind, LedgerEvent, LedgerEventKind
from dissolution.values import Frozen


class Difference(Frozen):
    """One claim that stands differently: as it was held before, and after; None where it was not held."""

    before: Claim | None
    after: Claim | None


Differences = Mapping[ClaimId, Difference]


def difference(before: BoundaryState | None, after: BoundaryState | None) -> Differences:
    """The claims whose standing differs between two readings; None is the empty ledger."""
    old = {} if before is None else {claim.id: claim for claim in before.claims}
    new = {} if after is None else {claim.id: claim for claim in after.claims}
    return {
        name: Difference(before=old.get(name), after=new.get(name))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    }


class Kind(StrEnum):
    """What became of a claim between two readings."""

    ADDED = "added"  # held after, not before
    PROMOTED = "promoted"  # was dissent before
    REVISED = "revised"  # another claim took its place
    CLOSED = "closed"  # held before, not after, and nothing took its place
    CARRIED = "carried"  # held throughout; the newest answers did not say it
    AFFIRMED = "affirmed"  # held throughout and said again
    RESTORED = "restored"  # stands again as it did in an earlier version
    MARKED = "marked"  # held throughout; a person pinned, unpinned or confirmed it
    CONTESTED = "contested"  # stands against another claim, and no turn settles it
    REPAIRED = "repaired"  # the answers would have lost or demoted it


class Item(Frozen):
    """One line of a difference: what became of which claim, and why."""

    kind: Kind
    claim: Claim  # as it stands after, or as it ended
    was: Claim | None = None  # the claim it took the place of, or how it stood before
    other: ClaimId | None = None  # the claim it stands against, or the dissent it was
    reason: Annotated[str, Field(min_length=1)]


def items(
    differences: Differences, readings: Sequence[BoundaryState], events: Sequence[LedgerEvent]
) -> tuple[Item, ...]:
    """The difference in words, by kind in the order of `Kind`, within a kind by section, turn and words.

    Args:
        differences: From the reading before to the last of `readings`.
        readings: Every version after the first reading, in order: they hold closings, changes and why.
        events: What made those versions.
    """
    ended = {claim.id: claim for reading in readings for claim in reading.closed}
    rolled = _rolled_back(events)  # what cycles did before it is undone
    undone = 0 if rolled is None else rolled.version
    changes = [change for reading in readings if (reading.version or undone + 1) > undone for change in reading.changes]
    # A claim that took the place of one held before is told there, as revised.
    over = {name: one for name, one in ended.items() if name in differences and differences[name].after is None}
    heirs = {one.closing.by for one in over.values() if one.closing is not None}
    found: list[Item] = []
    for name, each in differences.items():
        if each.before is not None and each.after is not None:
            item = _kept(each.before, each.after, changes, events)
        elif each.before is not None:
            item = _gone(each.before, ended.get(name), differences, events)
        else:
            item = None if name in heirs or each.after is None else _new(each.after, changes, over, events)
        found += [] if item is None else [item]
    found += _noted(differences, changes, readings)
    return tuple(sorted(found, key=_place))


def _place(item: Item) -> tuple[int, int, int, str, ClaimId, ClaimId]:
    """Where a line stands: claims of one section in the order of the turns they rest on; an id settles the rest."""
    claim = item.claim
    turn = min((piece.turn for piece in claim.evidence), default=claim.valid.start)
    kind, section = list(Kind).index(item.kind), list(Section).index(claim.section)
    return kind, section, turn, claim.text, claim.id, item.other or ""


def _gone(before: Claim, ended: Claim | None, differences: Differences, events: Sequence[LedgerEvent]) -> Item:
    """A claim that is held no more: revised by one that is held now, closed, or rolled back."""
    if ended is None or ended.closing is None:
        act = next((event for event in reversed(events) if event.claim == before.id), None)
        told = act or _rolled_back(events)
        reason = "held no more" if told is None else f"{told.kind.value.replace('_', ' ')}: {told.reason}"
        return Item(kind=Kind.CLOSED, claim=before, was=before, reason=reason)
    closing = ended.closing
    successor = None if closing.by is None else differences.get(closing.by)
    if successor is not None and successor.after is not None and successor.before is None:
        return Item(kind=Kind.REVISED, claim=successor.after, was=ended, reason=closing.reason)
    return Item(kind=Kind.CLOSED, claim=ended, was=before, other=closing.by, reason=closing.reason)


def _new(claim: Claim, changes: Sequence[Change], over: Mapping[str, Claim], events: Sequence[LedgerEvent]) -> Item:
    """A claim that is held now and was not: promoted, what is left of one that ended, restored, or new."""
    promoted = _last(changes, claim.id, {ChangeKind.PROMOTED})
    if promoted is not None:
        return Item(kind=Kind.PROMOTED, claim=claim, other=promoted.other, reason=promoted.reason)
    told = _last(changes, claim.id, {ChangeKind.ADDED, ChangeKind.REVISED})
    parted = None if told is None or told.kind is ChangeKind.ADDED else over.get(told.other or "")
    if told is not None and parted is not None:
        return Item(kind=Kind.REVISED, claim=claim, was=parted, reason=told.reason)
    rolled = _rolled_back(events)
    if told is None and rolled is not None:
        return Item(kind=Kind.RESTORED, claim=claim, reason=f"rolled back: {rolled.reason}")
    return Item(kind=Kind.ADDED, claim=claim, reason=claim.reason if told is None else told.reason)


def _kept(before: Claim, after: Claim, changes: Sequence[Change], events: Sequence[LedgerEvent]) -> Item:
    act = next((event for event in reversed(events) if event.claim == after.id), None)
    if before.marks != after.marks and act is not None:
        return Item(kind=Kind.MARKED, claim=after, was=before, reason=f"{act.kind.value}: {act.reason}")
    rolled = _rolled_back(events)
    if rolled is not None and all(change.claim != after.id for change in changes):
        return Item(kind=Kind.RESTORED, claim=after, was=before, reason=f"rolled back: {rolled.reason}")
    if after.carried:
        told = _last(changes, after.id, {ChangeKind.CARRIED, ChangeKind.REPAIRED})
        reason = "not said again, and nothing closes it" if told is None else told.reason
        return Item(kind=Kind.CARRIED, claim=after, was=before, reason=reason)
    told = _last(changes, after.id, {ChangeKind.AFFIRMED})
    return Item(kind=Kind.AFFIRMED, claim=after, was=before, reason="said again" if told is None else told.reason)


def _noted(differences: Differences, changes: Sequence[Change], readings: Sequence[BoundaryState]) -> list[Item]:
    """Claims that still stand and were contested or repaired on the way."""
    held = {claim.id: claim for claim in readings[-1].claims} if readings else {}
    kinds = {ChangeKind.CONTESTED: Kind.CONTESTED, ChangeKind.REPAIRED: Kind.REPAIRED}
    found: dict[tuple[Kind, ClaimId, ClaimId | None], Item] = {}
    for change in changes:
        claim = held.get(change.claim)
        if change.kind in kinds and claim is not None:
            kind = kinds[change.kind]
            was = differences[claim.id].before if claim.id in differences else claim
            item = Item(kind=kind, claim=claim, was=was, other=change.other, reason=change.reason)
            found[kind, claim.id, change.other] = item
    return list(found.values())


def _rolled_back(events: Sequence[LedgerEvent]) -> LedgerEvent | None:
    """The last roll-back among the events."""
    return next((event for event in reversed(events) if event.kind is LedgerEventKind.ROLLED_BACK), None)


def _last(changes: Sequence[Change], claim: ClaimId, kinds: set[ChangeKind]) -> Change | None:
    return next((change for change in reversed(changes) if change.claim == claim and change.kind in kinds), None)
