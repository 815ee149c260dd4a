"""What a guard says of two claims, and what makes two claims be about one thing."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from consensus.lexical import root
from consensus.profile import Profile
from wording.grammar import DETERMINERS, PRESENT_AUX, SUBORDINATORS
from wording.synonyms import canonical
from wording.verbs import ALSO_NOUNS, STRONG_PASTS, base_of_third_person, is_weak_past
from wording.words import STOPWORDS, content_words, stem, words


class Guard(StrEnum):
    """What two claims differ in."""

    NUMBER = "number"
    DATE = "date"
    IDENTIFIER = "identifier"
    NEGATION = "negation"
    CHOICE = "choice"
    MODALITY = "modality"
    ROLES = "roles"
    TIMING = "timing"
    OPPOSITE = "opposite"
    OPTION = "option"
    SCOPE = "scope"
    NAME = "name"
    ADJUDICATION = "adjudication"


@dataclass(frozen=True, slots=True)
class Veto:
    """Why two claims may not share a group.

    Attributes:
        guard: What they differ in.
        detail: The difference in words, for a person.
        opposed: Whether they cannot both hold, if they are about the same thing.
        certain: Whether the guard has made sure itself that they are about the same thing.
    """

    guard: Guard
    detail: str
    opposed: bool
    certain: bool = False


GuardRule = Callable[[Profile, Profile], list[Veto]]

SAME_SUBJECT = 0.6  # share of the smaller claim's subject words found in the other
SUBJECT_WORDS = 2  # fewer shared words than this are no subject, unless a claim has no more
_MEASURES = (
    "second minute hour day week month year percent per cent dollar dollars euro euros usd eur us mb gb tb kg ha "
    "about around roughly some approximately"
)
MEASURES = frozenset(map(stem, _MEASURES.split()))
"""Words that belong to a figure, not to what it is about."""

_NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve twenty hundred thousand million"
COUNTED = MEASURES | frozenset(map(stem, _NUMERALS.split()))
"""Those words and the numbers that are written as words."""

_TELLING = (
    "unverified unconfirmed unchecked untested unproven unmeasured uncertain unclear unknown undecided unsettled "
    "guess memory hearsay rumour assumption open question figure number fact still checked confirmed"
)
TELLING = frozenset(root(stem(word)) for word in _TELLING.split())
"""Words that tell how a claim stands, not what it is about."""

_QUALIFIERS = (
    "maximum minimum max min mean average median total sum net gross peak typical mode mid upper lower first last "
    "initial final daily weekly monthly yearly"
)
QUALIFIERS = frozenset(root(stem(word)) for word in _QUALIFIERS.split())
"""Words that name another value of the same thing: the maximum depth is not the mean depth."""

SLOT_KINDS = {
    "of": "of", "for": "of", "on": "at", "in": "at", "at": "at", "to": "to", "from": "from", "by": "by",
}  # fmt: skip
"""Kinds of place by the word that opens it."""

FINITE = PRESENT_AUX | {"was", "were", "will", "had", "did"}
AFTER_NOUN = frozenset((word,) for word in (*FINITE, "of", "and", "or"))
"""What follows shows that a word in -s was a plural: "the runs are", "the costs of"."""

VOWELS = re.compile(r"[aeiou]")
SHORTEST_PREFIX = 4
LONGEST_SHORT = 5


@lru_cache(maxsize=8192)
def subject(profile: Profile) -> frozenset[str]:
    """Roots of the words a claim is about; figures, units and words that tell how it stands are left out.

    Words of one meaning count as one. An identifier of several parts is its parts: "rds-sess-01" is "rds" and "sess".
    """
    joined = {term for term in profile.terms if not term.isalnum() and any(part.isalpha() for part in _parts(term))}
    kept = (
        root(canonical(term))
        for term in profile.terms
        if not term[0].isdigit() and term not in COUNTED and term not in joined
    )
    return frozenset(kept) - TELLING


def _parts(term: str) -> list[str]:
    return re.split(r"[\W_]+", term)


def shared_words(left: frozenset[str], right: frozenset[str]) -> int:
    """How many words two subjects share; a short form stands for the long one ("rds" for "redis")."""
    same = len(left & right)
    if same == min(len(left), len(right)):
        return same
    rest, others = left - right, set(right - left)
    for word in sorted(rest):
        long = next((other for other in sorted(others) if _short_for(word, other) or _short_for(other, word)), None)
        if long is not None:
            others.discard(long)
            same += 1
    return same


def _short_for(short: str, long: str) -> bool:
    """Whether a word is the beginning of another, or the other without its vowels."""
    if short[:1] != long[:1] or len(short) >= len(long) or not short.isalpha():
        return False
    if len(short) >= SHORTEST_PREFIX and long.startswith(short):
        return True
    return 1 < len(short) <= LONGEST_SHORT and short == long[0] + VOWELS.sub("", long[1:])


@lru_cache(maxsize=32768)
def same_subject(a: Profile, b: Profile) -> bool:
    """Whether two claims share enough words, figures left out, to be about the same thing."""
    left, right = subject(a), subject(b)
    same = len([mark for mark in a.marks if mark.hard and b.has(mark)])  # figures both give are part of the subject
    fewest = min(len(left), len(right)) + same
    words_shared = shared_words(left, right)
    if fewest == 0 or not words_shared:
        return False
    shared = words_shared + same
    return shared >= min(SUBJECT_WORDS, fewest) and shared / fewest >= SAME_SUBJECT


@lru_cache(maxsize=8192)
def lead_of(profile: Profile) -> str:
    """What stands before the first word that must be a verb: what a plain statement is about."""
    kept: list[str] = []
    said = words(profile.text)
    for place, word in enumerate(said):
        base = base_of_third_person(word)
        noun = base in ALSO_NOUNS and (not kept or kept[-1] in DETERMINERS or said[place + 1 : place + 2] in AFTER_NOUN)
        past = word in STRONG_PASTS or (is_weak_past(word) and bool(kept) and kept[-1] not in DETERMINERS)
        if word in FINITE or past or (base is not None and not noun):
            break
        kept.append(word)
    return " ".join(kept)


@lru_cache(maxsize=8192)
def head_of(profile: Profile) -> str | None:
    """Root of what the lead names first: its last word before "of", "for" and the like, as in "the money for x"."""
    kept: list[str] = []
    for word in lead_of(profile).split():
        if kept and (word in SLOT_KINDS or word in STOPWORDS):
            break
        if word not in STOPWORDS and not word[0].isdigit():
            kept.append(word)
    return root(canonical(stem(kept[-1]))) if kept else None


@lru_cache(maxsize=8192)
def lead_words(profile: Profile) -> frozenset[str]:
    """Roots of the words of the lead."""
    kept = content_words(lead_of(profile)) - COUNTED
    return frozenset(root(canonical(term)) for term in kept if not term[0].isdigit())


@lru_cache(maxsize=8192)
def _slots(profile: Profile) -> dict[str, frozenset[str]]:
    """What the lead says "of", "to", "from", "by" and "at" what: roots by the kind of link."""
    found: dict[str, set[str]] = {}
    kind = None
    for word in lead_of(profile).split():
        if word in SLOT_KINDS:
            kind = SLOT_KINDS[word]
        elif kind is not None and word not in STOPWORDS and not word[0].isdigit() and stem(word) not in COUNTED:
            found.setdefault(kind, set()).add(root(canonical(stem(word.removesuffix("'s")))))
    return {kind: frozenset(what) for kind, what in found.items()}


@lru_cache(maxsize=32768)
def other_thing(a: Profile, b: Profile) -> bool:
    """Whether two claims with much in common are about different things all the same.

    They are when they qualify a value differently (maximum, mean), when what they begin with has nothing in common
    ("the figure is due", "the draft is due"), or when it names something else in the same place ("of roach to Daphnia",
    "of Daphnia to algae").
    """
    left, right = lead_words(a), lead_words(b)
    one, two = subject(a) & QUALIFIERS, subject(b) & QUALIFIERS
    if one and two and not one & two:
        return True
    if left and right and not shared_words(left, right):
        return not (left & subject(b) or right & subject(a)) and not _scene(a) and not _scene(b)
    mine, theirs = _slots(a), _slots(b)
    elsewhere = any(
        not (shared_words(mine[kind], subject(b)) or shared_words(theirs[kind], subject(a)))
        for kind in mine.keys() & theirs.keys()
    )
    return elsewhere or _turned(mine, theirs)


def _turned(mine: dict[str, frozenset[str]], theirs: dict[str, frozenset[str]]) -> bool:
    """Whether what stands in one place of the one stands in another place of the other: "of x to y", "of y to z"."""
    return any(
        mine[kind] & theirs[other] and not mine[kind] & theirs[kind]
        for kind in mine.keys() & theirs.keys()
        for other in theirs.keys() - {kind}
    )


def _scene(profile: Profile) -> bool:
    """Whether it opens with a clause or phrase that sets the scene, so that its beginning is not what it is about."""
    first = words(profile.text)[:1]
    return bool(first) and (first[0] in SUBORDINATORS or first[0] in {"with", "on", "in", "at", "for", "under", "over"})
