"""What each form is read into before secrets are replaced and quoted material is marked."""

from datetime import datetime
from typing import NamedTuple

from dissolution.conversation import QuotedKind, Role

PART_BREAK = "\n\n"


class Part(NamedTuple):
    """A stretch of a turn; `kind` says that the whole of it is quoted material."""

    text: str
    kind: QuotedKind | None = None


class DraftTurn(NamedTuple):
    """One turn as the file has it. `place` is how errors name it: "turn 3", "message 3", "line 7"."""

    place: str
    role: Role
    speaker: str
    parts: tuple[Part, ...]
    said_at: datetime | None = None


class Draft(NamedTuple):
    """One conversation as the file has it; `id` is None when the form or file has none."""

    turns: tuple[DraftTurn, ...]
    id: str | None = None
    title: str | None = None
    warnings: tuple[str, ...] = ()
