"""Claims held and claims of this cycle laid out together, so that any two can be compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from consensus.embedding.calibration import calibration_for
from consensus.embedding.vectors import FloatArray, Vector, unpack
from consensus.wording.distance import DistanceRows
from consensus.wording.profile import Profile, profile_of
from consensus.wording.typed_floor import vetoes
from dissolution.policy.calibration import EmbedderCalibration
from dissolution.ports.models import Embedder


@dataclass(frozen=True, slots=True)
class Space:
    """Distances between texts.

    Attributes:
        places: Row of each text.
        rows: (n, dim) float32 unit rows.
        distances: Joint distances in 0..1, a row at a time: of the ledger's thousands few are compared with all.
        said: Texts of this cycle. Of two texts the row of one of these is made.
        calibration: The embedding model's thresholds.
        same_claim: Distance up to which two texts are the same claim.
        retold: Distance up to which words that rest on nothing new may be the same: half-way to another topic.
    """

    places: dict[str, int]
    rows: FloatArray
    distances: DistanceRows
    calibration: EmbedderCalibration
    same_claim: float
    retold: float
    said: frozenset[str] = frozenset()
    made: dict[str, Vector] = field(default_factory=dict[str, Vector])  # rows that were asked for, by text

    def distance(self, one: str, two: str) -> float:
        """The joint distance of two texts; 1, the farthest, where one of them was not laid out."""
        if one not in self.places or two not in self.places:
            return 1.0
        of, to = (one, two) if self._is_row(one, two) else (two, one)
        if of not in self.made:
            self.made[of] = self.distances.row(self.places[of])
        return float(self.made[of][self.places[to]])

    def _is_row(self, one: str, two: str) -> bool:
        """Whether of two texts the row of the first is to be had: it is made, or only it will be asked for again."""
        if one in self.made or two in self.made:
            return two not in self.made
        return one in self.said and two not in self.said

    def same(self, one: str, two: str) -> bool:
        """Whether two texts are one claim: near enough, and no guard objects."""
        return one == two or (self.distance(one, two) <= self.same_claim and not vetoes(*_profiles(one, two)))

    def on_topic(self, one: str, two: str) -> bool:
        """Whether two texts are about the same thing as far as their distance tells."""
        return self.distance(one, two) < self.calibration.same_topic


def space_of(texts: Sequence[str], embedder: Embedder, threshold: float | None, *, said: Iterable[str] = ()) -> Space:
    """A space over the distinct ones of these texts.

    Args:
        texts: What will be compared; may be empty.
        embedder: Meaning as vectors.
        threshold: The policy's distance of one claim; None takes the embedder's calibrated one.
        said: Those of them that are compared with all others.

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
        distances=DistanceRows([profile_of(text) for text in distinct], rows),
        calibration=calibration,
        same_claim=same_claim,
        retold=max(same_claim, (same_claim + calibration.same_topic) / 2),
        said=frozenset(said),
    )


def _profiles(one: str, two: str) -> tuple[Profile, Profile]:
    return profile_of(one), profile_of(two)
