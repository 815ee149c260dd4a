from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Section
from dissolution.ledger import Change, ChangeKind
from store.rules.ledger_views import shown, shown_changes, shown_claims, shown_dissent
from store.rules.versioning import (
    Dissenting,
    Place,
    Plan,
    RecordedClaim,
    after,
    at_rest,
    commit_instant,
    dissent_after,
    plan_commit,
)
from tests.factories import INSTANT
from tests.unit.store.cycles import AGAINST, BUDGET, OPENS, a_cycle, carried, ended
from tests.unit.store.ledgers import TALK, a_claim, a_dissent


def _held(*claims: Claim, cycle: int = 1) -> list[RecordedClaim]:
    return [
        RecordedClaim(row, Place(1, row), cycle, "j1", (len(claim.evidence), len(claim.statements)), at_rest(claim))
        for row, claim in enumerate((claim.model_copy(update={"affirmed": 4}) for claim in claims), start=1)
    ]


def _rows(plan: Plan) -> tuple[list[int], list[str], list[int]]:
    """Rows that end, ids that are added, rows that are affirmed."""
    return (
        sorted(one.row for one in plan.ends),
        [one.claim.id for one in plan.adds],
        [one.held.row for one in plan.affirms],
    )


def _plan(
    held: list[RecordedClaim], *said: Claim, closed: tuple[Claim, ...] = (), version: int = 2, cycle: int = 2
) -> Plan:
    prior = a_cycle("j0", None, [one.claim for one in held])
    return plan_commit(held, (), a_cycle("j2", prior, said, closed), version, cycle)


def test_what_is_carried_costs_nothing() -> None:
    assert _plan(_held(OPENS, BUDGET)) == Plan()


def test_what_is_said_again_keeps_its_row_and_what_changes_gets_another_in_its_place() -> None:
    held = _held(OPENS, BUDGET)
    reworded = OPENS.model_copy(update={"text": "The shop opens at nine."})

    assert _rows(_plan(held, BUDGET)) == ([], [], [2])
    plan = _plan(held, reworded, BUDGET)
    assert _rows(plan) == ([1], ["c1-opens"], [2])
    assert plan.adds[0].place == held[0].place
    assert (plan.adds[0].cycle, plan.adds[0].job) == (2, "j2")


def test_what_changes_without_being_said_is_still_carried() -> None:
    held = _held(OPENS, BUDGET, cycle=1)
    candidate = a_cycle("j5", None, ())
    moved = carried(BUDGET).model_copy(update={"section": Section.IDENTITY})
    candidate = candidate.model_copy(update={"claims": (carried(OPENS), moved)})

    plan = plan_commit(held, (), candidate, 5, 4)

    assert _rows(plan) == ([2], ["c2-budget"], [])
    assert [(claim.section, claim.carried) for claim in shown_claims(after(held, plan), 4)] == [
        (Section.KNOWN, 3),
        (Section.IDENTITY, 3),
    ]


def test_quotes_or_words_that_shrink_make_another_row() -> None:
    shorter = OPENS.model_copy(update={"statements": (*OPENS.statements[1:], OPENS.statements[0])})
    assert _rows(_plan(_held(OPENS), shorter)) == ([], [], [1])  # one statement: the same
    twice = OPENS.model_copy(update={"evidence": OPENS.evidence * 2})
    assert _rows(_plan(_held(twice), OPENS)) == ([1], ["c1-opens"], [])


def test_an_affirmation_holds_only_what_is_new() -> None:
    grown = OPENS.model_copy(update={"evidence": (*OPENS.evidence, *BUDGET.evidence), "reason": "now two say so"})
    (again,) = _plan(_held(OPENS), grown).affirms

    assert (again.more.evidence, again.more.statements, again.more.reason) == (BUDGET.evidence, (), "now two say so")
    assert again.held.claim.evidence == grown.evidence


