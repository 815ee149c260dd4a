"""What one reviewer says, held to the turns: a remark counts with words that stand in the turn it names."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dissolution.claims import BINDING_SECTIONS, Claim, Evidence, Section
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.reviewing import WITHOUT_WORDS, Fault, Remark, ReviewedClaim
from dissolution.values import Span
from prompts.reviewing import GivenRemark

NEEDS_TEXT = frozenset({Fault.MISSING, Fault.INCOMPLETE})
"""Faults that say nothing without the reviewer's own wording."""

MARKS = " \"'\u201c\u201d\u2018\u2019"
"""What a member may put around the words it copies."""

ALIKE = {mark: f"[{marks}]" for marks in ('"\u201c\u201d\u201e', "'\u2018\u2019\u201a") for mark in marks}
"""Quotation marks that differ in print alone."""

LEAST_QUOTE = 4
"""Characters of a quote at least: fewer stand in any turn, and prove nothing."""


class Proved(NamedTuple):
    """What came of one member's answer.

    Attributes:
        remarks: Those that count.
        unproved: Remarks without words that prove them, or without the wording they need.
    """

    remarks: tuple[Remark, ...]
    unproved: int


def remarks_of(
    snapshot: Snapshot, claims: Mapping[int, Claim], given: Sequence[GivenRemark], *, whole: bool = True
) -> Proved:
    """The remarks of one answer that count.

    Args:
        snapshot: The conversation.
        claims: What the member was shown, by number.
        given: What it says, about these numbers alone.
        whole: Whether it was shown the whole candidate; else nothing can be missing, and such remarks are passed over.
    """
    heard = [one for one in given if whole or one.fault is not Fault.MISSING]
    found = [remark for one in heard if (remark := _remark(snapshot, claims, one)) is not None]
    return Proved(tuple(found), len(heard) - len(found))


def _remark(snapshot: Snapshot, claims: Mapping[int, Claim], given: GivenRemark) -> Remark | None:
    about = [claims[number] for number in given.claims]
    places = {claim.section for claim in about} or {given.section or Section.EDGES}
    evidence = None
    if given.fault not in WITHOUT_WORDS:
        evidence = proved(snapshot, places, given.fault, given.turn, given.quote)
        if evidence is None:
            return None
    lacking = (given.fault in NEEDS_TEXT and given.text is None) or (
        given.fault in {Fault.MISSING, Fault.WRONG_SECTION} and given.section is None
    )
    if lacking:
        return None
    return Remark(
        fault=given.fault,
        about=tuple(ReviewedClaim(claim=one.id, section=one.section, text=one.text) for one in about),
        evidence=evidence,
        section=given.section,
        best=claims[given.best[0]].id if given.best else None,
        also=tuple(claims[number].id for number in given.best[1:]),
        text=given.text,
    )


def proved(snapshot: Snapshot, places: set[Section], fault: Fault, turn: int, quote: str) -> Evidence | None:
    """Where the words stand that prove a fault; None when they do not stand in that turn, or can prove nothing there.

    Quoted material alone proves that an order stands in it. It turns nothing down, and unsettles nothing that binds.

    Args:
        snapshot: The conversation.
        places: The sections that the remark is about.
        fault: A fault that words can show.
        turn: The turn that the member names.
        quote: The words it gives; white space and the style of quotation marks may differ.
    """
    words = quote.strip(MARKS).split()
    if not 1 <= turn <= snapshot.through or sum(map(len, words)) < LEAST_QUOTE:
        return None
    place = snapshot.turn(turn)
    pattern = r"\s+".join("".join(ALIKE.get(mark) or re.escape(mark) for mark in word) for word in words)
    for match in re.finditer(pattern, place.content):
        quoted = is_quoted(place, match.start(), match.end())
        informs = quoted and BINDING_SECTIONS.isdisjoint(places) and fault is not Fault.REFUSED
        if quoted is (fault is Fault.NOT_AGREED) or informs:
            return Evidence(turn=turn, start=match.start(), end=match.end(), text=match[0])
    return None


def is_quoted(turn: Turn, start: int, end: int) -> bool:
    """Whether words of a turn are material that was passed on rather than said."""
    return turn.role is Role.TOOL or turn.is_quoted(Span(start=start, end=end))


def is_spoken(snapshot: Snapshot, evidence: Sequence[Evidence]) -> bool:
    """Whether somebody says any of these words: quoted material alone never binds, whoever says that it does."""
    return any(not is_quoted(snapshot.turn(one.turn), one.start, one.end) for one in evidence)
