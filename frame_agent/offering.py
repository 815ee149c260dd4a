"""Whether a sentence that stands as proposed leaves something to be decided, before a decision is held to that."""

import re

from dissolution.claims import Claim, Section
from dissolution.conversation import Role
from dissolution.premises import PremiseStatus
from frame_agent.putting import put
from frame_agent.record import Said
from frame_agent.wordings import LEFT_OPEN, by_lists

LIKELY = 0.78
"""Share of the reading as an offer that is enough where the lists of phrases hear a plain statement or a refusal."""

DEAF = frozenset({PremiseStatus.ASSERTED.value, PremiseStatus.REJECTED.value})
"""What the lists hear in a sentence in which they find no offer, nor anything else that is less than a statement."""

GIVES_UP = re.compile(
    r"\b(?:is|are|was|were|be)\s(?:\w+\s)?(?:out|off|over)\b(?!\sof\b)|\b(?:gives?|gave|given)\sup\b|\bgoes\W*$",
    re.IGNORECASE,
)
"""Tells of a claim that what was proposed is gone."""


def is_offer(said: Said) -> bool:
    """Whether a sentence that stands as proposed is heard as an offer by the lists too, or by its words for certain."""
    found = said.found
    if found.asks or found.quoted or found.reason == LEFT_OPEN:
        return True
    heard = by_lists(found.held)
    return heard not in DEAF or put(found.held, heard).share >= LIKELY


def instructs(claim: Claim, said: Said) -> bool:
    """Whether a rule comes from what the user says about how the two are to work: softly put, it still binds."""
    return claim.section is Section.IDENTITY and said.found.role is Role.USER
