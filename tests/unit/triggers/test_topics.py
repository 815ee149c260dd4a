"""Changes of topic: where they are put, when they are found, and what is kept while a topic goes on."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dissolution.policy.triggers import DriftPolicy
from tests.unit.triggers.worlds import DIMENSION, axis
from triggers.sensors import kept_tokens, topics_of
from triggers.talk import Row, Spoken, Talk
from triggers.topics import Shift, Topics

CELL = 40
BEFORE, AFTER, WITHIN = 200, 120, 800


def topics(depth: float = 0.25, within: int = WITHIN) -> Topics:
    return Topics(BEFORE, AFTER, within, depth, dimension=DIMENSION)


def read(rows: Sequence[Row], search: Topics, talk: Talk | None = None) -> list[tuple[int, Shift]]:
    """The changes and the turns with which they became certain; each row is a turn and a cell."""
    talk = talk or Talk(DIMENSION, WITHIN)
    found: list[tuple[int, Shift]] = []
    for number, row in enumerate(rows, start=1):
        assert talk.add(number, Spoken("t", 10.0, CELL), row)
        shift = search.after(talk)
        found += [(number, shift)] if shift else []
    return found


def noisy(seed: int, *stretches: tuple[int, int], noise: float = 0.5) -> list[Row]:
    """Stretches of (axis, turns), each turn with noise of its own."""
    draw = np.random.default_rng(seed)
    rows: list[Row] = []
    for place, count in stretches:
        for _ in range(count):
            row = axis(place) + draw.normal(0, noise, DIMENSION).astype(np.float32)
            rows.append((row / np.linalg.norm(row)).astype(np.float32))
    return rows


def test_a_depth_by_hand() -> None:
    search = topics(depth=9.0)
    read([axis(0)] * 15 + [axis(1)] * 10, search)
    # 600 tokens along one axis and 400 along another: 480 explained over 1000 times a scatter of 0.48.
    assert search.gap == pytest.approx(1.0)
    even = topics(depth=9.0)
    read([axis(0)] * 20, even)
    assert even.gap == pytest.approx(0.0, abs=1e-6)


def test_a_change_is_put_where_it_was_though_it_is_found_later() -> None:
    ((found, shift),) = read([axis(0)] * 20 + [axis(1)] * 20, topics())
    assert shift.turn == 21
    assert 23 < found <= 26  # three cells behind it, and one that shows that it is the best place
    later = read([axis(0)] * 20 + [axis(1)] * 15 + [axis(2)] * 15, topics())
    assert [one.turn for _, one in later] == [21, 36]


@pytest.mark.parametrize("seed", range(4))
def test_noise_alone_is_no_topic_and_a_change_in_noise_is_one(seed: int) -> None:
    assert read(noisy(seed, (0, 150)), topics()) == []
    found = read(noisy(seed, (0, 40), (1, 40)), topics())
    assert len(found) == 1
    assert abs(found[0][1].turn - 41) <= 2


def test_nothing_is_measured_before_there_is_talk_on_both_sides() -> None:
    search = topics()
    assert read([axis(0)] * 7, search) == []  # 280 tokens; 200 and 120 are wanted
    assert search.gap is None
    read([axis(0)] * 8, search := topics())
    assert search.gap is not None


def test_a_topic_is_never_shorter_than_the_policy_says() -> None:
    rows = [axis(place // 3 % 2) for place in range(90)]  # changes every 120 tokens
    turns = [shift.turn for _, shift in read(rows, topics(depth=0.01))]
    assert all(after - before >= BEFORE / CELL for before, after in zip([1, *turns], turns, strict=False))


def test_a_faint_change_after_a_long_topic_is_found_in_what_is_still_kept() -> None:
    talk, search = Talk(DIMENSION, WITHIN), topics()
    assert read(noisy(1, (0, 2000)), search, talk) == []
    size = len(talk.memory()) + len(search.memory())
    found = None
    for number, row in enumerate(noisy(2, (1, 20)), start=2001):
        talk.add(number, Spoken("t", 10.0, CELL), row)
        found = found or search.after(talk)
    assert found is not None
    assert abs(found.turn - 2001) <= 2
    assert len(talk.memory()) + len(search.memory()) == size


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**16), st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_a_search_that_begins_anew_from_what_was_stored_finds_the_same(seed: int, places: list[int]) -> None:
    rows = noisy(seed, *((place, 12) for place in places))
    talk, search = Talk(DIMENSION, WITHIN), topics()
    stored = search.memory(), talk.memory()
    for number, row in enumerate(rows, start=1):
        again, talk_again = topics(), Talk(DIMENSION, WITHIN)
        assert again.restore(stored[0]) == b""
        assert talk_again.restore(stored[1]) == b""
        said = Spoken("t", 7.3, 25)  # cells of two turns
        closed = talk.add(number, said, row)
        assert talk_again.add(number, said, row) == closed
        if closed:
            assert again.after(talk_again) == search.after(talk)
        stored = search.memory(), talk.memory()
        assert (again.memory(), talk_again.memory()) == stored


def test_a_search_that_is_switched_off_measures_and_finds_nothing() -> None:
    rows = [axis(0)] * 90 + [axis(1)] * 90
    for depth in (None, 2.0):
        policy = DriftPolicy(shift_depth=depth)
        search, talk = topics_of(policy, DIMENSION), Talk(DIMENSION, kept_tokens(policy))
        assert read(rows, search, talk) == []
        assert search.gap is not None
        assert search.gap > 2.0


def test_talk_without_direction_explains_nothing() -> None:
    search = topics()
    assert read([np.zeros(DIMENSION, dtype=np.float32)] * 20, search) == []
    assert search.gap == 0.0
