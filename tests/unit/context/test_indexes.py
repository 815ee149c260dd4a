"""Indexes of one process stay within a bound."""

import pytest

from context.indexes import IDLE_S, Indexes
from context.search import ConversationIndex
from store.sql.unit_of_work import memory_unit_of_work_factory
from tests.factories import a_conversation


def filled(index: ConversationIndex, name: str) -> None:
    units = memory_unit_of_work_factory()
    with units() as unit:
        unit.conversations.extend(a_conversation("some words", name=name))
        index.sync(unit.recall, name)


def test_those_used_last_are_kept() -> None:
    indexes = Indexes(most_bytes=1500)
    held: dict[str, ConversationIndex] = {}
    for name in ("a", "b", "a", "c"):
        with indexes.of(name) as index:
            filled(index, name)
            held[name] = index

    assert len(indexes) == 2
    with indexes.of("a") as index:
        assert index is held["a"]
    with indexes.of("b") as index:
        assert index is not held["b"]


def test_one_that_is_larger_than_the_bound_serves_all_the_same() -> None:
    indexes = Indexes(most_bytes=1)
    for _ in range(2):
        with indexes.of("a") as index:
            filled(index, "a")
    assert len(indexes) == 1


def test_one_that_nobody_asks_and_one_that_failed_are_let_go() -> None:
    now = [0.0]
    indexes = Indexes(10**9, clock=lambda: now[0])
    with indexes.of("old"):
        pass
    with pytest.raises(RuntimeError), indexes.of("failed"):
        raise RuntimeError
    assert len(indexes) == 1
    now[0] = IDLE_S + 1
    with indexes.of("new"):
        pass
    indexes.drop("new")
    indexes.drop("never there")
    assert len(indexes) == 0
