"""Guards on who stands on which side: of "than", of "before", and of a verb."""

import re
from functools import lru_cache

from consensus.guards_words import roots
from consensus.lexical import root
from consensus.profile import Profile
from consensus.veto import Guard, Veto, lead_of, lead_words, subject
from wording.opposites import opposed
from wording.words import stem, words

THAN = re.compile(r"^(?P<left>.{2,80}?)\b(?P<how>\w+(?:er|re|ess)\b.{0,40}?)\bthan\b(?P<right>.{2,80})$", re.IGNORECASE)
ORDER = re.compile(
    r"^(?P<left>.{2,80}?)\b(?P<how>before|after|ahead of|prior to|above|below)\b(?P<right>.{2,80})$", re.IGNORECASE
)
LETTER = re.compile(r"(?<=\w )[A-Z]\b")
"""The letter that tells "plan A" from "plan B"."""


MUTUAL = re.compile(
    r"\b(?:by|and|or|with|share[sd]?|equals?|meets?|met|match(?:es)?|marr(?:y|ies|ied)|differs?|agrees?|is|are|was|were"
    r"|resembles?|borders?|adjoins?|between)\b",
    re.IGNORECASE,
)
"""Words that say the same both ways round, and the passive, which exchanges the places and not the roles."""


def turned(a: Profile, b: Profile) -> list[Veto]:
    """A comparison with its sides changed: "X is faster than Y" against "Y is faster than X"."""
    left, right = _comparison(a), _comparison(b)
    if left is None or right is None or a.negative != b.negative:
        return []
    mine, theirs = _sides(left), _sides(right)
    if not (mine[0] and mine[1]):
        return []
    straight = bool(mine[0] & theirs[0]) and bool(mine[1] & theirs[1])
    crossed = bool(mine[0] & theirs[1]) and bool(mine[1] & theirs[0])
    hows = [frozenset(root(stem(word)) for word in words(match["how"])) for match in (left, right)]
    same, against = bool(hows[0] & hows[1]), any(opposed(x, y) for x in hows[0] for y in hows[1])
    if (crossed and not straight and same) or (straight and not crossed and against and not same):
        return [Veto(Guard.ROLES, f"{left[0]!r} against {right[0]!r}", opposed=True, certain=True)]
    return []


def exchanged(a: Profile, b: Profile) -> list[Veto]:
    """The same words with doer and done-to exchanged: "the tenant insures the landlord" and the other way round."""
    left, right = lead_words(a), lead_words(b)
    if not (left and right) or left & right or subject(a) != subject(b) or a.negative != b.negative:
        return []
    if MUTUAL.search(a.text) or MUTUAL.search(b.text) or len(subject(a)) <= len(left | right):
        return []
    return [Veto(Guard.ROLES, f"{lead_of(a)!r} against {lead_of(b)!r}", opposed=True, certain=True)]


@lru_cache(maxsize=8192)
def _comparison(profile: Profile) -> "re.Match[str] | None":
    text = profile.text.rstrip(". ")
    return THAN.match(text) or ORDER.match(text)


def _compared(text: str) -> list[str]:
    """Roots of content words, and the letters that tell "plan A" from "plan B"."""
    return [*roots(text), *(letter for letter in LETTER.findall(text))]


def _sides(match: "re.Match[str]") -> tuple[frozenset[str], frozenset[str]]:
    """Roots of what stands left and right of "than", without what both share."""
    one, two = (frozenset(_compared(match[side])) for side in ("left", "right"))
    return one - two, two - one
