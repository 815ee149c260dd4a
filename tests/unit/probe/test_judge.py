"""The judge is asked about what rules cannot tell, and measured against them."""

from collections.abc import Sequence

from dissolution.probing import Question, ScoredBy
from dissolution.values import NotMeasured
from probe.judge import Judged, agreement, cross_examined, judged
from tests.unit.probe.asking import a_question, an_answer

LOOSE = a_question("loose", reference="because nobody can look after it")
FIRM = a_question("firm")
ANSWERS = (an_answer("loose", "for lack of people"), an_answer("firm", "on 12 June"))


class ScriptedJudge:
    """Says what it was told to say; keeps what it was asked."""

    name = "scripted"

    def __init__(self, *words: Judged | None) -> None:
        self.words = words
        self.asked: list[tuple[str, str]] = []

    def judge(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[Judged | None, ...]:
        self.asked += [(question.id, answer) for question, answer in zip(questions, answers, strict=True)]
        return self.words


def test_only_what_rules_cannot_tell_is_judged() -> None:
    judge = ScriptedJudge(Judged(right=True, reason="the same in other words"))
    loose, firm = judged((LOOSE, FIRM), ANSWERS, judge)
    assert judge.asked == [("loose", "for lack of people")]
    assert (loose.right, loose.by) == (True, ScoredBy.JUDGE)
    assert (firm.right, firm.by) == (True, ScoredBy.RULES)


def test_what_nobody_can_tell_is_wrong() -> None:
    for judge in (None, ScriptedJudge(None)):
        (loose,) = judged((LOOSE,), ANSWERS[:1], judge)
        assert (loose.right, loose.by) == (False, ScoredBy.RULES)


def test_agreement_is_measured_on_what_both_scored() -> None:
    judge = ScriptedJudge(Judged(right=False, reason="no"), Judged(right=False, reason=""))
    scores = cross_examined((LOOSE, FIRM), ANSWERS, judge)
    assert agreement(scores) == 0.0  # the rules cannot tell the loose one
    assert isinstance(agreement(judged((LOOSE, FIRM), ANSWERS, None)), NotMeasured)
    left_out = cross_examined((FIRM,), ANSWERS[1:], ScriptedJudge(None))
    assert left_out[0].by is ScoredBy.RULES
