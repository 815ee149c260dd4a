"""Numbers with their units, in digits and in words."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Protocol

from dissolution.values import Frozen, Span
from language.dates import dates
from language.identifiers import identifiers
from language.masks import blanked, code_spans
from language.numerals import NUMBER, amount_of, unit_after
from language.remembered import remembered
from language.units import CURRENCY, MONEY, TIME, Unit, rate, unit_at

DURATION = re.compile(
    r"(?<![\w.])(?=\d+[dhm]\d)(?:(?P<d>\d{1,4})d)?(?:(?P<h>\d{1,4})h)?(?:(?P<m>\d{1,4})(?:m(?:in)?)?)?(?:(?P<s>\d{1,4}(?:\.\d{1,6})?)s)?(?!\w)"
)
# "per day", "a day", "/s"; a counted noun may stand between the number and the rate: "3,800 events a second".
RATE = re.compile(
    r"(?P<noun>(?:[ ][a-z][a-z-]{0,24}){0,3}?)(?:[ ](?P<word>per|an?|each|every)[ ]|[ ]?(?P<slash>/)[ ]?)",
    re.IGNORECASE,
)
AGO = re.compile(r"[ ](?:ago|later|earlier|before|after|or[ ]two)\b")
COUNTED = re.compile(r"[a-z][a-z-]{0,24}(?:[ ]per[ ]|/)", re.IGNORECASE)
AND_A_HALF = re.compile(r"[ ]and[ ]a[ ]half(?!\w)")
OF_A = re.compile(r"[ ](?:of[ ])?an?[ ]")
CHAIN = re.compile(
    r"(?:,?[ ](?:and[ ])?|)(?=\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
    r"|forty|fifty)"
)
BARE_REST = re.compile(
    r"[ ](?P<rest>[0-5]?\d)(?=[,.;:)]?(?:\s|$))(?=[,.;:)]|$|[ ]\(|[ ](?:from|to|in|for|of|on|is|was|and)\b)"
)
LINK = re.compile(
    r"[ ]?(?:(?P<dash>[-–—]|\.\.\.?)|(?P<comma>,)|(?P<and>,?[ ](?:and|or))|(?P<to>[ ](?:to|up[ ]to|till|until)))[ ]?"
)
PRECISION = Decimal("1e-9")


class Quantity(Frozen):
    """A number as said.

    `value` is in base units and `unit` names the base ("second", "byte", "metre", "gram/litre", "1/day", "USD",
    "percent"; None for a bare number). `amount` is the number before its unit was applied: 8 for "8 hours".
    """

    value: Decimal
    unit: str | None
    amount: Decimal
    span: Span
    text: str


class _Found(NamedTuple):
    start: int
    end: int
    amount: Fraction
    unit: Unit | None
    scaled: bool


@remembered
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity in `text`, in order, without overlap.

    Numbers inside identifiers, versions, dates, times of day and code are left out. Both ends of a range are given,
    each in the unit of the range ("11-13 ms"). Times are in seconds, months and years in months; a rate by time is
    given per day or per month. Compound durations ("2 minutes 10 seconds", "0m41s") are one quantity.
    """
    visible = _visible(text)
    found: list[_Found] = []
    position = 0
    while match := NUMBER.search(visible, position):
        one = _read(visible, match)
        if one is None:
            position = match.start() + max(1, len(match[0]) if match["words"] else 1)
            continue
        found.append(one)
        position = one.end
    return tuple(_quantity(text, one) for one in _shared_units(visible, found))


class Amounted(Protocol):
    """What two quantities are compared by."""

    @property
    def value(self) -> Decimal:
        """The number in the base unit."""
        ...

    @property
    def unit(self) -> str | None:
        """The base unit, None without one."""
        ...

    @property
    def amount(self) -> Decimal:
        """The number as said."""
        ...


def same_quantity(a: Amounted, b: Amounted) -> bool:
    """Whether two quantities say the same amount, within one part in 10^9.

    Without a unit on one side its number may be meant in the other's base unit or as said ("28800" and "8 hours" are
    the same, and "49" and "49 euros"); a percentage or a percentage point is never the same as a bare number.
    """
    if a.unit == b.unit:
        return _close(a.value, b.value)
    if a.unit is not None and b.unit is not None:
        return False
    bare, measured = (a, b) if a.unit is None else (b, a)
    if measured.unit in {"percent", "percentage point"}:
        return False
    return _close(bare.value, measured.value) or _close(bare.value, measured.amount)


def _close(left: Decimal, right: Decimal) -> bool:
    return abs(left - right) <= PRECISION * max(abs(left), abs(right))


def _visible(text: str) -> str:
    for spans in (
        code_spans(text),
        tuple(identifier.span for identifier in identifiers(text)),
        tuple(mention.span for mention in dates(text)),
    ):
        text = blanked(text, spans, "_")
    return text


