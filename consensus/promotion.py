"""Nothing is promoted silently (rule 8): a guess does not become a fact, nor an exception a rule."""

import re
from collections.abc import Sequence

from consensus.profile import Profile, profile_of
from dissolution.claims import FIRM_SECTIONS, Section

ONCE = re.compile(
    r"\b(?:just|only) (?:for )?(?:this|that|the) (?:once|time|one|single|next|particular)\b"
    r"|\b(?:just|only) (?:for )?(?:this|that|the) \w+ (?:answer|reply|message|one)\b"
    r"|\b(?:just|only) (?:this|that) (?:once|time)\b"
    r"|\bfor (?:this|that|the next|your next) (?:one |single |next )?"
    r"(?:answer|reply|message|note|text|question|mail|letter|summary|paragraph)\b"
    r"|\bone[- ]off\b|\bthis (?:one )?time only\b|\bas an exception\b|\b(?:this|next) (?:answer|reply|message) only\b",
    re.IGNORECASE,
)
"""Wording of an instruction for one answer."""

PART = re.compile(r"[;,:]\s+|\s+but\s+")
FEWEST_TERMS = 2  # a part with fewer words of its own ("I guess") speaks of the part beside it

BINDING = frozenset({Section.IDENTITY, Section.DECIDED})


def promoted(claim: Profile, section: Section, ground: Sequence[Profile]) -> str | None:
    """Why the claim says more than the stretches it rests on, or None.

    Args:
        claim: The claim.
        section: Where it would stand.
        ground: The stretches that state it; one that states it firmly is enough.
    """
    if section not in FIRM_SECTIONS or not ground:
        return None
    if not (claim.hedged or claim.open) and all(_doubts(stretch, claim) for stretch in ground):
        return "the conversation only supposes or asks it"
    if section in BINDING and not ONCE.search(claim.text) and all(ONCE.search(stretch.text) for stretch in ground):
        return "the conversation asks for it once, not as a rule"
    return None


def _doubts(stretch: Profile, claim: Profile) -> bool:
    """Whether a stretch supposes or asks what the claim says, and not something beside it."""
    if not (stretch.hedged or stretch.open):
        return False
    parts = [profile_of(part) for part in PART.split(stretch.text)]
    about = [part for part in parts if part.terms & claim.terms or len(part.terms) < FEWEST_TERMS]
    return not about or any(part.hedged or part.open for part in about)
