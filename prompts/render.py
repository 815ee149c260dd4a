"""A prompt file and a snapshot become the messages that are sent."""

from dissolution.answers import PromptMessage, RenderedPrompt
from dissolution.conversation import Snapshot, Turn
from dissolution.errors import InvalidPrompt
from dissolution.room import Room
from prompts.catalog import SLOT, PromptFile, load
from prompts.fence import delimiter, fenced_conversation, fenced_state

FIRST_FENCED = 2
"""From this version on the conversation comes first, fenced; before it the source dissertation's order is kept."""


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
        key: The installation's key, at least 16 bytes; it makes the delimiter. Not used by version 1.
        prior: The boundary state held so far, as text: for prompts with a `prior` slot, and only for them.
        since_turn: The last turn that `prior` covers, 1 to one below the snapshot's last; given exactly with `prior`.
        excerpt: Show only the turns after `since_turn`: for snapshots longer than a window, and wherever a prompt must
            stay bounded however long the conversation is. Version 1 always does.
        room: How much may be written: for prompts that tell it; the others ignore it.

    Raises:
        InvalidPrompt: no such prompt, a slot without a value or the other way round, a value out of range, a short key.
    """
    file = load(name, version)
    _check_given(file, snapshot, prior, since_turn)
    code = "" if version < FIRST_FENCED else delimiter(snapshot, key)
    shown_after = since_turn if since_turn is not None and (excerpt or version < FIRST_FENCED) else 0
    conversation = _conversation(version, snapshot, code, shown_after)
    values: dict[str, str] = {"conversation": conversation, "delimiter": code}
    if prior is not None:
        values["prior"] = prior.strip() if version < FIRST_FENCED else fenced_state(prior.strip(), code)
        values["since"] = str(since_turn)
    values |= told_room(room)
    missing = [slot for slot in file.slots if slot not in values]
    if missing:
        raise InvalidPrompt(f"prompt {name}/v{version} has slots {missing!r} that nothing fills", "give their values")
    # One pass over the file's own text: a slot mark inside a turn is a word of that turn and stays as it is.
    user = SLOT.sub(lambda match: values[match[1]], file.user)
    messages = [PromptMessage(role="user", content=user)]
    if file.system is not None:
        messages.insert(0, PromptMessage(role="system", content=file.system))
    return RenderedPrompt(stamp=file.stamp, messages=tuple(messages))


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


def _conversation(version: int, snapshot: Snapshot, code: str, shown_after: int) -> str:
    if version >= FIRST_FENCED:
        return fenced_conversation(snapshot, code, shown_after)
    return "\n\n".join(_plain(turn) for turn in snapshot.turns[shown_after:])


def _plain(turn: Turn) -> str:
    return f"{turn.speaker}: {turn.content}"
