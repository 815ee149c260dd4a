"""When a claim holds: its temporal class, and whether its time has come or run out."""

from dissolution.claims import Claim, Section, TemporalClass
from wording.temporal import classify

BINDING = frozenset({Section.DECIDED, Section.IDENTITY})
"""Sections whose claims bind: they pass into every later boundary until something closes them (rule 5)."""

FORWARD = frozenset({TemporalClass.FORWARD_OPEN, TemporalClass.DEFERRED})


def class_of(claim: Claim) -> TemporalClass:
    """The temporal class of a claim: its section first, then its wording (docs/temporal.md).

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
