"""Numbers as they are written: digits with separators, signs and suffixes, and number words."""

import re
from fractions import Fraction

from language.units import Unit, unit_at

SMALL = {
    name: number
    for number, name in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
TENS = {
    name: 10 * n
    for n, name in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2)
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


def amount_of(text: str, match: re.Match[str]) -> tuple[Fraction, int, bool] | None:
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
    if re.match(r"[ -](?:hundred|thousand|million)", text[end : end + 10]) or unit_after(text, end) is not None:
        return False
    return bool(BEFORE_PRONOUN.search(text, max(0, start - LOOK_BEHIND), start) or AFTER_PRONOUN.match(text, end))


def unit_after(text: str, end: int) -> tuple[Unit, int] | None:
    """The unit that follows a number ending at `end`, with or without a space or hyphen, and where it ends."""
    gap = UNIT_GAP.match(text, end)
    return (unit_at(text, gap.end()) if gap else None) or unit_at(text, end)
