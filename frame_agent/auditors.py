"""What members say of claims, weighed against the rules: one finding, who tells it, who reads the claim otherwise.

Families vote, not members. Where most families
find fault, the finding stands, whether the rules found it or not; where most call the claim sound, what the rules find
is disputed: it is shown, and nothing is done about it. What the rules find in quoted material no vote lifts, since a
member that obeys it would vote for it; and no family clears a claim that it alone wrote.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dissolution.claim_audit import AssessedClaim, Assessment, Auditor
from dissolution.claims import Claim, Evidence, FamilyName, MemberName, Section
from dissolution.framing import RULES, Finding, FindingKind, Severity
from dissolution.premises import PremiseStatus
from frame_agent.brought_back import FIRM
from frame_agent.losses import SURE, Demoted, demotion_of
from frame_agent.promotions import Promoted, finding_of
from frame_agent.record import Record, Said, overlaps, parts_of
from frame_agent.speakers import attribution_of, sourced

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

LOOSE = frozenset({Assessment.HEDGED, Assessment.PROPOSED, Assessment.ONE_OFF})
"""What a claim in EDGES may be: there it is held as open."""


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


def votes_on(claim: Claim, auditors: Sequence[Auditor]) -> tuple[Vote, ...]:
    """The families' votes on a claim as it is worded now, by name; a family that is divided evenly has none.

    Args:
        claim: A claim of the candidate.
        auditors: What members said. A claim that was reworded since has no assessment.
    """
    said: dict[FamilyName, list[tuple[MemberName, AssessedClaim]]] = {}
    for auditor in auditors:
        for one in auditor.assessed:
            if one.claim == claim.id and one.text == claim.text:
                said.setdefault(auditor.family, []).append((auditor.member, _as_held(claim, one)))
    found = (_vote(family, members) for family, members in sorted(said.items()))
    return tuple(one for one in found if one is not None)


def weighed(
    record: Record, claim: Claim, by_rules: Sequence[tuple[Finding, Cause]], votes: Sequence[Vote]
) -> list[tuple[Finding, Cause]]:
    """What is wrong with one claim by the rules and the families together, each finding with what a repair needs.

    Args:
        record: The conversation.
        claim: The claim.
        by_rules: What the rules find.
        votes: What the families say; without any the rules' word stands.
    """
    against = [one for one in votes if one.assessment is not Assessment.SOUND]
    sound = [one for one in votes if one.assessment is Assessment.SOUND]
    free = [one for one in sound if claim.support.families != (one.family,)]
    kept = any(_is_kept(one) for one, _ in by_rules)
    same = any(_agrees(one, vote) for one, _ in by_rules for vote in against)
    at_fault, lifted = len(against) > len(free), len(free) > len(against)
    replaced = at_fault and not same and not kept
    found: list[tuple[Finding, Cause]] = []
    for one, cause in by_rules:
        agreeing = _members([vote for vote in against if _agrees(one, vote)])
        otherwise = _members(against if replaced else sound)
        disputed = replaced or (lifted and not _is_kept(one))
        found.append((_named(one, (RULES, *agreeing), otherwise, disputed=disputed), cause))
    if not against or same:
        return found
    finding, cause, tellers = _told(record, claim, against)
    theirs = (_named(finding, _members(tellers), _members(sound), disputed=not at_fault), cause)
    return [*found, theirs] if kept else [theirs, *found]  # what quoted material orders is put out first


def _is_kept(finding: Finding) -> bool:
    """Whether no vote lifts a finding of the rules: who obeys quoted material would vote for what it orders."""
    return finding.before is PremiseStatus.INJECTED


def _agrees(finding: Finding, vote: Vote) -> bool:
    """Whether a family tells the same: the kind, and of a promotion the status before."""
    promoted = finding.kind is FindingKind.PROMOTION
    return _kind(vote.assessment) is finding.kind and (not promoted or BEFORE[vote.assessment] is finding.before)


def _kind(assessment: Assessment) -> FindingKind:
    return KINDS.get(assessment, FindingKind.PROMOTION)


def _members(votes: Sequence[Vote]) -> tuple[MemberName, ...]:
    return tuple(name for one in votes for name in one.members)


def _named(
    finding: Finding, told_by: tuple[MemberName, ...], disputed_by: tuple[MemberName, ...], *, disputed: bool
) -> Finding:
    return finding.model_copy(update={"told_by": told_by, "disputed_by": disputed_by, "disputed": disputed})


def _as_held(claim: Claim, one: AssessedClaim) -> AssessedClaim:
    """A claim in EDGES is held as open: that it is only guessed or proposed is no fault there."""
    loose = claim.section is Section.EDGES and one.assessment in LOOSE
    return one.model_copy(update={"assessment": Assessment.SOUND, "evidence": None}) if loose else one


def _vote(family: FamilyName, said: Sequence[tuple[MemberName, AssessedClaim]]) -> Vote | None:
    """The vote of one family: first whether there is a fault, then which."""
    faults = [(name, one) for name, one in said if one.assessment is not Assessment.SOUND]
    if 2 * len(faults) == len(said):
        return None
    most = faults if 2 * len(faults) > len(said) else [(name, one) for name, one in said if (name, one) not in faults]
    assessment = _most(one.assessment for _, one in most)
    evidence = next(one.evidence for _, one in most if one.assessment is assessment)
    return Vote(family, tuple(sorted(name for name, _ in most)), assessment, evidence)


def _most(given: Iterable[Assessment]) -> Assessment:
    """The most frequent assessment; among equals the one that stands first in their list."""
    counted = Counter(given)
    return max(Assessment, key=lambda one: counted[one])


def _told(record: Record, claim: Claim, against: Sequence[Vote]) -> tuple[Finding, Cause, Sequence[Vote]]:
    """The finding that most of these families tell, what a repair of it needs where that is known, and who tells it."""
    assessment = _most(one.assessment for one in against)
    tellers = [one for one in against if one.assessment is assessment]
    evidence = tellers[0].evidence
    said = _sentence(record, evidence)
    if said is None:
        return _bare(claim, assessment, evidence), None, tellers
    part = max(parts_of(claim), key=lambda one: record.bears(said, one))
    before = BEFORE.get(assessment)
    if before is not None:
        promoted = Promoted(claim, part, said, before)
        return finding_of(promoted), promoted, tellers
    if assessment is Assessment.DEMOTION:
        demoted = Demoted(claim, part, said)
        # only a firm sentence about the same is put in the place of a doubt, whatever else a member was talked into
        restores = said.status in FIRM and record.bears(said, part) >= SURE
        return demotion_of(demoted), demoted if restores else None, tellers
    who = next(iter(sourced(claim)), None)
    return (_bare(claim, assessment, evidence) if who is None else attribution_of(who, said)), None, tellers


def _sentence(record: Record, evidence: Evidence | None) -> Said | None:
    """The sentence that words of a turn stand in."""
    if evidence is None:
        return None
    return next((said for said in record.said if overlaps(evidence, said.found)), None)


def _bare(claim: Claim, assessment: Assessment, evidence: Evidence | None) -> Finding:
    """A finding without a sentence of the record: nothing to repair it with, but for what nowhere stands."""
    where = f" (turn {evidence.turn}: {evidence.text!r})" if evidence is not None else ""
    return Finding(
        kind=_kind(assessment),
        severity=Severity.HIGH if assessment is Assessment.FABRICATION else Severity.MEDIUM,
        premise=None,
        claim=claim.id,
        section=claim.section,
        before=BEFORE.get(assessment),
        words=f"{claim.text!r} {SAYS[_kind(assessment)]}{where}",
        evidence=() if evidence is None else (evidence,),
    )


SAYS = {
    FindingKind.PROMOTION: "is held more firmly than it was said",
    FindingKind.DEMOTION: "doubts what is said firmly",
    FindingKind.ATTRIBUTION: "gives words to somebody who did not say them",
    FindingKind.FABRICATION: "is found nowhere in the conversation",
}
