"""A strict judge for what rules cannot tell, and how far rules and judge agree."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from dissolution.probing import NO_JUDGE, ArmAnswer, Question, Score, ScoredBy
from dissolution.values import Measured
from probe.scoring import by_rules, score


class Judged(NamedTuple):
    """A judge's word on one answer."""

    right: bool
    reason: str


class Judge(Protocol):
    """Says whether answers say what their references say; another family than the reader's."""

    @property
    def name(self) -> str:
        """Who judges."""
        ...

    def judge(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[Judged | None, ...]:
        """One word for each pair, in their order; None for a pair it leaves out. Nothing is raised for a failure."""
        ...


def judged(questions: Sequence[Question], answers: Sequence[ArmAnswer], judge: Judge | None) -> tuple[Score, ...]:
    """Rules first; the judge is asked about what they cannot tell, in one batch, without knowing the arm.

    What neither can tell counts as wrong.
    """
    pairs = list(zip(questions, answers, strict=True))
    told = [by_rules(question, answer.text) for question, answer in pairs]
    doubtful = [place for place, one in enumerate(told) if one is None]
    if judge is not None and doubtful:
        said = judge.judge([pairs[place][0] for place in doubtful], [pairs[place][1].text for place in doubtful])
        for place, word in zip(doubtful, said, strict=True):
            if word is not None:
                told[place] = Score(
                    question=pairs[place][0].id, right=word.right, by=ScoredBy.JUDGE, reason=word.reason or "judged"
                )
    return tuple(
        score(question, answer.text) if one is None else one
        for (question, answer), one in zip(pairs, told, strict=True)
    )


def cross_examined(questions: Sequence[Question], answers: Sequence[ArmAnswer], judge: Judge) -> tuple[Score, ...]:
    """Every answer judged, with what the rules said of it beside: what the agreement is measured on."""
    said = judge.judge(questions, [answer.text for answer in answers])
    scores: list[Score] = []
    for question, answer, word in zip(questions, answers, said, strict=True):
        told = by_rules(question, answer.text)
        if word is None:
            scores.append(score(question, answer.text))
            continue
        scores.append(
            Score(
                question=question.id,
                right=word.right,
                by=ScoredBy.JUDGE,
                reason=word.reason or "judged",
                by_rules=None if told is None else told.right,
            )
        )
    return tuple(scores)


def agreement(scores: Sequence[Score]) -> Measured:
    """Share (0..1) of answers that rules and judge both scored, in which they say the same."""
    both = [one for one in scores if one.by is ScoredBy.JUDGE and one.by_rules is not None]
    return sum(one.right == one.by_rules for one in both) / len(both) if both else NO_JUDGE
