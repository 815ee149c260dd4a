"""Claims that cannot both hold: settled by the turn that corrects, else contested.

First form. A claim that rests only on earlier turns loses to one it contradicts that rests on later turns, whatever
their support: evidence outranks votes. The later turn settles it when the same speaker says both, when the speaker is
the person the conversation is for, or when its words say that something changed. Otherwise nobody has settled it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from consensus.draft import Draft
from consensus.evidence import Ground
from consensus.guards import Guard, Veto, contradiction
from consensus.vectors import Matrix
from dissolution.claims import FIRM_SECTIONS
from dissolution.conversation import Role

CHANGES = re.compile(
    r"\b(?:actually|correction|corrected|instead|no longer|(?:not )?any ?more|scrap|revers(?:e|ed|ing)|wrong|mistaken?"
    r"|misread|mixed up|typo|changed?|moved|postponed|brought forward|rather than|turns out|withdrawn"
    r"|I take (?:it|that) back|new (?:figure|number|date|deadline|plan)|update[ds]?|from now on|was never)\b",
    re.IGNORECASE,
)
"""Wording of a turn that puts something else in the place of what was said."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two drafts that cannot both hold.

    Attributes:
        first: The draft on the earlier turns (its place), or on the same ones.
        second: The other.
        veto: What they differ in.
        settled_by: The turn that settles it for the second, or None when nothing does.
    """

    first: int
    second: int
    veto: Veto
    settled_by: int | None


def conflicts(drafts: Sequence[Draft], distances: Matrix, ground: Ground, same_topic: float) -> tuple[Conflict, ...]:
    """All pairs of grounded firm drafts that contradict each other.

    Two drafts that one turn states both are no conflict: whoever said both in one breath saw none.

    Args:
        drafts: n groups.
        distances: Joint distances between all statements.
        ground: The snapshot's stretches.
        same_topic: Distance from which on two representatives are about different things.
    """
    firm = [place for place, draft in enumerate(drafts) if draft.section in FIRM_SECTIONS and draft.grounding.evidence]
    found: list[Conflict] = []
    for at, left in enumerate(firm):
        for right in firm[at + 1 :]:
            a, b = drafts[left], drafts[right]
            if distances[a.chosen, b.chosen] >= same_topic or set(a.grounding.turns) & set(b.grounding.turns):
                continue
            veto = contradiction(a.profile, b.profile)
            if veto is not None and veto.guard is not Guard.MODALITY:
                found.append(_conflict(left, right, drafts, veto, ground))
    return tuple(found)


def _conflict(left: int, right: int, drafts: Sequence[Draft], veto: Veto, ground: Ground) -> Conflict:
    """Order the pair by turn and see whether the later one settles it."""
    first, second = sorted((left, right), key=lambda place: (drafts[place].grounding.last_turn, drafts[place].text))
    early, late = drafts[first].grounding, drafts[second].grounding
    settled = None
    if early.last_turn < late.last_turn and settles(early.last_turn, late.last_turn, late.places, ground):
        settled = next(turn for turn in late.turns if turn > early.last_turn)
    return Conflict(first, second, veto, settled)


def settles(early: int, late: int, places: Sequence[int], ground: Ground) -> bool:
    """Whether what turn `late` says in the stretches `places` may correct what turn `early` says."""
    before, after = ground.snapshot.turn(early), ground.snapshot.turn(late)
    if after.role in {Role.USER, Role.SYSTEM} or before.speaker == after.speaker:
        return True
    return any(CHANGES.search(ground.stretches[place].text) for place in places)
