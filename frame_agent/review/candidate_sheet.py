"""The candidate while it is amended: claims are moved, closed, replaced and merged; nothing that was said is lost.

What the ledger holds is closed with the words that close it; what is new becomes dissent with its statements. A claim
of DECIDED or IDENTITY that the ledger holds never comes back under its id in another section: it ends, and what takes
its place has an id of its own.
"""

from collections.abc import Iterable, Sequence

from dissolution.claims import (
    BINDING_SECTIONS,
    PERSONAL_MARKS,
    Claim,
    ClaimId,
    ClaimState,
    Closing,
    Dissent,
    DissentReason,
    Evidence,
    Mark,
    Section,
    Statement,
    Support,
)
from dissolution.findings import Consensus
from dissolution.ids import claim_id
from dissolution.intervals import TurnInterval
from dissolution.ledger import Change, ChangeKind
from dissolution.reviewing import Fault, Hint
from dissolution.values import NotMeasured

HELD = frozenset({ChangeKind.AFFIRMED, ChangeKind.CARRIED, ChangeKind.REPAIRED})
"""Changes of claims that the ledger held before."""


COMPARED = NotMeasured(not_measured="distances were compared; no model of wording was asked")


class Sheet:
    """A candidate while it is amended.

    Args:
        candidate: As it was reviewed.
        job: The job's id; ids of claims made here are derived from it.
    """

    def __init__(self, candidate: Consensus, job: str) -> None:
        self._before = candidate
        self._places = {claim.id: place for place, claim in enumerate(candidate.claims)}
        self._job = job
        self.claims: dict[ClaimId, Claim] = {claim.id: claim for claim in candidate.claims}
        self._dissent: dict[ClaimId, Dissent] = {one.id: one for one in candidate.dissent}
        self._closed: dict[ClaimId, Claim] = {claim.id: claim for claim in candidate.closed}
        self._changes: list[Change] = list(candidate.changes)
        self._hints: list[Hint] = list(candidate.hints)
        self._held = {change.claim for change in candidate.changes if change.kind in HELD} & self.claims.keys()
        self._changed = False

    def amended(self) -> Consensus | None:
        """The candidate as it stands now; None when nothing was changed."""
        if not self._changed:
            return None
        update = {
            "claims": tuple(self.claims.values()),
            "dissent": tuple(self._dissent.values()),
            "closed": tuple(self._closed.values()),
            "changes": tuple(self._changes),
            "hints": tuple(self._hints),
        }
        return self._before.model_copy(update=update)

    def place(self, claim: ClaimId) -> tuple[int, ClaimId]:
        """What claims are put in order by: where it stood when it was reviewed. Ids are other ones in every job."""
        return self._places.get(claim, len(self._places)), claim

    def holds(self, claim: ClaimId) -> bool:
        """Whether the ledger held the claim before."""
        return claim in self._held

    def new_id(self, *parts: str) -> ClaimId:
        """The id of a claim that the review makes: the same for the same words."""
        return claim_id(self._job, "review", *parts)

    def add(self, claim: Claim, reason: str) -> None:
        """A claim that was not there; one of the same id is there already and stays."""
        if claim.id in self.claims:
            return
        self.claims[claim.id] = claim
        self._changes.append(Change(kind=ChangeKind.ADDED, claim=claim.id, reason=reason, evidence=claim.evidence))
        self._changed = True

    def note(self, dissent: Dissent) -> None:
        """Something that was said and is not held."""
        self._dissent.setdefault(dissent.id, dissent)
        self._changed = True

    def suspect(self, hint: Hint) -> None:
        """What is suspected of the candidate as it is amended."""
        self._hints.append(hint)

    def move(self, claim: Claim, section: Section, evidence: tuple[Evidence, ...], reason: str) -> ClaimId:
        """Put a claim into another section, its words as they are; the id it has there."""
        parts = {"section": section, "evidence": _once(claim.evidence, evidence), "reason": reason}
        moved = claim.model_copy(update=parts)
        if self.holds(claim.id) and claim.section in BINDING_SECTIONS and section not in BINDING_SECTIONS:
            new = moved.model_copy(
                update={"id": self.new_id(claim.id, section.value), "state": ClaimState.CURRENT, "carried": 0}
            )
            self.add(new, reason)
            self.close(claim, ClaimState.CORRECTED, DissentReason.REVIEWED, reason, evidence, by=new.id)
            return new.id
        self.claims[claim.id] = moved
        self._changed = True
        return claim.id

    def close(
        self,
        claim: Claim,
        state: ClaimState,
        aside: DissentReason,
        reason: str,
        evidence: tuple[Evidence, ...],
        *,
        by: ClaimId | None = None,
        beside: tuple[ClaimId, ...] = (),
        kept: bool = True,
    ) -> str:
        """End a claim; what it had ended itself comes back where it never held and nothing takes its place.

        Args:
            claim: As it stands.
            state: What it becomes where the ledger holds it.
            aside: Why it is dissent where it is new.
            reason: Why, in words.
            evidence: The words that end it.
            by: The claim that takes its place.
            beside: Others that do so together with that one.
            kept: Whether a new one becomes dissent; one that was merged into another does not.

        Returns:
            What became of it, in words.
        """
        del self.claims[claim.id]
        self._changed = True
        if self.holds(claim.id):
            self._closed[claim.id] = _ended(claim, state, reason, evidence, by)
            self._changes = [one for one in self._changes if one.claim != claim.id]
            change = Change(kind=ChangeKind.CLOSED, claim=claim.id, other=by, reason=reason, evidence=evidence)
            self._changes.append(change)
            self._takes_place(by, claim.id, reason)
            return f"closed ({state.value})"
        if kept:
            self.note(Dissent.of_claim(claim, aside, reason, against=() if by is None else (by, *beside)))
        self._changes = [one for one in self._changes if one.claim != claim.id]
        back = self._free_predecessors(claim.id, by, reason, restore=state is ClaimState.CORRECTED)
        told = f"set aside as dissent ({aside.value})" if kept else "merged"
        return f"{told}; {', '.join(back)} holds again" if back else told

    def merge(self, stays: Claim, goes: Claim, reason: str) -> str:
        """Let one claim take over what another says; one that a person keeps is left as it is."""
        if not PERSONAL_MARKS.isdisjoint(stays.marks):
            return self.close(
                goes,
                ClaimState.SUPERSEDED,
                DissentReason.CONTAINED,
                reason,
                stays.evidence or goes.evidence,
                by=stays.id,
            )
        grown = self.claims[stays.id] = _grown(stays, goes)
        if stays.state is not grown.state:
            self._changes = [
                one.model_copy(update={"kind": ChangeKind.AFFIRMED, "reason": reason})
                if one.claim == stays.id and one.kind is ChangeKind.CARRIED
                else one
                for one in self._changes
            ]
        words = stays.evidence or goes.evidence
        return self.close(goes, ClaimState.SUPERSEDED, DissentReason.CONTAINED, reason, words, by=stays.id, kept=False)

    def _takes_place(self, by: ClaimId | None, closed: ClaimId, reason: str) -> None:
        """A new claim in the place of a held one revises it."""
        for place, change in enumerate(self._changes):
            if change.claim == by and change.kind is ChangeKind.ADDED:
                update = {"kind": ChangeKind.REVISED, "other": closed, "reason": reason}
                self._changes[place] = change.model_copy(update=update)
                return

    def _free_predecessors(
        self, claim: ClaimId, by: ClaimId | None, reason: str, *, restore: bool
    ) -> tuple[ClaimId, ...]:
        """What a new claim had taken the place of: it is followed by its successor, or holds again, or just ended."""
        back: list[ClaimId] = []
        for old in [one for one in self._closed.values() if one.closing is not None and one.closing.by == claim]:
            if by is None and restore:
                back.append(old.id)
                del self._closed[old.id]
                self._changes = [one for one in self._changes if one.claim != old.id]
                self._changes.append(
                    Change(kind=ChangeKind.CARRIED, claim=old.id, reason=f"what took its place does not hold: {reason}")
                )
                self.claims[old.id] = _opened(old)
                self._held.add(old.id)
                continue
            closing = None if old.closing is None else old.closing.model_copy(update={"by": by})
            self._closed[old.id] = old.model_copy(update={"closing": closing})
            self._changes = [
                one.model_copy(update={"other": by}) if one.claim == old.id and one.other == claim else one
                for one in self._changes
            ]
            self._takes_place(by, old.id, reason)
        return tuple(back)


