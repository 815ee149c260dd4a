"""How the review compares wordings: as the consensus does, by meaning and typed values."""

from collections.abc import Callable

from consensus.calibration import calibration_for
from consensus.guards import vetoes
from consensus.profile import profile_of
from consensus.reconcile.timing import timed
from dissolution.conversation import Snapshot
from dissolution.policy import ConsensusPolicy
from dissolution.ports import Embedder
from frame_agent.nearness import Row, cosine, rows
from frame_agent.review.comparing import Comparing


def comparing_by(embedder: Callable[[], Embedder], policy: ConsensusPolicy, snapshot: Snapshot) -> Comparing:
    """What the review must know of wordings. Nothing is loaded before two texts are compared, and each is read once.

    Args:
        embedder: Gives meaning as vectors.
        policy: The distance up to which claims are the same, where it names one.
        snapshot: The conversation, for the times of claims.
    """
    known: dict[str, Row] = {}

    def row(text: str) -> Row:
        if text not in known:
            known[text] = rows(embedder(), [text])[0]
        return known[text]

    def apart(one: str, other: str) -> bool:
        return bool(vetoes(profile_of(one), profile_of(other)))

    def same(one: str, other: str) -> bool:
        cut = policy.distance_threshold or calibration_for(embedder().stamp.model).same_claim
        return 1 - cosine(row(one), row(other)) <= cut and not apart(one, other)

    return Comparing(same=same, apart=apart, timed=lambda claim: timed(claim, snapshot))
