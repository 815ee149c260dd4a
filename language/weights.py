"""How much a term tells among texts, how far two texts are about the same, and which texts share terms.

The one inverse document frequency of the product: weight(term) = ln(1 + (texts + 1) / (1 + texts that hold it)); a term
in no text weighs like one in no text among as many (Sparck Jones, 1972).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

MILLION = 1_000_000


class Weights:
    """The weight of each term, from how many of the texts hold it."""

    def __init__(self, texts: Iterable[AbstractSet[str]] = ()) -> None:
        self._holding: Counter[str] = Counter()
        self._texts = 0
        self._known: dict[str, int] = {}
        for terms in texts:
            self.add(terms)

    def add(self, terms: AbstractSet[str]) -> None:
        """Count one more text."""
        self._holding.update(terms)
        self._texts += 1
        self._known.clear()

    def of(self, term: str) -> int:
        """The weight of one term, above 0, in millionths: whole numbers add up to the same in any order."""
        found = self._known.get(term)
        if found is None:
            found = round(MILLION * math.log(1 + (self._texts + 1) / (1 + self._holding[term])))
            self._known[term] = found
        return found

    def share(self, held: AbstractSet[str], asked: AbstractSet[str]) -> float:
        """How much of `asked` stands in `held`, 0..1; 0 when nothing is asked."""
        whole = there = 0
        for term in asked:
            weight = self.of(term)
            whole += weight
            there += weight * (term in held)
        return there / whole if whole else 0.0

    def likeness(self, one: AbstractSet[str], two: AbstractSet[str]) -> float:
        """How far two texts are about the same, 0..1: the harmonic mean of the shares each holds of the other (F1)."""
        forth, back = self.share(one, two), self.share(two, one)
        return 2 * forth * back / (forth + back) if forth + back else 0.0


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
