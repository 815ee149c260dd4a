"""What later turns take back, word for word, with no claim that says so.

The conversation itself outranks every vote: a claim loses when a later turn gives its value to something else, replaces
it, moves it, or denies it, lifts the instruction, says that what was there is gone, or gives the other option.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from consensus.corrections import clauses_of, settles
from consensus.draft import Draft
from consensus.evidence import Ground
from consensus.guards import Guard, crossed, misplaced, owned, rebound, vetoes
from consensus.guards_names import about_another
from consensus.lifted import lifts
from consensus.lifted import wordings as lifting
from consensus.listings import says
from consensus.lookup import roots
from consensus.profile import Figure, Profile, profile_of
from consensus.replaced import DROPPED, MOVES, denied, takes_back
from consensus.withdrawn import withdrawn
from consensus.withdrawn import wordings as withdrawing
from dissolution.claims import FIRM_SECTIONS

REASSIGNS = re.compile(
    r"\b(?:belong(?:s|ed)?|refer(?:s|red)?|appl(?:y|ies|ied)|come|comes|came|stem(?:s|med)?)\W+"
    r"(?:(?:in fact|really|actually|all|only|both)\W+)?(?:to|from)\b",
    re.IGNORECASE,
)
"""Wording that names the true owner of what stands before it: "the 18 faults belong to web-a2"."""

HYPOTHETICAL = re.compile(r"\b(?:would|could|might|if|unless|suppose)\b|\?", re.IGNORECASE)
"""Wording of what is only weighed: it takes nothing back."""

SAME_WORDS = 0.6  # share of the claim's words, figures left out, that a later sentence must have to speak of the same
DENIED_WORDS = 0.75  # the same for a later sentence that denies them: a denial has no figure to go by
VALUES = frozenset({Guard.NUMBER, Guard.DATE})
NO_LONGER = re.compile(r"\b(?:no longer|not any ?more|never was|was never)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Retraction:
    """A turn that takes a claim back.

    Attributes:
        turn: The turn.
        why: What it does to the claim, in words.
    """

    turn: int
    why: str


def retraction(draft: Draft, ground: Ground) -> Retraction | None:
    """The first turn that takes a draft back, or None.

    Args:
        draft: A group with its grounding; only firm ones with evidence are taken back.
        ground: The snapshot's stretches.
    """
    if draft.section not in FIRM_SECTIONS or not draft.grounding.evidence:
        return None
    found = _given_wrongly(draft, ground) or _ended(draft, ground) or _other_option(draft, ground)
    if found is not None:
        return found
    claim, since, last = draft.profile, _last_straight(draft, ground), _last_stated(draft, ground)
    affirmed = _last_affirmed(draft, ground)
    rows = ground.lookup.touching(claim, MOVES, SAME_WORDS) - ground.lookup.worded(HYPOTHETICAL)
    for place in sorted(row for row in rows if ground.spoken[row]):
        turn, said = ground.stretches[place].turn, ground.profiles[place]
        if about_another(claim, said):
            continue
        if said.marks and turn > since and misplaced(claim, said):
            return Retraction(turn, "gives a figure of it to something else")
        why = takes_back(claim, said, [mark for mark in claim.marks if turn > affirmed.get(mark.key, last)])
        after = turn > last and settles(last or draft.grounding.first_turn, turn, (place,), ground)
        if why is None and after:
            why = _answered(claim, said)
        if why is not None:
            return Retraction(turn, why)
    return None


def _reassigned(claim: Profile, said: Profile) -> bool:
    """Whether `said` names another owner, by an identifier the claim has not, for a figure of the claim."""
    owner = REASSIGNS.search(said.text)
    if owner is None:
        return False
    owners = [mark for mark in said.marks if mark.kind == "identifier" and mark.at >= owner.end()]
    given = [mark for mark in said.marks if mark.kind != "identifier" and mark.at < owner.start()]
    if not owners or any(claim.has(mark) for mark in owners):
        return False
    return any(not mark.wants.isdisjoint(one.holds) for mark in _asserted(claim) for one in given)


def _asserted(claim: Profile) -> list[Figure]:
    return [mark for mark in claim.marks if mark.hard and mark.kind != "identifier" and not denied(claim, mark)]


def _given_wrongly(draft: Draft, ground: Ground) -> Retraction | None:
    """What takes a draft back because its figures are another's: a later turn that says so, or its own evidence."""
    turn = _first_reassigned(draft, ground)
    if turn is not None:
        return Retraction(turn, "says what a figure of it belongs to")
    for place in draft.grounding.places:
        if ground.spoken[place] and crossed(draft.profile, ground.profiles[place]):
            return Retraction(ground.stretches[place].turn, "gives its figures the other way round")
    return None


def _first_reassigned(draft: Draft, ground: Ground) -> int | None:
    """The first turn after the draft's evidence begins that names another owner for one of its figures, or None."""
    first = draft.grounding.first_turn
    for place in sorted(ground.lookup.worded(REASSIGNS) - ground.lookup.worded(HYPOTHETICAL)):
        turn = ground.stretches[place].turn
        if ground.spoken[place] and turn > first and _reassigned(draft.profile, ground.profiles[place]):
            return turn
    return None


