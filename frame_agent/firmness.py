"""How well what is vouched for bears a part of a claim, as against a weak sentence that it may come from."""

import re

from dissolution.claims import Claim
from dissolution.premises import PremiseStatus
from frame_agent.bounded import obeys
from frame_agent.brought_back import FIRM
from frame_agent.pasted import BINDING
from frame_agent.record import Part, Record, Said
from frame_agent.terms import figures_of, terms_of
from wording.names import names

STRANGE = 0.75
TURNED = 0.75
"""What a firm sentence counts that lacks a name or figure of the part, and one that says the opposite."""

SEVERAL = 2
"""Figures that are not found together by chance."""

LISTED = 0.9
"""What the lines of one table or log together count, against one sentence that says it."""


def firmness(record: Record, claim: Claim, part: Part, near: list[tuple[float, Said]], weak: Said) -> float:
    """How well the conversation bears a part by what is firm, as against one weak sentence.

    Quoted material decides nothing. A firm sentence without the rarest term that the part shares with the weak one is
    about something else.
    """
    shared = part.terms & weak.found.terms
    pivot = max(sorted(shared), key=record.weights.of, default="")
    binding = claim.section in BINDING
    best = 0.0
    figures = figures_of(part.text)
    once = weak.status is PremiseStatus.ONE_OFF
    by_turn: dict[int, frozenset[str]] = {}
    for score, said in near:
        if said.status not in FIRM or said.found.asks or (binding and said.found.quoted) or _inside(said, weak):
            continue
        if once and obeys(said, weak):
            continue
        best = max(best, score * _odd(said, part, pivot))
        if said.found.quoted and figures & said.found.terms:
            by_turn[said.found.turn] = by_turn.get(said.found.turn, frozenset()) | said.found.terms
    later = (terms for turn, terms in by_turn.items() if turn > weak.found.turn)
    if any(_measured(terms, figures, shared) for terms in later):
        return 1.0
    listed = max((record.weights.share(terms, part.terms) for terms in by_turn.values()), default=0.0)
    return max(best, listed * LISTED)


def _inside(said: Said, weak: Said) -> bool:
    """Whether a proposition is presupposed inside the weak sentence itself, and so vouches for nothing more."""
    own, other = said.found, weak.found
    return own.turn == other.turn and own.span.start >= other.span.start and own.span.end <= other.span.end


def _measured(terms: frozenset[str], figures: frozenset[str], shared: frozenset[str]) -> bool:
    """Whether a table or log that was shown after a guess holds its figures: several by chance would be odd."""
    return len(figures) >= SEVERAL and figures <= terms and shared <= terms


def _odd(said: Said, part: Part, pivot: str) -> float:
    """What a firm sentence counts, up to 1.0, for being about another thing: something is missing, or the sense turned.

    Missing is the rarest term that the part shares with its weak source, a figure, or every name.
    """
    terms = said.found.terms | said.before
    figures, named = figures_of(part.text), _named(part.text)
    missing = not figures <= terms or (bool(named) and not named & terms) or pivot not in terms
    turned = (TURNS.search(said.found.text) is None) != (TURNS.search(part.text) is None)
    return (STRANGE if missing else 1.0) * (TURNED if turned else 1.0)


def _named(text: str) -> frozenset[str]:
    return terms_of(" ".join(sorted(names(text))))


TURNS = re.compile(r"\b(?:not|never|no|off|out|nobody|nothing|neither|nor|without|cannot)\b|n't\b", re.IGNORECASE)
