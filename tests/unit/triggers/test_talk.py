import numpy as np
import pytest

from dissolution.conversation import QuotedKind, QuotedSpan
from tests.factories import a_turn
from tests.unit.triggers.worlds import DIMENSION, axis
from triggers.drift import Drift
from triggers.talk import (
    CELL_TOKENS,
    MOST_TOKENS,
    MOST_WEIGHT,
    QUOTED_WEIGHT,
    SHOWN_CHARS,
    Spoken,
    Talk,
    cosine,
    spoken,
)
from triggers.topics import Topics


@pytest.mark.parametrize("content", ["Yes.", "Okay, so what?", "Mm-hmm.", "...", "🙂", "it is what it is"])
def test_chatter_says_nothing(content: str) -> None:
    assert spoken(a_turn(1, content)) is None


def test_a_turn_weighs_its_content_words_up_to_a_limit() -> None:
    short = spoken(a_turn(1, "The harbour plan needs tariffs."))
    long = spoken(a_turn(1, "harbour tariff plan " * 5000))
    assert short is not None
    assert long is not None
    assert 3 <= short.weight < MOST_WEIGHT
    assert (long.weight, long.tokens, len(long.text)) == (MOST_WEIGHT, MOST_TOKENS, SHOWN_CHARS)


def test_a_pasted_log_counts_as_a_few_words_and_own_words_stand_without_it() -> None:
    log = "ERROR disk full on node seven " * 400
    words = "Look at this harbour tariff failure: "
    span = QuotedSpan(start=len(words), end=len(words) + len(log), kind=QuotedKind.TOOL_OUTPUT)
    mixed = spoken(a_turn(1, words + log, quoted=(span,)))
    assert mixed is not None
    assert mixed.text == words.strip()
    whole = QuotedSpan(start=0, end=len(log), kind=QuotedKind.TOOL_OUTPUT)
    pasted = spoken(a_turn(1, log, quoted=(whole,)))
    assert pasted is not None
    assert pasted.weight == QUOTED_WEIGHT
    assert len(pasted.text) < 300


def test_windows_are_sums_of_whole_cells_and_the_open_one() -> None:
    talk = Talk(DIMENSION, 400)
    for number in range(1, 6):
        assert talk.add(number, Spoken("t", 2.0, CELL_TOKENS), axis(number % 2))
    assert not talk.add(6, Spoken("t", 3.0, CELL_TOKENS - 1), axis(2))
    recent = talk.recent(2 * CELL_TOKENS)
    assert list(recent[:3]) == [2.0, 2.0, 3.0]
    assert (talk.tokens, talk.cells) == (6 * CELL_TOKENS - 1, 5)


def test_what_is_kept_is_bounded() -> None:
    talk = Talk(DIMENSION, 400)
    sizes: list[int] = []
    for number in range(1, 2000):
        talk.add(number, Spoken("t", 2.0, 40), axis(number % 3))
        sizes.append(len(talk.memory()))
    assert max(sizes) == sizes[-1] == sizes[100]


def test_broken_memories_are_refused() -> None:
    talk = Talk(DIMENSION, 400)
    talk.add(1, Spoken("t", 2.0, 40), axis(0))
    with pytest.raises(ValueError, match="8 dimensions"):
        Talk(DIMENSION, 400).restore(b"x")
    with pytest.raises(ValueError, match="cut short"):
        Talk(DIMENSION, 400).restore(talk.memory()[:-1])
    with pytest.raises(ValueError, match="hold no anchors"):
        Drift(200).restore(b"", DIMENSION)
    with pytest.raises(ValueError, match="hold no anchors"):
        Drift(200).restore(b"\x02abc", DIMENSION)
    with pytest.raises(ValueError, match="no search"):
        Topics(200, 100, 400, 0.3, dimension=DIMENSION).restore(b"short")


def test_cosines() -> None:
    assert cosine(axis(0), axis(0)) == 1.0
    assert cosine(axis(0), -axis(0)) == -1.0
    assert cosine(axis(0), axis(1)) == 0.0
    assert cosine(axis(0), np.zeros(DIMENSION, dtype=np.float32)) is None


def test_drift_takes_at_most_two_anchors_and_no_empty_one() -> None:
    talk, drift = Talk(DIMENSION, 400), Drift(40)
    talk.add(1, Spoken("t", 2.0, 40), axis(2))
    drift.hold((np.zeros(DIMENSION, dtype=np.float32), axis(0), axis(1), axis(2)))
    assert drift.after(talk) == pytest.approx(1.0)  # the third is not among them
    drift.hold((axis(2),))
    assert drift.after(talk) == pytest.approx(0.0)
