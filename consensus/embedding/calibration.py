"""Thresholds that belong to one embedding model, found by its name."""

from dissolution.errors import NoCalibration


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where one embedding model's distances begin to mean something.

    Attributes:
        one_claim: Complete-linkage cut on the joint distance of `consensus.wording.distance` (0..1): no two statements
            of a group are farther apart, so that no labelled hard negative shares one.
        same_claim: Joint distance (0..1) up to which two claims more often say the same than not: one may stand in for
            the other, and other typed values set one against the other.
        same_topic: Joint distance (0..1) under which two claims are about the same thing.
        contained_cosine: Cosine (-1..1) from which one claim may say part of another; no labelled hard negative reaches
            it.
        question_cosine: Cosine (-1..1) from which two open questions may be one; lower, as what is asked is compared by
            itself.
        evidence_floor_cosine: Cosine (-1..1) of unrelated sentences, counted as no likeness in evidence scores.
        evidence_full_cosine: Cosine (-1..1) that counts as full likeness in evidence scores.
        source: How the numbers were found.
    """

    one_claim: float
    same_claim: float
    same_topic: float
    contained_cosine: float
    question_cosine: float
    evidence_floor_cosine: float
    evidence_full_cosine: float
    source: str

    @property
    def retold(self) -> float:
        """Joint distance up to which two texts on the same words may be the same: half-way to another topic."""
        return (self.same_claim + self.same_topic) / 2


CALIBRATIONS = {
    "all-MiniLM-L6-v2": Calibration(
        one_claim=0.15,
        same_claim=0.38,
        same_topic=0.60,
        contained_cosine=0.96,
        question_cosine=0.72,
        evidence_floor_cosine=0.15,
        evidence_full_cosine=0.75,
        source="benchmarks/consensus.py over the label files: the middle of the plateau of pair F1 from 0.34 to 0.42",
    ),
    "hashing": Calibration(
        one_claim=0.15,
        same_claim=0.42,
        same_topic=0.62,
        contained_cosine=0.95,
        question_cosine=0.50,
        evidence_floor_cosine=0.10,
        evidence_full_cosine=0.80,
        source="benchmarks/consensus.py --embedder hashing over the label files",
    ),
}


def calibration_for(model: str) -> Calibration:
    """The thresholds of an embedding model. Raises NoCalibration when nobody calibrated it."""
    found = CALIBRATIONS.get(model)
    if found is None:
        raise NoCalibration(model, ", ".join(sorted(CALIBRATIONS)))
    return found
