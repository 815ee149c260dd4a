"""What a process has read already and need not read again: in one transaction, and of what never changes, a while."""

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Generic, TypeVar

from dissolution.answers import Answer, Call
from dissolution.boundary import BoundaryState
from dissolution.conversation import Conversation, Snapshot
from dissolution.ids import JobId
from dissolution.job import Job, Step

T = TypeVar("T")

KEPT_S = 60.0
"""How long what never changes is kept (s): a job's steps follow each other, and what is erased must not stay."""

MOST_KEPT = 256
"""How much of it, the latest."""


class Seen:
    """Rows read in one transaction, which shows them as they were first read, and as it has changed them itself.

    A job that the transaction has locked is read anew at that moment, with its steps: nobody changes them then but it.
    """

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.steps: dict[str, tuple[Step, ...]] = {}
        self.locked: set[str] = set()
        self.boundaries: dict[str, BoundaryState | None] = {}
        self.calls: dict[str, dict[str | None, tuple[Call, ...]]] = {}  # by job and stage, None: of all stages
        self.answers: dict[str, tuple[Answer, ...]] = {}
        self.conversations: dict[str, Conversation] = {}  # those that it has stored as a whole
        self.settled: set[str] = set()  # jobs whose reservations were all closed when they were read
        self.events: list[tuple[str, datetime, str, str]] = []  # recorded and not written yet: job, when, kind, detail

    def forget(self, job: JobId) -> None:
        """A job or its steps were changed, or may have been by others."""
        self.jobs.pop(job, None)
        self.steps.pop(job, None)

    def change(self, job: JobId, stage: str, values: Mapping[str, object] | None) -> None:
        """A step was changed, to these values if they are given; then those of a locked job need not be read again."""
        before = self.steps.pop(job, None)
        if before is not None and values is not None and job in self.locked:
            self.steps[job] = tuple(step.model_copy(update=values) if step.stage == stage else step for step in before)

    def clear(self) -> None:
        """The transaction is over, or has changed what is not followed."""
        self.__init__()


class Kept(Generic[T]):
    """What was read a moment ago, by a key that says all of it. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, tuple[float, T]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """What was kept under the key, or None."""
        with self._lock:
            self._drop_old()
            found = self._values.get(key)
            return None if found is None else found[1]

    def put(self, key: Hashable, value: T) -> T:
        """Keep it; returns it."""
        with self._lock:
            self._drop_old()
            self._values.pop(key, None)
            self._values[key] = (time.monotonic(), value)
            while len(self._values) > MOST_KEPT:
                self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        """Keep nothing: something was erased."""
        with self._lock:
            self._values.clear()

    def _drop_old(self) -> None:
        oldest = time.monotonic() - KEPT_S
        while self._values and next(iter(self._values.values()))[0] < oldest:
            self._values.popitem(last=False)


class KeptReads:
    """What one process keeps of one database."""

    def __init__(self) -> None:
        self.conversations: Kept[Conversation] = Kept()
        self.snapshots: Kept[Snapshot] = Kept()
        self.sizes: Kept[int] = Kept()
        self.key: bytes | None = None  # of the installation; made once

    def clear(self) -> None:
        """Keep nothing: something was erased."""
        self.conversations.clear()
        self.snapshots.clear()
        self.sizes.clear()
