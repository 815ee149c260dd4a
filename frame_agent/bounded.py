"""A one-off request made a rule: how to answer is said in the very words that say nothing about the matter."""

from frame_agent import marks
from frame_agent.record import COVERED, Part, Record, Said
from frame_agent.terms import Weights, words_of

LEAST = 0.5
AHEAD = 0.08
"""How well a request for one answer must bear a rule by all its words, and how much better than any standing one."""


def bounded(record: Record, part: Part, one_off: list[Said], standing: list[Said]) -> Said | None:
    """The request for one answer that a part of a rule repeats; None when a standing request says it as well.

    "A plain yes or no" is about nothing, and so has no terms; as a rule about answers these words are all there is.

    Args:
        record: The conversation.
        part: A sentence of a claim that binds.
        one_off: Sentences that ask something for one answer.
        standing: Firm sentences.
    """
    words = words_of(part.text)
    if not one_off or len(words) <= len(part.terms) or marks.ONCE.search(part.text):
        return None
    weights = record.spoken
    best = max(one_off, key=lambda said: _bears(weights, said, words))
    score = _bears(weights, best, words)
    against = max((_bears(weights, said, words) for said in standing), default=0.0)
    return best if score >= max(LEAST, against + AHEAD) else None


def _bears(weights: Weights, said: Said, words: frozenset[str]) -> float:
    own = words_of(said.found.text)
    return COVERED * weights.share(own, words) + (1 - COVERED) * weights.share(words, own)
