"""What a reader is given, and the reader without a language model: it finds one passage of few words and says it."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dissolution.checking import each
from dissolution.claims import Claim
from dissolution.conversation import Snapshot
from dissolution.excerpts import Excerpt
from dissolution.policy.calibration import CALIBRATION
from dissolution.ports.models import Embedder
from dissolution.probing import ANSWER_WORDS, MASK, NOT_ESTABLISHED, ItemKind, Question
from dissolution.values import Frozen
from language.reading import read
from probe.evidence import stems_of
from probe.items import EXACT_KINDS, items

SATURATION = 1.2
"""BM25's k1 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009): how soon repeats stop counting."""

LENGTH_NORM = 0.5
"""BM25's b: how much long sentences are held back. Less than usual: a claim that joins two facts is no worse for it."""

LEAST_COVER = CALIBRATION.probe.answer_cover

LEAST_SHARED = 2
"""Words of the question that a sentence must hold to be an answer at all; a single one is chance."""

LATER = CALIBRATION.probe.later_sentence

EXPECTED = CALIBRATION.probe.expected_kind

ASKING = CALIBRATION.probe.asking_sentence

MEANING = CALIBRATION.probe.answer_meaning

# What an answer must hold by the words a question opens with: an amount, a date or time, a name.
ASKED_FOR = (
    (
        re.compile(
            r"\bhow (?:many|much|long|often|large|big|high|far|old)\b"
            r"|\b(?:what|which) (?:share|percentage|number|amount|fraction)\b",
            re.IGNORECASE,
        ),
        frozenset({ItemKind.NUMBER}),
    ),
    (
        re.compile(r"\bwhen\b|\b(?:what|which) (?:\w+ )?(?:date|day|time|month|week|year)\b", re.IGNORECASE),
        EXACT_KINDS,
    ),
    (
        re.compile(
            r"\bwhos?e?\b|\b(?:what|which) (?:name|person|company|version|file|ticket|commit|hash|model|region)\b",
            re.IGNORECASE,
        ),
        frozenset({ItemKind.NAME}),
    ),
)


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


def claims_text(claims: Sequence[Claim], excerpts: Sequence[Excerpt] = ()) -> ArmText:
    """A candidate as an arm: each claim a passage, in its order, then each excerpt with its turn and speaker."""
    quoted = (f"Turn {one.turn}, {one.speaker}: {one.text}" for one in excerpts)
    return ArmText(passages=(*(claim.text for claim in claims), *quoted))


NO_TEXT = ArmText(passages=())
"""The arm without context."""


class _Index(NamedTuple):
    sentences: tuple[str, ...]
    weights: dict[str, float]  # rarity of each stem
    places: dict[str, NDArray[np.intp]]  # the sentences that hold it
    repeats: dict[str, NDArray[np.float64]]  # how much it counts in each of them: BM25's saturated frequency
    factors: NDArray[np.float64]  # what the sentence's place and form count


class RetrievalReader:
    """Answers with the passage of the text that shares most with the question (BM25), of at most ANSWER_WORDS words.

    A passage is a sentence, or adjacent sentences that are as short together. With an embedder the cosine of meanings
    counts beside the words. No language model; the same text and question always give the same answer.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The method, and the embedding model if there is one."""
        return "retrieval/2" if self._embedder is None else f"retrieval/2+{self._embedder.stamp.model}"

    def read(self, text: ArmText, asked: Sequence[AskedQuestion]) -> tuple[str, ...]:
        """One passage for each question. Raises ModelAssetError when the embedder cannot be loaded."""
        index = _index(text.passages)
        found = index.sentences
        if not found or not asked:
            return (NOT_ESTABLISHED,) * len(asked)
        meaning = self._meaning(found, asked)
        return tuple(
            _best(question.text, index, None if meaning is None else meaning[row])
            for row, question in enumerate(each(asked))
        )

    def _meaning(self, found: Sequence[str], asked: Sequence[AskedQuestion]) -> NDArray[np.float64] | None:
        """Cosines, shape (questions, sentences)."""
        if self._embedder is None:
            return None
        texts = [*(question.text.replace(MASK, "") for question in asked), *found]
        vectors = self._embedder.embed(texts)
        rows = np.frombuffer(vectors.data, dtype="<f4").reshape(vectors.count, vectors.stamp.dimension)
        return (rows[: len(asked)] @ rows[len(asked) :].T).astype(np.float64)


def sentences_of(text: ArmText) -> tuple[str, ...]:
    """The sentences of an arm, those longer than ANSWER_WORDS words in overlapping stretches of that many."""
    return tuple(piece for passage in text.passages for piece in _pieces(passage))


