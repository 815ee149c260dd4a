"""RecallStore: what recall reads, and the vectors of texts; one suite over every adapter."""

import pytest

from dissolution.claims import ClaimState
from dissolution.errors import NotFound
from dissolution.findings import EmbeddingStamp
from dissolution.ledger import LedgerEventKind, Query
from dissolution.ports.recall import StoredVector, TextKey
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.recall_kinds import RecallKind
from tests.factories import a_conversation
from tests.unit.store.cycles import AGAINST, BUDGET, OPENS, a_cycle, act, an_act, commit, ended
from tests.unit.store.ledgers import TALK, a_claim, later

TEN = a_claim("c3-opens", "The shop opens at 10.", TALK, turn=3)
STAMP = EmbeddingStamp(model="one", digest="a" * 64, dimension=2)
OTHER = EmbeddingStamp(model="other", digest="b" * 64, dimension=2)
NINE, SHOP, DISSENT = (
    TextKey(RecallKind.CLAIM, "c1-opens"),
    TextKey(RecallKind.CLAIM, "c3-opens"),
    TextKey(RecallKind.DISSENT, "d1-edge"),
)
TURN = TextKey(RecallKind.TURN, "2")


@pytest.fixture
def ledger(units: UnitOfWorkFactory) -> None:
    """Two versions: at turn 3 the opening hour changed."""
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET), dissent=(AGAINST,)), 0, 10)
    commit(units, a_cycle("j2", first, (TEN,), (ended(OPENS, 3, by="c3-opens", cite=3),)), 1, 20)


def _add(units: UnitOfWorkFactory, *vectors: StoredVector, stamp: EmbeddingStamp = STAMP) -> None:
    with units() as unit:
        unit.recall.add_vectors("talk", stamp, vectors)
        unit.commit()


