"""LedgerStore, readings and new versions that no cycle makes: one suite over every adapter."""

from datetime import datetime

import pytest

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Mark, Section
from dissolution.errors import DissolutionError, InputError, NotFound, VersionConflict
from dissolution.intervals import InstantInterval, Moment, TurnInterval
from dissolution.ledger import LedgerEvent, LedgerEventKind, Query
from dissolution.ports.store import UnitOfWorkFactory
from tests.unit.store.cycles import AGAINST, BUDGET, OPENS, a_cycle, act, an_act, commit, ended, names
from tests.unit.store.ledgers import TALK, a_claim, later

NINE = OPENS
TEN = a_claim("c3-opens", "The shop opens at 10.", TALK, turn=3)
SALE = a_claim("c4-sale", "The sale starts on 1 June.", TALK, Section.DECIDED, turn=2).model_copy(
    update={"valid_instants": InstantInterval(start=later(100), end=later(200))}
)


@pytest.fixture
def ledger(units: UnitOfWorkFactory) -> tuple[BoundaryState, BoundaryState]:
    """Two versions: at turn 3 the opening hour changed."""
    first = commit(units, a_cycle("j1", None, (NINE, BUDGET, SALE), dissent=(AGAINST,)), 0, 10)
    second = commit(units, a_cycle("j2", first, (TEN,), (ended(NINE, 3, by="c3-opens", cite=3),)), 1, 20)
    return first, second


def _roll_back(units: UnitOfWorkFactory, to: int, version: int, at: float) -> LedgerEvent:
    with units() as unit:
        event = unit.ledger.roll_back("talk", to, version, later(at), actor="ann", reason="went wrong")
        unit.commit()
    return event


def test_an_empty_ledger_reads_as_empty(units: UnitOfWorkFactory) -> None:
    with units() as unit:
        unit.conversations.extend(TALK)
        for name in ("talk", "unknown"):
            assert unit.ledger.as_of(name, Moment(turn=1)) == ()
            assert unit.ledger.as_of(name, Moment(recorded=later(0))) == ()
            assert unit.ledger.recall(name, Query()) == ()
            assert unit.ledger.events(name) == ()
            with pytest.raises(NotFound, match=f"'{name} 1'"):
                unit.ledger.at_version(name, 1)
            with pytest.raises(NotFound):
                unit.ledger.as_of(name, Moment(version=1))


@pytest.mark.parametrize(
    ("moment", "held"),
    [
        (Moment(), ["c2-budget", "c4-sale", "c3-opens"]),  # now: what is open
        (Moment(turn=1), ["c1-opens"]),
        (Moment(turn=2), ["c1-opens", "c4-sale"]),
        (Moment(turn=3), ["c2-budget", "c4-sale", "c3-opens"]),  # half-open: nine o'clock ended here
        (Moment(turn=99), ["c2-budget", "c4-sale", "c3-opens"]),
        (Moment(turn=3, version=1), ["c1-opens", "c2-budget", "c4-sale"]),  # before we knew better
        (Moment(recorded=later(9)), []),
        (Moment(recorded=later(10)), ["c1-opens", "c2-budget", "c4-sale"]),
        (Moment(recorded=later(19.9), turn=3), ["c1-opens", "c2-budget", "c4-sale"]),
        (Moment(recorded=later(20), turn=2), ["c1-opens", "c4-sale"]),
        (Moment(instant=later(99)), ["c2-budget", "c3-opens"]),
        (Moment(instant=later(100)), ["c2-budget", "c4-sale", "c3-opens"]),
        (Moment(instant=later(200)), ["c2-budget", "c3-opens"]),
        (Moment(instant=later(150), turn=2), ["c1-opens", "c4-sale"]),
        (Moment(instant=later(150), turn=1), ["c1-opens"]),
        (Moment(instant=later(99), turn=2), ["c1-opens"]),
    ],
    ids=str,
)
@pytest.mark.usefixtures("ledger")
def test_what_held_then_as_it_was_known_then(units: UnitOfWorkFactory, moment: Moment, held: list[str]) -> None:
    with units() as unit:
        assert names(unit.ledger.as_of("talk", moment)) == held


def test_a_reading_of_the_past_gives_claims_as_they_are_known(
    units: UnitOfWorkFactory, ledger: tuple[BoundaryState, BoundaryState]
) -> None:
    first, second = ledger
    with units() as unit:
        (nine,) = unit.ledger.as_of("talk", Moment(turn=1))
        assert nine == second.closed[0]
        assert (nine.state, nine.valid) == (ClaimState.SUPERSEDED, TurnInterval(start=1, end=3))
        assert unit.ledger.as_of("talk", Moment(version=1)) == first.claims
        carried = unit.ledger.as_of("talk", Moment())[0]
        assert (carried.id, carried.state, carried.carried) == ("c2-budget", ClaimState.CARRIED, 1)


