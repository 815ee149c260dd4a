"""How much a term tells among texts, how far two texts are about the same, and which texts share terms.

The one inverse document frequency of the product: weight(term) = ln(1 + (texts + 1) / (1 + texts that hold it)); a term
in no text weighs like one in no text among as many (Sparck Jones, 1972).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet

MILLION = 1_000_000


NEWEST = 300
"""Texts of one term that are looked at where only the newest are wanted: a term that more hold tells little of any."""


class _Known(dict[str, int]):
    """Weights that were worked out; a missing one is worked out by whoever owns them."""

    def __init__(self, weigh: Callable[[str], int]) -> None:
        super().__init__()
        self._weigh = weigh

    def __missing__(self, term: str) -> int:
        found = self[term] = self._weigh(term)
        return found


class Weights:
    """The weight of each term, from how many of the texts hold it."""

    def __init__(self, texts: Iterable[AbstractSet[str]] = ()) -> None:
        self._holding: Counter[str] = Counter()
        self._texts = 0
        self._known = _Known(self._weigh)
        self._by_count: dict[int, int] = {}
        self._totals: dict[frozenset[str], int] = {}
        for terms in texts:
            self.add(terms)

    def add(self, terms: AbstractSet[str]) -> None:
        """Count one more text."""
        self._holding.update(terms)
        self._texts += 1
        self._known.clear()
        self._by_count.clear()
        self._totals.clear()

    def of(self, term: str) -> int:
        """The weight of one term, above 0, in millionths: whole numbers add up to the same in any order."""
        return self._known[term]

    def _weigh(self, term: str) -> int:
        holding = self._holding[term]
        found = self._by_count.get(holding)
        if found is None:
            found = self._by_count[holding] = round(MILLION * math.log(1 + (self._texts + 1) / (1 + holding)))
        return found

    def share(self, held: AbstractSet[str], asked: AbstractSet[str]) -> float:
        """How much of `asked` stands in `held`, 0..1; 0 when nothing is asked."""
        there = held & asked
        return self._sum(there) / self._total(asked) if there else 0.0

    def likeness(self, one: AbstractSet[str], two: AbstractSet[str]) -> float:
        """How far two texts are about the same, 0..1: the harmonic mean of the shares each holds of the other (F1)."""
        both = one & two
        if not both:
            return 0.0
        there = self._sum(both)
        forth, back = there / self._total(two), there / self._total(one)
        return 2 * forth * back / (forth + back)

    def _sum(self, terms: AbstractSet[str]) -> int:
        return sum(map(self._known.__getitem__, terms))

    def _total(self, terms: AbstractSet[str]) -> int:
        """The weight of all terms of a text; the same texts are asked about again and again."""
        if not isinstance(terms, frozenset):
            return self._sum(terms)
        found = self._totals.get(terms)
        if found is None:
            found = self._totals[terms] = self._sum(terms)
        return found


class Index:
    """Texts by their terms, to find those that share some with another without reading all."""

    def __init__(self) -> None:
        self._places: dict[str, list[int]] = {}

    def add(self, place: int, terms: AbstractSet[str]) -> None:
        """Remember text number `place`."""
        for term in terms:
            self._places.setdefault(term, []).append(place)

    def near(self, terms: AbstractSet[str], least: int = 1) -> Mapping[int, int]:
        """Texts that share `least` terms or more, with how many they share."""
        found: Counter[int] = Counter()
        for term in terms:
            found.update(self._places.get(term, ()))
        return {place: count for place, count in found.items() if count >= least}

    def newest(self, terms: AbstractSet[str], least: int, most: int) -> list[int]:
        """The newest `most` texts that share `least` terms or more, in order; of each term the newest NEWEST count.

        Its cost does not grow with the number of texts.
        """
        found: Counter[int] = Counter()
        for term in terms:
            found.update(self._places.get(term, ())[-NEWEST:])
        return sorted([place for place, count in found.items() if count >= least])[-most:]
