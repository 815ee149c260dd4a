"""Whether a dissolution keeps what was said with surprise: surprise of turns against the claims that rest on them."""

from collections.abc import Sequence
from typing import NamedTuple

from dissolution.claims import ClaimId
from dissolution.conversation import Snapshot, TurnNumber
from dissolution.values import NotMeasured
from language.surprise.backoff import BackoffEstimator
from stability.experiments.data import Planted
from stability.experiments.statistics import resampled, spearman
from stability.state import State
from stability.statistics import Interval
from stability.truth import is_held


class Kept(NamedTuple):
    """One claim that is true at the end: how surprising its turn was, and whether the boundary holds it."""

    claim: ClaimId
    turn: TurnNumber
    bits: float  # per token of the turn
    held: bool


def bits_per_token(snapshot: Snapshot) -> dict[int, float]:
    """Surprise of each turn in bits a token, after all that was said before it; turns without a token are left out."""
    reader = BackoffEstimator().resume(b"")
    found: dict[int, float] = {}
    for turn in snapshot.turns:
        told = reader.read(turn.content)
        if not isinstance(told.bits, NotMeasured):
            found[turn.number] = told.bits / told.tokens
    return found


def kept(one: Planted, state: State) -> list[Kept]:
    """The true claims of a conversation with the surprise of the turn that established each."""
    bits = bits_per_token(one.snapshot)
    return [
        Kept(claim.id, claim.established_turn, bits[claim.established_turn], is_held(claim, state))
        for claim in one.truth.claims
        if claim.closed_turn is None and claim.established_turn in bits
    ]


class Cited(NamedTuple):
    """One turn: how surprising it was, and how many claims of the boundary rest on its words."""

    turn: int
    bits: float
    claims: int


def cited(one: Planted, evidence: Sequence[frozenset[int]]) -> list[Cited]:
    """Every turn with the claims that rest on it. `evidence`: the turns of each claim's evidence."""
    return [
        Cited(turn, bits, sum(turn in turns for turns in evidence))
        for turn, bits in bits_per_token(one.snapshot).items()
    ]


def coupling(groups: Sequence[Sequence[tuple[float, float]]], *, seed: int = 0) -> Interval:
    """Spearman's correlation of surprise and what is kept, with conversations drawn."""
    return resampled(groups, spearman, seed=seed)
