"""A question about a few turns alone: what a repair asks the fleet again, answered in the form of a review."""

import re
from collections.abc import Sequence

from dissolution.answers import RenderedPrompt
from dissolution.conversation import Snapshot
from dissolution.errors import InvalidPrompt
from prompts.catalog import filled
from prompts.fence import delimiter, fenced_turns, marked_lines
from prompts.reviewing import NONE, ShownClaim

REPAIR = "repair"
VERSION = 3

_LOOKS_LIKE_A_MARK = re.compile(r"(?:BEGIN|END)[ \t_-]{1,4}CLAIMS|\[[ \t]{0,4}claim[ \t]{0,4}\d", re.IGNORECASE)


def render_spans(
    snapshot: Snapshot, turns: Sequence[int], claims: Sequence[ShownClaim], *, key: bytes
) -> RenderedPrompt:
    """The question what these turns settle that no claim holds; no other turn is shown, and no question of the probe.

    The answer is read by `prompts.reviewing.read_review`, as one that was shown no claim it could find fault with.

    Args:
        snapshot: The conversation.
        turns: Numbers of the turns (1-based), each shown once, in their order.
        claims: The whole candidate; may be empty.
        key: The installation's key, at least 16 bytes; it makes the delimiter.

    Raises:
        InvalidPrompt: No turns, or a short key.
        UnknownTurn: A turn outside the snapshot.
    """
    if not turns:
        raise InvalidPrompt(f"prompt {REPAIR}/v{VERSION} without turns", "ask only when turns are known to be missed")
    code = delimiter(snapshot, key)
    shown = fenced_turns([snapshot.turn(number) for number in sorted(set(turns))], code)
    lines = [
        f"[claim {one.number}] {one.section.value}\n{marked_lines(one.text, code, _LOOKS_LIKE_A_MARK)}"
        for one in claims
    ]
    block = f"BEGIN CLAIMS {code}\n" + "\n".join(lines or [NONE]) + f"\nEND CLAIMS {code}"
    return filled(REPAIR, VERSION, {"conversation": shown, "claims": block, "delimiter": code})
