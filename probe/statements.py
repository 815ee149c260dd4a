"""Statements of a snapshot that are worth asking for: decisions, rules, promises, current values, what is open."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.checking import each
from dissolution.claims import Section
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import QuestionKind
from dissolution.temporal import TemporalClass
from dissolution.values import Span
from language.choice import refusals
from language.modality import Modality, modality
from language.putting import is_hedged
from language.reading import read
from probe.items import Item, items, same_slot

MIN_WORDS, MAX_WORDS = 6, 40
"""Shorter sentences lean on what was said before; longer ones say too much to ask for one item of it."""

SAME_SUBJECT = CALIBRATION.probe.same_subject

CHANGED_SUBJECT = CALIBRATION.probe.changed_subject

LEAST_SHARED = 2
"""Content words that two statements about the same share at least."""

# What says that an earlier value is being replaced.
CHANGES = re.compile(
    r"\b(?:correct(?:ion|ed)|mistake|misread|wrong|actually|instead|rather than|no longer|moves? to|moved|chang\w+"
    r"|revis\w+|updat\w+|replac\w+|supersed\w+|rever[st]\w+|new (?:date|value)|now)\b",
    re.IGNORECASE,
)
# What says that something is not settled yet.
OPEN = re.compile(
    r"\b(?:still open|open question|open point|not (?:yet )?(?:been )?(?:decided|settled|clear|known|agreed|confirmed)"
    r"|undecided|unresolved|unclear|unknown|to be (?:decided|confirmed|settled)|tb[dc]|remains? open"
    r"|(?:do(?:es)?n't|do(?:es)? not) (?:yet )?know)\b",
    re.IGNORECASE,
)
# What says that an instruction holds for good and not for one task, and for everybody.
STANDING = re.compile(
    r"\b(?:always|never|from now on|every time|whenever|at all times|each time|under no circumstances|nobody|no one"
    r"|house rules?|standing rule|the rule is|as a rule|only \w+(?: \w+){0,3} (?:may|can|is allowed|are allowed))\b",
    re.IGNORECASE,
)
# What makes an obligation one that somebody lays down, and not something that has to be done.
LAID_DOWN = re.compile(r"\b(?:must|shall|always|required|mandatory|rule)\b", re.IGNORECASE)
# What is said to be chosen.
CHOSEN = re.compile(
    r"\b(?:use[sd]?|using|chose|chosen|picked|selected|adopt(?:s|ed)?|keeps?|kept|go(?:es)? with|decided|agreed"
    r"|approved|stays?|settled)\b",
    re.IGNORECASE,
)
# What the speaker undertakes to do.
PROMISED = re.compile(r"\b(?:I|we)(?:'ll| will| shall| promise| commit)\b", re.IGNORECASE)
# What is only proposed or imagined: no statement of how things are.
PROPOSED = re.compile(
    r"\b(?:could|would|might|suggest\w*|propos\w+|what if|suppose|imagine|say,|for example|e\.g\.|how about|if)\b",
    re.IGNORECASE,
)


class AskableSentence(NamedTuple):
    """One sentence with its place, where it belongs, and what may be masked in it."""

    turn: int
    span: Span
    text: str
    section: Section
    kind: QuestionKind
    items: tuple[Item, ...]
    content: frozenset[str]
    user: bool


def statements(snapshot: Snapshot) -> tuple[AskableSentence, ...]:
    """Every statement of the snapshot that may be asked for, in order.

    Left out are quoted material (it informs and commits nobody), questions, guesses, proposals, past states, and what
    holds nothing that could be masked.
    """
    found: list[AskableSentence] = []
    for turn in each(snapshot.turns):
        if turn.role is not Role.TOOL:
            found += _of_turn(turn)
    return tuple(found)


def superseded_by(earlier: AskableSentence, item: Item, later: Sequence[AskableSentence]) -> AskableSentence | None:
    """The first later statement about the same that gives another value for the item; None while it holds.

    Two statements are about the same when the later one holds half of the earlier one's content words, or a third
    where it says that something changes.
    """
    subject = earlier.content - read(item.text).stems
    for other in later:
        shared = subject & other.content
        if len(shared) < LEAST_SHARED or len(shared) < CHANGED_SUBJECT * len(subject):
            continue
        if len(shared) < SAME_SUBJECT * len(subject) and not CHANGES.search(other.text):
            continue
        rivals = [one for one in other.items if same_slot(item, one)]
        if rivals and not any(one.text.casefold() == item.text.casefold() for one in rivals):
            return other
    return None


def restated_by(
    statement: AskableSentence, item: Item, others: Sequence[AskableSentence]
) -> tuple[AskableSentence, ...]:
    """The other statements that give the same item about the same subject."""
    subject = statement.content - read(item.text).stems
    return tuple(
        other
        for other in others
        if other is not statement
        and len(subject & other.content) >= max(LEAST_SHARED, CHANGED_SUBJECT * len(subject))
        and any(one.kind is item.kind and one.text.casefold() == item.text.casefold() for one in other.items)
    )


def _of_turn(turn: Turn) -> list[AskableSentence]:
    found: list[AskableSentence] = []
    for span, _ in read(turn.content).sentences:
        text = turn.content[span.start : span.end]
        if turn.is_quoted(span) or not MIN_WORDS <= len(text.split()) <= MAX_WORDS:
            continue
        place = place_of(text, turn.role)
        masked = items(text) if place is not None else ()
        if place is not None and masked:
            section, kind = place
            found.append(
                AskableSentence(
                    turn.number, span, text, section, kind, masked, read(text).stems, turn.role is Role.USER
                )
            )
    return found


def place_of(text: str, role: Role) -> tuple[Section, QuestionKind] | None:
    """Section and kind by wording; None for what states nothing that holds.

    A rule is one by strict wording alone, since losing it may veto: a prohibition, or an obligation that a user or the
    system lays down; told of the past it is none.
    """
    if OPEN.search(text):
        return Section.EDGES, QuestionKind.OPEN_QUESTION
    meant = modality(text)
    if meant in {Modality.QUESTION, Modality.GUESS, Modality.CONDITIONAL} or is_hedged(text) or PROPOSED.search(text):
        return None
    when = read(text).temporal.temporal_class
    if when is TemporalClass.CLOSED_HISTORICAL:
        return None
    lays_down = role is not Role.ASSISTANT
    standing = role is Role.SYSTEM or (STANDING.search(text) is not None and lays_down)
    ruled = meant is Modality.PROHIBITION or (
        meant is Modality.OBLIGATION and lays_down and LAID_DOWN.search(text) is not None
    )
    if ruled:
        return (Section.IDENTITY if standing else Section.DECIDED), QuestionKind.CONSTRAINT
    return _place_in_time(text, when, standing=standing and meant is not Modality.FACT)


def _place_in_time(text: str, when: TemporalClass, *, standing: bool) -> tuple[Section, QuestionKind]:
    match when:
        case TemporalClass.BACKWARD_MUTATION:
            return Section.KNOWN, QuestionKind.CORRECTION
        case TemporalClass.FORWARD_OPEN | TemporalClass.DEFERRED if PROMISED.search(text) and not (
            refusals(text) or CHOSEN.search(text)
        ):
            return Section.DECIDED, QuestionKind.COMMITMENT
        case TemporalClass.FORWARD_OPEN | TemporalClass.DEFERRED:
            return Section.DECIDED, QuestionKind.DECISION
        case _ if standing:
            return Section.IDENTITY, QuestionKind.CONSTRAINT
        case _:
            decided = refusals(text) or CHOSEN.search(text)
            return (Section.DECIDED, QuestionKind.DECISION) if decided else (Section.KNOWN, QuestionKind.RECALL)
