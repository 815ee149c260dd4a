"""Who stands behind a claim, and whether that is enough to admit it."""

from dataclasses import dataclass

from consensus.draft import Draft
from dissolution.claims import FIRM_SECTIONS, DissentReason, Mark
from dissolution.policy import ConsensusPolicy


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the admission rule says of a draft: admitted when `reason` is None.

    Attributes:
        marks: Marks of the claim when it is admitted.
        reason: Why it is dissent.
        detail: The same in words, with the numbers.
    """

    marks: tuple[Mark, ...]
    reason: DissentReason | None
    detail: str


def rule(draft: Draft, policy: ConsensusPolicy) -> Ruling:
    """Admit by families, or one family's claim on strong evidence.

    What contradicts another grounded draft was settled before and does not come here.

    Args:
        draft: The group.
        policy: The thresholds.
    """
    families, score = len(draft.support.families), draft.grounding.score
    if draft.section in FIRM_SECTIONS and not draft.grounding.evidence:
        detail = f"no stretch of the conversation reaches the evidence floor {policy.evidence_floor:g}"
        return Ruling((), DissentReason.UNSUPPORTED, detail)
    if families >= policy.min_families:
        return Ruling((), None, f"{families} families")
    said = f"{families} of {policy.min_families} families"
    if not policy.admit_single_source:
        return Ruling((), DissentReason.FEW_FAMILIES, f"{said}; the policy admits no single source")
    if score < policy.single_source_evidence:
        detail = f"{said}; evidence {score:.2f} is below {policy.single_source_evidence:g} asked of a single source"
        return Ruling((), DissentReason.FEW_FAMILIES, detail)
    return Ruling((Mark.SINGLE_SOURCE,), None, f"{said}, evidence {score:.2f}")
