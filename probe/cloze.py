"""The question bank without a language model: things of the snapshot to be restored from the words they are said with.

The writer gets the snapshot and nothing else, so it cannot know a candidate. Held-out questions ask for the values the
conversation keeps coming back to (probe/salience.py), for standing rules and for what is ruled out. Where that is too
little, and for repair, single statements are masked: rules, promises and decisions first. Each question is checked: its
answer does not stand in it, it is no second version of another, the value was not taken back later, and a reader
without any text fails it.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence

from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.policy.calibration import CALIBRATION
from dissolution.probing import BankOrigin, ItemKind, Question, QuestionBank, QuestionKind, Split, Third
from probe.drafts import BINDING_FIRST, Draft, from_statements, from_values, is_settled
from probe.items import key_of
from probe.reading import NO_TEXT, RetrievalReader, asked
from probe.scoring import score
from probe.statements import statements

WRITER = "cloze/2"

TRAIN_EACH = 4
"""One question in so many is for repair; the rest is held out."""

LEAST_RANK = CALIBRATION.probe.good_rank

FEWEST = 30
"""Held-out questions below which lower ranks and single statements are asked for as well."""


NOTABLE_RANK = CALIBRATION.probe.notable_rank


def write_cloze_bank(
    snapshot: Snapshot, *, size: int, excluding: Sequence[Question] = (), notable: Collection[int] = ()
) -> QuestionBank:
    """A sealed bank of at most `size` questions (1 or more) about what the snapshot says.

    Args:
        snapshot: What the questions are about, and all that the writer sees.
        size: Questions at most, about three quarters of them held out. The bank may be shorter, or empty.
        excluding: Questions of earlier banks, none of which is asked again. A value they asked for is asked for by
            other words, as long as it is said with enough of them.
        notable: Turns of the snapshot that were far more surprising than the talk around them: of two drafts that are
            as good, the one that rests on such a turn is asked first.

    The order is shuffled by the snapshot's digest, so that it is the same for everyone and follows nothing.
    """
    refused: list[str] = []
    ranked = from_values(snapshot, excluding, refused)
    asked_for = {(key_of(one.item), turn) for one in ranked for turn in one.turns}
    singles = [
        one
        for one in from_statements(statements(snapshot), excluding, refused)
        if not any((key_of(one.item), turn) in asked_for for turn in one.turns)
    ]
    firm = [one for one in singles if _is_firm(one)]
    best = _weighed([one for one in ranked if one.rank >= LEAST_RANK], notable)
    rest = [*_spread([one for one in singles if one not in firm], snapshot.through, notable)]
    weak = _weighed([one for one in ranked if one.rank < LEAST_RANK], notable)
    wanted = max(1, size - size // TRAIN_EACH)
    held = _unguessable((*best, *sorted(firm, key=lambda one: not _is_notable(one, notable))), refused)[:wanted]
    if len(held) < FEWEST:
        filling = _unguessable((*weak, *rest), refused)
        share = -(-(len(held) + len(filling)) * (TRAIN_EACH - 1) // TRAIN_EACH)  # rounded up: one is held out at least
        held += filling[: max(0, min(FEWEST, wanted, share) - len(held))]
    spent = {key_of(one.item) for one in held}
    left = [one for one in (*rest, *weak) if key_of(one.item) not in spent]
    train = _unguessable(left, refused)[: min(size - len(held), len(held) // (TRAIN_EACH - 1))]
    splits = [(one, Split.HELD_OUT) for one in held] + [(one, Split.TRAIN) for one in train]
    questions = [
        _question(draft, len(excluding) + place + 1, snapshot.through, split)
        for place, (draft, split) in enumerate(splits)
    ]
    return QuestionBank(
        snapshot_digest=snapshot.digest,
        origin=BankOrigin.CLOZE,
        writer=WRITER,
        questions=tuple(sorted(questions, key=lambda question: _shuffled(snapshot.digest, question.id))),
        rejected=tuple(refused),
    )


def _is_firm(draft: Draft) -> bool:
    """Whether a single statement has to be in any boundary: a standing rule, or something ruled out."""
    if draft.item.kind is ItemKind.CHOICE:
        return is_settled(draft.item)
    return draft.kind is QuestionKind.CONSTRAINT and draft.section is Section.IDENTITY


def _is_notable(draft: Draft, notable: Collection[int]) -> bool:
    """Whether a draft rests on a turn that was far more surprising than the talk around it."""
    return any(turn in notable for turn in draft.turns)


def _rank(draft: Draft, notable: Collection[int]) -> float:
    return draft.rank + NOTABLE_RANK * _is_notable(draft, notable)


def _weighed(drafts: Sequence[Draft], notable: Collection[int]) -> list[Draft]:
    """By rank, the best first; those of one rank stay in the order they came in."""
    return sorted(drafts, key=lambda one: -_rank(one, notable))


def _spread(drafts: Sequence[Draft], through: int, notable: Collection[int]) -> list[Draft]:
    """What binds first; within a kind round after round one from each stratum of section and third, the best first."""
    spread: list[Draft] = []
    for kind in BINDING_FIRST:
        strata: dict[tuple[str, str], list[Draft]] = defaultdict(list)
        for draft in sorted(drafts, key=lambda one: (-_rank(one, notable), one.turns)):
            if draft.kind is kind:
                strata[draft.section, Third.of(draft.turns[-1], through)].append(draft)
        queues = [strata[name] for name in sorted(strata)]
        while any(queues):
            spread += [queue.pop(0) for queue in queues if queue]
    return spread


def _question(draft: Draft, number: int, through: int, split: Split) -> Question:
    return Question(
        id=f"c{number:03}",
        text=draft.text,
        kind=draft.kind,
        section=draft.section,
        third=Third.of(draft.turns[-1], through),
        reference=draft.item.text,
        reject=draft.rivals,
        evidence_turns=draft.turns,
        evidence_spans=(draft.told,),
        item=draft.item.kind,
        split=split,
    )


def _unguessable(drafts: Sequence[Draft], refused: list[str]) -> list[Draft]:
    """The questions that a reader without any text fails: the floor arm, asked before the bank is sealed."""
    questions = [_question(draft, place, max(draft.turns), Split.HELD_OUT) for place, draft in enumerate(drafts)]
    said = RetrievalReader().read(NO_TEXT, asked(questions))
    kept: list[Draft] = []
    for draft, question, text in zip(drafts, questions, said, strict=True):
        if score(question, text).right or score(question, question.text).right:
            refused.append(f"turn {draft.turns[-1]}: answered by its own words")
        else:
            kept.append(draft)
    return kept


def _shuffled(digest: str, name: str) -> str:
    return hashlib.sha256(f"{digest}{name}".encode()).hexdigest()
