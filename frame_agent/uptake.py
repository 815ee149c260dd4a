"""How a turn takes up what stands: an explicit yes, a no, saying it again, building on it, doubting it, or silence."""

from collections.abc import Iterator

from dissolution.claims import Evidence
from dissolution.conversation import Role, Turn
from dissolution.premises import Acceptance, PremiseEventKind, PremiseStatus
from frame_agent import cues
from frame_agent.extraction import Found, is_offered
from frame_agent.state import VERIFIED, Folding, Standing
from frame_agent.terms import likeness, terms_of
from wording.choice import ChoiceKind, choices
from wording.negation import is_negated
from wording.sentences import sentence_spans

SAME = 0.62
"""Likeness from which a sentence says a premise again."""

MEANT = 0.2
"""Share of a premise's terms that a yes or no with words of its own must hold to mean it."""

TURNED_DOWN = 0.6
"""Share of what is ruled out that a premise must hold to be turned down by it."""

MOST_MEANT = 12
"""Premises that one bare yes can take up: the turn before, not the whole talk."""

MOST_TURNED_DOWN = 3
LEAST_FACT = 0.35
"""Share of a stated fact that a ruling must hold to turn it down: naming its subject alone denies nothing."""

VOUCHED = frozenset({PremiseStatus.ASSERTED, PremiseStatus.CONFIRMED})
OPEN = frozenset({PremiseStatus.IMPLICIT, PremiseStatus.PROPOSED})


def take_up(folding: Folding, turn: Turn) -> None:
    """Yes and no to what another speaker said last."""
    offered = list(_offered(folding, turn))
    if not offered:
        return
    for place, words in enumerate(_sentences(turn)):
        yes = cues.YES.match(words.text) or cues.YES_AT_END.search(words.text)
        no = cues.NO.match(words.text) or cues.TURNED_DOWN.match(words.text) or cues.NO_AT_END.search(words.text)
        if yes is None and no is None:
            continue
        for one in _meant(folding, offered, words.text, opens=place == 0):
            if one.asks and not is_offered(one.proposition):
                continue  # an answer settles a question; it does not make it true
            if no is not None and (one.status in OPEN or _denies(folding, one, words)):
                folding.act(one, PremiseEventKind.REJECTED, turn, words, "turned down")
            elif no is None:
                verified = cues.VERIFIED.search(words.text) and terms_of(words.text) & one.terms
                reason = VERIFIED if verified else "accepted in words"
                folding.accept(one, turn, Acceptance.EXPLICIT_YES, words, reason)


def _denies(folding: Folding, one: Standing, words: Evidence) -> bool:
    """Whether a no has words of its own about what it denies; a fact is not denied by one word in common."""
    terms = terms_of(words.text)
    least = LEAST_FACT if one.status in VOUCHED else 0.0
    return folding.weights.share(terms, one.terms) > least


def _offered(folding: Folding, turn: Turn) -> Iterator[Standing]:
    """Premises of the last turn of somebody else who spoke for himself."""
    spoken = [one for one in folding.premises if one.role != Role.TOOL.value]
    others = [one.turn for one in spoken if one.speaker != turn.speaker]
    last = max(others, default=0)
    return (one for one in spoken if one.turn == last and one.status is not PremiseStatus.INJECTED)


def _sentences(turn: Turn) -> Iterator[Evidence]:
    for span in sentence_spans(turn.content):
        if not turn.is_quoted(span):
            yield Evidence(turn=turn.number, start=span.start, end=span.end, text=turn.content[span.start : span.end])


def _meant(folding: Folding, offered: list[Standing], text: str, *, opens: bool) -> list[Standing]:
    """What a yes or no is about: what shares its words; without words of its own, all that was just offered."""
    terms = terms_of(text)
    shared = [one for one in offered if folding.weights.share(terms, one.terms) >= MEANT]
    if shared:
        return shared
    return offered[-MOST_MEANT:] if opens else []


def restate(folding: Folding, turn: Turn, found: Found) -> None:
    """What a sentence does to premises that it says again, rules out or asks about."""
    if found.status is PremiseStatus.REJECTED:
        _turn_down(folding, turn, found)
        return
    for one in folding.alike(found.terms):
        if one.turn == turn.number or one.status is PremiseStatus.INJECTED or one.asks:
            continue
        if likeness(folding.weights, found.terms, one.terms) < SAME:
            continue
        if found.asks:
            folding.act(one, PremiseEventKind.CHALLENGED, turn, found.evidence, "asked about")
        elif is_negated(found.text) != is_negated(one.proposition) and not cues.YES.match(found.text):
            folding.act(one, PremiseEventKind.REJECTED, turn, found.evidence, "denied")
        elif found.status is PremiseStatus.HEDGED and one.status is not PremiseStatus.HEDGED:
            folding.act(one, PremiseEventKind.CHALLENGED, turn, found.evidence, "said again as a guess")
        elif _takes_up(one, turn, found):
            reason = VERIFIED if cues.VERIFIED.search(found.text) else "said again by another speaker"
            folding.accept(one, turn, Acceptance.BUILDING_ON_IT, found.evidence, reason)
        else:
            folding.act(one, PremiseEventKind.RESTATED, turn, found.evidence, "said again")


def _takes_up(one: Standing, turn: Turn, found: Found) -> bool:
    """Saying it again as a fact is taking it up, unless it is the same speaker who only repeats himself."""
    firm = found.status is PremiseStatus.ASSERTED
    return firm and (one.speaker != turn.speaker or cues.VERIFIED.search(found.text) is not None)


def _turn_down(folding: Folding, turn: Turn, found: Found) -> None:
    """Premises about what is ruled out, those nearest first."""
    acts = [choice for choice in choices(found.text) if choice.kind is ChoiceKind.REJECTED]
    objects = terms_of(" ".join(" ".join(sorted(choice.object_words)) for choice in acts))
    if not objects:
        return
    firm = [
        (folding.weights.share(one.terms, objects), one)
        for one in folding.near(objects, 1)
        if one.turn != turn.number and one.status not in {PremiseStatus.REJECTED, PremiseStatus.INJECTED}
    ]
    best = sorted(
        (pair for pair in firm if pair[0] >= TURNED_DOWN and _is_meant(folding, pair[1], found)),
        key=lambda pair: -pair[0],
    )
    for _, one in best[:MOST_TURNED_DOWN]:
        folding.act(one, PremiseEventKind.REJECTED, turn, found.evidence, "ruled out")


def _is_meant(folding: Folding, one: Standing, found: Found) -> bool:
    """Whether a premise is what is turned down: any proposal or guess about it; a fact that says little else."""
    if one.status not in VOUCHED:
        return True
    return folding.weights.share(found.terms, one.terms) >= LEAST_FACT


def silence(folding: Folding, turn: Turn) -> None:
    """What was offered or framed in the last turn and that nobody says a word about: accepted by silence, the weakest.

    It confirms nothing; it is kept because a frame that nobody spoke about is what lock-in grows from.
    """
    if turn.role is Role.TOOL:
        return
    for one in _offered(folding, turn):
        if one.status in OPEN and one.touched < turn.number and one.speaker != turn.speaker:
            folding.accept(one, turn, Acceptance.SILENCE, None, "nobody said a word against it")
