"""The guard of surprise: sentences that repeat an earlier one with a difference that turns its meaning.

To a model of words "the cache is not on" after "the cache is on" is old news. It is not: a repeat with another polarity
or number is a correction, a contradiction or a question, and so never redundant.
"""

import hashlib
import struct
from collections import deque
from functools import lru_cache
from typing import NamedTuple

from dissolution.policy.calibration import CALIBRATION
from language.negation import is_negated
from language.sentences import sentence_spans
from language.surprise.words import KEPT_WORDS
from language.words import content_words

REMEMBERED = 256  # sentences, the newest
MOST_SENTENCES = 40  # of one text that are looked at: the rest of a pasted document is not compared
LONGEST_SENTENCE = 600  # characters
MOST_STEMS = 24  # of one sentence
FEWEST_STEMS = 2  # a shorter sentence is about nothing in particular
SAME_SUBJECT = CALIBRATION.language.repeated_subject

_HEAD = struct.Struct("<BBB")
_NUMBERS: list[struct.Struct] = [struct.Struct(f"<{count}I") for count in range(2 * MOST_STEMS + 1)]


class _Said(NamedTuple):
    """What of a sentence is compared, and its own form in a memory; numbers stand for words, each named once."""

    flags: int  # bit 0: it is negated
    stems: tuple[int, ...]  # content words without figures
    figures: tuple[int, ...]
    packed: bytes


class RepeatMemory:
    """The newest sentences of a conversation."""

    def __init__(self) -> None:
        self._said: deque[_Said] = deque(maxlen=REMEMBERED)

    def read(self, text: str) -> bool:
        """Whether a sentence of the text repeats an earlier one with a difference; then it is remembered too."""
        found = False
        for span in sentence_spans(text)[:MOST_SENTENCES]:
            said = _said(text[span.start : min(span.end, span.start + LONGEST_SENTENCE)])
            if len(said.stems) < FEWEST_STEMS:
                continue
            apart = frozenset(said.stems).isdisjoint  # what shares none of these is about something else, and most is
            found = found or any(
                not apart(earlier.stems) and _turned(earlier, said) for earlier in reversed(self._said)
            )
            self._said.append(said)
        return found

    def memory(self) -> bytes:
        """All that is remembered, 26 kB at most."""
        return b"".join([said.packed for said in self._said])

    @classmethod
    def of(cls, memory: bytes) -> "RepeatMemory":
        """What `memory` gave. Raises ValueError for anything else."""
        made = cls()
        at = 0
        try:
            while at < len(memory):
                flags, stems, figures = _HEAD.unpack_from(memory, at)
                count: int = stems + figures
                numbers = _NUMBERS[count].unpack_from(memory, at + _HEAD.size)
                end = at + _HEAD.size + 4 * count
                made._said.append(_Said(flags, numbers[:stems], numbers[stems:], memory[at:end]))
                at = end
        except (struct.error, IndexError) as error:
            message = f"{len(memory)} bytes are no memory of sentences: {error}"
            raise ValueError(message) from error
        return made


def _turned(earlier: _Said, said: _Said) -> bool:
    """Whether two sentences are about the same and yet say something else."""
    stems = frozenset(earlier.stems)
    shared = len(stems.intersection(said.stems))
    if shared < FEWEST_STEMS or shared < SAME_SUBJECT * min(len(stems), len(said.stems)):
        return False
    other_figures = earlier.figures and said.figures and set(earlier.figures) != set(said.figures)
    return bool((earlier.flags ^ said.flags) & 1 or other_figures)


def _said(sentence: str) -> _Said:
    """What is remembered of a sentence."""
    words = sorted(content_words(sentence))
    plain = [word for word in words if not word[0].isdigit()][:MOST_STEMS]
    figures = [word for word in words if word[0].isdigit()][:MOST_STEMS]
    flags = int(is_negated(sentence))
    numbers = (*sorted({_number(word) for word in plain}), *sorted({_number(word) for word in figures}))
    stems = len({_number(word) for word in plain})
    packed = _HEAD.pack(flags, stems, len(numbers) - stems) + _NUMBERS[len(numbers)].pack(*numbers)
    return _Said(flags, numbers[:stems], numbers[stems:], packed)


@lru_cache(maxsize=KEPT_WORDS)
def _number(stem: str) -> int:
    return int.from_bytes(hashlib.blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")
