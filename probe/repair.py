"""Repair: questions that a candidate lost point to the turns that have to be asked about again. Pure; asks nobody."""

from collections.abc import Collection, Sequence

from dissolution.claims import Claim
from dissolution.conversation import Snapshot, TurnNumber
from dissolution.errors import InputError
from dissolution.probing import PairedOutcome, Question, QuestionId, Split
from dissolution.values import Frozen

MOST_TURNS = 20
"""Turns asked about again in one round at most: a repair that needs more is a new dissolution."""


class Repair(Frozen):
    """What the fleet is to be asked about again. It names turns and nothing of the questions, which stay unseen."""

    turns: tuple[TurnNumber, ...]  # ascending
    spent: tuple[QuestionId, ...]  # questions that pointed there; they count for no verdict any more


def plan_repair(
    snapshot: Snapshot,
    questions: Sequence[Question],
    outcomes: Sequence[PairedOutcome],
    *,
    spent: Collection[QuestionId] = (),
    put: Collection[QuestionId] = (),
) -> Repair:
    """The turns behind questions that the history answers and the candidate does not.

    Args:
        snapshot: What the job works on.
        questions: Of the train split, and held-out ones that were put to a candidate. Any other held-out one is
            refused: later verdicts rest on those.
        outcomes: What came of them.
        spent: Questions that earlier rounds have used.
        put: Held-out questions that were put to a candidate, so that no later verdict rests on them.

    The turns that most failed questions rest on come first when there are more than MOST_TURNS. Raises InputError for
    a held-out question that was not put, and UnknownTurn for evidence outside the snapshot.
    """
    by_id = {question.id: question for question in questions}
    fresh = sorted(one.id for one in questions if one.split is Split.HELD_OUT and one.id not in put)
    if fresh:
        raise InputError(
            f"questions {fresh[:5]!r} are held out and were put to no candidate",
            "repair with questions of the train split and with those that a verdict has used",
        )
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


def least_told(snapshot: Snapshot, claims: Sequence[Claim]) -> Repair:
    """The turns to ask about where no lost question points to any: those on which fewest claims rest, long ones first.

    Args:
        snapshot: What the job works on.
        claims: The candidate's.
    """
    resting = {turn.number: 0 for turn in snapshot.turns}
    for turn in {(claim.id, piece.turn) for claim in claims for piece in claim.evidence}:
        resting[turn[1]] = resting.get(turn[1], 0) + 1
    ranked = sorted(snapshot.turns, key=lambda turn: (resting[turn.number], -len(turn.content), turn.number))
    return Repair(turns=tuple(sorted(turn.number for turn in ranked[:MOST_TURNS])), spent=())
