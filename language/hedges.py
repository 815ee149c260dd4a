"""Whether a text is put as a guess, by the fitted model of wording."""

from functools import lru_cache

from language.putting import Put, put
from language.sentences import sentence_spans

LIKELY = 0.5
"""Probability of a guess, or of a doubt about the sentence before, from which a sentence counts as hedged."""


@lru_cache(maxsize=4096)
def is_hedged(text: str) -> bool:
    """Whether any sentence of `text` is put as a guess."""
    shares = (put(text[span.start : span.end]).shares for span in sentence_spans(text))
    return any(one[Put.GUESS] + one[Put.COMMENT] >= LIKELY for one in shares)
