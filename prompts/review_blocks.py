"""What a reviewer is shown in the short form: claims by their ids under their sections, and what points at them.

Every line but a section's name begins with words of ours, and whatever else it holds stands on that one line: so no
words of others can make a line. What in them looks like a mark of ours is made none.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Annotated

from pydantic import Field

from dissolution.claims import Section
from dissolution.reviewing import Fault
from dissolution.values import Frozen
from prompts.fence import NEUTRAL, neutralised

NOTHING = "none"
"""What a block without an entry shows."""

MOST_POINTING_CHARS = 600
"""Characters of all that points at claims, at most: what comes first is kept."""

MOST_SAID_CHARS = 60
"""Characters of the words behind one that is missing, at most: the turn has the rest."""

_LOOKS_LIKE_A_MARK = re.compile(r"(?:BEGIN|END)[ \t_-]{1,4}(?:CLAIMS|HINTS)", re.IGNORECASE)


class ShownClaim(Frozen):
    """A claim as a reviewer sees it; its number is its place in the whole candidate, from 1."""

    number: Annotated[int, Field(ge=1)]
    section: Section
    text: Annotated[str, Field(min_length=1)]


class Pointer(Frozen):
    """Where something may not be as it should be: a fault, the claims by number, and a turn where one is known."""

    suspects: Fault
    claims: tuple[int, ...] = ()
    turn: Annotated[int, Field(ge=1)] | None = None
    words: str = ""  # of that turn; shown where no claim is named


def claims_block(claims: Sequence[ShownClaim], code: str) -> str:
    """The claims between their fence lines: a section's name once, then a claim a line behind its id."""
    by_section: Mapping[Section, list[ShownClaim]] = {
        section: [one for one in claims if one.section is section] for section in Section
    }
    lines: list[str] = []
    for section, found in by_section.items():
        lines += [section.value, *(f"c{one.number} {_on_one_line(one.text, code)}" for one in found)] if found else []
    return _fenced("CLAIMS", lines, code)


def pointers_block(pointers: Sequence[Pointer], code: str) -> str:
    """What points at claims between its fence lines, a fault a line, in the order given, kept to its room."""
    kept: list[Pointer] = []
    for one in pointers:
        if len("\n".join(_pointing([*kept, one], code))) > MOST_POINTING_CHARS:
            break
        kept.append(one)
    return _fenced("HINTS", _pointing(kept, code), code)


def _pointing(pointers: Sequence[Pointer], code: str) -> list[str]:
    faults = list(dict.fromkeys(one.suspects for one in pointers))
    ordered = sorted(pointers, key=lambda one: faults.index(one.suspects))
    return [
        f"{fault.value}? {'; '.join(_place(one, code) for one in found)}"
        for fault, found in groupby(ordered, key=lambda one: one.suspects)
    ]


def _place(one: Pointer, code: str) -> str:
    turn = "" if one.turn is None else f"turn {one.turn}"
    if one.claims:
        names = " ".join(f"c{number}" for number in one.claims)
        return f"{names}, {turn}" if turn else names
    said = _on_one_line(one.words, code)
    cut = said if len(said) <= MOST_SAID_CHARS else f"{said[:MOST_SAID_CHARS].rsplit(' ', 1)[0]} \u2026"
    return f"{turn}: {cut}" if turn and cut else turn or cut or "something"


def _on_one_line(text: str, code: str) -> str:
    plain = neutralised(" ".join(text.split()), code)
    return _LOOKS_LIKE_A_MARK.sub(lambda match: f"{NEUTRAL}{match[0]}", plain)


def _fenced(name: str, lines: Sequence[str], code: str) -> str:
    return f"BEGIN {name} {code}\n" + "\n".join(lines or [NOTHING]) + f"\nEND {name} {code}"
