"""The evaluator: verdicts on whole contexts, vetoes, cached history answers, early stop, blindness."""

from collections.abc import Sequence

import pytest

from dissolution.claims import Section
from dissolution.errors import InputError
from dissolution.findings import Verdict
from dissolution.policy.gate import TokenPressure
from dissolution.probing import (
    ArmName,
    BankOrigin,
    GateState,
    ItemKind,
    Question,
    QuestionBank,
    QuestionKind,
    VetoKind,
)
from probe.evaluate import check_bank, lines_of, probe, read_arm
from probe.judge import Judged
from probe.reading import history_text
from tests.factories import a_snapshot
from tests.unit.probe.asking import EchoReader, a_question, working_talk

SNAPSHOT = a_snapshot("The launch is on 12 June.", "Noted.")


def a_bank(*questions: Question) -> QuestionBank:
    return QuestionBank(
        snapshot_digest=SNAPSHOT.digest, origin=BankOrigin.READY_MADE, writer="test", questions=questions
    )


MANY = a_bank(*(a_question(f"q{n}") for n in range(60)))


def test_a_context_that_says_it_passes_early() -> None:
    report = probe(SNAPSHOT, "The launch is on 12 June.", MANY, reader=EchoReader())
    assert report.decision.verdict is Verdict.COMMIT
    assert (report.asked, report.reading.used, len(report.items)) == (60, 27, 27)
    assert (report.history_share, report.floor_share, report.reading.observed_loss) == (1.0, 0.0, 0.0)


def test_a_context_that_lost_it_fails_early() -> None:
    report = probe(SNAPSHOT, "Nothing was said about it.", MANY, reader=EchoReader())
    assert report.decision.verdict is Verdict.KEEP_HISTORY
    assert report.reading.used < 10
    assert "facts from the first third are missing" in report.diagnosis.words[0]


def test_asking_all_changes_no_verdict() -> None:
    short = probe(SNAPSHOT, "Nothing was said about it.", MANY, reader=EchoReader())
    whole = probe(SNAPSHOT, "Nothing was said about it.", MANY, reader=EchoReader(), ask_all=True)
    assert (whole.reading, whole.decision) == (short.reading, short.decision)
    assert len(whole.items) == 60
    assert whole.diagnosis.by_kind[0].lost == 60


def test_the_history_itself_passes_without_a_language_model() -> None:
    snapshot = working_talk()
    report = probe(snapshot, history_text(snapshot))
    assert report.reading.lost == 0
    assert report.history_share == 1.0
    assert report.reader == "retrieval/2"


def test_a_short_bank_is_inconclusive_and_never_a_pass() -> None:
    report = probe(SNAPSHOT, "The launch is on 12 June.", a_bank(a_question()), reader=EchoReader())
    assert report.reading.state is GateState.OPEN
    assert report.decision.verdict is Verdict.KEEP_HISTORY
    overflowing = TokenPressure.OVERFLOWING
    pressed = probe(
        SNAPSHOT, "The launch is on 12 June.", a_bank(a_question()), reader=EchoReader(), pressure=overflowing
    )
    assert pressed.decision.verdict is Verdict.COMMIT_DEGRADED


def test_a_reader_that_cannot_read_the_history_proves_nothing() -> None:
    bank = a_bank(*(a_question(f"q{n}", reference="13 July") for n in range(60)))
    report = probe(SNAPSHOT, "It is on 13 July.", bank, reader=EchoReader())
    assert report.history_share == 0
    assert report.decision.verdict is Verdict.KEEP_HISTORY
    assert report.decision.reasons[0].startswith("inconclusive")


def test_the_history_is_asked_once_and_kept() -> None:
    kept = read_arm(ArmName.HISTORY, history_text(SNAPSHOT), MANY.questions, EchoReader())
    reader = EchoReader()
    probe(SNAPSHOT, "The launch is on 12 June.", MANY, reader=reader, history_answers=kept)
    assert history_text(SNAPSHOT) not in [text for text, _ in reader.given]
    with pytest.raises(InputError, match="lack questions"):
        probe(SNAPSHOT, "x", MANY, reader=reader, history_answers=kept[1:])


