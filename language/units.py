"""Units of measurement: how they are written, and what they are in the base unit of their dimension."""

import re
from fractions import Fraction
from typing import NamedTuple

# Base unit -> {spellings: factor}. Words are matched in any case and with plural s; symbols exactly as written.
# Months are no fixed number of seconds, so calendar spans have their own base.
WORDS: dict[str, dict[str, str]] = {
    "second": {
        "millisecond msec": "1/1000",
        "microsecond": "1/1000000",
        "nanosecond": "1/1000000000",
        "second sec": "1",
        "minute min": "60",
        "hour hr": "3600",
        "day": "86400",
        "week": "604800",
        "fortnight": "1209600",
    },
    "month": {"month": "1", "year yr": "12", "decade": "120"},
    "byte": {
        "byte": "1",
        "kilobyte": "1000",
        "megabyte": "1000000",
        "gigabyte": "1000000000",
        "terabyte": "1000000000000",
        "kibibyte": "1024",
        "mebibyte": "1048576",
        "gibibyte": "1073741824",
    },
    "bit": {"bit": "1", "kilobit kbit": "1000", "megabit mbit": "1000000", "gigabit gbit": "1000000000"},
    "metre": {
        "nanometre nanometer": "1/1000000000",
        "micrometre micrometer micron": "1/1000000",
        "millimetre millimeter": "1/1000",
        "centimetre centimeter": "1/100",
        "metre meter": "1",
        "kilometre kilometer": "1000",
        "mile": "1609344/1000",
        "foot feet": "3048/10000",
        "inch inche": "254/10000",
        "yard": "9144/10000",
    },
    "square metre": {"hectare": "10000", "acre": "40468564224/10000000"},
    "litre": {"millilitre milliliter": "1/1000", "litre liter": "1", "gallon": "3785411784/1000000000"},
    "gram": {
        "microgram": "1/1000000",
        "milligram": "1/1000",
        "gram gramme": "1",
        "kilogram kilogramme kilo": "1000",
        "tonne": "1000000",
        "ounce": "28349523125/1000000000",
    },
    "mole": {"micromole": "1/1000000", "millimole": "1/1000", "mole": "1"},
    "EUR": {"euro": "1"},
    "USD": {"dollar": "1"},
    "GBP": {"pound": "1"},
    "percent": {"percent pct": "1"},
    "percentage point": {},
    "watt": {"watt": "1", "kilowatt": "1000", "megawatt": "1000000"},
    "degree celsius": {},
    "times": {},
    "hertz": {"hertz": "1", "kilohertz": "1000", "megahertz": "1000000", "gigahertz": "1000000000"},
}
SYMBOLS: dict[str, dict[str, str]] = {
    "second": {"ns": "1/1000000000", "µs μs us": "1/1000000", "ms": "1/1000", "s": "1", "h hrs": "3600", "d": "86400"},
    "month": {"yrs": "12"},
    "byte": {
        "B": "1",
        "kB KB kb": "1000",
        "MB Mb mb": "1000000",
        "GB Gb gb": "1000000000",
        "TB tb": "1000000000000",
        "PB": "1000000000000000",
        "KiB": "1024",
        "MiB": "1048576",
        "GiB": "1073741824",
        "TiB": "1099511627776",
    },
    "bit/day": {"bps": "86400", "kbps Kbps": "86400000", "Mbps": "86400000000", "Gbps": "86400000000000"},
    "metre": {
        "nm": "1/1000000000",
        "µm μm um": "1/1000000",
        "mm": "1/1000",
        "cm": "1/100",
        "m": "1",
        "km": "1000",
        "ft": "3048/10000",
    },
    "square metre": {"m² m2 m^2 sqm": "1", "km² km2": "1000000", "cm² cm2": "1/10000", "ha": "10000"},
    "litre": {"l L": "1", "ml mL": "1/1000", "µl μl µL μL": "1/1000000", "m³ m3 m^3": "1000"},
    "gram": {
        "µg μg ug": "1/1000000",
        "mg": "1/1000",
        "g": "1",
        "kg": "1000",
        "t": "1000000",
        "lb lbs": "45359237/100000",
        "oz": "28349523125/1000000000",
    },
    "mole": {"mol": "1", "mmol": "1/1000", "µmol μmol umol": "1/1000000"},
    "EUR": {"€ EUR": "1"},
    "USD": {"$ US$ USD": "1"},
    "GBP": {"£ GBP": "1"},
    "JPY": {"¥ JPY": "1"},
    "CHF": {"CHF": "1"},
    "percent": {"%": "1", "‰": "1/10"},
    "percentage point": {"pp ppt": "1"},
    "watt": {"W": "1", "kW": "1000", "MW": "1000000"},
    "watt hour": {"Wh": "1", "kWh": "1000", "MWh": "1000000"},
    "degree celsius": {"°C": "1"},
    "times": {"x ×": "1"},
    "hertz": {"Hz": "1", "kHz": "1000", "MHz": "1000000", "GHz": "1000000000"},
    "part per million": {"ppm": "1"},
}
# Units of more than one word.
PHRASES: dict[str, tuple[str, str]] = {
    r"percentage[ -]points?": ("percentage point", "1"),
    r"%[ -]?points?": ("percentage point", "1"),
    r"per[ ]cent(?:age)?[ ]points?": ("percentage point", "1"),
    r"per[ ]cent": ("percent", "1"),
    r"(?:square|sq\.?)[ ]met(?:re|er)s?": ("square metre", "1"),
    r"(?:square|sq\.?)[ ](?:kilomet(?:re|er)s?|km)": ("square metre", "1000000"),
    r"cubic[ ]met(?:re|er)s?": ("litre", "1000"),
    r"(?:US|U\.S\.)[ ]dollars?": ("USD", "1"),
    r"(?:business|working|calendar)[ ]days?": ("second", "86400"),
    r"degrees?(?:[ ](?:celsius|centigrade|C))?": ("degree celsius", "1"),
    r"times": ("times", "1"),
}
CURRENCY = {
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "USD": "USD",
    "EUR": "EUR",
    "GBP": "GBP",
    "CHF": "CHF",
    "JPY": "JPY",
}
MONEY = frozenset(CURRENCY.values())
TIME = frozenset({"second", "month"})
SECONDS_PER_DAY = 86400


