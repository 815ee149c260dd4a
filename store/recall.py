"""Which claims fit words best: BM25 over the texts of claims, in Python, the same for every database. Pure.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the usual k1 and b. A
document is the text of one claim, a term the stem of a word that carries the subject; rare terms weigh more, repeats
and long texts less. Time is linear in the length of the texts.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.claims import ClaimId
from language.words import content_sequence, words
from store.ledger import Place

K1 = 1.2
"""How soon repeats of a term stop counting."""
B = 0.75
"""How much a long text is held against a claim."""

_FIRST_PART = re.compile(r"\w+")
_NONE: Counter[str] = Counter()


class Candidate(NamedTuple):
    """A claim that fits all but the words: its row, id, text, the last turn it was affirmed at, and its place."""

    row: int
    id: ClaimId
    text: str
    affirmed: int
    place: Place


def best(candidates: Sequence[Candidate], text: str | None, limit: int) -> list[Candidate]:
    """The candidates that fit `text`, best first, at most `limit`.

    A candidate fits when it has one of the words, in any inflection the light stemmer knows. Without words all fit.
    Equal ones stand with the lately affirmed first, then in their places.
    """
    scores = [0.0] * len(candidates) if text is None else relevance([one.text for one in candidates], text)
    fitting = [(score, one) for score, one in zip(scores, candidates, strict=True) if text is None or score > 0]
    fitting.sort(key=lambda pair: (-pair[0], -pair[1].affirmed, pair[1].place, pair[1].row))
    return [one for _, one in fitting[:limit]]


def relevance(texts: Sequence[str], query: str) -> list[float]:
    """BM25 of each text for the words of `query`; 0 for a text with none of them. Lengths count in code points.

    Only texts that may have a word are taken apart; the others are passed over by the words' beginnings.
    """
    wanted = frozenset(_terms(query))
    beginnings = tuple({_beginning(term) for term in wanted})
    counts = [_counted(text, wanted) if _may_have(text, beginnings) else _NONE for text in texts]
    having = Counter(term for count in counts for term in count)
    weight = {term: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for term, n in having.items()}
    mean = sum(map(len, texts)) / max(1, len(texts))
    return [
        sum(weight[term] * n * (K1 + 1) / (n + K1 * (1 - B + B * len(text) / mean)) for term, n in count.items())
        for text, count in zip(texts, counts, strict=True)
    ]


def _counted(text: str, wanted: frozenset[str]) -> Counter[str]:
    return Counter(term for term in _terms(text) if term in wanted)


def _may_have(text: str, beginnings: Sequence[str]) -> bool:
    lowered = text.lower()
    return any(beginning in lowered for beginning in beginnings)


def _beginning(term: str) -> str:
    """What every inflection of a term begins with: the stemmer changes at most what follows its last letter but one."""
    first = _FIRST_PART.match(term)
    return term[: max(1, first.end() - 1)] if first else term[:1]


def _terms(text: str) -> tuple[str, ...]:
    """Stems of content words; of a text that has none, its words as they are."""
    return content_sequence(text) or words(text)
