"""Whether two figures can be held against each other: rounding, approximation, and what is measured."""

import re
from decimal import Decimal

from consensus.profile import Figure, Profile
from wording.dates import conflict

ABOUT = re.compile(r"\b(?:about|around|some|roughly|approximately|nearly|almost|circa|over|under)\W+$", re.IGNORECASE)
LONGEST_ABOUT = 20  # characters looked at for such a word
NEAR_ENOUGH = Decimal("0.05")  # how far an approximate number may lie from what it stands for
ROUNDED_DIGITS = 2  # a number said with at least this many digits may stand for a longer one that rounds to it


def unrounded(marks: tuple[Figure, ...], other: Profile) -> list[Figure]:
    """Those marks that no number of `other` rounds to or comes from by rounding: 45.2 may be said as 45."""
    return [mark for mark in marks if not any(_rounds(mark, theirs) for theirs in other.marks)]


def _rounds(one: Figure, two: Figure) -> bool:
    if one.kind != "number" or one.kind != two.kind or one.group != two.group:
        return False
    left, right = one.key.split(" ")[0], two.key.split(" ")[0]
    shorter, longer = sorted((left, right), key=len)
    if "." not in longer or len(shorter.replace(".", "").strip("0")) < ROUNDED_DIGITS:
        return False
    places = len(shorter.partition(".")[2])
    return round(Decimal(longer), places) == Decimal(shorter)


def comparable(a: Profile, b: Profile, mine: list[Figure], theirs: list[Figure]) -> bool:
    """Whether some of the differing figures answer the same question: same unit, conflicting dates, same shape."""
    if mine[0].kind == "date":
        return any(conflict(left, right) for left in a.dates for right in b.dates)
    return any(
        one_measure(left.group, right.group)
        and _one_count(a, left, b, right)
        and not (_about(a, left, right) or _about(b, right, left))
        for left in mine
        for right in theirs
    )


def _one_count(a: Profile, left: Figure, b: Profile, right: Figure) -> bool:
    """Whether two numbers without a unit count one thing: "port 6379" and "0 evictions" do not."""
    if left.kind != "number" or left.group or right.group:
        return True
    mine, theirs = a.bound[left.key], b.bound[right.key]
    return not (mine and theirs) or not mine.isdisjoint(theirs)


def _about(profile: Profile, mark: Figure, other: Figure) -> bool:
    """Whether a number that its text calls approximate stands for another: "around 500 MB" for 509.88 MB."""
    if mark.kind != "number" or not ABOUT.search(profile.text[max(0, mark.at - LONGEST_ABOUT) : mark.at]):
        return False
    said, exact = (Decimal(one.key.split(" ")[0]) for one in (mark, other))
    return abs(said - exact) <= NEAR_ENOUGH * abs(exact)


def one_measure(left: str, right: str) -> bool:
    """Whether two groups may hold each other's values: "a month" leaves out what "USD per month" says."""
    if left == right:
        return True
    over, _, per = left.partition("/")
    other, _, rate = right.partition("/")
    return per == rate != "" and bool({over, other} & {"", "1"})
