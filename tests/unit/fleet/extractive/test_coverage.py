"""Method "coverage"."""

import numpy as np
import pytest

from dissolution.findings import EmbeddingStamp, Vectors
from fleet.extractive.coverage import Coverage, as_rows, facility_location
from fleet.extractive.units import read_snapshot
from tests.factories import a_snapshot
from tests.unit.fleet.extractive.embedding import BagEmbedder


def test_one_of_two_equal_sentences_is_enough() -> None:
    reading = read_snapshot(
        a_snapshot(
            "The boiler burns wood.", "The boiler burns wood.", "Steam leaves hall 3 daily.", "Wood feeds steam."
        )
    )
    found = Coverage(BagEmbedder())(reading)
    assert min(found[0], found[1]) == 0.0
    assert max(found[0], found[1]) > 0.0
    assert found[2] > 0.0


def test_nothing_to_cover() -> None:
    assert Coverage(BagEmbedder())(read_snapshot(a_snapshot("ok"))) == []


def test_facility_location_by_hand() -> None:
    similar = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]], dtype=np.float64)
    rows = np.linalg.cholesky(similar).astype(np.float32)  # rows with these cosines
    ones = np.ones(3)
    # Gains: 0 and 1 gain 1.9, 2 gains 1.0; then 2 gains 1.0 against 0.1 for the other of the pair.
    assert facility_location(rows, ones, ones, 3) == [0, 2, 1]
    assert facility_location(rows, ones, np.array([4.0, 1.0, 1.0]), 2) == [1, 2]  # the first costs too much
    assert facility_location(rows, np.array([0.0, 0.0, 1.0]), ones, 3) == [2]
    assert facility_location(rows, ones, ones, 0) == []


def test_rows_come_back_as_they_were_packed() -> None:
    stamp = EmbeddingStamp(model="m", digest="d", dimension=2)
    vectors = Vectors(stamp=stamp, count=2, data=np.array([[1, 0], [0, 1]], dtype="<f4").tobytes())
    assert as_rows(vectors) == pytest.approx(np.eye(2))
