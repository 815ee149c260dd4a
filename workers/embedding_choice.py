"""Which embedder an installation works with, and what is said where it could not be the model."""

import logging

from dissolution.errors import ModelAssetError
from dissolution.installed import CHOSEN, HASHING, LEFT_OUT, MODEL, WHOLE, is_light
from dissolution.settings import Settings

log = logging.getLogger(__name__)


def chosen_words(settings: Settings) -> str | None:
    """What to tell whoever starts something: None unless this light installation chose the embedder by itself."""
    by_itself = "embedder" not in settings.model_fields_set and settings.embedder == HASHING
    return CHOSEN if by_itself else None


def check_embedder(settings: Settings) -> None:
    """Refuse an embedder that cannot be used here, before anything is stored; a choice made here is logged.

    Raises:
        NoCalibration: nobody calibrated thresholds for it.
        ModelAssetError: it is the model, and this light installation has nothing that loads it.
    """
    from consensus.embedding.calibration import calibration_for

    calibration_for(settings.embedder)
    if settings.embedder == MODEL and is_light():
        remedy = f"unset DISSOLVE_EMBEDDER for {HASHING!r}, or {WHOLE}"
        raise ModelAssetError(MODEL, f"package {LEFT_OUT!r} is not installed (this is a light install); {remedy}")
    if (words := chosen_words(settings)) is not None:
        log.info("%s", words)


def other_embedder(named: str, settings: Settings) -> str:
    """What to do about a policy that names another embedder than the settings."""
    if named == MODEL and is_light():
        return f"this light install has {settings.embedder!r} alone; leave the field out, or {WHOLE}"
    return f"the settings name {settings.embedder!r}; make them agree (DISSOLVE_EMBEDDER) or leave the field out"
