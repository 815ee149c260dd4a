"""The one check all exports begin with: is this the conversation the boundary was made from?"""

from dissolution.boundary import BoundaryState
from dissolution.conversation import Conversation
from dissolution.errors import InvalidConversation


def check_source(boundary: BoundaryState, conversation: Conversation) -> None:
    """Refuse to pair a boundary with a conversation it was not made from; one that has grown since is welcome.

    Raises:
        InvalidConversation: another id, fewer turns than the boundary covers, or other text in them.
    """
    remedy = "give the conversation the boundary was made from"
    made_from = f"the boundary of job {boundary.job!r} was made from conversation {boundary.conversation!r}"
    if conversation.id != boundary.conversation:
        raise InvalidConversation(f"{made_from}, not from {conversation.id!r}", remedy)
    turns = len(conversation.turns)
    if turns < boundary.through:
        raise InvalidConversation(f"{made_from} through turn {boundary.through}, the one given has {turns}", remedy)
    if conversation.snapshot(boundary.through).digest != boundary.snapshot_digest:
        raise InvalidConversation(f"{made_from}, whose first {boundary.through} turns read differently", remedy)
