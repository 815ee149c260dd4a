"""Measures between two states, worked out by hand, and the same for every arm."""

import pytest

from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.reconcile.comparison import Space, space_of
from dissolution.claims import Section
from dissolution.stability import FIRST, SectionFlow
from dissolution.values import NotMeasured
from stability.measures import (
    commitment_survival,
    compression,
    drift,
    flows,
    jaccard,
    overall_survival,
    says_again,
    status_flips,
    survival,
    tfidf_cosine,
)
from stability.state import Item, State, state_of_text

PORT = Item(section=Section.KNOWN, text="The metrics server listens on port 9090.", id="c1")
RULE = Item(section=Section.DECIDED, text="Nobody deploys on a Friday.", id="c2")
ROLE = Item(section=Section.IDENTITY, text="The assistant answers in German.", id="c3")


def a_state(*items: Item, ended: str = "") -> State:
    return State(items=items, ended=frozenset(ended.split()))


def space(*states: State) -> Space:
    return space_of([item.text for state in states for item in state.items], HashingEmbedder(), None)


def of(found: tuple[SectionFlow, ...], section: Section) -> SectionFlow:
    return next(flow for flow in found if flow.section is section)


def test_what_is_held_again_survives_whatever_its_id() -> None:
    before, now = a_state(PORT, RULE), a_state(PORT.model_copy(update={"id": None}), RULE)
    found = flows(before, now, space(before, now))
    assert of(found, Section.KNOWN).survived == 1
    assert of(found, Section.DECIDED).survived == 1
    assert overall_survival(found) == 1.0


def test_what_was_closed_is_not_lost_and_what_is_gone_is() -> None:
    before, now = a_state(PORT, RULE, ROLE), a_state(ROLE, ended="c2")
    found = flows(before, now, space(before, now))
    assert (of(found, Section.DECIDED).ended, of(found, Section.DECIDED).lost) == (1, 0)
    assert (of(found, Section.KNOWN).ended, of(found, Section.KNOWN).lost) == (0, 1)
    assert overall_survival(found) == 0.5  # one of the two that could be lost
    assert isinstance(survival(of(found, Section.DECIDED)), NotMeasured)


def test_another_figure_is_another_claim() -> None:
    other = PORT.model_copy(update={"text": "The metrics server listens on port 9091.", "id": None})
    both = space(a_state(PORT), a_state(other))
    assert says_again(PORT, [other], both) is None
    assert says_again(PORT, [PORT], both) == PORT


def test_a_commitment_moved_to_known_is_lost_as_one() -> None:
    before, now = a_state(RULE, ROLE), a_state(RULE.model_copy(update={"section": Section.KNOWN}), ROLE)
    both = space(before, now)
    assert commitment_survival(before, now, both) == 0.5
    assert status_flips(before, now, both) == 1


def test_a_commitment_closed_with_a_reason_survives() -> None:
    before, now = a_state(RULE, ROLE), a_state(ROLE, ended="c2")
    assert commitment_survival(before, now, space(before, now)) == 1.0


def test_what_was_closed_and_stands_again_flips() -> None:
    before, now = a_state(ROLE, ended="c2"), a_state(ROLE, RULE, ended="c2")
    assert status_flips(before, now, space(before, now)) == 1


def test_a_text_has_no_commitments_to_survive() -> None:
    before, now = a_state(RULE), state_of_text("Nobody deploys on a Friday. The port is 9090.")
    assert len(now.items) == 2
    assert isinstance(commitment_survival(before, now, space(before, now)), NotMeasured)
    assert isinstance(overall_survival(FIRST), NotMeasured)


def test_word_measures_by_hand() -> None:
    assert jaccard("the red house", "the blue house") == 0.5
    assert isinstance(jaccard("", "word"), NotMeasured)
    assert tfidf_cosine("red house", "red house") == pytest.approx(1.0)
    assert tfidf_cosine("red house", "blue tree") == pytest.approx(0.0)
    assert isinstance(tfidf_cosine("...", "word"), NotMeasured)


def test_drift_is_nothing_to_itself_and_something_to_another() -> None:
    one, other = a_state(PORT), a_state(ROLE)
    both = space(one, other)
    assert drift(one, one, both) == pytest.approx(0.0, abs=1e-6)
    away = drift(one, other, both)
    assert not isinstance(away, NotMeasured)
    assert away > 0.1
    assert isinstance(drift(one, a_state(), both), NotMeasured)


def test_compression_is_history_over_state() -> None:
    assert compression(1000, 250) == 4.0
    assert isinstance(compression(1000, 0), NotMeasured)
