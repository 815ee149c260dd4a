"""Quoted material that word rules cannot read: in another language or script than the conversation, or a cipher.

Nothing that a member states can be compared with it, so it may have said anything. It is told by the conversation
alone, with no list of languages: hardly one of its words, or of its script's letters, is used by anybody who speaks.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from consensus.spans import Candidate

WORD = re.compile(
    r"(?<!\S)[\"'(\u201c\u2018\u00ab\u00bf\u00a1*_-]{0,2}([^\W\d_]{2,})[\"').,:;!?\u201d\u2019\u00bb*_-]{0,3}(?!\S)"
)
"""A plain word between blanks; what has digits, dots or brackets inside is a name, a path or code."""

FEWEST_WORDS = 6  # a shorter line is a label, a name or a command
PLAIN = 0.75  # share of a line's pieces between blanks that are plain words, if it is text
KNOWN_SHARE = 0.3  # share of its words that somebody speaks below which a line is in no language spoken here
FEWEST_LETTERS = 8  # letters of a script
SCRIPT_SHARE = 0.01  # share of all spoken letters from which a script is spoken here
LATIN = "LATIN"


def unreadable(stretches: Iterable[Candidate]) -> tuple[int, ...]:
    """The turns that quote what is in no language and no script that anybody speaks in these stretches, in order.

    Args:
        stretches: Those of a whole snapshot.
    """
    every = tuple(stretches)
    spoken = [one.text for one in every if one.spoken]
    heard = frozenset(token for text in spoken for token in _words(text))
    scripts = Counter[str]()
    for text in spoken:
        scripts.update(_scripts(text))
    least = SCRIPT_SHARE * scripts.total()
    known = frozenset(script for script, count in scripts.items() if count > least)
    return tuple(
        dict.fromkeys(
            one.turn
            for one in every
            if not one.spoken and (_is_foreign(one.text, heard) or _is_strange(one.text, known))
        )
    )


def _words(text: str) -> list[str]:
    return [match[1].casefold() for match in WORD.finditer(text)]


def _is_foreign(text: str, heard: frozenset[str]) -> bool:
    """Whether some line of it is text, and hardly one of its words is heard."""
    return any(_unheard(line, heard) for line in text.split("\n"))


def _unheard(line: str, heard: frozenset[str]) -> bool:
    pieces = line.split()
    found = frozenset(_words(line))
    plain = sum(WORD.fullmatch(piece) is not None or len(piece) == 1 for piece in pieces)
    if len(found) < FEWEST_WORDS or plain < PLAIN * len(pieces):
        return False
    return len(found & heard) < KNOWN_SHARE * len(found)


def _is_strange(text: str, known: frozenset[str]) -> bool:
    """Whether it has several letters of a script that nobody speaks in."""
    return any(count >= FEWEST_LETTERS and script not in known for script, count in _scripts(text).items())


def _scripts(text: str) -> Counter[str]:
    """Letters by script, as their names begin; Latin is not looked up, since most letters are."""
    found = Counter[str]()
    for letter in text:
        if not letter.isalpha():
            continue
        found[LATIN if letter.isascii() else unicodedata.name(letter, LATIN).split(" ")[0].split("-")[0]] += 1
    return found
