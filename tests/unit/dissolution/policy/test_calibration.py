"""The calibration: frozen, told apart by its digest, and every value says what it means."""

import hashlib
from typing import cast

import pytest
from pydantic import ValidationError

from dissolution.policy.calibration import CALIBRATION, Calibration, EmbedderCalibration, thresholds
from dissolution.values import Frozen


def test_every_value_is_shown_once_with_its_meaning_and_how_it_was_found() -> None:
    shown = thresholds(CALIBRATION)
    embedders = CALIBRATION.consensus.embedders
    rooms = [cast("Frozen", getattr(CALIBRATION, room)) for room in Calibration.model_fields]
    fields = sum(len(type(room).model_fields) for room in rooms) - 1  # `embedders` is shown a number at a time
    numbers = len(EmbedderCalibration.model_fields) - 1  # all but the source
    assert len({one.name for one in shown}) == len(shown) == fields + numbers * len(embedders)
    assert [one for one in shown if not one.meaning.endswith(".") or not one.measured] == []
    assert {one.name: one.value for one in shown}["consensus.same_excerpt"] == CALIBRATION.consensus.same_excerpt
    assert {one.measured for one in shown if one.name.startswith("consensus.embedders.hashing.")} == {
        embedders["hashing"].source
    }


def test_another_value_has_another_digest_and_the_same_values_have_the_same() -> None:
    moved = CALIBRATION.consensus.model_copy(update={"same_excerpt": 0.76})
    other = Calibration(consensus=moved)
    assert Calibration().digest == CALIBRATION.digest
    assert CALIBRATION.digest == hashlib.sha256(CALIBRATION.model_dump_json().encode()).hexdigest()
    assert other.digest != CALIBRATION.digest
    assert Calibration.model_validate_json(other.model_dump_json()).digest == other.digest


def test_nobody_changes_a_value_that_stands() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(CALIBRATION.probe, "near_value", 0.5)  # noqa: B010 - past the type checker, as a careless caller would
