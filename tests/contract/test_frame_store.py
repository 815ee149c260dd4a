"""Assumption registers, over every adapter: only ever added to, by one job at a time, erased with the conversation."""

import pytest

from dissolution.claims import Evidence
from dissolution.conversation import Role
from dissolution.errors import NotFound
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.premises import PremiseEvent, PremiseEventKind, PremiseStatus, Register, Scope
from tests.factories import a_conversation
from tests.unit.store.ledgers import later

TALK = a_conversation("Maybe the link is shared.\0", "Then we plan for it.", "Fine.", name="talk")


def stated(name: str, turn: int) -> PremiseEvent:
    content = TALK.turn(turn).content
    return PremiseEvent(
        kind=PremiseEventKind.STATED,
        premise=name,
        turn=turn,
        role=Role.USER,
        speaker="user",
        status=PremiseStatus.HEDGED,
        scope=Scope.STANDING,
        proposition=content,
        evidence=Evidence(turn=turn, start=0, end=len(content), text=content),
        reason="a hedge",
    )


FIRST = Register(conversation="talk", through=1, events=(stated("p1", 1),))
SECOND = Register(conversation="talk", through=3, events=(stated("p1", 1), stated("p3", 3)))
OTHER = Register(conversation="talk", through=3, events=(stated("other", 1),))


@pytest.fixture
def talk(units: UnitOfWorkFactory) -> UnitOfWorkFactory:
    """Units of work that know the conversation."""
    with units() as work:
        work.conversations.extend(TALK)
        work.conversations.extend(a_conversation("Something else.", name="other"))
        work.commit()
    return units


def extend(units: UnitOfWorkFactory, register: Register) -> bool:
    with units() as work:
        done = work.frames.extend(register)
        work.commit()
    return done


def stored(units: UnitOfWorkFactory, name: str = "talk") -> Register:
    with units() as work:
        return work.frames.register(name)


def test_a_conversation_that_nobody_read_has_an_empty_register(talk: UnitOfWorkFactory) -> None:
    assert stored(talk) == Register(conversation="talk", through=0)


def test_a_register_grows_and_comes_back_as_it_was(talk: UnitOfWorkFactory) -> None:
    assert extend(talk, FIRST)
    assert stored(talk) == FIRST
    assert extend(talk, SECOND)
    assert stored(talk) == SECOND
    assert stored(talk).digest == SECOND.digest
    assert stored(talk, "other").events == ()


def test_storing_the_same_again_changes_nothing(talk: UnitOfWorkFactory) -> None:
    assert extend(talk, SECOND)
    assert extend(talk, SECOND)
    assert stored(talk) == SECOND


def test_turns_without_premises_are_read_all_the_same(talk: UnitOfWorkFactory) -> None:
    assert extend(talk, FIRST.model_copy(update={"through": 2}))
    assert stored(talk).through == 2


@pytest.mark.parametrize("late", [FIRST, OTHER, Register(conversation="talk", through=3)])
def test_what_another_job_stored_first_is_never_overwritten(talk: UnitOfWorkFactory, late: Register) -> None:
    assert extend(talk, SECOND)
    assert not extend(talk, late)
    assert stored(talk) == SECOND


def test_what_is_not_committed_is_not_stored(talk: UnitOfWorkFactory) -> None:
    with talk() as work:
        assert work.frames.extend(FIRST)
    assert stored(talk).through == 0


def test_unknown_conversations_have_none(talk: UnitOfWorkFactory) -> None:
    with talk() as work:
        with pytest.raises(NotFound, match="no conversation 'nobody'"):
            work.frames.register("nobody")
        with pytest.raises(NotFound, match="no conversation 'nobody'"):
            work.frames.extend(Register(conversation="nobody", through=1))


def test_it_is_erased_with_its_conversation(talk: UnitOfWorkFactory) -> None:
    extend(talk, SECOND)
    extend(talk, Register(conversation="other", through=1))
    with talk() as work:
        work.ledger.erase("talk", later(1), actor="ann", reason="asked for")
        work.commit()
    with talk() as work, pytest.raises(NotFound):
        work.frames.register("talk")
    assert stored(talk, "other").through == 1
    with talk() as work:
        work.conversations.extend(TALK)
        assert work.frames.register("talk").events == ()
