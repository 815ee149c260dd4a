import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.surprise.repeats import REMEMBERED, RepeatMemory


def second(first: str, then: str) -> bool:
    memory = RepeatMemory()
    assert not memory.read(first)
    return memory.read(then)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("We use Postgres for the ledger.", "We do not use Postgres for the ledger."),
        ("The budget for the pilot is 400 euros.", "The budget for the pilot is 700 euros."),
        ("We take Kafka for the audit stream.", "We never take Kafka for the audit stream."),
    ],
)
def test_repeats_with_a_difference_are_found(first: str, then: str) -> None:
    assert second(first, then)
    assert second(then, first)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("We use Postgres for the ledger.", "We use Postgres for the ledger."),
        ("We use Postgres for the ledger.", "The penguins do not huddle in winter storms."),
        ("The budget for the pilot is 400 euros.", "Lunch on Friday costs 12 euros."),
        ("Yes.", "No."),
        ("", "Not at all."),
    ],
)
def test_plain_repeats_and_other_subjects_are_not(first: str, then: str) -> None:
    assert not second(first, then)


def test_one_turn_may_contradict_itself() -> None:
    assert RepeatMemory().read("The harbour plan is approved. The harbour plan is not approved.")


def test_only_the_newest_sentences_are_remembered() -> None:
    memory = RepeatMemory()
    memory.read("The harbour plan is approved.")
    for number in range(REMEMBERED):
        memory.read(f"Filler{number} sentence{number} about thing{number}.")
    assert not memory.read("The harbour plan is not approved.")
    assert len(memory.memory()) < 26_000


@given(st.lists(st.text(max_size=80), max_size=10))
def test_memory_comes_back(texts: list[str]) -> None:
    memory = RepeatMemory()
    for text in texts:
        memory.read(text)
    again = RepeatMemory.of(memory.memory())
    assert again.memory() == memory.memory()
    probe = "The harbour plan is not approved for 300 euros."
    assert again.read(probe) == memory.read(probe)


def test_broken_memory_is_refused() -> None:
    memory = RepeatMemory()
    memory.read("The harbour plan is approved.")
    with pytest.raises(ValueError, match="no memory of sentences"):
        RepeatMemory.of(memory.memory()[:-1])


@pytest.mark.parametrize("text", ["x" * 300_000, "not " * 20_000, "\ud800 is not", "。" * 500])
def test_hostile_texts_end(text: str) -> None:
    assert RepeatMemory().read(text) in {True, False}
