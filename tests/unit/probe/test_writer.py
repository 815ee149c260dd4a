"""Written questions: shaped, checked, sealed; what a model says is taken for nothing."""

from typing import Any

import pytest

from dissolution.probing import NOT_ESTABLISHED, BankOrigin, QuestionKind, Score, ScoredBy, Split, Third
from dissolution.written_questions import ProposedQuestion
from probe.writer import TRAIN_EACH, checked, shaped, written_bank
from tests.factories import a_snapshot

SNAPSHOT = a_snapshot(*(f"Turn {number} says something of its own." for number in range(1, 10)))


def proposed(**fields: Any) -> ProposedQuestion:  # noqa: ANN401 - any field
    given: dict[str, Any] = {
        "question": "On which day is the launch of the harbour line?",
        "kind": "recall",
        "section": "KNOWN",
        "answer": "12 June",
        "turns": [9],
    }
    return ProposedQuestion.model_validate(given | fields)


def refusal(**fields: Any) -> str:  # noqa: ANN401 - any field
    kept, refused = shaped(SNAPSHOT, [proposed(**fields)])
    assert kept == ()
    return refused[0]


def a_score(question: str, *, right: bool) -> Score:
    return Score(question=question, right=right, by=ScoredBy.RULES, reason="test")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"turns": [10]}, "does not have"),
        ({"turns": []}, "names no turn"),
        ({"kind": "not_answerable"}, "is not answerable, and is answered"),
        ({"kind": "not_answerable", "answer": NOT_ESTABLISHED, "turns": [1]}, "rests on turns"),
        ({"answer": NOT_ESTABLISHED}, "declines"),
        ({"question": "The day?"}, "too short"),
        ({"answer": "word " * 31}, "more than 30 words"),
        ({"kind": "multi_hop"}, "names one"),
        ({"question": "Is the launch on 12 June?"}, "quotes its own answer"),
        ({"question": "Which colour, saffron or basalt, has the roof?", "answer": "saffron"}, "quotes its own answer"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_reason(fields: dict[str, Any], words: str) -> None:
    assert words in refusal(**fields)


def test_a_question_is_shaped_from_its_proposal() -> None:
    (question,), refused = shaped(
        SNAPSHOT, [proposed(turns=[9, 2, 9], wrong=["13 June", "12 JUNE"], variants=["June 12"], kind="correction")]
    )
    assert refused == ()
    assert (question.id, question.third, question.evidence_turns) == ("w001", Third.LAST, (2, 9))
    assert question.variants == ("June 12",)
    assert question.reject == (r"(?<!\w)13\ June(?!\w)",)


def test_what_nobody_can_answer_is_asked_without_turns() -> None:
    (question,), _ = shaped(SNAPSHOT, [proposed(kind="not_answerable", answer="It is not established.", turns=[])])
    assert (question.kind, question.third, question.reference) == (QuestionKind.NOT_ANSWERABLE, None, NOT_ESTABLISHED)


def test_the_second_of_two_alike_is_refused() -> None:
    again = proposed(question="On which day is the harbour line launch?")
    other = proposed(question="On which day is the launch of the harbour line in winter?", answer="3 May")
    kept, refused = shaped(SNAPSHOT, [proposed(), again, other])
    assert [one.id for one in kept] == ["w001", "w003"]
    assert refused == ("w002: asks the same as w001",)


def test_a_further_bank_asks_nothing_again_and_numbers_on() -> None:
    first, _ = shaped(SNAPSHOT, [proposed(), proposed(question="Which colour has the harbour roof?", answer="red")])
    again = [
        proposed(question="What is the day of the launch of the harbour line?"),
        proposed(question="Who steers the ferry on Sundays?", answer="Petra"),
    ]
    (fresh,), refused = shaped(SNAPSHOT, again, earlier=first)
    assert fresh.id == "w004"
    assert refused == ("w003: asks the same as w001",)


def test_only_what_its_evidence_alone_answers_is_kept() -> None:
    questions, _ = shaped(
        SNAPSHOT,
        [
            proposed(question=f"What is the {thing} of the line?", answer=answer)
            for thing, answer in (
                ("colour", "saffron"),
                ("owner", "Petra"),
                ("budget", "4100 euros"),
                ("engine", "diesel"),
            )
        ]
        + [
            proposed(
                question="Who insures the ferry crossing there?", kind="not_answerable", answer="unknown", turns=[]
            )
        ],
    )
    bare = {one.id: one.id in {"w002", "w005"} for one in questions if one.id != "w004"}
    told = {"w001": a_score("w001", right=True), "w003": a_score("w003", right=False)}
    kept, refused = checked(questions, bare, told)
    assert [one.id for one in kept] == ["w001", "w005"]
    assert refused == (
        "w002: is answered from general knowledge",
        "w003: is not answered from its evidence alone",
        "w004: was not asked without a text",
    )


def test_a_bank_holds_of_every_stratum_and_is_sealed() -> None:
    questions, _ = shaped(
        SNAPSHOT,
        [
            proposed(question=f"What is the measure number {n} called {n}x?", answer=f"{n}00 metres", turns=[1 + n % 9])
            for n in range(1, 17)
        ],
    )
    bank = written_bank(SNAPSHOT, questions, writer="ann", refused=("w099: no",))
    assert (bank.origin, bank.writer, bank.rejected) == (BankOrigin.WRITTEN, "ann", ("w099: no",))
    assert len(bank.split(Split.TRAIN)) == len(questions) // TRAIN_EACH
    assert {one.third for one in bank.split(Split.HELD_OUT)} == set(Third)
    assert bank.seal == written_bank(SNAPSHOT, questions, writer="ann", refused=("w099: no",)).seal
    assert bank.seal != written_bank(SNAPSHOT, questions[1:], writer="ann", refused=()).seal
