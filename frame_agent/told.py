"""What families of members tell of one claim, as a finding with what a repair of it needs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dissolution.claim_audit import Assessment
from dissolution.claims import Claim, Evidence, FamilyName, MemberName, Section
from dissolution.framing import Finding, FindingKind, Severity
from dissolution.premises import PremiseStatus
from frame_agent.brought_back import FIRM
from frame_agent.losses import SURE, Demoted, demotion_of, doubts, sure_source
from frame_agent.promotions import Promoted, finding_of
from frame_agent.record import Part, Record, Said, overlaps, parts_of
from frame_agent.speakers import attribution_of, says_instead, sourced
from frame_agent.terms import figures_of

Cause = Promoted | Demoted | None

BEFORE = {
    Assessment.HEDGED: PremiseStatus.HEDGED,
    Assessment.PROPOSED: PremiseStatus.PROPOSED,
    Assessment.ONE_OFF: PremiseStatus.ONE_OFF,
    Assessment.REJECTED: PremiseStatus.REJECTED,
    Assessment.INJECTED: PremiseStatus.INJECTED,
}
"""Assessments that are promotions, with the status that the premise has."""

KINDS = {
    Assessment.DEMOTION: FindingKind.DEMOTION,
    Assessment.ATTRIBUTION: FindingKind.ATTRIBUTION,
    Assessment.FABRICATION: FindingKind.FABRICATION,
}


@dataclass(frozen=True, slots=True)
class Vote:
    """What one family says of one claim.

    Attributes:
        family: Whose vote it is.
        members: Its members that say so.
        assessment: The assessment of most of them.
        evidence: The words by which the first of them proves it.
    """

    family: FamilyName
    members: tuple[MemberName, ...]
    assessment: Assessment
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Told:
    """The finding of some families.

    Attributes:
        finding: What most of them tell.
        cause: What a repair of it needs.
        by: The families that tell it.
        mends: Whether it can be repaired.
    """

    finding: Finding
    cause: Cause
    by: Sequence[Vote]
    mends: bool


def told_by(record: Record, claim: Claim, against: Sequence[Vote]) -> Told:
    """The finding that most of these families tell, with the sentence it goes beyond where one is known."""
    assessment = most_of(one.assessment for one in against)
    by = [one for one in against if one.assessment is assessment]
    evidence = by[0].evidence
    said = sentence_of(record, evidence)
    if said is None:
        return Told(_bare(claim, assessment, evidence), None, by, assessment is Assessment.FABRICATION)
    part = max(parts_of(claim), key=lambda one: record.bears(said, one))
    before = BEFORE.get(assessment)
    if before is not None:
        promoted = Promoted(claim, part, said, before)
        return Told(finding_of(promoted), promoted, by, mends=True)
    if assessment is Assessment.DEMOTION:
        demoted = Demoted(claim, part, said)
        restores = _restores(record, claim, part, said)
        return Told(demotion_of(demoted), demoted if restores else None, by, restores)
    who = next((one for one in sourced(claim) if says_instead(record, one, said)), None)
    finding = _bare(claim, assessment, evidence) if who is None else attribution_of(who, said)
    return Told(finding, None, by, who is not None)


def _restores(record: Record, claim: Claim, part: Part, said: Said) -> bool:
    """Whether a sentence may take the place of a doubt, whatever a member was talked into.

    It is spoken, firm and about the same, and has the figures of what is put as a doubt; and what stands as open is
    closed only where the rules see it closed too.
    """
    firm = said.status in FIRM and not said.found.quoted and not said.found.asks
    closed = claim.section is not Section.EDGES or sure_source(record, claim, part) is not None
    doubted = doubts(claim, part) and figures_of(part.text) <= said.found.terms
    return firm and closed and doubted and record.bears(said, part) >= SURE


def sentence_of(record: Record, evidence: Evidence | None) -> Said | None:
    """The sentence that words of a turn stand in."""
    if evidence is None:
        return None
    return next((said for said in record.said if overlaps(evidence, said.found)), None)


def _bare(claim: Claim, assessment: Assessment, evidence: Evidence | None) -> Finding:
    """A finding without a sentence of the record: nothing to repair it with, but for what nowhere stands."""
    where = f" (turn {evidence.turn}: {evidence.text!r})" if evidence is not None else ""
    return Finding(
        kind=kind_of(assessment),
        severity=Severity.HIGH if assessment is Assessment.FABRICATION else Severity.MEDIUM,
        premise=None,
        claim=claim.id,
        section=claim.section,
        before=BEFORE.get(assessment),
        words=f"{claim.text!r} {SAYS[kind_of(assessment)]}{where}",
        evidence=() if evidence is None else (evidence,),
    )


SAYS = {
    FindingKind.PROMOTION: "is held more firmly than it was said",
    FindingKind.DEMOTION: "doubts what is said firmly",
    FindingKind.ATTRIBUTION: "gives words to somebody who did not say them",
    FindingKind.FABRICATION: "is found nowhere in the conversation",
}


def kind_of(assessment: Assessment) -> FindingKind:
    """The kind of finding that an assessment is."""
    return KINDS.get(assessment, FindingKind.PROMOTION)


def most_of(given: Iterable[Assessment]) -> Assessment:
    """The most frequent assessment; among equals the one that stands first in their list."""
    counted = Counter(given)
    return max(Assessment, key=lambda one: counted[one])
