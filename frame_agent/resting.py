"""What comes to rest on a premise, and when a question is answered."""

from collections.abc import Sequence

from dissolution.conversation import Role, Turn
from dissolution.premises import Dependant, DependantKind, PremiseStatus
from frame_agent import cues
from frame_agent.extraction import Found
from frame_agent.open_points import LISTED
from frame_agent.state import Folding, Standing, part_of
from frame_agent.terms import figures_of, terms_of
from frame_agent.wordings import LEFT_OPEN
from wording.choice import ChoiceKind, choices
from wording.modality import Modality, modality

SHARED = 0.4
"""Share of a premise's terms that a later sentence with a word of inference must hold to rest on it."""

SHARED_FIGURE = 0.22
"""The same when the two share a figure."""

ANSWERED = 0.6
"""Share of a question's terms that a later statement must hold to answer it."""

LEAST_QUESTION = 3
"""Terms of a question that counts as left open; shorter ones live from the turn they stand in."""

ADJACENT = 0.55
"""Share of a question's terms that the next speaker's turn as a whole must hold to answer it."""

TOUCHED = 0.2
"""The same for a question that ended its turn and so handed the floor over."""

ASKED_LAST = "asked at the end of the turn"
MOST = 2
"""Premises one sentence is taken to rest on, besides the one it follows."""


def rest(folding: Folding, turn: Turn, found: Found, *, last: bool) -> None:
    """Write down what a sentence rests on: what it shares with earlier premises, or the words before its "so"."""
    if found.asks or found.reason in {LEFT_OPEN, LISTED}:
        _keep_open(folding, turn, found, last=last)
        return
    cue = cues.RESTING.search(found.text)
    if cue is None or found.status is PremiseStatus.ONE_OFF:
        return
    kind = kind_of(found.text)
    whole = Dependant(kind=kind, evidence=found.evidence, cue=f"{cue[0].strip()!r} with shared words")
    for one in _bearing(folding, turn, found):
        folding.rest(one, turn, whole, "rests on it by its words")
    if cue.start() > 0 and cue[0].lower().strip() in {"so", "therefore", "thus", "hence", "which means", "lets us"}:
        own = next(
            (one for one in folding.premises[::-1] if one.turn == turn.number and one.terms == found.terms), None
        )
        if own is not None and len(terms_of(found.text[: cue.start()])) > 1:
            inner = Dependant(kind=kind, evidence=part_of(found, cue.start()), cue=cue[0].strip())
            folding.rest(own, turn, inner, "drawn from it in the same sentence")


def _bearing(folding: Folding, turn: Turn, found: Found) -> list[Standing]:
    figures = figures_of(found.text)
    scored: list[tuple[float, Standing]] = []
    for one in folding.near(found.terms, 1):
        if one.turn > turn.number or one.terms == found.terms or one.status is PremiseStatus.INJECTED:
            continue
        share = folding.weights.share(found.terms, one.terms)
        if share >= (SHARED_FIGURE if figures & one.terms else SHARED):
            scored.append((share, one))
    scored.sort(key=lambda pair: (-pair[0], -pair[1].turn))
    return [one for _, one in scored[:MOST]]


def kind_of(text: str) -> DependantKind:
    """What a sentence is that rests on something."""
    if any(choice.kind in {ChoiceKind.CHOSEN, ChoiceKind.REJECTED} for choice in choices(text)):
        return DependantKind.DECISION
    return DependantKind.PLAN if modality(text) in {Modality.PLAN, Modality.OBLIGATION} else DependantKind.CONCLUSION


def _keep_open(folding: Folding, turn: Turn, found: Found, *, last: bool) -> None:
    """A question rests on itself until somebody answers it."""
    if (len(found.terms) < LEAST_QUESTION and found.reason != LISTED) or cues.OFFERING.search(found.text):
        return
    own = next((one for one in folding.premises[::-1] if one.turn == turn.number and one.terms == found.terms), None)
    if own is not None:
        question = Dependant(
            kind=DependantKind.QUESTION, evidence=found.evidence, cue=ASKED_LAST if last and found.asks else "asked"
        )
        folding.rest(own, turn, question, "asked and not yet answered")


def answer(folding: Folding, turn: Turn, found: Found) -> None:
    """Close the questions that a statement answers."""
    if found.asks:
        return
    for one in folding.near(found.terms, 1):
        for dependant in tuple(one.dependants.values()):
            asked = dependant.kind is DependantKind.QUESTION and dependant.open
            if asked and one.turn < turn.number and folding.weights.share(found.terms, one.terms) >= ANSWERED:
                closed = dependant.model_copy(update={"open": False})
                folding.rest(one, turn, closed, "answered")


def answer_next(folding: Folding, turn: Turn, spoken: Sequence[Found]) -> None:
    """The turn after a question answers it when it speaks of it, or when the question handed the floor over.

    Question and answer are a pair (Sacks, Schegloff and Jefferson 1974): a question that ends a turn is answered by
    what comes next, in whatever words.
    """
    replies = (cues.YES.match(turn.content) or cues.NO.match(turn.content)) is not None
    said = frozenset[str]().union(*(one.terms for one in spoken))
    last = max(
        (one.turn for one in folding.premises if one.role != Role.TOOL and one.speaker != turn.speaker), default=0
    )
    for one in folding.premises[::-1]:
        if one.turn < last:
            break
        for dependant in tuple(one.dependants.values()):
            if dependant.kind is not DependantKind.QUESTION or not dependant.open or one.speaker == turn.speaker:
                continue
            share = folding.weights.share(said, one.terms)
            if share >= ADJACENT or (dependant.cue == ASKED_LAST and (replies or share >= TOUCHED)):
                folding.rest(one, turn, dependant.model_copy(update={"open": False}), "answered by the next turn")
