"""Claims that cannot both hold: settled by the turn that corrects, else contested.

First form. A claim that rests only on earlier turns loses to one it contradicts that rests on later turns, whatever
their support: evidence outranks votes. The later turn settles it when the same speaker says both, when the speaker is
the person the conversation is for, or when its words say that something changed. Otherwise nobody has settled it.
What quoted material alone says settles nothing against a decision or a rule, and contests none: it binds nobody.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from consensus.changes import CHANGES
from consensus.draft import Draft
from consensus.evidence import Ground
from consensus.guards import Guard, Veto, contradiction
from consensus.profile import Profile, profile_of
from consensus.vectors import Matrix
from dissolution.claims import FIRM_SECTIONS, Section
from dissolution.conversation import Role

TextPair = frozenset[str]
CLAUSE = re.compile(r";\s+|,\s+(?=(?:and|but|so|while|whereas|because)\b)|\s+(?:but|while|whereas|because)\s+")
BINDING = frozenset({Section.DECIDED, Section.IDENTITY})
FEWEST_TERMS = 2  # content words of a clause with a subject of its own


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


def conflicts(
    drafts: Sequence[Draft],
    distances: Matrix,
    ground: Ground,
    same_topic: float,
    *,
    told: frozenset[TextPair] = frozenset(),
) -> tuple[Conflict, ...]:
    """All pairs of grounded firm drafts that contradict each other.

    Two drafts that one turn states both are no conflict: whoever said both in one breath saw none.

    Args:
        drafts: n groups.
        distances: Joint distances between all statements.
        ground: The snapshot's stretches.
        same_topic: Distance from which on two representatives are about different things.
        told: Pairs of words that an adjudicator found to contradict each other, however far apart they are.
    """
    firm = [place for place, draft in enumerate(drafts) if draft.section in FIRM_SECTIONS and draft.grounding.evidence]
    found: list[Conflict] = []
    for at, left in enumerate(firm):
        for right in firm[at + 1 :]:
            a, b = drafts[left], drafts[right]
            if set(a.grounding.turns) & set(b.grounding.turns):
                continue
            veto = _told(a, b, told)
            if veto is None and distances[a.chosen, b.chosen] < same_topic:
                veto = opposed(a.profile, b.profile)
            if veto is not None:
                found.append(_conflict(left, right, drafts, veto, ground))
    return tuple(found)


def _told(a: Draft, b: Draft, told: frozenset[TextPair]) -> Veto | None:
    """What an adjudicator said of two drafts: that words of the one contradict words of the other; or None."""
    if not any(frozenset({one, two}) in told for one in a.texts for two in b.texts):
        return None
    return Veto(Guard.ADJUDICATION, "the adjudicator finds that they contradict each other", opposed=True, certain=True)


def opposed(a: Profile, b: Profile) -> Veto | None:
    """What two drafts cannot both hold by, or None; a guess does not oppose a fact.

    Claims of several clauses speak of several things: a figure or a denial of one clause opposes a clause about the
    same, no other. So the clauses that differ must contradict each other, or one of them the other claim.
    """
    veto = contradiction(a, b)
    if veto is None or veto.guard is Guard.MODALITY:
        return None
    left, right = clauses_of(a), clauses_of(b)
    if len(left) == len(right) == 1 or _one_measure_differs(a, b):
        return veto
    pairs = [*((one, two) for one in left for two in right), *((one, b) for one in left), *((a, two) for two in right)]
    found = (contradiction(one, two) for one, two in pairs if (one, two) != (a, b))
    return next((clash for clash in found if clash is not None and clash.guard is not Guard.MODALITY), None)


def _one_measure_differs(a: Profile, b: Profile) -> bool:
    """Whether each has a value with a unit that the other lacks, of one unit: counts without one may count anything."""
    mine, theirs = ({mark.group for mark in one.lacking(two) if mark.kind == "number"} for one, two in ((a, b), (b, a)))
    return bool((mine & theirs) - {""})


def clauses_of(profile: Profile) -> list[Profile]:
    """The clauses of a claim with a subject of their own; the claim itself when it has one clause."""
    parts = [part for part in CLAUSE.split(profile.text) if len(profile_of(part).terms) >= FEWEST_TERMS]
    return [profile_of(part) for part in parts] if len(parts) > 1 else [profile]


def _conflict(left: int, right: int, drafts: Sequence[Draft], veto: Veto, ground: Ground) -> Conflict:
    """Order the pair by turn and see whether the later one settles it."""
    quoted = [place for place in (left, right) if not ground.speaks(drafts[place].grounding)]
    bound = left if quoted == [right] else right
    if len(quoted) == 1 and drafts[bound].section in BINDING:
        return Conflict(quoted[0], bound, veto, drafts[bound].grounding.last_turn)
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
