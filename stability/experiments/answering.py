"""What can be answered from each way of keeping a conversation: what experiment 1 measures."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dissolution.claims import FIRM_SECTIONS
from dissolution.probing import ArmName, Question
from dissolution.values import NotMeasured
from probe.evaluate import lines_of, read_arm
from probe.judge import judged
from probe.reading import NO_TEXT, ArmText, RetrievalReader, claims_text, history_text
from stability.arms import truncated
from stability.experiments import surprise
from stability.experiments.data import Planted
from stability.experiments.workspace import Choice, Dissolved, dissolved, summaries
from stability.state import state_of
from workers.services import Services

BOUNDARY, HISTORY, ANSWER = "boundary", "history", "one answer"
SUMMARY, TRUNCATION, NOTHING_GIVEN = "summary", "last turns", "no context"
ARMS = (BOUNDARY, HISTORY, ANSWER, SUMMARY, TRUNCATION, NOTHING_GIVEN)

Right = dict[str, float]
"""Of each question: whether it was answered rightly (0 or 1), or the share of several texts that did."""


@dataclass
class Answered:
    """What was answered about one conversation, by arm."""

    one: Planted
    right: dict[str, Right] = field(default_factory=dict[str, Right])
    declined: dict[str, Right] = field(default_factory=dict[str, Right])  # of questions without an answer
    words: dict[str, float] = field(default_factory=dict[str, float])
    missing: dict[str, str] = field(default_factory=dict[str, str])
    kept: list[surprise.Kept] = field(default_factory=list[surprise.Kept])
    cited: list[surprise.Cited] = field(default_factory=list[surprise.Cited])


def answered(services: Services, choice: Choice, one: Planted) -> Answered:
    """Dissolve a conversation by the whole path, and put its questions to every way of keeping it.

    Raises what a job's steps raise; a boundary or summary that is not there is told with the reason.
    """
    found = Answered(one)
    texts: dict[str, Sequence[ArmText]] = {HISTORY: [history_text(one.snapshot)], NOTHING_GIVEN: [NO_TEXT]}
    made = dissolved(services, choice, one)
    if isinstance(made, NotMeasured):
        found.missing |= dict.fromkeys((BOUNDARY, ANSWER, TRUNCATION), made.not_measured)
    else:
        texts |= _of_boundary(services, one, made)
        state = state_of(made.boundary)
        found.kept = surprise.kept(one, state)
        firm = [claim for claim in made.boundary.claims if claim.section in FIRM_SECTIONS]
        found.cited = surprise.cited(one, [frozenset(e.turn for e in claim.evidence) for claim in firm])
    prose = summaries(services, choice, one)
    if isinstance(prose, NotMeasured):
        found.missing[SUMMARY] = prose.not_measured
    else:
        texts[SUMMARY] = [lines_of(text) for text in prose.values()]
    for arm, given in texts.items():
        found.words[arm] = sum(len(line.split()) for text in given for line in text.passages) / len(given)
        found.right[arm], found.declined[arm] = shares(given, one.questions)
    return found


def _of_boundary(services: Services, one: Planted, made: Dissolved) -> dict[str, Sequence[ArmText]]:
    boundary = claims_text(made.boundary.claims, made.boundary.excerpts)
    tokens = services.counter.count("\n".join(boundary.passages))
    return {
        BOUNDARY: [boundary],
        ANSWER: [lines_of(text) for text in made.answers.values()],
        TRUNCATION: [lines_of(truncated(one.snapshot, tokens, services.counter))],
    }


def shares(texts: Sequence[ArmText], questions: Sequence[Question]) -> tuple[Right, Right]:
    """Of each answerable and each unanswerable question, the share of the texts from which it was answered rightly."""
    reader = RetrievalReader()
    sums = dict.fromkeys((question.id for question in questions), 0.0)
    for text in texts:
        for told in judged(questions, read_arm(ArmName.CANDIDATE, text, questions, reader), None):
            if told is not None:
                sums[told.question] += told.right / len(texts)
    answerable = {question.id for question in questions if question.third is not None}
    return (
        {name: share for name, share in sums.items() if name in answerable},
        {name: share for name, share in sums.items() if name not in answerable},
    )
