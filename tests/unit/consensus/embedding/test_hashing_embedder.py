import hashlib
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.embedding import hashing_embedder as hashing
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.vectors import cosine_matrix, unpack

E = HashingEmbedder()


@given(st.lists(st.text(max_size=50), max_size=5))
def test_any_text_has_a_unit_row(texts: list[str]) -> None:
    rows = unpack(E.embed(texts))
    assert rows.shape == (len(texts), 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_the_rows_are_the_same_on_every_machine() -> None:
    first = unpack(E.embed(["r420"]))[0]
    assert np.flatnonzero(first).tolist() == GOLDEN_PLACES


def test_spelling_decides_nearness() -> None:
    cosines = cosine_matrix(unpack(E.embed(["The pipeline runs on Fargate.", "The pipelines run on Fargate", "Zebra"])))
    assert cosines[0, 1] > 0.7
    assert cosines[0, 2] < 0.2


def test_width_case_and_spacing_do_not_matter() -> None:
    rows = unpack(E.embed(["ＡＢＣ  def", "abc DEF"]))
    assert np.array_equal(rows[0], rows[1])


def test_lone_surrogates_are_text_too() -> None:
    assert E.embed(["\ud800"]).count == 1


def test_an_empty_text_has_the_row_of_an_empty_word() -> None:
    assert np.linalg.norm(unpack(E.embed([""]))[0]) == pytest.approx(1)


def test_grams_that_cancel_leave_a_unit_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two grams in one place with opposite signs: found by search over short strings."""
    by_place: dict[int, tuple[bool, str]] = {}
    pair: list[str] = []
    for gram in map(str, range(10_000)):
        value = int.from_bytes(hashlib.blake2b(gram.encode(), digest_size=8).digest(), "big")
        place, sign = (value >> 1) % 384, bool(value & 1)
        if place in by_place and by_place[place][0] is not sign:
            pair = [by_place[place][1], gram]
            break
        by_place[place] = (sign, gram)

    def grams(_text: str) -> Iterator[str]:
        return iter(pair)

    monkeypatch.setattr(hashing, "_grams", grams)
    row = unpack(E.embed(["anything"]))[0]
    assert row.tolist() == [1.0] + [0.0] * 383


GOLDEN_PLACES = [5, 16, 17, 125, 129, 145, 240, 283, 349]
