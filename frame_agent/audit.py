"""The audit: a candidate held against the register of before, and what policy has done about what it finds."""

from collections.abc import Sequence

from dissolution.claim_audit import Auditor
from dissolution.claims import Claim, Section
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import Action, Finding, FramePolicy, FrameReport, Severity
from dissolution.premises import Register
from frame_agent.auditors import votes_on, weighed
from frame_agent.lock_in import lock_in_of
from frame_agent.losses import Demoted, demotion_of, demotions, vanished, vanishing_of
from frame_agent.promotions import Promoted, finding_of, promotions
from frame_agent.record import Record
from frame_agent.repair import Repairs
from frame_agent.speakers import misgiven, sourced

GRAVEST_FIRST = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


def audit(
    register: Register,
    candidate: Consensus,
    snapshot: Snapshot,
    policy: FramePolicy,
    auditors: Sequence[Auditor] = (),
) -> FrameReport:
    """Compare a candidate with what the conversation takes for granted.

    Args:
        register: The register of the snapshot, made before the candidate was.
        candidate: The consensus.
        snapshot: What both are about.
        policy: What is done about each kind of finding.
        auditors: What members say of the claims; without any the rules speak alone.

    Returns:
        The findings, the gravest first, each with what was done; the amended candidate when something was repaired;
        and the reasons to keep the history when a finding blocks.
    """
    record = Record(register, snapshot)
    repairs = Repairs(record, candidate, policy)
    for claim in candidate.claims if policy.audit else ():
        for finding, cause in weighed(record, claim, findings_of(record, claim), votes_on(claim, auditors), policy):
            repairs.treat(finding, cause)
    for premise in vanished(record, candidate.claims) if policy.audit else ():
        repairs.treat(vanishing_of(premise), premise)
    findings = sorted(repairs.findings, key=lambda one: GRAVEST_FIRST.index(one.severity))
    return FrameReport(
        findings=tuple(findings),
        register_digest=register.digest,
        register_size=len(register.premises),
        lock_in=lock_in_of(register),
        auditors=tuple(auditors),
        amended=repairs.amended(),
        blocked=tuple(one.words for one in findings if one.action is Action.BLOCK),
    )


def findings_of(record: Record, claim: Claim) -> list[tuple[Finding, Promoted | Demoted | None]]:
    """What is wrong with one claim, each with what a repair needs.

    A sentence that gives its words to somebody is judged by who said them; the rest by how firmly it is said.
    """
    misgivings = [misgiven(record, one) for one in sourced(claim)] if claim.section is not Section.EDGES else []
    found: list[tuple[Finding, Promoted | Demoted | None]] = [(one, None) for one in misgivings if one is not None]
    if found:
        return found
    found += [(finding_of(one), one) for one in promotions(record, claim)]
    return found or [(demotion_of(one), one) for one in demotions(record, claim)]
