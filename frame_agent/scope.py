"""How far a guess or an offer reaches in its sentence: over its own clause, or over all of it.

"There might be no perfect name, but this one is final" guesses in its first clause only; in "the name is final, as far
as I know" the guess has no content of its own and holds the rest. Scope is by clause, as in the annotation of BioScope
(Vincze et al. 2008), where a cue's scope ends with its clause.
"""

import re
from functools import lru_cache

from dissolution.premises import PremiseStatus
from frame_agent import cues
from frame_agent.bounds import ONCE
from frame_agent.doubts import ELSEWHERE, NO_GROUND
from frame_agent.guesses import GUESS
from frame_agent.offers import OFFER
from frame_agent.record import Part, Record, Said
from frame_agent.terms import figures_of, terms_of
from wording.hedges import hedge_spans

CLAUSE = re.compile(
    r"[,;:()]\s|\s[–—-]\s|\s(?=(?:but|though|although|while|whereas|because|so|since|and\s(?:i|we|it|he|she|they|the|that|this|there|you|my|our))\b)"
)
OWN = 2
"""Terms from which a clause that holds a cue says something itself, and the cue need not reach any further."""

GUESSES = (GUESS, cues.SUPPOSING, ELSEWHERE)
OFFERS = (OFFER, cues.PROPOSING, cues.LEFT_OPEN)
BOUNDS = (ONCE, cues.ONE_OFF)
TURNS = re.compile(
    r"\s*(?:but|though|although|while|whereas|because|so|since|otherwise|normally|usually)\b", re.IGNORECASE
)
"""Opens a clause that an offer before it does not reach."""


GROUND = re.compile(
    r"\s*(?:(?:so |as )?far as|as|if|unless|going (?:by|on)|judging|from|according to|to (?:go|judge|hear)|by|at least"
    r"|so|or so|or|(?:and |but )?(?:this|that|it|which)(?:'s| is| was))\b",
    re.IGNORECASE,
)
"""Opens a clause that says what the sentence before it is known from."""


@lru_cache(maxsize=8192)
def reach(text: str, status: PremiseStatus) -> frozenset[str]:
    """The terms of a sentence that its guess, offer or bound reaches; all of them when it speaks of the whole.

    Args:
        text: One sentence.
        status: Hedged, proposed or one_off: which kind of cue is meant.
    """
    cues_at = [
        (match.end() - len(match[0].lstrip(" ,.;:")), match.end())
        for form in CUES[status]
        for match in form.finditer(text)
    ]
    if status is PremiseStatus.HEDGED:
        cues_at += [(span.start, span.end) for span in hedge_spans(text)]
    whole = terms_of(text)
    if status is PremiseStatus.ONE_OFF:  # one bound holds all that is asked with it, up to an "otherwise"
        return frozenset[str]().union(*(terms_of(text[a:b]) for a, b in _clauses(text) if not TURNS.match(text[a:b])))
    found: frozenset[str] = frozenset()
    going_on = False
    for begin, end in _clauses(text):
        clause = text[begin:end]
        within = [(start - begin, stop - begin) for start, stop in cues_at if begin <= start < end]
        going_on = going_on and not TURNS.match(clause)
        if (within and len(terms_of(clause)) < OWN) or _of_the_whole(clause, within, status, first=not begin):
            return whole
        if within or going_on:
            found |= terms_of(clause)
            going_on = status is PremiseStatus.PROPOSED or clause.rstrip().endswith(":")
    return found or whole


def _of_the_whole(clause: str, within: list[tuple[int, int]], status: PremiseStatus, *, first: bool) -> bool:
    """Whether a clause says how all of a sentence is held: an attitude with no content of its own, or a ground."""
    if status is not PremiseStatus.HEDGED:
        return False
    if not within:
        return not first and NO_GROUND.search(clause) is not None
    opens = any(not clause[:start].strip() for start, _ in within)
    rest = clause
    for start, stop in sorted(within, reverse=True):
        rest = f"{rest[:start]} {rest[stop:]}"
    return not terms_of(rest) or (not first and (opens or GROUND.match(clause) is not None))


def _clauses(text: str) -> list[tuple[int, int]]:
    marks = [match.end() for match in CLAUSE.finditer(text)]
    return list(zip([0, *marks], [*marks, len(text)], strict=True))


CUES = {PremiseStatus.HEDGED: GUESSES, PremiseStatus.PROPOSED: OFFERS, PremiseStatus.ONE_OFF: BOUNDS}

LEAST_REACHED = 0.35
"""Share of what a part and its weak sentence have in common that the guess or offer must reach."""


def reaches(record: Record, said: Said, part: Part) -> bool:
    """Whether what is weak about a sentence is what a part takes from it, and not another clause."""
    found = said.found
    if found.asks or found.quoted or found.status not in CUES:
        return True
    common = part.terms & found.terms
    held = reach(found.held, found.status)
    figured = bool(held & common & figures_of(part.text))
    return not common or figured or record.weights.share(held, common) >= LEAST_REACHED
