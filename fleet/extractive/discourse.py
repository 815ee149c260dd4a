"""What the neighbours of a sentence make of it: accepted, answered, hedged afterwards, meant for once only."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dissolution.conversation import Role
from fleet.extractive import cue_words as cue
from fleet.extractive import talk_words as talk
from fleet.extractive.sections import Kind, kind_of
from fleet.extractive.segments import Sentence
from wording.words import words

TAKEN_UP = 0.55  # share of a question's content words, by weight, that a later turn must hold to answer it
MIN_QUESTION_TERMS = 3  # content words; a shorter question does not stand alone
PARROT_WORDS = 5  # words in a row that speech shares with a directive in quoted material to be its echo
LAST_WORDS = 3  # sentences before the end of a turn that an answer in the next turn may be about

PUT_DECIDED = re.compile(
    r"\b(?:put|note|mark|record|write|file|take) (?:that|this|it|these|those|both)\b.{0,20}\b(?:decided|agreed"
    r"|settled|final)\b"
    r"|^(?:that|this|it)(?:'s|’s| is) (?:decided|settled|agreed|final)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Read:
    """A sentence with what the talk makes of it. `hedged_by` is the sentence after it that hedges it."""

    sentence: Sentence
    kind: Kind
    hedged_by: Sentence | None = None
    accepted_by: Sentence | None = None


def read(sentences: Sequence[Sentence]) -> tuple[Read, ...]:
    """All sentences with their kinds after acceptance, answers, later hedges and one-offs are taken into account."""
    kinds = [kind_of(sentence) for sentence in sentences]
    turns = _turns(sentences)
    _silence_one_offs(sentences, kinds, turns)
    _silence_echoes(sentences, kinds)
    accepted = _accept(sentences, kinds, turns)
    unanswered = _said_unanswered(sentences, kinds)
    _close_questions(sentences, kinds, turns, unanswered)
    _confirm(sentences, kinds)
    hedges = _hedges_after(sentences, kinds)
    return tuple(
        Read(
            sentence=sentence,
            kind=Kind.GUESS if place in hedges and kinds[place] is not Kind.NOTHING else kinds[place],
            hedged_by=hedges.get(place),
            accepted_by=accepted.get(place),
        )
        for place, sentence in enumerate(sentences)
    )


def _turns(sentences: Sequence[Sentence]) -> list[list[int]]:
    """Places of the sentences, turn by turn."""
    found: list[list[int]] = []
    for place, sentence in enumerate(sentences):
        if not found or sentences[found[-1][-1]].turn != sentence.turn:
            found.append([])
        found[-1].append(place)
    return found


def _silence_one_offs(sentences: Sequence[Sentence], kinds: list[Kind], turns: list[list[int]]) -> None:
    """An instruction for one answer, what follows it in its paragraph, and the answer it got state nothing lasting."""
    for number, places in enumerate(turns):
        for place in places:
            if kinds[place] is not Kind.ONE_OFF:
                continue
            paragraph = sentences[place].paragraph
            for other in places:
                asks = kinds[other] in {Kind.QUESTION, Kind.STANDING, Kind.RULE, Kind.DECISION, Kind.PROPOSAL}
                if other >= place and sentences[other].paragraph == paragraph and asks:
                    kinds[other] = Kind.NOTHING
            kinds[place] = Kind.NOTHING
            answer = turns[number + 1] if number + 1 < len(turns) else []
            for other in answer:
                if sentences[other].role is not Role.TOOL and sentences[other].speaker != sentences[place].speaker:
                    kinds[other] = Kind.NOTHING


def _silence_echoes(sentences: Sequence[Sentence], kinds: list[Kind]) -> None:
    """Speech that repeats a directive of quoted material word for word states nothing of its own."""
    directives: set[tuple[str, ...]] = set()
    for sentence in sentences:
        if sentence.quoted and talk.DIRECTIVE.search(sentence.quote):
            directives.update(_runs(sentence.words))
    if not directives:
        return
    for place, sentence in enumerate(sentences):
        if not directives.isdisjoint(_runs(sentence.words)):
            kinds[place] = Kind.NOTHING


def _runs(found: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(found[start : start + PARROT_WORDS]) for start in range(len(found) - PARROT_WORDS + 1)}


def _accept(sentences: Sequence[Sentence], kinds: list[Kind], turns: list[list[int]]) -> dict[int, Sentence]:
    """Proposals the next speaker accepts become decisions; those that are declined state nothing."""
    accepted: dict[int, Sentence] = {}
    for before, after in pairwise(turns):
        reply = sentences[after[0]]
        if reply.quoted or reply.speaker == sentences[before[0]].speaker:
            continue
        opening = " ".join(sentences[place].quote for place in after[:2])
        proposals = [place for place in before if kinds[place] is Kind.PROPOSAL or _asks_for_consent(sentences[place])]
        if not proposals:
            continue
        if talk.ACCEPT.match(opening):
            last = proposals[-1]
            chosen = [place for place in proposals if place >= before[-1] - LAST_WORDS] or [last]
            chosen += [place for place in before if sentences[place].listed and kinds[place] is Kind.STATEMENT]
            for place in chosen:
                kinds[place] = Kind.DECISION
                accepted[place] = reply
        elif talk.DECLINE.match(opening):
            for place in proposals:
                kinds[place] = Kind.NOTHING
    return accepted


def _asks_for_consent(sentence: Sentence) -> bool:
    return sentence.is_question and not sentence.quoted and cue.PROPOSAL.search(sentence.quote) is not None


def _said_unanswered(sentences: Sequence[Sentence], kinds: list[Kind]) -> frozenset[int]:
    """Questions whose asker adds that nobody has answered; the addition says nothing beside the question."""
    found: set[int] = set()
    for place, sentence in enumerate(sentences[1:], start=1):
        before = sentences[place - 1]
        asked = kinds[place - 1] is Kind.QUESTION and before.turn == sentence.turn
        if asked and kinds[place] is Kind.OPEN and len(sentence.terms) < MIN_QUESTION_TERMS:
            kinds[place] = Kind.NOTHING
            found.add(place - 1)
    return frozenset(found)


def _close_questions(
    sentences: Sequence[Sentence], kinds: list[Kind], turns: list[list[int]], unanswered: frozenset[int]
) -> None:
    """Questions that a later turn answers are no longer open; those too short to stand alone state nothing."""
    spread = Counter(term for places in turns for term in {t for place in places for t in sentences[place].terms})
    for number, places in enumerate(turns):
        for place in places:
            if kinds[place] is not Kind.QUESTION:
                continue
            weights = {term: math.log(1 + len(turns) / spread[term]) for term in sentences[place].terms}
            replies = [
                [sentences[other] for other in later if kinds[other] not in {Kind.QUESTION, Kind.OPEN}]
                for later in turns[number + 1 :]
            ]
            direct = place == places[-1] and bool(replies) and _replies(replies[0], sentences[place])
            short = len(weights) < MIN_QUESTION_TERMS and place not in unanswered
            if short or direct or _taken_up(replies, weights):
                kinds[place] = Kind.NOTHING


def _replies(said: Sequence[Sentence], asked: Sentence) -> bool:
    """Whether the next turn begins with what another speaker says to it, and not with "no idea" or a question."""
    return bool(said) and said[0].index == 0 and said[0].speaker != asked.speaker and not said[0].quoted


def _taken_up(replies: Sequence[Sequence[Sentence]], weights: Mapping[str, float]) -> bool:
    """Whether the statements of one later turn hold `TAKEN_UP` of the question's content words.

    A word weighs ln(1 + turns / turns with it), so that the rare words of a question decide.
    """
    needed = TAKEN_UP * sum(weights.values())
    for said in replies:
        held = {term for sentence in said for term in sentence.terms}
        if sum(weight for term, weight in weights.items() if term in held) >= needed:
            return True
    return False


def _confirm(sentences: Sequence[Sentence], kinds: list[Kind]) -> None:
    """The statement before "put that under decided" is a decision."""
    for place, sentence in enumerate(sentences):
        if place and not sentence.quoted and PUT_DECIDED.search(sentence.quote):
            before = place - 1
            if sentences[before].turn == sentence.turn and kinds[before] in {Kind.STATEMENT, Kind.RULE, Kind.PROPOSAL}:
                kinds[before] = Kind.DECISION


def _hedges_after(sentences: Sequence[Sentence], kinds: list[Kind]) -> dict[int, Sentence]:
    """Statements whose next sentence in the same turn says that they are a guess."""
    found: dict[int, Sentence] = {}
    for place, sentence in enumerate(sentences[1:], start=1):
        before = sentences[place - 1]
        same_breath = before.turn == sentence.turn and before.paragraph == sentence.paragraph
        if same_breath and not sentence.quoted and cue.HEDGE_AFTER.search(" ".join(words(sentence.quote))):
            found[place - 1] = sentence
            kinds[place] = Kind.NOTHING
    return found
