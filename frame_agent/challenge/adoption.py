"""A challenge as an open question: what a person adopts, or policy asks for. Never done in silence."""

from dissolution.claims import Claim, Section, StatedClaim, Statement, Support
from dissolution.framing import Challenge
from dissolution.ids import claim_id
from dissolution.intervals import TurnInterval

FAMILY = "challenger"
"""A challenge is one critic's question and no family's claim about the conversation."""


def challenge_id(challenge: Challenge) -> str:
    """The id it has as a claim, and by which a person names it."""
    return claim_id("challenge", challenge.premise, challenge.alternative)


def as_edge(challenge: Challenge) -> Claim:
    """The challenge as an EDGE: the challenger's own sentence, with what it said besides and of what as the reason."""
    stated = StatedClaim(section=Section.EDGES, text=challenge.alternative, turns=(challenge.turn,))
    statement = Statement(member=challenge.member, family=FAMILY, ordinal=0, claim=stated)
    return Claim(
        id=challenge_id(challenge),
        section=Section.EDGES,
        text=challenge.alternative,
        evidence=(),
        support=Support.of((statement,)),
        valid=TurnInterval(start=challenge.turn),
        statements=(statement,),
        reason=(
            f"a challenge by {challenge.member}, leverage {challenge.leverage:g}; instead of: {challenge.proposition}; "
            f"it leads to: {challenge.leads_to}; what would tell: {challenge.test}"
        ),
    )
