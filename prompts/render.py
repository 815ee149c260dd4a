"""A prompt file and a snapshot become the messages that are sent."""

from collections.abc import Sequence

from dissolution.answers import RenderedPrompt
from dissolution.conversation import Snapshot, Turn
from dissolution.errors import InvalidPrompt
from dissolution.room import Room
from prompts.catalog import PromptFile, filled, load
from prompts.fence import delimiter, fenced_conversation, fenced_state

FENCE = "delimiter"
"""The slot of prompts in which the conversation comes first, fenced; others keep the source dissertation's order."""


def render(
    name: str,
    version: int,
    snapshot: Snapshot,
    *,
    key: bytes,
    prior: str | None = None,
    since_turn: int | None = None,
    excerpt: bool = False,
    room: Room | None = None,
) -> RenderedPrompt:
    """Fill a released prompt.

    Args:
        name: Prompt name, such as `four_part`.
        version: Released version, 1 or more.
        snapshot: What is asked about.
        key: The installation's key, at least 16 bytes; it makes the delimiter. Not used where nothing is fenced.
        prior: The boundary state held so far, as text: for prompts with a `prior` slot, and only for them.
        since_turn: The last turn that `prior` covers, 1 to one below the snapshot's last; given exactly with `prior`.
        excerpt: Show only the turns after `since_turn`: for snapshots longer than a window, and wherever a prompt must
            stay bounded however long the conversation is. Always where nothing is fenced.
        room: How much may be written: for prompts that tell it; the others ignore it.

    Raises:
        InvalidPrompt: no such prompt, a slot without a value or the other way round, a value out of range, a short key.
    """
    file = load(name, version)
    _check_given(file, snapshot, prior, since_turn)
    fenced = FENCE in file.slots
    code = delimiter(snapshot, key) if fenced else ""
    shown_after = since_turn if since_turn is not None and (excerpt or not fenced) else 0
    conversation = fenced_conversation(snapshot, code, shown_after) if fenced else _plain(snapshot.turns[shown_after:])
    values: dict[str, str] = {"conversation": conversation, "delimiter": code}
    if prior is not None:
        values["prior"] = fenced_state(prior.strip(), code) if fenced else prior.strip()
        values["since"] = str(since_turn)
    values |= told_room(room)
    missing = [slot for slot in file.slots if slot not in values]
    if missing:
        raise InvalidPrompt(f"prompt {name}/v{version} has slots {missing!r} that nothing fills", "give their values")
    return filled(name, version, values, whole=shown_after == 0)


def told_room(room: Room | None) -> dict[str, str]:
    """A room as the values of the slots that tell it; nothing for none."""
    return {} if room is None else {"words": str(room.words), "bullets": str(room.bullets)}


def _check_given(file: PromptFile, snapshot: Snapshot, prior: str | None, since_turn: int | None) -> None:
    what = f"prompt {file.name}/v{file.version}"
    if "prior" not in file.slots:
        for given, value in (("prior", prior), ("since_turn", since_turn)):
            if value is not None:
                raise InvalidPrompt(f"{what} has no slot for {given}", f"leave {given} out, or render `rolling`")
        return
    if prior is None or not prior.strip():
        raise InvalidPrompt(f"{what}: slot 'prior' has no text ({prior!r})", "give the state held so far")
    if since_turn is None or not 1 <= since_turn < snapshot.through:
        raise InvalidPrompt(
            f"{what}: since_turn {since_turn!r}",
            f"give the last turn the prior state covers, 1 to {snapshot.through - 1}, so that there are turns since",
        )


def _plain(turns: Sequence[Turn]) -> str:
    return "\n\n".join(f"{turn.speaker}: {turn.content}" for turn in turns)
