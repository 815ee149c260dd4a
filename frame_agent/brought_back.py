"""What the conversation ruled out and a claim brings back."""

import re

from dissolution.premises import PremiseStatus
from frame_agent import marks
from frame_agent.extraction import TURNED_DOWN
from frame_agent.record import Part, Record, Said
from frame_agent.rulings import outright, ruled_out
from frame_agent.terms import terms_of
from wording.negation import is_negated

LEAST_OBJECT = 0.75
"""Share of what was ruled out that a claim must name to bring it back."""

LEAST_RULED_OUT = 0.35
LEAST_ONE_WORD = 0.4
"""How well the ruling sentence must bear the claim besides; more where it rules out what has one word."""

LEAST_ELSEWHERE = 0.5
"""Share of what a claim says besides that another clause must hold for it to tell that clause."""

LEAST_AGAIN = 0.46
CLEARLY = 0.15
"""How well a later firm sentence must bear it for the ruling not to stand any more, and how much better than that."""

CLEARLY_SAID = 0.05


def _said_since(ruling: Said, score: float, near: list[tuple[float, Said]], objects: frozenset[str]) -> bool:
    """Whether somebody says firmly, in the turn of the ruling or later, what the claim says, and better than it."""
    return any(
        other >= max(LEAST_AGAIN, score + CLEARLY_SAID)
        and said.found.turn >= ruling.found.turn
        and said is not ruling
        and objects <= said.found.terms | said.before
        and said.status in FIRM
        and not said.found.asks
        for other, said in near
    )


FIRM = frozenset({PremiseStatus.ASSERTED, PremiseStatus.CONFIRMED, PremiseStatus.IMPLICIT})
"""Statuses by which the conversation vouches for something."""

USES = re.compile(
    r"""\b(?:us(?:e|es|ed|ing)|runs?|goes|via|through|is\ the|are\ the|includ\w*|part\ of|deploy\w*|ship\w*
      |adopt\w*|chosen|chooses?|keeps?|kept|enter\w*|serv\w*|sells?|there\ (?:is|are)|caus\w*|because
      |comes?\ from|hold|holds|based)\b""",
    re.IGNORECASE | re.VERBOSE,
)
CONDITION = re.compile(r"^\W*(?:if|unless|should|in case)\b", re.IGNORECASE)
CLAUSE = re.compile(r"[,;:]|\b(?:so|but|and|because|since)\b", re.IGNORECASE)


def brought_back(record: Record, part: Part, near: list[tuple[float, Said]], *, binding: bool = False) -> Said | None:
    """The sentence that rules out what a part of a claim states without a word against it; None when there is none.

    Args:
        record: The conversation.
        part: A sentence of a claim.
        near: Sentences with how well each bears the part, the best first.
        binding: Whether the claim decides or rules: what it names at all, it makes use of.
    """
    if marks.REFUSES.search(part.text) or marks.is_marked(part.text) or ruled_out(part.text):
        return None  # it rules out itself: "we drop the mobile client" brings no client back
    for score, said in near:
        if said.found.quoted or said.found.asks or CONDITION.match(said.found.text):
            continue
        for objects in ruled_out(said.found.text):
            named = _named_again(record, part, objects, binding=binding and outright(said.found.text))
            if _elsewhere(record, part, said.found.text, objects):
                continue
            least = LEAST_RULED_OUT if len(objects) > 1 else LEAST_ONE_WORD
            again = named >= LEAST_OBJECT and score >= least
            if (
                again
                and not _taken_back_later(said, score, near, objects)
                and not _said_since(said, score, near, objects)
            ):
                return said
    return None


def _elsewhere(record: Record, part: Part, text: str, objects: frozenset[str]) -> bool:
    """Whether a claim says what the ruling sentence states in another clause: "EKS is out, we run on Fargate"."""
    own, other = frozenset[str](), frozenset[str]()
    for clause in CLAUSE.split(text):
        if _denies(clause) or (ruled_out(clause) and not terms_of(clause) & objects):
            continue  # it denies as well: "out entirely, not even as a reseller"
        terms = terms_of(clause)
        own, other = (own | terms, other) if terms & objects else (own, other | terms)
    rest = part.terms - objects
    elsewhere = record.weights.share(other, rest)
    return elsewhere >= LEAST_ELSEWHERE and elsewhere > record.weights.share(own, rest)


