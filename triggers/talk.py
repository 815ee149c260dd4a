"""What of the talk is compared: weighted, trimmed turns, parted into cells of some forty tokens.

Chatter says nothing about the subject, and a pasted log says it a thousand times. So turns of fewer than three content
words are left out, the weight of a turn grows with its content words up to a limit, and what a speaker only passed on
(tool output, documents, code) counts as a few words at most.
"""

import struct
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dissolution.conversation import Turn
from dissolution.findings import Vectors
from dissolution.policy.calibration import CALIBRATION
from language.reading import read

Row = NDArray[np.float32]
"""Shape (dimension,)."""

FEWEST_WORDS = 3  # content words of a turn that says something
MOST_WEIGHT = CALIBRATION.triggers.turn_weight
MOST_TOKENS = 100  # tokens that one turn may take of a window
SHOWN_CHARS = 1000  # of a turn that are embedded: the model reads little more
QUOTED_CHARS = 240  # of a turn that is quoted as a whole
QUOTED_WEIGHT = CALIBRATION.triggers.quoted_weight
CELL_TOKENS = 40
"""A cell closes with the turn that brings it to so many. Hearst (1997) parts text into sequences of 20 words, which in
talk are too few to tell a subject from."""


@dataclass(frozen=True)
class Spoken:
    """What of a turn is compared: the text that is embedded, its weight, and the tokens it takes of a window."""

    text: str
    weight: float
    tokens: int


def spoken(turn: Turn) -> Spoken | None:
    """What of a turn is compared; None for chatter."""
    own = "".join(_own_pieces(turn)).strip()
    limit = MOST_WEIGHT
    if not own and turn.quoted:
        own, limit = turn.content[:QUOTED_CHARS], QUOTED_WEIGHT
    text = own[:SHOWN_CHARS]
    words = len(read(text).content)
    if words < FEWEST_WORDS:
        return None
    return Spoken(text=text, weight=min(float(words), limit), tokens=min(len(text.split()), MOST_TOKENS))


def _own_pieces(turn: Turn) -> list[str]:
    pieces: list[str] = []
    at = 0
    for span in turn.quoted:
        pieces.append(turn.content[at : span.start])
        at = span.end
    return [*pieces, turn.content[at:]]


def rows_of(vectors: Vectors) -> NDArray[np.float32]:
    """The rows of vectors, shape (count, dimension)."""
    flat = np.frombuffer(vectors.data, dtype="<f4")
    return flat.reshape(vectors.count, vectors.stamp.dimension).astype(np.float32)


@dataclass
class TalkCell:
    """Turns that stand together: the first of them, their tokens, and the weighted sum of their rows."""

    first: int
    tokens: int
    total: Row


_CELL = struct.Struct("<II")
_HEAD = struct.Struct("<IQIB")


class Talk:
    """The newest cells, enough for every window.

    Args:
        dimension: Of the rows.
        keep_tokens: Tokens of the longest stretch that is looked back at.
    """

    def __init__(self, dimension: int, keep_tokens: int) -> None:
        self.dimension = dimension
        self.closed: deque[TalkCell] = deque(maxlen=keep_tokens // CELL_TOKENS + 2)
        self.open: TalkCell | None = None
        self.tokens = 0  # of all cells so far
        self.cells = 0  # closed so far

    def add(self, turn: int, said: Spoken, row: Row) -> bool:
        """Take a turn in; whether it closed a cell."""
        if self.open is None:
            self.open = TalkCell(first=turn, tokens=0, total=np.zeros(self.dimension, dtype=np.float32))
        weighted = (row * np.float32(said.weight)).astype(np.float32)
        self.open.total += weighted
        self.open.tokens += said.tokens
        self.tokens += said.tokens
        if self.open.tokens < CELL_TOKENS:
            return False
        self.open.total = self.open.total.astype(np.float16).astype(np.float32)  # as it is kept: 3 digits are enough
        self.closed.append(self.open)
        self.open = None
        self.cells += 1
        return True

    def recent(self, tokens: int) -> Row:
        """Weighted sum of the rows of the last `tokens` tokens, the open cell among them."""
        total = np.zeros(self.dimension, dtype=np.float32) if self.open is None else self.open.total.copy()
        held = 0 if self.open is None else self.open.tokens
        for cell in reversed(self.closed):
            if held >= tokens:
                break
            total += cell.total
            held += cell.tokens
        return total

    def memory(self) -> bytes:
        """All of it, 0.8 kB a cell at 384 dimensions, the open one twice that."""
        head = _HEAD.pack(len(self.closed), self.tokens, self.cells, self.open is not None)
        kept = [_packed(cell, "<f2") for cell in self.closed]
        return head + b"".join(kept) + (b"" if self.open is None else _packed(self.open, "<f4"))

    def restore(self, memory: bytes) -> bytes:
        """Take over what `memory` gave, and give back what stands behind it. Raises ValueError."""
        if len(memory) < _HEAD.size:
            message = f"{len(memory)} bytes hold no talk of {self.dimension} dimensions; begin anew"
            raise ValueError(message)
        count, self.tokens, self.cells, has_open = _HEAD.unpack_from(memory)
        at = _HEAD.size
        end = at + count * self._size("<f2") + has_open * self._size("<f4")
        if len(memory) < end:
            message = f"talk of {count} cells is cut short at {len(memory)} bytes; begin anew"
            raise ValueError(message)
        for _ in range(count):
            self.closed.append(self._cell(memory, at, "<f2"))
            at += self._size("<f2")
        self.open = self._cell(memory, at, "<f4") if has_open else None
        return memory[end:]

    def _size(self, form: str) -> int:
        return _CELL.size + np.dtype(form).itemsize * self.dimension

    def _cell(self, memory: bytes, at: int, form: str) -> TalkCell:
        first, tokens = _CELL.unpack_from(memory, at)
        row = np.frombuffer(memory, dtype=form, count=self.dimension, offset=at + _CELL.size)
        return TalkCell(first=first, tokens=tokens, total=row.astype(np.float32))


def _packed(cell: TalkCell, form: str) -> bytes:
    return _CELL.pack(cell.first, cell.tokens) + cell.total.astype(form).tobytes()


def cosine(one: Row, two: Row) -> float | None:
    """Cosine of two rows, -1..1; None when one of them is zero."""
    lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(two))
    if lengths == 0.0:
        return None
    return float(np.clip(float(one.astype(np.float64) @ two.astype(np.float64)) / lengths, -1.0, 1.0))
