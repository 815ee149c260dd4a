"""What the foreign forms share: contents in typed blocks, what machines put into a user's message."""

import re
from collections.abc import Iterable, Iterator

from dissolution.conversation import QuotedKind, Role
from language.intake.blocks import ToolResult, read_content
from language.intake.drafts import DraftTurn, Part
from language.intake.split import Tally, split

_LONGEST_TAG = 100
_OPENING = re.compile(r"\s*<(?P<tag>[a-z][\w-]{0,60})(?:\s[^<>]{0,1000})?>")
_CLOSING = re.compile(r"</(?P<tag>[a-z][\w-]{0,60})>\s*$")
_REMINDER = re.compile(r"<(?P<tag>system-reminder)>.*?</(?P=tag)>", re.DOTALL)


def block_turns(content: object, said: DraftTurn, tally: Tally, *, beside: Iterable[Part] = ()) -> list[DraftTurn]:
    """The turns of a message whose content is a text or a list of typed blocks; empty when it says nothing.

    Args:
        content: As in messages of OpenAI or Anthropic.
        said: Who says it, where and when; its parts are replaced.
        tally: Counts what is left out, and knows the names of tools.
        beside: What came with the message: its attachments.

    Raises:
        InvalidConversation: The content is neither, or a block has no type; the message names the place.
    """
    read = read_content(content, said.place)
    tally.note(read)
    tally.remember({"content": content})
    items: list[Part | ToolResult] = []
    for item in read.items:
        items += list(without_reminders(item)) if isinstance(item, Part) and said.role is Role.USER else [item]
    items += beside
    kept = [item for item in items if item.text.strip()]
    return split(kept, said, tally) if kept else []


def is_markup(text: str, *tags: str) -> bool:
    """Whether a text is nothing that a person typed: it begins and ends with elements that only programs write.

    These are elements with a blank-free name of several words (`<local-command-stdout>`), and those of `tags`. What
    stands between them is not looked at: output may close an element itself and go on as if it were speech.
    """
    head, tail = _OPENING.match(text), _CLOSING.search(text[-_LONGEST_TAG:])
    return head is not None and tail is not None and all(_is_programs(match["tag"], tags) for match in (head, tail))


def _is_programs(tag: str, tags: tuple[str, ...]) -> bool:
    return tag in tags or "-" in tag or "_" in tag


def without_reminders(part: Part) -> Iterator[Part]:
    """A part of a user's message, with what its program put between the user's words quoted."""
    if part.kind is not None:
        yield part
        return
    reached = 0
    for match in _REMINDER.finditer(part.text):
        if part.text[reached : match.start()].strip():
            yield Part(part.text[reached : match.start()].strip("\n"))
        yield Part(match[0], QuotedKind.DOCUMENT)
        reached = match.end()
    if part.text[reached:].strip():
        yield Part(part.text[reached:].strip("\n") if reached else part.text)
