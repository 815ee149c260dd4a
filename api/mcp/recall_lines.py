"""What `recall` answers of one claim, dissent or turn."""

from collections.abc import Sequence

from api.mcp.outputs import ClaimLine, DissentLine, QuoteLine, RestingLine, TurnLine
from dissolution.claims import Claim, Dissent, Evidence
from dissolution.conversation import Role
from dissolution.recalling import RecallResult

QUOTES = 3
"""Quotes that are shown of one claim, at most."""


def claim_line(claim: Claim, rank: int) -> ClaimLine:
    """One claim."""
    instants = claim.valid_instants
    return ClaimLine(
        rank=rank,
        id=claim.id,
        section=claim.section,
        text=claim.text,
        state=claim.state,
        since_turn=claim.valid.start,
        until_turn=claim.valid.end,
        from_instant=None if instants is None else instants.start,
        until_instant=None if instants is None else instants.end,
        marks=list(claim.marks),
        quotes=quotes_of(claim.evidence),
        ended_because=None if claim.closing is None else claim.closing.reason,
        replaced_by=None if claim.closing is None else claim.closing.by,
    )


def dissent_line(dissent: Dissent, rank: int) -> DissentLine:
    """One dissent."""
    return DissentLine(
        rank=rank,
        id=dissent.id,
        section=dissent.section,
        text=dissent.text,
        reason=dissent.reason,
        quotes=quotes_of(dissent.evidence),
    )


def turn_line(one: RecallResult) -> TurnLine:
    """One turn."""
    return TurnLine(
        rank=one.rank,
        turn=int(one.id),
        role=one.role or Role.PARTICIPANT,
        speaker=one.speaker or "",
        text=one.text,
        said_at=one.said_at,
        claims=[RestingLine(claim=each.claim, state=each.state, replaced_by=each.by) for each in one.became],
    )


def quotes_of(evidence: Sequence[Evidence]) -> list[QuoteLine]:
    """The first words that something rests on."""
    return [QuoteLine(turn=one.turn, text=one.text) for one in evidence[:QUOTES]]
