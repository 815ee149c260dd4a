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
from consensus.guards import Guard, Veto, contradiction, misplaced
from consensus.lexical import root
from consensus.profile import CLAUSE_END, Figure, Profile
from consensus.vectors import Matrix
from dissolution.claims import FIRM_SECTIONS
from dissolution.conversation import Role
from wording.words import content_words

CHANGES = re.compile(
    r"\b(?:actually|correction|corrected|instead|no longer|(?:not )?any ?more|scrap|revers(?:e|ed|ing)|wrong|mistaken?"
    r"|misread|mixed up|typo|changed?|moved|postponed|brought forward|rather than|turns out|withdrawn"
    r"|I take (?:it|that) back|new (?:figure|number|date|deadline|plan)|update[ds]?|from now on|was never)\b",
    re.IGNORECASE,
)
"""Wording of a turn that puts something else in the place of what was said."""

TAKEN_BACK = re.compile(
    r"\b(?:not|instead of|rather than|no longer|never|nor|replaces|forget|scrap|wrong)\W+"
    r"(?:(?:the|an?|at|in|on|by|to|of|for|from|about|around|until|after|before)\W+){0,2}$",
    re.IGNORECASE,
)
"""Wording right before a figure that a turn takes back: "52 per cent, not 43"."""

MOVES = re.compile(
    r"\b(?:mov(?:es?|ed|ing)|shift(?:s|ed)?|slip(?:s|ped)?|postponed|brought forward|put (?:off|back)|chang(?:es?|ed)"
    r"|rais(?:es?|ed)|lower(?:s|ed)|cut|go(?:es)? (?:up|down)|went (?:up|down)|switch(?:es|ed)?|reset|revised"
    r"|correct(?:s|ed))\b(?:\W+from\b.{1,40}?)?\W+(?:to|at|until)\b"
    r"|\b(?:is|are|was|were) now\b|\bbec(?:omes?|ame)\b",
    re.IGNORECASE,
)
"""Wording that gives something a new value: what moves stands before it, the value after it."""

HYPOTHETICAL = re.compile(r"\b(?:would|could|might|if|unless|suppose)\b|\?", re.IGNORECASE)
"""Wording of what is only weighed: it takes nothing back."""

BEFORE_FIGURE = 40  # characters looked at for that wording


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
    if early.last_turn < late.last_turn and _settles(early.last_turn, late.last_turn, late.places, ground):
        settled = next(turn for turn in late.turns if turn > early.last_turn)
    return Conflict(first, second, veto, settled)


def _settles(early: int, late: int, places: Sequence[int], ground: Ground) -> bool:
    before, after = ground.snapshot.turn(early), ground.snapshot.turn(late)
    if after.role in {Role.USER, Role.SYSTEM} or before.speaker == after.speaker:
        return True
    return any(CHANGES.search(ground.stretches[place].text) for place in places)


def taken_back(draft: Draft, ground: Ground) -> int | None:
    """The first turn after those of a draft that takes back one of its figures and gives another, or None.

    It takes no rival claim: the conversation itself says "B, not A", and the draft says A without B.
    """
    if draft.section not in FIRM_SECTIONS or not draft.grounding.evidence:
        return None
    claim, since = draft.profile, _last_straight(draft, ground)
    for place, (stretch, profile) in enumerate(zip(ground.stretches, ground.profiles, strict=True)):
        if not ground.spoken[place] or not profile.marks or HYPOTHETICAL.search(profile.text):
            continue
        later = stretch.turn > draft.grounding.last_turn
        if later and (_replaces(claim, profile) or _moves(claim, profile)):
            return stretch.turn
        if stretch.turn > since and misplaced(claim, profile):
            return stretch.turn
    return None


def _last_straight(draft: Draft, ground: Ground) -> int:
    """The last turn that gives one of the draft's figures to what the draft gives it to, or 0."""
    claim = draft.profile
    turns = [0]
    for place, profile in enumerate(ground.profiles):
        for mark in claim.marks:
            same = [other for other in profile.marks if not mark.wants.isdisjoint(other.holds)]
            if any(claim.bound[mark.key] & profile.bound[other.key] for other in same):
                turns.append(ground.stretches[place].turn)
    return max(turns)


def _replaces(claim: Profile, said: Profile) -> bool:
    """Whether `said` denies a value of the claim and gives another of its kind: "52 per cent, not 43"."""
    values = [mark for mark in said.marks if mark.kind != "identifier" or mark.hard]
    denied = [mark for mark in values if _denied(said, mark)]
    hit = [
        (mark, one)
        for mark in claim.marks
        if mark.hard and not _denied(claim, mark)
        for one in denied
        if not mark.wants.isdisjoint(one.holds)
    ]
    fresh = [mark for mark in said.lacking(claim) if not _denied(said, mark)]
    replaced = any(mark.kind == one.kind for mark in fresh for _, one in hit)
    return replaced and _related(claim, said, {mark.key for mark, _ in hit})


def _moves(claim: Profile, said: Profile) -> bool:
    """Whether `said` gives what the claim gives a value a new one: "Launch moves to 1 March 2027"."""
    move = MOVES.search(said.text)
    if move is None:
        return False
    fresh = [mark for mark in said.lacking(claim) if mark.at >= move.end() and mark.kind != "identifier"]
    what = frozenset(root(word) for word in content_words(CLAUSE_END.split(said.text[: move.start()])[-1]))
    return any(
        mark.kind == new.kind and mark.group == new.group and what and what <= claim.bound[mark.key]
        for mark in claim.marks
        if mark.hard and not said.has(mark)
        for new in fresh[:1]
    )


def _denied(profile: Profile, mark: Figure) -> bool:
    return TAKEN_BACK.search(profile.text[max(0, mark.at - BEFORE_FIGURE) : mark.at]) is not None


def _related(claim: Profile, said: Profile, denied: set[str]) -> bool:
    """Whether a word, or a figure other than the denied ones, stands in both: one number may mean many things."""
    words = {term for term in claim.terms & said.terms if not term[0].isdigit()}
    return bool(words) or bool((claim.figures & said.figures) - denied)
