"""How the review compares wordings: as the consensus does, by its joint distance and typed values."""

from collections.abc import Callable
from functools import cache

import numpy as np

from consensus.embedding.calibration import calibration_for
from consensus.embedding.vectors import FloatArray, unpack
from consensus.reconcile.validity import timed
from consensus.wording.distance import joint_distances
from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import SLOTS, Slot, vetoed
from dissolution.conversation import Snapshot
from dissolution.policy.job_policy import ConsensusPolicy
from dissolution.ports.models import Embedder
from frame_agent.review.wording_distance import Comparing


def comparing_by(embedder: Callable[[], Embedder], policy: ConsensusPolicy, snapshot: Snapshot) -> Comparing:
    """What the review must know of wordings. Nothing is loaded before two texts are compared, and each is read once.

    The distance is `consensus.wording.distance` over the two texts alone. A word that both have then weighs less than
    among all claims, so that two texts come out rather too far apart than too near.

    Args:
        embedder: Gives meaning as vectors.
        policy: The distance up to which claims are the same, where it names one.
        snapshot: The conversation, for the times of claims.
    """

    @cache
    def row(text: str) -> FloatArray:
        return unpack(embedder().embed([text]))

    @cache
    def distance(one: str, other: str) -> float:
        both = np.concatenate([row(one), row(other)])
        return float(joint_distances([profile_of(one), profile_of(other)], both)[0, 1])

    def within(one: str, other: str, cut: float) -> bool:
        return one == other or (distance(one, other) <= cut and not apart(one, other))

    def differ(one: str, other: str) -> bool:
        return vetoed(profile_of(one), profile_of(other), SLOTS - {Slot.ORDER})

    def apart(one: str, other: str) -> bool:
        return vetoed(profile_of(one), profile_of(other))

    def same(one: str, other: str) -> bool:
        given = policy.distance_threshold
        return within(one, other, calibration_for(embedder().stamp.model).one_claim if given is None else given)

    def near(one: str, other: str) -> bool:
        return within(one, other, calibration_for(embedder().stamp.model).same_claim)

    def retold(one: str, other: str) -> bool:
        return distance(one, other) <= calibration_for(embedder().stamp.model).retold and not differ(one, other)

    return Comparing(same=same, near=near, retold=retold, apart=apart, timed=lambda claim: timed(claim, snapshot))
