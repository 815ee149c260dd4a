"""What can be masked in a statement, and whether an answer restores it."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from dissolution.probing import ItemKind
from language.choice import refusals
from language.dates import DateMention, conflict
from language.numbers import Amounted, Quantity, same_quantity
from language.reading import read

NEEDED_PARTS = ("month", "day", "quarter", "hour", "minute")
"""Parts of a date that an answer must give when the statement does; year and weekday are often left unsaid."""

LEAST_COUNT = 3
"""One and two are said too often to ask for, unless they are measured: "one of them", "two things"."""

# A value right after these is the one that does not hold: "not 1 March", "moved from 1 March", "instead of Redis".
TAKEN_BACK = re.compile(
    r"\b(?:not|instead of|rather than|from|no longer|was|were|previously|originally|than)"
    r"(?: (?:the|an?|on|at|in|by|about|around))?[ ]$",
    re.IGNORECASE,
)
LOOK_BEHIND = 40

SHORTEST_PLURAL = 3
"""A name of so few letters is an acronym, whose plural is written otherwise."""

EXACT_KINDS = frozenset({ItemKind.NUMBER, ItemKind.DATE})
"""Items that a rule compares by value, whatever their words."""

CACHED = 32768
"""Sentences whose numbers and dates are kept: the same ones are compared with value after value."""


class Item(NamedTuple):
    """A masked item: what it is, its words, and where they stand in the statement (code points, half-open)."""

    kind: ItemKind
    text: str
    start: int
    end: int


@lru_cache(maxsize=CACHED)
def items(statement: str) -> tuple[Item, ...]:
    """Every item that may be masked in a statement, in order; values that it takes back are left out."""
    found = sorted(set(_found(statement)), key=lambda item: (item.start, -item.end))
    kept: list[Item] = []
    for item in found:
        if kept and item.start < kept[-1].end:
            continue
        before = statement[max(0, item.start - LOOK_BEHIND) : item.start]
        if not TAKEN_BACK.search(before) and restores(item.kind, item.text, statement):
            kept.append(item)
    return tuple(kept)


def restores(kind: ItemKind, reference: str, answer: str) -> bool:
    """Whether an answer says the item again: the same amount, a date that agrees, the name, or a choice against.

    Amounts agree across units and spellings ("8 hours", "28800 s"); a date must give month, day and time where the
    reference does; names and identifiers are compared as whole words, case ignored.
    """
    match kind:
        case ItemKind.NUMBER:
            return shares_amount(_amounts(reference), _amounts(answer))
        case ItemKind.DATE:
            return agrees(_days(reference), _days(answer))
        case ItemKind.NAME:
            return _says_name(reference.casefold(), answer.casefold())
        case ItemKind.CHOICE:
            return refuses(answer)


class Amount(NamedTuple):
    """A number as it is compared: without the words it was read from, which take ten times the room."""

    value: Decimal
    unit: str | None
    amount: Decimal


def measures_in(text: str) -> tuple[Amount, ...]:
    """The numbers of a text, in order."""
    return tuple(Amount(one.value, one.unit, one.amount) for one in read(text).quantities)


def days_in(text: str) -> tuple[DateMention, ...]:
    """The dates of a text, in order."""
    return read(text).dates


def refuses(text: str) -> bool:
    """Whether a text denies something or decides against it; then it restores any choice."""
    return read(text).is_negated or bool(refusals(text))


def key_of(item: Item) -> tuple[ItemKind, str]:
    """What two mentions of one value share: kind and words, names without their plural."""
    said = item.text.casefold()
    if item.kind is ItemKind.NAME:
        return item.kind, re.sub(r"(?:es|s)$", "", said)
    return item.kind, " ".join(read(said).tokens) or said


def same_slot(one: Item, other: Item) -> bool:
    """Whether two items could fill one blank: of one kind, and, for numbers, of one unit."""
    if one.kind is not other.kind:
        return False
    return one.kind is not ItemKind.NUMBER or _unit(one.text) == _unit(other.text)


def _found(statement: str) -> Iterator[Item]:
    for date in read(statement).dates:
        if any(getattr(date, part) is not None for part in NEEDED_PARTS):
            said = date.text.rstrip(".")  # the full stop of the sentence, after a month that may be short
            yield Item(ItemKind.DATE, said, date.span.start, date.span.start + len(said))
    for number in read(statement).quantities:
        if number.unit is not None or abs(number.value) >= LEAST_COUNT:
            yield Item(ItemKind.NUMBER, number.text, number.span.start, number.span.end)
    for identifier in read(statement).identifiers:
        yield Item(ItemKind.NAME, identifier.text, identifier.span.start, identifier.span.end)
    for name in read(statement).names:
        for place in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", statement):
            yield Item(ItemKind.NAME, name, place.start(), place.end())
    for one in refusals(statement):  # choosing is not asked for: who knows nothing of a conversation would say it
        yield Item(ItemKind.CHOICE, statement[one.start : one.end], one.start, one.end)


@lru_cache(maxsize=CACHED)
def _amounts(text: str) -> tuple[Quantity, ...]:
    return read(text).quantities


@lru_cache(maxsize=CACHED)
def _days(text: str) -> tuple[DateMention, ...]:
    return read(text).dates


def _says_name(name: str, answer: str) -> bool:
    """Whether a name stands in an answer as a word of its own; one of letters also in the plural."""
    stem = name.removesuffix("s") if name.isalpha() and len(name) > SHORTEST_PLURAL else name
    if stem not in answer:
        return False
    ending = "(?:e?s)?" if name.isalpha() and len(name) > SHORTEST_PLURAL else ""
    return re.search(rf"(?<!\w){re.escape(stem)}{ending}(?!\w)", answer) is not None


def shares_amount(wanted: Sequence[Amounted], said: Sequence[Amounted]) -> bool:
    """Whether one amount stands in both."""
    return any(same_quantity(one, other) for one in wanted for other in said)


def agrees(wanted: Sequence[DateMention], said: Sequence[DateMention]) -> bool:
    """Whether one date agrees with one of the other's."""
    return any(_agree(one, other) for one in wanted for other in said)


def _agree(wanted: DateMention, said: DateMention) -> bool:
    given = all(getattr(wanted, part) is None or getattr(said, part) is not None for part in NEEDED_PARTS)
    return given and not conflict(wanted, said)


def _unit(text: str) -> str | None:
    found = read(text).quantities
    return found[0].unit if found else None


def repeats(statement: str, item: Item) -> bool:
    """Whether the item's words stand in its statement again, so that masking it once hides nothing."""
    rest = f"{statement[: item.start]} {statement[item.end :]}"
    wanted, said = read(item.text).tokens, read(rest).tokens
    size = len(wanted)
    return bool(size) and any(said[place : place + size] == wanted for place in range(len(said) - size + 1))
