"""The audit: what reviewers say of a candidate is done where enough families say it; what is suspected is shown."""

from collections.abc import Sequence

from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import Action, Finding, FramePolicy, FrameReport
from dissolution.premises import Register
from dissolution.reviewing import Fault, Hint, Reviewer
from frame_agent.register.lock_in import lock_in_of
from frame_agent.review.candidate_sheet import Sheet
from frame_agent.review.missing import taken_up
from frame_agent.review.one_per_member import voices_of
from frame_agent.review.pairs import contested, merged
from frame_agent.review.single_claims import Singles
from frame_agent.review.wording_distance import Comparing

NOT_DONE = {
    Action.ANNOTATE: "policy 'frame.act' only annotates; it would be",
    Action.BLOCK: "policy 'frame.act' keeps the history; it would be",
}


def audit(
    register: Register,
    candidate: Consensus,
    snapshot: Snapshot,
    policy: FramePolicy,
    *,
    reviewers: Sequence[Reviewer],
    comparing: Comparing,
    job: str,
    hints: Sequence[Hint] = (),
    nobody: str | None = None,
) -> FrameReport:
    """What comes of a candidate by what reviewers say of it.

    Hints are passed on and change nothing. The result is the same for any order of the reviewers.

    Args:
        register: The register of the snapshot, made before the candidate was.
        candidate: The consensus.
        snapshot: What both are about.
        policy: Whether what enough families say is done.
        reviewers: What members say.
        comparing: How wordings compare.
        job: The job's id; ids of claims made here are derived from it.
        hints: What is suspected.
        nobody: Why nobody could be asked; None when somebody was.
    """
    sheet = Sheet(candidate, job)
    findings = findings_of(sheet, candidate, snapshot, reviewers, comparing)
    if policy.act is not Action.REPAIR:
        findings = [_left(one, policy.act) for one in findings]
    findings.sort(key=lambda one: one.action is Action.ANNOTATE)
    return FrameReport(
        findings=tuple(findings),
        hints=tuple(hints),
        register_digest=register.digest,
        register_size=len(register.premises),
        lock_in=lock_in_of(register),
        reviewers=tuple(reviewers),
        nobody=nobody,
        amended=sheet.amended() if policy.act is Action.REPAIR else None,
        blocked=tuple(one.words for one in findings if one.action is Action.BLOCK),
    )


def findings_of(
    sheet: Sheet, candidate: Consensus, snapshot: Snapshot, reviewers: Sequence[Reviewer], comparing: Comparing
) -> list[Finding]:
    """What reviewers say, each with what was done on the sheet: claims by themselves, then beside each other."""
    voices = voices_of(reviewers, candidate.claims)
    singles = Singles(sheet, snapshot, comparing)
    findings: list[Finding] = []
    for claim in candidate.claims:
        about = [one for one in voices if claim.id in one.claims and one.fault is not Fault.SAME_AS]
        if about:
            findings += singles.decide(claim, about)
    findings += merged(sheet, voices, comparing)
    findings += contested(sheet, voices)
    findings += taken_up(sheet, voices, snapshot, comparing)
    return findings


def _left(finding: Finding, act: Action) -> Finding:
    """A finding whose repair policy does not want."""
    if finding.action is not Action.REPAIR:
        return finding
    return finding.model_copy(update={"action": act, "outcome": f"{NOT_DONE[act]}: {finding.outcome}"})
