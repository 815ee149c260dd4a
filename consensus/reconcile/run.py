"""One cycle's consensus against the ledger: read `reconcile` from the top."""

from collections.abc import Iterable, Sequence

from consensus.guards import Guard, contradiction
from consensus.profile import profile_of
from consensus.reconcile.merging import affirmed, carried, newest
from consensus.reconcile.space import Space, space_of
from consensus.reconcile.timing import class_of
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Closing, Dissent, Section
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.ledger import Change, ChangeKind
from dissolution.policy import Policy
from dissolution.ports import Embedder

ORDER = tuple(Section)


def reconcile(
    prior: BoundaryState | None,
    consensus: Consensus,
    snapshot: Snapshot,
    embedder: Embedder,
    policy: Policy,
    *,
    job: str,
    ended: Sequence[Claim] = (),
) -> Consensus:
    """The consensus with the whole open part of the ledger in it, and what became of each claim.

    Args:
        prior: The boundary that stands; None in the first cycle.
        consensus: What this cycle's answers say.
        snapshot: The whole conversation up to the turn the answers are about.
        embedder: Meaning as vectors.
        policy: The thresholds of this job.
        job: The job's id.
        ended: Claims of the ledger that were closed before, for knowing one that comes back.

    Raises:
        NoCalibration: Nobody calibrated thresholds for the embedder.
    """
    _ = job
    fresh = [_timed(claim, snapshot.through) for claim in consensus.claims]
    if prior is None:
        added = [Change(kind=ChangeKind.ADDED, claim=claim.id, reason="the ledger was empty") for claim in fresh]
        return consensus.model_copy(update={"claims": tuple(fresh), "changes": tuple(added)})
    items = [*prior.claims, *fresh, *prior.dissent, *consensus.dissent, *ended]
    space = space_of([item.text for item in items], embedder, policy.consensus.distance_threshold)
    desk = _Desk(prior, snapshot, space)
    desk.take(fresh)
    desk.supersede()
    dissent = _dissent(prior.dissent, consensus.dissent, space)
    return consensus.model_copy(
        update={
            "claims": tuple(sorted(desk.open(), key=_place)),
            "dissent": tuple(sorted(dissent, key=_place)),
            "closed": tuple(desk.closed),
            "changes": tuple(desk.changes),
            "prior_version": prior.version or 0,
        }
    )


def _timed(claim: Claim, through: int) -> Claim:
    return claim.model_copy(update={"temporal_class": class_of(claim), "affirmed": through})


class _Desk:
    """The open claims while the cycle is gone through."""

    def __init__(self, prior: BoundaryState, snapshot: Snapshot, space: Space) -> None:
        self._held = {claim.id: claim for claim in prior.claims}
        self._snapshot = snapshot
        self._space = space
        self._new: dict[str, Claim] = {}
        self._said: dict[str, list[Claim]] = {}
        self.closed: list[Claim] = []
        self.changes: list[Change] = []

    def take(self, fresh: Iterable[Claim]) -> None:
        """Match every claim of the cycle with what is held."""
        for claim in fresh:
            twins = [held for held in self._held.values() if self._same(held, claim)]
            if not twins:
                self._new[claim.id] = claim
            for twin in twins:
                self._said.setdefault(twin.id, []).append(claim)

    def _same(self, held: Claim, claim: Claim) -> bool:
        return held.id == claim.id or self._space.same(held.text, claim.text)

    def supersede(self) -> None:
        """Close what a new claim contradicts on newer evidence; the rest is affirmed or carried."""
        for new in self._new.values():
            self.changes.append(Change(kind=ChangeKind.ADDED, claim=new.id, reason="not held before"))
        for held in list(self._held.values()):
            rival = next((new for new in self._new.values() if self._replaces(new, held)), None)
            if rival is not None:
                self._close(held, rival)
            elif held.id in self._said:
                self._held[held.id] = affirmed(held, self._said[held.id], self._snapshot.through)
                self.changes.append(Change(kind=ChangeKind.AFFIRMED, claim=held.id, reason="said again"))
            else:
                self._held[held.id] = carried(held)
                self.changes.append(Change(kind=ChangeKind.CARRIED, claim=held.id, reason="not said, not closed"))

    def _replaces(self, new: Claim, held: Claim) -> bool:
        veto = contradiction(profile_of(held.text), profile_of(new.text))
        opposed = (
            veto is not None and veto.guard is not Guard.MODALITY and Section.EDGES not in {held.section, new.section}
        )
        return opposed and newest(new) > newest(held) and self._space.on_topic(held.text, new.text)

    def _close(self, held: Claim, by: Claim) -> None:
        del self._held[held.id]
        turn = newest(by)
        evidence = tuple(piece for piece in by.evidence if piece.turn == turn)
        reason = f"turn {turn} says otherwise"
        closing = Closing(state=ClaimState.SUPERSEDED, by=by.id, evidence=evidence, reason=reason)
        end = max(turn, held.valid.start)
        self.closed.append(
            held.model_copy(
                update={
                    "state": ClaimState.SUPERSEDED,
                    "carried": 0,
                    "closing": closing,
                    "valid": held.valid.model_copy(update={"end": end}),
                }
            )
        )
        self.changes.append(
            Change(kind=ChangeKind.CLOSED, claim=held.id, other=by.id, reason=reason, evidence=evidence)
        )

    def open(self) -> list[Claim]:
        """The open part of the ledger."""
        return [*self._held.values(), *self._new.values()]


def _dissent(before: Iterable[Dissent], now: Iterable[Dissent], space: Space) -> list[Dissent]:
    """Dissent of all cycles: what was said before in the same meaning counts one cycle more."""
    found = list(before)
    for item in now:
        twin = next((n for n, old in enumerate(found) if old.id == item.id or space.same(old.text, item.text)), None)
        if twin is None:
            found.append(item)
        else:
            found[twin] = found[twin].model_copy(update={"cycles": found[twin].cycles + 1})
    return found


def _place(item: Claim | Dissent) -> tuple[int, bool, int, str, str]:
    turns = [evidence.turn for evidence in item.evidence]
    return ORDER.index(item.section), not turns, min(turns, default=0), item.text, item.id
