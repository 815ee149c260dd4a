"""Who says whether an answer is right: the judge. Rules are measured beside it and overrule nobody.

Without a judge nobody reads the answers: rules compare strings and values, and what comes of it is reported. What a
judge leaves out is not left to rules either: they see more easily that an answer is right than that it is wrong, and
would favour whoever is judged.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from dissolution.cross_examining import CrossExamined
from dissolution.probing import ArmAnswer, Question, Score, ScoredBy, VetoKind
from probe.scoring import by_rules, gives_rejected, score


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

    def lost(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[bool | None, ...]:
        """Whether answers that were called wrong lose a rule or commitment that still binds; None as in `judge`."""
        ...


Words = tuple[str, str]
"""A question by its id, and the words of an answer to it."""

NOTHING_KNOWN: Mapping[Words, Score] = MappingProxyType({})


def known_of(answers: Iterable[ArmAnswer], scores: Iterable[Score]) -> Mapping[Words, Score]:
    """What a judge has said of these answers, by their words: of the same words it is not asked again."""
    found = zip(answers, scores, strict=True)
    return {(answer.question, answer.text): told for answer, told in found if told.by is ScoredBy.JUDGE}


def judged(
    questions: Sequence[Question],
    answers: Sequence[ArmAnswer],
    judge: Judge | None,
    known: Mapping[Words, Score] = NOTHING_KNOWN,
) -> tuple[Score | None, ...]:
    """One score for each answer; None where a judge was asked and left it out.

    The judge is asked about all in one batch, masked questions too, without knowing the arm, and its word holds: of
    the same words to the same question it is asked once.

    Args:
        questions: One for each answer, in an order that nobody chose.
        answers: What is scored.
        judge: Who is asked. Nobody when None: then rules score all answers, and no verdict may rest on that alone.
        known: What the same judge has said before of the same questions.
    """
    pairs = list(zip(questions, answers, strict=True))
    if judge is None:
        return tuple(score(question, answer.text) for question, answer in pairs)
    asked = [pair for pair in pairs if (pair[0].id, pair[1].text) not in known]
    said = iter(judge.judge([one for one, _ in asked], [answer.text for _, answer in asked]) if asked else ())
    return tuple(
        known.get((question.id, answer.text)) or _score(question, answer, next(said)) for question, answer in pairs
    )


def _score(question: Question, answer: ArmAnswer, word: Judged | None) -> Score | None:
    """The judge's word, with what the rules would have said beside it."""
    if word is None:
        return None
    told = by_rules(question, answer.text)
    return Score(
        question=question.id,
        right=word.right,
        by=ScoredBy.JUDGE,
        reason=word.reason or "judged",
        asserts_rejected=not word.right and gives_rejected(question, answer.text),
        by_rules=None if told is None else told.right,
    )


class Compared(NamedTuple):
    """One question with the scores of both arms and the candidate's answer."""

    question: Question
    history: Score
    candidate: Score
    answer: ArmAnswer  # the candidate's


def possible_veto(one: Compared) -> VetoKind | None:
    """What no average may outweigh, if the judge is right about this answer; None where nothing of the kind is lost.

    Only a judge's word on both arms about a question that binds can come to a veto. No pattern makes one of a plain
    "wrong", and no masked question vetoes: a true boundary need not hold the very words.
    """
    wrong = one.candidate.by is ScoredBy.JUDGE and not one.candidate.right
    heard = one.history.by is ScoredBy.JUDGE and one.history.right
    binds = one.question.binds and one.question.item is None
    return VetoKind.LOST_COMMITMENT if wrong and heard and binds else None


def vetoes(compared: Sequence[Compared], judge: Judge | None) -> tuple[VetoKind | None, ...]:
    """The veto of each question, in their order; None where there is none.

    A wrong answer need not lose the rule it is about: a reason or a name may be missing beside it. So whoever is given
    here is asked, in one batch, whether what binds is lost, and a veto needs its word too.

    Args:
        compared: What the judge scored.
        judge: A judge of another family than that one where there is one at hand, else the same; nobody when None.
    """
    found = [possible_veto(one) for one in compared]
    doubtful = [place for place, veto in enumerate(found) if veto is not None]
    if judge is not None and doubtful:
        said = judge.lost(
            [compared[place].question for place in doubtful], [compared[place].answer.text for place in doubtful]
        )
        for place, is_lost in zip(doubtful, said, strict=True):
            if not is_lost:
                found[place] = None
    return tuple(found)


def cross_examination(scores: Iterable[Score]) -> CrossExamined:
    """How many answers rules and judge both scored, and in how many they say the same."""
    pairs = [rules_and_judge for one in scores if (rules_and_judge := _both(one)) is not None]
    return CrossExamined(
        both=len(pairs),
        alike=sum(rules == judge for rules, judge in pairs),
        rules_alone=sum(rules and not judge for rules, judge in pairs),
        judge_alone=sum(judge and not rules for rules, judge in pairs),
    )


def _both(one: Score) -> tuple[bool, bool] | None:
    """What rules and judge say; None unless both do. In scores of earlier versions the rules' word held."""
    if one.by_judge is not None:
        return one.right, one.by_judge.right
    return None if one.by_rules is None else (one.by_rules, one.right)
