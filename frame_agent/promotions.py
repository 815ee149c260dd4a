"""Promotion: a claim that holds something more firmly than the conversation does."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from dissolution.claims import FIRM_SECTIONS, Claim, Section
from dissolution.framing import Finding, FindingKind, Severity
from dissolution.premises import PremiseStatus
from frame_agent import marks
from frame_agent.cues import STANDING
from frame_agent.extraction import LEFT_OPEN
from frame_agent.record import Part, Record, Said, parts_of, pieces_of
from frame_agent.rulings import ruled_out
from frame_agent.terms import figures_of, terms_of
from wording.names import names
from wording.negation import is_negated

LEAST = 0.46
"""How well a weak sentence must bear a part of a claim (`Record.bears`) to be where it comes from."""

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
    PremiseStatus.PROPOSED: 0.55,  # what is proposed is often simply done, and told as done
}
"""How well a firm sentence must bear a part for its weak source not to matter."""

ENOUGH_ASKED = 0.72
LEAST_INJECTED = 0.45
LEAST_BACK = 0.5
LEAST_COVER = 0.6
"""Share of a question that a claim must hold to be taken as its answer."""

STRANGE = 0.75
"""What a firm sentence counts that lacks a name or figure of the part, or says the opposite."""

LEAST_OBJECT = 0.75
"""Share of what was ruled out that a claim must name to bring it back."""

LEAST_RULED_OUT = 0.25
"""How well the ruling sentence must bear the claim besides."""

FIRM = frozenset({PremiseStatus.ASSERTED, PremiseStatus.CONFIRMED, PremiseStatus.IMPLICIT})
BINDING = frozenset({Section.DECIDED, Section.IDENTITY})


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


def _promoted(record: Record, claim: Claim, part: Part, least: float = LEAST) -> Promoted | None:
    near = [(record.bears(said, part, claim.evidence), said) for said in record.near(part.terms)]
    near.sort(key=lambda pair: -pair[0])
    firm = _firm(record, claim, part, near)
    for status in (PremiseStatus.INJECTED, PremiseStatus.ONE_OFF, PremiseStatus.HEDGED, PremiseStatus.PROPOSED):
        best = next(((score, said) for score, said in near if _is(said, status)), None)
        if best is None or not APPLIES[status](claim, part):
            continue
        enough_of_it = LEAST_INJECTED if status is PremiseStatus.INJECTED else least
        enough = firm >= (ENOUGH_ASKED if best[1].found.asks else ENOUGH[status])
        ahead = 0.0 if best[1].found.reason == LEFT_OPEN else AHEAD
        if best[0] >= enough_of_it and best[0] >= firm + ahead and not enough and _answers(record, best[1], part):
            return Promoted(claim, part, best[1], status)
    return _brought_back(record, claim, part, near)


def _is(said: Said, status: PremiseStatus) -> bool:
    """As it stands now, or as it was put when nothing but a confirmation would have made it more."""
    return said.status is status or (said.found.status is status and said.status is not PremiseStatus.CONFIRMED)


def _firm(record: Record, claim: Claim, part: Part, near: list[tuple[float, Said]]) -> float:
    """How well the conversation bears a part by what is firm; quoted material decides nothing."""
    binding = claim.section in BINDING
    best = 0.0
    figures = figures_of(part.text)
    by_turn: dict[int, frozenset[str]] = {}
    for score, said in near:
        if said.status not in FIRM or said.found.asks or (binding and said.found.quoted):
            continue
        best = max(best, score * (STRANGE if _is_another(said, part) else 1.0))
        if said.found.quoted and figures & said.found.terms:
            by_turn[said.found.turn] = by_turn.get(said.found.turn, frozenset()) | said.found.terms
    listed = max((record.weights.share(terms, part.terms) for terms in by_turn.values()), default=0.0)
    return max(best, listed * LISTED)


def _is_another(said: Said, part: Part) -> bool:
    """Whether a sentence is about another thing than the part: a figure or name is missing, or the sense turned."""
    terms = said.found.terms | said.before
    figures, named = figures_of(part.text), _named(part.text)
    missing = not figures <= terms or (bool(named) and not named & terms)
    return missing or (TURNS.search(said.found.text) is None) != (TURNS.search(part.text) is None)


def _named(text: str) -> frozenset[str]:
    return terms_of(" ".join(sorted(names(text))))


TURNS = re.compile(r"\b(?:not|never|no|off|out|nobody|without|cannot)\b|n't\b", re.IGNORECASE)


def _answers(record: Record, said: Said, part: Part) -> bool:
    """Whether a weak sentence is where a part comes from: it has its figures; and a question asks just this.

    A question that asks why or how takes what it speaks of for granted.
    """
    if said.status in {PremiseStatus.ONE_OFF, PremiseStatus.INJECTED} or said.found.status is PremiseStatus.ONE_OFF:
        return True
    figures = figures_of(part.text)
    if 2 * len(figures & said.found.terms) < len(figures):
        return False
    if not said.found.asks:
        return True
    back = record.weights.share(part.terms, said.found.terms)
    return not WHY.search(said.found.text) and back >= LEAST_BACK and record.cover(said, part.terms) >= LEAST_COVER


USES = re.compile(
    r"""\b(?:us(?:e|es|ed|ing)|runs?|goes|via|through|is\ the|are\ the|includ\w*|part\ of|deploy\w*|ship\w*
      |adopt\w*|chosen|chooses?|keeps?|kept|enter\w*|serv\w*|sells?|there\ (?:is|are)|caus\w*|because
      |comes?\ from|hold|holds|based)\b""",
    re.IGNORECASE | re.VERBOSE,
)
CONDITION = re.compile(r"^\W*(?:if|unless|should|in case)\b", re.IGNORECASE)
WHY = re.compile(r"^\W*(?:and |but |so )?(?:why|how|what|who|when|where|which)\b", re.IGNORECASE)
LISTED = 0.9
"""What the lines of one table or log together count, against one sentence that says it."""


def _guess(_claim: Claim, part: Part) -> bool:
    return not marks.is_marked(part.text)


def _standing(claim: Claim, part: Part) -> bool:
    return claim.section in BINDING and not marks.ONCE.search(part.text)


def _decided(_claim: Claim, part: Part) -> bool:
    said_so = marks.is_marked(part.text) or marks.ASKS.search(part.text)
    return not said_so and not marks.DENIES.search(part.text)


def _adopted(claim: Claim, _part: Part) -> bool:
    return not marks.NOT_OBEYED.search(claim.text)


APPLIES: dict[PremiseStatus, Callable[[Claim, Part], bool]] = {
    PremiseStatus.INJECTED: _adopted,
    PremiseStatus.ONE_OFF: _standing,
    PremiseStatus.HEDGED: _guess,
    PremiseStatus.PROPOSED: _decided,
}
"""What a part of a claim must not say for its weak source to count: a guess that is called one is no promotion."""


def _brought_back(record: Record, claim: Claim, part: Part, near: list[tuple[float, Said]]) -> Promoted | None:
    """A claim that states what was ruled out, and says nothing against it."""
    if marks.DENIES.search(part.text) or marks.is_marked(part.text):
        return None
    for score, said in near:
        if said.found.quoted or said.found.asks or CONDITION.match(said.found.text):
            continue
        named = max((_named_again(record, part, objects) for objects in ruled_out(said.found.text)), default=0.0)
        if named >= LEAST_OBJECT and score >= LEAST_RULED_OUT and not _taken_back_later(said, score, near):
            return Promoted(claim, part, said, PremiseStatus.REJECTED)
    return _turned_around(record, claim, part, near)


def _turned_around(record: Record, claim: Claim, part: Part, near: list[tuple[float, Said]]) -> Promoted | None:
    """A claim whose best sentence by far says no to it."""
    spoken = [(score, said) for score, said in near if not said.found.quoted]
    noes = [
        (score, said)
        for score, said in spoken
        if is_negated(said.found.text)
        and not said.found.asks
        and record.weights.share(part.terms, said.found.terms) >= LEAST_BACK
    ]
    if not noes or is_negated(part.text):
        return None
    others = max((score for score, said in near if not is_negated(said.found.text)), default=0.0)
    score, said = noes[0]
    if score >= TURNED and score >= others + CLEARLY:
        return Promoted(claim, part, said, PremiseStatus.REJECTED)
    return None


TURNED = 0.6
CLEARLY = 0.15
"""How well a sentence that says no must bear a claim that says yes, and how much better than every other."""


def _named_again(record: Record, part: Part, objects: frozenset[str]) -> float:
    """How much of what was ruled out a part names; one word alone counts only where the part makes use of it."""
    if len(objects) == 1 and not USES.search(part.text):
        return 0.0
    return record.weights.share(part.terms, objects)


def _taken_back_later(ruling: Said, least: float, near: list[tuple[float, Said]]) -> bool:
    """Whether what was ruled out is firmly stated by a later sentence that bears the claim as well."""
    return any(
        score >= max(LEAST, least + CLEARLY)
        and said.found.turn > ruling.found.turn
        and said.status in FIRM
        and not said.found.asks
        for score, said in near
    )


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
