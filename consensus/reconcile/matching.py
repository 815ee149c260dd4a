"""Which held claims an item of this cycle says again: by the id that members name, or by meaning under the floor.

The floor is what keeps statements apart without being asked: typed values and denials
(`consensus.wording.typed_floor.vetoes`).
"""

from enum import StrEnum

from consensus.reconcile.comparison import Space
from consensus.reconcile.merging import newest, plain
from consensus.reconcile.votes import affirming, ends
from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import vetoes
from dissolution.claims import Claim, Dissent, Section
from language.reading import read


class ClaimMatch(StrEnum):
    """How an item of this cycle says a held claim."""

    SAME = "same"  # one meaning, and nothing typed that the held one has not
    MORE = "more"  # near, with values or words besides: it stands beside the held one until reviewers merge them


def match(held: Claim, said: Claim | Dissent, space: Space, *, anew: bool) -> ClaimMatch | None:
    """How an item of this cycle says a held claim, or None. A question and a statement never match.

    Args:
        held: An open claim.
        said: A claim or dissent of this cycle.
        space: Distances between both texts.
        anew: Whether the item rests on words of turns since the boundary. Then near words may tell what has changed
            ("fancies Greek food", "fancies Italian food"): unless members name the held claim, words that it has not
            stand beside it, or they would be lost.
    """
    if held.id == said.id:
        return ClaimMatch.SAME
    if (held.section is Section.EDGES) != (said.section is Section.EDGES):
        return None
    if plain(held.text) == plain(said.text) and not vetoes(profile_of(held.text), profile_of(said.text)):
        return ClaimMatch.SAME
    named = bool(affirming(said, held.id))
    if not named and (ends(said, held.id) or space.distance(held.text, said.text) > space.same_claim):
        return None
    if vetoes(profile_of(held.text), profile_of(said.text)):
        return None
    more = brings(said.text, held.text) if named or not anew else not within(said.text, held.text)
    return ClaimMatch.MORE if more else ClaimMatch.SAME


def within(text: str, known: str) -> bool:
    """Whether a text has no word and no value that the known one has not."""
    return read(text).stems <= read(known).stems and not brings(text, known)


def brings(text: str, known: str) -> bool:
    """Whether a text has numbers, dates or identifiers that the known one has not: they would be lost with it."""
    return bool(profile_of(text).lacking(profile_of(known)))


def retells(said: Claim | Dissent, known: Claim, space: Space) -> bool:
    """Whether an item only tells in other words what is known, on no newer words than it rests on.

    Nothing was said since, so a less near wording counts as the same where it rests on a turn of the known claim,
    stands in its section, the floor does not object, and it brings no value. A member that repeats the state it was
    shown adds nothing.
    """
    turns = {piece.turn for piece in said.evidence}
    if said.section is not known.section or not turns & {piece.turn for piece in known.evidence}:
        return False
    if max(turns) > max(known.affirmed or 0, newest(known)):
        return False
    if space.distance(said.text, known.text) > space.retold or brings(said.text, known.text):
        return False
    return not vetoes(profile_of(said.text), profile_of(known.text))
