"""What a commit does to the rows of a ledger: which go on, which end, which are added. Pure, for every adapter.

A row is never rewritten. A claim said again unchanged keeps its row and gets an affirmation; a claim that changes or
ends gets another row under its id; what is carried costs nothing, since how long it was carried follows from the cycle
that said it last. So a commit costs what its cycle said, and every past version reads back as it was.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from dissolution.boundary import BoundaryState
from dissolution.claims import OPEN_STATES, PERSONAL_MARKS, Claim, ClaimState, Dissent, DissentReason, Mark, Support
from dissolution.ids import JobId
from dissolution.ledger import ChangeKind


class Place(NamedTuple):
    """Where a claim or dissent stands among others: the version it came with, and its place there. It never moves."""

    since: int
    ordinal: int


class RecordedClaim(NamedTuple):
    """A claim that the ledger records at some version.

    Attributes:
        row: The number of its row.
        place: Its place in a boundary.
        cycle: The cycle that said it last.
        job: The job its row came with.
        own: How much of its evidence and of its statements is the row's own; the rest came with affirmations.
        claim: As it was said last: state current with nothing carried, or closed.
    """

    row: int
    place: Place
    cycle: int
    job: JobId
    own: tuple[int, int]
    claim: Claim


class Dissenting(NamedTuple):
    """A dissent that the ledger records at some version, with its row, place and the job its row came with."""

    row: int
    place: Place
    job: JobId
    dissent: Dissent


class Affirmation(NamedTuple):
    """A claim said again: its row goes on; `held` is how it then reads."""

    held: RecordedClaim

    @property
    def more(self) -> Claim:
        """The claim with only the evidence and statements that are not its row's own."""
        claim, (pieces, said) = self.held.claim, self.held.own
        return claim.model_copy(update={"evidence": claim.evidence[pieces:], "statements": claim.statements[said:]})


class Plan(NamedTuple):
    """What changes. Added rows have row number 0 until they are written."""

    ends: tuple[RecordedClaim, ...] = ()
    adds: tuple[RecordedClaim, ...] = ()
    affirms: tuple[Affirmation, ...] = ()
    dissent_ends: tuple[Dissenting, ...] = ()
    dissent_adds: tuple[Dissenting, ...] = ()


def commit_instant(at: datetime, before: datetime | None) -> datetime:
    """When a version made at `at` counts as recorded: never before the version it follows.

    Clocks of two machines differ; recorded time must not run backwards, or an interval would end before it starts.
    """
    return at if before is None else max(at, before)


def at_rest(claim: Claim) -> Claim:
    """The claim as a row keeps it: an open one is current with nothing carried, since that follows from cycles."""
    if claim.carried == 0:
        return claim
    return claim.model_copy(update={"state": ClaimState.CURRENT, "carried": 0})


def after(held: Sequence[RecordedClaim], plan: Plan) -> tuple[RecordedClaim, ...]:
    """The rows recorded once `plan` is carried out."""
    ended = {one.row for one in plan.ends}
    again = {one.held.row: one.held for one in plan.affirms}
    going_on = (again.get(one.row, one) for one in held if one.row not in ended)
    return (*going_on, *plan.adds)


def dissent_after(held: Sequence[Dissenting], plan: Plan) -> tuple[Dissenting, ...]:
    """The dissent recorded once `plan` is carried out."""
    ended = {one.row for one in plan.dissent_ends}
    return (*(one for one in held if one.row not in ended), *plan.dissent_adds)


def plan_commit(
    held: Sequence[RecordedClaim], dissent: Sequence[Dissenting], boundary: BoundaryState, version: int, cycle: int
) -> Plan:
    """What committing a candidate does to the rows recorded before it.

    The candidate states or closes every held claim (`store.rules.commitments_kept.check_kept`). A dissent that it
    does not mention stays: only promotion or a person's act ends one.

    Args:
        held: The rows recorded now: all open ones, and closed ones whose id the candidate uses.
        dissent: The dissent recorded now, dismissed ones included.
        boundary: The candidate.
        version: The version it becomes.
        cycle: The number of the cycle it is.

    Raises:
        ValueError: an id occurs twice, a claim is carried or closed that the ledger does not hold, or a claim is
            given on the wrong side of open and closed.
    """
    before = _by_id(held)
    _refuse_nonsense(boundary, before)
    desk = _Desk(before, boundary, version, cycle)
    for ordinal, claim in enumerate(boundary.claims):
        desk.state(claim, Place(version, ordinal))
    for claim in boundary.closed:
        desk.close(claim)
    twins = [one for one in held if before[one.claim.id] is not one]
    ended, added = _plan_dissent(dissent, boundary, version)
    return Plan((*desk.ends, *twins), tuple(desk.adds), tuple(desk.affirms), ended, added)


def _by_id(held: Iterable[RecordedClaim]) -> dict[str, RecordedClaim]:
    """One row an id, an open one before a closed one; ledgers of before revision 0002 may hold twins."""
    found: dict[str, RecordedClaim] = {}
    for one in held:
        present = found.setdefault(one.claim.id, one)
        if present.claim.state not in OPEN_STATES:
            found[one.claim.id] = one
    return found


