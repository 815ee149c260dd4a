"""Claims held and claims of this cycle laid out together, so that any two can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from consensus.calibration import Calibration, calibration_for
from consensus.distance import joint_distances
from consensus.guards import vetoes
from consensus.profile import Profile, profile_of
from consensus.vectors import FloatArray, Matrix, unpack
from dissolution.ports import Embedder


@dataclass(frozen=True, slots=True)
class Space:
    """Distances between texts.

    Attributes:
        places: Row of each text.
        rows: (n, dim) float32 unit rows.
        distances: (n, n) joint distances in 0..1.
        calibration: The embedding model's thresholds.
        same_claim: Distance up to which two texts are the same claim.
        retold: Distance up to which words that rest on nothing new may be the same: half-way to another topic.
    """

    places: dict[str, int]
    rows: FloatArray
    distances: Matrix
    calibration: Calibration
    same_claim: float
    retold: float

    def distance(self, one: str, two: str) -> float:
        """The joint distance of two texts; 1, the farthest, where one of them was not laid out."""
        if one not in self.places or two not in self.places:
            return 1.0
        return float(self.distances[self.places[one], self.places[two]])

    def same(self, one: str, two: str) -> bool:
        """Whether two texts are one claim: near enough, and no guard objects."""
        return one == two or (self.distance(one, two) <= self.same_claim and not vetoes(*_profiles(one, two)))

    def on_topic(self, one: str, two: str) -> bool:
        """Whether two texts are about the same thing as far as their distance tells."""
        return self.distance(one, two) < self.calibration.same_topic


def space_of(texts: Sequence[str], embedder: Embedder, threshold: float | None) -> Space:
    """A space over the distinct ones of these texts.

    Args:
        texts: What will be compared; may be empty.
        embedder: Meaning as vectors.
        threshold: The policy's distance of one claim; None takes the embedder's calibrated one.

    Raises:
        NoCalibration: Nobody calibrated thresholds for the embedder.
    """
    calibration = calibration_for(embedder.stamp.model)
    distinct = sorted(set(texts))
    rows = unpack(embedder.embed(distinct))
    same_claim = calibration.same_claim if threshold is None else threshold
    return Space(
        places={text: place for place, text in enumerate(distinct)},
        rows=rows,
        distances=joint_distances([profile_of(text) for text in distinct], rows),
        calibration=calibration,
        same_claim=same_claim,
        retold=max(same_claim, (same_claim + calibration.same_topic) / 2),
    )


def _profiles(one: str, two: str) -> tuple[Profile, Profile]:
    return profile_of(one), profile_of(two)
