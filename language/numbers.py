"""Numbers with their units, in digits and in words."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Protocol

from dissolution.values import Frozen, Span
from language.dates import dates
from language.identifiers import identifiers
from language.masks import blanked, code_spans
from language.remembered import remembered
from language.units import CURRENCY, MONEY, TIME, Unit, rate, unit_at

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
SMALL = {word: number for number, word in enumerate(_SMALL.split())}
TENS = {
    word: 10 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
POWERS = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SUFFIXES = {
    "k": 1000,
    "K": 1000,
    "M": 10**6,
    "mn": 10**6,
    "mio": 10**6,
    "m": 10**6,
    "bn": 10**9,
    "B": 10**9,
    "b": 10**9,
}
HALVES = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
    "⅛": Fraction(1, 8),
    "half": Fraction(1, 2),
}
TIMES_OVER = {"once": 1, "twice": 2, "thrice": 3}
_NUMBER_WORD = "|".join(sorted((*SMALL, *TENS, *POWERS), key=len, reverse=True))
# A separator counts only before exactly three digits; at most 30 digits, so that hostile numerals stay cheap.
_DIGITS = (
    r"\d{1,3}(?:,\d{3}){1,9}(?!\d|,\d|\.\d+,\d)(?:\.\d{1,15}(?!\d))?"
    r"|\d{1,3}(?:[\u202f\u00a0\u2009'’]\d{3}){1,9}(?!\d)(?:\.\d{1,15}(?!\d))?"
    r"|\d{1,3}(?:\.\d{3}){1,9},\d{1,2}(?!\d)|\d{1,15},\d{1,2}(?!\d|,\d)|\d{1,30}(?:\.\d{1,30})?(?!\d)"
    r"|(?<!\d)\.\d{1,30}(?!\d)"
)
NUMBER = re.compile(
    rf"""(?:
      (?=[\d.+\-\u2212$€£¥UEGCJ])  # where digits, a sign or a currency may begin: most places are told by this alone
      (?:(?<![\w)\].,%])(?P<sign>[+\-\u2212]))?(?P<currency>US\$|[$€£¥]|(?:\b(?:USD|EUR|GBP|CHF
      |JPY)[ ]))?(?<![\w.])(?P<digits>{_DIGITS})
        (?P<exponent>[eE][+-]?\d{{1,2}}(?!\w))?(?P<fraction>[½⅓⅔¼¾⅛])?(?P<suffix>(?:bn|mn|mio|[kKMBmb])(?!\w))?
    | (?P<glyph>[½⅓⅔¼¾⅛])
    | (?<![\w-])(?=[a-z])(?:
      (?P<parts>(?:(?P<part>one|two|three|a)[ -](?P<whole>thirds?|quarters?|half|halves))(?!\w))
    | (?P<words>(?:(?:an?[ ](?=hundred|thousand|million|billion))?(?:{_NUMBER_WORD})(?!\w))(?:(?:[ -]
    |[ ]and[ ])(?:{_NUMBER_WORD})(?!\w)){{0,12}})
    | (?P<dozen>(?:(?P<dozens>an?|two|three|four|five|half[ ]an?)[ ])dozen)(?!\w)
    | (?P<half>half)(?=[ -](?:an?|the|of|hour|day|year|month|minute|second|percent|per[ ]cent|its
    |their|our|as)(?!\w))
    | (?P<often>once|twice|thrice)(?=[ ](?:an?|per|every|each)[ ])
    | (?P<article>[Aa]n?)(?=[ ](?:minute|hour|day|week|fortnight|month|year|decade)(?!\w))
    ))""",
    re.VERBOSE | re.IGNORECASE,
)
MAGNITUDE = re.compile(r"[ \u00a0-](?P<power>hundred|thousand|million|billion|trillion|bn|mn)(?!\w)", re.IGNORECASE)
UNIT_GAP = re.compile(r"[ \u00a0\u202f]|-(?=[A-Za-z])|[ ]?(?=[%‰])")
# "one" is a number before a noun, and a pronoun otherwise: "no one", "this one", "one of them", "one is".
BEFORE_PRONOUN = re.compile(
    r"\b(?:no|this|that|the|each|every|any|which|another|some|only|old|new|first|last|next|other|same|small"
    r"|large|right|wrong|good|bad)[ ]$",
    re.IGNORECASE,
)
AFTER_PRONOUN = re.compile(
    r"(?:[^\w \u00a0-]|$|-|[ ](?:of|is|was|are|has|had|who|that|which|can|could|will|would|may|might|must"
    r"|should|more|in|on|at|for|to|from|with|by|and|"
    r"or|but|as|if|the|a|an|does|did|do|never|always|cannot|another|we|i|you|it|they|one|thing)\b)",
    re.IGNORECASE,
)
ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)")
LOOK_BEHIND = 16
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
    read = _amount_of(text, match)
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
        said = _unit_after(text, article.end() - 1) if article else _unit_after(text, end)
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
        read = _amount_of(text, following) if following else None
        said = _unit_after(text, read[1]) if read else None
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


def _amount_of(text: str, match: re.Match[str]) -> tuple[Fraction, int, bool] | None:
    """The number, where it ends, and whether a magnitude (thousand, k, M) was part of it."""
    if match["words"]:
        return _from_words(text, match)
    if match["digits"]:
        return _from_digits(text, match)
    if match["parts"]:
        return _from_parts(text, match)
    if match["dozen"]:
        dozens = match["dozens"].lower()
        count = Fraction(1, 2) if dozens.startswith("half") else Fraction(SMALL.get(dozens, 1))
        return 12 * count, match.end(), False
    said = match[0].lower()
    return HALVES.get(said, Fraction(TIMES_OVER.get(said, 1))), match.end(), False


def _from_parts(text: str, match: re.Match[str]) -> tuple[Fraction, int, bool] | None:
    whole, count = match["whole"].lower(), {"a": 1, "one": 1, "two": 2, "three": 3}[match["part"].lower()]
    if count == 1 and not text.startswith(" of", match.end()):
        return None  # "a third attempt", "one half-open range"
    return Fraction(count, {"t": 3, "q": 4, "h": 2}[whole[0]]), match.end(), False


def _from_digits(text: str, match: re.Match[str]) -> tuple[Fraction, int, bool] | None:
    digits = match["digits"]
    if ORDINAL.match(text, match.end("digits")):
        return None
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d{1,2}|\d+,\d{1,2}", digits):
        digits = digits.replace(".", "").replace(",", ".")  # decimal comma
    amount = Fraction(re.sub(r"[^\d.]", "", digits))
    if match["exponent"]:
        amount *= Fraction(10) ** int(match["exponent"][1:])
    if match["fraction"]:
        amount += HALVES[match["fraction"]]
    if match["sign"] in {"-", "\u2212"}:
        amount = -amount
    end, suffix = match.end(), match["suffix"]
    if suffix and (suffix not in {"m", "b"} or match["currency"]):
        return amount * SUFFIXES[suffix if suffix in SUFFIXES else suffix.lower()], end, True
    if suffix:
        end -= len(suffix)  # a unit, not a million
    magnitude = MAGNITUDE.match(text, end)
    if magnitude:
        power = magnitude["power"].lower()
        return amount * (POWERS.get(power) or SUFFIXES[power]), magnitude.end(), True
    return amount, end, False


def _from_words(text: str, match: re.Match[str]) -> tuple[Fraction, int, bool] | None:
    tokens = [(m[0].lower(), m.end()) for m in re.finditer(r"[A-Za-z]+", match["words"])]
    total, current, end, last = 0, 0, 0, ""
    for word, stop in tokens:
        if word in {"a", "an", "and"}:
            continue
        if word in POWERS:
            current = (current or 1) * POWERS[word]
            if word != "hundred":
                total, current = total + current, 0
        elif last in SMALL or (last in TENS and not 0 < SMALL.get(word, 0) < 10):  # noqa: PLR2004 - twenty-one to ninety-nine
            break  # two numbers side by side: "three five-minute tests"
        else:
            current += SMALL.get(word, TENS.get(word, 0))
        end, last = stop, word
    stop = match.start("words") + end
    if match["words"][:end].lower() == "one" and _is_pronoun(text, match.start(), stop):
        return None
    return Fraction(total + current), stop, total > 0


def _is_pronoun(text: str, start: int, end: int) -> bool:
    if re.match(r"[ -](?:hundred|thousand|million)", text[end : end + 10]) or _unit_after(text, end) is not None:
        return False
    return bool(BEFORE_PRONOUN.search(text, max(0, start - LOOK_BEHIND), start) or AFTER_PRONOUN.match(text, end))


def _unit_after(text: str, end: int) -> tuple[Unit, int] | None:
    """The unit that follows a number ending at `end`, with or without a space or hyphen, and where it ends."""
    gap = UNIT_GAP.match(text, end)
    return (unit_at(text, gap.end()) if gap else None) or unit_at(text, end)
