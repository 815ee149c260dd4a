"""Vanishing and demotion: what things rest on and is gone, and what was sure and is given as a guess."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dissolution.claims import Claim, Section
from dissolution.conversation import Role
from dissolution.framing import Finding, FindingKind, Severity
from dissolution.premises import DependantKind, Premise, PremiseStatus
from frame_agent import marks
from frame_agent.brought_back import FIRM
from frame_agent.extraction import Found, substance
from frame_agent.open_points import LISTED
from frame_agent.putting import Put, bare
from frame_agent.record import LEAST_PART, Part, Record, Said, parts_of
from frame_agent.terms import figures_of, terms_of
from frame_agent.wordings import by_lists, is_supposed

HELD = 0.55
"""Share of a premise's terms that one claim must hold for the premise to be in the candidate."""

AROUND = 0.4
"""The same, of the premise with the sentence before it."""

CITED = 0.25
"""The same when the claim has the premise's words as evidence."""

SURE = 0.45
"""How well a firm sentence must bear a doubted claim for the doubt to be the candidate's own."""

COVERS = 0.4
"""Share of the doubted part that firm sentences must hold together, those that bear it at least BESIDES."""

BESIDES = 0.35
MENTIONS = 0.2
"""How well a firm sentence must bear the doubted part for its figures to count as said."""

AHEAD_IN_EDGES = 0.3
AHEAD_ELSEWHERE = -0.4
"""How much better than every loose sentence, by whether the claim stands in EDGES: what stands there was mostly put
loosely; a claim that doubts in another section mostly doubts by itself."""

SEVERAL = 2
"""Figures that are not found together by chance."""

OPEN = frozenset({PremiseStatus.HEDGED, PremiseStatus.PROPOSED, PremiseStatus.IMPLICIT})
LEAST_IMPLICIT = 4
"""Things that must rest on what is nowhere said for its absence to be told."""

MANY = 3
"""Dependants from which what is lost is grave."""


@dataclass(frozen=True, slots=True)
class Demoted:
    """A part of a claim put as a guess, with the firm sentence it comes from."""

    claim: Claim
    part: Part
    said: Said


def demotions(record: Record, claim: Claim) -> tuple[Demoted, ...]:
    """The parts of a claim that doubt what the conversation is sure of."""
    found: list[Demoted] = []
    for part in parts_of(claim):
        if not doubts(claim, part) or marks.ASKED.search(part.text):
            continue
        sure = sure_source(record, claim, part)
        if sure is not None:
            found.append(Demoted(claim, part, sure))
    return tuple(found)


def doubts(claim: Claim, part: Part) -> bool:
    """Whether a part of a claim puts something as a guess, or as open among what is open."""
    opens = claim.section is Section.EDGES and marks.OPEN.search(part.text) is not None
    return opens or marks.is_doubted(part.text)


def sure_source(record: Record, claim: Claim, part: Part) -> Said | None:
    """The firm sentence that a doubted part comes from, when what is firm bears most of it and nothing else does."""
    near = [(record.bears(said, part, claim.evidence), said) for said in record.near(part.terms)]
    edges = claim.section is Section.EDGES
    sure = [(score, said) for score, said in near if _is_sure(said) and (not edges or _outright(said))]
    firm = sorted(sure, key=lambda pair: -pair[0])
    figures = figures_of(part.text) if edges else frozenset[str]()  # a doubt elsewhere is its own, figures or not
    if figures and any(_guesses(said, figures, score) for score, said in near) and not _shown(figures, near):
        return None  # somebody did put these very figures as a guess, and nobody looked afterwards
    loose = max((score for score, said in near if _is_loose(said)), default=0.0)
    if not firm or firm[0][0] < max(SURE, loose + (AHEAD_IN_EDGES if edges else AHEAD_ELSEWHERE)):
        return None
    together = frozenset[str]().union(*(said.found.terms | said.before for score, said in firm if score >= BESIDES))
    beside = frozenset[str]().union(*(said.found.terms for score, said in firm if score >= MENTIONS))
    whole = figures <= together | beside and record.weights.share(together, part.terms) >= COVERS
    return firm[0][1] if whole else None


def _outright(said: Said) -> bool:
    """Whether a sentence is sure by its words alone: that most talk is plain vouches for none of it."""
    if said.found.quoted or said.status is PremiseStatus.CONFIRMED:
        return True
    return bare(said.found.held, by_lists(said.found.held)).label in {Put.FIRM, Put.REFUSES}


