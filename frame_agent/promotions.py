"""Promotion: a claim that holds something more firmly than the conversation does."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from dissolution.claims import FIRM_SECTIONS, Claim, Section
from dissolution.framing import Finding, FindingKind, Severity
from dissolution.premises import PremiseStatus
from frame_agent import marks
from frame_agent.bounded import asks_for_one, bounded, is_request
from frame_agent.bounds import GENERAL
from frame_agent.brought_back import FIRM, brought_back, denied, overtaken
from frame_agent.cues import STANDING
from frame_agent.firmness import firmness
from frame_agent.left_open import alternatives, left_open
from frame_agent.offering import GIVES_UP, instructs, is_offer
from frame_agent.only_guessed import only_guessed
from frame_agent.pasted import BINDING, pasted
from frame_agent.record import Part, Record, Said, parts_of, pieces_of, reasons_of
from frame_agent.scope import reaches
from frame_agent.terms import figures_of, terms_of
from frame_agent.vouching import is_guess, settled
from frame_agent.wordings import LEFT_OPEN, is_supposed

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
        best = next(((score, said) for score, said in near if _is(record, said, status)), None)
        if best is None or not APPLIES[status](record, claim, part, best[1]):
            continue
        firm = firmness(record, claim, part, near, best[1])
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
    decides = claim.section is Section.DECIDED
    ruling = brought_back(record, part, near, binding=decides) or denied(record, part, near, binding=decides)
    ruling = ruling or (overtaken(part, near) if decides else None)
    if ruling is not None:
        return Promoted(claim, part, ruling, PremiseStatus.REJECTED)
    asked = left_open(record, part, near)
    if asked is not None:
        return Promoted(claim, part, asked, PremiseStatus.PROPOSED)
    alone = _alone(record, claim, part, [said for _, said in near])
    return Promoted(claim, part, alone, PremiseStatus.HEDGED) if alone is not None else None


def _alone(record: Record, claim: Claim, part: Part, near: list[Said]) -> Said | None:
    """The guess that alone has words of a part, or of what it tells or the reason it gives."""
    spoken = [said for said in near if _is(record, said, PremiseStatus.HEDGED) and not said.found.quoted]
    guesses = [said for said in spoken if _guess(record, claim, part, said)]
    found = (only_guessed(record, claim, piece, guesses) for piece in (part, *reasons_of(part)))
    return next((said for said in found if said is not None), None)


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
    one_off = [said for said in record.said if _is(record, said, PremiseStatus.ONE_OFF)]
    if claim.section is Section.IDENTITY or GENERAL.search(part.text):
        one_off += [said for said in record.said if asks_for_one(said)]
    standing = [said for said in record.said if said.status in FIRM and not said.found.quoted and not said.found.asks]
    return bounded(record, part, one_off, standing)


def _least(claim: Claim, status: PremiseStatus) -> float:
    """A decision seldom is a guess: a guess must bear it better to be what it comes from."""
    if status is PremiseStatus.HEDGED and claim.section in BINDING:
        return LEAST_DECIDED
    return LEAST_INJECTED if status is PremiseStatus.INJECTED else LEAST


def _is(record: Record, said: Said, status: PremiseStatus) -> bool:
    """As it stands now, or as it was put when nothing but a confirmation would have made it more."""
    if (status is PremiseStatus.ONE_OFF and not is_request(said)) or (
        status is PremiseStatus.PROPOSED and not is_offer(said)
    ):
        return False
    put_so = said.found.status is status and said.status is not PremiseStatus.CONFIRMED
    return (said.status is status or put_so) and (status is not PremiseStatus.HEDGED or is_guess(record, said))


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


def _guess(record: Record, claim: Claim, part: Part, said: Said) -> bool:
    if claim.section is Section.IDENTITY:
        return False  # a role or a rule for answers vouches for nothing
    if claim.section in BINDING and settled(record, said, part):
        return False
    return not marks.is_marked(part.text) and not _tells(claim, part)


def _tells(claim: Claim, part: Part) -> bool:
    """Whether a part only tells what somebody said: it vouches for that, and for no more."""
    return claim.section is Section.KNOWN and marks.REPORTS.match(part.text) is not None


def _standing(_record: Record, claim: Claim, part: Part, _said: Said) -> bool:
    return claim.section in BINDING and not marks.ONCE.search(part.text)


def _decided(_record: Record, claim: Claim, part: Part, said: Said) -> bool:
    weak = said.found.asks or said.found.reason == LEFT_OPEN or is_supposed(said.found.held)
    if not weak and (claim.section is Section.KNOWN or instructs(claim, said)):
        return False  # who wants or proposes something is a fact of its own
    said_so = (
        _tells(claim, part)
        or marks.is_marked(part.text, binding=claim.section in BINDING)
        or marks.ASKS.search(part.text)
        or marks.OFFERED.search(part.text)
    )
    if said_so or claim.section is Section.KNOWN:
        return not said_so and not marks.TURNS_DOWN.search(part.text)
    return not (marks.beyond(marks.TURNS_DOWN, part.text, said.found.text) or GIVES_UP.search(part.text))


def _adopted(_record: Record, claim: Claim, _part: Part, _said: Said) -> bool:
    return not marks.NOT_OBEYED.search(claim.text)


APPLIES: dict[PremiseStatus, Callable[[Record, Claim, Part, Said], bool]] = {
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