def test_versions_have_events(units: UnitOfWorkFactory, ledger: tuple[BoundaryState, BoundaryState]) -> None:
    act(units, an_act(LedgerEventKind.PINNED, "c2-budget"), 2, 15)  # by a clock that is behind
    _roll_back(units, 1, 3, 40)

    with units() as unit:
        events = unit.ledger.events("talk")
        assert [(event.version, event.kind.value, event.at, event.job, event.actor) for event in events] == [
            (1, "committed", later(10), "j1", "fleet"),
            (2, "committed", later(20), "j2", "fleet"),
            (3, "pinned", later(20), None, "ann"),
            (4, "rolled_back", later(40), None, "ann"),
        ]
        assert [(event.through, event.claim, event.restored) for event in events[2:]] == [
            (4, "c2-budget", None),
            (4, None, 1),
        ]
        assert events[0].reason == "probe not run"
        assert unit.ledger.events("talk", after=3) == events[3:]
        assert unit.ledger.events("talk", after=4) == ()


@pytest.mark.usefixtures("ledger")
def test_marks_are_given_and_taken_by_versions(units: UnitOfWorkFactory) -> None:
    for version, kind in enumerate((LedgerEventKind.PINNED, LedgerEventKind.CONFIRMED, LedgerEventKind.UNPINNED), 2):
        act(units, an_act(kind, "c2-budget"), version, 30)

    with units() as unit:
        marks = [unit.ledger.at_version("talk", version).claims[-3].marks for version in (2, 3, 4, 5)]
        assert marks == [(), (Mark.PINNED,), (Mark.PINNED, Mark.CONFIRMED), (Mark.CONFIRMED,)]
        boundary = unit.ledger.at_version("talk", 5)
        assert (boundary.closed, boundary.changes, boundary.job, boundary.version) == ((), (), "j2", 5)
        assert [claim.carried for claim in boundary.claims] == [1, 1, 0]  # an act is no cycle


@pytest.mark.parametrize(("never_held", "state", "valid"), [(False, "expired", (3, 5)), (True, "corrected", (3, 3))])
@pytest.mark.usefixtures("ledger")
def test_a_retracted_claim_is_closed(
    units: UnitOfWorkFactory, *, never_held: bool, state: str, valid: tuple[int, int]
) -> None:
    act(units, an_act(LedgerEventKind.RETRACTED, "c3-opens", never_held=never_held), 2, 30)
    act(units, an_act(LedgerEventKind.RETRACTED, "c4-sale", never_held=never_held), 3, 150)

    with units() as unit:
        current = unit.boundaries.current("talk")
        assert current is not None
        assert names(current.claims) == ["c2-budget"]
        found, _ = unit.boundaries.claim("c3-opens")
        assert isinstance(found, Claim)
        assert (found.state.value, found.valid.start, found.valid.end) == (state, *valid)
        assert found.closing is not None
        assert found.closing.reason == "retracted by ann"
        assert ("c3-opens" in names(unit.ledger.as_of("talk", Moment(turn=4)))) is not never_held
        assert "c3-opens" not in names(unit.ledger.as_of("talk", Moment(turn=5)))
        sale, _ = unit.boundaries.claim("c4-sale")
        assert isinstance(sale, Claim)
        assert sale.valid_instants == InstantInterval(start=later(100), end=later(100 if never_held else 150))


@pytest.mark.parametrize(
    ("kind", "claim", "error", "words"),
    [
        (LedgerEventKind.PINNED, "c1-opens", NotFound, "no open claim 'c1-opens'"),  # closed
        (LedgerEventKind.PINNED, "c2", NotFound, "no open claim 'c2'"),
        (LedgerEventKind.PINNED, "d1-edge", NotFound, "no open claim"),
        (LedgerEventKind.DISMISSED, "c2-budget", NotFound, "no open dissent"),
        (LedgerEventKind.UNPINNED, "c2-budget", InputError, "is not pinned"),
        (LedgerEventKind.COMMITTED, "c2-budget", InputError, "is not one a person does"),
    ],
)
@pytest.mark.usefixtures("ledger")
def test_an_act_that_cannot_be_done_is_refused(
    units: UnitOfWorkFactory, kind: LedgerEventKind, claim: str, error: type[DissolutionError], words: str
) -> None:
    with pytest.raises(error, match=words):
        act(units, an_act(kind, claim), 2, 30)
    with units() as unit:
        assert unit.boundaries.version("talk") == 2


