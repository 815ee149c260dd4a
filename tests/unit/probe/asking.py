"""Questions, answers and readers with defaults, so that a test names only what it is about."""

from collections.abc import Sequence
from typing import Any

from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.probing import ArmAnswer, ArmName, PairedOutcome, ProbeItem, Question, QuestionKind, Score, Third
from probe.reading import ArmText, AskedQuestion
from probe.scoring import score
from tests.factories import a_snapshot


def a_question(name: str = "q1", **fields: Any) -> Question:  # noqa: ANN401 - any field of the question
    given: dict[str, Any] = {
        "text": "On which day is the launch?",
        "kind": QuestionKind.RECALL,
        "section": Section.KNOWN,
        "third": Third.FIRST,
        "reference": "12 June",
        "evidence_turns": (1,),
    }
    if fields.get("kind") is QuestionKind.NOT_ANSWERABLE:
        given |= {"third": None, "evidence_turns": (), "reference": "not established"}
    return Question.model_validate({"id": name} | given | fields)


def an_answer(name: str = "q1", text: str = "The launch is on 12 June.", arm: ArmName = ArmName.HISTORY) -> ArmAnswer:
    return ArmAnswer(question=name, arm=arm, text=text, reader="scripted")


def an_item(question: Question, *, history: bool = True, candidate: bool = True) -> ProbeItem:
    answers = [an_answer(question.id, arm=arm) for arm in (ArmName.HISTORY, ArmName.CANDIDATE)]
    scores: list[Score] = [
        score(question, answers[0].text).model_copy(update={"right": right}) for right in (history, candidate)
    ]
    return ProbeItem(
        question=question,
        history=answers[0],
        history_score=scores[0],
        candidate=answers[1],
        candidate_score=scores[1],
        outcome=PairedOutcome(question=question.id, history_right=history, candidate_right=candidate),
    )


class EchoReader:
    """Says the whole text, so that an arm is right exactly when its text holds the answer; keeps what it was given."""

    name = "echo"

    def __init__(self) -> None:
        self.given: list[tuple[ArmText, tuple[AskedQuestion, ...]]] = []

    def read(self, text: ArmText, asked: Sequence[AskedQuestion]) -> tuple[str, ...]:
        self.given.append((text, tuple(asked)))
        return (" ".join(text.passages) or "not established",) * len(asked)


FACTS = (
    "The nightly export of the Harbour warehouse runs at 02:30 on every weekday.",
    "We decided to keep the invoices of Norvik Shipping for 90 days in the archive.",
    "Never send the customer list of Norvik Shipping to the outside printer in Lisbon.",
    "The staging cluster of the billing team has 14 machines with 64 GB each.",
    "Go-live of the new billing portal for Norvik Shipping is 14 September 2026.",
    "The rate limit of the public search service is 350 requests per minute.",
    "We ruled out MongoDB for the ledger of the billing portal last week.",
    "The approved hosting budget for the billing portal is 6,400 euros a month.",
)


def working_talk() -> Snapshot:
    """A conversation that states decisions, rules and values, one in each turn of the user."""
    turns = [text for fact in FACTS for text in (fact, "Understood, thank you very much.")]
    return a_snapshot(*turns)
