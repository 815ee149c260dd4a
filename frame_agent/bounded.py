"""A one-off request made a rule: how to answer is said in the very words that say nothing about the matter."""

import re

from dissolution.conversation import Role
from frame_agent import marks
from frame_agent.bounds import SINGLE
from frame_agent.cues import STANDING
from frame_agent.record import COVERED, Part, Record, Said
from frame_agent.terms import Weights, words_of

LEAST = 0.5
AHEAD = 0.08
"""How well a request for one answer must bear a rule by all its words, and how much better than any standing one."""


OF_RULES = words_of(
    "assistant user always every each any all answer answers reply replies response responses write writes written give"
    " gives given keep keeps kept come comes make makes made use uses used want wants like likes prefer prefers should"
    " must be put puts leave leaves"
)
"""Words that a rule about answers is made with, whatever it bids."""


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
    words = words - OF_RULES or words
    weights = record.spoken
    best = max(one_off, key=lambda said: _bears(weights, said, words))
    score = _bears(weights, best, words)
    against = max((_bears(weights, said, words) for said in standing if not obeys(said, best)), default=0.0)
    return best if score >= max(LEAST, against + AHEAD) else None


HABIT = re.compile(
    r"\b(?:house rules?|from now on|as a rule|whenever|each time|every time|always"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
"""Words of a request that comes again: it is bounded only if it says so besides."""

ONLY = re.compile(r"\b(?:once|only|exception\w*|just)\b", re.IGNORECASE)


def is_request(said: Said) -> bool:
    """Whether a sentence that stands as asked for one answer can be that: who answers asks for nothing."""
    found = said.found
    comes_again = HABIT.search(found.held) is not None and ONLY.search(found.held) is None
    return found.role is not Role.ASSISTANT and not comes_again


def asks_for_one(said: Said) -> bool:
    """Whether somebody asks for one thing to be made, and says nothing about later ones."""
    found = said.found
    spoken = not found.quoted and found.role is not Role.ASSISTANT and found.role is not Role.SYSTEM
    return spoken and SINGLE.search(found.text) is not None and STANDING.search(found.text) is None


def obeys(said: Said, request: Said) -> bool:
    """Whether a sentence stands in the assistant's answer to a request: that it is met makes no rule of it."""
    return said.found.role is Role.ASSISTANT and said.found.turn == request.found.turn + 1


def _bears(weights: Weights, said: Said, words: frozenset[str]) -> float:
    own = words_of(said.found.text)
    return COVERED * weights.share(own, words) + (1 - COVERED) * weights.share(words, own)
