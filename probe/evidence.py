"""Where a history speaks of something: its sentences with their words and values, made once for each snapshot."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dissolution.checking import each
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import ItemKind
from dissolution.values import Span
from language.dates import DateMention
from language.reading import read
from probe.items import Amount, Item, agrees, days_in, items, measures_in, refuses, restores, shares_amount

LONGEST_READ = 1500
"""Characters of a sentence that are read: longer ones are pasted logs and lists."""

NEIGHBOUR = CALIBRATION.probe.neighbour_word

SAME_TURN = CALIBRATION.probe.same_turn_word

NEXT_TURN = CALIBRATION.probe.next_turn_word

REACH = 2
"""Sentences to either side that count as beside."""

KEPT = 8
"""Histories whose sentences are kept in memory: a candidate is checked against one, again and again."""


class HistorySentence(NamedTuple):
    """One sentence of the history with its place, its words (stems) and its values."""

    turn: int
    span: Span
    text: str
    role: Role
    quoted: bool  # pasted material: it informs, and commits nobody
    stems: frozenset[str]
    items: tuple[Item, ...]


def stems_of(text: str) -> tuple[str, ...]:
    """The content words of a text in order, by stem."""
    return read(text).content


class HistoryIndex:
    """The sentences of one history, searchable by words and by value."""

    def __init__(self, sentences: Sequence[HistorySentence]) -> None:
        self.sentences = tuple(sentences)
        holding = Counter(stem for one in self.sentences for stem in one.stems)
        size = len(self.sentences)
        self._weights = {stem: math.log1p((size - n + 0.5) / (n + 0.5)) for stem, n in holding.items()}
        places: dict[str, list[int]] = defaultdict(list)
        by_turn: dict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(each(self.sentences)):
            by_turn[one.turn].append(place)
            for stem in one.stems:
                places[stem].append(place)
        self._places, self._by_turn = dict(places), dict(by_turn)
        self._near: dict[str, tuple[NDArray[np.intp], NDArray[np.float64]]] = {}
        self._holding: dict[tuple[str, str], tuple[int, ...]] = {}

    def weight(self, stem: str) -> float:
        """The rarity of a word in this history, 0 when it is never said."""
        return self._weights.get(stem, 0.0)

    def known(self, stems: Iterable[str]) -> tuple[str, ...]:
        """Those of the words that the history uses at all, in order."""
        return tuple(sorted({stem for stem in stems if stem in self._weights}))

    def around(self, stems: Sequence[str]) -> NDArray[np.float64]:
        """How much of these words, weighed by rarity, stands in or around each sentence; shape (sentences,)."""
        found = np.zeros(len(self.sentences))
        for stem in stems:
            places, shares = self._spread(stem)
            found[places] += self.weight(stem) * shares
        return found

    def inside(self, stems: Sequence[str]) -> NDArray[np.float64]:
        """How much of these words, weighed by rarity, each sentence itself holds; shape (sentences,)."""
        found = np.zeros(len(self.sentences))
        for stem in stems:
            found[self._places.get(stem, [])] += self.weight(stem)
        return found

    def holding(self, item: Item) -> tuple[int, ...]:
        """The places of the sentences that say this value; of a number its amount, where nobody says the unit."""
        key = (item.kind.value, item.text.casefold())
        if key not in self._holding:
            self._holding[key] = tuple(self._restoring(item))
        return self._holding[key]

    def _restoring(self, item: Item) -> list[int]:
        """As `restores` says of each sentence, which is read once for all items."""
        match item.kind:
            case ItemKind.NUMBER:
                measures = measures_in(item.text)
                found = [place for place, said in self._measures if shares_amount(measures, said)]
                wanted = {one.amount for one in measures}
                return found or [place for place, said in self._measures if any(one.amount in wanted for one in said)]
            case ItemKind.DATE:
                wanted_days = days_in(item.text)
                return [place for place, said in self._days if agrees(wanted_days, said)]
            case ItemKind.CHOICE:
                return self._refusing
            case ItemKind.NAME:
                return [
                    place for place, one in enumerate(each(self.sentences)) if restores(item.kind, item.text, one.text)
                ]

    @cached_property
    def _measures(self) -> list[tuple[int, tuple[Amount, ...]]]:
        read = ((place, measures_in(one.text)) for place, one in enumerate(each(self.sentences)))
        return [(place, said) for place, said in read if said]

    @cached_property
    def _days(self) -> list[tuple[int, tuple[DateMention, ...]]]:
        read = ((place, days_in(one.text)) for place, one in enumerate(each(self.sentences)))
        return [(place, said) for place, said in read if said]

    @cached_property
    def _refusing(self) -> list[int]:
        return [place for place, one in enumerate(each(self.sentences)) if refuses(one.text)]

    def _spread(self, stem: str) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Where a word counts, and how much: 1 in its sentence, less beside it, less still in its turn."""
        if stem not in self._near:
            shares: dict[int, float] = {}
            for place in self._places.get(stem, ()):
                turn = self.sentences[place].turn
                for other in self._by_turn[turn]:
                    distance = abs(other - place)
                    share = 1.0 if distance == 0 else NEIGHBOUR if distance <= REACH else SAME_TURN
                    shares[other] = max(shares.get(other, 0.0), share)
                for other in (*self._by_turn.get(turn - 1, ()), *self._by_turn.get(turn + 1, ())):
                    shares[other] = max(shares.get(other, 0.0), NEXT_TURN)
            order = sorted(shares)
            self._near[stem] = (np.array(order, dtype=np.intp), np.array([shares[place] for place in order]))
        return self._near[stem]


def evidence_of(snapshot: Snapshot) -> HistoryIndex:
    """The sentences of a snapshot, in order; those of the snapshots asked for last are kept."""
    return _evidence_of(_TurnsKey(snapshot.turns))


class _TurnsKey:
    """Turns as a key: equal when the turns are, told apart by their words first."""

    def __init__(self, turns: tuple[Turn, ...]) -> None:
        self.turns = turns

    def __hash__(self) -> int:
        return hash(tuple(turn.content for turn in self.turns))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TurnsKey) and self.turns == other.turns


@lru_cache(maxsize=KEPT)
def _evidence_of(held: _TurnsKey) -> HistoryIndex:
    found: list[HistorySentence] = []
    for turn in each(held.turns):
        for span, _ in read(turn.content).sentences:
            text = turn.content[span.start : span.end][:LONGEST_READ]
            quoted = turn.role is Role.TOOL or turn.is_quoted(span)
            stems = frozenset(stems_of(text))
            found.append(HistorySentence(turn.number, span, text, turn.role, quoted, stems, items(text)))
    return HistoryIndex(found)
