"""Marks around a statement's own words: bullets, emphasis, turn references and the word for an empty section."""

import re

from dissolution.conversation import TurnNumber
from dissolution.values import Frozen
from prompts.headings import fold

MAX_RANGE = 500
"""Most turns that one reference "turns 3-9" may stand for; a longer one is a slip or an attack on memory."""

MAX_NONE_CHARS = 60

MAX_TURN = 1_000_000
"""No conversation is longer; larger numbers in a reference are no turns."""

# Bullets: typographic ones, dashes, check marks and arrows; numbers and letters as "1.", "1)", "(a)"; then an optional
# check box. A space must follow, so that "*emphasis*", "-5" and "1.5" are no bullets.
BULLET = re.compile(
    r"(?:[-*+\u2022\u2023\u25aa\u25cf\u25e6\u25cb\u25a0\u00b7\u2013\u2014\u27a4\u2192\u00bb\u2713\u2714\u2705]"
    r"|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])[ \t\u00a0]+(?:\[[ xX]\][ \t]+)?"
)

# The word "turn" in the languages of the headings; "T7" and "#7" are how terse writers put it.
_TURN_WORD = r"(?:turns?|runden?|beitr(?:ag|\u00e4ge)|tours?|turnos?|turni|beurten?|msgs?|messages?|t\.?|#)"
_NUMBERS = r"[\d\s,;&#\u2013\u2014-]|and|und|et|y|to|bis|through|turns?|T(?=\d)"
_WORDED_REF = re.compile(rf"[\[(]\s*{_TURN_WORD}\s*(?=\d)(?P<body>(?:{_NUMBERS}){{1,2000}})[\])]", re.IGNORECASE)
_BARE_REF = re.compile(r"\[\s*(?=\d)(?P<body>[\d\s,;\u2013-]{1,2000})\]")
_RANGE = re.compile(r"(\d{1,9})\s*(?:-|\u2013|\u2014|to|bis|through)\s*#?(\d{1,9})|(\d+)", re.IGNORECASE)
_SAID = re.compile(
    r"\[\s*said\s*:?\s*(?:[\"\u201c](?P<quoted>.{1,2000}?)[\"\u201d]|(?P<bare>[^\[\]\"\u201c]{1,2000}))\s*\](?=\s*(?:\[|\.?\s*$))",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN = re.compile(r"[\"\u201d]\s*[,;]\s*[\"\u201c]")
_QUOTES = " \t\r\n\"'\u201c\u201d\u2018\u2019"
SENTENCE_END = frozenset(".!?\u2026\u3002\uff1f\uff01")
_TAIL_CHARS = 2050

_EMPHASIS = ("***", "___", "**", "__", "*", "_")

# What members write under a heading that has nothing to say, in the languages of the headings.
_NONE_LIST = """
    none; nothing; n/a; na; nil; empty; not applicable; none so far; none yet; none stated; none known; nothing
    yet; nothing open; nothing is open; no open questions; nothing decided; nothing is decided; no decisions;
    none identified; keine; keiner; keines; nichts; entfallt; nichts offen; aucun; aucune; rien; neant; sans
    objet; ninguno; ninguna; nada; ningun; nessuno; nessuna; niente; nulla; nenhum; nenhuma; geen; niets; 无; 無;
    なし; нет
"""
_NONE_WORDS = frozenset(" ".join(each.split()) for each in _NONE_LIST.split(";"))


class Reference(Frozen):
    """Turn references taken off a statement."""

    turns: tuple[TurnNumber, ...] = ()
    problems: tuple[str, ...] = ()


NO_REFERENCE = Reference()


def is_none(text: str) -> bool:
    """Whether a whole item only says that there is nothing."""
    return len(text) <= MAX_NONE_CHARS and fold(text).strip(" .!()[]*_-\u2013\u2014") in _NONE_WORDS


def unwrapped(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without surrounding space and without emphasis marks that hold the whole of it."""
    while True:
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        mark = next((each for each in _EMPHASIS if _wraps(text, start, end, each)), None)
        if mark is None:
            return start, end
        start, end = start + len(mark), end - len(mark)


def _wraps(text: str, start: int, end: int, mark: str) -> bool:
    if end - start <= 2 * len(mark) or not (text.startswith(mark, start) and text.endswith(mark, start, end)):
        return False
    # "**Deadline** is **15 March**" is emphasis of two words, not of the whole; "__init__" is a name.
    inner_start, inner_end = start + len(mark), end - len(mark)
    inside = text.find(mark[0], inner_start, inner_end)
    spaced = text[inner_start].isspace() or text[inner_end - 1].isspace()
    return inside == -1 and not spaced and not (mark[0] == "_" and " " not in text[start:end])


def trailing_reference(text: str, start: int, end: int, through: int | None) -> tuple[int, Reference]:
    """Take turn references off the end of a range.

    Accepted: `[turns 7, 22]`, `(turn 7)`, `[T7; T22]`, `[turns 3-5]`, each before or after the full stop, and bare
    numbers `[7, 22]` only after a sentence has ended (elsewhere they may be words of the statement).

    Returns:
        The end of the statement's own words, and what was read. The statement keeps its full stop only if the
        reference stood after it.
    """
    stop = end
    # "… 15 March [turns 7, 22]." : look behind the full stop for the bracket.
    while stop > start and (text[stop - 1] in ".;" or text[stop - 1].isspace()):
        stop -= 1
    if stop == start or text[stop - 1] not in "])":
        return end, NO_REFERENCE
    window = max(start, stop - _TAIL_CHARS)
    opening = max(text.rfind("[", window, stop), text.rfind("(", window, stop))
    if opening == -1:
        return end, NO_REFERENCE
    match = _WORDED_REF.fullmatch(text, opening, stop)
    own_end = opening
    while own_end > start and text[own_end - 1].isspace():
        own_end -= 1
    if match is None and own_end > start and text[own_end - 1] in SENTENCE_END:
        match = _BARE_REF.fullmatch(text, opening, stop)
    if match is None or own_end == start:
        return end, NO_REFERENCE
    return own_end, read_turns(match["body"], through)


def without_words(text: str) -> tuple[str, tuple[str, ...]]:
    """A statement without the words that a member copied for it, `[said: "…"]` among its other brackets, and these.

    Returns:
        The text, and the copied words in order, without the quotation marks around them.
    """
    found: list[str] = []
    for match in _SAID.finditer(text):
        given = match["quoted"] or match["bare"] or ""
        found += [words for piece in _BETWEEN.split(given) if (words := piece.strip(_QUOTES))]
    return (_SAID.sub("", text).rstrip() if found else text), tuple(found)


def leading_reference(text: str, start: int, end: int, through: int | None) -> tuple[int, Reference]:
    """Take a turn reference off the beginning of a range: in prose it belongs to the sentence before."""
    match = _WORDED_REF.match(text, start, end) or _BARE_REF.match(text, start, end)
    if match is None:
        return start, NO_REFERENCE
    return match.end(), read_turns(match["body"], through)


def read_turns(body: str, through: int | None) -> Reference:
    """Turn numbers in the order given; ranges are written out. Those outside 1..through become problems."""
    turns: list[int] = []
    problems: list[str] = []
    for match in _RANGE.finditer(body):
        first, last = int((match[1] or match[3])[:9]), int((match[2] or match[3])[:9])
        if not first <= last < first + MAX_RANGE:
            problems.append(f"turn_range: {first}-{last}")
            continue
        for number in range(first, last + 1):
            if is_turn(number, through):
                turns.append(number)
            else:
                problems.append(f"turn_out_of_range: {number}")
    return Reference(turns=tuple(turns), problems=tuple(problems))


def is_turn(number: int, through: int | None) -> bool:
    """Whether a turn of this number can exist in a snapshot that ends with turn `through`."""
    return 1 <= number <= (MAX_TURN if through is None else through)
