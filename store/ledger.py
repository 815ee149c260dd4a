"""How a new boundary changes the ledger: which open rows go on, which close, which claims are added. Pure.

A claim keeps its open row only when it is said again unchanged: same id, text, evidence, support, statements, all of
it. Anything else is a new row, and the old one is closed. So every past boundary reads back exactly as it was, and
nothing is ever rewritten or re-opened.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from dissolution.claims import Claim


class OpenRow(NamedTuple):
    """A claim that is held at present, with the number of its row."""

    row: int
    claim: Claim


class LedgerChange(NamedTuple):
    """`goes_on[i]` is the open row of the new boundary's claim i, None where a row is to be added."""

    goes_on: tuple[int | None, ...]
    closes: tuple[int, ...]


def change(held: Sequence[OpenRow], claims: Sequence[Claim]) -> LedgerChange:
    """What committing `claims` does to the rows `held` by the boundary before; each row goes on at most once."""
    free: dict[str, list[OpenRow]] = {}
    for open_row in held:
        free.setdefault(open_row.claim.id, []).append(open_row)
    goes_on: list[int | None] = []
    for claim in claims:
        same = next((open_row for open_row in free.get(claim.id, ()) if open_row.claim == claim), None)
        if same is not None:
            free[claim.id].remove(same)
        goes_on.append(None if same is None else same.row)
    kept = set(goes_on)
    return LedgerChange(tuple(goes_on), tuple(open_row.row for open_row in held if open_row.row not in kept))


def commit_instant(at: datetime, before: datetime | None) -> datetime:
    """When a commit at `at` counts as recorded: never before the commit it follows.

    Clocks of two machines differ; recorded time must not run backwards, or an interval would end before it starts.
    """
    return at if before is None else max(at, before)
