"""In-memory units of work: a shipped adapter with the meaning of the SQL one, for tests and throw-away runs."""

import secrets
import threading
from collections.abc import Sequence
from datetime import datetime
from types import TracebackType
from typing import Self

from pydantic import SecretStr

from dissolution.conversation import Conversation, ConversationId, KnownSecret, Redaction, Snapshot, Turn, TurnNumber
from dissolution.errors import NotFound, StoreUnavailable
from store.memory_boundaries import MemoryBoundaries
from store.memory_frames import MemoryFrames
from store.memory_jobs import MemoryJobs
from store.memory_ledger import MemoryLedger
from store.memory_money import MemoryMoney
from store.memory_outbox import MemoryOutbox
from store.memory_recalling import MemoryRecall
from store.memory_service import MemoryService
from store.memory_stability import MemoryStability
from store.memory_state import State
from store.memory_triggers import MemoryTriggers
from store.rules.checks import ONLY_READS, new_turns, turns_behind
from store.rules.keys import KEY_BYTES, derived_key
from store.tables.columns import utc

_SHOWN = "memory"


class MemoryConversations:
    """Conversations in one unit of work."""

    def __init__(self, state: State) -> None:
        self._stored = state.conversations

    def extend(self, conversation: Conversation) -> int:
        """Store it, or add the turns that are new. Raises ChangedPast, InvalidConversation."""
        before = self._stored.get(conversation.id)
        turns = before.turns if before else ()
        added = new_turns(conversation, [turn.digest for turn in turns])
        if added:
            redactions = tuple(one for one in conversation.redactions if one.turn >= added[0].number)
            known = tuple(one for one in conversation.known if one.turn >= added[0].number)
            grown = {
                "turns": turns + added,
                "redactions": (before.redactions if before else ()) + redactions,
                "known": (before.known if before else ()) + known,
            }
            self._stored[conversation.id] = conversation.model_copy(update=grown)
        return len(added)

    def snapshot(self, conversation: ConversationId, through: TurnNumber, digest: str) -> Snapshot:  # noqa: ARG002 - the port's shape
        """What a job works on. Raises NotFound, UnknownTurn."""
        return self.get(conversation).snapshot(through)

    def text_bytes(self, conversation: ConversationId, through: TurnNumber) -> int:
        """Bytes of the text of its turns up to `through` (UTF-8); 0 when nothing is stored."""
        stored = self._stored.get(conversation)
        turns = () if stored is None else stored.turns[:through]
        return sum(len(turn.content.encode()) for turn in turns)

    def append(
        self,
        conversation: ConversationId,
        turns: Sequence[Turn],
        redactions: Sequence[Redaction] = (),
        known: Sequence[KnownSecret] = (),
    ) -> int:
        """Add turns behind the stored ones. Raises NotFound, ChangedPast, InvalidConversation."""
        if not turns:
            return 0
        before = self.get(conversation)
        since = max(0, min(turns[0].number, len(before.turns)) - 2)
        held = {turn.number: turn.digest for turn in before.turns[since:]}
        added = turns_behind(conversation, turns, held, redactions)
        if added:
            fresh = tuple(one for one in redactions if one.turn >= added[0].number)
            met = tuple(one for one in known if one.turn >= added[0].number)
            grown = {
                "turns": before.turns + added,
                "redactions": before.redactions + fresh,
                "known": before.known + met,
            }
            self._stored[conversation] = before.model_copy(update=grown)
        return len(added)

    def get(self, conversation: ConversationId) -> Conversation:
        """The whole conversation. Raises NotFound."""
        if conversation not in self._stored:
            kind = "conversation"
            raise NotFound(kind, conversation)
        return self._stored[conversation]

    def known(self, conversation: ConversationId) -> tuple[KnownSecret, ...]:
        """What recognises the conversation's secrets, as they were met; empty for one that is not stored."""
        return self._stored[conversation].known if conversation in self._stored else ()

    def ids(self) -> tuple[ConversationId, ...]:
        """All conversation ids, by code point."""
        return tuple(sorted(self._stored))

    def untouched_since(self, before: datetime) -> tuple[ConversationId, ...]:
        """Ids of conversations whose newest turn is older than an instant, oldest first."""
        instant = utc(before)
        last = sorted((one.turns[-1].said_at or one.turns[-1].recorded_at, one.id) for one in self._stored.values())
        return tuple(name for said_at, name in last if said_at < instant)


