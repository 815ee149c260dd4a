"""Finding the words a member quotes: tolerant in the search, verbatim in what is kept."""

import re

from dissolution.claims import Evidence
from dissolution.conversation import Snapshot, Turn

SHORTEST = 8  # characters without spaces; shorter quotes ("no", "12") stand everywhere and prove nothing
LONGEST = 2000  # characters; nobody quotes more, and the search stays quick
DOUBLE, SINGLE, DASH = '"\u201c\u201d\u201e\u00ab\u00bb', "'\u2018\u2019\u201a`", "-\u2013\u2014"
"""Marks that mean the same: straight and typographic quotation marks, hyphen and dashes."""

SAME = {mark: f"[{re.escape(marks)}]" for marks in (DOUBLE, SINGLE, DASH) for mark in marks}
ELLIPSIS = re.compile(r"\[?\.\.\.\]?|\[?…\]?")
EDGES = f" \t\r\n\u00a0*_.,;:()[]{DOUBLE}{SINGLE}"


def _pattern(quote: str) -> re.Pattern[str] | None:
    """The quote with any run of spaces, any style of quotation mark and dash, in any case; None when it is no use."""
    bare = quote.strip(EDGES)
    if len("".join(bare.split())) < SHORTEST or len(bare) > LONGEST:
        return None
    words = ("".join(SAME.get(mark) or re.escape(mark) for mark in word) for word in bare.split())
    return re.compile(r"\s+".join(words), re.IGNORECASE)


def locate(quote: str, snapshot: Snapshot, cited: tuple[int, ...] = ()) -> Evidence | None:
    """Where a quote stands: in the cited turns first, then in the earliest turn; None when it stands nowhere.

    Spacing, line breaks, case and typographic marks may differ; the text returned is the turn's own. A quote with an
    ellipsis is looked for by its longest part. Quotes shorter than 8 characters are not looked for.
    """
    pattern = _pattern(max((part.strip() for part in ELLIPSIS.split(quote)), key=len))
    if pattern is None:
        return None
    ordered = sorted(snapshot.turns, key=lambda turn: (turn.number not in cited, turn.number))
    return next((found for turn in ordered if (found := _in_turn(pattern, turn)) is not None), None)


def places(quote: str, turn: Turn) -> tuple[Evidence, ...]:
    """Every place in one turn where a quote stands, in order; none for quotes that are too short to be looked for."""
    pattern = _pattern(max((part.strip() for part in ELLIPSIS.split(quote)), key=len))
    if pattern is None:
        return ()
    found = pattern.finditer(turn.content)
    return tuple(Evidence(turn=turn.number, start=one.start(), end=one.end(), text=one[0]) for one in found)


def _in_turn(pattern: re.Pattern[str], turn: Turn) -> Evidence | None:
    match = pattern.search(turn.content)
    if match is None:
        return None
    return Evidence(turn=turn.number, start=match.start(), end=match.end(), text=match[0])
