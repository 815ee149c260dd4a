"""What a text is about, as weighted terms, and how much of one text another holds."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from wording.synonyms import canonical
from wording.words import content_words, stem

# Words by which one speaks about statements: they say how something is held, never what.
_ABOUT_STATEMENTS = """
    guess assum assumption assume suppos suppose think thought believ believe hunch hope probabl probably perhap perhaps
    mayb maybe confirm unconfirm unconfirmed unverifi unverified verifi verify check checked look looked know known say
    said state stat claim report accord according user assistant agr agree agreed agreement answer reply repli question
    open settl settled note record recorded fact conversation nobody somebody someone anyone everybody ask asked tell
    told yes no okay ok sure certain quit quite just only really actually thing lot bit i'd i'll i'm i've we'd we'll
    we've it's that's don't can't won't isn't let's like want need please
"""
ABOUT_STATEMENTS = frozenset(_ABOUT_STATEMENTS.split()) | frozenset(map(stem, _ABOUT_STATEMENTS.split()))
_SPELLED = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_TENS = {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "half": "50"}
NUMERALS = {word: str(number) for number, word in enumerate(_SPELLED.split())} | _TENS
UNITS = frozenset({"percent", "per", "cent", "usd", "eur", "euro", "dollar"})
DIGITS = re.compile(r"\d")
GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
WORDS = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_FUNCTION = """
    a an the this that these those it its i me my you your we us our they them their he she his her is are was were
    be been am do does did have has had will would shall should can could may might must and or but nor so if
    then than as at by for from in into of off on onto out over to up with without about only just please let's
"""
FUNCTION = frozenset(_FUNCTION.split())
"""Words that bind others together and are in every request."""

LEAST_TERMS = 2
"""A sentence with fewer terms says nothing that could be found again."""

PARTS = re.compile(r"[-_./:]")
NUMBER = re.compile(r"[\d.,:/-]+")
PERCENT = re.compile(r"(?<=\d)\s?%")
MANNER = re.compile(r"(?<=[a-z]{4}[^aeioul])ly$|(?<=[a-z]{3}al)ly$")
"""What makes an adverb of an adjective or noun: "hired locally" is about a local hire."""

MILLION = 1_000_000
FIGURE_WEIGHT = 1.3
"""A figure tells more than a word as rare: two statements rarely share one by accident."""


@lru_cache(maxsize=16384)
def terms_of(text: str) -> frozenset[str]:
    """The stems a text is about; numbers as digits, words about statements left out. Empty text has none."""
    plain = PERCENT.sub(" percent", GROUPED.sub("", text))
    found: set[str] = set()
    for word in content_words(plain):
        if word.endswith("n't"):
            continue  # it denies; what it denies is in the other words
        term = NUMERALS.get(word) or canonical(MANNER.sub("", word))
        if term not in ABOUT_STATEMENTS and word not in ABOUT_STATEMENTS and term not in UNITS:
            found.add(term)
        parts = PARTS.split(word.strip("_"))
        if parts != [word] and not NUMBER.fullmatch(word):
            found.update(part for part in parts if len(part) > 1 and not part.isdigit())
    return frozenset(found)


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """The stems of all words with content, those about statements too: what a rule about answers is made of."""
    return frozenset(
        NUMERALS.get(word) or canonical(word) for word in WORDS.findall(text.casefold()) if word not in FUNCTION
    )


@lru_cache(maxsize=16384)
def figures_of(text: str) -> frozenset[str]:
    """The terms of a text that hold a digit: numbers, versions, identifiers."""
    return frozenset(term for term in terms_of(text) if DIGITS.search(term))


class Weights:
    """How much each term tells, from how many of the texts hold it.

    weight(term) = ln(1 + texts / (1 + texts that hold it)), times FIGURE_WEIGHT for figures; a term in no text weighs
    like one in no text among as many. Inverse document frequency: Sparck Jones, 1972.
    """

    def __init__(self, texts: Iterable[frozenset[str]] = ()) -> None:
        self._holding: Counter[str] = Counter()
        self._texts = 0
        self._known: dict[str, int] = {}
        for terms in texts:
            self.add(terms)

    def add(self, terms: frozenset[str]) -> None:
        """Count one more text."""
        self._holding.update(terms)
        self._texts += 1
        self._known.clear()

    def of(self, term: str) -> int:
        """The weight of one term, above 0, in millionths: whole numbers add up to the same in any order."""
        found = self._known.get(term)
        if found is None:
            plain = math.log(1 + (self._texts + 1) / (1 + self._holding[term]))
            found = round(MILLION * plain * (FIGURE_WEIGHT if DIGITS.search(term) else 1))
            self._known[term] = found
        return found

    def share(self, held: frozenset[str], asked: frozenset[str]) -> float:
        """How much of `asked` stands in `held`, 0..1; 0 when nothing is asked."""
        whole = there = 0
        for term in asked:
            weight = self.of(term)
            whole += weight
            there += weight * (term in held)
        return there / whole if whole else 0.0


def likeness(weights: Weights, one: frozenset[str], two: frozenset[str]) -> float:
    """How far two texts are about the same, 0..1: the harmonic mean of the shares each holds of the other (F1)."""
    forth, back = weights.share(one, two), weights.share(two, one)
    return 2 * forth * back / (forth + back) if forth + back else 0.0


class Index:
    """Texts by their terms, to find those that share some with another without reading all."""

    def __init__(self) -> None:
        self._places: dict[str, list[int]] = {}

    def add(self, place: int, terms: frozenset[str]) -> None:
        """Remember text number `place`."""
        for term in terms:
            self._places.setdefault(term, []).append(place)

    def near(self, terms: frozenset[str], least: int = 1) -> Mapping[int, int]:
        """Texts that share `least` terms or more, with how many they share."""
        found: Counter[int] = Counter()
        for term in terms:
            found.update(self._places.get(term, ()))
        return {place: count for place, count in found.items() if count >= least}
