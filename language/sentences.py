"""Where sentences begin and end."""

import re

from dissolution.values import Span
from language.masks import INLINE_CODE, blanked, fenced_spans
from language.words import STOPWORDS, word_set

# Never end a sentence: what they announce always follows.
ABBREVIATIONS = word_set("""
    mr mrs ms mx dr prof st rev hon gen col lt sgt sen rep gov e.g eg i.e ie cf vs viz ca approx resp incl excl esp
""")
# Abbreviate only before a number: "No. 5", "Fig. 3"; "No. I said" ends a sentence.
BEFORE_NUMBER = word_set("""
    no nos nr fig figs eq eqs sec vol ch art app p pp par v ver tab ex
""")
# End a sentence only when a capital follows: "at 5 p.m. The", "etc. and".
BEFORE_SMALL = word_set("""
    etc inc ltd co corp jr sr al a.m p.m u.s u.k e.u min max hr hrs est dept avg temp jan feb mar apr jun jul aug
    sep sept oct nov dec jän mär mrz okt dez mon tue tues wed thu thur thurs fri sat sun
""")

# German writes the day of a month with a full stop. Months that English writes alike need a year or a German word.
_MONTH = r"(?:Januar|Jänner|Februar|Feber|März|Mai|Juni|Juli|Oktober|Dezember|Jän|Mär|Mrz|Okt|Dez)(?!\w)"
_MONTH_OF_BOTH = r"(?:April|August|September|November|Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Nov)(?!\w)"
_YEAR = r"(?:19|20|21)\d\d(?!\w)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
MONTH_AFTER_DAY = re.compile(rf"{_MONTH}|{_MONTH_OF_BOTH}\.? {_YEAR}|{_MONTH_NUMBER}\.(?=$|[\s,;:)])")
GERMAN_DAY = re.compile(
    rf"\b(?:am|vom|zum|dem|den|der|ab|bis|seit|und|oder|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|Sonnabend)"
    rf",? {_DAY}$",
    re.IGNORECASE,
)
DAY = re.compile(rf"(?<![\w.,:/-]){_DAY}$")
DAY_AND_MONTH = re.compile(rf"(?<![\w.,:/-]){_DAY}\. ?{_MONTH_NUMBER}$")
LONGEST_DAY = 24  # characters looked at before the stop

# Bullets, numbering, quote marks of a mail and heading hashes at the start of a line are layout, not words.
LAYOUT = re.compile(
    r"[ \t]*(?:(?:>|#{1,6}|[-*+•‣◦–—]|"
    rf"(?!{_DAY}\.[ ](?:{_MONTH}|{_MONTH_OF_BOTH}\.?[ ]{_YEAR}|{_MONTH_NUMBER}\.[ ]?{_YEAR}))"
    r"\(?(?:\d{1,3}|[a-z])[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?"
)
STARTS_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦–—>#|]|\(?(?:\d{1,3}|[a-z])[.)][ \t])")
LINE = re.compile(r"[^\n\r\u2028\u2029]+")
# Punctuation that may end a sentence, with what closes around it; wide stops need no space after them.
STOP = re.compile(
    r"(?P<stop>[.!?…]+)(?P<close>[\"'”’»)\]*_]*)(?=\s|$)|(?P<wide>[\u3002\uff01\uff1f]+[\u300d\u300f”’\uff09]*)"
)
LAST_TOKEN = re.compile(r"[\w.'’-]+$")
WRAPPED_LENGTH = 40  # shorter lines are broken on purpose (lists, verse, logs), not wrapped at a margin
LONGEST_ABBREVIATION = 24


def sentence_spans(text: str) -> tuple[Span, ...]:
    """The sentences of `text` as trimmed spans in order, in code points, never overlapping.

    A fenced code block is one span. Line breaks end a sentence unless a long line goes on in lower case on the next
    one (text wrapped at a margin). Bullets, numbering and heading marks stand outside the spans, and stretches without
    a letter or digit (rules, lone punctuation) have none.
    """
    spans: list[Span] = []
    position = 0
    for fence in fenced_spans(text):
        spans.extend(_prose(text, position, fence.start))
        spans.append(fence)
        position = fence.end
    spans.extend(_prose(text, position, len(text)))
    return tuple(spans)


