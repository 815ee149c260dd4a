"""ConversationStore over SQL: conversations, turns, redactions, known secrets. Rows are only added."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, LargeBinary, Row, Table, cast, exists, func, insert, select, update

from dissolution.checking import each
from dissolution.conversation import (
    Conversation,
    ConversationId,
    KnownSecret,
    Redaction,
    Role,
    Snapshot,
    Turn,
    TurnNumber,
    chained_digests,
    chained_onto,
)
from dissolution.errors import NotFound
from dissolution.tenancy import tenant_of
from store.rules.checks import new_turns, turns_behind
from store.sql.read_once import KeptReads, Seen
from store.sql.rows import insert_if_absent
from store.tables import jobs as tables
from store.tables.columns import storable, utc


class SqlConversations:
    """Conversations in one transaction."""

    def __init__(self, connection: Connection, kept: KeptReads | None = None, seen: Seen | None = None) -> None:
        self._connection = connection
        self._kept = kept or KeptReads()
        self._seen = seen or Seen()

    def extend(self, conversation: Conversation) -> int:
        """Store it, or add the turns that are new; returns how many were added.

        A grown conversation brings its title and language with it: both are about all of its turns.

        Raises:
            ChangedPast: a stored turn differs from the one given.
            InvalidConversation: a redaction names a turn the conversation does not have.
        """
        facts = {"title": conversation.title, "language": conversation.language}
        new = {"id": conversation.id, "tenant": tenant_of(conversation.id), **facts}
        if insert_if_absent(self._connection, tables.conversations, new):
            added = new_turns(conversation, ())
            if added:
                self._add(conversation, added)
            self._seen.conversations[conversation.id] = conversation
            return len(added)
        self._seen.conversations.pop(conversation.id, None)
        row = tables.conversations.c.id == conversation.id
        self._connection.execute(select(tables.conversations.c.id).where(row).with_for_update()).one()
        turns = tables.turns
        stored = self._connection.scalars(
            select(turns.c.digest).where(turns.c.conversation == conversation.id).order_by(turns.c.number)
        ).all()
        added = new_turns(conversation, stored)
        if added:
            self._connection.execute(update(tables.conversations).where(row).values(facts))
            self._add(conversation, added)
        return len(added)

    def append(
        self,
        conversation: ConversationId,
        turns: Sequence[Turn],
        redactions: Sequence[Redaction] = (),
        known: Sequence[KnownSecret] = (),
    ) -> int:
        """Add turns behind the stored ones, reading none but those given again; returns how many were added.

        Title and language stay as they are. A turn that is stored already adds nothing.

        Raises:
            NotFound: there is no such conversation.
            ChangedPast: a stored turn differs from the one given under its number.
            InvalidConversation: a number does not follow the one before it, or a redaction names no given turn.
        """
        if not turns:
            return 0
        self._seen.conversations.pop(conversation, None)
        row = tables.conversations.c.id == conversation
        lock = select(tables.conversations.c.id).where(row).with_for_update()
        if self._connection.execute(lock).one_or_none() is None:
            kind = "conversation"
            raise NotFound(kind, conversation)
        stored = tables.turns
        newest = select(func.max(stored.c.number)).where(stored.c.conversation == conversation)
        last = self._connection.execute(newest).scalar_one()
        since = min(turns[0].number - 1, last)
        held = self._connection.execute(
            select(stored.c.number, stored.c.digest, stored.c.chained)
            .where(stored.c.conversation == conversation, stored.c.number >= since)
            .order_by(stored.c.number)
        ).all()
        digests = {found.number: found.digest for found in held}
        added = turns_behind(conversation, turns, digests, redactions)
        if added:
            self._insert(conversation, added, chained_onto(held[-1].chained if held else None, added))
            first = added[0].number
            self._insert_beside(tables.redactions, conversation, [one for one in redactions if one.turn >= first])
            self._insert_beside(tables.known_secrets, conversation, [one for one in known if one.turn >= first])
        return len(added)

    def get(self, conversation: ConversationId) -> Conversation:
        """The whole conversation. Raises NotFound."""
        if conversation in self._seen.conversations:
            return self._seen.conversations[conversation]
        facts, turns = tables.conversations, tables.turns
        of_it = select(turns.c.chained).where(turns.c.conversation == facts.c.id)
        last = of_it.order_by(turns.c.number.desc()).limit(1).scalar_subquery()
        beside = [
            exists().where(stored.c.conversation == facts.c.id).label(name)
            for name, stored in (("redacted", tables.redactions), ("secret", tables.known_secrets))
        ]
        query = select(facts, last.label("chained"), *beside).where(facts.c.id == conversation)
        row = self._connection.execute(query).one_or_none()
        if row is None:
            kind = "conversation"
            raise NotFound(kind, conversation)
        # The chained digest of the last turn says all turns, and what stands beside them comes with them.
        key = (row.id, row.title, row.language, row.chained)
        return self._kept.conversations.get(key) or self._kept.conversations.put(key, self._whole(conversation, row))

    def snapshot(self, conversation: ConversationId, through: TurnNumber, digest: str) -> Snapshot:
        """What a job works on, as its digest says; not read again while this process has it. Raises NotFound."""
        key = (conversation, through, digest)
        if (kept := self._kept.snapshots.get(key)) is not None:
            return kept
        found = self.get(conversation).snapshot(through)
        self._kept.sizes.put((conversation, through), sum(len(storable(turn.content).encode()) for turn in found.turns))
        return self._kept.snapshots.put(key, found)

    def _whole(self, conversation: ConversationId, row: Row[Any]) -> Conversation:
        return Conversation(
            id=row.id,
            title=row.title,
            language=row.language,
            turns=self._turns(conversation),
            redactions=self._redactions(conversation) if row.redacted else (),
            known=self.known(conversation) if row.secret else (),
        )

    def text_bytes(self, conversation: ConversationId, through: TurnNumber) -> int:
        """Bytes of the text of its turns up to `through` (UTF-8), read without the text; 0 when nothing is stored."""
        key = (conversation, through)
        return self._kept.sizes.get(key) or self._kept.sizes.put(key, self._text_bytes(conversation, through))

    def _text_bytes(self, conversation: ConversationId, through: int) -> int:
        turns = tables.turns
        on_sqlite = self._connection.dialect.name == "sqlite"
        of_turn = func.length(cast(turns.c.content, LargeBinary)) if on_sqlite else func.octet_length(turns.c.content)
        wanted = (turns.c.conversation == conversation) & (turns.c.number <= through)
        return self._connection.scalar(select(func.coalesce(func.sum(of_turn), 0)).where(wanted)) or 0

    def known(self, conversation: ConversationId) -> tuple[KnownSecret, ...]:
        """What recognises the conversation's secrets, as they were met; empty for one that is not stored."""
        stored = tables.known_secrets
        rows = self._connection.execute(
            select(stored).where(stored.c.conversation == conversation).order_by(stored.c.ordinal)
        )
        return tuple(KnownSecret(**{name: getattr(row, name) for name in KnownSecret.model_fields}) for row in rows)

    def ids(self) -> tuple[ConversationId, ...]:
        """All conversation ids, by code point."""
        return tuple(sorted(self._connection.scalars(select(tables.conversations.c.id))))

    def untouched_since(self, before: datetime) -> tuple[ConversationId, ...]:
        """Ids of conversations whose newest turn was said (or, unknown, recorded) before an instant, oldest first.

        They are what a rule of retention is about: `LedgerStore.erase` removes one.
        """
        turns = tables.turns
        newest = select(turns.c.conversation, func.max(turns.c.number).label("number")).group_by(turns.c.conversation)
        last = newest.subquery()
        joined = (turns.c.conversation == last.c.conversation) & (turns.c.number == last.c.number)
        said_at = func.coalesce(turns.c.said_at, turns.c.recorded_at)
        rows = select(turns.c.conversation, said_at.label("said_at")).join(last, joined).where(said_at < utc(before))
        found = self._connection.execute(rows).all()
        return tuple(row.conversation for row in sorted(found, key=lambda row: (row.said_at, row.conversation)))

    def _add(self, conversation: Conversation, added: tuple[Turn, ...]) -> None:
        chained = chained_digests(conversation.turns)
        self._insert(conversation.id, added, chained[added[0].number - 1 :])
        first = added[0].number
        fresh = [one for one in conversation.redactions if one.turn >= first]
        self._insert_beside(tables.redactions, conversation.id, fresh)
        known = [one for one in conversation.known if one.turn >= first]
        self._insert_beside(tables.known_secrets, conversation.id, known)

    def _insert(self, conversation: ConversationId, added: Sequence[Turn], chained: Sequence[str]) -> None:
        self._connection.execute(
            insert(tables.turns),
            [
                {
                    "conversation": conversation,
                    "number": turn.number,
                    "role": turn.role.value,
                    "speaker": turn.speaker,
                    "content": turn.content,
                    "said_at": turn.said_at,
                    "recorded_at": turn.recorded_at,
                    "quoted": turn.quoted,
                    "digest": turn.digest,
                    "chained": digest,
                }
                for turn, digest in zip(added, chained, strict=True)
            ],
        )

    def _insert_beside(
        self, stored: Table, conversation: ConversationId, added: Sequence[Redaction | KnownSecret]
    ) -> None:
        if not added:
            return
        newest = select(func.max(stored.c.ordinal)).where(stored.c.conversation == conversation)
        last = self._connection.execute(newest).scalar_one()
        rows = [
            {"conversation": conversation, "ordinal": number, **one.model_dump()}
            for number, one in enumerate(added, start=0 if last is None else last + 1)
        ]
        self._connection.execute(insert(stored), rows)

    def _turns(self, conversation: ConversationId) -> tuple[Turn, ...]:
        turns = tables.turns
        query = select(turns).where(turns.c.conversation == conversation).order_by(turns.c.number)
        # Closed also when the reading is ended half-way: an open cursor keeps SQLite's connection at what it saw then.
        with self._connection.execute(query) as rows:
            return tuple(read_turn(row) for row in each(rows))

    def _redactions(self, conversation: ConversationId) -> tuple[Redaction, ...]:
        stored = tables.redactions
        rows = self._connection.execute(
            select(stored).where(stored.c.conversation == conversation).order_by(stored.c.ordinal)
        )
        return tuple(Redaction(turn=row.turn, kind=row.kind, placeholder=row.placeholder) for row in rows)


def read_turn(row: Row[Any]) -> Turn:
    """The turn of a row of `turns`."""
    return Turn(
        number=row.number,
        role=Role(row.role),
        speaker=row.speaker,
        content=row.content,
        said_at=row.said_at,
        recorded_at=row.recorded_at,
        quoted=row.quoted,
    )
