"""A question about a few turns alone: what a repair asks the fleet again."""

from collections.abc import Sequence

from dissolution.answers import RenderedPrompt
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPrompt
from prompts.catalog import filled
from prompts.fence import delimiter, fenced_turns

NAME = "repair"
VERSION = 1


def render_spans(snapshot: Snapshot, turns: Sequence[int], *, key: bytes) -> RenderedPrompt:
    """The question about these turns (1-based numbers) of a snapshot; no other turn is shown, and no question is.

    Raises:
        InvalidPrompt: No turns, or a short key.
        UnknownTurn: A turn outside the snapshot.
    """
    if not turns:
        raise InvalidPrompt(f"prompt {NAME}/v{VERSION} without turns", "ask only when turns are known to be missed")
    code = delimiter(snapshot, key)
    shown = fenced_turns([snapshot.turn(number) for number in sorted(set(turns))], code)
    values = {"conversation": shown, "delimiter": code}
    return filled(NAME, VERSION, values)
