"""The typed floor: what keeps two statements apart, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import Slot, vetoed, vetoes

APART = (
    (Slot.NUMBER, "The store has 512 MB.", "The store has 2048 MB."),
    (Slot.NUMBER, "Roach falls by 43 percent.", "Roach falls by 52 percent."),
    (Slot.DATE, "The paper is due on 15 March.", "The paper is due on 30 March."),
    (Slot.DATE, "The call is at 10:40.", "The call is at 11:40."),
    (Slot.IDENTIFIER, "It runs on rds-sess-01.", "It runs on rds-cache-01."),
    (Slot.NAME, "The deploys go through Ravi.", "The deploys go through Odile."),
    (Slot.DENIAL, "Redis is used for sessions.", "Redis is not used for sessions."),
    (Slot.DENIAL, "We use EKS.", "EKS is ruled out."),
    (Slot.DENIAL, "The waiver is granted.", "The waiver was refused."),
    (Slot.ORDER, "Ann pays Ben.", "Ben pays Ann."),
    (Slot.ORDER, "The backup runs before the migration.", "The migration runs before the backup."),
    (Slot.ORDER, "Production is 1240 and the sandbox is 1204.", "Production is 1204 and the sandbox is 1240."),
)


@pytest.mark.parametrize(("slot", "one", "two"), APART)
def test_opposites_are_kept_apart_in_both_directions(slot: Slot, one: str, two: str) -> None:
    a, b = profile_of(one), profile_of(two)
    assert slot in {veto.slot for veto in vetoes(a, b)}
    assert slot in {veto.slot for veto in vetoes(b, a)}
    assert slot not in {veto.slot for veto in vetoes(a, b, set(Slot) - {slot})}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The cookie lives 8 h.", "The cookie lives 28800 s."),
        ("The share is 45.2 percent.", "The share is 45 percent."),
        ("The store has 512 MB.", "The store is small."),
        ("Odile decides.", "Odile Marchand decides."),
        ("EKS is ruled out.", "EKS is not used."),
        ("We perhaps move to Lisbon.", "We move to Lisbon."),
        ("Who owns the contract?", "Whether anybody owns the contract is open."),
    ],
)
def test_other_ways_to_say_a_value_and_all_other_wording_keep_nothing_apart(one: str, two: str) -> None:
    assert vetoes(profile_of(one), profile_of(two)) == ()


def test_values_of_one_measure_are_opposed_and_of_others_are_not() -> None:
    weight, depth = profile_of("The lake gives 12 kg."), profile_of("The lake is 15 m deep.")
    assert [veto.opposed for veto in vetoes(weight, depth)] == [False]
    assert [veto.opposed for veto in vetoes(weight, profile_of("The lake gives 15 kg."))] == [True]


@given(st.sampled_from(APART), st.sampled_from(APART))
def test_the_floor_is_symmetric_and_silent_on_equal_words(
    left: tuple[Slot, str, str], right: tuple[Slot, str, str]
) -> None:
    a, b = profile_of(left[1]), profile_of(right[2])
    assert vetoed(a, b) is vetoed(b, a)
    assert not vetoed(a, a)
