"""When a claim holds: its temporal class, the instants it names, and whether its time has come or run out."""

from datetime import datetime, timedelta

from consensus.reconcile.merging import newest
from dissolution.claims import BINDING_SECTIONS, Claim, Section, TemporalClass
from dissolution.conversation import Snapshot
from dissolution.intervals import InstantInterval
from language.dates import DateMention
from language.reading import read
from language.temporal import classify


def class_of(claim: Claim) -> TemporalClass:
    """The temporal class of a claim: an interval first, then its section, then its wording (docs/temporal.md).

    What stands in DECIDED or IDENTITY binds whatever its wording, unless that puts it off; a question holds now. In
    KNOWN the wording decides.
    """
    if claim.section is Section.EDGES:
        return TemporalClass.CURRENT_STATE
    worded = read(claim.text).temporal.temporal_class
    if claim.section in BINDING_SECTIONS and worded is not TemporalClass.DEFERRED:
        return TemporalClass.FORWARD_OPEN
    return worded


def timed(claim: Claim, snapshot: Snapshot) -> Claim:
    """A new claim with its class and, where it is put off to a day and its turns carry instants, when it begins.

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
    """From when a deferred claim holds by the day it names, where the turn behind it carries an instant."""
    said = snapshot.turn(newest(claim)).said_at if claim.evidence else None
    if said is None or kind is not TemporalClass.DEFERRED:
        return None
    for mention in read(claim.text).dates:
        day = _day(mention, said)
        if day is not None:
            at = day.replace(hour=mention.hour, minute=mention.minute or 0) if mention.hour is not None else day
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


def ran_out(claim: Claim, now: datetime | None) -> str | None:
    """Why the time of a claim is over by the clock of the turns, or None: only an interval that it carries tells."""
    end = None if claim.valid_instants is None else claim.valid_instants.end
    if now is None or end is None or end > now:
        return None
    return f"it held until {end.isoformat()}, and the last turn is later"


def has_come(claim: Claim, now: datetime | None) -> bool:
    """Whether the time that a claim was put off to has come by the clock of the turns."""
    valid = claim.valid_instants
    deferred = claim.temporal_class is TemporalClass.DEFERRED
    return deferred and now is not None and valid is not None and valid.start <= now


def never_held(text: str) -> bool:
    """Whether a statement that ends a claim says that it was wrong when it was said, so that it never held."""
    return read(text).temporal.temporal_class is TemporalClass.BACKWARD_MUTATION


def come(claim: Claim) -> Claim:
    """A deferred claim whose time has come: what binds binds now, the rest holds now."""
    now = TemporalClass.FORWARD_OPEN if claim.section in BINDING_SECTIONS else TemporalClass.CURRENT_STATE
    return claim.model_copy(update={"temporal_class": now})
