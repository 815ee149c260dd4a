"""Who says what about claims as they stand now, and how many families it takes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dissolution.claims import PERSONAL_MARKS, Claim, ClaimId, Evidence, FamilyName, MemberName
from dissolution.framing import MOST_NEEDED
from dissolution.reviewing import Fault, Remark, Reviewer

ORDER = tuple(Fault)


class Voice(NamedTuple):
    """One remark of one member about claims that stand now.

    Attributes:
        member: Who says it.
        family: The family it votes with.
        remark: What it says.
        claims: The claims it is about, by the ids they have now.
        best: The one it calls best, by that id; None where it names none.
        also: Those that stay beside the best, by the ids they have now: they hold the others only together.
        place: The place of the remark among its member's, from 0.
    """

    member: MemberName
    family: FamilyName
    remark: Remark
    claims: tuple[ClaimId, ...] = ()
    best: ClaimId | None = None
    also: tuple[ClaimId, ...] = ()
    place: int = 0

    @property
    def fault(self) -> Fault:
        """What it says is wrong."""
        return self.remark.fault


def voices_of(reviewers: Sequence[Reviewer], claims: Sequence[Claim]) -> tuple[Voice, ...]:
    """The remarks that count, in an order that no order of members changes.

    A remark is about words in a section: one about claims that were reworded, moved or dropped since says nothing.
    """
    now = {(claim.section, claim.text): claim.id for claim in claims}
    found: list[Voice] = []
    for reviewer in sorted(reviewers, key=lambda one: (one.family, one.member)):
        for place, remark in enumerate(reviewer.remarks):
            known = {one.claim: now.get((one.section, one.text)) for one in remark.about}
            ids = tuple(dict.fromkeys(one for one in known.values() if one is not None))
            if len(ids) == len(remark.about):
                best = None if remark.best is None else known.get(remark.best)
                also = tuple(name for one in remark.also if (name := known.get(one)) is not None)
                found.append(Voice(reviewer.member, reviewer.family, remark, ids, best, also, place))
    return tuple(found)


def needed(claims: Iterable[Claim]) -> int | None:
    """Families whose reviewers it takes to change all of these: 1 or 2; None where only a person may.

    What one family alone states is moved by one, what two or more state by two.
    """
    listed = list(claims)
    if any(not PERSONAL_MARKS.isdisjoint(claim.marks) for claim in listed):
        return None
    return min(MOST_NEEDED, max((len(claim.support.families) for claim in listed), default=MOST_NEEDED))


def families(voices: Iterable[Voice]) -> frozenset[FamilyName]:
    """The families that speak."""
    return frozenset(one.family for one in voices)


def evidence_of(voices: Iterable[Voice], *before: Evidence) -> tuple[Evidence, ...]:
    """The words they show, each once, those of `before` first."""
    shown = (one.remark.evidence for one in voices)
    return tuple(dict.fromkeys((*before, *(piece for piece in shown if piece is not None))))


def leading(voices: Sequence[Voice]) -> Fault:
    """What most families say is wrong; of several the first of the list."""
    told = Counter(fault for _, fault in {(one.family, one.fault) for one in voices})
    return min(told, key=lambda fault: (-told[fault], ORDER.index(fault)))


def by_fault(voices: Sequence[Voice]) -> Mapping[Fault, list[Voice]]:
    """The same voices by what they say is wrong, in the order of the list."""
    return {fault: said for fault in ORDER if (said := [one for one in voices if one.fault is fault])}
