"""What a cycle only suspects of held claims: told to the next review, and decides nothing."""

from collections.abc import Iterable, Sequence

from consensus.reconcile.comparison import Space
from consensus.reconcile.merging import by_words, newest
from consensus.reconcile.votes import Doubt
from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import vetoes
from dissolution.claims import Claim, ClaimId, Dissent, Evidence, Section
from dissolution.reviewing import Fault, Hint
from dissolution.values import NotMeasured

BY_MEMBERS = NotMeasured(not_measured="members say it; no model of wording was asked")
BY_VALUES = NotMeasured(not_measured="values and distances were compared; no model of wording was asked")

Later = tuple[Claim, tuple[Evidence, ...]]
"""An open claim that this cycle says on words of new turns, and those words."""


def of_doubts(doubts: Iterable[Doubt]) -> list[Hint]:
    """What members say ends a claim, where their votes do not suffice."""
    return [
        Hint(
            suspects=_ended(doubt.claim),
            claims=(doubt.claim.id,),
            evidence=doubt.words[0] if doubt.words else None,
            probability=BY_MEMBERS,
            basis=doubt.reason,
        )
        for doubt in doubts
    ]


def of_values(held: Iterable[Claim], later: Sequence[Later], space: Space) -> list[Hint]:
    """Held claims beside which a claim on newer words stands that is about the same and may not be merged with them.

    Each claim on newer words points at the nearest of the claims that it may end: a firm one that the typed floor keeps
    apart from it, and a question.

    Args:
        held: Open claims that were held before.
        later: What this cycle says on words of new turns.
        space: Distances between the texts.
    """
    found: dict[ClaimId, tuple[float, Hint]] = {}
    before = sorted(held, key=by_words)
    for claim, words in later:
        for asked in (False, True):
            near = [old for old in before if (old.section is Section.EDGES) is asked and _may_end(old, claim, space)]
            if not near:
                continue
            old = min(near, key=lambda one: space.distance(one.text, claim.text))
            apart = space.distance(old.text, claim.text)
            why = f"{claim.id} is about the same (distance {apart:.2f}) on words of turn {words[0].turn}"
            hint = Hint(suspects=_ended(old), claims=(old.id,), evidence=words[0], probability=BY_VALUES, basis=why)
            if old.id not in found or apart < found[old.id][0]:
                found[old.id] = (apart, hint)
    return [hint for _, hint in found.values()]


def of_more(pairs: Iterable[tuple[Claim, Claim]]) -> list[Hint]:
    """Held claims that a new one is near to, with values or words besides, so that it was not merged with them."""
    return [
        _two(
            Fault.SAME_AS,
            held,
            new,
            "near; the second has values or words that the first has not, and may say more or what holds now",
        )
        for held, new in pairs
    ]


def of_returned(pairs: Iterable[tuple[Claim, Claim]]) -> list[Hint]:
    """New claims that are near to what ended, on no newer words: they may only repeat it.

    Args:
        pairs: Each new claim, and what ended.
    """
    return [
        Hint(
            suspects=_ended(new),
            claims=(new.id,),
            evidence=None if old.closing is None else next(iter(old.closing.evidence), None),
            probability=BY_VALUES,
            basis=f"near to {old.id}, which was {old.state.value}; no newer turn says it again",
        )
        for new, old in pairs
    ]


def of_demoted(ended: Iterable[tuple[Claim, Claim | Dissent, ClaimId]]) -> list[Hint]:
    """What took the place of a commitment in KNOWN and may say just that again.

    Args:
        ended: Each commitment that ended, what was said in its place, and the id under which that stands.
    """
    return [
        Hint(
            suspects=Fault.WRONG_SECTION,
            claims=(home,),
            evidence=next(iter(new.evidence), None),
            probability=BY_VALUES,
            basis=f"it took the place of {old.id} in {old.section.value}, and is near to it",
        )
        for old, new, home in ended
    ]


def of_opposites(made: Iterable[Claim], standing: Iterable[Claim], space: Space) -> list[Hint]:
    """Promoted claims that the typed floor keeps apart from the nearest claim about the same that stands."""
    found: list[Hint] = []
    others = sorted(standing, key=by_words)
    for claim in made:
        near = [one for one in others if one.id != claim.id and _apart(one, claim, space)]
        if near:
            other = min(near, key=lambda one: space.distance(one.text, claim.text))
            found.append(_two(Fault.CONTRADICTS, other, claim, "about the same, and typed values keep them apart"))
    return found


def hints_about(hints: Iterable[Hint], standing: Iterable[Claim]) -> tuple[Hint, ...]:
    """The hints about claims that stand, the first of each fault about the same claims, in the order of the words."""
    texts = {claim.id: by_words(claim) for claim in standing}
    found: dict[tuple[Fault, tuple[ClaimId, ...]], Hint] = {}
    for hint in hints:
        if all(name in texts for name in hint.claims):
            found.setdefault((hint.suspects, hint.claims), hint)
    faults = list(Fault)
    return tuple(
        sorted(found.values(), key=lambda one: (faults.index(one.suspects), [texts[name] for name in one.claims]))
    )


def _ended(claim: Claim) -> Fault:
    return Fault.ANSWERED if claim.section is Section.EDGES else Fault.STALE


def _two(fault: Fault, one: Claim, two: Claim, basis: str) -> Hint:
    return Hint(suspects=fault, claims=(one.id, two.id), probability=BY_VALUES, basis=basis)


def _may_end(old: Claim, claim: Claim, space: Space) -> bool:
    if old.id == claim.id or claim.section is Section.EDGES or newest(old) >= newest(claim):
        return False
    return space.on_topic(old.text, claim.text) if old.section is Section.EDGES else _apart(old, claim, space)


def _apart(one: Claim, two: Claim, space: Space) -> bool:
    if Section.EDGES in {one.section, two.section} or not space.on_topic(one.text, two.text):
        return False
    return bool(vetoes(profile_of(one.text), profile_of(two.text)))
