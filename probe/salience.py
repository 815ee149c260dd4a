"""The values a conversation keeps coming back to, and the words each of them is said with.

What is said in one sentence alone is seldom held by a boundary, and never in the same words. A value that several turns
say is more likely to be what the conversation is about, and the words it is said with in several places name its slot
in any wording. The order was chosen on half of the planted conversations and checked on the others (docs/probe.md).
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import NamedTuple

from dissolution.checking import each
from dissolution.conversation import Role
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import ItemKind
from dissolution.temporal import TemporalClass
from language.modality import Modality, modality
from language.reading import read
from probe.evidence import HistoryIndex, HistorySentence, stems_of
from probe.items import Item, key_of
from probe.statements import place_of

LEAST_TURNS = 2
"""Turns that must say a value for it to be asked for."""

MOST_ITEMS = 5
"""A sentence with more values than this is a tally: it says nothing of any one of them."""

LONGEST = 600
"""Characters of a sentence that may state a value."""

OFTEN = 4
"""Turns from which on a value counts as one the conversation keeps coming back to."""

SAID_ONCE = CALIBRATION.probe.said_once

AHEAD = frozenset({TemporalClass.FORWARD_OPEN, TemporalClass.DEFERRED})
RULES = frozenset({Modality.PROHIBITION, Modality.OBLIGATION})

# The word after a number: what it counts.
HEAD = re.compile(r"[ -]([a-z][\w-]*)")


class Mention(NamedTuple):
    """One sentence that says a value, and the value in it."""

    place: int  # of the sentence among the evidence
    said: HistorySentence
    item: Item


class Value(NamedTuple):
    """A value that several turns say."""

    item: Item  # as it is said last
    mentions: tuple[Mention, ...]
    company: tuple[str, ...]  # stems it is said with, those that tell most of it first
    rank: float  # how much speaks for a boundary's holding it

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns that say it, ascending."""
        return tuple(sorted({mention.said.turn for mention in self.mentions}))


def values(evidence: HistoryIndex) -> tuple[Value, ...]:
    """Every value that two turns or more say, those first that most speaks for it.

    Quoted material does not count, and a value that is only asked about, guessed or told of the past is none.
    """
    groups: dict[tuple[ItemKind, str], list[Mention]] = defaultdict(list)
    spoken = [(place, one) for place, one in enumerate(evidence.sentences) if not one.quoted]
    for place, one in each(spoken):
        if len(one.text) <= LONGEST and len(one.items) <= MOST_ITEMS:
            for item in one.items:
                if item.kind is not ItemKind.CHOICE and not _is_word_number(item):
                    groups[key_of(item)].append(Mention(place, one, item))
    said_in = _said_in(one for _, one in spoken)
    counted = _counted(groups.values())
    found = [
        _value(mentions, said_in, len(spoken), counted)
        for mentions in each(groups.values())
        if len({mention.said.turn for mention in mentions}) >= LEAST_TURNS
        and any(place_of(mention.said.text, mention.said.role) is not None for mention in mentions)
    ]
    return tuple(sorted(found, key=lambda value: (-value.rank, value.mentions[0].place, value.item.start)))


def head(text: str, item: Item) -> str | None:
    """The stem of the word after a number: what it counts; None where there is none."""
    after = HEAD.match(text, item.end)
    stems = stems_of(after[1]) if after is not None else ()
    return stems[0] if stems else None


def _is_word_number(item: Item) -> bool:
    """Whether an item is a number in one word, without unit: "three of them" is said too often to be a value."""
    return item.kind is ItemKind.NUMBER and item.text.replace("-", "").isalpha()


def _said_in(spoken: Iterable[HistorySentence]) -> dict[str, tuple[int, int]]:
    """Of each stem, how many sentences and how many turns say it."""
    sentences: Counter[str] = Counter()
    turns: dict[str, set[int]] = defaultdict(set)
    for one in spoken:
        for stem in one.stems:
            sentences[stem] += 1
            turns[stem].add(one.turn)
    return {stem: (count, len(turns[stem])) for stem, count in sentences.items()}


def _counted(groups: Iterable[Sequence[Mention]]) -> dict[str, list[tuple[int, str]]]:
    """Of each counted thing, the two numbers it is given last, with their last turns, the last one first."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for mentions in groups:
        for mention in mentions:
            thing = head(mention.said.text, mention.item) if mention.item.kind is ItemKind.NUMBER else None
            if thing is not None:
                number = key_of(mention.item)[1]
                found[thing][number] = max(mention.said.turn, found[thing].get(number, 0))
    return {
        thing: nlargest(2, ((turn, number) for number, turn in numbers.items())) for thing, numbers in found.items()
    }


def _value(
    mentions: Sequence[Mention],
    said_in: dict[str, tuple[int, int]],
    spoken: int,
    counted: dict[str, list[tuple[int, str]]],
) -> Value:
    last = mentions[-1]
    places = {mention.place: mention.said.stems for mention in mentions}
    own = {stem for mention in mentions for stem in stems_of(mention.item.text)}
    company = Counter(stem for stems in places.values() for stem in stems - own if not stem.isdigit())

    def tells(stem: str) -> float:
        """How much a word tells of the value: how often with it, against how often at all."""
        sentences, turns = said_in[stem]
        together = company[stem]
        telling = together * math.log1p(spoken * together / (sentences * len(places)))
        return telling if turns >= LEAST_TURNS else SAID_ONCE * telling

    ordered = tuple(sorted(company, key=lambda stem: (-tells(stem), stem)))
    return Value(last.item, tuple(mentions), ordered, _rank(mentions, company, counted))


def _rank(mentions: Sequence[Mention], company: Counter[str], counted: dict[str, list[tuple[int, str]]]) -> float:
    turns = {mention.said.turn for mention in mentions}
    item = mentions[-1].item
    firm = item.kind is ItemKind.NAME or any(_binds(mention.said.text) for mention in mentions)
    kept_company = any(count > 1 for count in company.values())
    both = {Role.USER, Role.ASSISTANT} <= {mention.said.role for mention in mentions}
    own = key_of(item)[1]
    things = {head(mention.said.text, mention.item) for mention in mentions if item.kind is ItemKind.NUMBER}
    last = max(turns)
    replaced = any(
        value != own and turn > last for thing in things if thing is not None for turn, value in counted[thing]
    )
    return firm + kept_company + 0.5 * (len(turns) >= OFTEN) + 0.25 * both - 2.0 * replaced


def _binds(text: str) -> bool:
    """Whether a sentence states a rule or what is to come."""
    return modality(text) in RULES or read(text).temporal.temporal_class in AHEAD
