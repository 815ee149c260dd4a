"""A question about a few turns alone: what a repair asks the fleet again."""

from collections.abc import Sequence

from dissolution.answers import RenderedPrompt
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPrompt
from dissolution.room import Room
from prompts.catalog import filled
from prompts.fence import delimiter, fenced_turns
from prompts.render import told_room

NAME = "repair"
VERSION = 2


def render_spans(snapshot: Snapshot, turns: Sequence[int], room: Room, *, key: bytes) -> RenderedPrompt:
    """The question about these turns (1-based numbers) of a snapshot; no other turn is shown, and no question is.

    Members are told how much room they have for it.

    Raises:
        InvalidPrompt: No turns, or a short key.
        UnknownTurn: A turn outside the snapshot.
    """
    if not turns:
        raise InvalidPrompt(f"prompt {NAME}/v{VERSION} without turns", "ask only when turns are known to be missed")
    code = delimiter(snapshot, key)
    shown = fenced_turns([snapshot.turn(number) for number in sorted(set(turns))], code)
    values = {"conversation": shown, "delimiter": code, **told_room(room)}
    return filled(NAME, VERSION, values)
