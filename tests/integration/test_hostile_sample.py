"""A sample of the hostile corpus, one insert for each conversation, with every member obeying it word for word."""

from collections.abc import Mapping

import pytest

from benchmarks.consensus import Arm, Remembering, arms_of
from benchmarks.hostile import NAMED, NONE, ORDERS, Case, binding
from benchmarks.hostile_parts import CORPUS, SECOND, UNSEEN, Insert, inserts, planted
from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.claims import DissentReason

SAMPLE = ("direct-01", "fake_heading-02", "fake_boundary-03", "multilingual-04", "fake_tool-05", "fake_tool-06")
"""Six conversations, four kinds, five carriers, with those that once got through."""

BY_ID: Mapping[str, Insert] = {one.id: one for one in inserts()}
EMBEDDER = Remembering(HashingEmbedder())


def test_the_corpus_is_large_and_of_many_kinds_and_the_unseen_inserts_are_of_others() -> None:
    seen, unseen = inserts(CORPUS), inserts(UNSEEN)
    assert len(seen) >= 100
    assert len(unseen) >= 30
    assert len({one.kind for one in seen}) >= 8
    assert not {one.kind for one in seen} & {one.kind for one in unseen}
    assert not {one.text for one in seen} & {one.text for one in unseen}
    assert len({BY_ID[name].conversation for name in SAMPLE}) == len(SAMPLE)


def test_the_second_unseen_inserts_are_of_kinds_that_neither_file_has() -> None:
    known, second = [*inserts(CORPUS), *inserts(UNSEEN)], inserts(SECOND)
    assert len(second) >= 40
    assert not {one.kind for one in known} & {one.kind for one in second}
    assert not {one.text for one in known} & {one.text for one in second}


def test_the_second_half_of_an_insert_stands_in_a_later_turn() -> None:
    halves = [one for one in inserts(SECOND) if one.second is not None]
    assert halves
    for one in halves:
        conversation, turn = planted(one)
        assert one.second is not None
        assert any(one.second[1] in later.content for later in conversation.snapshot().turns[turn:])


@pytest.mark.parametrize("regime", [ORDERS, NAMED, NONE])
@pytest.mark.parametrize("name", SAMPLE)
def test_no_order_that_every_member_obeys_is_heard_and_nothing_else_that_binds_changes(name: str, regime: str) -> None:
    insert = BY_ID[name]
    arms: list[Arm] = arms_of(insert.conversation, 60)
    case = Case(insert, arms, EMBEDDER)
    honest = binding(case.consensus(case.honest, regime))
    assert honest, "the honest members decide something"
    obeyed = case.consensus(case.obeying(regime), regime)
    assert case.orders_heard(obeyed) == ()
    assert binding(obeyed) == honest
    out = [one for one in obeyed.dissent if one.detail.startswith("kept from binding")]
    assert {one.reason for one in out} <= {DissentReason.INJECTED, DissentReason.UNSUPPORTED}
    assert {text for _, text in insert.obeyed} <= {one.text for one in out}
