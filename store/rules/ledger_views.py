"""The rows of a ledger as a reader sees them: claims with how long they were carried, all in their places. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from dissolution.boundary import BoundaryState
from dissolution.claims import OPEN_STATES, Claim, ClaimState, Dissent, DissentReason
from dissolution.ledger import Change, ChangeKind, LedgerEvent, LedgerEventKind
from store.rules.versioning import Dissenting, Plan, RecordedClaim, after, dissent_after

COMMITTER = "fleet"
"""Who makes the versions of cycles."""

REASON_LENGTH = 2000
"""Code points of an event's reason, at most."""


def shown(held: RecordedClaim, cycle: int) -> Claim:
    """The claim as a reader sees it when `cycle` cycles have been committed."""
    silent = cycle - held.cycle
    if silent == 0 or held.claim.state not in OPEN_STATES:
        return held.claim
    return held.claim.model_copy(update={"state": ClaimState.CARRIED, "carried": silent})


def shown_claims(rows: Iterable[RecordedClaim], cycle: int) -> tuple[Claim, ...]:
    """The open claims among `rows`, each in its place."""
    standing = (held for held in rows if held.claim.state in OPEN_STATES)
    return tuple(shown(held, cycle) for held in sorted(standing, key=lambda held: (held.place, held.row)))


def shown_dissent(rows: Iterable[Dissenting]) -> tuple[Dissent, ...]:
    """The dissent among `rows` that nobody dismissed, each in its place."""
    standing = (one for one in rows if one.dissent.reason is not DissentReason.DISMISSED)
    return tuple(one.dissent for one in sorted(standing, key=lambda one: (one.place, one.row)))


def shown_changes(changes: Sequence[Change], rows: Iterable[RecordedClaim], cycle: int) -> tuple[Change, ...]:
    """The changes of a version in the order they are read: those of a kind of their own, then the carried ones."""
    carried = [change for change in changes if change.kind is ChangeKind.CARRIED]
    order = {claim.id: number for number, claim in enumerate(shown_claims(rows, cycle))}
    carried.sort(key=lambda change: order.get(change.claim, -1))
    return (*(change for change in changes if change.kind is not ChangeKind.CARRIED), *carried)


def shown_closed(rows: Iterable[RecordedClaim]) -> tuple[Claim, ...]:
    """The claims among `rows` that have ended, each in its place."""
    ended = (held for held in rows if held.claim.state not in OPEN_STATES)
    return tuple(held.claim for held in sorted(ended, key=lambda held: (held.place, held.row)))


def commit_event(boundary: BoundaryState, version: int, at: datetime) -> LedgerEvent:
    """The event of a boundary that becomes a version at instant `at`."""
    return LedgerEvent(
        conversation=boundary.conversation,
        version=version,
        at=at,
        kind=LedgerEventKind.COMMITTED,
        through=boundary.through,
        job=boundary.job,
        actor=COMMITTER,
        reason="; ".join(boundary.decision.reasons)[:REASON_LENGTH],
    )


def committed(
    boundary: BoundaryState,
    event: LedgerEvent,
    cycle: int,
    plan: Plan,
    before: tuple[Sequence[RecordedClaim], Sequence[Dissenting]],
) -> BoundaryState:
    """A candidate as it stands once `plan` is carried out on the rows held `before`: what a later reading gives."""
    held, dissent = after(before[0], plan), dissent_after(before[1], plan)
    return boundary.model_copy(
        update={
            "claims": shown_claims(held, cycle),
            "dissent": shown_dissent(dissent),
            "closed": shown_closed(plan.adds),
            "changes": shown_changes(boundary.changes, held, cycle),
            "version": event.version,
            "committed_at": event.at,
        }
    )
