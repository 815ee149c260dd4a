import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.evidence import Ground
from consensus.lookup import Lookup, roots
from consensus.profile import Profile
from dissolution.conversation import Snapshot
from tests.factories import a_turn

WORDS = ("a", "lake", "is", "deep", "when", "boats", "sink", "nothing", "stands", "12")
TALK = ("The lake is 12 m deep.", "Nothing here.", "At p < 0.01 the lake deepened.", "12 boats, two lakes.")


def looked_up(*texts: str) -> Lookup:
    talk = tuple(a_turn(number, text) for number, text in enumerate(texts, 1))
    return Ground(Snapshot(conversation="c", turns=talk)).lookup


def test_roots_leave_figures_out_and_forms_of_a_word_share_one() -> None:
    assert roots(Profile("Deletion of 12 lakes")) == roots(Profile("It deletes a lake."))
    assert roots(Profile("12, 14 and 2.5")) == frozenset()


def test_several_wordings_are_looked_for_together() -> None:
    lookup = looked_up(*TALK)
    deep, here = re.compile("deep"), re.compile("here")
    assert lookup.worded(deep) == {0, 2}
    assert lookup.worded(deep, here) == {0, 1, 2}
    assert lookup.worded(deep) == {0, 2}  # the second time from memory
    assert lookup.worded() == frozenset()


@pytest.mark.parametrize(
    ("claim", "rows"), [("It is 12 m.", {0, 3}), ("It is 13 m.", set[int]()), ("No figure.", set[int]())]
)
def test_stretches_with_a_figure(claim: str, rows: set[int]) -> None:
    assert looked_up(*TALK).with_figure(Profile(claim).marks) == rows


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("Boats and lakes are many.", {3}),  # two roots shared
        ("Twelve cost 12.", {0, 2, 3}),  # a figure of it, or wording of a move
        ("It holds at p < 0.05.", {2}),  # bounds a symbol
        ("Nothing of the kind.", set[int]()),
    ],
)
def test_stretches_that_touch_a_claim(claim: str, rows: set[int]) -> None:
    assert looked_up(*TALK).touching(Profile(claim), re.compile("deepened"), 0.6) == rows


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_sharing_finds_what_comparing_with_each_finds(words: list[str]) -> None:
    claim, profiles = Profile(" ".join(words)), [Profile(text) for text in TALK]
    lookup = Lookup(profiles, {})
    for least in (1, 1.2, 2, 5):
        expected = {row for row, said in enumerate(profiles) if len(roots(claim) & roots(said)) >= least}
        assert lookup.sharing(roots(claim), least) == expected