def test_twins_of_old_ledgers_end_without_a_word() -> None:
    held = _held(OPENS, OPENS)
    assert _rows(_plan(held[:1], OPENS)) == ([], [], [1])
    prior = a_cycle("j0", None, (OPENS,))
    assert _rows(plan_commit(held, (), a_cycle("j2", prior, (OPENS,)), 2, 2)) == ([2], [], [1])


def test_a_closed_row_gives_way_to_an_open_one_of_the_same_id() -> None:
    closed, opened = _held(ended(OPENS, 3), OPENS)
    prior = a_cycle("j0", None, (OPENS,))
    for held in ([closed, opened], [opened, closed]):
        assert _rows(plan_commit(held, (), a_cycle("j2", prior, (OPENS,)), 2, 2)) == ([1], [], [2])
    assert _rows(_plan([closed], OPENS)) == ([1], ["c1-opens"], [])


def test_a_version_is_never_recorded_before_the_one_it_follows() -> None:
    earlier = INSTANT - timedelta(seconds=1)
    assert commit_instant(earlier, None) == earlier
    assert commit_instant(earlier, INSTANT) == INSTANT
    assert commit_instant(INSTANT, earlier) == INSTANT


def test_a_closed_claim_is_never_shown_as_carried() -> None:
    (closed,) = _held(ended(OPENS, 3))
    assert shown(closed, 9) == closed.claim
    assert shown_claims([closed], 9) == ()


def test_carried_changes_stand_last_in_the_order_of_claims() -> None:
    held = _held(OPENS, BUDGET)
    kinds = ((ChangeKind.CARRIED, "c2-budget"), (ChangeKind.CARRIED, "c1-opens"), (ChangeKind.CLOSED, "c0"))
    changes = [Change(kind=kind, claim=claim, reason="so") for kind, claim in kinds]

    assert [change.claim for change in shown_changes(changes, held, 2)] == ["c0", "c1-opens", "c2-budget"]


def test_dissent_of_the_same_words_keeps_its_row() -> None:
    held = [Dissenting(1, Place(1, 0), "j1", AGAINST), Dissenting(2, Place(1, 1), "j1", a_dissent("d2", "No.", TALK))]
    grown = held[1].dissent.model_copy(update={"cycles": 2})
    candidate: BoundaryState = a_cycle("j2", None, (OPENS,), dissent=(AGAINST, grown, a_dissent("d3", "Yes.", TALK)))

    plan = plan_commit([], held, candidate, 2, 2)

    assert [one.row for one in plan.dissent_ends] == [2]
    assert [(one.dissent.id, one.place) for one in plan.dissent_adds] == [("d2", Place(1, 1)), ("d3", Place(2, 2))]
    assert [one.id for one in shown_dissent(dissent_after(held, plan))] == ["d1-edge", "d2", "d3"]


CLAIMS = [a_claim(f"c{number}", f"It is {number}.", TALK) for number in range(6)]
_FATES = st.lists(st.sampled_from(["said", "changed", "carried", "closed"]), min_size=6, max_size=6)


@given(_FATES, st.integers(0, 6))
def test_whatever_a_cycle_does_every_open_claim_stands_once(fates: list[str], known: int) -> None:
    held = _held(*CLAIMS[:known])
    by_fate = {fate: [c for c, its in zip(CLAIMS, fates, strict=True) if its == fate] for fate in set(fates)}
    said = [*by_fate.get("said", ()), *(c.model_copy(update={"text": "!"}) for c in by_fate.get("changed", ()))]
    ids = {claim.id for claim in CLAIMS[:known]}
    closed = tuple(ended(claim, 3) for claim in by_fate.get("closed", ()) if claim.id in ids)

    plan = _plan(held, *said, closed=closed)

    rows = after(held, plan)
    open_ids = [claim.id for claim in shown_claims(rows, 2)]
    expected = (ids - {claim.id for claim in closed}) | {claim.id for claim in said}
    assert sorted(open_ids) == sorted(expected)
    assert {one.claim.state for one in rows} <= {ClaimState.CURRENT, ClaimState.SUPERSEDED}
    assert len(plan.adds) + len(plan.affirms) == len(said) + len(closed)
