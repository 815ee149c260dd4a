"""Temporal classes: when what a sentence says holds, and which words say so."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dissolution.claims import TemporalClass
from dissolution.errors import InputError, NaiveInstant
from dissolution.intervals import InstantInterval, TurnInterval
from dissolution.values import Frozen, Span


class Basis(StrEnum):
    """What decided the class."""

    INTERVAL = "interval"  # the interval that the caller gave
    WORDING = "wording"  # the cues
    DEFAULT = "default"  # neither: what says nothing about time holds now


class TemporalCue(Span):
    """Words of a sentence that speak for a class; the span is in code points of the sentence."""

    text: Annotated[str, Field(min_length=1)]
    speaks_for: TemporalClass


ValidInterval = TurnInterval | InstantInterval
"""When a claim holds: in turns, or in instants."""


class Temporal(Frozen):
    """The class of one sentence, what decided it, and every cue that was found, in order.

    With an interval the class is the interval's; the cues say what the wording alone would have spoken for.
    """

    temporal_class: TemporalClass
    basis: Basis
    cues: tuple[TemporalCue, ...] = ()
    valid: ValidInterval | None = None


def aware(instant: datetime, name: str = "instant") -> datetime:
    """`instant` in UTC. `name` says in the message which value it is. Raises NaiveInstant."""
    if instant.tzinfo is None or instant.utcoffset() is None:
        raise NaiveInstant(name, instant.isoformat())
    return instant.astimezone(UTC)


def instant_interval(start: datetime, end: datetime | None = None) -> InstantInterval:
    """The half-open interval [start, end) in UTC; open when `end` is None.

    Raises:
        NaiveInstant: `start` or `end` has no time zone.
        InputError: `end` is before `start`.
    """
    first = aware(start, "start")
    last = None if end is None else aware(end, "end")
    if last is not None and last < first:
        raise InputError(
            f"interval [{first.isoformat()}, {last.isoformat()}) ends before it starts", "give the start first"
        )
    return InstantInterval(start=first, end=last)
