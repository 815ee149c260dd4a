"""What every Embedder promises: the shipped model and its double."""

import hashlib

import numpy as np
import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from consensus.embedding.vectors import cosine_matrix, unpack
from dissolution.ports.models import Embedder

EMBEDDERS = (
    pytest.param(HashingEmbedder(), id="hashing"),
    pytest.param(SentenceTransformerEmbedder(), id="model", marks=pytest.mark.slow),
)
ODD = ["", " ", "\n", "日本語の文", "🙂", "a" * 10_000, "x\x00y", "Ärger", "1.3.0", "`ll_session`"]

pytestmark = pytest.mark.parametrize("embedder", EMBEDDERS)


def test_rows_are_unit_in_the_order_given_and_carry_the_stamp(embedder: Embedder) -> None:
    vectors = embedder.embed(["one", "two", "three"])
    rows = unpack(vectors)
    assert vectors.stamp == embedder.stamp
    assert rows.shape == (3, embedder.stamp.dimension)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)
    assert np.allclose(rows[1], unpack(embedder.embed(["two"]))[0], atol=1e-5)


def test_no_texts_are_no_rows(embedder: Embedder) -> None:
    assert unpack(embedder.embed([])).shape == (0, embedder.stamp.dimension)


def test_odd_texts_have_rows_too(embedder: Embedder) -> None:
    assert np.isfinite(unpack(embedder.embed(ODD))).all()


def test_the_same_texts_give_the_same_bytes(embedder: Embedder) -> None:
    assert embedder.embed(ODD).data == embedder.embed(ODD).data


def test_a_text_is_nearest_to_itself_and_nearer_to_its_like_than_to_another(embedder: Embedder) -> None:
    cosines = cosine_matrix(unpack(embedder.embed(["The pipeline runs daily.", "The pipelines run daily.", "Zebra."])))
    assert cosines[0, 0] > cosines[0, 1] > cosines[0, 2]


def test_the_stamp_names_a_digest(embedder: Embedder) -> None:
    assert len(embedder.stamp.digest) == len(hashlib.sha256().hexdigest())
