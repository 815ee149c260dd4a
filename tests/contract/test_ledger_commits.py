"""What a commit keeps, adds and ends in the ledger: one suite over every adapter."""

import pytest

from dissolution.claims import Claim, ClaimState, Mark, Section
from dissolution.errors import EvidenceMismatch, IllegalMove, TemporalError
from dissolution.intervals import InstantInterval
from dissolution.ledger import Change, ChangeKind, LedgerEventKind
from dissolution.ports.store import UnitOfWorkFactory
from tests.unit.store.cycles import (
    AGAINST,
    BUDGET,
    OPENS,
    a_cycle,
    act,
    an_act,
    carried,
    commit,
    ended,
    names,
    said_by,
)
from tests.unit.store.ledgers import TALK, a_claim, a_dissent, a_quote, later

LATER_OPENING = a_claim("c3-opens", "The shop opens at 10.", TALK, turn=4)


def test_what_a_cycle_did_reads_back_as_it_was_committed(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET), dissent=(AGAINST,)), 0, 1)
    closed = ended(OPENS, 4, by="c3-opens")
    second = commit(units, a_cycle("j2", first, (LATER_OPENING,), (closed,)), 1, 2)
    third = commit(units, a_cycle("j3", second, (LATER_OPENING,)), 2, 3)

    assert [change.kind for change in second.changes] == [ChangeKind.ADDED, ChangeKind.CLOSED, ChangeKind.CARRIED]
    assert [(claim.id, claim.state, claim.carried, claim.affirmed) for claim in third.claims] == [
        ("c2-budget", ClaimState.CARRIED, 2, 4),
        ("c3-opens", ClaimState.CURRENT, 0, 4),
    ]
    assert second.closed == (closed.model_copy(update={"affirmed": 4}),)
    assert (third.closed, third.dissent) == ((), (AGAINST,))
    with units() as unit:
        for version, committed in enumerate((first, second, third), start=1):
            assert unit.boundaries.by_job(committed.job) == committed
            assert unit.ledger.at_version("talk", version) == committed
            assert unit.boundaries.as_recorded("talk", later(version)) == committed
        assert unit.boundaries.current("talk") == third


def test_support_and_words_only_grow_and_old_readings_stay(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (said_by(OPENS, "alpha"),)), 0, 1)
    again = OPENS.statements[0].model_copy(update={"ordinal": 7})
    more = {"evidence": (*OPENS.evidence, a_quote(TALK, 2)), "statements": (*OPENS.statements, again)}
    second = commit(units, a_cycle("j2", first, (said_by(OPENS, "beta").model_copy(update=more),)), 1, 2)
    third = commit(units, a_cycle("j3", second, ()), 2, 3)
    fourth = commit(units, a_cycle("j4", third, (second.claims[0], BUDGET)), 3, 4)

    assert [one.claims[0].support.families for one in (first, second, third, fourth)] == [
        ("alpha",),
        ("alpha", "beta"),
        ("alpha", "beta"),
        ("alpha", "beta"),
    ]
    for one in (first, second, third, fourth):  # the members of these tests are named after their families
        assert one.claims[0].support.members == one.claims[0].support.families
    assert [len(one.claims[0].evidence) for one in (first, second, third, fourth)] == [1, 2, 2, 2]
    assert [one.claims[0].carried for one in (first, second, third, fourth)] == [0, 0, 1, 0]
    with units() as unit:
        for version, committed in enumerate((first, second, third, fourth), start=1):
            assert unit.ledger.at_version("talk", version) == committed


def test_claims_keep_their_places(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (BUDGET, OPENS)), 0, 1)
    reworded = OPENS.model_copy(update={"text": "The shop opens at nine."})
    second = commit(units, a_cycle("j2", first, (LATER_OPENING, reworded)), 1, 2)

    assert names(second.claims) == ["c2-budget", "c1-opens", "c3-opens"]
    assert second.claims[1].text == "The shop opens at nine."
    with units() as unit:
        assert unit.boundaries.current("talk") == second
        assert unit.ledger.at_version("talk", 1) == first


def test_a_claim_that_would_be_lost_stops_the_commit(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET)), 0, 1)
    for lost in first.claims:
        candidate = a_cycle("j2", first, (LATER_OPENING,))
        kept = tuple(claim for claim in candidate.claims if claim.id != lost.id)
        with pytest.raises(TemporalError, match=f"'{lost.id}' of {lost.section}.*lost"):
            commit(units, candidate.model_copy(update={"claims": kept}), 1, 2)
    with units() as unit:
        assert unit.boundaries.current("talk") == first


@pytest.mark.parametrize("section", [Section.KNOWN, Section.EDGES])
@pytest.mark.parametrize("held", [Section.DECIDED, Section.IDENTITY])
def test_a_commitment_is_never_demoted(units: UnitOfWorkFactory, held: Section, section: Section) -> None:
    first = commit(units, a_cycle("j1", None, (BUDGET.model_copy(update={"section": held}),)), 0, 1)
    demoted = BUDGET.model_copy(update={"section": section})
    with pytest.raises(TemporalError, match=f"{held}.*demoted to {section}"):
        commit(units, a_cycle("j2", first, (demoted,)), 1, 2)
    moved = BUDGET.model_copy(update={"section": Section.IDENTITY})
    assert commit(units, a_cycle("j3", first, (moved,)), 1, 2).claims[0].section is Section.IDENTITY


