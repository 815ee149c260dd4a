"""What was asked, so that a person can read it and a later question can be found by it: blocks, items, a digest.

Prompts show data between fence lines (`BEGIN QUESTIONS <code>` … `END QUESTIONS <code>`). In a block a line in
brackets opens an item; the words of it follow behind the line mark. Nothing here knows a prompt by its name.
"""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from dissolution.answers import MemberTask
from dissolution.conversation import ConversationId
from dissolution.values import Frozen
from fleet.neutral import Tokens, asked_text, digest_of

CONVERSATION = "CONVERSATION"
QUESTIONS = "QUESTIONS"

_BLOCK = re.compile(
    r"^BEGIN (?P<name>[A-Z][A-Z ]*) (?P<code>\u2039code \d+\u203a)\n(?P<body>.*?)^END (?P=name) (?P=code)$",
    re.MULTILINE | re.DOTALL,
)
_HEADER = re.compile(r"\[(?P<name>[^\]\n]+)\](?P<rest>.*)")
_TURN = re.compile(r"turn (?P<number>\d+)")
_MARK = "| "


class Item(Frozen):
    """One entry of a block: what its bracket says, and its words."""

    name: str = ""  # empty where a block has no brackets
    words: str

    @property
    def line(self) -> str:
        """Both on one line, as it is stored."""
        return f"[{self.name}] {self.words}" if self.name else self.words


class Block(Frozen):
    """One stretch of data that a prompt shows."""

    name: str
    turns: str | None = None  # the turns shown, such as "1-40"; their words are not repeated
    items: tuple[str, ...] = ()  # of any other data, one line each


class Asked(Frozen):
    """What a member was asked, without what differs from one installation to the next."""

    prompt: Annotated[str, Field(min_length=1)]  # name of the released prompt
    version: Annotated[int, Field(ge=1)]
    conversation: ConversationId
    through: Annotated[int, Field(ge=1)]  # the last turn of what was asked about
    chars: Annotated[int, Field(ge=0)]  # length of the prompt (code points)
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]  # of the whole neutral prompt
    rest: Annotated[str, Field(pattern=r"^([0-9a-f]{32})?$")] = ""  # of the prompt without its questions, if it has any
    blocks: tuple[Block, ...] = ()


class Heard(Frozen):
    """A task as a cassette reads it: what is asked, the questions in it by the id they bear now, and its tokens."""

    asked: Asked
    questions: tuple[Item, ...]


def heard(task: MemberTask) -> tuple[Heard, Tokens]:
    """What a task asks, and the tokens by which its answer is made neutral and put back."""
    text, tokens = asked_text(task)
    found = list(_BLOCK.finditer(text))
    questions = tuple(item for match in found if match["name"] == QUESTIONS for item in _items(match["body"]))
    asked = Asked(
        prompt=task.prompt.stamp.name,
        version=task.prompt.stamp.version,
        conversation=task.snapshot.conversation,
        through=task.snapshot.through,
        chars=sum(len(message.content) for message in task.prompt.messages),
        digest=digest_of(text),
        rest=digest_of(_BLOCK.sub(_unless_questions, text)) if questions else "",
        blocks=tuple(_block(match["name"], match["body"]) for match in found),
    )
    return Heard(asked=asked, questions=questions), tokens


def _unless_questions(match: re.Match[str]) -> str:
    """A block as it stands, or nothing of one that asks questions."""
    return "" if match["name"] == QUESTIONS else match[0]


def _block(name: str, body: str) -> Block:
    items = list(_items(body))
    numbers = [int(match["number"]) for item in items if (match := _TURN.fullmatch(item.name))]
    if name == CONVERSATION and numbers:
        return Block(name=name, turns=_ranges(numbers))
    return Block(name=name, items=tuple(item.line for item in items))


def _items(body: str) -> Iterator[Item]:
    """The entries of a block; where no bracket opens one, every line is one."""
    name: str | None = None
    words: list[str] = []
    for line in body.splitlines():
        header = _HEADER.fullmatch(line)
        if header is not None:
            if name is not None:
                yield Item(name=name, words="\n".join(words))
            name, words = header["name"], [header["rest"].strip()] if header["rest"].strip() else []
        elif name is not None:
            words.append(line.removeprefix(_MARK))
        elif line.strip():
            yield Item(words=line.removeprefix(_MARK))
    if name is not None:
        yield Item(name=name, words="\n".join(words))


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers as ranges: `1-4, 7`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)