class Unit(NamedTuple):
    """A unit: its base unit's name, and how many base units it is."""

    base: str
    factor: Fraction


def _spelled(table: dict[str, dict[str, str]]) -> dict[str, Unit]:
    return {
        spelling: Unit(base, Fraction(factor))
        for base, spellings in table.items()
        for names, factor in spellings.items()
        for spelling in names.split()
    }


BY_WORD = _spelled(WORDS)
BY_SYMBOL = _spelled(SYMBOLS)
BY_PHRASE = tuple(
    (re.compile(pattern, re.IGNORECASE), Unit(base, Fraction(f))) for pattern, (base, f) in PHRASES.items()
)
NOT_FOLLOWED = r"(?![A-Za-z0-9_µ²³])"


def _alternatives(names: dict[str, Unit]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


SYMBOL = re.compile(rf"(?:{_alternatives(BY_SYMBOL)}){NOT_FOLLOWED}")
WORD = re.compile(rf"(?P<word>{_alternatives(BY_WORD)})s?{NOT_FOLLOWED}", re.IGNORECASE)
PHRASE = re.compile(rf"(?:{'|'.join(PHRASES)}){NOT_FOLLOWED}", re.IGNORECASE)


def unit_at(text: str, position: int) -> tuple[Unit, int] | None:
    """The unit that is written at `position`, and where it ends; None when there is none."""
    phrase = PHRASE.match(text, position)
    if phrase:
        unit = next(unit for pattern, unit in BY_PHRASE if pattern.fullmatch(phrase[0]))
        return unit, phrase.end()
    symbol = SYMBOL.match(text, position)
    if symbol:
        return BY_SYMBOL[symbol[0]], symbol.end()
    word = WORD.match(text, position)
    if word:
        return BY_WORD[word["word"].lower()], word.end()
    return None


def rate(numerator: Unit | None, denominator: Unit) -> Unit:
    """`numerator` (None for a bare count) for each `denominator`; seconds become days, which divide exactly."""
    base, factor = denominator
    if base == "second":
        base, factor = "day", factor / SECONDS_PER_DAY
    above = numerator or Unit("1", Fraction(1))
    return Unit(f"{above.base}/{base}", above.factor / factor)
