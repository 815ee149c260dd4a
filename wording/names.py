"""Proper names and acronyms."""

import re

from wording.dates import MONTHS, WEEKDAYS
from wording.masks import straightened
from wording.words import STOPWORDS

WORD = re.compile(r"(?<![\w/.-])[^\W\d_][\w-]*(?:'s)?")


def names(text: str) -> frozenset[str]:
    """Proper names and acronyms in `text`, as single words in their own spelling, without possessives."""
    plain = straightened(text)
    found: set[str] = set()
    for match in WORD.finditer(plain):
        word = match[0].removesuffix("'s")
        lowered = word.lower()
        if not word[0].isupper() or lowered in STOPWORDS or lowered in MONTHS or lowered in WEEKDAYS or len(word) == 1:
            continue
        before = (
            plain[: match.start()].rstrip(" *_\"'(")[-1:]
            if match.start() < 200
            else plain[match.start() - 20 : match.start()].rstrip(" *_\"'(")[-1:]
        )
        if before and before not in ".!?:\n-" or any(c.isupper() for c in word[1:]):
            found.add(word)
    return frozenset(found)
