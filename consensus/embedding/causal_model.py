"""Surprise as a causal language model on this machine sees it: offline, on the CPU, loaded on first use.

Bits of a turn are the sum of -log2 p of its tokens, each given the tokens before it within a bounded window. Turns are
parted into tokens one by one, with a line break between them that belongs to what came before. So the bits of turns add
up to those of the whole talk as long as it fits the window (the chain rule).
"""

import hashlib
import math
import os
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dissolution.errors import ModelAssetError
from dissolution.surprise import NO_TOKENS, Surprise
from language.surprise.repeats import RepeatMemory

WINDOW_TOKENS = 512
"""Tokens the model sees at a time, the turn's own among them; fewer where it can take no more. A small model reads so
many in some tenths of a second on one core, and what lies further back moves a turn's bits little."""

MOST_TOKENS = 2000
"""Tokens of one turn that are measured: the rest of a pasted log costs time and says nothing new."""

CHARS_PER_TOKEN = 8
"""More than a token takes, so that a huge turn is cut before it is parted into tokens."""

BREAK = "\n"
_MAGIC = b"cau1"
WEIGHTS = "*.safetensors"
PARTS = (WEIGHTS, "config.json", "tokenizer*", "vocab*", "merges*")
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def folder_of(model: str) -> Path:
    """The folder of a model: the path itself, or where the hub's cache on this machine keeps that name.

    Nothing is fetched. Raises ModelAssetError for a model that is not here or has no safetensors (weights in a format
    that can run code are not loaded).
    """
    folder = Path(model).expanduser()
    if not folder.is_dir():
        for variable in OFFLINE:
            os.environ[variable] = "1"
        import huggingface_hub

        hub: Any = huggingface_hub  # untyped in part
        try:
            folder = Path(hub.snapshot_download(model, local_files_only=True))
        except (OSError, ValueError) as error:  # the library's own errors are of these classes
            remedy = "give a folder, or fetch it into the hub's cache first (`hf download`); nothing is fetched here"
            raise ModelAssetError(model, f"is neither a folder nor in the hub's cache; {remedy}") from error
    if not any(folder.glob(WEIGHTS)):
        raise ModelAssetError(model, f"folder {str(folder)!r} holds no {WEIGHTS} weights")
    return folder


def digest_of(folder: Path) -> str:
    """SHA-256 over weights, configuration and vocabulary, by name: another model is another estimator."""
    whole = hashlib.sha256()
    for path in sorted({path for part in PARTS for path in folder.glob(part)}):
        with path.open("rb") as file:
            whole.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()


