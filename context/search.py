"""The search index of one conversation: every turn, claim and dissent by number, by words and by meaning.

It holds no truth: whatever is missing is read from the store, where it grows by what was added since. It keeps terms,
counts and vectors, and no text.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from context.fusion import fused
from context.postings import Postings
from context.vectors import Rows, VectorRows
from dissolution.findings import EmbeddingStamp
from dissolution.ledger import Query
from dissolution.policy.calibration import CALIBRATION
from dissolution.ports.recall import Extent, RecallStore, StoredVector, TextKey
from dissolution.recall_kinds import RecallKind

Mask = NDArray[np.bool_]
KINDS = tuple(RecallKind)

DEPTH = 1000
"""Texts of a ranking by words that are fused at first; all of them where too few of these fit."""
NEAREST = 200
"""Texts of a ranking by meaning, at most."""
LEAST_COSINE = CALIBRATION.context.found_by_meaning
MEANING = CALIBRATION.context.rank_by_meaning
MOST_FITTING = 4
"""Questions at most whose fitting claims and dissent are kept."""
KEY_BYTES = 400
"""About what one text costs besides its terms and vectors."""


class Ranked(NamedTuple):
    """A text that fits: its rank by words and by meaning, from 1, None where it stands in no such ranking."""

    key: TextKey
    by_words: int | None
    by_meaning: int | None


class ConversationIndex:
    """What can be found in one conversation. For one thread at a time."""

    def __init__(self) -> None:
        self.extent: Extent | None = None
        self._clear()

    def _clear(self) -> None:
        self._postings = Postings()
        self._keys: list[TextKey] = []
        self._numbers: dict[TextKey, int] = {}  # the newest text of each
        self._texts: dict[TextKey, int] = {}  # what hash the newest text of a claim or dissent has
        self._kinds = array("B")  # by number: the place of its kind in KINDS
        self._turn_of = array("I")  # by number: of a turn its own number, else 0
        self._turns = 0
        self._vectors: VectorRows | None = None
        self._stamp: EmbeddingStamp | None = None
        self._place = 0  # how far stored vectors were read
        self._bare: dict[int, None] = {}  # texts without a vector, oldest first
        self._open: tuple[int, Mask] | None = None  # by version: which claims and dissent are open
        self._fitting: dict[tuple[int, Query], frozenset[TextKey]] = {}  # by version and what they have to fit

    @property
    def nbytes(self) -> int:
        """About how much memory it takes (bytes)."""
        own = KEY_BYTES * len(self._keys)
        return own + self._postings.nbytes + (0 if self._vectors is None else self._vectors.nbytes)

    @property
    def texts(self) -> int:
        """How many texts it holds."""
        return len(self._numbers)

    def sync(self, store: RecallStore, conversation: str) -> None:
        """Take in what was added since; start anew where it is another conversation of the same name.

        Raises NotFound.
        """
        now = store.extent(conversation)
        if self.extent is not None and self.extent != now:
            before = store.extent_at(conversation, self.extent.turns, self.extent.version)
            if before != self.extent:
                self._clear()
                self.extent = None
        if self.extent == now:
            return
        known = 0 if self.extent is None else self.extent.version
        for number, text in store.turn_texts(conversation, self._turns):
            if number > now.turns:
                break  # added after the extent was read
            self._add(TextKey(RecallKind.TURN, str(number)), text)
            self._turns = number
        if now.version > known:
            for key, text in store.ledger_texts(conversation, known):
                self._add_stated(key, text)
        self.extent = now

    def sync_vectors(self, store: RecallStore, conversation: str, stamp: EmbeddingStamp) -> None:
        """Take in the vectors of a stamp that were stored since; those of another stamp are let go."""
        if self._vectors is None or self._stamp != stamp:
            self._vectors, self._stamp, self._place = VectorRows(stamp.dimension), stamp, 0
            self._bare = dict.fromkeys(self._numbers.values())
        self._place, found = store.vectors(conversation, stamp, self._place)
        self.add_vectors(found)

    def add_vectors(self, vectors: Sequence[StoredVector]) -> None:
        """Take in vectors of the stamp that was given last; those of texts that have theirs are passed over."""
        if self._vectors is None:
            return
        numbered = [(self._numbers.get(one.key, -1), one.data) for one in vectors]
        mine = [(number, data) for number, data in numbered if number in self._bare]
        self._vectors.add([number for number, _ in mine], [data for _, data in mine])
        for number, _ in mine:
            self._bare.pop(number, None)

    def without_vector(self, most: int) -> tuple[TextKey, ...]:
        """Texts that have no vector of the stamp that was given last, the newest first, at most so many."""
        return tuple(self._keys[number] for number in islice(reversed(self._bare), most))

    def pass_over(self, keys: Iterable[TextKey]) -> None:
        """Ask for the vectors of these texts no more: no version that stands has them."""
        for key in keys:
            self._bare.pop(self._numbers.get(key, -1), None)

    @property
    def bare(self) -> int:
        """How many texts have no vector of the stamp that was given last."""
        return len(self._bare)

    def open(self, store: RecallStore, conversation: str) -> Mask:
        """Which texts belong to claims that hold and dissent that nobody dismissed, shape (texts,)."""
        version = 0 if self.extent is None else self.extent.version
        if self._open is None or self._open[0] != version or len(self._open[1]) != len(self._keys):
            keys = (TextKey(kind, name) for kind, names in store.open_ids(conversation).items() for name in names)
            mask = np.zeros(len(self._keys), dtype=np.bool_)
            mask[[self._numbers[key] for key in keys if key in self._numbers]] = True
            self._open = (version, mask)
        return self._open[1]

    def fitting(self, store: RecallStore, conversation: str, fit: Query) -> frozenset[TextKey]:
        """All claims and dissent that fit; kept for the last few questions while the ledger stays as it is.

        Raises NotFound for a version that is not there.
        """
        asked = (0 if self.extent is None else self.extent.version, fit)
        if asked not in self._fitting:
            if len(self._fitting) == MOST_FITTING or any(version != asked[0] for version, _ in self._fitting):
                self._fitting.clear()
            self._fitting[asked] = store.fitting(conversation, fit, None)
        return self._fitting[asked]

    def mask(self, kinds: Iterable[RecallKind], last_turn: int) -> Mask:
        """Which texts are of these kinds, turns no later than one, shape (texts,)."""
        of_kind = np.isin(np.array(self._kinds, dtype=np.uint8), [KINDS.index(kind) for kind in kinds])
        return of_kind & (np.array(self._turn_of, dtype=np.int64) <= last_turn)

    def ranked(self, query: str, allowed: Mask, first: Mask, vector: Rows | None) -> Iterator[Ranked]:
        """The texts that fit, best first, each claim, dissent and turn once.

        Args:
            query: The words; a text fits when it has a term of them or is near in meaning.
            allowed: Which texts may be found, shape (texts,).
            first: Which texts go first among equals, shape (texts,); then the newer ones.
            vector: The query's vector of the stamp that was given last, if meaning is compared.
        """
        scores = np.where(allowed, self._postings.scores(query), 0.0)
        near = self._near(vector, allowed)
        given: set[TextKey] = set()
        for depth in (DEPTH, len(scores)):
            words = _best(scores, first, depth)
            order = _fusion(words, near, first)
            for one in self._told(order, words, near):
                if one.key not in given:
                    given.add(one.key)
                    yield one
            if len(words) < depth:
                return

    def _near(self, vector: Rows | None, allowed: Mask) -> list[int]:
        if vector is None or self._vectors is None or not len(self._vectors):
            return []
        near = self._vectors.near(vector, LEAST_COSINE).texts
        return near[allowed[near]][:NEAREST].tolist()

    def _told(self, order: Sequence[int], words: Sequence[int], near: Sequence[int]) -> Iterator[Ranked]:
        by_words = {number: rank for rank, number in enumerate(words, start=1)}
        by_meaning = {number: rank for rank, number in enumerate(near, start=1)}
        for number in order:
            yield Ranked(self._keys[number], by_words.get(number), by_meaning.get(number))

    def _add(self, key: TextKey, text: str) -> None:
        number = self._postings.add(text)
        self._keys.append(key)
        self._kinds.append(KINDS.index(key.kind))
        self._turn_of.append(int(key.name) if key.kind is RecallKind.TURN else 0)
        before = self._numbers.get(key)
        self._numbers[key] = number
        if before is None:
            self._bare[number] = None
        elif before in self._bare:
            del self._bare[before]
            self._bare[number] = None

    def _add_stated(self, key: TextKey, text: str) -> None:
        """A claim has a row for each time it changed, mostly with the same words."""
        told = hash(text)
        if self._texts.get(key) != told:
            self._texts[key] = told
            self._add(key, text)


def _best(scores: NDArray[np.float64], first: Mask, depth: int) -> list[int]:
    """The numbers of the best texts by words, at most so many; of equals those in `first`, then the newer."""
    fitting = np.flatnonzero(scores > 0)
    if len(fitting) > depth:
        fitting = fitting[np.argpartition(-scores[fitting], depth - 1)[:depth]]
    order = np.lexsort((-fitting, ~first[fitting], -scores[fitting]))
    return fitting[order].tolist()


def _fusion(words: Sequence[int], near: Sequence[int], first: Mask) -> list[int]:
    """The numbers of the texts of both rankings, best first; of equals those in `first`, then the newer."""
    if not near:
        return list(words)
    scores = fused(((1.0, words), (MEANING, near)))
    return sorted(scores, key=lambda number: (-scores[number], not first[number], -number))
