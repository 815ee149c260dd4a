"""What an act of a person makes of one claim or dissent: pure, shared by all adapters."""

from datetime import datetime
from typing import NamedTuple

from dissolution.claims import Claim, ClaimState, Closing, Dissent, DissentReason, Mark
from dissolution.errors import InputError
from dissolution.ids import JobId
from dissolution.intervals import InstantInterval, TurnInterval
from dissolution.ledger import PERSON_ACTS, Act, LedgerEvent, LedgerEventKind
from store.rules.versioning import Place, Plan, RecordedClaim

OPEN_CLAIM = "open claim"
OPEN_DISSENT = "open dissent"

_GIVES = {LedgerEventKind.PINNED: Mark.PINNED, LedgerEventKind.CONFIRMED: Mark.CONFIRMED}


class Occasion(NamedTuple):
    """When an act is done: after which turn of the conversation, and at which instant (UTC)."""

    through: int
    at: datetime


def check_act(act: Act) -> None:
    """Raise InputError for what is no act of a person, or a retraction's word on another act."""
    if act.kind not in PERSON_ACTS:
        offered = ", ".join(sorted(kind.value for kind in PERSON_ACTS))
        raise InputError(f"act {act.kind.value!r} is not one a person does", f"give one of {offered}")
    if act.never_held and act.kind is not LedgerEventKind.RETRACTED:
        raise InputError(f"act {act.kind.value!r} with never_held", "only a retraction says that a claim never held")


def acted_on(claim: Claim, act: Act, occasion: Occasion) -> Claim:
    """The claim after the act: with a mark more or less, or closed. Raises InputError when nothing would change."""
    if act.kind is LedgerEventKind.RETRACTED:
        return _retracted(claim, act, occasion)
    if act.kind is LedgerEventKind.UNPINNED:
        if Mark.PINNED not in claim.marks:
            raise InputError(f"claim {claim.id!r} is not pinned", "nothing to do")
        return claim.model_copy(update={"marks": tuple(mark for mark in claim.marks if mark is not Mark.PINNED)})
    mark = _GIVES[act.kind]
    if mark in claim.marks:
        raise InputError(f"claim {claim.id!r} is {mark.value} already", "nothing to do")
    return claim.model_copy(update={"marks": (*claim.marks, mark)})


def adoption(claim: Claim, present: bool, before: LedgerEvent, cycle: int, job: JobId) -> Plan:  # noqa: FBT001 - one fact
    """What taking up an open question adds; it counts as said at the boundary's last turn, in its cycle.

    Args:
        claim: The question as it will stand.
        present: Whether the ledger records a claim of this id, open or ended.
        before: The version that the act follows.
        cycle: That version's cycle.
        job: The job of that version's boundary.

    Raises:
        InputError: its id is in the ledger already.
    """
    if present:
        raise InputError(f"claim {claim.id!r} is in the ledger already", "see it with `dissolve explain`")
    stands = claim.model_copy(update={"affirmed": before.through})
    place = Place(before.version + 1, 0)
    return Plan(adds=(RecordedClaim(0, place, cycle, job, (len(claim.evidence), len(claim.statements)), stands),))


def dismissed(dissent: Dissent, act: Act) -> Dissent:
    """The dissent as a person has decided against it."""
    return dissent.model_copy(update={"reason": DissentReason.DISMISSED, "detail": act.reason})


def _retracted(claim: Claim, act: Act, occasion: Occasion) -> Claim:
    """Closed: it held up to and including the last turn, or, if it was wrong from the start, never."""
    state = ClaimState.CORRECTED if act.never_held else ClaimState.EXPIRED
    start, instants = claim.valid.start, claim.valid_instants
    end = start if act.never_held else max(start, occasion.through + 1)
    if instants is not None:
        until = instants.start if act.never_held else max(instants.start, occasion.at)
        until = until if instants.end is None else min(instants.end, until)
        instants = InstantInterval(start=instants.start, end=until)
    changes: dict[str, object] = {
        "state": state,
        "closing": Closing(state=state, reason=act.reason),
        "valid": TurnInterval(start=start, end=end if claim.valid.end is None else min(end, claim.valid.end)),
        "valid_instants": instants,
    }
    return claim.model_copy(update=changes)


def act_event(act: Act, before: LedgerEvent, at: datetime) -> LedgerEvent:
    """The event of an act that follows a version."""
    return LedgerEvent(
        conversation=before.conversation,
        version=before.version + 1,
        at=at,
        kind=act.kind,
        through=before.through,
        claim=act.claim,
        actor=act.actor,
        reason=act.reason,
    )


def check_target(version: int, present: int) -> None:
    """Raise InputError when a roll-back would lead to the version that is current."""
    if version == present:
        raise InputError(f"version {version} is the current one", "name an earlier version to roll back to")


def roll_back_event(target: LedgerEvent, version: int, at: datetime, actor: str, reason: str) -> LedgerEvent:
    """The event of a roll-back to `target` that makes `version`."""
    return LedgerEvent(
        conversation=target.conversation,
        version=version,
        at=at,
        kind=LedgerEventKind.ROLLED_BACK,
        through=target.through,
        restored=target.version,
        actor=actor,
        reason=reason,
    )
