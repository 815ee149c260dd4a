"""What one reading of the probe is given: a text, and as many questions as it answers at once."""

from collections.abc import Sequence
from typing import TypeVar

from dissolution.conversation import Snapshot
from probe.reading import ArmText

Asked = TypeVar("Asked")

ArmSource = Snapshot | ArmText
"""The history, or a text; never two."""


MOST_CALLS = 2
"""Readings of the history at most: with the writer's it is sent three times."""


ONE_READING = 60
"""Questions up to which one reading answers them all; more answers than this risk a token limit."""


def parts(questions: Sequence[Asked]) -> tuple[Sequence[Asked], ...]:
    """The questions in as few readings as they fit, MOST_CALLS at most, of nearly equal size."""
    readings = min(MOST_CALLS, -(-len(questions) // ONE_READING)) or 1
    size = -(-len(questions) // readings)
    return tuple(questions[start : start + size] for start in range(0, len(questions), size))
