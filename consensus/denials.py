"""What a denial denies: not everything a claim speaks of."""

import re
from functools import lru_cache

from consensus.lexical import root
from consensus.profile import Profile
from consensus.veto import lead_words, shared_words, subject
from wording.choice import ChoiceKind, choices
from wording.grammar import PREPOSITIONS
from wording.negation import negation_cues
from wording.synonyms import canonical
from wording.verbs import ALSO_NOUNS, base_of_third_person
from wording.words import STOPWORDS, stem, words

NOUN_DENIED = re.compile(r"\b(?:no|without(?: any)?|lacks?(?: any)?)\s+(?P<rest>[^.;,:()]{2,80})", re.IGNORECASE)
"""A denial of a noun: "no version field", "without notice"."""

EXPLAINS = re.compile(
    r"\b(?:explain|account|show|say|tell|mean|prove|imply|know)(?:s|ed|ing)?\s+(?:for the fact )?(?:that|why|how)\b",
    re.IGNORECASE,
)
"""A clause after these stands, whether or not what governs it is denied."""

OUTRIGHT = re.compile(r"(?:no|not|never|none|nobody|nothing|neither|nor|cannot|without)\b|\w+n['’]?t$", re.IGNORECASE)

OF_OBJECT = 0.6  # share of a denied or rejected thing's words that the other claim must have
FEWEST_REJECTED = 2  # words of a rejected thing that make it known without more
LONGEST_NOUN = 3  # content words of a noun that is denied


def denied_elsewhere(denying: Profile, other: Profile) -> bool:
    """Whether what `denying` denies is not what `other` says, though both share a subject.

    "There is no liability cap for a breach of the EEA limit" leaves "the contract sets an EEA limit" alone; so do
    "counting keys cannot explain that it depends on the filler" and a rejection of something else of the same thing.
    """
    theirs = subject(other)
    if denying.rejects:
        known = _rejected(denying)
        return bool(known) and all(shared_words(words, theirs) < OF_OBJECT * len(words) for words in known)
    if EXPLAINS.search(denying.text):
        return True
    noun = _denied_noun(denying.text)
    return noun is not None and shared_words(noun, theirs) < OF_OBJECT * len(noun)


@lru_cache(maxsize=8192)
def says_no(profile: Profile) -> bool:
    """Whether it has a word that denies outright; "unverified" and verbs of rejecting are none."""
    return any(OUTRIGHT.match(profile.text[cue.start : cue.end]) for cue in negation_cues(profile.text))


def rejected_whole(denying: Profile, other: Profile) -> bool:
    """Whether the other claim has every word of what is rejected, of two words at least, and rejects nothing itself."""
    if not denying.rejects or other.rejects:
        return False
    theirs = subject(other)
    whole = any(len(words) >= FEWEST_REJECTED and words <= theirs for words in _rejected(denying))
    return whole or any(words <= _happens(other) for words in _rejected(denying) if words == lead_words(denying))


@lru_cache(maxsize=8192)
def _happens(profile: Profile) -> frozenset[str]:
    """Roots of the words that must be verbs: what a text says happens. "Eviction is ruled out" denies "it evicts"."""
    said = words(profile.text)
    bases = (base_of_third_person(word) for word in said)
    return frozenset(root(canonical(stem(base))) for base in bases if base is not None and base not in ALSO_NOUNS)


@lru_cache(maxsize=8192)
def _rejected(profile: Profile) -> list[frozenset[str]]:
    """Roots of each thing that is rejected, those without words left out."""
    rejected = [choice for choice in choices(profile.text) if choice.kind is ChoiceKind.REJECTED]
    objects = [frozenset(root(canonical(word)) for word in choice.object_words) for choice in rejected]
    return [words for words in objects if words]


def _denied_noun(text: str) -> frozenset[str] | None:
    """Roots of the noun that "no" or "without" denies; None when the denial is of another kind."""
    found = NOUN_DENIED.search(text)
    if found is None:
        return None
    kept: list[str] = []
    for word in words(found["rest"]):
        base = base_of_third_person(word)
        if word in PREPOSITIONS or word in STOPWORDS or (base and base not in ALSO_NOUNS):
            break
        kept.append(root(canonical(stem(word))))
        if len(kept) == LONGEST_NOUN:
            break
    return frozenset(kept) or None
