"""ConversationStore over SQL: conversations, turns, redactions. Rows are only added."""

from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from dissolution.conversation import Conversation, Redaction, Role, Turn, chained_digests
from dissolution.errors import NotFound
from dissolution.tenancy import tenant_of
from store import tables
from store.checks import new_turns
from store.columns import utc
from store.rows import insert_if_absent


class SqlConversations:
    """Conversations in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def extend(self, conversation: Conversation) -> int:
        """Store it, or add the turns that are new; returns how many were added.

        A grown conversation brings its title and language with it: both are about all of its turns.

        Raises:
            ChangedPast: a stored turn differs from the one given.
            InvalidConversation: a redaction names a turn the conversation does not have.
        """
        facts = {"title": conversation.title, "language": conversation.language}
        new = {"id": conversation.id, "tenant": tenant_of(conversation.id), **facts}
        insert_if_absent(self._connection, tables.conversations, new)
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

    def get(self, conversation: str) -> Conversation:
        """The whole conversation. Raises NotFound."""
        facts = tables.conversations
        row = self._connection.execute(select(facts).where(facts.c.id == conversation)).one_or_none()
        if row is None:
            kind = "conversation"
            raise NotFound(kind, conversation)
        return Conversation(
            id=row.id,
            title=row.title,
            language=row.language,
            turns=self._turns(conversation),
            redactions=self._redactions(conversation),
        )

    def ids(self) -> tuple[str, ...]:
        """All conversation ids, by code point."""
        return tuple(sorted(self._connection.scalars(select(tables.conversations.c.id))))

    def untouched_since(self, before: datetime) -> tuple[str, ...]:
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
        self._connection.execute(
            insert(tables.turns),
            [
                {
                    "conversation": conversation.id,
                    "number": turn.number,
                    "role": turn.role.value,
                    "speaker": turn.speaker,
                    "content": turn.content,
                    "said_at": turn.said_at,
                    "recorded_at": turn.recorded_at,
                    "quoted": turn.quoted,
                    "digest": turn.digest,
                    "chained": chained[turn.number - 1],
                }
                for turn in added
            ],
        )
        self._add_redactions(conversation, added[0].number)

    def _add_redactions(self, conversation: Conversation, first: int) -> None:
        stored = tables.redactions
        ordinal = self._connection.execute(
            select(func.count()).select_from(stored).where(stored.c.conversation == conversation.id)
        ).scalar_one()
        added = [redaction for redaction in conversation.redactions if redaction.turn >= first]
        for number, redaction in enumerate(added, start=ordinal):
            values = {"conversation": conversation.id, "ordinal": number, **redaction.model_dump()}
            self._connection.execute(insert(stored).values(values))

    def _turns(self, conversation: str) -> tuple[Turn, ...]:
        turns = tables.turns
        rows = self._connection.execute(
            select(turns).where(turns.c.conversation == conversation).order_by(turns.c.number)
        )
        return tuple(
            Turn(
                number=row.number,
                role=Role(row.role),
                speaker=row.speaker,
                content=row.content,
                said_at=row.said_at,
                recorded_at=row.recorded_at,
                quoted=row.quoted,
            )
            for row in rows
        )

    def _redactions(self, conversation: str) -> tuple[Redaction, ...]:
        stored = tables.redactions
        rows = self._connection.execute(
            select(stored).where(stored.c.conversation == conversation).order_by(stored.c.ordinal)
        )
        return tuple(Redaction(turn=row.turn, kind=row.kind, placeholder=row.placeholder) for row in rows)
