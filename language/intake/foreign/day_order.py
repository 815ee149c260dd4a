"""Whether day or month comes first in dates such as 03/04/26: what all dates of a file say together."""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

_NUMBERS = re.compile(r"(\d{1,4})([./-])(\d{1,2})[./-](\d{2,4})")
_CENTURY = 100
_THIS_CENTURY = 2000
_YEAR_DIGITS = 4


class DayOrder(NamedTuple):
    """The order of a file's dates."""

    places: tuple[int, int, int]
    """Where year, month and day stand, from 0."""

    def date(self, text: str) -> date | None:
        """The date that a text says in this order; None when it is none."""
        match = _NUMBERS.fullmatch(text)
        if match is None:
            return None
        numbers = [int(match[1]), int(match[3]), int(match[4])]
        year, month, day = (numbers[place] for place in self.places)
        try:
            return date(year + _THIS_CENTURY if year < _CENTURY else year, month, day)
        except ValueError:
            return None

    def iso(self, text: str) -> str | None:
        """The date as ISO 8601; None when it is none."""
        found = self.date(text)
        return None if found is None else found.isoformat()


YEAR_FIRST = DayOrder((0, 1, 2))
DAY_FIRST = DayOrder((2, 1, 0))
MONTH_FIRST = DayOrder((2, 0, 1))


def day_order(texts: Sequence[str]) -> DayOrder | None:
    """The order in which all of these are dates that run forward; None when two orders fit, or none does.

    Dates with points put the day first wherever they are written so.
    """
    matches = [_NUMBERS.fullmatch(text) for text in texts]
    if any(match is not None and len(match[1]) == _YEAR_DIGITS for match in matches):
        return YEAR_FIRST
    if any(match is not None and match[2] == "." for match in matches):
        return DAY_FIRST
    fitting: list[tuple[DayOrder, bool]] = []
    for order in (DAY_FIRST, MONTH_FIRST):
        dates = [order.date(text) for text in texts]
        known = [one for one in dates if one is not None]
        if len(known) == len(texts):
            fitting.append((order, known == sorted(known)))
    if len(fitting) == 1:
        return fitting[0][0]
    forward = [order for order, runs in fitting if runs]
    return forward[0] if len(forward) == 1 else None
