"""What the conversation ruled out and a claim brings back."""

import re

from dissolution.premises import PremiseStatus
from frame_agent import marks
from frame_agent.record import Part, Record, Said
from frame_agent.rulings import ruled_out
from frame_agent.terms import terms_of

LEAST_OBJECT = 0.75
"""Share of what was ruled out that a claim must name to bring it back."""

LEAST_RULED_OUT = 0.25
LEAST_ONE_WORD = 0.33
"""How well the ruling sentence must bear the claim besides; more where it rules out what has one word."""

LEAST_AGAIN = 0.46
CLEARLY = 0.15
"""How well a later firm sentence must bear it for the ruling not to stand any more, and how much better than that."""

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


def brought_back(record: Record, part: Part, near: list[tuple[float, Said]]) -> Said | None:
    """The sentence that rules out what a part of a claim states without a word against it; None when there is none.

    Args:
        record: The conversation.
        part: A sentence of a claim.
        near: Sentences with how well each bears the part, the best first.
    """
    if marks.DENIES.search(part.text) or marks.is_marked(part.text) or ruled_out(part.text):
        return None  # it rules out itself: "we drop the mobile client" brings no client back
    for score, said in near:
        if said.found.quoted or said.found.asks or CONDITION.match(said.found.text):
            continue
        for objects in ruled_out(said.found.text):
            named = _named_again(record, part, objects)
            if _elsewhere(record, part, said.found.text, objects):
                continue
            again = named >= LEAST_OBJECT and score >= (LEAST_RULED_OUT if len(objects) > 1 else LEAST_ONE_WORD)
            if again and not _taken_back_later(said, score, near, objects):
                return said
    return None


def _elsewhere(record: Record, part: Part, text: str, objects: frozenset[str]) -> bool:
    """Whether a claim says what the ruling sentence states in another clause: "EKS is out, we run on Fargate"."""
    own, other = frozenset[str](), frozenset[str]()
    for clause in CLAUSE.split(text):
        terms = terms_of(clause)
        own, other = (own | terms, other) if terms & objects else (own, other | terms)
    rest = part.terms - objects
    return record.weights.share(other, rest) > record.weights.share(own, rest)


def _named_again(record: Record, part: Part, objects: frozenset[str]) -> float:
    """How much of what was ruled out a part names; one word alone counts only where the part makes use of it."""
    if len(objects) == 1 and not USES.search(part.text):
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