@pytest.mark.usefixtures("ledger")
def test_an_act_is_done_once_on_the_version_it_was_meant_for(units: UnitOfWorkFactory) -> None:
    act(units, an_act(LedgerEventKind.CONFIRMED, "c2-budget"), 2, 30)
    act(units, an_act(LedgerEventKind.DISMISSED, "d1-edge"), 3, 30)
    for what, error in (
        (an_act(LedgerEventKind.CONFIRMED, "c2-budget"), InputError),
        (an_act(LedgerEventKind.DISMISSED, "d1-edge"), NotFound),
        (an_act(LedgerEventKind.PINNED, "c2-budget", never_held=True), InputError),
    ):
        with pytest.raises(error):
            act(units, what, 4, 31)
    with pytest.raises(VersionConflict):
        act(units, an_act(LedgerEventKind.PINNED, "c2-budget"), 3, 31)
    with units() as unit:
        unit.conversations.extend(TALK.model_copy(update={"id": "empty"}))
        for name, words in (("empty", "no open claim"), ("unknown", "no conversation")):
            with pytest.raises(NotFound, match=words):
                unit.ledger.act(name, an_act(LedgerEventKind.PINNED, "c2-budget"), 0, later(1))


def test_a_roll_back_brings_a_version_back_and_deletes_nothing(
    units: UnitOfWorkFactory, ledger: tuple[BoundaryState, BoundaryState]
) -> None:
    first, second = ledger
    act(units, an_act(LedgerEventKind.DISMISSED, "d1-edge"), 2, 30)
    event = _roll_back(units, 1, 3, 40)
    again = _roll_back(units, 2, 4, 50)

    assert (event.version, event.restored, again.version) == (4, 1, 5)
    as_it_was = {"version": 4, "committed_at": later(40), "changes": (), "closed": ()}
    with units() as unit:
        assert unit.ledger.at_version("talk", 4) == first.model_copy(update=as_it_was)
        as_it_was = {"version": 5, "committed_at": later(50), "changes": (), "closed": ()}
        assert unit.boundaries.current("talk") == second.model_copy(update=as_it_was)
        assert unit.ledger.at_version("talk", 2) == second
        assert names(unit.ledger.as_of("talk", Moment(turn=1, version=4))) == ["c1-opens"]
        assert unit.boundaries.claim("c3-opens")[1] == second
    sixth = commit(units, a_cycle("j6", second, (TEN, BUDGET)), 5, 60)
    assert [(claim.id, claim.carried) for claim in sixth.claims] == [("c2-budget", 0), ("c4-sale", 2), ("c3-opens", 0)]


def test_what_was_affirmed_since_is_taken_back_too(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET)), 0, 10)
    second = commit(units, a_cycle("j2", first, (OPENS,)), 1, 20)
    third = commit(units, a_cycle("j3", second, (BUDGET,)), 2, 30)
    for version, (to, known) in enumerate(((2, second), (3, third), (1, first)), start=3):
        _roll_back(units, to, version, 40)
        with units() as unit:
            current = unit.boundaries.current("talk")
            assert current is not None
            assert current.claims == known.claims


@pytest.mark.parametrize(
    ("to", "expected", "error"),
    [(2, 2, InputError), (3, 2, NotFound), (0, 2, NotFound), (1, 1, VersionConflict), (1, 3, VersionConflict)],
)
@pytest.mark.usefixtures("ledger")
def test_a_roll_back_that_leads_nowhere_is_refused(
    units: UnitOfWorkFactory, to: int, expected: int, error: type[DissolutionError]
) -> None:
    with pytest.raises(error):
        _roll_back(units, to, expected, 40)
    with units() as unit:
        assert unit.boundaries.version("talk") == 2


@pytest.mark.usefixtures("ledger")
def test_recall_lists_by_section_and_time(units: UnitOfWorkFactory) -> None:
    def found(**query: object) -> list[str]:
        with units() as unit:
            return names(unit.ledger.recall("talk", Query.model_validate(query)))

    assert found() == ["c2-budget", "c4-sale", "c3-opens"]  # all affirmed at the same turn: in their places
    assert found(section="DECIDED") == ["c2-budget", "c4-sale"]
    assert found(open_only=False, at={"turn": 1}) == ["c1-opens"]
    assert found(open_only=False, section="KNOWN") == ["c1-opens", "c3-opens"]
    assert found(at={"version": 1}, limit=2) == ["c1-opens", "c2-budget"]
    assert found(at={"instant": later(100)}, section="KNOWN") == ["c3-opens"]
    assert found(at={"recorded": later(1)}) == []


def test_naive_instants_are_refused_by_the_ledger(units: UnitOfWorkFactory) -> None:
    commit(units, a_cycle("j1", None, (OPENS,)), 0, 10)
    naive = datetime(2026, 3, 1)  # noqa: DTZ001 - the point of the test
    with units() as unit:
        for use in (
            lambda: unit.ledger.act("talk", an_act(LedgerEventKind.PINNED, "c1-opens"), 1, naive),
            lambda: unit.ledger.erase("talk", naive, actor="ann", reason="law"),
            lambda: unit.conversations.untouched_since(naive),
            lambda: unit.boundaries.as_recorded("talk", naive),
        ):
            with pytest.raises(ValueError, match="is naive"):
                use()
