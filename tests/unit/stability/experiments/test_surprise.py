"""Surprise of turns, and what is kept of them."""

from typing import Any

from dissolution.claims import Section
from dissolution.values import NotMeasured
from stability.experiments.data import HERE, Planted
from stability.experiments.surprise import bits_per_token, cited, coupling, kept
from stability.state import Item, State
from tests.factories import a_conversation

ONE = Planted(HERE / "planted" / "op-flask-sessions.json")


def test_what_is_said_again_surprises_less() -> None:
    talk = a_conversation("The metrics server listens on port 9090.", "The metrics server listens on port 9090.", "...")
    bits = bits_per_token(talk.snapshot())
    assert bits[1] > bits[2] > 0
    assert set(bits) <= {1, 2, 3}


def test_an_empty_boundary_keeps_nothing_and_the_truth_itself_keeps_claims() -> None:
    nothing = kept(ONE, State(items=()))
    assert nothing
    assert not any(one.held for one in nothing)
    raw: Any = ONE.raw["truth"]
    items = tuple(Item(section=Section(one["section"]), text=one["text"]) for one in raw["claims"])
    assert sum(one.held for one in kept(ONE, State(items=items))) > len(nothing) / 2
    assert all(one.bits > 0 for one in nothing)


def test_turns_count_the_claims_that_rest_on_them() -> None:
    counts = {one.turn: one.claims for one in cited(ONE, [frozenset({1, 2}), frozenset({2})])}
    assert (counts[1], counts[2], counts[3]) == (1, 2, 0)


def test_coupling_has_the_sign_of_the_order() -> None:
    rising = [(float(n), float(n > 3)) for n in range(8)]
    found = coupling([rising, rising])
    assert not isinstance(found.estimate, NotMeasured)
    assert found.estimate > 0.8
    assert isinstance(coupling([[(1.0, 0.0)] * 4]).estimate, NotMeasured)