def _refuse_nonsense(boundary: BoundaryState, before: dict[str, RecordedClaim]) -> None:
    seen: set[str] = set()
    for claim in (*boundary.claims, *boundary.closed):
        if claim.id in seen:
            message = f"claim {claim.id!r} is given twice in one boundary; an id names one claim"
            raise ValueError(message)
        seen.add(claim.id)
    for claims, wanted in ((boundary.claims, True), (boundary.closed, False)):
        for claim in claims:
            if (claim.state in OPEN_STATES) is not wanted:
                message = f"claim {claim.id!r} is {claim.state.value!r}; open ones are claims, ended ones are closed"
                raise ValueError(message)
            if claim.state is not ClaimState.CURRENT and claim.id not in before:
                message = f"claim {claim.id!r} is {claim.state.value!r}, yet the ledger does not hold it"
                raise ValueError(message)


class _Desk:
    """The rows of claims while a candidate is gone through."""

    def __init__(self, before: dict[str, RecordedClaim], boundary: BoundaryState, version: int, cycle: int) -> None:
        self._before = before
        self._boundary = boundary
        self._version = version
        self._cycle = cycle
        self.ends: list[RecordedClaim] = []
        self.adds: list[RecordedClaim] = []
        self.affirms: list[Affirmation] = []

    def state(self, claim: Claim, place: Place) -> None:
        """An open claim of the candidate."""
        prior = self._before.get(claim.id)
        said = claim.state is ClaimState.CURRENT
        if prior is None:
            self._add(_affirmed(claim, self._boundary.through), place, self._cycle, self._boundary.job)
            return
        through = self._boundary.through if said else prior.claim.affirmed
        wanted = _grown(_affirmed(at_rest(claim), through), prior.claim)
        if said and _says_again(prior.claim, wanted):
            self.affirms.append(Affirmation(prior._replace(claim=wanted, cycle=self._cycle)))
        elif said or wanted != prior.claim:
            self.ends.append(prior)
            self._add(wanted, prior.place, self._cycle if said else prior.cycle, self._boundary.job)

    def close(self, claim: Claim) -> None:
        """A claim that ends with the candidate."""
        prior = self._before[claim.id]
        self.ends.append(prior)
        self._add(_grown(_affirmed(claim, prior.claim.affirmed), prior.claim), prior.place, prior.cycle, prior.job)

    def _add(self, claim: Claim, place: Place, cycle: int, job: JobId) -> None:
        self.adds.append(RecordedClaim(0, place, cycle, job, (len(claim.evidence), len(claim.statements)), claim))


def _affirmed(claim: Claim, through: int | None) -> Claim:
    return claim if claim.affirmed == through else claim.model_copy(update={"affirmed": through})


def _grown(claim: Claim, prior: Claim) -> Claim:
    """The claim with the support it had before and the marks a person gave it: neither is ever lost."""
    support = Support(
        members=tuple(sorted({*prior.support.members, *claim.support.members})),
        families=tuple(sorted({*prior.support.families, *claim.support.families})),
    )
    lost = tuple(mark for mark in Mark if mark in PERSONAL_MARKS and mark in prior.marks and mark not in claim.marks)
    update = {"support": support, "marks": claim.marks + lost}
    return claim.model_copy(update={name: value for name, value in update.items() if getattr(claim, name) != value})


def _says_again(prior: Claim, claim: Claim) -> bool:
    """Whether only what grows has changed, so that the row may go on."""
    same = {name: getattr(prior, name) for name in ("support", "reason", "affirmed", "evidence", "statements")}
    return (
        prior.state is ClaimState.CURRENT
        and claim.model_copy(update=same) == prior
        and claim.evidence[: len(prior.evidence)] == prior.evidence
        and claim.statements[: len(prior.statements)] == prior.statements
    )


def _plan_dissent(
    held: Sequence[Dissenting], boundary: BoundaryState, version: int
) -> tuple[tuple[Dissenting, ...], tuple[Dissenting, ...]]:
    before = {one.dissent.id: one for one in held}
    ends = [before[name] for name in sorted(promoted(boundary)) if name in before]
    gone = {one.dissent.id for one in ends}
    adds: list[Dissenting] = []
    for ordinal, dissent in enumerate(boundary.dissent):
        prior = before.get(dissent.id)
        if prior is None:
            adds.append(Dissenting(0, Place(version, ordinal), boundary.job, dissent))
        elif dissent.id not in gone and prior.dissent != dissent and not _dismissed(prior):
            ends.append(prior)
            adds.append(Dissenting(0, prior.place, boundary.job, dissent))
    return tuple(ends), tuple(adds)


def _dismissed(one: Dissenting) -> bool:
    return one.dissent.reason is DissentReason.DISMISSED


def promoted(boundary: BoundaryState) -> frozenset[str]:
    """The ids of dissent that became claims with this boundary."""
    by_change = {change.other or change.claim for change in boundary.changes if change.kind is ChangeKind.PROMOTED}
    return frozenset(by_change | {claim.id for claim in boundary.claims})
