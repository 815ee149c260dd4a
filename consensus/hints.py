"""What typed values keep apart though it is about one matter: a hint for reviewers, which decides nothing."""

from collections.abc import Sequence
from itertools import combinations

from consensus.calibration import calibration_for
from consensus.distance import joint_distances
from consensus.guards import vetoes
from consensus.profile import profile_of
from consensus.vectors import unpack
from dissolution.claims import Claim
from dissolution.ports import Embedder
from dissolution.reviewing import Fault, Hint
from dissolution.values import NotMeasured

NO_MODEL = NotMeasured(not_measured="only values were compared")


def opposed_values(claims: Sequence[Claim], embedder: Embedder) -> tuple[Hint, ...]:
    """Pairs of claims on one matter that differ in a typed value or a denial, nearest first, then by words.

    Args:
        claims: The claims that stand.
        embedder: Meaning as vectors.

    Raises:
        NoCalibration: Nobody calibrated thresholds for the embedder.
        ModelAssetError: The embedder's weights are missing.
    """
    near = calibration_for(embedder.stamp.model).same_claim
    profiles = [profile_of(claim.text) for claim in claims]
    distances = joint_distances(profiles, unpack(embedder.embed([claim.text for claim in claims])))
    found: list[tuple[float, tuple[str, ...], Hint]] = []  # ids differ between jobs: no order comes of them
    for left, right in combinations(range(len(claims)), 2):
        if distances[left, right] >= near:
            continue
        slots = sorted({veto.slot.value for veto in vetoes(profiles[left], profiles[right]) if veto.opposed})
        if slots:
            one, two = sorted((claims[left], claims[right]), key=lambda claim: (claim.text, claim.id))
            basis = f"typed values: {', '.join(slots)}"
            hint = Hint(suspects=Fault.CONTRADICTS, claims=(one.id, two.id), probability=NO_MODEL, basis=basis)
            found.append((float(distances[left, right]), (one.text, two.text), hint))
    return tuple(hint for *_, hint in sorted(found, key=lambda one: one[:2]))
