import math
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.surprise import NO_TOKENS, Surprise
from dissolution.values import NotMeasured
from language.surprise.backoff import BREAK, WINDOW_TOKENS, BackoffEstimator, BackoffReader, WindowCounts, number_of
from language.surprise.words import background_probability

TEXTS = st.lists(st.text(max_size=60), max_size=12)


def bits(reader: BackoffReader, text: str) -> float:
    found = reader.read(text).bits_per_token
    assert not isinstance(found, NotMeasured)
    return found


def test_by_hand_after_a_few_words() -> None:
    counts = WindowCounts()
    a, b = 11, 12
    for number in (BREAK, a, b, a):
        counts.add(number)
    # Three words of two kinds: p0(a) = (2 + 2 * 0.1) / 5; "b" was followed by one "a": p = (1 + p0) / 2.
    assert counts.probability(b, a, 0.1) == pytest.approx((1 + (2 + 0.2) / 5) / 2)
    assert counts.probability(99, a, 0.1) == pytest.approx((2 + 0.2) / 5)  # nothing ever followed it
    assert WindowCounts().probability(b, a, 0.1) == 0.1


@given(st.lists(st.integers(min_value=1, max_value=6), max_size=60))
def test_probabilities_of_all_next_words_sum_to_one(numbers: list[int]) -> None:
    counts = WindowCounts()
    for number in numbers:
        counts.add(number)
    base = dict.fromkeys(range(1, 7), 1 / 6)
    for before in (BREAK, 1, 6):
        total = sum(counts.probability(before, number, share) for number, share in base.items())
        assert total == pytest.approx(1.0)


def test_a_repeat_is_less_surprising_than_the_first_time_and_a_new_word_more_than_either() -> None:
    reader = BackoffEstimator().resume(b"")
    first = bits(reader, "The ledger lives in Hamburg.")
    again = bits(reader, "The ledger lives in Hamburg.")
    new = bits(reader, "Zephyr quartz bjornson vexillology.")
    assert again < first / 2
    assert new > first


def test_what_leaves_the_window_is_as_if_it_had_never_been_said() -> None:
    old, fresh = WindowCounts(), WindowCounts()
    numbers = [number_of(f"w{n % 700}") if n % 9 else BREAK for n in range(2 * WINDOW_TOKENS)]
    for number in numbers:
        old.add(number)
    for number in numbers[-WINDOW_TOKENS:]:
        fresh.add(number)
    for word in (5, 77, 300):
        number = number_of(f"w{word}")
        assert old.probability(number_of(f"w{word - 1}"), number, 1e-6) == pytest.approx(
            fresh.probability(number_of(f"w{word - 1}"), number, 1e-6)
        )


@given(TEXTS, TEXTS)
def test_going_on_from_memory_is_going_on(before: list[str], after: list[str]) -> None:
    estimator = BackoffEstimator()
    one = estimator.resume(b"")
    for text in before:
        one.read(text)
    memory = one.memory()
    two = estimator.resume(memory)
    assert two.memory() == memory
    assert [one.read(text) for text in after] == [two.read(text) for text in after]
    assert one.memory() == two.memory()


def test_memory_does_not_grow_with_the_conversation() -> None:
    reader = BackoffEstimator().resume(b"")
    sizes: list[int] = []
    for number in range(600):
        reader.read(f"Round {number} compares tariff {number * 7} with the harbour plan number {number}. " * 2)
        sizes.append(len(reader.memory()))
    assert max(sizes) < 45_000
    assert max(sizes[300:]) - min(sizes[300:]) < 2_000


@pytest.mark.parametrize("memory", [b"x", b"bow2aaaa", b"bow1\xff\xff\xff\xff", b"bow1\x05\x00\x00\x00ab"])
def test_memory_of_something_else_is_refused(memory: bytes) -> None:
    with pytest.raises(ValueError, match=r"'backoff-words-1'"):
        BackoffEstimator().resume(memory)


@pytest.mark.parametrize("text", ["", "   ", "...!?", "\ud800\udfff", "🙂🙂"])
def test_a_text_without_words_has_no_surprise(text: str) -> None:
    found = BackoffEstimator().resume(b"").read(text)
    assert found == Surprise(bits=NO_TOKENS, tokens=0)
    assert found.bits_per_token == NO_TOKENS


@pytest.mark.parametrize("text", ["a" * 100_000, "这是一个关于预算的会议。", "na\0me", "ärger straße", "5 " * 5000])
def test_odd_texts_have_finite_bits(text: str) -> None:
    found = BackoffEstimator().resume(b"").read(text)
    assert isinstance(found.bits, float)
    assert math.isfinite(found.bits)
    assert 0 < found.tokens <= 2000


def test_negated_repeats_are_guarded_though_their_bits_are_low() -> None:
    reader = BackoffEstimator().resume(b"")
    plain = [reader.read("We use Postgres for the shared ledger.") for _ in range(3)]
    negated = reader.read("We do not use Postgres for the shared ledger.")
    assert not any(one.guarded for one in plain)
    assert negated.guarded
    new = reader.read("Penguins huddle against polar wind in winter.")
    assert not isinstance(negated.bits_per_token, NotMeasured)
    assert not isinstance(new.bits_per_token, NotMeasured)
    assert negated.bits_per_token < new.bits_per_token
    assert not new.guarded


def test_no_word_of_the_conversation_is_remembered() -> None:
    reader = BackoffEstimator().resume(b"")
    reader.read("Zanzibar cinnamon. We do not sell Zanzibar cinnamon.")
    assert b"anzibar" not in reader.memory()


def test_words_have_numbers_that_are_no_break() -> None:
    words = [f"word{number}" for number in islice(range(10_000), 4000)]
    numbers = {number_of(word) for word in words}
    assert len(numbers) > 3990
    assert BREAK not in numbers
    assert background_probability("the") > background_probability("ledger") > background_probability("zqxj")
