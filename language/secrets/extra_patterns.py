"""A tenant's own kinds of secrets, as regular expressions that cannot be made to run for long.

Python's engine backtracks, and a pattern from outside could stop a process. So a pattern here is a run of characters
and classes, each repeated within fixed bounds, of which at most two may vary in length; no groups, no alternatives, no
references. A match from one place then takes at most as many tries as those two have lengths.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dissolution.errors import InputError
from dissolution.recognising import PersonalDataSpan
from dissolution.service import ExtraPattern

MOST_REPEATS = 64
"""Repeats of one part, at most."""

MOST_VARYING = 2
"""Parts of varying length, at most."""

LEAST_CHARS = 4
"""What a pattern matches has at least so many characters: shorter ones are ordinary words."""

_PART = re.compile(
    r"""
    (?P<part> \\[dwDW] | \\[^\w\s] | \[ [^\[\]\\^] (?:[^\[\]\\] | \\[dw\]\[\\\-])* \] | [^\\\[\](){}*+?.|^$] )
    (?: \{ (?P<least>\d{1,3}) (?: , (?P<most>\d{1,3}) )? \} )?
    """,
    re.VERBOSE,
)


class _Part(NamedTuple):
    text: str
    least: int
    most: int


def _parts(pattern: str) -> Iterator[_Part]:
    position = 0
    while position < len(pattern):
        match = _PART.match(pattern, position)
        if match is None:
            raise InputError(
                f"pattern {pattern!r}, at character {position + 1}",
                "use characters, \\d, \\w, classes such as [A-Z0-9] and bounded repeats such as {4,16} alone",
            )
        least = int(match["least"] or 1)
        yield _Part(match["part"], least, int(match["most"] or least))
        position = match.end()


def compiled(pattern: ExtraPattern) -> re.Pattern[str]:
    """The pattern as an expression that matches only what stands alone. Raises InputError, naming what it may hold."""
    parts = list(_parts(pattern.pattern))
    for part in parts:
        if not part.least <= part.most <= MOST_REPEATS or part.most == 0:
            remedy = f"repeat each part 1 to {MOST_REPEATS} times, the smaller number first"
            raise InputError(f"pattern {pattern.pattern!r}, repeat of {part.text!r}", remedy)
    if sum(part.least != part.most for part in parts) > MOST_VARYING:
        raise InputError(f"pattern {pattern.pattern!r}", f"let at most {MOST_VARYING} of its parts vary in length")
    if sum(part.least for part in parts) < LEAST_CHARS:
        raise InputError(f"pattern {pattern.pattern!r}", f"let it match {LEAST_CHARS} characters or more")
    try:
        return re.compile(rf"(?<![^\W_])(?:{pattern.pattern})(?![^\W_])")
    except re.error as error:
        raise InputError(f"pattern {pattern.pattern!r}", f"it cannot be read: {error}") from error


class ExtraPatterns:
    """The Recogniser of a tenant's patterns. Raises InputError for one that may not be used."""

    mark = "custom"

    def __init__(self, patterns: Sequence[ExtraPattern]) -> None:
        self._patterns = [(one.kind, compiled(one)) for one in patterns]

    def find(self, text: str) -> Iterable[PersonalDataSpan]:
        """Every match of every pattern."""
        for kind, pattern in self._patterns:
            for match in pattern.finditer(text):
                yield PersonalDataSpan(start=match.start(), end=match.end(), kind=kind)
