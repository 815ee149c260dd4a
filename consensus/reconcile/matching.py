"""Which held claims a claim of this cycle says again: by the id a member names, or by meaning under the guards."""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from consensus.concepts import roots_in_order
from consensus.contested import sides_of
from consensus.guards import vetoes
from consensus.profile import profile_of
from consensus.reconcile.compare import Relation, compare
from consensus.reconcile.slots import about
from consensus.reconcile.space import Space
from consensus.reconcile.terms import THINGS
from dissolution.claims import Claim, ClaimId, Dissent, HeldAct, Mark, Section
from wording.sentences import sentence_spans

CONTAINED = 0.85  # share of one claim's words that another must have to say all of it
TOGETHER = 0.9  # the same share where several claims say it between them
FARTHEST = 0.8  # joint distance from which on a claim is about something else
RETOLD = 0.55  # joint distance up to which words on the same old turns may be the same
OPENING = 4  # content words at the beginning of a claim that tell what it is about
FEWEST_NEW = 2  # words that a fuller wording must add to be one
FEWEST_ROOTS = 3  # a claim of fewer words is contained in nearly anything


NAME = re.compile(r"(?<![.!?:;] )(?<!^)(?<![\w“\"(])[^\W\d_a-z][\w-]*|\b[^\W\d_a-z]{2,}\b")
"""A capital letter within a sentence, or a word all in capitals: a name."""


class Match(StrEnum):
    """How a claim of this cycle says a held one."""

    SAME = "same"  # one meaning
    LESS = "less"  # the held one says all of it, and more
    MORE = "more"  # it says all of the held one, and more


def acts(item: Claim | Dissent, act: HeldAct) -> frozenset[ClaimId]:
    """The held claims that members name in the statements of an item, with what they say is done to them."""
    return frozenset(mark.about for said in item.statements for mark in said.claim.marks if mark.act is act)


def match(held: Claim, said: Claim | Dissent, space: Space) -> Match | None:
    """How an item of this cycle says a held claim, or None.

    A question and a statement never match, nor does what states both sides of something match one of them; two EDGES
    that quote the same sides are one.

    Args:
        held: An open claim.
        said: A claim or dissent of this cycle.
        space: Distances between both texts.
    """
    if held.id == said.id or held.text == said.text:
        return Match.SAME
    marks = said.marks if isinstance(said, Claim) else ()
    asks = (held.section is Section.EDGES) != (said.section is Section.EDGES)
    contested = Mark.CONTESTED in held.marks and held.section is Section.EDGES
    if contested and Mark.CONTESTED in marks and _same_sides(held.text, said.text, space):
        return Match.SAME
    if asks or contested or Mark.CONTESTED in marks:
        return None
    how = _how(held, said, space)
    return None if how is None or _opposed(held.text, said.text) else how


def _same_sides(one: str, two: str, space: Space) -> bool:
    """Whether two contested EDGES quote the same two sides, in either order."""
    left, right = sides_of(one), sides_of(two)
    if left is None or right is None:
        return False
    return any(space.same(left[0], a) and space.same(left[1], b) for a, b in (right, right[::-1]))


def _how(held: Claim, said: Claim | Dissent, space: Space) -> Match | None:
    if held.id in acts(said, HeldAct.AFFIRM):
        return Match.SAME
    if _other_things(held.text, said.text):
        return None
    if space.same(held.text, said.text) or _retells(held, said, space):
        return _same_or_more(held.text, said.text)
    if not space.on_topic(held.text, said.text) or not _one_subject(held.text, said.text):
        return None
    if says_all(said.text, [held.text]):
        return Match.LESS
    return Match.MORE if says_all(held.text, [said.text]) else None


def _same_or_more(one: str, two: str) -> Match | None:
    """How near words say a claim; one that speaks of another thing besides is a claim of its own."""
    if not _says_more(one, two):
        return None if _brings(one, two) else Match.SAME
    return None if (about(two) - about(one)) & THINGS else Match.MORE


def _brings(one: str, two: str) -> bool:
    """Whether the second claim gives several figures or names that the first has not: they would be lost with it."""
    return len(_new_marks(one, two)) >= FEWEST_NEW


