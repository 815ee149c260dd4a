"""What a question or an open point leaves to be chosen, and a claim that states one of its alternatives as settled."""

import re
from dataclasses import dataclass
from functools import lru_cache

from dissolution.premises import PremiseStatus
from frame_agent import cues, marks
from frame_agent.brought_back import FIRM
from frame_agent.record import BESIDE, Part, Record, Said
from frame_agent.terms import figures_of, terms_of
from wording.negation import is_negated

LEAST_HELD = 0.6
"""Share of an alternative that a part of a claim must hold to state it."""

LEAST_ASKED = 0.58
"""Share of the part that must stand in the question with the sentence before it."""

SETTLES_LATER = 0.5
SETTLES = 0.72
"""How well a firm sentence that names the alternative must bear the part to settle the question: said after it, or at
any time."""

_AUX = (
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|shall|may|might|must"
    r"|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should|must)n't)"
)
# The clause of a question that can be answered by yes or no; what stands before it sets the scene.
POLAR = re.compile(
    rf"(?:^|[:;,–—-]\s+|\b(?:and|but|so|or)\s+)(?P<what>{_AUX}\s(?!you\b|i\b|me\b)[^?]*)\?", re.IGNORECASE
)
# An indirect question, to where it is said to be open or a new sentence of thought begins.
INDIRECT = re.compile(
    r"\b(?:whether|(?:ask\w*|wonder\w*|check(?:s|ed|ing)?|know|see|find\s+out|clarif\w+|decid\w+|unclear|sure|question)\s"
    r"(?:\w+\s){0,2}if)\s(?:or\snot\s)?(?P<what>[^.;?]+?)"
    r"(?=\s(?:is|are|remains?|stays?)\s(?:still\s|all\s)?(?:open|undecided|unclear|unknown|unresolved|unsettled|for|up\sto"
    r"|another)\b|,\s(?:that|which|it|this|i|we|so|but)\b|[.;?]|$)",
    re.IGNORECASE,
)
BETWEEN = re.compile(
    r"\b(?:torn|undecided|choos\w+|decid\w+|choice|toss-up)\s(?:is\s)?between\s(?P<one>[^.;?,]+?)\sand\s"
    r"(?P<other>[^.;?,]+)",
    re.IGNORECASE,
)
EITHER = re.compile(r"^\W*(?:either|or)\s(?P<what>[^,:;.?]+)", re.IGNORECASE)
LISTED = re.compile(r"[:–—]\s*(?P<what>[^:?.]+\bor\b[^:?.]+)\??", re.IGNORECASE)
CHOICE = re.compile(r"^(?!\W*(?:why|how)\b)(?P<what>[^?:]+\sor\s[^?:]+)\?", re.IGNORECASE)
OR = re.compile(r"(?<!more)(?<!whether),?\s\bor\b\s(?!less\b|so\b|not\b|more\b)", re.IGNORECASE)
FORMS = (INDIRECT, POLAR, EITHER, LISTED, CHOICE)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way in which an open question could be settled."""

    text: str
    terms: frozenset[str]
    negated: bool


@lru_cache(maxsize=8192)
def alternatives(text: str) -> tuple[Alternative, ...]:
    """What a question or a statement that something is open leaves to be chosen, in order; none when it names nothing.

    Args:
        text: One sentence.
    """
    match = BETWEEN.search(text)
    if match is not None:
        return tuple(_alternative(match[name]) for name in ("one", "other") if terms_of(match[name]))
    for form in FORMS:
        match = form.search(text)
        if match is not None:
            return tuple(_alternative(piece) for piece in OR.split(match["what"]) if terms_of(piece))
    return ()


def _alternative(text: str) -> Alternative:
    bare = re.sub(rf"^\W*{_AUX}\b", "", text.strip(), flags=re.IGNORECASE).strip()
    return Alternative(bare, terms_of(bare), is_negated(bare))


def left_open(record: Record, part: Part, near: list[tuple[float, Said]]) -> Said | None:
    """The question or open point of which a part of a claim states one alternative; None when it is settled.

    Args:
        record: The conversation.
        part: A sentence of a claim.
        near: Sentences with how well each bears the part, the best first.
    """
    if marks.is_marked(part.text) or marks.ASKS.search(part.text):
        return None
    figures, negated = figures_of(part.text), is_negated(part.text)
    for _, said in near:
        if not _is_open(said):
            continue
        for one in alternatives(said.found.held):
            stated = negated is one.negated and record.weights.share(part.terms, one.terms) >= LEAST_HELD
            if not stated or not figures <= said.found.terms | said.before:
                continue
            if _asked(record, part, said) >= LEAST_ASKED and not _settled(record, part, near, said, one):
                return said
    return None


def _is_open(said: Said) -> bool:
    found = said.found
    asks = found.asks and not cues.OFFERING.search(found.text)
    open_point = found.status is PremiseStatus.PROPOSED and (
        cues.LEFT_OPEN.search(found.text) is not None or EITHER.match(found.text) is not None
    )
    return not found.quoted and (asks or open_point)


def _asked(record: Record, part: Part, said: Said) -> float:
    """How much of a part stands in the question, the sentence before it counting less."""
    own = record.weights.share(said.found.terms, part.terms)
    return own + BESIDE * record.weights.share(said.before - said.found.terms, part.terms)


def _settled(record: Record, part: Part, near: list[tuple[float, Said]], asked: Said, one: Alternative) -> bool:
    """Whether somebody says firmly what the alternative says."""
    place = (asked.found.turn, asked.found.span.start)
    pivot = max(sorted(one.terms & part.terms), key=record.weights.of)
    for score, said in near:
        if said.status not in FIRM or said.found.asks or pivot not in said.found.terms | said.before:
            continue
        if is_negated(said.found.text) is not one.negated:
            continue
        later = (said.found.turn, said.found.span.start) > place
        if score >= (SETTLES_LATER if later else SETTLES):
            return True
    return _said_yes(record, asked)


def _said_yes(record: Record, asked: Said) -> bool:
    """Whether it was asked straight out and the next turn opens with a yes."""
    number = asked.found.turn + 1
    turns = record.snapshot.turns
    return asked.found.asks and number <= len(turns) and cues.YES.match(turns[number - 1].content) is not None
