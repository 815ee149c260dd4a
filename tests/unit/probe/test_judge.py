"""The judge is asked about what rules cannot tell, and measured against them."""

from collections.abc import Sequence

import pytest
from pydantic import ValidationError

from dissolution.cross_examining import CrossExamined
from dissolution.probing import Question, ScoredBy
from dissolution.values import NotMeasured
from probe.judge import CROSS_EXAMINED, Judged, cross_examination, judged, sample_left
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


def test_a_sample_of_what_rules_settle_is_judged_beside_them() -> None:
    firm = [a_question(f"firm{place}") for place in range(4)]
    answers = [
        an_answer(f"firm{place}", text) for place, text in enumerate(("on 12 June", "12 June", "1 May", "2 May"))
    ]
    judge = ScriptedJudge(
        Judged(right=True, reason="so"),
        Judged(right=False, reason="too short"),
        Judged(right=True, reason=""),
        Judged(right=True, reason="loose"),
    )
    scores = judged((*firm[:3], LOOSE, firm[3]), (*answers[:3], ANSWERS[0], answers[3]), judge, sample=3)
    assert [name for name, _ in judge.asked] == ["firm0", "firm1", "firm2", "loose"]
    assert [(one.right, one.by) for one in scores] == [
        (True, ScoredBy.RULES),
        (True, ScoredBy.RULES),
        (False, ScoredBy.RULES),
        (True, ScoredBy.JUDGE),
        (False, ScoredBy.RULES),
    ]
    assert [None if one.by_judge is None else one.by_judge.right for one in scores] == [True, False, True, None, None]
    assert scores[2].by_judge is not None
    assert scores[2].by_judge.reason == "judged"
    crossed = cross_examination(scores)
    assert crossed == CrossExamined(both=3, alike=1, rules_alone=1, judge_alone=1)
    assert crossed.share == 1 / 3
    assert sample_left(scores) == CROSS_EXAMINED - 3


def test_a_judge_that_leaves_an_answer_out_is_counted_nowhere() -> None:
    (score,) = judged((FIRM,), ANSWERS[1:], ScriptedJudge(None), sample=5)
    assert (score.right, score.by, score.by_judge) == (True, ScoredBy.RULES, None)
    assert isinstance(cross_examination([score]).share, NotMeasured)


def test_without_a_judge_nothing_is_cross_examined() -> None:
    assert cross_examination(judged((LOOSE, FIRM), ANSWERS, None, sample=9)) == CrossExamined()


def test_counts_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValidationError, match="are not 3"):
        CrossExamined(both=3, alike=1, rules_alone=1)