def _new_marks(one: str, two: str) -> frozenset[str]:
    """The figures and names of the second text that the first has not."""
    known, new = profile_of(one), profile_of(two)
    figures = {mark.key for mark in new.marks if mark.hard and not known.has(mark)}
    said = one.casefold()
    return frozenset(figures | {name[0] for name in NAME.finditer(two) if name[0].casefold() not in said})


def _retells(held: Claim, said: Claim | Dissent, space: Space) -> bool:
    """Whether a claim that rests on no newer turns tells in other words what is held on the same ones.

    Nothing new was said since, so a less near wording counts as the same, where it stands in the same section, all its
    figures and names are in the held one and no guard objects.
    """
    if held.section is not said.section or held.affirmed is None or not held.evidence:
        return False
    turns = {piece.turn for piece in said.evidence}
    if not turns & {piece.turn for piece in held.evidence} or max(turns) > held.affirmed:
        return False
    if space.distance(held.text, said.text) > RETOLD or about(held.text) & THINGS != about(said.text) & THINGS:
        return False
    longer = len(frozenset(roots_in_order(said.text))) > len(frozenset(roots_in_order(held.text))) + FEWEST_NEW
    if longer or _new_marks(held.text, said.text):
        return False
    return not vetoes(profile_of(held.text), profile_of(said.text))


def _other_things(one: str, two: str) -> bool:
    """Whether each claim names a thing that the other does not: a table for five and a train for five."""
    left, right = about(one) & THINGS, about(two) & THINGS
    return bool(left - right and right - left)


def _says_more(one: str, two: str) -> bool:
    """Whether the second claim says all of the first and a good deal besides."""
    new = frozenset(roots_in_order(two)) - frozenset(roots_in_order(one))
    return len(new) >= FEWEST_NEW and says_all(one, [two]) and not says_all(two, [one])


def _one_subject(one: str, two: str) -> bool:
    """Whether two claims begin alike and name the same things: "the hotel" is not "the taxi from the hotel"."""
    left, right = (roots_in_order(text)[:OPENING] for text in (one, two))
    return bool(frozenset(left) & frozenset(right)) and about(one) & THINGS == about(two) & THINGS


def together(held: Iterable[Claim], said: Claim, space: Space) -> list[Claim]:
    """The held claims that say an item of this cycle between them, or none.

    Members put the same facts together in other ways in each cycle; what is held in two claims is not held once more
    in a third.
    """
    if said.section is Section.EDGES:
        return []
    own, profile = frozenset(roots_in_order(said.text)), profile_of(said.text)
    near = [
        claim
        for claim in held
        if claim.section is not Section.EDGES
        and len(own & frozenset(roots_in_order(claim.text))) >= FEWEST_ROOTS
        and space.distance(claim.text, said.text) < FARTHEST
    ]
    near = [claim for claim in near if not _opposed(claim.text, said.text)]
    known = frozenset(root for claim in near for root in roots_in_order(claim.text))
    if len(own) < FEWEST_ROOTS or len(own & known) < TOGETHER * len(own):
        return []
    figures = [mark for mark in profile.marks if mark.hard]
    whole = all(any(profile_of(claim.text).has(mark) for claim in near) for mark in figures)
    binding = said.section is Section.KNOWN or any(claim.section is said.section for claim in near)
    return near if whole and binding else []


def _opposed(one: str, two: str) -> bool:
    if any(veto.opposed for veto in vetoes(profile_of(one), profile_of(two))):
        return True
    return compare(one, two).relation is not Relation.APART


def says_all(text: str, others: Iterable[str]) -> bool:
    """Whether these texts together have nearly all words of `text`, all its figures, and its polarity.

    A text of few words is said only by a sentence of just these words: it would be found in nearly anything.
    """
    known = [profile_of(other) for other in others]
    own, profile = frozenset(roots_in_order(text)), profile_of(text)
    if len(own) < FEWEST_ROOTS:
        return any(_bare(text) == _bare(part) for other in known for part in _sentences(other.text))
    theirs = frozenset(root for other in known for root in roots_in_order(other.text))
    if len(own & theirs) < CONTAINED * len(own) or any(vetoes(profile, other) for other in known):
        return False
    return all(any(other.has(mark) for other in known) for mark in profile.marks if mark.hard)


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?;:,")


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[span.start : span.end] for span in sentence_spans(text))