def _prose(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    for first, last in _runs(text, start, end):
        spans.extend(_split(text, first, last))
    return spans


def _runs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Lines, with lines that were wrapped at a margin joined."""
    runs: list[tuple[int, int]] = []
    line_start = start
    for line in LINE.finditer(text, start, end):
        if runs and _goes_on(text, line_start, runs[-1][1], line):
            runs[-1] = (runs[-1][0], line.end())
        else:
            runs.append(line.span())
        line_start = line.start()
    return runs


def _goes_on(text: str, line_start: int, line_end: int, following: re.Match[str]) -> bool:
    gap = text[line_end : following.start()]
    before = text[line_start:line_end].rstrip()
    after = following[0].lstrip()
    return (
        gap in {"\n", "\r\n"}
        and len(before) >= WRAPPED_LENGTH
        and (before[-1].isalnum() or before[-1] in ",-–—)'’\"”")
        and after[:1].islower()
        and not STARTS_ITEM.match(following[0])
    )


def _split(text: str, start: int, end: int) -> list[Span]:
    layout = LAYOUT.match(text, start, end)
    first = layout.end() if layout else start
    run = text[first:end]
    # Stops inside inline code are not the sentence's.
    visible = blanked(run, [Span(start=m.start(), end=m.end()) for m in INLINE_CODE.finditer(run)], "x")
    spans: list[Span] = []
    begin = 0
    for stop in STOP.finditer(visible):
        if stop.end() < len(visible) and _ends(visible, begin, stop):
            _add(spans, run, first, begin, stop.end())
            begin = stop.end()
    _add(spans, run, first, begin, len(run))
    return spans


def _add(spans: list[Span], run: str, offset: int, begin: int, end: int) -> None:
    piece = run[begin:end]
    if any(character.isalnum() for character in piece):
        left = len(piece) - len(piece.lstrip())
        spans.append(Span(start=offset + begin + left, end=offset + begin + len(piece.rstrip())))


def _ends(visible: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether this punctuation ends the sentence that began at `begin`."""
    if stop["wide"]:
        return True
    after = visible[stop.end() : stop.end() + 60].lstrip().lstrip("\"'“‘«([*_`")
    following = after[:1]
    if stop["close"].strip("*_"):
        # "(!)" belongs to its sentence, and so does a quotation that goes on: "Really?" he asked.
        opened = visible[stop.start() - 1 : stop.start()] in {"(", "["}
        return not opened and not following.islower()
    if stop["stop"] == ".":
        return _full_stop_ends(visible, begin, stop.start(), after)
    if set(stop["stop"]) <= {".", "…"}:
        return not following.islower() and not following.isdigit() and following != ""
    return True


def _full_stop_ends(visible: str, begin: int, position: int, after: str) -> bool:
    match = LAST_TOKEN.search(visible, max(begin, position - LONGEST_ABBREVIATION), position)
    token = match[0] if match else ""
    following = after[:1]
    lowered = token.lower()
    if lowered in ABBREVIATIONS or (lowered in BEFORE_NUMBER and following.isdigit()):
        return False
    if token[:1].isdigit() and _is_german_date(visible[max(begin, position - LONGEST_DAY) : position], after):
        return False
    if lowered in BEFORE_SMALL or (token[:1].isdigit() and token.replace(".", "").isdigit()):
        return not following.islower() and not (following.isdigit() and lowered in BEFORE_SMALL)
    if len(token) == 1 and token.isupper():
        return not _is_initial(visible, begin, position - 1, after)
    return True


def _is_german_date(before: str, after: str) -> bool:
    """Whether a full stop stands inside a date: "am 14. Juni", "14. 6. 2026"."""
    if DAY_AND_MONTH.search(before) and re.match(_YEAR, after):
        return True
    if not DAY.search(before):
        return False
    return MONTH_AFTER_DAY.match(after) is not None or (
        re.match(_MONTH_OF_BOTH, after) is not None and GERMAN_DAY.search(before) is not None
    )


def _is_initial(visible: str, begin: int, position: int, after: str) -> bool:
    """Whether the capital at `position` abbreviates a given name: "J. Smith", "John F. Kennedy", not "Route A. The"."""
    following = re.match(r"[\w'’]+", after)
    if following is None or not after[:1].isupper() or following[0].lower() in STOPWORDS:
        return False
    before = visible[max(begin, position - LONGEST_ABBREVIATION) : position].split()
    return not before or before[-1][:1].isupper() or not before[-1][-1:].isalnum()
