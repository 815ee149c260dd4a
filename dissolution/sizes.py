"""How large a snapshot is, what working on it is expected to take, and the refusal of one that cannot be read.

A job that would run for hours and then end for lack of memory is refused when it is submitted, with the figure.
"""

from collections.abc import Callable
from typing import NamedTuple

from dissolution.conversation import Snapshot
from dissolution.errors import SnapshotTooLarge
from dissolution.settings import Settings

MB = 1_000_000

TURN_BYTES = 256
"""Turns of this length were measured (bytes); what is longer counts as several of them."""

BASE_MB = 700.0
"""Memory of a step before it has read a turn, with the embedding model (MB); measured by `benchmarks.giants`."""

TURN_MB = 0.11
"""Memory of the largest step for each 256 bytes (MB), rounded up from what `benchmarks.giants` measures."""

LITTLE_MB = 100.0
"""A step that takes no more than this itself (MB) is never refused for its memory, nor ended for it."""


GIANT_WORK = 500
"""Expected work (turns of 256 bytes) from which a job's steps are run by `giant` workers, each in its own process:
below it no stage computes for more than a few seconds."""


class SnapshotSize(NamedTuple):
    """How large a snapshot is."""

    turns: int
    bytes: int  # of its turns' text in UTF-8

    @property
    def work(self) -> int:
        """The expected work, in turns of 256 bytes: it grows with the turns and with their length."""
        return max(self.turns, self.bytes // TURN_BYTES)

    @property
    def is_giant(self) -> bool:
        """Whether its job's computing would hold up others."""
        return self.work >= GIANT_WORK

    @property
    def memory_mb(self) -> int:
        """The memory its largest step is expected to need (MB, 10^6 bytes); 0 where it takes little itself."""
        taken = TURN_MB * self.work
        return 0 if taken <= LITTLE_MB else round(BASE_MB + taken)


def size_of(snapshot: Snapshot) -> SnapshotSize:
    """The size of a snapshot."""
    return SnapshotSize(len(snapshot.turns), sum(len(turn.content.encode(errors="replace")) for turn in snapshot.turns))


def refuse_too_large(snapshot: Snapshot, settings: Settings, count: Callable[[str], int]) -> None:
    """Refuse a snapshot that is larger than one job may be, before anything of the job is stored.

    Args:
        snapshot: What would be dissolved.
        settings: `max_job_turns`, `max_job_mb`, `max_job_tokens` and `max_memory_mb`.
        count: Tokens of a text; asked only where there are more bytes than tokens may be.

    Raises:
        SnapshotTooLarge: the first figure that is over its limit.
    """
    size = size_of(snapshot)
    tokens = 0
    if size.bytes > settings.max_job_tokens and size.bytes <= settings.max_job_mb * MB:
        tokens = sum(count(turn.content) for turn in snapshot.turns)
    figures = (
        (size.turns, settings.max_job_turns, "turns", "max_job_turns"),
        (-(-size.bytes // MB), settings.max_job_mb, "MB of text", "max_job_mb"),
        (tokens, settings.max_job_tokens, "tokens", "max_job_tokens"),
        (size.memory_mb, settings.max_memory_mb, "MB of memory expected for its largest step", "max_memory_mb"),
    )
    for figure, limit, unit, setting in figures:
        if figure > limit:
            raise SnapshotTooLarge(snapshot.conversation, snapshot.through, f"{figure:,} {unit}", limit, setting)
