"""Thresholds that belong to one embedding model, found by its name."""

from dissolution.errors import NoCalibration
from dissolution.policy.calibration import CALIBRATION, EmbedderCalibration


def calibration_for(model: str) -> EmbedderCalibration:
    """The thresholds of an embedding model. Raises NoCalibration when nobody calibrated it."""
    known = CALIBRATION.consensus.embedders
    found = known.get(model)
    if found is None:
        raise NoCalibration(model, ", ".join(sorted(known)))
    return found
