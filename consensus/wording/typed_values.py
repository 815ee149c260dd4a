"""Typed values: the numbers, dates and identifiers of a text, so that two ways to write one value are one."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from dissolution.values import Span
from language.dates import DateMention
from language.numbers import Quantity
from language.reading import read

SIZE = re.compile(r"\d+[a-z]{1,2}")
DECIMAL = re.compile(r"\d+\.\d+")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, date part or identifier.

    Attributes:
        key: Equal for equal figures written alike.
        kind: "number", "date" or "identifier".
        group: What it can be compared with: the unit, the date part, or the identifier's shape.
        wants: A text has this figure when one of these is among the text's `holds`.
        holds: What this figure adds to its own text's `holds`.
        hard: Whether it is written with digits or is an identifier; "two" and "once" are soft.
        at: Where it begins in its text.
        end: Where it ends.
    """

    key: str
    kind: str
    group: str
    wants: frozenset[str]
    holds: frozenset[str]
    hard: bool
    at: int
    end: int


@dataclass(frozen=True)
class Typed:
    """The typed values of one text, read when they are first asked for.

    Attributes:
        text: The text itself.
    """

    text: str

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        """Its dates and times."""
        return read(self.text).dates

    @cached_property
    def marks(self) -> tuple[Figure, ...]:
        """Its figures, each key once."""
        return tuple({mark.key: mark for mark in self.mentions}.values())

    @cached_property
    def mentions(self) -> tuple[Figure, ...]:
        """Its figures, as often as they are said."""
        return (
            *(_quantity(found) for found in read(self.text).quantities),
            *(mark for mention in self.dates for mark in _date(mention)),
            *(_identifier(found.normalised, found.span) for found in read(self.text).identifiers),
        )

    @cached_property
    def figures(self) -> frozenset[str]:
        """Keys of its figures."""
        return frozenset(mark.key for mark in self.marks)

    @cached_property
    def holds(self) -> frozenset[str]:
        """What a figure of another text may be found by."""
        return frozenset[str]().union(*(mark.holds for mark in self.marks))

    def has(self, figure: Figure) -> bool:
        """Whether `figure` stands in this text, written this way or another."""
        return not figure.wants.isdisjoint(self.holds)

    def lacking(self, other: "Typed") -> tuple[Figure, ...]:
        """Hard figures of this text that `other` has not."""
        return tuple(mark for mark in self.marks if mark.hard and mark.wants.isdisjoint(other.holds))


def _quantity(found: Quantity) -> Figure:
    """A number is the same as another when value and unit are, or when the one leaves out what the other says.

    "120" may be "120 s", and "9,000 a month" or "9,000 USD" may be "9,000 USD per month"; "9,000 USD a year" is not.
    """
    amount, hard = f"{found.amount.normalize():f}", any(character.isdigit() for character in found.text)
    bare, any_unit, at, end = f"bare:{amount}", f"any:{amount}", found.span.start, found.span.end
    if found.unit is None:
        name = {f"id:{found.text.casefold()}"} if hard and not found.text[-1].isdigit() else set[str]()
        wants, holds = frozenset({any_unit, *name}), frozenset({bare, any_unit, *name})  # "34B" of "Marlow-34B"
        return Figure(amount, "number", "", wants, holds, hard, at, end)
    value, unit = f"{found.value.normalize():f}", found.unit
    full = f"{value} {unit}"
    wants, holds = {full, bare}, {full, any_unit}
    over, _, per = unit.partition("/")
    if per and over not in {"", "1"}:
        wants |= {f"only:{value} {over}", f"only:{value} /{per}"}
        holds |= {f"part:{value} {over}", f"part:{value} /{per}"}
    else:
        side = f"/{per}" if per else unit
        wants.add(f"part:{value} {side}")
        holds.add(f"only:{value} {side}")
    return Figure(full, "number", unit, frozenset(wants), frozenset(holds), hard, at, end)


def _date(mention: DateMention) -> list[Figure]:
    """Day, clock and year apart: one turn may give the day and another the hour."""
    parts: list[tuple[str, str]] = []
    if mention.day is not None:
        parts.append(("day", f"{mention.month or '?'}-{mention.day}"))
    elif mention.month is not None:
        parts.append(("month", str(mention.month)))
    elif mention.weekday is not None:
        parts.append(("weekday", str(mention.weekday)))
    if mention.hour is not None:
        parts.append(("clock", f"{mention.hour}:{mention.minute or 0:02d}"))
    if mention.year is not None:
        parts.append(("year", str(mention.year)))
    return [_date_part(kind, value, mention) for kind, value in parts]


def _date_part(kind: str, value: str, mention: DateMention) -> Figure:
    key = f"{kind}:{value}"
    holds = {key}
    if kind == "day":
        holds |= {f"month:{mention.month}", f"weekday:{mention.weekday}"}
    if kind == "year":
        holds |= {f"bare:{value}", f"any:{value}"}  # a reader may take a bare year for a number
    return Figure(
        key, "date", kind, frozenset({key}), frozenset(holds), kind != "weekday", mention.span.start, mention.span.end
    )


def _identifier(normalised: str, span: Span) -> Figure:
    """Found by itself, by its last path segment and without a port; its shape has letters as a and digits as 0."""
    bare = re.sub(r":\d+$", "", normalised)
    forms = {f"id:{form}" for form in (normalised, bare, bare.rsplit("/", 1)[-1]) if form}
    if DECIMAL.fullmatch(bare):  # "Redis 7.0" is a version and "Chaoborus 0.03" is none: both readings may meet
        forms |= {f"any:{bare}", f"bare:{bare}"}
    last = bare.rsplit("-", 1)[-1]
    tail = {f"id:{last}"} if SIZE.fullmatch(last) else set[str]()  # "34B" may stand for "Marlow-34B"
    shape = re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", bare))
    wants, holds = frozenset(forms), frozenset(forms | tail)
    return Figure(f"id:{normalised}", "identifier", shape, wants, holds, hard=True, at=span.start, end=span.end)


def rounded_forms(profile: Typed) -> set[str]:
    """Forms by which its decimal numbers are found when a claim rounds them: 70.9 percent as 71 percent."""
    found: set[str] = set()
    for mark in profile.marks:
        value, _, unit = mark.key.partition(" ")
        whole, _, places = value.partition(".")
        if mark.kind == "number" and places:
            short = [f"{Decimal(value):.{kept}f}" for kept in range(len(places)) if len(whole.lstrip("-0")) + kept > 1]
            found.update(
                form for one in short for form in ((f"{one} {unit}",) if unit else (f"any:{one}", f"bare:{one}"))
            )
    return found
