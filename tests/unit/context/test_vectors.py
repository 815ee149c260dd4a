"""Vectors in memory: the nearest texts, exactly for few rows and by signs first for many."""

import numpy as np
import pytest

from context import vectors
from context.vectors import Rows, VectorRows, halved


def unit(rows: Rows) -> Rows:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def some(count: int, dimension: int = 64, seed: int = 1) -> Rows:
    return unit(np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32))


def test_a_text_stands_once_with_its_nearest_passage() -> None:
    rows = unit(np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=np.float32))
    held = VectorRows(3)
    held.add([7, 7, 8, 9], halved(rows))

    found = held.near(rows[0], 0.5)

    assert found.texts.tolist() == [7, 8]
    assert found.cosines.tolist() == pytest.approx([1.0, 0.7071], abs=1e-3)
    assert len(held) == 4


def test_growing_changes_no_row() -> None:
    rows = some(300)
    at_once, one_by_one = VectorRows(64), VectorRows(64)
    at_once.add(range(300), halved(rows))
    for number, data in enumerate(halved(rows)):
        one_by_one.add([number], [data])

    for query in rows[:5]:
        assert at_once.near(query, 0.1).texts.tolist() == one_by_one.near(query, 0.1).texts.tolist()


def test_many_rows_are_chosen_by_their_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = some(2000)
    held = VectorRows(64)
    held.add(range(2000), halved(rows))
    exact = [held.near(query, -1.0).texts[:5].tolist() for query in rows[:20]]
    monkeypatch.setattr(vectors, "EXACT", 100)
    monkeypatch.setattr(vectors, "LOOKED_AT", 800)

    chosen = [held.near(query, -1.0).texts[:5].tolist() for query in rows[:20]]

    assert [one[0] for one in chosen] == list(range(20))  # each row is its own nearest
    assert sum(len({*one} & {*other}) for one, other in zip(exact, chosen, strict=True)) >= 90  # of 100


def test_bytes_that_are_no_row_are_refused() -> None:
    held = VectorRows(64)
    with pytest.raises(ValueError, match=r"128 bytes.*float16"):
        held.add([0], [b"short"])
    held.add([], [])
    assert len(held) == 0
    assert held.near(some(1)[0], 0.0).texts.tolist() == []
