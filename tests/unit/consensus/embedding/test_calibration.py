import pytest

from consensus.embedding import hashing_embedder as hashing
from consensus.embedding import sentence_embedder as embedder
from consensus.embedding.calibration import calibration_for
from dissolution.errors import NoCalibration
from dissolution.policy.calibration import CALIBRATION


def test_both_shipped_embedders_are_calibrated() -> None:
    for model in (embedder.MODEL, hashing.MODEL):
        assert calibration_for(model).same_claim < calibration_for(model).same_topic


def test_another_model_is_refused_by_name_with_what_is_there() -> None:
    with pytest.raises(NoCalibration, match=r"'bge-small'.*all-MiniLM-L6-v2, hashing"):
        calibration_for("bge-small")


@pytest.mark.parametrize("model", CALIBRATION.consensus.embedders)
def test_thresholds_are_distances_and_say_where_they_come_from(model: str) -> None:
    found = CALIBRATION.consensus.embedders[model]
    assert 0 < found.same_claim < found.same_topic < 1
    assert -1 < found.evidence_floor_cosine < found.evidence_full_cosine <= 1
    assert found.source
