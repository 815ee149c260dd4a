"""FrameStore over SQL: events are rows that are added and never changed."""

from sqlalchemy import insert, select, update

from dissolution.checking import each
from dissolution.conversation import ConversationId
from dissolution.errors import NotFound
from dissolution.premises import Register
from store.rules.checks import CONVERSATION
from store.sql.rows import Repository
from store.sql.versions import SqlVersions
from store.tables import jobs as tables
from store.tables.frame import premise_events, registers


class SqlFrames(Repository):
    """Registers in one transaction."""

    def register(self, conversation: ConversationId) -> Register:
        """The stored register, empty when nothing was read yet. Raises NotFound."""
        facts, events = tables.conversations, premise_events
        beside = facts.outerjoin(registers, registers.c.conversation == facts.c.id)
        beside = beside.outerjoin(events, events.c.conversation == registers.c.conversation)
        query = select(registers.c.through, events.c.event).select_from(beside)
        query = query.where(facts.c.id == conversation).order_by(events.c.number)
        with self._connection.execute(query) as rows:  # closed also when the reading is ended half-way
            found = tuple(each(rows))
        if not found:
            raise NotFound(CONVERSATION, conversation)
        told = tuple(row.event for row in found if row.event is not None)
        return Register(conversation=conversation, through=found[0].through or 0, events=told)

    def _register(self, conversation: ConversationId, through: int | None) -> Register:
        """What is stored behind the turn that was read through, nothing without one."""
        if through is None:
            return Register(conversation=conversation, through=0, events=())
        events = premise_events.c
        query = select(events.event).where(events.conversation == conversation).order_by(events.number)
        with self._connection.scalars(query) as rows:  # closed also when the reading is ended half-way
            found = tuple(each(rows))
        return Register(conversation=conversation, through=through, events=found)

    def extend(self, register: Register) -> bool:
        """Store what `register` adds to the stored one; whether that is its beginning. Raises NotFound."""
        SqlVersions(self._connection).lock(register.conversation)  # nobody adds in between
        through = self._through(register.conversation)
        stored = self._register(register.conversation, through)
        if not begins(stored, register):
            return False
        self._read_through(register, first=through is None)
        values: list[dict[str, object]] = [
            {
                "conversation": register.conversation,
                "number": number,
                "turn": event.turn,
                "premise": event.premise,
                "kind": event.kind.value,
                "event": event,
            }
            for number, event in enumerate(register.events, start=1)
            if number > len(stored.events)
        ]
        if values:
            self._connection.execute(insert(premise_events), values)
        return True

    def _through(self, conversation: ConversationId) -> int | None:
        query = select(registers.c.through).where(registers.c.conversation == conversation)
        return self._connection.scalar(query)

    def _read_through(self, register: Register, *, first: bool) -> None:
        values = {"conversation": register.conversation, "through": register.through}
        if first:
            self._connection.execute(insert(registers).values(values))
        else:
            mine = registers.c.conversation == register.conversation
            self._connection.execute(update(registers).where(mine).values(through=register.through))


def begins(stored: Register, register: Register) -> bool:
    """Whether a stored register is the beginning of another: all its events first, and not more turns read."""
    return stored.through <= register.through and register.events[: len(stored.events)] == stored.events
