import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.policy.triggers import SurprisePolicy
from dissolution.surprise import NO_TOKENS, Surprise
from dissolution.values import NotMeasured
from triggers.redundancy import FEW, Fall, Redundancy, chance_of_ranks

POLICY = SurprisePolicy(block_tokens=10, recent_blocks=2, baseline_blocks=6, alpha=0.05, min_drop_bits=0.5)


def of(bits: float, tokens: int = 10, *, guarded: bool = False) -> Surprise:
    return Surprise(bits=bits * tokens, tokens=tokens, guarded=guarded)


def test_ranks_by_hand() -> None:
    assert chance_of_ranks([1, 2], [3, 4, 5]) == pytest.approx(1 / 10)  # U = 0: one of C(5, 2)
    assert chance_of_ranks([1, 4], [3, 5, 6]) == pytest.approx(2 / 10)  # U = 1: one more arrangement
    assert chance_of_ranks([5, 6], [1, 2, 3]) == 1.0
    assert chance_of_ranks([1, 1], [1, 1, 1]) == 1.0  # ties count against a fall


@given(st.integers(1, 4), st.integers(1, 5))
def test_the_chance_is_exact(recent: int, baseline: int) -> None:
    """Among all ways to choose the recent ones, a share of at most `chance` has a chance as small."""
    places = range(recent + baseline)
    chances = [
        chance_of_ranks([p for p in places if p in chosen], [p for p in places if p not in chosen])
        for chosen in combinations(places, recent)
    ]
    assert len(chances) == math.comb(recent + baseline, recent)
    for chance in chances:
        assert sum(one <= chance + 1e-12 for one in chances) / len(chances) == pytest.approx(chance)


def test_a_fall_by_hand() -> None:
    sensor = Redundancy(POLICY)
    falls = [sensor.after(of(bits)) for bits in (9, 9.1, 9.2, 8.9, 9, 9.1, 7, 7.2)]
    assert falls[6].bits == FEW
    assert falls[7].bits == pytest.approx((9 + 9.1 + 9.2 + 8.9 + 9 + 9.1) / 6 - (7 + 7.2) / 2)
    assert falls[7].chance == pytest.approx(1 / math.comb(8, 2))
    assert sensor.fall == falls[7]
    rising = sensor.after(of(12))
    assert isinstance(rising.bits, float)
    assert rising.chance > falls[7].chance


def test_short_turns_are_pooled_and_long_ones_count_once() -> None:
    sensor = Redundancy(POLICY)
    for _ in range(9):
        sensor.after(of(5, tokens=1))
    assert sensor.baseline is None
    for _ in range(5):
        sensor.after(of(9, tokens=100_000))
    assert sensor.baseline == pytest.approx(((9 * 5 + 9 * 200) / 209 + 9 * 4) / 5)


def test_what_is_not_measured_changes_nothing() -> None:
    sensor = Redundancy(POLICY)
    before = sensor.memory()
    assert sensor.after(Surprise(bits=NO_TOKENS, tokens=0)) == Fall((FEW, 1.0))
    assert sensor.memory() == before


def test_guarded_turns_never_look_redundant() -> None:
    plain, guarded = Redundancy(POLICY), Redundancy(POLICY)
    for sensor, guard in ((plain, False), (guarded, True)):
        for _ in range(6):
            sensor.after(of(9))
        for _ in range(2):
            sensor.after(of(2, guarded=guard))
    assert plain.fall.bits == pytest.approx(7)
    assert guarded.fall.bits == pytest.approx(0)
    assert guarded.after(of(20, guarded=True)).bits != pytest.approx(0)  # what is surprising stays so


def test_notable_turns_stand_far_above_the_baseline() -> None:
    sensor = Redundancy(POLICY)
    assert not sensor.is_notable(of(50))  # no baseline yet
    for _ in range(6):
        sensor.after(of(9))
    assert sensor.is_notable(of(10.0))
    assert not sensor.is_notable(of(9.9))
    assert not sensor.is_notable(of(30, tokens=3))  # too short to say
    assert not sensor.is_notable(Surprise(bits=NotMeasured(not_measured="no"), tokens=0))


@given(st.lists(st.floats(0, 20), max_size=40))
def test_memory_comes_back(values: list[float]) -> None:
    sensor, again = Redundancy(POLICY), Redundancy(POLICY)
    for value in values:
        sensor.after(of(value, tokens=7))
    assert again.restore(sensor.memory() + b"rest") == b"rest"
    assert again.memory() == sensor.memory()
    assert again.after(of(5)) == sensor.after(of(5))


@pytest.mark.parametrize("memory", [b"", b"short"])
def test_broken_memory_is_refused(memory: bytes) -> None:
    with pytest.raises(ValueError, match="no blocks of surprise"):
        Redundancy(POLICY).restore(memory)
