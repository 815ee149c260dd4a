"""When a claim holds: its temporal class, the instants it names, and whether its time has come or run out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from consensus.reconcile.merging import newest
from dissolution.claims import Claim, Evidence, Section, TemporalClass
from dissolution.conversation import Snapshot
from dissolution.intervals import InstantInterval
from wording.dates import DateMention, dates
from wording.temporal import classify

BINDING = frozenset({Section.DECIDED, Section.IDENTITY})
"""Sections whose claims bind: they pass into every later boundary until something closes them (rule 5)."""

FORWARD = frozenset({TemporalClass.FORWARD_OPEN, TemporalClass.DEFERRED})

LASTS_UNTIL = re.compile(
    r"\b(?:until|till|through|up to and including|valid to|expires? on|ends? on)(?: the)? $", re.IGNORECASE
)
"""Wording right before the day on which something ends."""

EVENT = r"(?P<what>[a-z][\w-]*(?: [a-z][\w-]*){0,2}?)"
WHILE = re.compile(
    rf"\b(?:until|till|for the (?:duration|rest) of|during|while|as long as|for) (?:the|this|our) {EVENT}"
    r"(?: (?:is|are|lasts?|holds?|runs?|ends?|continues?|comes?|ha[sv]e?)\b|(?=[,;.:]|$))",
    re.IGNORECASE,
)
"""Wording of something that holds as long as something else."""

ONCE_OVER = re.compile(
    rf"\b(?:after|once|when|as soon as|following) (?:the|this|our) {EVENT}"
    r"(?: (?:is|are|has|have|ends?|closes?|comes?|lands?)\b|(?=[,;.:]|$))",
    re.IGNORECASE,
)
"""Wording of something that begins when something else is over."""

OVER = (
    r"\b(?:the|this|our) (?:\w+ ){{0,2}}?{what} (?:is|are|was|has|have|went|just)(?: been| now| finally"
    r"| already| all)* "
    r"(?:over|done|ended|finished|complete[d]?|closed|through|lifted|out|live|shipped|passed|gone)\b"
    r"|\b{what} (?:ended|closed|finished)\b"
)
"""Wording that an event is over; `what` is put in."""

MAY_NOT_BE = re.compile(
    r"\b(?:not|n't|never|if|unless|when|once|until|after|will|would|could|might|may|should)\b|\?", re.IGNORECASE
)


def class_of(claim: Claim) -> TemporalClass:
    """The temporal class of a claim: an interval first, then its section, then its wording (docs/temporal.md).

    What stands in DECIDED or IDENTITY binds whatever its wording, unless that puts it off; a question holds now. In
    KNOWN the wording decides.
    """
    if claim.section is Section.EDGES:
        return TemporalClass.CURRENT_STATE
    worded = classify(claim.text).temporal_class
    if claim.section in BINDING and worded is not TemporalClass.DEFERRED:
        return TemporalClass.FORWARD_OPEN
    return worded


def binds(claim: Claim) -> bool:
    """Whether a claim is a commitment: it may only end by a turn, a person or its own time."""
    return claim.section in BINDING or (claim.section is Section.KNOWN and claim.temporal_class in FORWARD)


def timed(claim: Claim, snapshot: Snapshot) -> Claim:
    """A new claim with its class and, where its turns carry instants, the instants it names.

    An interval in instants that the claim brings along is kept and outranks its wording.
    """
    now = now_of(snapshot)
    given = claim.valid_instants
    if given is not None and now is not None:
        by_interval = classify(claim.text, valid=given, at=now).temporal_class
        return claim.model_copy(
            update={"temporal_class": by_interval if by_interval in _BY_INTERVAL else class_of(claim)}
        )
    kind = class_of(claim)
    return claim.model_copy(
        update={"temporal_class": kind, "valid_instants": given or _instants(claim, kind, snapshot)}
    )


_BY_INTERVAL = frozenset({TemporalClass.DEFERRED, TemporalClass.CLOSED_HISTORICAL})


def now_of(snapshot: Snapshot) -> datetime | None:
    """The instant of the last turn that carries one, or None."""
    return next((turn.said_at for turn in reversed(snapshot.turns) if turn.said_at is not None), None)


def _instants(claim: Claim, kind: TemporalClass, snapshot: Snapshot) -> InstantInterval | None:
    """The instants between which a claim holds by its own words, where the turn behind it carries one."""
    said = snapshot.turn(newest(claim)).said_at if claim.evidence else None
    if said is None:
        return None
    for mention in dates(claim.text):
        day = _day(mention, said)
        if day is None:
            continue
        before = claim.text[: mention.span.start]
        if LASTS_UNTIL.search(before):
            return InstantInterval(start=said, end=day + timedelta(days=1))
        if kind is TemporalClass.DEFERRED:
            at = day.replace(hour=mention.hour or 0, minute=mention.minute or 0) if mention.hour is not None else day
            return InstantInterval(start=max(at, said))
    return None


def _day(mention: DateMention, said: datetime) -> datetime | None:
    """The start of the day that a mention names, seen from when it was said: the next such day; None when not told."""
    midnight = said.replace(hour=0, minute=0, second=0, microsecond=0)
    if mention.day is not None and mention.month is not None:
        year = mention.year or said.year
        try:
            found = midnight.replace(year=year, month=mention.month, day=mention.day)
            if mention.year is None and found < midnight:
                found = found.replace(year=year + 1)
        except ValueError:  # 30 February, or 29 February in the next year
            return None
        return found
    if mention.weekday is not None and mention.month is None:
        return midnight + timedelta(days=(mention.weekday - 1 - midnight.weekday()) % 7)
    return None


@dataclass(frozen=True, slots=True)
class TimeCome:
    """That the time of a claim has come or run out.

    Attributes:
        over: Whether it has run out; else it has come.
        reason: Why, in words.
        evidence: The words of the turn that says so; none where the clock does.
    """

    over: bool
    reason: str
    evidence: tuple[Evidence, ...] = ()


def time_of(claim: Claim, snapshot: Snapshot, spoken: Iterable[Evidence]) -> TimeCome | None:
    """Whether the time of a held claim has come or run out, by the clock of the turns or by what a new turn says.

    Args:
        claim: An open claim.
        snapshot: The conversation.
        spoken: What somebody says in turns since the last boundary, in order.
    """
    now, valid = now_of(snapshot), claim.valid_instants
    if now is not None and valid is not None:
        if valid.end is not None and valid.end <= now:
            return TimeCome(
                over=True, reason=f"it held until {valid.end.isoformat()}, and turn {snapshot.through} is later"
            )
        if claim.temporal_class is TemporalClass.DEFERRED and valid.start <= now:
            return TimeCome(over=False, reason=f"its time, {valid.start.isoformat()}, has come")
    return _by_event(claim, spoken)


def _by_event(claim: Claim, spoken: Iterable[Evidence]) -> TimeCome | None:
    lasting = WHILE.search(claim.text)
    later = ONCE_OVER.search(claim.text) if claim.temporal_class is TemporalClass.DEFERRED else None
    for match, over in ((lasting, True), (later, False)):
        if match is None:
            continue
        pattern = re.compile(OVER.format(what=re.escape(match["what"])), re.IGNORECASE)
        for piece in spoken:
            if piece.turn > newest(claim) and pattern.search(piece.text) and not MAY_NOT_BE.search(piece.text):
                return TimeCome(over, f"turn {piece.turn} says that the {match['what']} is over", (piece,))
    return None


def come(claim: Claim) -> Claim:
    """A deferred claim whose time has come: what binds binds now, the rest holds now."""
    now = TemporalClass.FORWARD_OPEN if claim.section in BINDING else TemporalClass.CURRENT_STATE
    return claim.model_copy(update={"temporal_class": now})
