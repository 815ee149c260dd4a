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
from frame_agent.losses import SURE, Demoted, demotion_of, sure_source
from frame_agent.promotions import LEAST_INJECTED, Promoted, finding_of
from frame_agent.record import Part, Record, Said, overlaps, parts_of
from frame_agent.speakers import attribution_of, sourced
from wording.negation import is_negated

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

VERBATIM = 0.8
"""How well a spoken sentence must bear a part of a claim (`Record.bears`) to say it in nearly its words."""

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
        auditors: What members said. A claim that was reworded or moved since has no assessment.
    """
    said: dict[FamilyName, list[tuple[MemberName, AssessedClaim]]] = {}
    for auditor in auditors:
        for one in auditor.assessed:
            if (one.section, one.text) == (claim.section, claim.text):  # its id may be new after a repair
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
    votes = [one for one in votes if not _refuted(record, claim, one)]
    against = [one for one in votes if one.assessment is not Assessment.SOUND]
    sound = [one for one in votes if one.assessment is Assessment.SOUND]
    free = [one for one in sound if claim.support.families != (one.family,)]
    others = [vote for vote in against if not any(_agrees(one, vote) for one, _ in by_rules)]
    theirs = _told(record, claim, others) if others else None
    stands = len(against) > len(free) and 2 * len(others) > len(against)
    kept = [_is_kept(record, claim, one) for one, _ in by_rules]
    replaced = stands and theirs is not None and theirs.mends and not any(kept)
    found: list[tuple[Finding, Cause]] = []
    for (one, cause), fast in zip(by_rules, kept, strict=True):
        agreeing = _members([vote for vote in against if _agrees(one, vote)])
        disputed = replaced or (len(free) > len(against) and not fast)
        told = _named(one, (RULES, *agreeing), _members(others if replaced else sound), disputed=disputed)
        found.append((told, cause))
    if theirs is None:
        return found
    own = (_named(theirs.finding, _members(theirs.by), _members(sound), disputed=not stands), theirs.cause)
    return [*found, own] if any(kept) else [own, *found]  # what quoted material orders is put out first


def _is_kept(record: Record, claim: Claim, finding: Finding) -> bool:
    """Whether no vote lifts a finding of the rules: who obeys quoted material would vote for what it orders.

    An approval or request that nobody made and that quoted material says best is made up there.
    """
    made_up = finding.kind is FindingKind.FABRICATION and any(_is_pasted(record, part) for part in parts_of(claim))
    return made_up or finding.before is PremiseStatus.INJECTED


def _is_pasted(record: Record, part: Part) -> bool:
    """Whether quoted material bears a part of a claim best, and well."""
    near = [(record.bears(said, part), said.found.quoted) for said in record.near(part.terms)]
    return max(near, default=(0.0, False)) >= (LEAST_INJECTED, True)


def _refuted(record: Record, claim: Claim, vote: Vote) -> bool:
    """Whether somebody says in nearly these words what a vote calls made up, or turned down by that very sentence."""
    if vote.assessment is Assessment.FABRICATION:
        return all(any(_says(record, said, part) for said in record.near(part.terms)) for part in parts_of(claim))
    said = _sentence(record, vote.evidence) if vote.assessment is Assessment.REJECTED else None
    return said is not None and any(_says(record, said, part) for part in parts_of(claim))


def _says(record: Record, said: Said, part: Part) -> bool:
    spoken = said.status in FIRM and not said.found.quoted and not said.found.asks
    alike = is_negated(said.found.text) is is_negated(part.text)
    return spoken and alike and record.bears(said, part) >= VERBATIM


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


@dataclass(frozen=True, slots=True)
class _Told:
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


def _told(record: Record, claim: Claim, against: Sequence[Vote]) -> _Told:
    """The finding that most of these families tell, with the sentence it goes beyond where one is known."""
    assessment = _most(one.assessment for one in against)
    by = [one for one in against if one.assessment is assessment]
    evidence = by[0].evidence
    said = _sentence(record, evidence)
    if said is None:
        return _Told(_bare(claim, assessment, evidence), None, by, assessment is Assessment.FABRICATION)
    part = max(parts_of(claim), key=lambda one: record.bears(said, one))
    before = BEFORE.get(assessment)
    if before is not None:
        promoted = Promoted(claim, part, said, before)
        return _Told(finding_of(promoted), promoted, by, mends=True)
    if assessment is Assessment.DEMOTION:
        demoted = Demoted(claim, part, said)
        restores = _restores(record, claim, part, said)
        return _Told(demotion_of(demoted), demoted if restores else None, by, restores)
    who = next(iter(sourced(claim)), None)
    finding = _bare(claim, assessment, evidence) if who is None else attribution_of(who, said)
    return _Told(finding, None, by, who is not None)


def _restores(record: Record, claim: Claim, part: Part, said: Said) -> bool:
    """Whether a sentence may take the place of a doubt, whatever a member was talked into.

    It is spoken, firm and about the same; and what stands as open is closed only where the rules see it closed too.
    """
    firm = said.status in FIRM and not said.found.quoted and not said.found.asks
    closed = claim.section is not Section.EDGES or sure_source(record, claim, part) is not None
    return firm and closed and record.bears(said, part) >= SURE


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
