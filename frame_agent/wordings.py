"""How one spoken sentence is put: what lists of phrases make of it, weighed with all its words."""

import re
from collections.abc import Callable
from functools import lru_cache

from dissolution.premises import PremiseStatus
from frame_agent import cues
from frame_agent.bounds import ONCE
from frame_agent.doubts import AT_ONCE, ELSEWHERE
from frame_agent.guesses import GUESS
from frame_agent.offers import DECIDES, OFFER
from frame_agent.putting import Put, put
from frame_agent.rulings import COMPARING, refuses
from frame_agent.terms import LEAST_TERMS, terms_of
from wording.choice import ChoiceKind, choices
from wording.modality import Modality, modality

MAY_NOT = re.compile(r"\bmay not\b(?! (?:be|have|know|matter|need)\b)", re.IGNORECASE)
APPEARING = re.compile(
    r"\bwhat\b[^,.;]{0,60}\blooks? like\b|\b(?:before|until|unless) (?:i|we) guess\b"
    r"|\b(?:has|have|had) to be (?:checked|confirmed|verified|tested)\b",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"\b(?:not|no longer|never|without|no|isn't|wasn't|aren't)\s"
    r"(?:(?:just|only|merely|build|based|on|a|an|any|my|our|mere|more)\s){0,4}"
    r"(?:guess(?:es)?|guesswork|hunch|assumptions?|placeholders?|rumou?rs?|hearsay|estimates?|suppositions?|speculation)\b",
    re.IGNORECASE,
)
"""A guess that is denied: "it's not a hunch any more", "no placeholders"."""


def of_spoken(plain: str, *, asks: bool) -> tuple[PremiseStatus, str]:
    """What the lists of phrases make of a sentence, weighed with all its words."""
    status, reason = _listed(plain, asks=asks)
    if reason in BY_FORM or len(terms_of(plain)) < LEAST_TERMS:
        return status, reason
    read = put(plain, Put.COMMENT.value if comments(plain) else status.value)
    meant = MEANT[Put(read.label)]
    if meant is status or (meant is PremiseStatus.PROPOSED and reason == LEFT_OPEN):
        return status, reason
    plainly = SURE_OF_GUESSES if status is PremiseStatus.HEDGED else SURE_PLAIN
    if read.share < (plainly if meant is PremiseStatus.ASSERTED else SURE):
        return status, reason
    return meant, f"{PUT_AS[meant]}: {read.why!r}"


def _listed(plain: str, *, asks: bool) -> tuple[PremiseStatus, str]:
    """The first list of phrases that knows a sentence."""
    for status, reason, holds in SPOKEN:
        if (asks and reason == A_QUESTION) or holds(plain):
            return status, reason
    return PremiseStatus.ASSERTED, "stated"


@lru_cache(maxsize=16384)  # every claim of a candidate is held against the same sentences
def by_lists(text: str) -> str:
    """How the lists of phrases alone take a sentence, as a status, or as a comment on the sentence before it."""
    if comments(text):
        return Put.COMMENT.value
    return _listed(text, asks=text.rstrip().endswith("?"))[0].value


def guesses(plain: str) -> bool:
    """Hedged, and neither a prohibition nor a condition: "may not" forbids."""
    return modality(MAY_NOT.sub("must not", APPEARING.sub("", plain))) is Modality.GUESS


def rejects(plain: str) -> bool:
    """Whether what a sentence does first is to rule something out; a comparison ("instead of") rules out nothing."""
    acts = [choice for choice in choices(plain) if not COMPARING.match(choice.text)]
    return bool(acts) and acts[0].kind is ChoiceKind.REJECTED


def doubts_before(text: str) -> bool:
    """Whether a sentence only says that nobody vouches for the one before it."""
    read = put(text, by_lists(text))
    return comments(text) if read.share < SURE_PLAIN else read.label == Put.COMMENT


def comments(text: str) -> bool:
    """Whether the lists of phrases take a sentence for a doubt about the one before it."""
    return cues.DOUBTS_BEFORE.match(text) is not None or AT_ONCE.match(text) is not None


def is_bounded(plain: str) -> bool:
    """Whether a sentence asks something for one occasion only."""
    return cues.ONE_OFF.search(plain) is not None or ONCE.search(plain) is not None


def is_settled(plain: str) -> bool:
    """Whether a sentence says that something is decided, whatever else it says."""
    return DECIDES.search(plain) is not None and cues.LEFT_OPEN.search(plain) is None


def is_offered(plain: str) -> bool:
    """Whether a sentence puts something forward without settling it."""
    return (cues.PROPOSING.search(plain) or OFFER.search(plain)) is not None and not is_settled(plain)


def is_supposed(plain: str) -> bool:
    """Whether nobody vouches for what a sentence says."""
    bare = DENIED.sub("", APPEARING.sub("", plain))
    doubted = cues.SUPPOSING.search(bare) or ELSEWHERE.search(bare) or GUESS.search(bare)
    return doubted is not None and not is_settled(plain)


SURE = 0.5
"""Share from which the words of a sentence overrule the lists of phrases."""

SURE_PLAIN = 0.7
SURE_OF_GUESSES = 0.95
"""The same for them to say that what the lists doubt is plainly stated, and that what the lists call a guess is none:
"I guess" is one, whatever stands beside it."""

MEANT = {
    Put.FIRM: PremiseStatus.ASSERTED,
    Put.GUESS: PremiseStatus.HEDGED,
    Put.OFFER: PremiseStatus.PROPOSED,
    Put.ONCE: PremiseStatus.ONE_OFF,
    Put.REFUSES: PremiseStatus.REJECTED,
    Put.COMMENT: PremiseStatus.HEDGED,
}
PUT_AS = {
    PremiseStatus.ASSERTED: "stated",
    PremiseStatus.HEDGED: "put as a guess",
    PremiseStatus.PROPOSED: "put forward",
    PremiseStatus.ONE_OFF: "asked for one answer",
    PremiseStatus.REJECTED: "turned down",
}
A_QUESTION = "a question"
LEFT_OPEN = "said to be open"
TURNED_DOWN = "turned down at once"
SPOKEN: tuple[tuple[PremiseStatus, str, Callable[[str], bool]], ...] = (
    (PremiseStatus.ONE_OFF, "asked for one answer", is_bounded),
    (PremiseStatus.PROPOSED, A_QUESTION, lambda _plain: False),  # by its mark alone
    (PremiseStatus.PROPOSED, LEFT_OPEN, lambda plain: cues.LEFT_OPEN.search(plain) is not None),
    (PremiseStatus.IMPLICIT, "sets the frame of what follows", lambda plain: cues.FRAMING.search(plain) is not None),
    (PremiseStatus.REJECTED, "ruled out", refuses),
    (PremiseStatus.PROPOSED, "offered for a decision", is_offered),
    (PremiseStatus.HEDGED, "not vouched for", is_supposed),
    (PremiseStatus.HEDGED, "hedged", guesses),
    (PremiseStatus.REJECTED, "ruled out", rejects),
)
"""How what is spoken is put forward, the narrowest wording first."""

BY_FORM = frozenset({A_QUESTION, "sets the frame of what follows"})
"""Told by a mark or a formula, whatever the other words are."""
