"""How a sentence is put and what a reply does, by fitted linear models over words: suspicions with a probability.

The models weigh the words, pairs and triples of words of some thousand labelled sentences of many hands
(benchmarks/data/putting, fitted by benchmarks/putting.py). Multinomial logistic regression; the same words give the
same answer on every machine, and nothing but `putting.json` beside this file is loaded. It names the digest of its
labels, their source, and how often it is right on hands that it was not fitted on.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import NamedTuple

from dissolution.policy.calibration import CALIBRATION
from language.sentences import sentence_spans

TOKENS = re.compile(r"[a-z]+(?:'[a-z]+)?|\d[\d.,:/-]*|[^\sa-z\d]")
START, END, FIGURE = "<s>", "</s>", "#"
LONGEST_GRAM = 3
OPENING = 4
"""Words of a sentence that count by their place besides: how it begins."""

LONGEST = 600
"""Characters of a sentence that are read; a longer one is a paste without full stops."""

LIKELY = CALIBRATION.language.hedged

COMMON = CALIBRATION.language.plain_log_odds


class Phrasing(StrEnum):
    """How a sentence puts what it says."""

    FIRM = "firm"
    GUESS = "guess"
    OFFER = "offer"
    ONCE = "once"
    REFUSES = "refuses"
    COMMENT = "comment"  # says of the sentence before it that nobody vouches for it


class ReplyAct(StrEnum):
    """What the other side's next words do with what was proposed."""

    ACCEPT = "accept"
    DECLINE = "decline"
    NEITHER = "neither"


class Weighed(NamedTuple):
    """The likeliest label, with the probability of each."""

    label: str
    shares: Mapping[str, float]  # 0..1, by label; they add up to 1

    @property
    def share(self) -> float:
        """The probability of the likeliest label, 0..1."""
        return self.shares[self.label]


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

    def weigh(self, features: Iterable[str], ahead: Mapping[str, float]) -> Weighed:
        """Tell how likely each label of a text with these features is.

        Args:
            features: What the text has; repeated ones count once.
            ahead: By label, log odds by which it is commoner than among the texts that the model was fitted on.
        """
        known = [self._weights[name] for name in dict.fromkeys(features) if name in self._weights]
        scores = [
            start + ahead.get(self.labels[place], 0.0) + math.fsum(weights[place] for weights in known)
            for place, start in enumerate(self._intercepts)
        ]
        top = max(scores)
        shares = [math.exp(score - top) for score in scores]
        whole = math.fsum(shares)
        return Weighed(
            self.labels[scores.index(top)],
            {label: share / whole for label, share in zip(self.labels, shares, strict=True)},
        )


class Fitted:
    """The stored models with where they come from."""

    def __init__(self, text: str) -> None:
        stored = json.loads(text)
        self.digest: str = stored["digest"]
        self.source: str = stored["label_source"]
        self.held_out: dict[str, dict[str, float]] = stored["held_out"]
        self._stored = stored["models"]

    @cached_property
    def models(self) -> dict[str, Linear]:
        """The models by name."""
        return {name: Linear(one["labels"], one["intercepts"], one["weights"]) for name, one in self._stored.items()}

    @property
    def basis(self) -> str:
        """The models and their version, as a hint names them."""
        return f"putting {self.digest[:8]}"


@cache
def fitted() -> Fitted:
    """The stored models; loaded once."""
    return Fitted(resources.files("language").joinpath("putting.json").read_text(encoding="utf-8"))


def tokens_of(text: str) -> list[str]:
    """The words and marks of a text in order, figures all as one, with its beginning and its end."""
    plain = text[:LONGEST].lower().replace("’", "'")
    return [START, *(FIGURE if word[0].isdigit() else word for word in TOKENS.findall(plain)), END]


def grams_of(text: str) -> Iterator[str]:
    """The words, pairs and triples of a text, and the words it opens with by themselves."""
    words = tokens_of(text)
    for size in range(1, LONGEST_GRAM + 1):
        for place in range(len(words) - size + 1):
            yield " ".join(words[place : place + size])
    yield from (f"1:{word}" for word in words[1 : 1 + OPENING])


@lru_cache(maxsize=16384)
def phrasing_of(text: str) -> Weighed:
    """How a sentence, without its bullet, puts what it says; labels are values of `Phrasing`."""
    return fitted().models["sentences"].weigh(grams_of(text), {Phrasing.FIRM.value: COMMON})


@lru_cache(maxsize=4096)
def reply_to(text: str) -> Weighed:
    """What a sentence does with what the other side proposed last; labels are values of `ReplyAct`."""
    return fitted().models["replies"].weigh(grams_of(text), {})


@lru_cache(maxsize=4096)
def is_hedged(text: str) -> bool:
    """Whether any sentence of `text` is put as a guess."""
    shares = (phrasing_of(text[span.start : span.end]).shares for span in sentence_spans(text))
    return any(one[Phrasing.GUESS] + one[Phrasing.COMMENT] >= LIKELY for one in shares)
