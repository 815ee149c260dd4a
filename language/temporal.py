"""The temporal class of a sentence, by rule: when what it says holds, as far as its wording tells.

The rules are tried in this order and the first that finds a cue wins, as the guidelines in docs/temporal.md ask:
what takes something back, what is over, what is put off, what binds, and everything else holds now. Questions assert
nothing. Code and quotations do not count. The accuracy is measured by `benchmarks/temporal.py`.
"""

from collections.abc import Callable
from datetime import datetime

from dissolution.errors import InputError
from dissolution.intervals import InstantInterval, TurnInterval
from dissolution.temporal import Basis, Temporal, TemporalClass, TemporalCue, ValidInterval, aware
from dissolution.values import Span
from language.masks import blanked, code_spans, quotation_spans, straightened
from language.putting import is_hedged
from language.temporal_cues import backward_cues, binds_firmly, forward_cues, past_cues
from language.temporal_later import later_cues

MAX_CHARS = 2000
"""Only a sentence's beginning is read: longer ones are pasted lists and logs."""

_HOLDS_NOW = frozenset({TemporalClass.FORWARD_OPEN, TemporalClass.BACKWARD_MUTATION, TemporalClass.CURRENT_STATE})


def classify(sentence: str, *, valid: ValidInterval | None = None, at: datetime | int | None = None) -> Temporal:
    """The temporal class of one sentence, with the words that speak for it.

    Args:
        sentence: One sentence as it was said. Only its first 2,000 code points are read.
        valid: The interval in which it holds, where the caller knows it. It takes precedence over the wording.
        at: From where to look at `valid`: a turn number for an interval in turns, an aware instant for one in
            instants. Without it an interval with an end is over and one without holds.

    With `valid`, what ended at or before `at` is closed_historical and what starts later is deferred. Of what holds,
    the interval cannot say whether it binds, so there the wording chooses between forward_open, backward_mutation and
    current_state.

    Raises:
        NaiveInstant: `at`, or an instant of `valid`, has no time zone.
        InputError: `at` without `valid`, or one in turns and the other in instants.
    """
    worded = _by_wording(sentence)
    if valid is None:
        if at is not None:
            raise InputError(f"at={at!r} without an interval", "give `valid` as well")
        return worded
    return Temporal(
        temporal_class=_by_interval(valid, at, worded.temporal_class),
        basis=Basis.INTERVAL,
        cues=worded.cues,
        valid=valid,
    )


def _by_wording(sentence: str) -> Temporal:
    plain = _visible(sentence[:MAX_CHARS])
    if not plain.rstrip("\"')*_ ").endswith("?"):
        for speaks_for, find in RULES:
            spans = find(plain)
            if spans:
                cues = tuple(_cue(sentence, span, speaks_for) for span in spans)
                return Temporal(temporal_class=speaks_for, basis=Basis.WORDING, cues=cues)
    return Temporal(temporal_class=TemporalClass.CURRENT_STATE, basis=Basis.DEFAULT)


def _visible(text: str) -> str:
    """The text with code, quotations and layout marks blanked; offsets stay the same."""
    plain = straightened(text)
    plain = blanked(plain, code_spans(plain), "x")
    return blanked(plain, quotation_spans(plain), "x")


def _cue(sentence: str, span: Span, speaks_for: TemporalClass) -> TemporalCue:
    """The cue in the sentence's own words, without the punctuation and spaces around it."""
    said = sentence[span.start : span.end]
    start = span.start + len(said) - len(said.lstrip(" ,;:.!–—\t"))
    end = span.end - (len(said) - len(said.rstrip(" ,;:.!–—\t")))
    while end < len(sentence) and sentence[end - 1].isalnum() and sentence[end].isalnum():
        end += 1  # a cue that ends inside a word is shown with the whole word
    return TemporalCue(start=start, end=end, text=sentence[start:end], speaks_for=speaks_for)


def _later(plain: str) -> tuple[Span, ...]:
    return () if is_hedged(plain) else later_cues(plain)


def _forward(plain: str) -> tuple[Span, ...]:
    return () if is_hedged(plain) and not binds_firmly(plain) else forward_cues(plain)


RULES: tuple[tuple[TemporalClass, Callable[[str], tuple[Span, ...]]], ...] = (
    (TemporalClass.BACKWARD_MUTATION, backward_cues),
    (TemporalClass.CLOSED_HISTORICAL, past_cues),
    (TemporalClass.DEFERRED, _later),
    (TemporalClass.FORWARD_OPEN, _forward),
)


def _by_interval(valid: ValidInterval, at: datetime | int | None, worded: TemporalClass) -> TemporalClass:
    ended, ahead = _place(valid, at)
    if ended:
        return TemporalClass.CLOSED_HISTORICAL
    if ahead or (at is None and worded is TemporalClass.DEFERRED):
        return TemporalClass.DEFERRED
    return worded if worded in _HOLDS_NOW else TemporalClass.CURRENT_STATE


def _place(valid: ValidInterval, at: datetime | int | None) -> tuple[bool, bool]:
    """Whether the interval has ended, and whether it is yet to start."""
    if isinstance(valid, InstantInterval):
        start = aware(valid.start, "start")
        end = None if valid.end is None else aware(valid.end, "end")
        if at is None:
            return end is not None, False
        if not isinstance(at, datetime):
            raise InputError(f"at={at!r} with an interval in instants", "give an aware instant")
        now = aware(at, "at")
        return end is not None and end <= now, start > now
    return _place_in_turns(valid, at)


def _place_in_turns(valid: TurnInterval, at: datetime | int | None) -> tuple[bool, bool]:
    if at is None:
        return valid.end is not None, False
    if isinstance(at, datetime):
        raise InputError(f"at={at.isoformat()!r} with an interval in turns", "give a turn number")
    return valid.end is not None and valid.end <= at, valid.start > at
