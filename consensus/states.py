"""Words that say how much or how good something is, held against the turns that a claim rests on.

A claim may name the right thing and say of it what nobody said: "the disk is nearly full" on a turn that gives 40 per
cent. Such a word has no figure to go by, so it, or one that means the same, must stand where the claim's evidence
stands. Only words said of the subject count ("the disk is full"); before a noun ("a huge job") they claim little.
"""

import re
from collections.abc import Iterable

from consensus.lexical import root
from wording.words import content_sequence

_GROUPS = (
    "full packed crammed exhausted saturated filled",
    "empty vacant idle",
    "comfortable ample generous plenty plentiful spacious roomy",
    "tight narrow scarce thin short",
    "safe harmless secure risk-free",
    "unsafe dangerous risky insecure",
    "critical urgent pressing",
    "severe serious grave",
    "minor negligible slight marginal small tiny little trivial",
    "substantial considerable huge large big massive enormous",
    "fast quick rapid",
    "slow sluggish late",
    "cheap affordable inexpensive",
    "expensive overpriced",
    "healthy fine well good okay",
    "stable steady",
    "unstable flaky shaky",
    "reliable dependable trustworthy",
    "unreliable",
    "robust sturdy solid",
    "fragile brittle",
    "simple easy straightforward",
    "complicated complex hard difficult",
    "excellent perfect ideal flawless",
    "bad poor terrible awful",
    "rare uncommon",
    "frequent",
)
GROUPS = tuple(frozenset(root(word) for word in content_sequence(group)) for group in _GROUPS)
"""Roots of words for a degree or a quality; those of one group may stand for each other."""

WORDS = "|".join(sorted({word for group in _GROUPS for word in group.split()} - {"well", "late", "short", "little"}))
STATED = re.compile(
    rf"\b(?:is|are|was|were|looks?|sits?|seems?|stays?|remains?|runs?|feels?)"
    r" (?:(?:now|still|already|nearly|almost|very|quite|too|rather|fairly|perfectly|completely|so|all) ){0,2}"
    rf"({WORDS})\b(?!-)"
    rf"|\bthere (?:is|are|remains?) (?:\w+ ){{0,2}}?({WORDS})\b",
    re.IGNORECASE,
)
"""Such a word said of the subject."""


WEIGHED = re.compile(r"\b(?:if|when|unless|would|could|might|may|suppose|in case)\b|\?", re.IGNORECASE)
"""Wording of what is only weighed: it says of nothing how it is."""


def unsaid(claim: str, heard: Iterable[str]) -> str | None:
    """The first word for a degree or quality that a claim says of its subject and no text of `heard` does, or None.

    Args:
        claim: The claim's words.
        heard: The sentences of the turns it rests on, as the word may stand beside the one it rests on. What they
            only weigh counts for a claim that weighs too.
    """
    found = [match[1] or match[2] for match in STATED.finditer(claim)]
    if not found:
        return None
    weighs = WEIGHED.search(claim) is not None
    spoken = frozenset(
        root(word) for text in heard if weighs or not WEIGHED.search(text) for word in content_sequence(text)
    )
    return next((word for word in found if _group(word).isdisjoint(spoken)), None)


def _group(word: str) -> frozenset[str]:
    """The roots that may stand for a word."""
    own = root(content_sequence(word)[0])
    return frozenset[str]().union(*(group for group in GROUPS if own in group))
