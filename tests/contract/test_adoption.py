"""A person takes up an open question that no cycle said: an act of the ledger, over every adapter."""

import pytest
from pydantic import ValidationError

from dissolution.claims import Claim, ClaimState, Section
from dissolution.errors import InputError, NotFound, VersionConflict
from dissolution.ledger import Act, LedgerEventKind
from dissolution.ports.store import UnitOfWorkFactory
from tests.unit.store.cycles import BUDGET, OPENS, a_cycle, act, an_act, commit, ended, names
from tests.unit.store.ledgers import TALK, a_claim, later

QUESTION = a_claim("c9-frame", "Is a shop the right answer at all?", TALK, Section.EDGES, turn=2)


def adoption(claim: Claim = QUESTION) -> Act:
    return Act(kind=LedgerEventKind.ADOPTED, claim=claim.id, actor="ann", reason="worth asking", adopted=claim)


def test_an_adopted_question_stands_from_its_version_on(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS,)), 0, 1)
    act(units, adoption(), 1, 5)
    with units() as work:
        now = work.boundaries.current("talk")
        event = work.ledger.events("talk")[-1]
        before = work.ledger.at_version("talk", 1)
    assert now is not None
    assert names(now.claims) == ["c1-opens", "c9-frame"]
    assert now.claims[-1].text == QUESTION.text
    assert now.claims[-1].state is ClaimState.CURRENT
    assert names(before.claims) == names(first.claims) == ["c1-opens"]
    assert (event.kind, event.claim, event.actor, event.version) == (LedgerEventKind.ADOPTED, "c9-frame", "ann", 2)


def test_it_is_carried_and_closed_like_any_other(units: UnitOfWorkFactory) -> None:
    commit(units, a_cycle("j1", None, (OPENS,)), 0, 1)
    act(units, adoption(), 1, 5)
    with units() as work:
        prior = work.boundaries.current("talk")
    assert prior is not None
    carried = commit(units, a_cycle("j2", prior, (OPENS,)), 2, 9)
    assert [one.carried for one in carried.claims if one.id == QUESTION.id] == [1]
    act(units, an_act(LedgerEventKind.RETRACTED, QUESTION.id), 3, 10)
    with units() as work:
        after = work.boundaries.current("talk")
    assert after is not None
    assert names(after.claims) == ["c1-opens"]


@pytest.mark.parametrize("claim", [OPENS, BUDGET])
def test_an_id_that_is_or_was_there_is_not_adopted(units: UnitOfWorkFactory, claim: Claim) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET)), 0, 1)
    commit(units, a_cycle("j2", first, (OPENS,), (ended(BUDGET, 4),)), 1, 2)
    again = QUESTION.model_copy(update={"id": claim.id})
    with pytest.raises(InputError, match="already"):
        act(units, adoption(again), 2, 5)


def test_a_ledger_without_a_version_and_a_stale_one_take_nothing(units: UnitOfWorkFactory) -> None:
    with units() as work:
        work.conversations.extend(TALK)
        work.commit()
    with pytest.raises(NotFound):
        act(units, adoption(), 0, 5)
    commit(units, a_cycle("j1", None, (OPENS,)), 0, 1)
    with pytest.raises(VersionConflict):
        act(units, adoption(), 7, 5)
    with units() as work:
        assert work.boundaries.version("talk") == 1


def test_a_roll_back_takes_it_away_again(units: UnitOfWorkFactory) -> None:
    commit(units, a_cycle("j1", None, (OPENS,)), 0, 1)
    act(units, adoption(), 1, 5)
    with units() as work:
        work.ledger.roll_back("talk", 1, 2, later(6), actor="ann", reason="not now")
        work.commit()
    with units() as work:
        now = work.boundaries.current("talk")
    assert now is not None
    assert names(now.claims) == ["c1-opens"]


@pytest.mark.parametrize(
    ("kind", "claim", "adopted"),
    [
        (LedgerEventKind.ADOPTED, QUESTION.id, None),
        (LedgerEventKind.PINNED, QUESTION.id, QUESTION),
        (LedgerEventKind.ADOPTED, "another id", QUESTION),
        (LedgerEventKind.ADOPTED, BUDGET.id, BUDGET),
    ],
)
def test_only_an_open_question_is_adopted_under_its_own_id(
    kind: LedgerEventKind, claim: str, adopted: Claim | None
) -> None:
    with pytest.raises(ValidationError, match=r"give an open question|exactly an adoption"):
        Act(kind=kind, claim=claim, actor="ann", reason="because", adopted=adopted)
