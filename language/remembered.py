"""What a reader found in a sentence, kept for the next who asks: each stage reads the same sentences again."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

LONGEST = 2000
"""Characters. Longer texts are whole turns: they are read seldom, and a few thousand of them would fill the memory."""

KEPT = 16384


def remembered(read: Callable[[str], T]) -> Callable[[str], T]:
    """The same reader with its newest KEPT results for texts up to LONGEST characters at hand.

    For pure functions whose results cannot be changed by whoever gets them.
    """
    kept = lru_cache(maxsize=KEPT)(read)

    @wraps(read)
    def reader(text: str) -> T:
        return kept(text) if len(text) <= LONGEST else read(text)

    return reader
