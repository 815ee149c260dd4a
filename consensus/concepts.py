"""What a text talks about, as countable pieces, and what each piece is worth.

A concept is the root of one content word, or two neighbouring roots in either order. Worth: the mean inverse document
frequency of its roots over the conversation, times the number of families that use it to the power of 0.7: what many
say counts more, but not without bound. Source: concept coverage in summaries, Gillick and Favre 2009, where
concepts are pairs of words and their worth the number of documents that hold them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from consensus.lexical import inverse_frequencies, root
from consensus.vectors import DIGITS
from dissolution.claims import StatedClaim, Statement
from wording.words import content_sequence

FAMILY_POWER = 0.7
UNHEARD = 5.0  # inverse document frequency of a word the conversation never uses

Concept = tuple[str, ...]
Content = tuple[str, str, tuple[int, ...], tuple[str, ...]]


@lru_cache(maxsize=4096)
def roots_in_order(text: str) -> tuple[str, ...]:
    """Roots of the content words of a text, figures included, in order."""
    return tuple(root(word) for word in content_sequence(text))


@lru_cache(maxsize=4096)
def concepts(text: str) -> frozenset[Concept]:
    """The concepts of a text."""
    found = roots_in_order(text)
    pairs = ((min(pair), max(pair)) for pair in pairwise(found))
    return frozenset((*((word,) for word in found), *pairs))


class Worth:
    """What each concept counts in one job.

    Args:
        statements: All statements heard.
        texts: The conversation's stretches.
    """

    def __init__(self, statements: Iterable[Statement], texts: Sequence[str]) -> None:
        self._weights: Mapping[str, float] = inverse_frequencies([roots_in_order(text) for text in texts])
        self._families: dict[Concept, set[str]] = {}
        self._counts: dict[Concept, float] = {}
        for statement in statements:
            for concept in concepts(statement.claim.text):
                self._families.setdefault(concept, set()).add(statement.family)

    def of(self, concept: Concept) -> float:
        """What `concept` counts, above 0."""
        counts = self._counts.get(concept)
        if counts is None:
            rarity = sum(self._weights.get(word, UNHEARD) for word in concept) / len(concept)
            counts = rarity * max(1, len(self._families.get(concept, ()))) ** FAMILY_POWER
            self._counts[concept] = counts
        return counts

    def sum(self, found: Iterable[Concept]) -> float:
        """What all of `found` count; the same for any order."""
        return float(sum(self.of(concept) for concept in sorted(found)))

    def shared(self, statements: Iterable[Statement]) -> float:
        """What the concepts of these statements count that two or more families use."""
        said = frozenset[Concept]().union(*(concepts(statement.claim.text) for statement in statements))
        return self.sum(concept for concept in said if len(self._families.get(concept, ())) > 1)


def lead(statements: Sequence[Statement], worth: Worth) -> str | None:
    """The member whose answer says most of what families share, or None when nobody said anything.

    Ties go to the answer whose claims come first by their words, sections, turns and quotes; the name decides only
    between members who say the very same, where it makes no difference.
    """
    by_member: dict[str, list[Statement]] = {}
    for statement in statements:
        by_member.setdefault(statement.member, []).append(statement)

    def rank(member: str) -> tuple[float, list[Content], str]:
        said = by_member[member]
        return round(-worth.shared(said), DIGITS), sorted(_content(statement.claim) for statement in said), member

    return min(by_member, key=rank, default=None)


def _content(claim: StatedClaim) -> Content:
    """All that a claim says, without who says it."""
    return claim.text, claim.section.value, claim.turns, claim.quotes