def _ended(draft: Draft, ground: Ground) -> Retraction | None:
    """The first turn after the last that states it which lifts the draft's instruction or says that its state is gone.

    A sentence that ends something has its words too: it is no statement of it.
    """
    ends: dict[int, str] = {}
    claim, first = draft.profile, draft.grounding.first_turn
    for place in sorted(ground.lookup.worded(*lifting(claim), *withdrawing(claim))):
        turn, said = ground.stretches[place].turn, ground.profiles[place]
        if about_another(claim, said):
            continue
        if turn >= first and ground.spoken[place] and settles(first, turn, (place,), ground):
            why = "lifts it" if lifts(claim, said) else withdrawn(claim, said)
            if why is not None:
                ends.setdefault(turn, why)
    last = max((turn for turn in draft.grounding.turns if turn not in ends), default=0)
    return next((Retraction(turn, ends[turn]) for turn in sorted(ends) if turn > last), None)


def _other_option(draft: Draft, ground: Ground) -> Retraction | None:
    """The first turn that gives what the draft speaks of another value of the setting that the draft gives it."""
    claim = draft.profile
    for value, others in ground.rivals.items():
        if not says(claim.text, value) or any(says(claim.text, other) for other in others):
            continue
        about = roots(claim) - roots(profile_of(value))
        last, found = 0, list[int]()
        for place, (stretch, said) in enumerate(zip(ground.stretches, ground.profiles, strict=True)):
            if not ground.spoken[place] or HYPOTHETICAL.search(said.text) or about_another(claim, said):
                continue
            shared = len(about & roots(said))
            if says(said.text, value) and shared:
                last = stretch.turn
            elif shared >= max(2, SAME_WORDS * len(about)) and any(says(said.text, other) for other in others):
                found.append(stretch.turn)
        if found and found[-1] > last:
            return Retraction(next(turn for turn in found if turn > last), "gives another value")
    return None


def _answered(claim: Profile, said: Profile) -> str | None:
    """What a later sentence on the same thing says instead: another value, or a plain denial."""
    if rebound(claim, said) is not None:
        return "gives another value"
    about = roots(claim)
    shared = len(about & roots(said))
    if shared < 2 or shared < SAME_WORDS * len(about):  # noqa: PLR2004 - one word is no subject
        return None
    if any(veto.opposed and veto.guard in VALUES for veto in vetoes(claim, said)) and _one_value_each(claim, said):
        return "gives another value"
    if _plainly_denies(claim, said) and shared >= DENIED_WORDS * len(about):
        return "denies it"
    return None


def _one_value_each(claim: Profile, said: Profile) -> bool:
    """Whether each has one value of a kind that the other lacks: sentences with several may speak of several things."""
    mine = [mark for mark in claim.lacking(said) if mark.kind != "identifier"]
    theirs = [mark for mark in said.lacking(claim) if mark.kind != "identifier"]
    return len(mine) == 1 and len([mark for mark in theirs if mark.group == mine[0].group]) == 1


def _last_stated(draft: Draft, ground: Ground) -> int:
    """The last turn that states the draft, with one of its values if it has any, and does not deny it; else 0."""
    claim = draft.profile
    values = [mark for mark in claim.marks if mark.hard and mark.kind != "identifier"]
    others = {place for mark in claim.marks if mark.kind == "identifier" for place in ground.about_another(mark)}
    stating = set(draft.grounding.stating) | (set(draft.grounding.places) if values else set[int]())
    turns = [
        ground.stretches[place].turn
        for place in stating
        if not _plainly_denies(claim, ground.profiles[place])
        and (not values or (place not in others and _affirms(values, ground.profiles[place])))
    ]
    return max(turns, default=0)


def _last_affirmed(draft: Draft, ground: Ground) -> dict[str, int]:
    """For each figure with a unit the last turn of the evidence that says it and does not deny it; else the first."""
    stating = {*draft.grounding.stating, *draft.grounding.places}
    found: dict[str, int] = {}
    for mark in draft.profile.marks:
        if mark.hard and mark.kind != "identifier" and mark.group:  # a count without a unit may count anything
            turns = [ground.stretches[place].turn for place in stating if _affirms([mark], ground.profiles[place])]
            found[mark.key] = max(turns, default=draft.grounding.first_turn)
    return found


def _affirms(values: Sequence[Figure], said: Profile) -> bool:
    if DROPPED.search(said.text):
        return False
    return any(
        not mark.wants.isdisjoint(other.holds) and not denied(said, other) for mark in values for other in said.marks
    )


def _plainly_denies(claim: Profile, said: Profile) -> bool:
    """Whether a sentence denies what the claim says; of several clauses the one that has its words counts."""
    if claim.denies:
        return False
    about = roots(claim)
    shares = [(len(about & roots(clause)), clause) for clause in clauses_of(said)]
    most = max(share for share, _ in shares)
    own = [clause for share, clause in shares if share == most and share >= DENIED_WORDS * len(about)] or [said]
    return all(clause.negative or NO_LONGER.search(clause.text) is not None for clause in own)


def _last_straight(draft: Draft, ground: Ground) -> int:
    """The last turn that gives one of the draft's figures to what the draft gives it to, or 0."""
    claim = draft.profile
    turns = [0]
    for mark in claim.marks:
        for place in ground.lookup.with_figure([mark]):
            profile = ground.profiles[place]
            same = [other for other in profile.marks if not mark.wants.isdisjoint(other.holds)]
            if any(owned(claim.bound[mark.key], profile.bound[other.key]) for other in same):
                turns.append(ground.stretches[place].turn)
    return max(turns)
