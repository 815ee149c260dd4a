"""The question bank without a language model: masked statements of the snapshot.

The writer gets the snapshot and nothing else, so it cannot know a candidate. Each question is checked: its answer does
not stand in it, it is no second version of another, the value was not taken back later, and a reader without any text
fails it.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.conversation import Snapshot
from dissolution.probing import MASK, BankOrigin, ItemKind, Question, QuestionBank, QuestionKind, Split, Third
from probe.items import Item, repeats, same_slot
from probe.reading import NO_TEXT, RetrievalReader, asked
from probe.scoring import score
from probe.statements import Statement, restated_by, statements, superseded_by
from wording.words import content_words

WRITER = "cloze/1"
LEAST_STEM = 4
"""Content words that must be left beside the mask: with fewer nobody could tell what is asked."""

TRAIN_EACH = 4
"""Every fourth question of a stratum is for repair; the rest is held out."""

NEAR = 0.6
"""Two questions whose stems share this much (Jaccard) and ask for the same are one."""

ITEM_ORDER = (ItemKind.DATE, ItemKind.NUMBER, ItemKind.NAME, ItemKind.CHOICE)
"""What is masked first: the more exact, the less it can be restored by luck."""


VALUES = frozenset({ItemKind.DATE, ItemKind.NUMBER})
"""What makes a plain sentence of a user a current value. Anything else in passing has to be said twice to be asked."""


class _Draft(NamedTuple):
    statement: Statement
    item: Item
    rivals: tuple[Item, ...]  # values of the same slot that were taken back
    restated: int

    @property
    def stem(self) -> frozenset[str]:
        return self.statement.content - content_words(self.item.text)

    @property
    def text(self) -> str:
        said, item = self.statement.text, self.item
        return " ".join(f"{said[: item.start]}{MASK}{said[item.end :]}".split())


def write_cloze_bank(snapshot: Snapshot, *, size: int) -> QuestionBank:
    """A sealed bank of at most `size` questions (1 or more), spread over sections, thirds and kinds.

    Statements that were said again, and those of users, are asked for first. The order of the bank is shuffled by the
    snapshot's digest, so that it is the same for everyone and follows nothing. The bank may be shorter than `size`, or
    empty, when the snapshot states too little.
    """
    found = statements(snapshot)
    refused: list[str] = []
    drafts = _distinct(_drafts(found, refused), refused)
    chosen = _spread(drafts, snapshot.through, size)
    questions = [_question(draft, place, snapshot.through) for place, draft in enumerate(chosen)]
    kept = _unguessable(questions, refused)
    return QuestionBank(
        snapshot_digest=snapshot.digest,
        origin=BankOrigin.CLOZE,
        writer=WRITER,
        questions=tuple(sorted(_in_splits(kept), key=lambda question: _shuffled(snapshot.digest, question.id))),
        rejected=tuple(refused),
    )


def _drafts(found: Sequence[Statement], refused: list[str]) -> list[_Draft]:
    """One draft for each statement: its most exact item that can be asked for."""
    drafts: list[_Draft] = []
    for place, statement in enumerate(found):
        later, earlier = found[place + 1 :], found[:place]
        if any(superseded_by(statement, item, later) for item in statement.items):
            # With another item masked the question would still state the value that is over.
            refused.append(f"turn {statement.turn}: a later turn gives another value")
            continue
        for item in sorted(statement.items, key=lambda one: ITEM_ORDER.index(one.kind)):
            problem = _problem(statement, item, found)
            if problem is None:
                drafts.append(
                    _Draft(statement, item, _rivals(statement, item, earlier), len(restated_by(statement, item, found)))
                )
                break
            refused.append(f"turn {statement.turn}: {problem}")
    return drafts


def _problem(statement: Statement, item: Item, everything: Sequence[Statement]) -> str | None:
    if repeats(statement.text, item):
        return "the statement says its answer twice"
    if len(statement.content - content_words(item.text)) < LEAST_STEM:
        return "too few words beside the mask"
    if statement.kind is QuestionKind.RECALL and not (statement.user and item.kind in VALUES):
        others = (other for other in restated_by(statement, item, everything) if other.turn != statement.turn)
        return next((None for _ in others), "said in passing: no value a user states, and never said again")
    return None


def _rivals(statement: Statement, item: Item, earlier: Sequence[Statement]) -> tuple[Item, ...]:
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


def _distinct(drafts: Sequence[_Draft], refused: list[str]) -> list[_Draft]:
    """Of questions for the same item about the same subject, the last: what was said last is what holds."""
    kept: list[_Draft] = []
    for draft in reversed(drafts):
        if any(_alike(draft, other) for other in kept):
            refused.append(f"turn {draft.statement.turn}: asked by a later statement")
        else:
            kept.append(draft)
    return kept[::-1]


def _alike(one: _Draft, other: _Draft) -> bool:
    shared, together = one.stem & other.stem, one.stem | other.stem
    same = one.item.text.casefold() == other.item.text.casefold()
    return len(shared) >= NEAR * len(together) or (same and len(shared) >= NEAR / 2 * len(together))


def _spread(drafts: Sequence[_Draft], through: int, size: int) -> list[_Draft]:
    """Round after round one draft from each stratum of section, third and kind, the best first."""
    strata: dict[tuple[str, str, str], list[_Draft]] = defaultdict(list)
    for draft in sorted(drafts, key=lambda one: (-one.restated, not one.statement.user, one.statement.turn)):
        said = draft.statement
        strata[said.section, Third.of(said.turn, through), said.kind].append(draft)
    chosen: list[_Draft] = []
    queues = [strata[name] for name in sorted(strata)]
    while len(chosen) < size and any(queues):
        chosen += [queue.pop(0) for queue in queues if queue][: size - len(chosen)]
    return chosen


def _question(draft: _Draft, place: int, through: int) -> Question:
    said = draft.statement
    kind = QuestionKind.CORRECTION if draft.rivals else said.kind
    return Question(
        id=f"c{place + 1:03}",
        text=draft.text,
        kind=kind,
        section=said.section,
        third=Third.of(said.turn, through),
        reference=draft.item.text,
        reject=tuple(dict.fromkeys(rf"(?<!\w){re.escape(rival.text)}(?!\w)" for rival in draft.rivals)),
        evidence_turns=(said.turn,),
        evidence_spans=((said.turn, said.span),),
        item=draft.item.kind,
    )


def _unguessable(questions: Sequence[Question], refused: list[str]) -> list[Question]:
    """The questions that a reader without any text fails: the floor arm, asked before the bank is sealed."""
    said = RetrievalReader().read(NO_TEXT, asked(questions))
    kept: list[Question] = []
    for question, text in zip(questions, said, strict=True):
        if score(question, f"{text} {question.text}").right:
            refused.append(f"turn {question.evidence_turns[0]}: answered by its own words")
        else:
            kept.append(question)
    return kept


def _in_splits(questions: Sequence[Question]) -> list[Question]:
    return [
        question.model_copy(update={"split": Split.TRAIN}) if place % TRAIN_EACH == TRAIN_EACH - 1 else question
        for place, question in enumerate(questions)
    ]


def _shuffled(digest: str, name: str) -> str:
    return hashlib.sha256(f"{digest}{name}".encode()).hexdigest()