class CausalModel:
    """A model with its tokenizer, in one process.

    Args:
        model: A folder, or a name in the hub's cache on this machine.
        threads: Threads of torch (at least 1). A forked child of a process that loaded the model loads its own, with
            one thread: its parent's thread pool does not survive the fork.
    """

    def __init__(self, model: str, threads: int = 1) -> None:
        self._name = model
        self._threads = threads
        self._folder: Path | None = None
        self._stamp = ""
        self._held: tuple[int, Any, Any] | None = None  # process, tokenizer, model: an untyped library, in this file

    @property
    def stamp(self) -> str:
        """The model's last name and the beginning of its digest. Raises ModelAssetError."""
        if not self._stamp:
            self._folder = folder_of(self._name)
            self._stamp = f"{Path(self._name).name}-{digest_of(self._folder)[:12]}"
        return self._stamp

    @property
    def window(self) -> int:
        """Tokens it sees at a time."""
        _, model = self._loaded()
        most = getattr(model.config, "max_position_embeddings", None)
        return min(WINDOW_TOKENS, most) if isinstance(most, int) else WINDOW_TOKENS

    def tokens(self, text: str) -> list[int]:
        """The text's tokens, without marks at its ends; at most 2000."""
        tokenizer, _ = self._loaded()
        cut = text[: MOST_TOKENS * CHARS_PER_TOKEN].encode("utf-8", "replace").decode()
        found: list[int] = tokenizer(cut, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
        return found[:MOST_TOKENS]

    def beginning(self) -> list[int]:
        """What stands before the first turn: the tokenizer's mark of a beginning, or else of an end, if it has one."""
        tokenizer, _ = self._loaded()
        mark = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        return [] if mark is None else [int(mark)]

    def bits(self, before: Sequence[int], tokens: Sequence[int]) -> list[float]:
        """-log2 p of each token after all before it within the window; of the very first one only after something.

        Shape (len(tokens),), or one fewer where nothing stands before. A text longer than half the window is read in
        halves, so that each of its tokens has at least as much before it.
        """
        window = self.window
        stride = max(1, window // 2)
        found: list[float] = []
        for start in range(0, len(tokens), stride):
            piece = list(tokens[start : start + stride])
            known = [*before, *tokens[:start]][-(window - len(piece)) :]
            found += self._bits([*known, *piece], len(piece))
        return found

    def _bits(self, tokens: list[int], last: int) -> list[float]:
        import torch

        _, model = self._loaded()
        with torch.inference_mode():
            logits: Any = model(torch.tensor([tokens])).logits[0].float()
            logs: Any = torch.log_softmax(logits, dim=-1)
            following: Any = torch.tensor(tokens[1:]).unsqueeze(1)
            natural: list[float] = logs[:-1].gather(1, following).squeeze(1).tolist()
        return [max(0.0, -log / math.log(2)) for log in natural[-last:]]

    def _loaded(self) -> tuple[Any, Any]:
        if self._held is not None and self._held[0] == os.getpid():
            return self._held[1:]
        threads = self._threads if self._held is None else 1
        folder = self._folder or folder_of(self._name)
        for variable in OFFLINE:
            os.environ[variable] = "1"
        import torch
        import transformers

        torch.set_num_threads(threads)
        library: Any = transformers
        bars = library.utils.logging
        shown: bool = bars.is_progress_bar_enabled()
        bars.disable_progress_bar()  # stderr is the caller's
        here = {"local_files_only": True, "trust_remote_code": False}
        try:
            tokenizer: Any = library.AutoTokenizer.from_pretrained(str(folder), **here)
            model: Any = library.AutoModelForCausalLM.from_pretrained(str(folder), use_safetensors=True, **here)
        except (OSError, ValueError, KeyError) as error:
            raise ModelAssetError(self._name, f"folder {str(folder)!r} holds no causal model: {error}") from error
        finally:
            if shown:
                bars.enable_progress_bar()
        model.eval()
        self._folder, self._held = folder, (os.getpid(), tokenizer, model)
        return tokenizer, model


class CausalReader:
    """Reads one conversation with the model's eyes; it remembers the tokens of one window."""

    def __init__(self, model: CausalModel, before: list[int], repeats: RepeatMemory) -> None:
        self._model = model
        self._before = before
        self._repeats = repeats

    def read(self, text: str) -> Surprise:
        """Bits of the text's tokens (at most 2000) after all that was read; then it belongs to that."""
        guarded = self._repeats.read(text)
        tokens = self._model.tokens(text)
        if not tokens:
            return Surprise(bits=NO_TOKENS, tokens=0, guarded=guarded)
        known = self._before or self._model.beginning()
        bits = self._model.bits(known, tokens)
        self._before = [*known, *tokens, *self._model.tokens(BREAK)][-self._model.window :]
        if not bits:  # one token, and nothing stands before it
            return Surprise(bits=NO_TOKENS, tokens=0, guarded=guarded)
        return Surprise(bits=sum(bits), tokens=len(bits), guarded=guarded)

    def memory(self) -> bytes:
        """The window's tokens, 2 kB, and the sentences for the guard."""
        numbers = array("I", self._before)
        return _MAGIC + array("I", [len(numbers)]).tobytes() + numbers.tobytes() + self._repeats.memory()


class CausalEstimator:
    """Surprise by a local causal language model; model, digest and window are part of its name."""

    def __init__(self, model: CausalModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """`causal-1:` with model, digest and window. Raises ModelAssetError."""
        return f"causal-1:{self._model.stamp}:{WINDOW_TOKENS}"

    def resume(self, memory: bytes) -> CausalReader:
        """Go on where a reader stopped; b"" begins. Raises ValueError for what is no memory of this estimator."""
        if not memory:
            return CausalReader(self._model, [], RepeatMemory())
        head = array("I")
        head.frombytes(memory[4:8] if len(memory) >= 8 else bytes(4))  # noqa: PLR2004 - four bytes of magic, four of length
        end = 8 + 4 * head[0]
        if memory[:4] != _MAGIC or len(memory) < end or head[0] > WINDOW_TOKENS:
            message = f"{len(memory)} bytes that begin {memory[:4]!r} are no memory of {self.name!r}; begin with b''"
            raise ValueError(message)
        numbers = array("I")
        numbers.frombytes(memory[8:end])
        return CausalReader(self._model, list(numbers), RepeatMemory.of(memory[end:]))