def test_each_reading_sees_one_arm_and_no_reference() -> None:
    reader = EchoReader()
    probe(SNAPSHOT, "A context of its own.", MANY, reader=reader)
    texts = {text.passages for text, _ in reader.given}
    assert texts == {history_text(SNAPSHOT).passages, ("A context of its own.",), ()}
    assert all("12 June" not in question.text for _, asked in reader.given for question in asked)


def test_a_bank_of_another_history_is_refused() -> None:
    with pytest.raises(InputError, match="other turns"):
        probe(working_talk(), "x", MANY)


def test_a_bank_that_is_not_the_sealed_one_is_refused() -> None:
    check_bank(MANY, SNAPSHOT, MANY.seal)
    changed = MANY.model_copy(update={"questions": MANY.questions[1:]})
    with pytest.raises(InputError, match="sealed"):
        check_bank(changed, SNAPSHOT, MANY.seal)


def test_a_history_that_states_nothing_cannot_be_asked_about() -> None:
    with pytest.raises(InputError, match="no question"):
        probe(a_snapshot("Hello.", "Hi."), "Hello.")


class LiteralJudge:
    """Calls right what holds the reference; leaves out what it is told to."""

    name = "literal"

    def __init__(self, *left_out: str) -> None:
        self.left_out = left_out

    def judge(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[Judged | None, ...]:
        return tuple(
            None if one.id in self.left_out else Judged(right=one.reference in answer, reason="read")
            for one, answer in zip(questions, answers, strict=True)
        )

    def lost(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[bool | None, ...]:
        return tuple(None if word is None else not word.right for word in self.judge(questions, answers))


class Lenient(LiteralJudge):
    """Calls the same wrong, and says that what binds is kept all the same."""

    def lost(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[bool | None, ...]:
        return (False,) * len(list(zip(questions, answers, strict=True)))


def test_a_lost_rule_is_vetoed_by_the_judges_word_alone() -> None:
    rule = a_question("p", kind=QuestionKind.CONSTRAINT, section=Section.IDENTITY)
    judged_by_rules = probe(SNAPSHOT, "Norvik pays.", a_bank(rule), reader=EchoReader())
    assert judged_by_rules.reading.vetoes == ()
    by_judge = probe(SNAPSHOT, "Norvik pays.", a_bank(rule), reader=EchoReader(), judge=LiteralJudge())
    assert by_judge.reading.vetoes == (("p", VetoKind.LOST_COMMITMENT),)
    second = LiteralJudge("p")
    disputed = probe(SNAPSHOT, "Norvik pays.", a_bank(rule), reader=EchoReader(), judge=LiteralJudge(), second=second)
    assert disputed.reading.vetoes == ()
    assert disputed.reading.lost == 1, "what is not vetoed is still lost"
    for judge, other in ((LiteralJudge(), Lenient()), (Lenient(), None)):
        kept = probe(SNAPSHOT, "Norvik pays.", a_bank(rule), reader=EchoReader(), judge=judge, second=other)
        assert (kept.reading.vetoes, kept.reading.lost) == ((), 1), "a detail is wrong and what binds is there"


def test_what_the_judge_leaves_out_counts_for_neither_arm() -> None:
    bank = a_bank(a_question("q1", reference="the twelfth of June"), a_question("q2"))
    report = probe(SNAPSHOT, "The launch is on 12 June.", bank, reader=EchoReader(), judge=LiteralJudge("q1"))
    assert [item.question.id for item in report.items] == ["q2"]
    assert report.history_share == 1.0


def test_a_masked_rule_never_vetoes() -> None:
    rule = a_question(
        text="Nobody ever runs ____ against the session store.",
        kind=QuestionKind.CONSTRAINT,
        section=Section.IDENTITY,
        reference="12 June",
        item=ItemKind.DATE,
    )
    for judge in (None, LiteralJudge()):
        report = probe(SNAPSHOT, "The depot is shut.", a_bank(rule), reader=EchoReader(), judge=judge)
        assert [item.outcome.masked for item in report.items] == [True]
        assert (report.reading.lost, report.reading.vetoes) == (1, ())


def test_a_text_is_read_line_by_line_as_claims_are() -> None:
    assert lines_of("- One.\n\n  Two.  \r\nThree.").passages == ("- One.", "Two.", "Three.")
    assert lines_of(" \n").passages == ()
