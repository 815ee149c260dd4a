import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from consensus.embedding import sentence_embedder as module
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder, check_weights, weights_folder
from consensus.embedding.vectors import cosine_matrix, unpack
from dissolution.checking import checked_by
from dissolution.errors import ModelAssetError
from tests.environments import unmeasured
from tests.polling import LONGEST_S


@pytest.fixture(scope="module")
def loaded(weights: None) -> SentenceTransformerEmbedder:
    model = SentenceTransformerEmbedder()
    model.embed(["warm"])
    return model


@pytest.mark.usefixtures("processes")
def test_nothing_is_loaded_before_the_first_text() -> None:
    code = (
        "import sys; from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder as E; "
        "e = E(); e.stamp; e.embed([]);"
        "assert not {'torch', 'sentence_transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=unmeasured())


def test_loading_turns_offline_mode_on(loaded: SentenceTransformerEmbedder) -> None:
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert os.environ["TRANSFORMERS_OFFLINE"] == "1"


def test_it_reproduces_published_distances(loaded: SentenceTransformerEmbedder) -> None:
    """Near neighbours that contradict each other: why guards exist."""
    texts = ["The deadline is March 15.", "The deadline is March 30."]
    assert cosine_matrix(unpack(loaded.embed(texts)))[0, 1] == pytest.approx(0.93, abs=0.005)


def test_order_and_company_do_not_change_a_row(loaded: SentenceTransformerEmbedder) -> None:
    texts = ["A short one.", "A much longer sentence about the session cookie of the billing portal.", "A short one."]
    together = unpack(loaded.embed(texts))
    assert np.array_equal(together[0], together[2])
    assert np.array_equal(unpack(loaded.embed(texts[::-1])), together[::-1])
    assert np.allclose(unpack(loaded.embed(texts[:1]))[0], together[0], atol=1e-5)


@pytest.mark.usefixtures("weights")
def test_long_texts_are_counted_not_hidden() -> None:
    model = SentenceTransformerEmbedder()
    model.embed(["word " * 254, "x" * 255])
    assert model.truncated == 0
    model.embed(["word " * 255, "word " * 2000, "short"])
    assert model.truncated == 2


@pytest.mark.usefixtures("weights")
def test_changed_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(ModelAssetError, match=r"[0-9a-f]{64}, not 53aa5117"):
        SentenceTransformerEmbedder(folder=tmp_path).embed(["text"])


def test_missing_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelAssetError, match="No such file"):
        check_weights(tmp_path)
    monkeypatch.setattr(module, "WEIGHTS_PACKAGE", "no_such_package_here")
    with pytest.raises(ModelAssetError, match="'no_such_package_here' is not installed"):
        weights_folder()


@pytest.mark.usefixtures("weights")
def test_another_folder_with_the_same_weights_works(tmp_path: Path) -> None:
    folder = shutil.copytree(weights_folder(), tmp_path / "model")
    assert SentenceTransformerEmbedder(folder=folder).embed(["text"]).count == 1


@pytest.mark.usefixtures("weights")
def test_who_waits_for_the_model_is_ended_and_the_next_one_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model, begun, go_on, loads = SentenceTransformerEmbedder(), threading.Event(), threading.Event(), list[int]()
    load = model._load

    def slowly() -> Any:  # noqa: ANN401 - the library is untyped
        loads.append(1)
        begun.set()
        assert go_on.wait(LONGEST_S)
        return load()

    def no_longer_wanted() -> None:
        if begun.is_set():
            raise InterruptedError

    monkeypatch.setattr(model, "_load", slowly)
    with checked_by(no_longer_wanted), pytest.raises(InterruptedError):
        model.embed(["One."])
    go_on.set()
    assert model.embed(["One."]).count == 1
    assert loads == [1], "it was loaded once, beside who waited"


def test_threads_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="threads is 0"):
        SentenceTransformerEmbedder(threads=0)


def _embed_in_child(model: SentenceTransformerEmbedder, out: Connection) -> None:
    import torch

    before = model._loading
    data = model.embed(["said in the child"]).data
    out.send((data, model._loading is not before, torch.get_num_threads()))


@pytest.mark.usefixtures("processes")
def test_a_forked_child_loads_its_own_model_with_one_thread() -> None:
    """A child that used its parent's thread pool would wait for ever."""
    code = "from tests.unit.consensus.embedding.test_sentence_embedder import fork_and_compare; fork_and_compare()"
    root = Path(module.__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root, env=unmeasured(), timeout=LONGEST_S)


def fork_and_compare() -> None:
    """Run in a process of its own, so that the fork has no threads of the test runner in it."""
    model = SentenceTransformerEmbedder(threads=2)
    here = model.embed(["said in the child", *(f"text number {n} to keep both threads busy" for n in range(64))]).data
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=_embed_in_child, args=(model, send))
    child.start()
    assert receive.poll(LONGEST_S), "the child hangs"
    data, reloaded, threads = receive.recv()
    child.join(LONGEST_S)
    assert reloaded
    assert threads == 1
    row = 384 * 4
    assert np.allclose(np.frombuffer(data, "<f4"), np.frombuffer(here[:row], "<f4"), atol=1e-4)


@pytest.mark.usefixtures("processes")
def test_loading_draws_no_progress_bar_and_leaves_the_hosts_setting() -> None:
    code = (
        "from transformers.utils import logging as log\n"
        "from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder as E\n"
        "for switch, shown in ((log.enable_progress_bar, True), (log.disable_progress_bar, False)):\n"
        "    switch(); E().embed(['x']); assert log.is_progress_bar_enabled() is shown"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], check=True, env=unmeasured(), capture_output=True, text=True, timeout=LONGEST_S
    )
    assert "Loading" not in ran.stderr
