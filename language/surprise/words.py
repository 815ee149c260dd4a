"""Words as surprise counts them, and how unexpected each is before anything of a conversation is known."""

import json
import math
import re
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path

from language.masks import straightened

BACKGROUND = Path(__file__).parent / "background" / "english.json"
"""How often words are said in the planted conversations (`python benchmarks/surprise_background.py` writes it)."""

LONGEST_WORD = 40  # letters of a token that are read: a longer run is data, not a word
MOST_TOKENS = 2000  # tokens of one text that are read: a pasted log says no more with a million lines

# A letter of a script that writes without spaces is a token of its own; else runs of letters, and runs of digits.
KEPT_WORDS = 4096
"""Words whose figures are kept by each cache: a conversation says few words often, and a process that reads many
conversations must not grow with all that was ever said."""

_UNSPACED = "\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff"
TOKEN = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W\d_])+(?:'[^\W\d_]+)?|\d+")

END = "\n"  # closes the spelling of every word
ALPHABET = 48  # letters, digits and marks that spell most words
RARE_LETTERS = 65_536  # code points that any other letter is drawn from
RARE_SHARE = 1 / 64  # of letters that are none of the alphabet
PLAIN = re.compile(r"[a-z0-9'\n]")


def tokens_of(text: str) -> tuple[str, ...]:
    """Lower-case tokens in order, at most 2000: words, digits and ideographs; punctuation and space are not counted."""
    found: list[str] = []
    for match in TOKEN.finditer(straightened(text).lower()):
        found.append(match[0][:LONGEST_WORD])
        if len(found) == MOST_TOKENS:
            break
    return tuple(found)


@lru_cache(maxsize=KEPT_WORDS)
def background_probability(token: str) -> float:
    """How likely a token is before anything is known, above 0 and below 1.

    Witten and Bell (1991): p = (n + T q) / (N + T), with n the count of the word, N of all words, T of different words,
    and q the probability of its spelling.
    """
    counts, total = _words()
    return (counts.get(token, 0) + len(counts) * spelling_probability(token)) / (total + len(counts))


def spelling_probability(token: str) -> float:
    """How likely a new word is spelled so: letters given the two before them, backed off as above, down to any letter.

    The probabilities of all finite spellings sum to 1 at most. Never 0: very long words underflow to the least float.
    """
    spelled = END + token + END
    bits = sum(-math.log2(_letter(spelled[at], spelled[max(0, at - 2) : at])) for at in range(1, len(spelled)))
    return max(2.0 ** -min(bits, 1000.0), 5e-324)


def _letter(letter: str, before: str) -> float:
    counts = _letters()
    below = 1 / ALPHABET if PLAIN.fullmatch(letter) else RARE_SHARE / RARE_LETTERS
    for length in range(len(before) + 1):
        seen = counts.get(before[len(before) - length :])
        if seen:
            below = (seen.get(letter, 0) + len(seen) * below) / (sum(seen.values()) + len(seen))
    return below


@cache
def _words() -> tuple[dict[str, int], int]:
    counts: dict[str, int] = json.loads(BACKGROUND.read_text(encoding="utf-8"))
    return counts, sum(counts.values())


@cache
def _letters() -> dict[str, Counter[str]]:
    """Letters that follow each one or two; every word of the background counts once, as a new word would be new."""
    found: dict[str, Counter[str]] = {}
    for word in _words()[0]:
        spelled = END + word + END
        for at in range(1, len(spelled)):
            for length in (0, 1, 2):
                if at >= length:
                    found.setdefault(spelled[at - length : at], Counter())[spelled[at]] += 1
    return found
