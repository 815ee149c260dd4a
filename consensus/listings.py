"""Options that listings of `key: value` lines give to one key: what has one of them has none of the others.

Settings are read out twice, once of the wrong host. The two readings tell which words are values of one setting, and a
later sentence on the same thing that has the other value takes the first back.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dissolution.conversation import Turn

LINE = re.compile(
    r"^[ \t>*-]*[\"'`]?(?P<key>[^\W\d][\w.-]{1,60})[\"'`]?[ \t]*[:=]"
    r"[ \t]*[\"'`]?(?P<value>[^\W\d][\w.-]{1,60})[\"'`]?,?[ \t]*$",
    re.MULTILINE,
)
"""One setting a line, its value a word: figures are compared by their values."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One value that a listing gives to a key.

    Attributes:
        turn: The turn of the listing.
        key: The key, in lower case.
        value: The value, in lower case.
    """

    turn: int
    key: str
    value: str


def readings(turns: Sequence[Turn]) -> tuple[Reading, ...]:
    """Every value of a `key: value` or `key=value` line, in order of the turns."""
    return tuple(
        Reading(turn.number, match["key"].casefold(), match["value"].casefold())
        for turn in turns
        for match in LINE.finditer(turn.content)
    )


def rivals(found: Sequence[Reading]) -> dict[str, frozenset[str]]:
    """For each value the other values that later listings give to the same key."""
    later: dict[str, set[str]] = {}
    for place, one in enumerate(found):
        for other in found[place + 1 :]:
            if other.key == one.key and other.value != one.value:
                later.setdefault(one.value, set()).add(other.value)
    return {value: frozenset(others) for value, others in later.items()}


def says(text: str, value: str) -> bool:
    """Whether a value stands in a text as a word of its own."""
    return re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-])", text, re.IGNORECASE) is not None
