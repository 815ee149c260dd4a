"""The indexes that one process holds: those used lately, within a bound of memory."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager

from context.search import ConversationIndex

IDLE_S = 900.0
"""How long an index that nobody asks is kept (s)."""


class _Entry:
    """An index and who works on it."""

    def __init__(self) -> None:
        self.index = ConversationIndex()
        self.lock = threading.Lock()
        self.used = 0.0
        self.nbytes = 0


class Indexes:
    """Indexes by conversation, for several threads; whatever was let go is built again when it is asked for.

    Args:
        most_bytes: How much memory they may take together, about; the one used last is kept whatever it takes.
        clock: Seconds that only grow.
    """

    def __init__(self, most_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most_bytes = most_bytes
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    def __len__(self) -> int:
        """How many are held."""
        return len(self._entries)

    @contextmanager
    def of(self, conversation: str) -> Generator[ConversationIndex]:
        """The index of a conversation, for this thread alone until the block ends.

        When the block fails, the index is let go: it may have been filled half-way.
        """
        with self._lock:
            entry = self._entries.setdefault(conversation, _Entry())
            self._entries.move_to_end(conversation)
            entry.used = self._clock()
            self._drop_idle()
        with entry.lock:
            try:
                yield entry.index
            except BaseException:
                entry.index = ConversationIndex()  # others may be waiting for it
                self.drop(conversation)
                raise
            entry.nbytes = entry.index.nbytes
        with self._lock:
            self._drop_oldest()

    def drop(self, conversation: str) -> None:
        """Hold the index of a conversation no longer."""
        with self._lock:
            self._entries.pop(conversation, None)

    def _drop_idle(self) -> None:
        oldest = self._clock() - IDLE_S
        for name in [name for name, entry in self._entries.items() if entry.used < oldest]:
            del self._entries[name]

    def _drop_oldest(self) -> None:
        while len(self._entries) > 1 and sum(entry.nbytes for entry in self._entries.values()) > self._most_bytes:
            self._entries.popitem(last=False)