def same_as_hint(stands: ClaimId, new: ClaimId) -> Hint:
    """That a claim which reviewers put in may say what another says."""
    return Hint(suspects=Fault.SAME_AS, claims=(stands, new), probability=COMPARED, basis="near; reviewers say it anew")


def _once(*groups: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(piece for group in groups for piece in group))


def _ended(claim: Claim, state: ClaimState, reason: str, evidence: tuple[Evidence, ...], by: ClaimId | None) -> Claim:
    """A held claim as it stands once it has ended: what never held has an empty interval."""
    last = max((piece.turn for piece in evidence), default=claim.valid.start)
    end = claim.valid.start if state is ClaimState.CORRECTED else max(last, claim.valid.start)
    return claim.model_copy(
        update={
            "state": state,
            "carried": 0,
            "valid": TurnInterval(start=claim.valid.start, end=end),
            "closing": Closing(state=state, by=by, evidence=evidence, reason=reason),
        }
    )


def _opened(claim: Claim) -> Claim:
    """A claim that had ended in this cycle as it stood before: held, and not said again."""
    return claim.model_copy(
        update={
            "state": ClaimState.CARRIED,
            "carried": 1,
            "valid": TurnInterval(start=claim.valid.start),
            "closing": None,
        }
    )


def _grown(stays: Claim, goes: Claim) -> Claim:
    """A claim with what another says of the same: statements, evidence and support only grow."""
    statements = statements_once(stays.statements, goes.statements)
    support = Support(
        members=tuple(sorted({*stays.support.members, *goes.support.members})),
        families=tuple(sorted({*stays.support.families, *goes.support.families})),
    )
    marks = tuple(mark for mark in stays.marks if mark is not Mark.SINGLE_SOURCE or len(support.families) == 1)
    said = ClaimState.CURRENT in {stays.state, goes.state}
    affirmed = [turn for turn in (stays.affirmed, goes.affirmed) if turn is not None]
    return stays.model_copy(
        update={
            "evidence": _once(stays.evidence, goes.evidence),
            "statements": statements,
            "support": support,
            "marks": marks,
            "valid": TurnInterval(start=min(stays.valid.start, goes.valid.start), end=stays.valid.end),
            "state": ClaimState.CURRENT if said else ClaimState.CARRIED,
            "carried": 0 if said else min(stays.carried, goes.carried),
            "affirmed": max(affirmed, default=None),
        }
    )


def statements_once(*groups: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements of all groups in order; the same words of one member in one section count once."""
    found: dict[tuple[str, str, str], Statement] = {}
    for group in groups:
        for said in group:
            found.setdefault((said.member, said.claim.section.value, said.claim.text), said)
    return tuple(found.values())
