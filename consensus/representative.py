"""Which of a group's sentences speaks for it: always one that somebody said."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from consensus.profile import Profile
from consensus.vectors import Matrix
from dissolution.claims import Statement

LONGEST_WORDS = 60  # a longer sentence is several claims in one; it speaks for the group only when there is no other
LONGER = 1.25  # times the length up to which a sentence with all names may take another's place
KEPT = 0.7  # share of the other's words that it must have: what the lead says besides is not lost for a name
AS_WELL = 0.05  # how much weaker its evidence may be
NUMERAL = re.compile(r"(?<![\w.,])\d+(?:\.\d+)*(?![\w,]|\.\d)")
CAVEAT = re.compile(
    r"\b(?:as|so|in so) far as\b[^,.;]{0,40}\b(?:see|sees|know|knows|tell|tells|known|aware|concerned|goes)\b"
    r"|\bto (?:the best of )?(?:my|our|his|her|their|the \w+'s) knowledge\b|\baccording to\b"
    r"|\b(?:so far|for now|for the moment|for the time being|at present|as yet|until now|to date)\b",
    re.IGNORECASE,
)
"""Wording that says how far a statement goes: without it the same words say more."""

POINTS_BACK = frozenset({"it", "this", "that", "these", "those", "they", "he", "she", "its", "their", "there", "such"})
"""First words that need the sentence before them: a claim must be readable on its own."""


def agreed(
    statements: Sequence[Statement], profiles: Sequence[Profile], part: Callable[[Profile], frozenset[str]]
) -> frozenset[str]:
    """What more than half of the group's families have in `part`, such as figures or names."""
    by_family: dict[str, set[str]] = {}
    for statement, profile in zip(statements, profiles, strict=True):
        by_family.setdefault(statement.family, set()).update(part(profile))
    counts = Counter(item for items in by_family.values() for item in items)
    return frozenset(item for item, count in counts.items() if 2 * count > len(by_family))


def shortened(text: str, others: Sequence[str]) -> int:
    """How many figures of `others` a text gives in short: "16" where another says "16.4"."""
    mine = frozenset(NUMERAL.findall(text))
    theirs = frozenset(numeral for other in others for numeral in NUMERAL.findall(other)) - mine
    return sum(any(numeral.startswith(f"{short}.") for short in mine) for numeral in theirs)


def choose(
    statements: Sequence[Statement],
    profiles: Sequence[Profile],
    scores: Sequence[float],
    distances: Matrix,
    lead: str | None = None,
) -> int:
    """The place (0 to n-1) of the statement that speaks for a group of n.

    In this order: it keeps every figure its group agrees on, in full where another gives more of it, then the polarity,
    then a caveat that somebody keeps, as the words without it say more; it rests on evidence; it stands alone (no
    pronoun to begin with, at most 60 words); the lead says it, so that the boundary reads as one text; it keeps the
    names its group agrees on; it lies nearest the middle (least mean distance); then the shorter, then the
    alphabetically first. A sentence that has the agreed names which this one loses takes its place where that costs
    hardly a word.

    Args:
        statements: n statements of one meaning.
        profiles: Their profiles.
        scores: Their evidence scores, 0 when they have none.
        distances: (n, n) distances between them.
        lead: The member whose words are preferred.
    """
    figures = agreed(statements, profiles, lambda profile: profile.figures)
    names = agreed(statements, profiles, lambda profile: profile.names)
    polarity = agreed(statements, profiles, _polarity)  # empty when the families are even: then neither is preferred
    careful = any(CAVEAT.search(profile.text) for profile in profiles)

    def rank(place: int) -> tuple[int, int, bool, bool, bool, bool, bool, int, float, int, str]:
        profile = profiles[place]
        return (
            len(figures - profile.figures),
            shortened(profile.text, [other.text for other in profiles]),
            not polarity <= _polarity(profile),
            careful and CAVEAT.search(profile.text) is None,
            scores[place] <= 0,
            not stands_alone(profile.text),
            statements[place].member != lead,
            len(names - profile.names),
            round(float(distances[place].mean()) - scores[place] / 4, 9),
            len(profile.text),
            profile.text,
        )

    return _naming_all(min(range(len(statements)), key=rank), profiles, scores, figures, names)


def _naming_all(
    first: int, profiles: Sequence[Profile], scores: Sequence[float], figures: frozenset[str], names: frozenset[str]
) -> int:
    """The place of a sentence that has the names which the one at `first` loses, where it costs hardly anything; or it.

    It must be little longer, keep most of its words, all its figures and its polarity, and rest on as much.
    """
    one = profiles[first]
    if names <= one.names:
        return first
    fuller = [
        place
        for place, other in enumerate(profiles)
        if names <= other.names
        and figures | one.figures <= other.figures
        and other.negative == one.negative
        and len(other.text) <= LONGER * len(one.text)
        and len(other.terms & one.terms) >= KEPT * len(one.terms)
        and scores[place] >= scores[first] - AS_WELL
        and stands_alone(other.text)
    ]
    return min(fuller, key=lambda place: (len(profiles[place].text), profiles[place].text), default=first)


def _polarity(profile: Profile) -> frozenset[str]:
    return frozenset({"negative" if profile.negative else "positive"})


def stands_alone(text: str) -> bool:
    """Whether a sentence can be read without the one before it: no pronoun first, at most 60 words."""
    words = text.split()
    return 0 < len(words) <= LONGEST_WORDS and words[0].strip("\"'`*_,").casefold() not in POINTS_BACK
