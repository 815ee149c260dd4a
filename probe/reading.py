"""What a reader is given, and the reader without a language model: it finds one sentence and says it."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from dissolution.claims import Claim
from dissolution.conversation import Snapshot
from dissolution.ports import Embedder
from dissolution.probing import ANSWER_WORDS, MASK, NOT_ESTABLISHED, Question
from dissolution.values import Frozen
from wording.dates import dates
from wording.names import names
from wording.numbers import quantities
from wording.sentences import sentence_spans
from wording.words import content_sequence

SATURATION = 1.2
"""BM25's k1 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009): how soon repeats stop counting."""

LENGTH_NORM = 0.75
"""BM25's b: how much long sentences are held back."""

LEAST_COVER = 0.2
"""Share of the question's words, weighed by rarity, that a sentence must hold to be an answer at all. Words that the
text never uses are left out: a candidate says the same in other words."""

LEAST_SHARED = 2
"""Words of the question that a sentence must hold to be an answer at all; a single one is chance."""

LATER = 0.1
"""The last sentence of a text counts this much more than the first: what was said last is what holds."""

EXPECTED = 1.25
"""A sentence that holds what the question word asks for counts this much more."""

MEANING = 0.5
"""Share of the embedder's cosine beside the words' score, where there is an embedder."""

# What an answer must hold by the words a question opens with: an amount, a date or time, a name.
AMOUNT_ASKED = re.compile(
    r"\bhow (?:many|much|long|often|large|big|high|far)\b|\bwhat (?:share|percentage)\b", re.IGNORECASE
)
DATE_ASKED = re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|time|month|week)\b", re.IGNORECASE)
NAME_ASKED = re.compile(r"\bwhos?e?\b", re.IGNORECASE)


class ArmText(Frozen):
    """The text of one arm: turns of the history, or what a candidate says. A reader is given one, never two."""

    passages: tuple[str, ...]


class AskedQuestion(Frozen):
    """A question as a reader sees it: without reference, patterns and evidence."""

    id: str
    text: str


class Reader(Protocol):
    """Answers questions from one text."""

    @property
    def name(self) -> str:
        """Method or model, and its version."""
        ...

    def read(self, text: ArmText, asked: Sequence[AskedQuestion]) -> tuple[str, ...]:
        """One answer of at most ANSWER_WORDS words for each question, in their order, "not established" for none."""
        ...


def asked(questions: Sequence[Question]) -> tuple[AskedQuestion, ...]:
    """The questions as a reader sees them."""
    return tuple(AskedQuestion(id=question.id, text=question.text) for question in questions)


def history_text(snapshot: Snapshot) -> ArmText:
    """The history as an arm: each turn a passage."""
    return ArmText(passages=tuple(turn.content for turn in snapshot.turns))


def claims_text(claims: Sequence[Claim]) -> ArmText:
    """A candidate as an arm: each claim a passage, in its order."""
    return ArmText(passages=tuple(claim.text for claim in claims))


NO_TEXT = ArmText(passages=())
"""The arm without context."""


class _Sentence(NamedTuple):
    text: str
    counts: Counter[str]
    length: int


class _Index(NamedTuple):
    sentences: tuple[_Sentence, ...]
    weights: dict[str, float]  # rarity of each stem
    mean_length: float


class RetrievalReader:
    """Answers with the sentence of the text that shares most with the question (BM25), cut to ANSWER_WORDS words.

    With an embedder the cosine of meanings counts beside the words. No language model; the same text and question
    always give the same answer.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The method, and the embedding model if there is one."""
        return "retrieval/1" if self._embedder is None else f"retrieval/1+{self._embedder.stamp.model}"

    def read(self, text: ArmText, asked: Sequence[AskedQuestion]) -> tuple[str, ...]:
        """One sentence for each question. Raises ModelAssetError when the embedder cannot be loaded."""
        index = _index(text.passages)
        found = index.sentences
        if not found or not asked:
            return (NOT_ESTABLISHED,) * len(asked)
        meaning = self._meaning(found, asked)
        return tuple(
            _best(question.text, index, None if meaning is None else meaning[row]) for row, question in enumerate(asked)
        )

    def _meaning(self, found: Sequence[_Sentence], asked: Sequence[AskedQuestion]) -> np.ndarray | None:
        """Cosines, shape (questions, sentences)."""
        if self._embedder is None:
            return None
        texts = [*(question.text.replace(MASK, "") for question in asked), *(one.text for one in found)]
        vectors = self._embedder.embed(texts)
        rows = np.frombuffer(vectors.data, dtype="<f4").reshape(vectors.count, vectors.stamp.dimension)
        return rows[: len(asked)] @ rows[len(asked) :].T


def sentences_of(text: ArmText) -> tuple[str, ...]:
    """The sentences of an arm, those longer than ANSWER_WORDS words in overlapping stretches of that many."""
    return tuple(one.text for one in _index(text.passages).sentences)


@lru_cache(maxsize=16)  # one text is asked batch after batch
def _index(passages: tuple[str, ...]) -> _Index:
    found = tuple(_Sentence(one, Counter(stems), len(stems)) for one, stems in _sentences(passages))
    mean_length = sum(one.length for one in found) / len(found) if found else 0.0
    return _Index(found, _rarity(found), mean_length)


def _sentences(passages: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    found: list[tuple[str, tuple[str, ...]]] = []
    for passage in passages:
        for span in sentence_spans(passage):
            for piece in _stretches(passage[span.start : span.end]):
                stems = content_sequence(piece)
                if stems:
                    found.append((piece, stems))
    return found


def _stretches(sentence: str) -> list[str]:
    said = sentence.split()
    if len(said) <= ANSWER_WORDS:
        return [" ".join(said)]
    step = ANSWER_WORDS // 2
    return [" ".join(said[start : start + ANSWER_WORDS]) for start in range(0, len(said) - step, step)]


def _rarity(found: Sequence[_Sentence]) -> dict[str, float]:
    """BM25's idf of each stem: log(1 + (N - n + 0.5) / (n + 0.5))."""
    holding = Counter(stem for one in found for stem in one.counts)
    return {stem: math.log1p((len(found) - n + 0.5) / (n + 0.5)) for stem, n in holding.items()}


def _best(
    question: str,
    index: _Index,
    meaning: np.ndarray | None,
) -> str:
    found, weights, mean_length = index
    stems = frozenset(content_sequence(question.replace(MASK, " "))) & weights.keys()
    whole = sum(weights[stem] for stem in stems)
    best, chosen = 0.0, NOT_ESTABLISHED
    for place, one in enumerate(found):
        norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * one.length / mean_length)
        shared = [stem for stem in stems if stem in one.counts]
        cover = sum(weights[stem] for stem in shared) / whole if whole else 0.0
        score = sum(weights[stem] * one.counts[stem] * (SATURATION + 1) / (one.counts[stem] + norm) for stem in shared)
        score = score / whole if whole else 0.0
        if meaning is not None:
            score = (1 - MEANING) * score + MEANING * max(0.0, float(meaning[place]))
        elif cover < LEAST_COVER or len(shared) < LEAST_SHARED:
            continue
        score *= (1 + LATER * place / len(found)) * _expected(question, one.text)
        if score > best:
            best, chosen = score, one.text
    return chosen


def _expected(question: str, sentence: str) -> float:
    wanted = (
        (AMOUNT_ASKED.search(question) and quantities(sentence))
        or (DATE_ASKED.search(question) and dates(sentence))
        or (NAME_ASKED.search(question) and names(sentence))
    )
    return EXPECTED if wanted else 1.0
