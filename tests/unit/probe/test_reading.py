"""The retrieval reader: one short sentence of one text."""

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.probing import ANSWER_WORDS, NOT_ESTABLISHED
from probe.reading import NO_TEXT, ArmText, AskedQuestion, RetrievalReader, asked, history_text, sentences_of
from tests.unit.probe.asking import a_question, working_talk


def answer(text: ArmText, question: str, reader: RetrievalReader | None = None) -> str:
    (said,) = (reader or RetrievalReader()).read(text, [AskedQuestion(id="q", text=question)])
    return said


def test_it_says_the_sentence_about_the_question() -> None:
    said = answer(history_text(working_talk()), "When does the nightly export of the Harbour warehouse run?")
    assert said == "The nightly export of the Harbour warehouse runs at 02:30 on every weekday."


def test_what_was_said_last_wins() -> None:
    text = ArmText(passages=("The export window is 30 minutes.", "The export window is 45 minutes."))
    assert "45" in answer(text, "How long is the export window?")


@pytest.mark.parametrize("question", ["Who is the king of the moon?", "", "____"])
def test_it_declines_what_it_does_not_find(question: str) -> None:
    assert answer(history_text(working_talk()), question) == NOT_ESTABLISHED


def test_without_text_it_declines_everything() -> None:
    assert RetrievalReader().read(NO_TEXT, asked([a_question("a"), a_question("b")])) == (NOT_ESTABLISHED,) * 2
    assert RetrievalReader().read(history_text(working_talk()), []) == ()


def test_no_answer_copies_more_than_it_may() -> None:
    long = "The export of invoices " + "and more invoices of the export " * 40
    assert all(len(one.split()) <= ANSWER_WORDS for one in sentences_of(ArmText(passages=(long,))))
    assert len(answer(ArmText(passages=(long,)), "Which export of invoices?").split()) <= ANSWER_WORDS


def test_every_word_of_a_long_sentence_can_be_found() -> None:
    long = " ".join(f"word{n}" for n in range(100))
    found = " ".join(sentences_of(ArmText(passages=(long,)))).split()
    assert set(found) == set(long.split())


def test_an_embedder_counts_beside_the_words() -> None:
    reader = RetrievalReader(HashingEmbedder())
    assert reader.name.startswith("retrieval/2+")
    assert "02:30" in answer(history_text(working_talk()), "When does the nightly export run?", reader)


def test_a_question_is_asked_without_its_answer() -> None:
    (seen,) = asked([a_question(reject=("13 June",))])
    assert set(seen.model_dump()) == {"id", "text"}
    assert "12 June" not in seen.model_dump_json()


def test_sentences_that_are_short_together_answer_together() -> None:
    text = ArmText(passages=("The canary is on web-a3. It starts at 07:30 on Wednesday.",))
    (said,) = RetrievalReader().read(text, (AskedQuestion(id="q", text="When does the canary on web-a3 start?"),))
    assert said == "The canary is on web-a3. It starts at 07:30 on Wednesday."


def test_a_question_is_no_answer() -> None:
    text = ArmText(
        passages=("Which region keeps the backup replica?", "The backup replica stays in the region Lisbon.")
    )
    (said,) = RetrievalReader().read(text, (AskedQuestion(id="q", text="Which region keeps the backup replica?"),))
    assert said == "The backup replica stays in the region Lisbon."


def test_what_holds_the_asked_value_goes_before_what_repeats_the_question() -> None:
    text = ArmText(passages=("The canary errors of release nine are watched.", "Canary errors: 12 of release nine."))
    (said,) = RetrievalReader().read(text, (AskedQuestion(id="q", text="How many canary errors of release nine?"),))
    assert said == "Canary errors: 12 of release nine."
