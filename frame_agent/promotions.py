"""Promotion: a claim that holds something more firmly than the conversation does."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from dissolution.claims import FIRM_SECTIONS, Claim, Section
from dissolution.framing import Finding, FindingKind, Severity
from dissolution.premises import PremiseStatus
from frame_agent import marks
from frame_agent.bounded import bounded
from frame_agent.brought_back import FIRM, brought_back, denied
from frame_agent.cues import STANDING
from frame_agent.extraction import LEFT_OPEN
from frame_agent.left_open import alternatives, left_open
from frame_agent.pasted import BINDING, pasted
from frame_agent.record import Part, Record, Said, parts_of, pieces_of
from frame_agent.rulings import refuses
from frame_agent.scope import reaches
from frame_agent.terms import figures_of, terms_of
from wording.names import names

LEAST = 0.46
"""How well a weak sentence must bear a part of a claim (`Record.bears`) to be where it comes from."""

LEAST_DECIDED = 0.62
LEAST_PIECE = 0.6
"""The same for one thing of a list."""

LEAST_OF_IT = 0.4
"""Share of the weak sentence that it must hold besides."""

AHEAD = 0.08
"""How much better than every firm sentence."""

ENOUGH = {
    PremiseStatus.INJECTED: 2.0,  # never: what is ordered in quoted material is not made better by what resembles it
    PremiseStatus.ONE_OFF: 0.72,
    PremiseStatus.HEDGED: 0.72,
    PremiseStatus.PROPOSED: 0.62,  # what is proposed is often simply done, and told as done
}
"""How well a firm sentence must bear a part for its weak source not to matter."""

ENOUGH_ASKED = 0.72
LEAST_INJECTED = 0.45
LEAST_BACK = 0.5
LEAST_COVER = 0.6
"""Share of a question that a claim must hold to be taken as its answer."""

STRANGE = 0.75
TURNED = 0.75
"""What a firm sentence counts that lacks a name or figure of the part, and one that says the opposite."""

SEVERAL = 2
"""Figures that are not found together by chance."""


@dataclass(frozen=True, slots=True)
class Promoted:
    """A part of a claim with the weak sentence it goes beyond."""

    claim: Claim
    part: Part
    said: Said
    before: PremiseStatus


def promotions(record: Record, claim: Claim) -> tuple[Promoted, ...]:
    """The parts of a claim that go beyond the conversation, in order."""
    if claim.section not in FIRM_SECTIONS:
        return ()
    found = [_promoted(record, claim, part) or _listed(record, claim, part) for part in parts_of(claim)]
    return tuple(one for one in found if one is not None)


def _listed(record: Record, claim: Claim, part: Part) -> Promoted | None:
    """A sentence that lists several things, one of which is a guess."""
    if claim.section is not Section.KNOWN or marks.is_marked(part.text):
        return None
    for piece in pieces_of(part):
        one = _promoted(record, claim, piece, least=LEAST_PIECE)
        if one is None or one.before is not PremiseStatus.HEDGED:
            continue
        if record.weights.share(piece.terms, one.said.found.terms) >= LEAST_OF_IT:
            return replace(one, part=part)
    return None


def _promoted(record: Record, claim: Claim, part: Part, least: float = 0.0) -> Promoted | None:
    near = [(record.bears(said, part, claim.evidence), said) for said in record.near(part.terms)]
    near.sort(key=lambda pair: -pair[0])
    for status in (PremiseStatus.INJECTED, PremiseStatus.ONE_OFF, PremiseStatus.HEDGED, PremiseStatus.PROPOSED):
        best = next(((score, said) for score, said in near if _is(said, status)), None)
        if best is None or not APPLIES[status](claim, part):
            continue
        firm = _firm(record, claim, part, near, best[1])
        enough_of_it = max(least, _least(claim, status))
        enough = firm >= (ENOUGH_ASKED if best[1].found.asks else ENOUGH[status])
        ahead = 0.0 if best[1].found.reason == LEFT_OPEN else AHEAD
        if best[0] >= enough_of_it and best[0] >= firm + ahead and not enough and _answers(record, best[1], part):
            if not reaches(record, best[1], part):
                continue
            if status is PremiseStatus.HEDGED and _conditional(record, best[1], part):
                continue
            return Promoted(claim, part, best[1], status)
    bidden = pasted(claim, part, near)
    if bidden is not None:
        return Promoted(claim, part, bidden, PremiseStatus.INJECTED)
    once = _as_rule(record, claim, part)
    if once is not None:
        return Promoted(claim, part, once, PremiseStatus.ONE_OFF)
    ruling = brought_back(record, part, near, binding=claim.section is Section.DECIDED)
    ruling = ruling or denied(record, part, near)
    if ruling is not None:
        return Promoted(claim, part, ruling, PremiseStatus.REJECTED)
    asked = left_open(record, part, near)
    return Promoted(claim, part, asked, PremiseStatus.PROPOSED) if asked is not None else None


CONDITIONS = re.compile(
    r"(?:^|,\s)(?:if|given|assuming|supposing|with|at|under|on the assumption)\s[^,;]+(?=[,;])", re.IGNORECASE
)


def _conditional(record: Record, said: Said, part: Part) -> bool:
    """Whether a part names the guess only as what it reckons with: "with half of them taking it, it pays in a year"."""
    rest = CONDITIONS.sub("", part.text)
    terms = terms_of(rest)
    return rest != part.text and bool(terms) and record.bears(said, Part(rest, terms, hedged=False)) < LEAST


def _as_rule(record: Record, claim: Claim, part: Part) -> Said | None:
    """The request for one answer that a rule is made of."""
    if claim.section not in BINDING:
        return None
    one_off = [said for said in record.said if _is(said, PremiseStatus.ONE_OFF)]
    standing = [said for said in record.said if said.status in FIRM and not said.found.quoted and not said.found.asks]
    return bounded(record, part, one_off, standing)


def _least(claim: Claim, status: PremiseStatus) -> float:
    """A decision seldom is a guess: a guess must bear it better to be what it comes from."""
    if status is PremiseStatus.HEDGED and claim.section in BINDING:
        return LEAST_DECIDED
    return LEAST_INJECTED if status is PremiseStatus.INJECTED else LEAST


def _is(said: Said, status: PremiseStatus) -> bool:
    """As it stands now, or as it was put when nothing but a confirmation would have made it more."""
    return said.status is status or (said.found.status is status and said.status is not PremiseStatus.CONFIRMED)


def _firm(record: Record, claim: Claim, part: Part, near: list[tuple[float, Said]], weak: Said) -> float:
    """How well the conversation bears a part by what is firm, as against one weak sentence.

    Quoted material decides nothing. A firm sentence without the rarest term that the part shares with the weak one is
    about something else.
    """
    shared = sorted(part.terms & weak.found.terms)
    pivot = max(shared, key=record.weights.of, default="")
    binding = claim.section in BINDING
    best = 0.0
    figures = figures_of(part.text)
    by_turn: dict[int, frozenset[str]] = {}
    for score, said in near:
        if said.status not in FIRM or said.found.asks or (binding and said.found.quoted) or _inside(said, weak):
            continue
        best = max(best, score * _odd(said, part, pivot))
        if said.found.quoted and figures & said.found.terms:
            by_turn[said.found.turn] = by_turn.get(said.found.turn, frozenset()) | said.found.terms
    shared = part.terms & weak.found.terms
    if any(_measured(turn > weak.found.turn, terms, figures, shared) for turn, terms in by_turn.items()):
        return 1.0
    listed = max((record.weights.share(terms, part.terms) for terms in by_turn.values()), default=0.0)
    return max(best, listed * LISTED)


def _inside(said: Said, weak: Said) -> bool:
    """Whether a proposition is presupposed inside the weak sentence itself, and so vouches for nothing more."""
    own, other = said.found, weak.found
    return own.turn == other.turn and own.span.start >= other.span.start and own.span.end <= other.span.end


def _measured(later: bool, terms: frozenset[str], figures: frozenset[str], shared: frozenset[str]) -> bool:  # noqa: FBT001
    """Whether a table or log that was shown after a guess holds its figures: several by chance would be odd."""
    return later and len(figures) >= SEVERAL and figures <= terms and shared <= terms


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


def _answers(record: Record, said: Said, part: Part) -> bool:
    """Whether a weak sentence is where a part comes from: it has its figures; and a question asks just this.

    A question that asks why or how takes what it speaks of for granted.
    """
    if said.status in {PremiseStatus.ONE_OFF, PremiseStatus.INJECTED} or said.found.status is PremiseStatus.ONE_OFF:
        return True
    figures = figures_of(part.text) - COUNTED
    if 2 * len(figures & said.found.terms) < len(figures):
        return False
    if not said.found.asks:
        return True
    topic = terms_of(said.found.held.rpartition(":")[2]) or said.found.terms
    asked = [topic, *(one.terms for one in alternatives(said.found.held))]
    back = max(record.weights.share(part.terms, terms) for terms in asked)
    return not WHY.search(said.found.text) and back >= LEAST_BACK and record.cover(said, part.terms) >= LEAST_COVER


COUNTED = frozenset({"1", "2", "50"})
"""One, two and half are words of talk as often as figures."""

WHY = re.compile(
    r"^\W*(?:and |but |so )?(?!what if|what about|how about|why not|why don't)(?:why|how|what|who|when|where|which)\b",
    re.IGNORECASE,
)
LISTED = 0.9
"""What the lines of one table or log together count, against one sentence that says it."""


def _guess(claim: Claim, part: Part) -> bool:
    return not marks.is_marked(part.text) and not _tells(claim, part) and not refuses(part.text)


def _tells(claim: Claim, part: Part) -> bool:
    """Whether a part only tells what somebody said: it vouches for that, and for no more."""
    return claim.section is Section.KNOWN and marks.REPORTS.match(part.text) is not None


def _standing(claim: Claim, part: Part) -> bool:
    return claim.section in BINDING and not marks.ONCE.search(part.text)


def _decided(claim: Claim, part: Part) -> bool:
    said_so = (
        _tells(claim, part)
        or marks.is_marked(part.text)
        or marks.ASKS.search(part.text)
        or marks.OFFERED.search(part.text)
    )
    return not said_so and not marks.TURNS_DOWN.search(part.text)


def _adopted(claim: Claim, _part: Part) -> bool:
    return not marks.NOT_OBEYED.search(claim.text)


APPLIES: dict[PremiseStatus, Callable[[Claim, Part], bool]] = {
    PremiseStatus.INJECTED: _adopted,
    PremiseStatus.ONE_OFF: _standing,
    PremiseStatus.HEDGED: _guess,
    PremiseStatus.PROPOSED: _decided,
}
"""What a part of a claim must not say for its weak source to count: a guess that is called one is no promotion."""


def finding_of(one: Promoted) -> Finding:
    """The finding in words."""
    section = one.claim.section
    grave = one.before in {PremiseStatus.INJECTED, PremiseStatus.REJECTED} or section in BINDING
    standing = section is Section.IDENTITY or STANDING.search(one.part.text) is not None
    severity = Severity.HIGH if grave or standing else Severity.MEDIUM
    was = WAS[one.before]
    words = f"{one.part.text!r} stands in {section.value}; turn {one.said.found.turn} {was}: {one.said.found.text!r}"
    return Finding(
        kind=FindingKind.PROMOTION,
        severity=severity,
        premise=one.said.premise.id if one.said.premise else None,
        claim=one.claim.id,
        section=section,
        before=one.before,
        words=words,
        evidence=(one.said.found.evidence,),
    )


WAS = {
    PremiseStatus.HEDGED: "only supposes it",
    PremiseStatus.ONE_OFF: "asks it for one answer",
    PremiseStatus.PROPOSED: "only asks or proposes it",
    PremiseStatus.REJECTED: "rules it out",
    PremiseStatus.INJECTED: "is quoted material, which orders nobody",
}
