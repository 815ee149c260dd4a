"""What forms of plain text share: lines that open a turn, and the lines up to the next one."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.conversation import QuotedKind, Role
from language.intake.drafts import Draft, DraftTurn, Part
from language.intake.labels import ROLES
from language.intake.times import Stamps

_FENCE = re.compile(r"^ {0,3}(```|~~~)")


class Opening(NamedTuple):
    """A line that opens a turn."""

    line: int
    """From 0."""
    label: str
    text: str = ""
    """What is said on the line itself."""
    instant: str | None = None
    """Its time as ISO 8601, with or without a zone."""
    clock: bool = False
    """Whether it has a time of day and no date."""
    role: Role | None = None
    """Who speaks, where the form says more than the label does."""
    note: str = ""
    """What the program wrote on the line in the speaker's name: quoted material."""


def lines_of(text: str) -> list[str]:
    """The lines of a text, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def first_filled(lines: Sequence[str]) -> int | None:
    """The first line that is not blank, a leading `# title` aside."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if filled and lines[filled[0]].startswith("# "):
        filled = filled[1:]
    return filled[0] if filled else None


def title_of(lines: Sequence[str]) -> str | None:
    """The leading `# title`, or None."""
    first = next((line for line in lines if line.strip()), "")
    return first.lstrip("# ").strip() or None if first.startswith("# ") else None


def outside_fences(lines: Sequence[str]) -> list[bool]:
    """For each line whether it stands outside of fenced code; a fence itself does not."""
    found: list[bool] = []
    fence = None
    for line in lines:
        mark = _FENCE.match(line)
        found.append(fence is None and mark is None)
        if mark:
            fence = mark[1] if fence is None else None if mark[1] == fence else fence
    return found


def draft_of(
    openings: Sequence[Opening],
    lines: Sequence[str],
    stamps: Stamps,
    *,
    title: str | None,
    left_out: set[int],
) -> Draft:
    """The turns between openings. Speakers without words are left out, and told.

    Args:
        openings: In the order of their lines.
        lines: Of the whole file.
        stamps: Reads the times.
        title: Of the conversation.
        left_out: Lines that are of no turn, from 0.
    """
    bounds = [opening.line for opening in openings[1:]] + [len(lines)]
    turns: list[DraftTurn] = []
    empty = 0
    for opening, end in zip(openings, bounds, strict=True):
        more = (lines[at] for at in range(opening.line + 1, end) if at not in left_out)
        body = "\n".join((opening.text, *more)).strip("\n").rstrip()
        if not body.strip() and not opening.note:
            empty += 1
            continue
        if opening.clock:
            stamps.time_of_day()
        role = opening.role or ROLES.get(opening.label.casefold(), Role.PARTICIPANT)
        spoken = Part(body, QuotedKind.TOOL_OUTPUT if role is Role.TOOL else None)
        parts = tuple(one for one in (Part(opening.note, QuotedKind.DOCUMENT), spoken) if one.text.strip())
        place = f"turn {len(turns) + 1} (line {opening.line + 1})"
        turns.append(DraftTurn(place, role, opening.label, parts, stamps.leniently(opening.instant)))
    told = (f"{empty} speakers are followed by no words, and were left out",) if empty else ()
    return Draft(tuple(turns), title=title, warnings=told)
