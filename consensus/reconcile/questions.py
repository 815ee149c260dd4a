"""Questions that a claim of this cycle answers."""

import re

from consensus.concepts import roots_in_order
from consensus.profile import profile_of
from consensus.reconcile.merging import newest
from dissolution.claims import Claim, Mark, Section
from wording.verbs import word_set

ANSWERED = 0.75  # share of a question's words that the answer must have
FEWEST_ROOTS = 3  # a shorter question is answered by nearly anything
ASKING = word_set(
    "what which who whom whose when where why how whether open question unknown unclear unanswered undecided "
    "yet still remain"
    " known decid answer check establish measur settl does"
)
"""Words that ask; they are not what is asked about."""

FIRST = re.compile(r"^.*?\?|^[^.;]*")
"""The question itself: what follows tells why it is open."""


def answers(said: Claim, question: Claim) -> bool:
    """Whether a firm claim on newer turns answers an open question: it speaks of all that is asked about, for certain.

    Args:
        said: A claim of this cycle.
        question: An open claim of EDGES.
    """
    if question.section is not Section.EDGES or said.section is Section.EDGES or Mark.PINNED in question.marks:
        return False
    if Mark.CONTESTED in question.marks or newest(said) <= newest(question):
        return False
    profile = profile_of(said.text)
    if profile.open or profile.hedged:
        return False
    match = FIRST.search(question.text)
    asked = frozenset(roots_in_order(match[0] if match else question.text)) - ASKING
    told = frozenset(roots_in_order(said.text))
    return len(asked) >= FEWEST_ROOTS and len(asked & told) >= ANSWERED * len(asked)
