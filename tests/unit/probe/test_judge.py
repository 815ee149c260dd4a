"""The judge decides; rules point, and overrule nobody."""

from collections.abc import Sequence

import pytest
from pydantic import ValidationError

from dissolution.claims import Section
from dissolution.cross_examining import CrossExamined
from dissolution.probing import ItemKind, Question, QuestionKind, Score, ScoredBy, VetoKind
from dissolution.values import NotMeasured
from probe.judge import Compared, Judged, cross_examination, judged, known_of, vetoes
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

    def lost(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[bool | None, ...]:
        return tuple(None if word is None else not word.right for word in self.judge(questions, answers))


RIGHT, WRONG = Judged(right=True, reason="the same in other words"), Judged(right=False, reason="something else")


def test_the_judge_decides_all_answers_in_one_batch() -> None:
    judge = ScriptedJudge(RIGHT, WRONG)
    scores = judged((LOOSE, FIRM), ANSWERS, judge)
    assert judge.asked == [("loose", "for lack of people"), ("firm", "on 12 June")]
    assert [(one.right, one.by) for one in scores if one is not None] == [
        (True, ScoredBy.JUDGE),
        (False, ScoredBy.JUDGE),  # though it says the reference word for word
    ]


def test_rules_never_call_an_answer_wrong_that_a_judge_calls_right() -> None:
    question = a_question("firm", reject=(r"12 June",))
    (told,) = judged((question,), ANSWERS[1:], ScriptedJudge(RIGHT))
    assert told is not None
    assert (told.right, told.asserts_rejected, told.by_rules) == (True, False, False)


def test_what_a_judge_leaves_out_is_not_left_to_rules() -> None:
    assert judged((LOOSE, FIRM), ANSWERS, ScriptedJudge(None, None)) == (None, None)


def test_the_same_words_to_the_same_question_are_judged_once() -> None:
    (told,) = judged((LOOSE,), ANSWERS[:1], ScriptedJudge(WRONG))
    assert told is not None
    judge = ScriptedJudge(RIGHT)
    scores = judged((LOOSE, FIRM), ANSWERS, judge, known_of(ANSWERS[:1], [told]))
    assert judge.asked == [("firm", "on 12 June")]
    assert [one.right for one in scores if one is not None] == [False, True]
    other = ScriptedJudge(RIGHT)
    judged((LOOSE,), (an_answer("loose", "in other words"),), other, known_of(ANSWERS[:1], [told]))
    assert other.asked == [("loose", "in other words")]


def test_what_rules_said_is_no_judges_word() -> None:
    (told,) = judged((LOOSE,), ANSWERS[:1], None)
    assert told is not None
    assert known_of(ANSWERS[:1], [told]) == {}


def test_without_a_judge_rules_score_all_of_it() -> None:
    scores = judged((LOOSE, FIRM), ANSWERS, None)
    assert [(one.right, one.by) for one in scores if one is not None] == [
        (False, ScoredBy.RULES),
        (True, ScoredBy.RULES),
    ]


BINDING = a_question("rule", kind=QuestionKind.CONSTRAINT, section=Section.IDENTITY)


MASKED = a_question("masked", text="The launch is on ____.", item=ItemKind.DATE)


def test_the_judge_reads_masked_questions_too() -> None:
    judge = ScriptedJudge(RIGHT, WRONG)
    scores = judged((MASKED, MASKED), (an_answer("masked", "mid June"), an_answer("masked", "12 June")), judge)
    assert judge.asked == [("masked", "mid June"), ("masked", "12 June")]
    told = [(one.right, one.by, one.by_rules) for one in scores if one is not None]
    assert told == [(True, ScoredBy.JUDGE, False), (False, ScoredBy.JUDGE, True)]


def compared(
    question: Question, *, right: bool, by: ScoredBy, rejected: bool = False, before: ScoredBy = ScoredBy.JUDGE
) -> Compared:
    past = Score(question=question.id, right=True, by=before, reason="said")
    now = Score(question=question.id, right=right, by=by, reason="said", asserts_rejected=rejected)
    return Compared(question, past, now, an_answer(question.id, "on 13 June"))


def test_only_what_a_judge_calls_wrong_can_veto() -> None:
    masked = BINDING.model_copy(update={"item": ItemKind.DATE})
    rows = [
        compared(BINDING, right=False, by=ScoredBy.RULES),
        compared(BINDING, right=False, by=ScoredBy.JUDGE),
        compared(BINDING, right=False, by=ScoredBy.JUDGE, before=ScoredBy.RULES),
        compared(BINDING, right=True, by=ScoredBy.JUDGE),
        compared(FIRM, right=False, by=ScoredBy.JUDGE),
        compared(masked, right=False, by=ScoredBy.JUDGE),
    ]
    assert vetoes(rows, None) == (None, VetoKind.LOST_COMMITMENT, None, None, None, None)


def test_a_pattern_makes_no_veto_of_a_plain_wrong_and_asks_no_second_judge() -> None:
    second = ScriptedJudge(WRONG)
    rows = [compared(FIRM, right=False, by=by, rejected=True) for by in ScoredBy]
    assert vetoes(rows, second) == (None, None)
    assert second.asked == []


def test_a_veto_needs_the_word_that_what_binds_is_lost() -> None:
    rows = [compared(BINDING, right=False, by=ScoredBy.JUDGE), compared(FIRM, right=False, by=ScoredBy.JUDGE)]
    for word, veto in ((WRONG, VetoKind.LOST_COMMITMENT), (RIGHT, None), (None, None)):
        second = ScriptedJudge(word)
        assert vetoes(rows, second) == (veto, None)
        assert second.asked == [("rule", "on 13 June")]  # nothing else could veto


def test_rules_are_measured_against_the_judge() -> None:
    firm = [a_question(f"firm{place}") for place in range(4)]
    texts = ("on 12 June", "12 June", "1 May", "2 May")
    answers = [an_answer(question.id, text) for question, text in zip(firm, texts, strict=True)]
    scores = [one for one in judged(firm, answers, ScriptedJudge(RIGHT, WRONG, RIGHT, WRONG)) if one is not None]
    crossed = cross_examination(scores)
    assert crossed == CrossExamined(both=4, alike=2, rules_alone=1, judge_alone=1)
    assert crossed.share == 1 / 2


def test_without_a_judge_nothing_is_cross_examined() -> None:
    scores = [one for one in judged((LOOSE, FIRM), ANSWERS, None) if one is not None]
    assert cross_examination(scores) == CrossExamined()
    assert isinstance(cross_examination(scores).share, NotMeasured)


def test_counts_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValidationError, match="are not 3"):
        CrossExamined(both=3, alike=1, rules_alone=1)
