"""What a repair heard about a few turns: taken up like all that a review misses, and nothing else is touched."""

from collections.abc import Sequence

from dissolution.claims import Claim, Dissent, DissentReason
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import Finding
from dissolution.reviewing import Fault, Reviewer
from frame_agent.review.candidate_sheet import Sheet
from frame_agent.review.missing import taken_up
from frame_agent.review.one_per_member import voices_of
from frame_agent.review.replacements import AFTER_ANSWERS, plain
from frame_agent.review.wording_distance import Comparing


def taken_up_again(
    candidate: Consensus, snapshot: Snapshot, reviewers: Sequence[Reviewer], comparing: Comparing, *, job: str
) -> tuple[Consensus, tuple[Finding, ...]]:
    """The candidate with what reviewers of two families miss, and what was found.

    What the candidate says in the same words by now is passed over.

    Args:
        candidate: As it stands after its review and earlier repairs.
        snapshot: The conversation.
        reviewers: Each member once, with all that it said of the candidate: in the review, and in each repair.
        comparing: How wordings compare.
        job: The job's id; ids of claims made here are derived from it.
    """
    sheet, stands = Sheet(candidate, job), {plain(one.text) for one in candidate.claims}
    voices = [
        one
        for one in voices_of(reviewers, candidate.claims)
        if one.fault is Fault.MISSING and plain(one.remark.text or "") not in stands
    ]
    findings = tuple(taken_up(sheet, voices, snapshot, comparing))
    amended = sheet.amended() or candidate
    new = [one for one in amended.claims if plain(one.text) not in stands]
    return _without_what_stands(amended, new), findings


def _without_what_stands(amended: Consensus, new: Sequence[Claim]) -> Consensus:
    """The same without what reviewers missed one by one and what is now a claim with those statements."""
    told = {plain(said.claim.text) for one in new for said in one.statements}
    kept = tuple(one for one in amended.dissent if not _was_missed(one) or plain(one.text) not in told)
    return amended if len(kept) == len(amended.dissent) else amended.model_copy(update={"dissent": kept})


def _was_missed(one: Dissent) -> bool:
    """Whether it is what reviewers alone said, too few families of them."""
    reviewers_alone = all(said.ordinal >= AFTER_ANSWERS for said in one.statements)
    return one.reason is DissentReason.FEW_FAMILIES and reviewers_alone


def heard_in_all(reviewed: Sequence[Reviewer], again: Sequence[Reviewer]) -> tuple[Reviewer, ...]:
    """Each member once: what it said in the review first, then what it says now."""
    found = {one.member: one for one in reviewed}
    for one in again:
        before = found.get(one.member)
        found[one.member] = (
            one
            if before is None
            else before.model_copy(
                update={
                    "remarks": (*before.remarks, *one.remarks),
                    "unproved": before.unproved + one.unproved,
                }
            )
        )
    return tuple(found.values())
