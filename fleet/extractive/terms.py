"""Words that carry content, and the values (numbers, codes, names) a sentence states."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wording.words import STOPWORDS, stem, words

# Talk about talking and fillers: common in speech, and never what it is about.
_TALK = """
    okay ok right um uh hmm mm oh ah er know think mean want make put say said see go goes going gone thing things
    something anything nothing everything actually basically gonna wanna dunno anyway though really please maybe bit lot
    kind sort sure one way use get let lets come came take took well yeah
"""
IGNORED = STOPWORDS | frozenset(_TALK.split())

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)

# What a value looks like: a date, a number with its unit sign, a clock time, a code with a digit, a snake_case or
# camelCase identifier, a path, an all-capital abbreviation.
VALUE = re.compile(
    rf"""
    \b\d{{1,2}}(?:st|nd|rd|th)?\s{MONTH}\b | \b{MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s?\d)    # 12 January, May 3
    | \b\d{{1,2}}(?:st|nd|rd|th)\b                                                     # 20th
    | (?:[€$£]\s?)?\d[\d,.:/]*\d(?:\s?%)? | (?:[€$£]\s?)?\d(?:\s?%)?           # 1,200  15:20  2.3.8  38  5 %
    | \b[A-Za-z]+(?:-[A-Za-z]+)*[-_]?\d\w*(?:[.-]\w+)*  # r418 web-a3
    | \b[A-Za-z]+(?:_[A-Za-z0-9]+)+ | \b[a-z]+[A-Z]\w* | (?<!\w)/[\w./-]{{3,}}  # snake_case  camelCase  /path
    | \b[A-Z]{{2,}}(?:-[A-Z0-9]+)*\b                                           # CFO  VAT
    """,
    re.VERBOSE,
)

# A name: a capitalised word that does not open the sentence.
NAME = re.compile(r"(?<=[\w,;:] )(?!I\b|I['’])[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")

_NUMBERS = """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen eighteen twenty thirty
    forty fifty sixty seventy eighty ninety hundred thousand million half dozen percent
"""
NUMBER_WORDS = frozenset(_NUMBERS.split())

# Scripts written without spaces between words: Thai, Lao, Khmer, kana, Han.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def terms(text: str) -> tuple[str, ...]:
    """The content words of `text`, stemmed, in order, repeats kept; pairs of characters where words are not spaced."""
    found: list[str] = []
    for word in words(text):
        bare = word.removesuffix("'s")
        if UNSPACED.search(bare):
            found.extend(bare[start : start + 2] for start in range(len(bare) - 1))
        elif len(bare) > 1 and word not in IGNORED and bare not in IGNORED:
            found.append(stem(bare))
    return tuple(found)


def values(text: str) -> frozenset[str]:
    """Numbers, times, codes, identifiers and abbreviations stated in `text`, lower case."""
    found = {match.group().rstrip(" .,:;/").lower() for match in VALUE.finditer(text)}
    return frozenset(found) | (NUMBER_WORDS & set(words(text)))


def names(text: str) -> frozenset[str]:
    """Capitalised names inside `text`, lower case; a sentence's first word is no evidence of one."""
    return frozenset(match.group().lower() for match in NAME.finditer(text))


@dataclass(frozen=True)
class Slot:
    """A value with its unit: date, time or percent, a code's shape (us-east-2: a-a-9), the word after a number."""

    value: str
    unit: str


def slots(text: str) -> tuple[Slot, ...]:
    """The values of `text` in order, each with its unit; numbers without a word after them have the unit "number"."""
    found: list[Slot] = []
    for match in VALUE.finditer(text):
        value = match.group().rstrip(" .,:;/").lower()
        found.append(Slot(value=value, unit=_unit(value, text[match.end() :])))
    return tuple(found)


def _unit(value: str, rest: str) -> str:
    if re.search(r"[^\W\d_]{3}", value) and " " in value:
        return "date"
    if re.fullmatch(r"\d{1,2}:\d\d", value):
        return "time"
    if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", value):
        return "date"
    if value.endswith("%"):
        return "percent"
    if re.search(r"[^\W\d]", value):
        return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", value))
    following = re.match(r"[\s-]?([^\W\d_]+)", rest)
    return stem(following.group(1).lower()) if following and following.group(1).lower() not in IGNORED else "number"


def jaccard(left: Sequence[str] | frozenset[str], right: Sequence[str] | frozenset[str]) -> float:
    """Size of the intersection over size of the union of two word sets, 0..1; 0 when both are empty."""
    first, second = frozenset(left), frozenset(right)
    union = first | second
    return len(first & second) / len(union) if union else 0.0
