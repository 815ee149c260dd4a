"""Recall in one process: its indexes, the embedder where it is at hand, and the vectors that are still to be made.

A query never waits for the vectors of a conversation. Where meaning is compared, one thread beside the queries makes
those that lack, newest texts first, in batches of their own transactions; what has none yet is found by words, and the
result says so. A process that ends with its answer, such as the command line, makes a bounded number first instead.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from context.filling import rows_of, texts_of, vectors_of
from context.indexes import Indexes
from context.recall import listed, recalled
from context.search import ConversationIndex
from context.vectors import Rows
from dissolution.errors import DissolutionError, ModelAssetError
from dissolution.findings import EmbeddingStamp
from dissolution.installed import HASHING
from dissolution.ports.models import Embedder
from dissolution.ports.recall import RecallStore
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.recall_kinds import RecallBy, RecallKind
from dissolution.recalling import Recalled, RecallQuery
from workers.services import Services

BATCH = 64
"""Passages that are embedded in one transaction, about: one to two seconds of one processor."""
AT_ONCE = 256
"""Passages that one call embeds at most: of the thread beside the queries, or before an answer that waits for them."""
KEYS = 256
"""Texts that are looked at for that."""

SPELLING = "words alone were compared: the hashing embedder sees spelling, not meaning"
NOT_LOADED = "words alone were compared: the embedding model is not loaded; match `meaning` loads it"


@runtime_checkable
class Loads(Protocol):
    """An embedder that has something to load before it can be used."""

    @property
    def ready(self) -> bool:
        """Whether it is loaded in this process."""
        ...


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What the meaning of a query is compared with: its vector, and whose vectors they are; or why not."""

    vector: Rows | None = None
    stamp: EmbeddingStamp | None = None
    note: str | None = None