def test_the_extent_tells_how_far_it_goes_and_went(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        with pytest.raises(NotFound, match="no conversation 'talk'"):
            unit.recall.extent("talk")
        assert unit.recall.extent_at("talk", 0, 0) is None
        unit.conversations.extend(TALK)
        unit.commit()
    with units() as unit:
        told = unit.recall.extent("talk")
        assert (told.turns, told.version, told.recorded) == (4, 0, None)
        assert unit.recall.extent_at("talk", 4, 0) == told
    commit(units, a_cycle("j1", None, (OPENS,)), 0, 10)
    with units() as unit:
        now = unit.recall.extent("talk")
        assert (now.turns, now.chained, now.version, now.recorded) == (4, told.chained, 1, later(10))
        assert unit.recall.extent_at("talk", 4, 0) == told
        assert unit.recall.extent_at("talk", 2, 1) not in {None, now}
        assert unit.recall.extent_at("talk", 5, 1) is None
        assert unit.recall.extent_at("talk", 4, 2) is None


@pytest.mark.usefixtures("ledger")
def test_texts_are_read_from_where_one_stopped(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        turns = list(unit.recall.turn_texts("talk", 0))
        assert turns == [(turn.number, turn.content) for turn in TALK.turns]
        assert list(unit.recall.turn_texts("talk", 3)) == turns[3:]
        assert list(unit.recall.turn_texts("talk", 4)) == []
        stated = {(one.key, one.text) for one in unit.recall.ledger_texts("talk", 0)}
        assert stated >= {(NINE, OPENS.text), (SHOP, TEN.text), (DISSENT, AGAINST.text)}
        assert (SHOP, TEN.text) in set(unit.recall.ledger_texts("talk", 1))
        assert list(unit.recall.ledger_texts("talk", 2)) == []
        assert {number: turn.content for number, turn in unit.recall.turns("talk", {2, 9}).items()} == {
            2: TALK.turn(2).content
        }


@pytest.mark.usefixtures("ledger")
def test_what_fits_is_told_among_what_is_asked(units: UnitOfWorkFactory) -> None:
    def fitting(**query: object) -> set[str]:
        with units() as unit:
            asked, some = Query.model_validate(query), {NINE, SHOP, DISSENT, TURN}
            found = unit.recall.fitting("talk", asked, some)
            assert found == unit.recall.fitting("talk", asked, None) & some
            return {key.name for key in found}

    assert fitting() == {"c3-opens", "d1-edge"}
    assert fitting(open_only=False) == {"c1-opens", "c3-opens", "d1-edge"}
    assert fitting(section="DECIDED") == set()
    assert fitting(at={"version": 1}) == {"c1-opens", "d1-edge"}
    assert fitting(at={"turn": 1}, open_only=False) >= {"c1-opens"}
    assert fitting(at={"recorded": later(1)}) == set()
    act(units, an_act(LedgerEventKind.DISMISSED, "d1-edge"), 2, 30)
    assert fitting() == {"c3-opens"}
    assert fitting(open_only=False) >= {"d1-edge"}
    with units() as unit:
        assert unit.recall.open_ids("talk") == {
            RecallKind.CLAIM: {"c2-budget", "c3-opens"},
            RecallKind.DISSENT: frozenset(),
        }
        for use in (unit.recall.fitting, unit.recall.claims):
            with pytest.raises(NotFound):
                use("talk", Query.model_validate({"at": {"version": 9}}), {SHOP})  # type: ignore[arg-type]


@pytest.mark.usefixtures("ledger")
def test_claims_and_dissent_are_read_as_they_were_known(units: UnitOfWorkFactory) -> None:
    then = Query.model_validate({"at": {"version": 1}})
    with units() as unit:
        now = unit.recall.claims("talk", Query(), ("c1-opens", "c3-opens", "none"))
        assert {name: one.state for name, one in now.items()} == {
            "c1-opens": ClaimState.SUPERSEDED,
            "c3-opens": ClaimState.CURRENT,
        }
        assert unit.recall.claims("talk", then, ("c1-opens", "c3-opens")).keys() == {"c1-opens"}
        assert unit.recall.dissent("talk", Query(), ("d1-edge",))["d1-edge"].text == AGAINST.text
        assert unit.recall.claims("talk", Query(), ()) == unit.recall.dissent("talk", Query(), ()) == {}


@pytest.mark.usefixtures("ledger")
def test_a_turn_tells_which_claims_rest_on_it(units: UnitOfWorkFactory) -> None:
    at = OPENS.evidence[0].turn
    with units() as unit:
        found = unit.recall.resting_on("talk", {at, 3})
    assert [(one.claim, one.state, one.by) for one in found[at]][:1] == [
        ("c1-opens", ClaimState.SUPERSEDED, "c3-opens")
    ]
    assert "c3-opens" in {one.claim for one in found[3]}


@pytest.mark.usefixtures("ledger")
def test_turns_are_let_in_up_to_the_moment(units: UnitOfWorkFactory) -> None:
    def last(**at: object) -> int:
        with units() as unit:
            return unit.recall.turns_known("talk", Query.model_validate({"at": at}))

    assert last() == 4
    assert last(turn=2) == 2
    assert last(version=1) == 4
    assert last(version=1, turn=3) == 3
    assert last(recorded=later(-(10**6))) == 0
    with pytest.raises(NotFound):
        last(version=3)


@pytest.mark.usefixtures("ledger")
def test_vectors_are_read_from_where_one_stopped(units: UnitOfWorkFactory) -> None:
    first, second = StoredVector(TURN, 0, b"\0\1\2\3"), StoredVector(TURN, 1, b"\4\5\6\7")
    claim = StoredVector(SHOP, 0, b"abcd")
    _add(units, first, second)
    with units() as unit:
        place, found = unit.recall.vectors("talk", STAMP, 0)
        assert list(found) == [first, second]
        assert unit.recall.vectors("talk", OTHER, 0) == (0, [])
    _add(units, claim, first)  # what is there already stays
    with units() as unit:
        later_place, more = unit.recall.vectors("talk", STAMP, place)
        assert (list(more), later_place > place) == ([claim], True)
        assert unit.recall.vectors("talk", STAMP, later_place) == (later_place, [])


@pytest.mark.usefixtures("ledger")
def test_vectors_of_another_stamp_take_the_place_of_those_of_the_same_texts(units: UnitOfWorkFactory) -> None:
    _add(units, StoredVector(TURN, 0, b"\0\1\2\3"), StoredVector(TURN, 1, b"\0\1\2\3"), StoredVector(SHOP, 0, b"abcd"))
    again = StoredVector(TURN, 0, b"\7\7\7\7")
    _add(units, again, stamp=OTHER)
    with units() as unit:
        assert list(unit.recall.vectors("talk", OTHER, 0)[1]) == [again]
        assert [one.key for one in unit.recall.vectors("talk", STAMP, 0)[1]] == [SHOP]


@pytest.mark.usefixtures("ledger")
def test_many_vectors_are_stored_at_once_and_erased_with_their_conversation(units: UnitOfWorkFactory) -> None:
    many = [StoredVector(TURN, part, b"abcd") for part in range(1500)]
    _add(units, *many)
    with units() as unit:
        assert len(unit.recall.vectors("talk", STAMP, 0)[1]) == 1500
        unit.ledger.erase("talk", later(90), actor="ann", reason="asked")
        assert unit.recall.vectors("talk", STAMP, 0) == (0, [])
        with pytest.raises(NotFound):
            unit.recall.add_vectors("talk", STAMP, many[:1])
        unit.conversations.extend(a_conversation("Hello", name="talk"))
        assert unit.recall.vectors("talk", STAMP, 0) == (0, [])
