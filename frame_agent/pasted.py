"""A decision or rule that stands in quoted material alone: it informs, and decides nothing (rule 8)."""

from dissolution.claims import Claim, Section
from frame_agent import marks
from frame_agent.record import Part, Said

BINDING = frozenset({Section.DECIDED, Section.IDENTITY})
"""Sections of what binds."""

LEAST_PASTED = 0.5
PASTED_AHEAD = 0.15
"""How well quoted material must bear what binds, and how much better than anything spoken."""


def pasted(claim: Claim, part: Part, near: list[tuple[float, Said]]) -> Said | None:
    """The line of quoted material that a decision or rule is taken from; None when somebody says it as well.

    Args:
        claim: What is audited.
        part: A sentence of it.
        near: Sentences with how well each bears the part, the best first.
    """
    if claim.section not in BINDING or marks.NOT_OBEYED.search(part.text) or marks.REFUSES.search(part.text):
        return None
    best = next(((score, said) for score, said in near if said.found.quoted), None)
    spoken = max((score for score, said in near if not said.found.quoted), default=0.0)
    return best[1] if best is not None and best[0] >= max(LEAST_PASTED, spoken + PASTED_AHEAD) else None
