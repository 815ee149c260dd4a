"""The guard of surprise: sentences that repeat an earlier one with a difference that turns its meaning.

To a model of words "the cache is on" after "the cache is off" is old news. It is not: a repeat with another polarity,
number, choice or opposite is a correction, a contradiction or a question, and so never redundant.
"""

import hashlib
import struct
from collections import deque
from functools import lru_cache
from typing import NamedTuple

from wording.choice import ChoiceKind, choices
from wording.negation import is_negated
from wording.opposites import opposites_of
from wording.sentences import sentence_spans
from wording.words import content_words

REMEMBERED = 256  # sentences, the newest
MOST_SENTENCES = 40  # of one text that are looked at: the rest of a pasted document is not compared
LONGEST_SENTENCE = 600  # characters
MOST_STEMS = 24  # of one sentence
FEWEST_STEMS = 2  # a shorter sentence is about nothing in particular
SAME_SUBJECT = 0.6  # shared stems over those of the shorter sentence

_HEAD = struct.Struct("<BBB")
_KINDS = list(ChoiceKind)


class _Said(NamedTuple):
    """What of a sentence is compared; numbers stand for words."""

    negated: bool
    choices: int  # bits in the order of ChoiceKind
    stems: frozenset[int]  # content words without figures
    figures: frozenset[int]
    against: frozenset[int]  # opposites of its words; not remembered


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
            near = said.stems | said.against  # what shares none of these is about something else, and most is
            found = found or any(
                not near.isdisjoint(earlier.stems) and _turned(earlier, said) for earlier in reversed(self._said)
            )
            self._said.append(said)
        return found

    def memory(self) -> bytes:
        """All that is remembered, 26 kB at most."""
        return b"".join(_packed(said) for said in self._said)

    @classmethod
    def of(cls, memory: bytes) -> "RepeatMemory":
        """What `memory` gave. Raises ValueError for anything else."""
        made = cls()
        at = 0
        try:
            while at < len(memory):
                flags, stems, figures = _HEAD.unpack_from(memory, at)
                numbers = struct.unpack_from(f"<{stems + figures}I", memory, at + _HEAD.size)
                at += _HEAD.size + 4 * (stems + figures)
                held = _Said(
                    negated=bool(flags & 1),
                    choices=flags >> 1,
                    stems=frozenset(numbers[:stems]),
                    figures=frozenset(numbers[stems:]),
                    against=frozenset(),
                )
                made._said.append(held)
        except struct.error as error:
            message = f"{len(memory)} bytes are no memory of sentences: {error}"
            raise ValueError(message) from error
        return made


def _turned(earlier: _Said, said: _Said) -> bool:
    """Whether two sentences are about the same and yet say something else."""
    shared = len(earlier.stems & said.stems)
    opposed = said.against & (earlier.stems - said.stems)
    alike = shared + bool(opposed)  # the opposite stands in the place of its word
    if shared < FEWEST_STEMS - bool(opposed) or alike < SAME_SUBJECT * min(len(earlier.stems), len(said.stems)):
        return False
    other_choice = earlier.choices and said.choices and not earlier.choices & said.choices
    other_figures = earlier.figures and said.figures and earlier.figures != said.figures
    return bool(earlier.negated != said.negated or other_choice or other_figures or opposed)


def _said(sentence: str) -> _Said:
    words = sorted(content_words(sentence))
    plain = [word for word in words if not word[0].isdigit()][:MOST_STEMS]
    figures = [word for word in words if word[0].isdigit()][:MOST_STEMS]
    return _Said(
        negated=is_negated(sentence),
        choices=sum(1 << _KINDS.index(kind) for kind in {choice.kind for choice in choices(sentence)}),
        stems=frozenset(map(_number, plain)),
        figures=frozenset(map(_number, figures)),
        against=frozenset(_number(rival) for word in plain for rival in opposites_of(word)),
    )


def _packed(said: _Said) -> bytes:
    numbers = (*sorted(said.stems), *sorted(said.figures))
    head = _HEAD.pack(said.negated | said.choices << 1, len(said.stems), len(said.figures))
    return head + struct.pack(f"<{len(numbers)}I", *numbers)


@lru_cache(maxsize=65_536)
def _number(stem: str) -> int:
    return int.from_bytes(hashlib.blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")
