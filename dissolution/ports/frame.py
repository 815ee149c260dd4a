"""The port of the assumption registers: one a conversation, only ever added to."""

from typing import Protocol

from dissolution.conversation import ConversationId
from dissolution.premises import Register


class FrameStore(Protocol):
    """Registers of conversations. Every change is inside the unit of work it came from."""

    def register(self, conversation: ConversationId) -> Register:
        """The stored register; one through turn 0 without events when nothing was read yet. Raises NotFound."""
        ...

    def extend(self, register: Register) -> bool:
        """Store what a register adds to the stored one, which must be its beginning; whether it was.

        False when another job was first and what is stored by now is no beginning of it: nothing is changed then, and
        the register is to be built anew from the stored one. Storing what is stored already changes nothing.

        Raises NotFound (no such conversation).
        """
        ...
