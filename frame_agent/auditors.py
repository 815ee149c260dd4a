"""What members say of claims, weighed against the rules: one finding, who tells it, who reads the claim otherwise.

Families vote, not members. Where most find fault, the finding stands, whether the rules found it or not; where most
call the claim sound, what the rules find is disputed: it is shown, and nothing is done about it. What the rules find in
quoted material no vote lifts, nor what they find in what binds and quoted material gives orders about, since a member
that obeys would vote for it; and no family clears a claim that it alone wrote.
"""

from collections.abc import Sequence

from dissolution.claim_audit import AssessedClaim, Assessment, Auditor
from dissolution.claims import Claim, FamilyName, MemberName, Section
from dissolution.framing import RULES, Action, Finding, FindingKind, FramePolicy
from dissolution.premises import PremiseStatus
from frame_agent.brought_back import FIRM
from frame_agent.pasted import BINDING
from frame_agent.promotions import LEAST_INJECTED
from frame_agent.record import Part, Record, Said, parts_of
from frame_agent.swayed import is_touched, unmoved
from frame_agent.told import BEFORE, Cause, Told, Vote, kind_of, most_of, sentence_of, told_by
from wording.negation import is_negated

VERBATIM = 0.8
"""How well a spoken sentence must bear a part of a claim (`Record.bears`) to say it in nearly its words."""

LOOSE = frozenset({Assessment.HEDGED, Assessment.PROPOSED, Assessment.ONE_OFF})
"""What a claim in EDGES may be: there it is held as open."""

GUESSED = frozenset({Assessment.HEDGED, Assessment.PROPOSED})
"""What a confirmed sentence cannot be."""

USUAL = FramePolicy()
"""What is done about findings where nobody says otherwise."""


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
    record: Record,
    claim: Claim,
    by_rules: Sequence[tuple[Finding, Cause]],
    votes: Sequence[Vote],
    policy: FramePolicy = USUAL,
) -> list[tuple[Finding, Cause]]:
    """What is wrong with one claim by the rules and the families together, each finding with what a repair needs.

    Args:
        record: The conversation.
        claim: The claim.
        by_rules: What the rules find.
        votes: What the families say; without any the rules' word stands.
        policy: What is done about each kind of finding.

    Returns:
        What the rules find, first, and what the families find besides.
    """
    votes = [one for one in votes if not _refuted(record, claim, one)]
    against = [one for one in votes if one.assessment is not Assessment.SOUND]
    sound = [one for one in votes if one.assessment is Assessment.SOUND]
    free = [one for one in sound if claim.support.families != (one.family,)]
    others = [vote for vote in against if not any(_agrees(one, vote) for one, _ in by_rules)]
    theirs = told_by(record, claim, others) if others else None
    stands = len(against) > len(free) and 2 * len(others) > len(against)
    instead = theirs if stands and theirs is not None and _mends(record, claim, theirs, policy) else None
    touched = is_touched(record, claim)
    found: list[tuple[Finding, Cause]] = []
    for one, cause in by_rules:
        kept = touched or _is_kept(record, claim, one)
        agreeing = _members([vote for vote in against if _agrees(one, vote)])
        replaced = instead is not None and not kept and _same(instead, one, cause)
        disputed = replaced or (len(free) > len(against) and not kept)
        told = _named(one, (RULES, *agreeing), _members(others if replaced else sound), disputed=disputed)
        found.append((told, cause))
    if theirs is not None:
        own = _named(theirs.finding, _members(theirs.by), _members(sound), disputed=not stands)
        found.append((own, theirs.cause))
    return found


def _mends(record: Record, claim: Claim, theirs: Told, policy: FramePolicy) -> bool:
    """Whether what families find is repaired, so that it may take the place of what the rules find."""
    repairs = policy.action(theirs.finding.kind, theirs.finding.before) is Action.REPAIR
    return repairs and theirs.mends and unmoved(record, claim, theirs.finding, theirs.cause) is None


def _same(theirs: Told, finding: Finding, cause: Cause) -> bool:
    """Whether what families find is about the part of a claim that a finding of the rules is about."""
    if theirs.cause is not None:
        return cause is not None and cause.part == theirs.cause.part
    told = theirs.finding.kind
    return told is FindingKind.FABRICATION or finding.kind is told


def _is_kept(record: Record, claim: Claim, finding: Finding) -> bool:
    """Whether no vote lifts a finding of the rules: who obeys quoted material would vote for what it orders.

    An approval or request that nobody made is such a thing where it binds, and where quoted material says it best.
    """
    made_up = finding.kind is FindingKind.FABRICATION
    pasted = made_up and (claim.section in BINDING or any(_is_pasted(record, part) for part in parts_of(claim)))
    return pasted or finding.before is PremiseStatus.INJECTED


def _is_pasted(record: Record, part: Part) -> bool:
    """Whether quoted material bears a part of a claim best, and well."""
    near = [(record.bears(said, part), said.found.quoted) for said in record.near(part.terms)]
    return max(near, default=(0.0, False)) >= (LEAST_INJECTED, True)


def _refuted(record: Record, claim: Claim, vote: Vote) -> bool:
    """Whether somebody says in nearly these words what a vote calls made up, or turned down by that very sentence.

    Nor is a guess or a proposal what was said in nearly these words and confirmed: a reader that quotes the proposal
    and overlooks the yes after it, or quotes another guess, does not open it again.
    """
    if vote.assessment is Assessment.FABRICATION:
        return all(any(_says(record, said, part) for said in record.near(part.terms)) for part in parts_of(claim))
    if vote.assessment in GUESSED:
        return all(any(_confirms(record, said, part) for said in record.near(part.terms)) for part in parts_of(claim))
    said = sentence_of(record, vote.evidence) if vote.assessment is Assessment.REJECTED else None
    return said is not None and any(_says(record, said, part) for part in parts_of(claim))


def _confirms(record: Record, said: Said, part: Part) -> bool:
    return said.status is PremiseStatus.CONFIRMED and _says(record, said, part)


def _says(record: Record, said: Said, part: Part) -> bool:
    spoken = said.status in FIRM and not said.found.quoted and not said.found.asks
    alike = is_negated(said.found.text) is is_negated(part.text)
    return spoken and alike and record.bears(said, part) >= VERBATIM


def _agrees(finding: Finding, vote: Vote) -> bool:
    """Whether a family tells the same: the kind, and of a promotion the status before."""
    promoted = finding.kind is FindingKind.PROMOTION
    return kind_of(vote.assessment) is finding.kind and (not promoted or BEFORE[vote.assessment] is finding.before)


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
    assessment = most_of(one.assessment for _, one in most)
    evidence = next(one.evidence for _, one in most if one.assessment is assessment)
    return Vote(family, tuple(sorted(name for name, _ in most)), assessment, evidence)
