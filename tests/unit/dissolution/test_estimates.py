"""How often the history was sent, in figures and in words."""

import pytest

from dissolution.estimates import histories, sent_in_words
from dissolution.values import NotMeasured


def test_cached_input_counts_a_tenth() -> None:
    assert histories(1000, 100) == 10
    assert histories(1000, 100, 500) == pytest.approx(5.5)
    assert histories(1000, 100, 2000) == pytest.approx(1)  # a provider that reports more cached than sent


def test_turns_without_a_token_have_no_figure() -> None:
    assert isinstance(histories(1000, 0), NotMeasured)


def test_it_is_said_in_one_form() -> None:
    absent = NotMeasured(not_measured="the provider did not report it")
    assert sent_in_words(12.04, 4.96) == "history sent 12.0 times, 5.0 with caches"
    assert sent_in_words(12.04, absent) == f"history sent 12.0 times; with caches {absent}"
    assert sent_in_words(absent, absent) == f"history sent: {absent}"
