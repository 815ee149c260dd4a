"""How a sentence is put, by a fitted linear model over its words: stated, guessed, offered, bounded, refused.

Lists of phrases know the phrases that somebody thought of. This model weighs the words, pairs and triples of words of
some thousand labelled sentences of many hands (benchmarks/data/putting, fitted by benchmarks/putting.py), what the
lists of phrases say among them, and so reads wordings that stand in no list. Multinomial logistic regression; the same
words give the same answer on every machine, and nothing but this file's neighbour `putting.json` is loaded.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

TOKENS = re.compile(r"[a-z]+(?:'[a-z]+)?|\d[\d.,:/-]*|[^\sa-z\d]")
START, END, FIGURE = "<s>", "</s>", "#"
LONGEST_GRAM = 3
OPENING = 4
"""Words of a sentence that count by their place besides: how it begins."""


COMMON = 2.0
"""Log odds by which plain statements are commoner in talk than among the labelled sentences, where the lists of phrases
find nothing: there half of the labelled ones are plain, in talk nine of ten."""

PLAIN = "asserted"
"""What the lists say of a sentence in which they find nothing."""

NOTHING: Mapping[str, float] = {}


class Put(StrEnum):
    """How a sentence puts what it says."""

    FIRM = "firm"
    GUESS = "guess"
    OFFER = "offer"
    ONCE = "once"
    REFUSES = "refuses"
    COMMENT = "comment"  # says of the sentence before it that nobody vouches for it


class Reply(StrEnum):
    """What the other side's next words do with what was proposed."""

    ACCEPT = "accept"
    DECLINE = "decline"
    NEITHER = "neither"


class Weighed(NamedTuple):
    """The likeliest label with its probability, 0..1, and what pointed to it most."""

    label: str
    share: float
    why: str


class Linear:
    """A multinomial logistic regression whose features are strings, each there or not.

    Args:
        labels: The classes.
        intercepts: One per class.
        weights: Per feature one weight per class; a feature that is not here counts nothing.
    """

    def __init__(self, labels: list[str], intercepts: list[float], weights: dict[str, list[float]]) -> None:
        self.labels = labels
        self._intercepts = intercepts
        self._weights = weights

    def weigh(self, features: Iterable[str], ahead: Mapping[str, float] = NOTHING) -> Weighed:
        """Tell the likeliest label of a text with these features.

        Args:
            features: What the text has; repeated ones count once.
            ahead: By label, log odds by which it is commoner than among the texts that the model was fitted on.
        """
        known = [(name, self._weights[name]) for name in dict.fromkeys(features) if name in self._weights]
        scores = [
            start + ahead.get(self.labels[place], 0.0) + math.fsum(weights[place] for _, weights in known)
            for place, start in enumerate(self._intercepts)
        ]
        top = max(scores)
        shares = [math.exp(score - top) for score in scores]
        best = scores.index(top)
        why = max(known, key=lambda pair: pair[1][best])[0] if known else ""
        return Weighed(self.labels[best], shares[best] / math.fsum(shares), why)


def tokens_of(text: str) -> list[str]:
    """The words and marks of a text in order, figures all as one, with its beginning and its end."""
    plain = text.lower().replace("’", "'")
    return [START, *(FIGURE if word[0].isdigit() else word for word in TOKENS.findall(plain)), END]


def grams_of(text: str) -> Iterator[str]:
    """The words, pairs and triples of a text, and the words it opens with by themselves."""
    words = tokens_of(text)
    for size in range(1, LONGEST_GRAM + 1):
        for place in range(len(words) - size + 1):
            yield " ".join(words[place : place + size])
    yield from (f"1:{word}" for word in words[1 : 1 + OPENING])


def sentence_features(text: str, rule: str) -> Iterator[str]:
    """What the model of sentences looks at.

    Args:
        text: One sentence.
        rule: What the lists of phrases make of it.
    """
    yield from grams_of(text)
    yield f"rule={rule}"


def reply_features(reply: str) -> Iterator[str]:
    """What the model of replies looks at: the words of one sentence or two."""
    yield from grams_of(reply)


@lru_cache(maxsize=16384)
def put(text: str, rule: str) -> Weighed:
    """How a sentence puts what it says; `label` is a value of `Put`.

    Args:
        text: One sentence without its bullet.
        rule: What the lists of phrases make of it, as a status.
    """
    ahead = {Put.FIRM.value: COMMON} if rule == PLAIN else NOTHING
    return _model("sentences").weigh(sentence_features(text, rule), ahead)


@lru_cache(maxsize=16384)
def bare(text: str, rule: str) -> Weighed:
    """The same were every way of putting it as common as plain statements are: what the words alone say."""
    return _model("sentences").weigh(sentence_features(text, rule))


@lru_cache(maxsize=4096)
def reply_to(text: str) -> Weighed:
    """What a reply does with what was proposed; `label` is a value of `Reply`."""
    return _model("replies").weigh(reply_features(text))


@cache
def _model(name: str) -> Linear:
    stored = json.loads(resources.files("frame_agent").joinpath("putting.json").read_text(encoding="utf-8"))[name]
    return Linear(stored["labels"], stored["intercepts"], stored["weights"])