NOT = re.compile(r"^\W*(?:not|nor|neither|never|no)\b", re.IGNORECASE)


def _denies(clause: str) -> bool:
    return NOT.match(clause) is not None or is_negated(clause)


def denied(record: Record, part: Part, near: list[tuple[float, Said]]) -> Said | None:
    """The sentence that denies what a part of a claim states, or the proposal of it that was turned down.

    The last word counts: who says it firmly afterwards takes the denial back.

    Args:
        record: The conversation.
        part: A sentence of a claim.
        near: Sentences with how well each bears the part, the best first.
    """
    if marks.REFUSES.search(part.text) or marks.is_marked(part.text) or is_negated(part.text):
        return None
    for score, said in near:
        found = said.found
        if found.quoted or CONDITION.match(found.text) or _rule_alike(part.text, found.text):
            continue
        turned_down = found.reason == TURNED_DOWN or (said.status is PremiseStatus.REJECTED and found.status in LOOSE)
        whole = record.weights.share(part.terms, found.terms)
        proposal = turned_down and score >= LEAST_TURNED_DOWN and whole >= LEAST_WHOLE
        if (proposal or _denying(record, part, said)) and not _firm_afterwards(said, near):
            return said
    return None


def _rule_alike(part: str, sentence: str) -> bool:
    """Whether both rule out the same: "we drop the mobile client" tells that ruling and is not denied by it."""
    return any(mine & theirs for mine in ruled_out(part) for theirs in ruled_out(sentence))


def _denying(record: Record, part: Part, said: Said) -> bool:
    """Whether one clause of a sentence denies most of a part, and says little else."""
    if said.found.asks or said.status not in FIRM | {PremiseStatus.REJECTED}:
        return False
    for clause in CLAUSE.split(said.found.text):
        terms = terms_of(clause)
        if not is_negated(clause) or record.weights.share(part.terms, terms) < LEAST_CLAUSE:
            continue
        if record.weights.share(terms, part.terms) >= LEAST_DENIED:
            return True
    return False


def _firm_afterwards(denial: Said, near: list[tuple[float, Said]]) -> bool:
    place = (denial.found.turn, denial.found.span.start)
    return any(
        score >= LEAST_AGAIN
        and (said.found.turn, said.found.span.start) > place
        and said.status in FIRM
        and not said.found.asks
        and not is_negated(said.found.text)
        for score, said in near
    )


LOOSE = frozenset({PremiseStatus.PROPOSED, PremiseStatus.HEDGED, PremiseStatus.REJECTED})
"""How what was turned down had been put forward, when the whole of it is meant."""

LEAST_TURNED_DOWN = 0.55
LEAST_WHOLE = 0.5
"""How well a proposal that was turned down must bear a part, and how much of the proposal the part must hold."""

LEAST_DENIED = 0.6
LEAST_CLAUSE = 0.6
"""Share of a part that a denying clause must hold, and of the clause that the part must hold."""


def _named_again(record: Record, part: Part, objects: frozenset[str], *, binding: bool) -> float:
    """How much of what was ruled out a part names; one word alone counts only where the part makes use of it."""
    plain = len(objects) == 1 and not any(term.isdigit() for term in objects)
    if plain and not binding and not USES.search(part.text):
        return 0.0
    return record.weights.share(part.terms, objects)


def _taken_back_later(ruling: Said, least: float, near: list[tuple[float, Said]], objects: frozenset[str]) -> bool:
    """Whether a later sentence firmly states what was ruled out and bears the claim better."""
    return any(
        score >= max(LEAST_AGAIN, least + CLEARLY)
        and said.found.turn > ruling.found.turn
        and said.status in FIRM
        and not said.found.asks
        and objects <= said.found.terms | said.before
        for score, said in near
    )
