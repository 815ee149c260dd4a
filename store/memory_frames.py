"""Registers in memory; see `store.sql.frames` for what each method promises."""

from dissolution.conversation import ConversationId
from dissolution.errors import NotFound
from dissolution.premises import Register
from store.memory_state import State
from store.rules.checks import CONVERSATION
from store.sql.frames import begins


class MemoryFrames:
    """Registers in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def register(self, conversation: ConversationId) -> Register:
        """The stored register, empty when nothing was read yet. Raises NotFound."""
        if conversation not in self._state.conversations:
            raise NotFound(CONVERSATION, conversation)
        return self._state.registers.get(conversation, Register(conversation=conversation))

    def extend(self, register: Register) -> bool:
        """Store what `register` adds to the stored one; whether that is its beginning. Raises NotFound."""
        stands = begins(self.register(register.conversation), register)
        if stands:
            self._state.registers[register.conversation] = register
        return stands