def _quantity(text: str, one: _Found) -> Quantity:
    value = one.amount * one.unit.factor if one.unit else one.amount
    return Quantity(
        value=_decimal(value),
        unit=one.unit.base if one.unit else None,
        amount=_decimal(one.amount),
        span=Span(start=one.start, end=one.end),
        text=text[one.start : one.end],
    )


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _read(text: str, match: re.Match[str]) -> _Found | None:
    duration = DURATION.match(text, match.start("digits")) if match["digits"] else None
    if duration and duration.end() > match.end():
        seconds = sum(
            (Fraction(duration[part] or 0) * size for part, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))),
            start=Fraction(0),
        )
        return _Found(match.start(), duration.end(), seconds, Unit("second", Fraction(1)), scaled=False)
    read = amount_of(text, match)
    if read is None:
        return None
    amount, end, scaled = read
    return _measured(text, match, _Found(match.start(), end, amount, None, scaled))


def _measured(text: str, match: re.Match[str], one: _Found) -> _Found:
    """The number with its unit, rate and the rest of a compound duration."""
    half = AND_A_HALF.match(text, one.end)
    if half and not match["article"]:
        one = one._replace(amount=one.amount + Fraction(1, 2), end=half.end())
    currency = (match["currency"] or "").strip().upper()
    unit: Unit | None = Unit(CURRENCY[currency], Fraction(1)) if currency else None
    end = one.end
    if unit is None:
        # "half an hour", "a quarter of a day"
        article = OF_A.match(text, end) if match["half"] or match["parts"] else None
        said = unit_after(text, article.end() - 1) if article else unit_after(text, end)
        if said:
            unit, end = said
    one = one._replace(unit=unit, end=end)
    if unit and unit.base in TIME:
        one = _with_rest(text, one)
    return _with_rate(text, one) if not match["article"] else one


def _with_rest(text: str, one: _Found) -> _Found:
    """Take in the smaller units that go on, as in `2 minutes 10 seconds` and `13 hours 20`."""
    unit = one.unit
    while unit and one.unit:
        half = AND_A_HALF.match(text, one.end)
        if half:
            return one._replace(amount=one.amount + unit.factor / one.unit.factor / 2, end=half.end())
        chain = CHAIN.match(text, one.end)
        following = NUMBER.match(text, chain.end()) if chain else None
        read = amount_of(text, following) if following else None
        said = unit_after(text, read[1]) if read else None
        if read is None or said is None or said[0].base != one.unit.base or said[0].factor >= unit.factor:
            break
        one = one._replace(amount=one.amount + read[0] * said[0].factor / one.unit.factor, end=said[1])
        unit = said[0]
    rest = BARE_REST.match(text, one.end)
    if rest and unit and one.unit and unit.factor in {3600, 60} and unit.base == "second":
        one = one._replace(
            amount=one.amount + Fraction(rest["rest"]) * unit.factor / 60 / one.unit.factor, end=rest.end()
        )
    return one


def _with_rate(text: str, one: _Found) -> _Found:
    unit, end = one.unit, one.end
    while step := RATE.match(text, end):
        if step["noun"] and unit is not None and step["word"] and step["word"].lower() != "per":
            break
        said = unit_at(text, step.end())
        noun = COUNTED.match(text, step.end()) if said is None and (step["word"] or "").lower() == "per" else None
        if noun:
            said = unit_at(text, noun.end())  # "litres per larva per day"
        if said is None or said[0].base in MONEY | {"percent", "times"}:
            break
        if step["word"] and step["word"].lower() != "per" and (said[0].base not in TIME or AGO.match(text, said[1])):
            break
        unit, end = rate(unit, said[0]), said[1]
    return one._replace(unit=unit, end=end)


def _shared_units(text: str, found: list[_Found]) -> list[_Found]:
    """Bare numbers of a range or list take the unit and magnitude of the number that ends it."""
    shared = found.copy()
    listed = False
    for index in range(len(found) - 2, -1, -1):
        left, right = shared[index], shared[index + 1]
        link = LINK.fullmatch(text, left.end, right.start)
        joins = link is not None and (link["comma"] is None or listed)
        listed = joins and bool(link and (link["and"] or link["comma"]))
        if (
            not joins
            or link is None
            or left.unit not in {None, right.unit}
            or (right.unit is None and not right.scaled)
        ):
            continue
        if left.unit is None and right.unit is not None:
            left = left._replace(unit=right.unit)
        if right.scaled and not left.scaled and (link["dash"] or link["to"]) and 0 < left.amount < 1000:  # noqa: PLR2004
            left = left._replace(amount=left.amount * _scale(right.amount), scaled=True)
        shared[index] = left
    return shared


def _scale(amount: Fraction) -> int:
    return next((power for power in (10**12, 10**9, 10**6, 10**3) if abs(amount) >= power), 1)