class MemoryUnitOfWork:
    """One transaction over the factory's state; while it is open, others wait."""

    def __init__(self, factory: "MemoryUnitOfWorkFactory", *, reading: bool = False) -> None:
        self._factory = factory
        self._reading = reading
        self._open: State | None = None

    @property
    def conversations(self) -> MemoryConversations:
        """Conversations in this transaction."""
        return MemoryConversations(self._state)

    @property
    def jobs(self) -> MemoryJobs:
        """Jobs in this transaction."""
        return MemoryJobs(self._state)

    @property
    def boundaries(self) -> MemoryBoundaries:
        """Boundaries in this transaction."""
        return MemoryBoundaries(self._state)

    @property
    def ledger(self) -> MemoryLedger:
        """Ledgers in this transaction."""
        return MemoryLedger(self._state)

    @property
    def recall(self) -> MemoryRecall:
        """What recall reads, and the vectors of texts, in this transaction."""
        return MemoryRecall(self._state)

    @property
    def outbox(self) -> MemoryOutbox:
        """Rings in this transaction."""
        return MemoryOutbox(self._state)

    @property
    def money(self) -> MemoryMoney:
        """Money in this transaction."""
        return MemoryMoney(self._state)

    @property
    def frames(self) -> MemoryFrames:
        """Assumption registers in this transaction."""
        return MemoryFrames(self._state)

    @property
    def service(self) -> MemoryService:
        """Keys, answered requests, webhooks, rules of intake and pages, in this transaction."""
        return MemoryService(self._state)

    @property
    def triggers(self) -> MemoryTriggers:
        """Triggers in this transaction."""
        return MemoryTriggers(self._state)

    @property
    def stability(self) -> MemoryStability:
        """Stability runs in this transaction."""
        return MemoryStability(self._state)

    def installation_key(self) -> bytes:
        """32 secret random bytes, made with the factory, or from the configured key."""
        return self._factory.key

    def __enter__(self) -> Self:
        if self._open is not None:
            message = "this unit of work is in use; ask the factory for another"
            raise RuntimeError(message)
        self._open = self._factory.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._open = None
        self._factory.end()

    def commit(self) -> None:
        """Make everything in the block lasting. Raises RuntimeError in one that only reads."""
        if self._reading:
            raise RuntimeError(ONLY_READS)
        self._open = self._factory.keep(self._state)

    @property
    def _state(self) -> State:
        if self._open is None:
            message = "a unit of work is used inside its `with` block"
            raise RuntimeError(message)
        return self._open


class MemoryUnitOfWorkFactory:
    """Opens units of work on one state; may be shared by threads."""

    def __init__(self, busy_timeout_s: float, key: bytes) -> None:
        self.key = key
        self._busy_timeout_s = busy_timeout_s
        self._state = State()
        self._lock = threading.Lock()

    def __call__(self) -> MemoryUnitOfWork:
        """A new one; use it in a `with` block."""
        return MemoryUnitOfWork(self)

    def reading(self) -> MemoryUnitOfWork:
        """A new one that only reads; here one is like the other, but that it is not to be committed."""
        return MemoryUnitOfWork(self, reading=True)

    def begin(self) -> State:
        """A copy to work on, once nobody else works on one. Raises StoreUnavailable after the busy timeout."""
        if not self._lock.acquire(timeout=self._busy_timeout_s):
            raise StoreUnavailable(
                _SHOWN, f"another unit of work has held it for {self._busy_timeout_s:g} s; try again"
            )
        return self._state.copy()

    def keep(self, state: State) -> State:
        """Make `state` the one that later units of work see; returns a copy to go on with."""
        self._state = state
        return state.copy()

    def end(self) -> None:
        """Let the next one in."""
        self._lock.release()


def memory_unit_of_work_factory(
    busy_timeout_s: float = 30.0, installation_key: SecretStr | None = None
) -> MemoryUnitOfWorkFactory:
    """A store that lives as long as the factory; parameters as for `sql_unit_of_work_factory`."""
    key = secrets.token_bytes(KEY_BYTES) if installation_key is None else derived_key(installation_key)
    return MemoryUnitOfWorkFactory(busy_timeout_s, key)
