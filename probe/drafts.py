"""Cloze questions in the making: from values that several turns say, and from single statements."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.checking import each
from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import MASK, ItemKind, Question, QuestionKind
from dissolution.values import Span
from language.choice import is_stated
from language.reading import read
from language.weights import Index
from probe.evidence import evidence_of, stems_of
from probe.items import EXACT_KINDS, Item, repeats, same_slot
from probe.salience import Value, head, values
from probe.statements import LEAST_SHARED, AskableSentence, place_of, restated_by, superseded_by

LEAST_STEM = 4
"""Words that must be left beside the mask: with fewer nobody could tell what is asked."""

NEAR = CALIBRATION.probe.same_draft

MOST_SHARING = 200
"""Statements before and after one, and at the end, that are looked at for each word they share with it."""

CUES = 12
"""Words a value is asked for by."""

SHARED_CUES = 6
"""Words of these that a further question for the same value keeps; the others are the next that are said with it."""

ITEM_ORDER = (ItemKind.DATE, ItemKind.NUMBER, ItemKind.NAME, ItemKind.CHOICE)
"""What is masked first in a statement: the more exact, the less it can be restored by luck."""

BINDING_FIRST = (
    QuestionKind.CONSTRAINT,
    QuestionKind.COMMITMENT,
    QuestionKind.DECISION,
    QuestionKind.CORRECTION,
    QuestionKind.OPEN_QUESTION,
    QuestionKind.RECALL,
)
"""Of several kinds that the mentions of one value have, the first of these."""


ASKED_AS = {ItemKind.DATE: "Which date or time", ItemKind.NUMBER: "Which number", ItemKind.NAME: "Which name"}
SAID_WITH = " is said with: "
"""Between what is asked for and the words it is asked for by."""

PLAIN = (Section.KNOWN, QuestionKind.RECALL)


class Draft(NamedTuple):
    """A question in the making."""

    text: str
    item: Item
    section: Section
    kind: QuestionKind
    turns: tuple[int, ...]  # its evidence, ascending
    told: tuple[int, Span]  # the sentence that says it best
    rivals: tuple[str, ...]  # patterns of values that were taken back
    rank: float  # how much speaks for asking it, among drafts of its sort
    stems: frozenset[str]


def from_values(snapshot: Snapshot, excluding: Sequence[Question], refused: list[str]) -> list[Draft]:
    """A draft for each value that several turns say, the best first.

    A value that earlier banks asked for is asked for by other words, as long as it is said with enough of them. Why
    others are left out is added to `refused`.
    """
    spent = Counter(question.reference.casefold() for question in excluding)
    known = values(evidence_of(snapshot))
    taken_back = _TakenBack(known)
    found: list[Draft] = []
    for value in each(known):
        company = _cues(value.company, spent[value.item.text.casefold()])
        if len(company) < LEAST_STEM:
            refused.append(f"turn {value.turns[-1]}: too few words are said with {value.item.text!r}")
        else:
            found.append(_of_value(value, company, taken_back.by(value)))
    return found


def from_statements(found: Sequence[AskableSentence], excluding: Sequence[Question], refused: list[str]) -> list[Draft]:
    """One draft for each statement, its most exact item masked; of those that ask the same, the last."""
    spent = {question.text for question in excluding}
    drafts: list[Draft] = []
    shared = _Sharing(found)
    for place, statement in enumerate(each(found)):
        near = shared.near(place)
        later, earlier = [found[one] for one in near if one > place], [found[one] for one in near if one < place]
        alike = [*earlier, *later]
        if any(superseded_by(statement, item, later) for item in statement.items):
            # With another item masked the question would still state the value that is over.
            refused.append(f"turn {statement.turn}: a later turn gives another value")
            continue
        for item in sorted(statement.items, key=_order):
            problem = _problem(statement, item, alike)
            draft = _of_statement(statement, item, earlier, alike)
            if problem is None and draft.text not in spent:
                drafts.append(draft)
                break
            refused.append(f"turn {statement.turn}: {problem or 'asked before'}")
    return _distinct(drafts, refused)


class _Sharing:
    """Which statements share words: only those can be about the same (LEAST_SHARED)."""

    def __init__(self, found: Sequence[AskableSentence]) -> None:
        self._found = found
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, statement in enumerate(found):
            for word in statement.content:
                self._places[word].append(place)

    def near(self, place: int) -> list[int]:
        """Places of the others that share LEAST_SHARED words or more, in order.

        Of a word that very many hold the MOST_SHARING before and after it count, and the last ones: what a word says
        that stands everywhere is no subject, and its cost must not grow with the conversation.
        """
        counts: Counter[int] = Counter()
        for word in self._found[place].content:
            places = self._places[word]
            at = bisect_left(places, place)
            end = at + MOST_SHARING
            counts.update(places[max(0, at - MOST_SHARING) : end])
            counts.update(places[max(end, len(places) - MOST_SHARING) :])
        return sorted(one for one, count in counts.items() if count >= LEAST_SHARED and one != place)


def is_settled(item: Item) -> bool:
    """Whether an item is a choice against something that is stated as made."""
    return item.kind is ItemKind.CHOICE and is_stated(item.text)


def _order(item: Item) -> tuple[bool, int]:
    return not is_settled(item), ITEM_ORDER.index(item.kind)


def _cues(company: Sequence[str], times: int) -> tuple[str, ...]:
    """The words to ask by when a value has been asked for so many times; empty when there are no others left."""
    if not times:
        return tuple(company[:CUES])
    fresh = CUES - SHARED_CUES
    others = company[CUES + fresh * (times - 1) : CUES + fresh * times]
    return (*company[:SHARED_CUES], *others) if others else ()


def _of_value(value: Value, company: Sequence[str], rivals: tuple[str, ...]) -> Draft:
    mentions = [mention.said for mention in value.mentions]
    places = [place for said in mentions if (place := place_of(said.text, said.role)) is not None]
    section, kind = min(places, key=lambda place: BINDING_FIRST.index(place[1]), default=PLAIN)
    told = max(mentions, key=lambda said: (len(said.stems & set(company)), said.turn))
    return Draft(
        text=f"{ASKED_AS[value.item.kind]}{SAID_WITH}{', '.join(_shown(company, value))}? {MASK}",
        item=value.item,
        section=section,
        kind=QuestionKind.CORRECTION if rivals else kind,
        turns=value.turns,
        told=(told.turn, told.span),
        rivals=rivals,
        rank=value.rank,
        stems=frozenset(company),
    )


def _shown(company: Sequence[str], value: Value) -> list[str]:
    """The words behind the stems, each as it is said most often beside the value."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in value.mentions:
        for word in read(mention.said.text).tokens:
            for stem in stems_of(word):
                forms[stem][word] += 1
    return [min(forms[stem], key=lambda word: (-forms[stem][word], word)) for stem in company if forms[stem]]