class Recall:
    """Answers queries over any conversation; for several threads.

    Args:
        units: Of the store.
        embedder: Built when meaning is first compared.
        most_bytes: Memory that the indexes of this process may take (bytes).
        waits: Whether an answer waits for a bounded number of vectors that lack; else a thread makes them beside it.
    """

    def __init__(
        self,
        units: UnitOfWorkFactory,
        embedder: Callable[[], Embedder],
        *,
        most_bytes: int,
        waits: bool = False,
    ) -> None:
        self._units = units
        self._embedder = embedder
        self._indexes = Indexes(most_bytes)
        self._waits = waits
        self._lock = threading.Lock()
        self._beside: ThreadPoolExecutor | None = None
        self._filling: Future[None] | None = None
        self._failure: str | None = None
        self._closed = False

    def __call__(self, conversation: str, query: RecallQuery) -> Recalled:
        """What fits, best first.

        Raises:
            NotFound: No such conversation, or no such version of its ledger.
            StoreUnavailable: Vectors are to be stored in a database that cannot be written.
        """
        if query.text is None:
            return self._listed(conversation, query)
        if query.fit.at.version is not None:
            with self._units.reading() as work:
                work.recall.turns_known(conversation, query.fit)  # a version that is not there spoils no index
        meaning = self._meaning(query)
        if self._waits and meaning.stamp is not None:
            self._fill(conversation, meaning.stamp)
        with self._indexes.of(conversation) as index:
            with self._units.reading() as work:
                self._sync(index, work.recall, conversation, meaning.stamp)
                results = recalled(work.recall, conversation, index, query, meaning.vector)
            bare, texts = (index.bare, index.texts) if meaning.stamp is not None else (0, index.texts)
        if bare and not self._waits and meaning.stamp is not None:
            self._fill_beside(conversation, meaning.stamp)
        return Recalled(
            conversation=conversation,
            results=results,
            matched_by=RecallBy.WORDS if meaning.vector is None else RecallBy.MEANING,
            notes=self._notes(meaning, bare, texts),
        )

    def _listed(self, conversation: str, query: RecallQuery) -> Recalled:
        with self._units.reading() as work:
            work.recall.extent(conversation)
            claims = work.ledger.recall(conversation, query.fit) if RecallKind.CLAIM in query.wanted else ()
        return Recalled(conversation=conversation, results=listed(claims), matched_by=RecallBy.WORDS)

    def forget(self, conversation: str) -> None:
        """Hold nothing of a conversation any longer: it was erased."""
        self._indexes.drop(conversation)

    def close(self) -> None:
        """End the thread beside the queries once it has made the batch it is at."""
        self._closed = True
        with self._lock:
            beside, self._beside = self._beside, None
        if beside is not None:
            beside.shutdown(wait=True, cancel_futures=True)

    def _meaning(self, query: RecallQuery) -> Meaning:
        if query.match is RecallBy.WORDS or query.text is None:
            return Meaning()
        embedder = self._embedder()
        if query.match is RecallBy.AUTO:
            if embedder.stamp.model == HASHING:
                return Meaning(note=SPELLING)
            if isinstance(embedder, Loads) and not embedder.ready:
                return Meaning(note=NOT_LOADED)
        try:
            vectors = embedder.embed([query.text])
        except ModelAssetError as error:
            return Meaning(note=f"words alone were compared: {error}")
        return Meaning(vector=rows_of(vectors)[0], stamp=vectors.stamp)

    def _sync(
        self, index: ConversationIndex, store: RecallStore, conversation: str, stamp: EmbeddingStamp | None
    ) -> None:
        index.sync(store, conversation)
        if stamp is not None:
            index.sync_vectors(store, conversation, stamp)

    def _notes(self, meaning: Meaning, bare: int, texts: int) -> tuple[str, ...]:
        notes = [meaning.note] if meaning.note else []
        if bare:
            later = "ask again for more" if self._waits else "they are being made"
            notes.append(f"{bare} of {texts} texts have no vector yet and were found by words alone; {later}")
        if bare and self._failure is not None:
            notes.append(f"making vectors failed: {self._failure}")
        return tuple(notes)

    def _fill_beside(self, conversation: str, stamp: EmbeddingStamp) -> None:
        """Let the thread make vectors of this conversation, unless it is at work already."""
        with self._lock:
            if self._closed or (self._filling is not None and not self._filling.done()):
                return
            if self._beside is None:
                self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="recall-vectors")
            self._filling = self._beside.submit(self._fill_quietly, conversation, stamp)

    def _fill_quietly(self, conversation: str, stamp: EmbeddingStamp) -> None:
        try:
            self._fill(conversation, stamp)
            self._failure = None
        except DissolutionError as error:  # the next answer tells; words are searched whatever happens here
            self._failure = str(error)

    def _fill(self, conversation: str, stamp: EmbeddingStamp) -> None:
        """Make and store the vectors of at most AT_ONCE passages, or of one text. Raises DissolutionError."""
        made = 0
        while made < AT_ONCE and not self._closed:
            count = self._fill_batch(conversation, stamp)
            if not count:
                return
            made += count

    def _fill_batch(self, conversation: str, stamp: EmbeddingStamp) -> int:
        with self._indexes.of(conversation) as index, self._units.reading() as work:
            self._sync(index, work.recall, conversation, stamp)
            keys = index.without_vector(KEYS)
            texts, absent = texts_of(work.recall, conversation, keys, BATCH)
            index.pass_over(absent)
        if not texts:
            return 0
        vectors = vectors_of(self._embedder(), texts)  # nobody waits for it: neither index nor transaction is held
        with self._units() as work:
            work.recall.add_vectors(conversation, stamp, vectors)
            work.commit()
        with self._indexes.of(conversation) as index:
            index.add_vectors(vectors)
        return len(vectors)


def recall_of(services: Services, *, waits: bool = False) -> Recall:
    """Recall over the services of a process."""
    most = services.settings.recall_memory_mb * 2**20
    return Recall(services.unit_of_work, services.embedder, most_bytes=most, waits=waits)