def _guesses(said: Said, figures: frozenset[str], score: float) -> bool:
    """Whether a sentence guesses these figures and is about what the part is about."""
    return said.status is PremiseStatus.HEDGED and figures <= said.found.terms and score >= MENTIONS


def _shown(figures: frozenset[str], near: list[tuple[float, Said]]) -> bool:
    """Whether a table or log that was pasted after the guess holds the figures: several by chance would be odd."""
    guessed = min((said.found.turn for _, said in near if _guesses(said, figures, 1.0)), default=0)
    later: dict[int, frozenset[str]] = {}
    for _, said in near:
        if said.found.quoted and said.status in FIRM and said.found.turn > guessed:
            later[said.found.turn] = later.get(said.found.turn, frozenset()) | said.found.terms
    return len(figures) >= SEVERAL and any(figures <= terms for terms in later.values())


def _is_sure(said: Said) -> bool:
    firm = said.status in FIRM or said.found.status is PremiseStatus.REJECTED
    return firm and not said.found.asks and not marks.is_doubted(said.found.text)


def _is_loose(said: Said) -> bool:
    return said.status not in FIRM and said.found.status not in FIRM | {PremiseStatus.REJECTED}


def demotion_of(one: Demoted) -> Finding:
    """The finding in words."""
    said = one.said.found
    return Finding(
        kind=FindingKind.DEMOTION,
        severity=Severity.MEDIUM,
        premise=one.said.premise.id if one.said.premise else None,
        claim=one.claim.id,
        section=one.claim.section,
        before=one.said.status,
        words=f"{one.part.text!r} is put as a guess; turn {said.turn} is sure of it: {said.text!r}",
        evidence=(said.evidence,),
    )


def vanished(record: Record, claims: Iterable[Claim]) -> Iterator[Premise]:
    """Premises nobody confirmed that open things rest on and that no claim holds, in the order they were stated."""
    stated = [(terms_of(claim.text), claim) for claim in claims]
    for said in record.said:
        premise = said.premise
        if premise is None or premise.status not in OPEN:
            continue
        if not _matters(premise) and not (said.found.reason == LISTED and is_question(premise)):
            continue
        terms = _content(said, premise)
        if not any(_holds(record, said, terms, pair) for pair in stated):
            yield premise


def _content(said: Said, premise: Premise) -> frozenset[str]:
    """What a premise is about; of one that says next to nothing, what it goes on from besides."""
    terms = terms_of(substance(premise.proposition))
    return terms if len(terms) >= LEAST_PART else terms | said.found.terms | said.before


def _holds(record: Record, said: Said, terms: frozenset[str], stated: tuple[frozenset[str], Claim]) -> bool:
    """Whether a claim holds enough of a premise for it to be there."""
    words, claim = stated
    cited = _cites(claim, said.found)
    share = record.weights.share(words, terms)
    around = record.weights.share(words, terms | said.before)
    return share >= (CITED if cited else HELD) or (share >= CITED and around >= AROUND)


def _cites(claim: Claim, found: Found) -> bool:
    own = found.evidence
    return any(one.turn == own.turn and one.start < own.end and own.start < one.end for one in claim.evidence)


def _matters(premise: Premise) -> bool:
    if premise.status is PremiseStatus.PROPOSED:
        if is_supposed(premise.proposition) and not is_question(premise):
            return bool(premise.open_dependants)
        # What the assistant asks to do its work is no matter of the conversation's, nor is a proposal nobody took up.
        return is_question(premise) and premise.role is not Role.ASSISTANT
    return len(premise.open_dependants) >= (LEAST_IMPLICIT if premise.status is PremiseStatus.IMPLICIT else 1)


def is_question(premise: Premise) -> bool:
    """Whether it is a question that waits for its answer."""
    return any(one.kind is DependantKind.QUESTION for one in premise.open_dependants)


def vanishing_of(premise: Premise) -> Finding:
    """The finding in words."""
    resting = premise.open_dependants
    what = "asked" if is_question(premise) else f"taken for granted ({premise.status.value})"
    why = "was never answered" if is_question(premise) else f"{len(resting)} open things rest on it"
    return Finding(
        kind=FindingKind.VANISHING,
        severity=Severity.HIGH if len(resting) >= MANY else Severity.MEDIUM,
        premise=premise.id,
        claim=None,
        before=premise.status,
        words=f"{premise.proposition!r}, {what} in turn {premise.turn}, {why}, and is nowhere in the candidate",
        evidence=(premise.evidence, *(one.evidence for one in resting if one.evidence != premise.evidence)),
    )
