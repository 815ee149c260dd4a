"""Shipped doubles of the Adjudicator port: one that replays recorded answers, one that answers or fails on cue."""

from collections.abc import Callable, Iterable, Sequence

from dissolution.adjudication import ClaimPair, PairAnswer, Relation
from dissolution.answers import MemberFailure


class RecordedAdjudicator:
    """Replays answers about known pairs, whichever of the two claims comes first; it leaves out what it never heard of.

    Args:
        name: Who answered when it was recorded.
        answers: What it said of each pair.
    """

    def __init__(self, name: str, answers: Iterable[tuple[ClaimPair, PairAnswer]]) -> None:
        self._name = name
        self._answers: dict[tuple[str, str], PairAnswer] = {}
        for pair, answer in answers:
            turned = answer.model_copy(update={"forward": answer.backward, "backward": answer.forward})
            self._answers[pair.second, pair.first] = turned
            self._answers[pair.first, pair.second] = answer

    @property
    def name(self) -> str:
        """Who is asked."""
        return self._name

    def adjudicate(self, pairs: Sequence[ClaimPair]) -> tuple[PairAnswer | None, ...] | MemberFailure:
        """The recorded answers."""
        return tuple(self._answers.get((pair.first, pair.second)) for pair in pairs)


class ScriptedAdjudicator:
    """Answers every pair by a rule, or fails as told.

    Args:
        rule: The answer to one pair, None to leave it out; or the failure of every call.
        name: Who it is said to be.
    """

    def __init__(self, rule: Callable[[ClaimPair], PairAnswer | None] | MemberFailure, name: str = "scripted") -> None:
        self._rule = rule
        self._name = name
        self.asked: list[tuple[ClaimPair, ...]] = []  # the pairs of each call

    @property
    def name(self) -> str:
        """Who is asked."""
        return self._name

    def adjudicate(self, pairs: Sequence[ClaimPair]) -> tuple[PairAnswer | None, ...] | MemberFailure:
        """What the rule says."""
        self.asked.append(tuple(pairs))
        if isinstance(self._rule, MemberFailure):
            return self._rule
        return tuple(self._rule(pair) for pair in pairs)


def both_ways(relation: Relation, why: str = "") -> PairAnswer:
    """The same relation in both directions."""
    return PairAnswer(forward=relation, backward=relation, why=why)
