"""Whose a figure is: the same figures with their owners exchanged, given to something else, or bound twice."""

from consensus.figures import one_measure
from consensus.profile import Profile

OWNED = 0.5  # share of the words said with a figure that must be said with the other one


def crossed(a: Profile, b: Profile) -> tuple[str, str] | None:
    """Two figures given to each other's owners: "X is 1204 and Y 1240" against "X is 1240 and Y 1204"; or None."""
    left, right = a.owners, b.owners
    shared = sorted(left.keys() & right.keys())
    for place, one in enumerate(shared):
        for two in shared[place + 1 :]:
            straight = (left[one] & right[one]) | (left[two] & right[two])
            crosses = (left[one] & right[two]) - straight and (left[two] & right[one]) - straight
            if crosses:
                return one, two
    return None


def misplaced(a: Profile, b: Profile, least: int = 2) -> bool:
    """Whether `b` gives a figure of `a` to something else, and to its owner another: one-sided `_crossed`.

    "The paper is due on 20 March" against "20 March to register the title, 27 March for the paper".

    Args:
        a: One claim.
        b: Another.
        least: Words that must be said with the figure of `a`.
    """
    for mark in a.marks:
        words = a.bound[mark.key] if mark.hard and mark.kind != "identifier" else frozenset[str]()
        same = [other for other in b.marks if not mark.wants.isdisjoint(other.holds)] if len(words) >= least else []
        if not same or any(words & b.bound[other.key] for other in same):
            continue
        for other in b.marks:
            rival = other.kind == mark.kind and any(one_measure(other.group, one.group) for one in same)
            if rival and not a.has(other) and owned(words, b.bound[other.key]):
                return True
    return False


def owned(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether enough of the words said with a figure are said with another."""
    return bool(words) and len(words & others) >= OWNED * len(words)


def rebound(a: Profile, b: Profile) -> str | None:
    """A symbol that both bound, each by another value: "p < 0.01" against "p < 0.001"; or None."""
    return next((slot for slot in sorted(a.slots.keys() & b.slots.keys()) if not a.slots[slot] & b.slots[slot]), None)
