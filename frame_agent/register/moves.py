"""What a turn does to premises that stand: takes them up, turns them down, asks about them, rests on them, answers.

Common ground grows by acceptance, and the next turn of the other side is where it shows (Clark and Schaefer 1989). Yes
and no are read by the fitted model of replies; what they are about, and what rests on what, by shared typed values and
the weight of shared words. Nothing here decides anything: the register is a checklist.
"""

from collections.abc import Sequence

from dissolution.conversation import Turn
from dissolution.policy.calibration import CALIBRATION
from dissolution.premises import Acceptance, Dependant, DependantKind, PremiseEventKind, PremiseStatus
from dissolution.temporal import TemporalClass
from frame_agent.register.events import Folding, OpenPremise
from frame_agent.register.premises import SpokenSentence
from language.putting import ReplyAct, Weighed, fitted
from language.reading import Reading, read

SURE = {
    ReplyAct.ACCEPT.value: CALIBRATION.frame_agent.sure_yes,
    ReplyAct.DECLINE.value: CALIBRATION.frame_agent.sure_no,
}

MEANT = CALIBRATION.frame_agent.meant_by_reply

SAME = CALIBRATION.frame_agent.premise_again

BUILT_ON = CALIBRATION.frame_agent.built_on

RECENT = 4
"""Turns within which a proposal can be taken up by building on it."""

SHARED = CALIBRATION.frame_agent.rests_by_words
SHARED_VALUE = CALIBRATION.frame_agent.rests_with_value

MOST_MEANT = 12
"""Statements that one bare yes can take up: the turn before, not the whole talk."""

MOST = 2
"""Premises one sentence is taken to rest on."""

ANSWERED = CALIBRATION.frame_agent.answers_question
ANSWERED_NEXT = CALIBRATION.frame_agent.answers_question_next

OPEN = frozenset({PremiseStatus.IMPLICIT, PremiseStatus.PROPOSED})
KINDS = {TemporalClass.FORWARD_OPEN: DependantKind.DECISION, TemporalClass.DEFERRED: DependantKind.PLAN}


def take_up(folding: Folding, turn: Turn, spoken: Sequence[SpokenSentence]) -> None:
    """Yes and no to what another speaker said last."""
    offered = _offered(folding, turn)
    for place, one in enumerate(spoken):
        reply = one.reading.reply
        if one.reading.asks or reply.label == ReplyAct.NEITHER or reply.share < SURE[reply.label]:
            continue
        for premise in _meant(folding, offered, one.reading.terms, opens=place == 0, reply=reply):
            reason = f"{reply.label}, {reply.share:.2f} by {fitted().basis}"
            if reply.label == ReplyAct.ACCEPT:
                folding.accept(premise, turn, Acceptance.EXPLICIT_YES, one.evidence, reason)
            elif premise.status in OPEN:
                folding.act(premise, PremiseEventKind.REJECTED, turn, one.evidence, reason)


def _offered(folding: Folding, turn: Turn) -> list[OpenPremise]:
    """What the last other speaker stated, but for open questions: an answer settles a question, it makes none true."""
    return [one for one in folding.offered_to(turn.speaker) if one.status is not PremiseStatus.INJECTED]


def _meant(
    folding: Folding, offered: list[OpenPremise], terms: frozenset[str], *, opens: bool, reply: Weighed
) -> list[OpenPremise]:
    """What a reply is about: what shares its words; an opening one without words of its own, what was offered last."""
    shared = [one for one in offered if folding.weights.share(terms, one.terms) >= MEANT]
    if shared or not opens:
        return shared
    proposed = [one for one in offered if one.status in OPEN][-1:]
    return proposed if proposed or reply.label == ReplyAct.DECLINE else offered[-MOST_MEANT:]


