import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.embedding.vectors import FloatArray, cosine_matrix, pack, settled, unpack
from dissolution.findings import EmbeddingStamp, Vectors

STAMP = EmbeddingStamp(model="m", digest="d", dimension=4)


def unit_rows(count: int, seed: int = 0) -> FloatArray:
    rows = np.random.default_rng(seed).normal(size=(count, 4))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(0, 20), st.integers(0, 1000))
def test_rows_survive_the_trip_through_bytes(count: int, seed: int) -> None:
    rows = unit_rows(count, seed)
    assert np.array_equal(unpack(pack(rows, STAMP)), rows)


def test_bytes_are_little_endian_and_row_major() -> None:
    rows = np.array([[1, 0, 0, 0], [0, 0, 0, 1]], dtype=np.float32)
    packed = pack(np.asfortranarray(rows), STAMP)
    assert packed.data[:4] == b"\x00\x00\x80\x3f"
    assert packed.data[-4:] == b"\x00\x00\x80\x3f"


def test_another_dimension_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(1, 3\).*\(n, 4\)"):
        pack(np.ones((1, 3), dtype=np.float32), STAMP)
    with pytest.raises(ValueError, match="rows have shape"):
        pack(np.ones(4, dtype=np.float32), STAMP)


def test_rows_that_are_not_unit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"2\.0000 to 2\.0000"):
        pack(np.full((1, 4), 1, dtype=np.float32), STAMP)


def test_bytes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"3 bytes.* 16"):
        unpack(Vectors(stamp=STAMP, count=1, data=b"abc"))


def test_cosines_of_rows_with_themselves_are_exactly_symmetric() -> None:
    cosines = cosine_matrix(unit_rows(50))
    assert np.array_equal(cosines, cosines.T)
    assert np.array_equal(np.diagonal(cosines), np.ones(50))
    assert np.abs(cosines).max() <= 1


def test_cosines_against_others() -> None:
    one = np.array([[1, 0, 0, 0]], dtype=np.float32)
    others = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [-1, 0, 0, 0]], dtype=np.float32)
    assert cosine_matrix(one, others).tolist() == [[1, 0, -1]]
    assert cosine_matrix(np.zeros((0, 4), dtype=np.float32)).shape == (0, 0)


def test_last_bits_that_another_processor_would_give_are_gone() -> None:
    values = np.array([[0.1, 0.3], [2 / 3, 1.0]])
    assert np.array_equal(settled(values * (1 + 4e-16)), settled(values))
    assert np.array_equal(settled(values) > 0.1, [[False, True], [True, True]])  # 0.1 + 1e-17 is no more than 0.1