class _TakenBack:
    """Numbers by what they count, to find those that a later one replaced."""

    def __init__(self, known: Sequence[Value]) -> None:
        self._known = known
        self._things = [_things(value) for value in known]
        self._of: dict[str, list[tuple[int, int]]] = defaultdict(list)  # last turn and place, by thing
        for place, things in enumerate(self._things):
            for thing in things:
                self._of[thing].append((known[place].turns[-1], place))
        for found in self._of.values():
            found.sort()

    def by(self, value: Value) -> tuple[str, ...]:
        """Patterns of numbers that were given to the same counted thing before this one, and not since.

        Of very many the MOST_SHARING that were said last.
        """
        things = _things(value)
        before: set[int] = set()
        for thing in things:
            found = self._of[thing]
            end = bisect_left(found, (value.turns[0], -1))
            before.update(place for _, place in found[max(0, end - MOST_SHARING) : end])
        return tuple(
            rf"(?<!\w){re.escape(self._known[place].item.text)}[ -]{re.escape(thing)}\w*"
            for place in sorted(before)
            if same_slot(self._known[place].item, value.item)
            for thing in sorted(things & self._things[place])
        )


def _things(value: Value) -> frozenset[str]:
    """What a number is said to count."""
    if value.item.kind is not ItemKind.NUMBER:
        return frozenset()
    heads = (head(mention.said.text, mention.item) for mention in value.mentions)
    return frozenset(thing for thing in heads if thing is not None)


def _of_statement(
    statement: AskableSentence, item: Item, earlier: Sequence[AskableSentence], everything: Sequence[AskableSentence]
) -> Draft:
    text, rivals = statement.text, _rivals(statement, item, earlier)
    return Draft(
        text=" ".join(f"{text[: item.start]}{MASK}{text[item.end :]}".split()),
        item=item,
        section=statement.section,
        kind=QuestionKind.CORRECTION if rivals else statement.kind,
        turns=(statement.turn,),
        told=(statement.turn, statement.span),
        rivals=tuple(dict.fromkeys(rf"(?<!\w){re.escape(rival.text)}(?!\w)" for rival in rivals)),
        rank=len(restated_by(statement, item, everything)) + 0.5 * statement.user,
        stems=statement.content - read(item.text).stems,
    )


def _problem(statement: AskableSentence, item: Item, everything: Sequence[AskableSentence]) -> str | None:
    if repeats(statement.text, item):
        return "the statement says its answer twice"
    if len(statement.content - read(item.text).stems) < LEAST_STEM:
        return "too few words beside the mask"
    # A plain sentence of a user states a current value. Anything else in passing has to be said twice to be asked.
    if statement.kind is QuestionKind.RECALL and not (statement.user and item.kind in EXACT_KINDS):
        others = (other for other in restated_by(statement, item, everything) if other.turn != statement.turn)
        return next((None for _ in others), "said in passing: no value a user states, and never said again")
    return None


def _rivals(statement: AskableSentence, item: Item, earlier: Sequence[AskableSentence]) -> tuple[Item, ...]:
    """Values that earlier statements gave and this one replaced."""
    return tuple(
        old
        for one in earlier
        for old in one.items
        if old.kind is not ItemKind.CHOICE
        and same_slot(old, item)
        and old.text.casefold() != item.text.casefold()
        and superseded_by(one, old, (statement,)) is not None
    )


def _distinct(drafts: Sequence[Draft], refused: list[str]) -> list[Draft]:
    """Of questions for the same item about the same subject, the last: what was said last is what holds."""
    kept: list[Draft] = []
    index = Index()
    for draft in each(reversed(drafts)):
        near = index.newest(draft.stems, LEAST_SHARED, 2 * MOST_SHARING)
        if any(_alike(draft, kept[place]) for place in near):
            refused.append(f"turn {draft.turns[-1]}: asked by a later statement")
        else:
            index.add(len(kept), draft.stems)
            kept.append(draft)
    return kept[::-1]


def _alike(one: Draft, other: Draft) -> bool:
    shared, together = one.stems & other.stems, one.stems | other.stems
    same = one.item.text.casefold() == other.item.text.casefold()
    return len(shared) >= NEAR * len(together) or (same and len(shared) >= NEAR / 2 * len(together))