def restate(folding: Folding, turn: Turn, said: SpokenSentence) -> None:
    """What a sentence does to premises that it says again, denies, asks about or goes on from."""
    terms = said.reading.terms
    for one in folding.near(terms, 2):
        reading = one.reading
        if one.turn >= turn.number or one.status is PremiseStatus.INJECTED or reading.asks:
            continue
        alike = folding.weights.likeness(terms, reading.terms) >= SAME
        firm = said.status is PremiseStatus.ASSERTED
        builds = one.status is PremiseStatus.PROPOSED and turn.number - one.turn <= RECENT
        builds = builds and folding.weights.share(terms, reading.terms) >= BUILT_ON
        if alike and (said.reading.asks or said.status is PremiseStatus.HEDGED):
            folding.act(one, PremiseEventKind.CHALLENGED, turn, said.evidence, "asked about or doubted")
        elif alike and said.reading.is_negated != reading.is_negated:
            folding.act(one, PremiseEventKind.REJECTED, turn, said.evidence, "said again and denied")
        elif (alike or builds) and firm and one.speaker != turn.speaker:
            folding.accept(one, turn, Acceptance.BUILDING_ON_IT, said.evidence, "said again by another speaker")
        elif alike:
            folding.act(one, PremiseEventKind.RESTATED, turn, said.evidence, "said again")


def rest(folding: Folding, turn: Turn, said: SpokenSentence) -> None:
    """Write down which earlier premises a statement rests on."""
    if said.reading.asks or said.status is PremiseStatus.ONE_OFF:
        return
    found: list[tuple[float, OpenPremise]] = []
    terms, values = said.reading.terms, said.reading.values
    for one in folding.near(terms, 2):
        reading = one.reading
        if one.turn >= turn.number or one.status is PremiseStatus.INJECTED or reading.asks:
            continue
        share = folding.weights.share(terms, reading.terms)
        if share >= SHARED_VALUE and share >= (SHARED_VALUE if values & reading.values else SHARED):
            found.append((share, one))
    found.sort(key=lambda pair: (-pair[0], -pair[1].turn))
    for _, one in found[:MOST]:
        shared = ", ".join(sorted(said.reading.terms & one.terms))
        whole = Dependant(kind=kind_of(said.evidence.text), evidence=said.evidence, cue=f"shares {shared}")
        folding.rest(one, turn, whole, "rests on it by what the two share")


def kind_of(text: str) -> DependantKind:
    """What a sentence is that rests on something, by its temporal class."""
    return KINDS.get(read(text).temporal.temporal_class, DependantKind.CONCLUSION)


def keep_open(folding: Folding, turn: Turn, one: OpenPremise, said: SpokenSentence) -> None:
    """A question rests on itself until somebody answers it."""
    if said.reading.asks:
        question = Dependant(kind=DependantKind.QUESTION, evidence=said.evidence, cue="asked")
        folding.rest(one, turn, question, "asked and not yet answered")


def answer(folding: Folding, turn: Turn, spoken: Sequence[SpokenSentence]) -> None:
    """Close the questions that a turn answers: the next speaker's by speaking of it, any later one by saying it."""
    statements = [one.reading for one in spoken if not one.reading.asks]
    said = frozenset[str]().union(*(one.terms for one in statements))
    last = folding.last_of_others(turn.speaker)
    for one in folding.near(said, 1):
        if one.speaker == turn.speaker or not one.waiting or one.turn >= turn.number:
            continue
        next_turn = one.turn == last and folding.weights.share(said, one.terms) >= ANSWERED_NEXT
        if next_turn or _best(folding, statements, one) >= ANSWERED:
            for question in one.waiting:
                folding.rest(one, turn, question.model_copy(update={"open": False}), "spoken of by another speaker")


def _best(folding: Folding, statements: Sequence[Reading], one: OpenPremise) -> float:
    return max((folding.weights.share(reading.terms, one.terms) for reading in statements), default=0.0)


def silence(folding: Folding, turn: Turn) -> None:
    """What was offered in the last turn and that nobody says a word about: accepted by silence, the weakest.

    It confirms nothing; it is kept because a frame that nobody spoke about is what lock-in grows from.
    """
    for one in _offered(folding, turn):
        if one.status in OPEN and one.touched < turn.number:
            folding.accept(one, turn, Acceptance.SILENCE, None, "nobody said a word against it")