@lru_cache(maxsize=16)  # one text is asked batch after batch
def _index(passages: tuple[str, ...]) -> _Index:
    found = [unit for passage in each(passages) for unit in _units(_pieces(passage))]
    counts = [Counter(stems_of(unit)) for unit in each(found)]
    lengths = [sum(one.values()) for one in counts]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    places: dict[str, list[int]] = defaultdict(list)
    repeats: dict[str, list[float]] = defaultdict(list)
    for place, one in enumerate(counts):
        norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * lengths[place] / mean) if mean else SATURATION
        for stem, said in one.items():
            places[stem].append(place)
            repeats[stem].append(said * (SATURATION + 1) / (said + norm))
    size = len(found)
    return _Index(
        sentences=tuple(found),
        # BM25's idf: log(1 + (N - n + 0.5) / (n + 0.5))
        weights={stem: math.log1p((size - len(held) + 0.5) / (len(held) + 0.5)) for stem, held in places.items()},
        places={stem: np.array(held, dtype=np.intp) for stem, held in places.items()},
        repeats={stem: np.array(held) for stem, held in repeats.items()},
        factors=np.array(
            [
                (1 + LATER * place / size) * (ASKING if unit.rstrip("\"'* ").endswith("?") else 1.0)
                for place, unit in enumerate(found)
            ]
        ),
    )


def _pieces(passage: str) -> list[str]:
    """The sentences of a passage that say anything, long ones in stretches."""
    spans = [span for span, _ in read(passage).sentences]
    return [piece for span in spans for piece in _stretches(passage[span.start : span.end]) if stems_of(piece)]


def _units(pieces: Sequence[str]) -> list[str]:
    """Each piece, and with those after it as long as they are ANSWER_WORDS words together."""
    found: list[str] = []
    for place, piece in enumerate(pieces):
        found.append(piece)
        joined, length = piece, len(piece.split())
        for other in pieces[place + 1 :]:
            length += len(other.split())
            if length > ANSWER_WORDS:
                break
            joined = f"{joined} {other}"
            found.append(joined)
    return found


def _stretches(sentence: str) -> list[str]:
    said = sentence.split()
    if len(said) <= ANSWER_WORDS:
        return [" ".join(said)]
    step = ANSWER_WORDS // 2
    return [" ".join(said[start : start + ANSWER_WORDS]) for start in range(0, len(said) - step, step)]


def _best(question: str, index: _Index, meaning: NDArray[np.float64] | None) -> str:
    plain = question.replace(MASK, " ")
    stems = sorted({stem for stem in stems_of(plain) if stem in index.weights})
    whole = sum(index.weights[stem] for stem in stems)
    score, cover, shared = (np.zeros(len(index.sentences)) for _ in range(3))
    for stem in stems:
        places, share = index.places[stem], index.weights[stem] / whole
        score[places] += share * index.repeats[stem]
        cover[places] += share
        shared[places] += 1
    if meaning is None:
        score[(cover < LEAST_COVER) | (shared < LEAST_SHARED)] = 0.0
    else:
        score = (1 - MEANING) * score + MEANING * np.maximum(0.0, meaning)
    score *= index.factors
    return _answering(plain, index, score)


def _answering(question: str, index: _Index, score: NDArray[np.float64]) -> str:
    """The passage that scores best once those that hold what is asked for count more."""
    wanted = frozenset[ItemKind]().union(*(kinds for pattern, kinds in ASKED_FOR if pattern.search(question)))
    said = frozenset(stems_of(question))
    best, chosen = 0.0, NOT_ESTABLISHED
    order: list[int] = np.argsort(-score, kind="stable").tolist()
    for place in order:
        if score[place] * EXPECTED <= best or score[place] <= 0:
            break
        text = index.sentences[place]
        value = float(score[place]) * (EXPECTED if wanted and _tells(text, wanted, said) else 1.0)
        if value > best:
            best, chosen = value, text
    return chosen


def _tells(text: str, wanted: frozenset[ItemKind], said: frozenset[str]) -> bool:
    """Whether a passage holds a value of a wanted kind that the question does not say itself."""
    return any(kind in wanted and not stems <= said for kind, stems in _told(text))


@lru_cache(maxsize=32768)  # each passage is looked at for many questions
def _told(text: str) -> tuple[tuple[ItemKind, frozenset[str]], ...]:
    return tuple((item.kind, frozenset(stems_of(item.text))) for item in items(text))
