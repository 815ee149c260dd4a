"""Whose turn it is among steps that wait: by tenant and by expected work."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from dissolution.outbox import Waiting, fair_order
from tests.factories import INSTANT


def waiting(tenant: str, work: int, number: int) -> Waiting:
    return Waiting(tenant, work, INSTANT + timedelta(seconds=number), number)


def test_a_lone_step_passes_a_queue_of_giants_but_for_the_first() -> None:
    giants = [waiting("a", 20_000, number) for number in range(5)]
    lone = waiting("b", 3, 9)
    assert fair_order([*giants, lone], {}) == [giants[0], lone, *giants[1:]]


def test_what_a_tenant_has_in_hand_puts_its_others_behind() -> None:
    mine, other = waiting("a", 1, 0), waiting("b", 20_000, 1)
    assert fair_order([mine, other], {"a": 20_000}) == [other, mine]


def test_many_small_ones_take_turns_with_few_large_ones_by_work() -> None:
    large = [waiting("a", 10, number) for number in range(2)]
    small = [waiting("b", 4, number) for number in range(2, 6)]
    assert fair_order([*large, *small], {}) == [large[0], small[0], small[1], small[2], large[1], small[3]]


rings = st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 50), st.integers(0, 9)), max_size=20)


@given(rings=rings, in_hand=st.dictionaries(st.sampled_from("abc"), st.integers(0, 99)))
def test_nothing_is_lost_one_tenant_s_order_is_kept_and_no_tenant_waits_for_another_s_queue(
    rings: list[tuple[str, int, int]], in_hand: dict[str, int]
) -> None:
    given_ = [Waiting(who, work, INSTANT + timedelta(seconds=s), n) for n, (who, work, s) in enumerate(rings)]
    order = fair_order(given_, in_hand)
    assert sorted(order) == sorted(given_)
    for tenant in "abc":
        own = [one for one in order if one.tenant == tenant]
        assert own == sorted(own, key=lambda one: (one.due_at, one.number))
        if own and not in_hand.get(tenant):
            ahead = order[: order.index(own[0])]
            assert len({one.tenant for one in ahead}) == len(ahead), "at most the first of each other tenant"
