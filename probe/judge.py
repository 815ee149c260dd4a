"""A strict judge for what rules cannot tell, and how far rules and judge agree."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from dissolution.cross_examining import CrossExamined
from dissolution.probing import ArmAnswer, JudgeWord, Question, Score, ScoredBy
from probe.scoring import by_rules, score

CROSS_EXAMINED = 30
"""Answers of one arm at most that rules have settled and a judge is asked about all the same. Where they agree in all
of 30, they agree in nine of ten answers at least (95 %)."""


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


def judged(
    questions: Sequence[Question], answers: Sequence[ArmAnswer], judge: Judge | None, *, sample: int = 0
) -> tuple[Score, ...]:
    """Rules first; the judge is asked about what they cannot tell, in one batch, without knowing the arm.

    What neither can tell counts as wrong.

    Args:
        questions: One for each answer, in an order that nobody chose.
        answers: What is scored.
        judge: Who is asked; nobody when None.
        sample: Answers that the rules have settled and that are judged as well, the first so many. The rules' word
            holds; the judge's stands beside it, and `cross_examination` says how far they agree.
    """
    pairs = list(zip(questions, answers, strict=True))
    told = [by_rules(question, answer.text) for question, answer in pairs]
    doubtful = [place for place, one in enumerate(told) if one is None]
    settled = [place for place, one in enumerate(told) if one is not None][:sample]
    shown = sorted((*doubtful, *settled))
    if judge is not None and shown:
        said = judge.judge([pairs[place][0] for place in shown], [pairs[place][1].text for place in shown])
        for place, word in zip(shown, said, strict=True):
            if word is not None:
                told[place] = _with(told[place], word, pairs[place][0])
    return tuple(
        score(question, answer.text) if one is None else one
        for (question, answer), one in zip(pairs, told, strict=True)
    )


def _with(by_rule: Score | None, word: Judged, question: Question) -> Score:
    """The judge's word as the score, or beside that of the rules where these have one."""
    reason = word.reason or "judged"
    if by_rule is None:
        return Score(question=question.id, right=word.right, by=ScoredBy.JUDGE, reason=reason)
    return by_rule.model_copy(update={"by_judge": JudgeWord(right=word.right, reason=reason)})


def sample_left(scores: Iterable[Score]) -> int:
    """Answers of one arm that may still be cross-examined."""
    return max(0, CROSS_EXAMINED - sum(one.by_judge is not None for one in scores))


def cross_examination(scores: Iterable[Score]) -> CrossExamined:
    """How many answers rules and judge both scored, and in how many they say the same."""
    pairs = [(one.right, one.by_judge.right) for one in scores if one.by_judge is not None]
    return CrossExamined(
        both=len(pairs),
        alike=sum(rules == judge for rules, judge in pairs),
        rules_alone=sum(rules and not judge for rules, judge in pairs),
        judge_alone=sum(judge and not rules for rules, judge in pairs),
    )
