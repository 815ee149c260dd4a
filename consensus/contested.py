"""The EDGE that states both sides of what no turn settles: its words, and reading the sides back from them."""

import re

SIDES = re.compile(
    r"^Contested: “(?P<one>.+)” \(\d+ famil(?:y|ies)\) against “(?P<two>.+)” \(\d+ famil(?:y|ies)\)\.$", re.DOTALL
)


def both_sides(one: str, one_families: int, two: str, two_families: int) -> str:
    """The words of an EDGE that quotes two claims, each with its support.

    They are the only words of a boundary that nobody said as they stand.

    Args:
        one: The words of the earlier side.
        one_families: Families that say it.
        two: The words of the other.
        two_families: Families that say that.
    """
    return f"Contested: “{one}” ({_families(one_families)}) against “{two}” ({_families(two_families)})."


def sides_of(text: str) -> tuple[str, str] | None:
    """The two sides that such an EDGE quotes, as `both_sides` was given them; None for any other text."""
    found = SIDES.match(text)
    return None if found is None else (found["one"], found["two"])


def _families(count: int) -> str:
    return f"{count} {'family' if count == 1 else 'families'}"
