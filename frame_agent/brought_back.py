"""What the conversation ruled out and a claim brings back."""

import re

from dissolution.premises import PremiseStatus
from frame_agent import marks
from frame_agent.putting import Put, bare
from frame_agent.record import Part, Record, Said
from frame_agent.rulings import outright, ruled_out
from frame_agent.terms import GROUPED, figures_of, terms_of
from frame_agent.wordings import TURNED_DOWN, by_lists
from wording.negation import is_negated

LEAST_OBJECT = 0.75
"""Share of what was ruled out that a claim must name to bring it back."""

LEAST_RULED_OUT = 0.35
LEAST_ONE_WORD = 0.4
"""How well the ruling sentence must bear the claim besides; more where it rules out what has one word."""

LEAST_FIGURE = 0.2
"""The same where a number of two digits or more is ruled out: "forget 600" needs no more words in common."""

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
FIGURE = re.compile(r"\d[\d.:]*")
_WHO = r"(?:i|we|he|she|they)"
ONCE_MEANT = re.compile(
    rf"""\b{_WHO}(?:'d|\ had)\ (?:\w+ly\ |first\ |always\ )?
      (?:said|thought|planned|meant|hoped|wanted|imagined|assumed|figured|reckoned|told|intended)\b
  | \b{_WHO}(?:'d|\ had)\b[^.;]*\b(?:in\ mind|down\ (?:as|for)|in\ (?:the|my|our)\ (?:notes|draft|plan))\b
  | \b{_WHO}\ (?:first\ )?(?:thought|meant|planned|wanted|intended|imagined|used\ to|(?:was|were)\ going\ to)\b
  | \b(?:my|our)\ (?:\w+\ )?(?:plan|thought|idea|version|intention)\b[^.;:]*\b(?:so\ far|was|had\ been)\b
  | \b(?:originally|at\ first|initially)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""A plan told as one of the past, or as one that has not been held against anything yet."""

GONE = re.compile(r"\bgoes\W*$|\b(?:given|gives|gave)\sup\b", re.IGNORECASE)
"""Tells of a claim that something is no longer."""

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
    refuses = marks.REFUSES.search(part.text) or GONE.search(part.text)
    if refuses or marks.is_marked(part.text) or ruled_out(part.text):
        return None  # it rules out itself: "we drop the mobile client" brings no client back
    for score, said in near:
        once = said.found.status is PremiseStatus.ONE_OFF
        if said.found.quoted or said.found.asks or once or CONDITION.match(said.found.text):
            continue
        for objects in ruled_out(said.found.text):
            named = _named_again(record, part, objects, binding=binding and outright(said.found.text))
            if _tells(said, part, objects) or _elsewhere(record, part, said.found.text, objects):
                continue
            least = _least(said, objects)
            again = named >= LEAST_OBJECT and score >= least
            if (
                again
                and not _taken_back_later(said, score, near, objects)
                and not _said_since(said, score, near, objects)
            ):
                return said
    return None


def _is_figure(objects: frozenset[str], text: str) -> bool:
    """Whether numbers in digits are all that a sentence rules out; spelled ones are words of talk."""
    plain = GROUPED.sub("", text)
    return all(FIGURE.fullmatch(term) and term in plain for term in objects)


def _tells(said: Said, part: Part, objects: frozenset[str]) -> bool:
    """Whether a part has the figures that the ruling lets stand: "5,800, after 6,500 was dropped"."""
    return bool(figures_of(part.text) & (said.found.terms | said.before) - objects)


def _least(ruling: Said, objects: frozenset[str]) -> float:
    """How well a ruling must bear a claim besides."""
    if any(len(term) > 1 and _is_figure(frozenset({term}), ruling.found.text) for term in objects):
        return LEAST_FIGURE
    return LEAST_RULED_OUT if len(objects) > 1 else LEAST_ONE_WORD


def _elsewhere(record: Record, part: Part, text: str, objects: frozenset[str]) -> bool:
    """Whether a claim says what the ruling sentence states in another clause: "EKS is out, we run on Fargate"."""
    if _is_figure(objects, text):
        return False  # what is said besides is the other value
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


def denied(record: Record, part: Part, near: list[tuple[float, Said]], *, binding: bool = False) -> Said | None:
    """The sentence that denies what a part of a claim states, or the proposal of it that was turned down.

    The last word counts: who says it firmly afterwards takes the denial back.

    Args:
        record: The conversation.
        part: A sentence of a claim.
        near: Sentences with how well each bears the part, the best first.
        binding: Whether the claim decides: only there a proposal is taken up that was turned down.
    """
    if marks.REFUSES.search(part.text) or marks.is_marked(part.text) or is_negated(part.text):
        return None
    for score, said in near:
        found = said.found
        if found.quoted or CONDITION.match(found.text) or _rule_alike(part.text, found.text):
            continue
        turned_down = found.reason == TURNED_DOWN or (said.status is PremiseStatus.REJECTED and found.status in LOOSE)
        whole = record.weights.share(part.terms, found.terms)
        proposal = binding and turned_down and score >= LEAST_TURNED_DOWN and whole >= LEAST_WHOLE
        if (proposal or _denying(record, part, said)) and not _firm_afterwards(said, score, near):
            return said
    return None


def overtaken(part: Part, near: list[tuple[float, Said]]) -> Said | None:
    """The plan of once, or what was turned down, that a decision states as if it stood.

    None when somebody firmly says the same besides.

    Who says "I had 6,500 in mind" or "my plan so far" tells an intention of the past (the pluperfect and the past of
    verbs of planning imply that it no longer holds: Grice 1975, the maxim of quantity).

    Args:
        part: A sentence of a claim that decides.
        near: Sentences with how well each bears the part, the best first.
    """
    if marks.REFUSES.search(part.text) or marks.is_marked(part.text):
        return None
    figures = figures_of(part.text)
    whole = [
        (score, said) for score, said in near if score >= LEAST_AGAIN and figures <= said.found.terms | said.before
    ]
    for score, said in whole:
        meant = said.status is not PremiseStatus.CONFIRMED and ONCE_MEANT.search(said.found.text)
        if said.found.quoted or not (meant or (said is near[0][1] and _refused(said))):
            continue
        return None if any(_vouches(other, said, least, score) for least, other in whole) else said
    return None


def _refused(said: Said) -> bool:
    """Whether a sentence turns down what it is about, by its words and in the register."""
    down = said.found.status is PremiseStatus.REJECTED and said.status is PremiseStatus.REJECTED
    return down and not said.found.asks and bare(said.found.held, by_lists(said.found.held)).label == Put.REFUSES


def _vouches(other: Said, meant: Said, score: float, least: float) -> bool:
    return other is not meant and score >= least and other.status in FIRM and not other.found.asks


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


def _firm_afterwards(denial: Said, least: float, near: list[tuple[float, Said]]) -> bool:
    place = (denial.found.turn, denial.found.span.start)
    return any(
        score >= max(LEAST_AGAIN, AS_WELL * least)
        and (said.found.turn, said.found.span.start) > place
        and said.status in FIRM
        and not said.found.asks
        and not is_negated(said.found.text)
        for score, said in near
    )


AS_WELL = 0.7
"""How well, of how well the denial bears a claim, a later firm sentence must bear it to take the denial back."""

LOOSE = frozenset({PremiseStatus.PROPOSED, PremiseStatus.HEDGED})
"""How what was turned down had been put forward, when the whole of it is meant."""

LEAST_TURNED_DOWN = 0.55
LEAST_WHOLE = 0.5
"""How well a proposal that was turned down must bear a part, and how much of the proposal the part must hold."""

LEAST_DENIED = 0.6
LEAST_CLAUSE = 0.6
"""Share of a part that a denying clause must hold, and of the clause that the part must hold."""


def _named_again(record: Record, part: Part, objects: frozenset[str], *, binding: bool) -> float:
    """How much of what was ruled out a part names; one word alone counts only where the part makes use of it."""
    plain = len(objects) == 1 and not any(FIGURE.fullmatch(term) for term in objects)
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