def test_a_commitment_ends_only_by_a_turn_or_its_own_time(units: UnitOfWorkFactory) -> None:
    timed = BUDGET.model_copy(update={"id": "c4", "valid_instants": InstantInterval(start=later(0), end=later(9))})
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET, timed)), 0, 1)
    for state in (ClaimState.SUPERSEDED, ClaimState.CORRECTED, ClaimState.EXPIRED):
        with pytest.raises(TemporalError, match="no turn is cited"):
            commit(units, a_cycle("j2", first, (LATER_OPENING,), (ended(BUDGET, 4, state, cite=None),)), 1, 2)
    with pytest.raises(TemporalError, match="no turn is cited"):
        commit(units, a_cycle("j2", first, (), (ended(timed, 4, ClaimState.SUPERSEDED, cite=None),)), 1, 2)
    over = (ended(timed, 4, ClaimState.EXPIRED, cite=None), ended(OPENS, 4, ClaimState.EXPIRED, cite=None))
    assert names(commit(units, a_cycle("j2", first, (BUDGET,), over), 1, 2).closed) == ["c1-opens", "c4"]


def test_a_false_quote_of_a_closing_stops_the_commit(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET)), 0, 1)
    closed = ended(OPENS, 4)
    assert closed.closing is not None
    false = closed.closing.evidence[0].model_copy(update={"text": "Fine", "end": 4})
    lying = closed.model_copy(update={"closing": closed.closing.model_copy(update={"evidence": (false,)})})
    with pytest.raises(EvidenceMismatch, match=r"'c1-opens'.*turn 4"):
        commit(units, a_cycle("j2", first, (), (lying,)), 1, 2)


@pytest.mark.parametrize(
    ("claims", "closed", "words"),
    [
        ((OPENS, OPENS), (), "given twice"),
        ((OPENS,), (ended(OPENS, 4),), "given twice"),
        ((OPENS, ended(BUDGET, 4)), (), "open ones are claims, ended ones are closed"),
        ((OPENS,), (BUDGET,), "open ones are claims, ended ones are closed"),
        ((OPENS, carried(BUDGET)), (), "the ledger does not hold it"),
        ((OPENS,), (ended(BUDGET, 4),), "the ledger does not hold it"),
    ],
)
def test_a_candidate_that_makes_no_sense_is_refused(
    units: UnitOfWorkFactory, claims: tuple[Claim, ...], closed: tuple[Claim, ...], words: str
) -> None:
    candidate = a_cycle("j1", None, (OPENS,)).model_copy(update={"claims": claims, "closed": closed})
    with pytest.raises(ValueError, match=words):
        commit(units, candidate, 0, 1)


def test_what_a_person_said_of_a_claim_outlives_what_the_fleet_says(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET)), 0, 1)
    act(units, an_act(LedgerEventKind.PINNED, "c1-opens"), 1, 2)
    act(units, an_act(LedgerEventKind.CONFIRMED, "c1-opens"), 2, 3)

    fourth = commit(units, a_cycle("j4", first, (OPENS,)), 3, 4)

    assert fourth.claims[0].marks == (Mark.PINNED, Mark.CONFIRMED)
    with units() as unit:
        assert unit.boundaries.current("talk") == fourth


def test_dissent_ends_by_promotion_or_a_person_alone(units: UnitOfWorkFactory) -> None:
    other = a_dissent("d2", "The shop opens at 8.", TALK)
    first = commit(units, a_cycle("j1", None, (OPENS,), dissent=(AGAINST, other)), 0, 1)
    grown = other.model_copy(update={"cycles": 2})
    second = commit(units, a_cycle("j2", first, (OPENS,), dissent=(grown,)), 1, 2)
    promoted = a_claim("c9", other.text, TALK)
    candidate = a_cycle("j3", second, (OPENS, promoted))
    change = Change(kind=ChangeKind.PROMOTED, claim="c9", other="d2", reason="two cycles")
    third = commit(units, candidate.model_copy(update={"changes": (*candidate.changes, change)}), 2, 3)
    act(units, an_act(LedgerEventKind.DISMISSED, "d1-edge"), 3, 4)
    fifth = commit(units, a_cycle("j5", third, (), dissent=(AGAINST,)), 4, 5)

    assert [one.dissent for one in (first, second, third, fifth)] == [
        (AGAINST, other),
        (AGAINST, grown),
        (AGAINST,),
        (),
    ]
    with units() as unit:
        for version, committed in ((1, first), (2, second), (3, third), (5, fifth)):
            assert unit.ledger.at_version("talk", version) == committed
        found, boundary = unit.boundaries.claim("d1")
        assert (found.id, found.reason, boundary) == ("d1-edge", "dismissed", first)


def test_a_closed_claim_may_be_corrected_and_may_come_back(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS, BUDGET)), 0, 1)
    second = commit(units, a_cycle("j2", first, (LATER_OPENING,), (ended(OPENS, 4),)), 1, 2)
    corrected = ended(OPENS, 1, ClaimState.CORRECTED)  # what turn 4 superseded turns out never to have been so
    third = commit(units, a_cycle("j3", second, (), (corrected,)), 2, 3)
    fourth = commit(units, a_cycle("j4", third, (OPENS,)), 3, 4)

    assert third.closed[0].state is ClaimState.CORRECTED
    assert names(fourth.claims) == ["c1-opens", "c2-budget", "c3-opens"]  # in the place it had
    with units() as unit:
        for version, committed in enumerate((first, second, third, fourth), start=1):
            assert unit.ledger.at_version("talk", version) == committed


def test_a_boundary_of_nothing_is_none_even_with_history(units: UnitOfWorkFactory) -> None:
    first = commit(units, a_cycle("j1", None, (OPENS,)), 0, 1)
    with pytest.raises(IllegalMove, match="'empty'"):
        commit(units, a_cycle("j2", first, (), (ended(OPENS, 4),)), 1, 2)
