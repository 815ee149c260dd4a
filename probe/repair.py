"""Repair: failed train questions point to the turns that have to be asked about again. Pure; asks nobody."""

from collections.abc import Sequence

from dissolution.conversation import Snapshot, TurnNumber
from dissolution.errors import InputError
from dissolution.probing import PairedOutcome, Question, QuestionId, Split
from dissolution.values import Frozen

MOST_TURNS = 20
"""Turns asked about again in one round at most: a repair that needs more is a new dissolution."""


class Repair(Frozen):
    """What the fleet is to be asked about again. It names turns and nothing of the questions, which stay unseen."""

    turns: tuple[TurnNumber, ...]  # ascending
    spent: tuple[QuestionId, ...]  # train questions that pointed there; they count for no verdict any more


def plan_repair(
    snapshot: Snapshot,
    train: Sequence[Question],
    outcomes: Sequence[PairedOutcome],
    *,
    spent: Sequence[QuestionId] = (),
) -> Repair:
    """The turns behind train questions that the history answers and the candidate does not.

    Args:
        snapshot: What the job works on.
        train: Questions of the train split. A held-out one is refused: the verdict rests on those.
        outcomes: Outcomes of train questions.
        spent: Questions that earlier rounds have used.

    The turns that most failed questions rest on come first when there are more than MOST_TURNS. Raises InputError for
    a held-out question and UnknownTurn for evidence outside the snapshot.
    """
    by_id = {question.id: question for question in train}
    held_out = sorted(question.id for question in train if question.split is Split.HELD_OUT)
    if held_out:
        raise InputError(f"questions {held_out[:5]!r} are held out", "repair with questions of the train split alone")
    failed = [
        by_id[outcome.question]
        for outcome in outcomes
        if outcome.loss == 1 and outcome.question in by_id and outcome.question not in spent
    ]
    weight: dict[int, int] = {}
    for question in failed:
        for turn in question.evidence_turns:
            weight[snapshot.turn(turn).number] = weight.get(turn, 0) + 1
    chosen = sorted(weight, key=lambda turn: (-weight[turn], turn))[:MOST_TURNS]
    pointing = [question.id for question in failed if set(question.evidence_turns) & set(chosen)]
    return Repair(turns=tuple(sorted(chosen)), spent=tuple(pointing))
