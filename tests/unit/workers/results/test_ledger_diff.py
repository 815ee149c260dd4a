"""Differences between readings of a ledger: nothing from A to A, and A to B to C is A to C."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimState, Closing, Mark, Section
from dissolution.ledger import Change, ChangeKind, LedgerEvent, LedgerEventKind
from tests.factories import INSTANT, a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, evidence_in
from workers.results.ledger_diff import Item, Kind, difference, items

CONVERSATION = a_conversation("We pay in euro.", "We pay in dollars.", "Fine.")
QUOTE = (evidence_in(CONVERSATION, 1, "euro"),)


def held(name: str, text: str = "It is so.", **update: object) -> Claim:
    return a_claim(name, Section.KNOWN, text, QUOTE).model_copy(update=update)


def ended(claim: Claim, by: str | None, reason: str = "turn 2 says otherwise") -> Claim:
    closing = Closing(state=ClaimState.SUPERSEDED, by=by, reason=reason)
    return claim.model_copy(update={"state": ClaimState.SUPERSEDED, "closing": closing})


def reading(
    version: int, *claims: Claim, closed: tuple[Claim, ...] = (), changes: tuple[Change, ...] = ()
) -> BoundaryState:
    boundary = a_boundary(CONVERSATION, *claims)
    return boundary.model_copy(update={"version": version, "closed": closed, "changes": changes})


def an_event(version: int, kind: LedgerEventKind, **more: object) -> LedgerEvent:
    given: dict[str, object] = {"claim": None, "restored": None, **more}
    return LedgerEvent.model_validate(
        {
            "conversation": "conv-1",
            "version": version,
            "at": INSTANT,
            "kind": kind,
            "through": 3,
            "actor": "ann",
            "reason": "she said so",
            **given,
        }
    )


def change(kind: ChangeKind, claim: str, other: str | None = None) -> Change:
    return Change(kind=kind, claim=claim, other=other, reason=f"because {kind.value}")


def between(
    before: BoundaryState | None, *after: BoundaryState, events: tuple[LedgerEvent, ...] = ()
) -> dict[Kind, Item]:
    found = items(difference(before, after[-1]), after, events)
    assert len({item.kind for item in found}) == len(found)
    return {item.kind: item for item in found}


def test_what_is_left_of_a_claim_is_told_beside_its_successor_as_revised() -> None:
    old, new, rest = held("c1", "8 shards, 7 days."), held("c5", "20 shards."), held("c6", "7 days.")
    changes = (change(ChangeKind.REVISED, "c5", "c1"), change(ChangeKind.REVISED, "c6", "c1"))
    after = reading(2, new, rest, closed=(ended(old, "c5"),), changes=changes)
    found = items(difference(reading(1, old), after), (after,), ())
    assert [(item.kind, item.claim.id, item.was and item.was.id) for item in found] == [
        (Kind.REVISED, "c5", "c1"),
        (Kind.REVISED, "c6", "c1"),
    ]
    assert found[1].reason == "because revised"


def test_each_kind_is_told_with_its_reason() -> None:
    old, gone, stays, silent = held("c1", "We pay in euro."), held("c2"), held("c3", affirmed=1), held("c4")
    new, risen = held("c5", "We pay in dollars."), held("c6")
    after = reading(
        2,
        stays.model_copy(update={"affirmed": 3}),
        silent.model_copy(update={"state": ClaimState.CARRIED, "carried": 1}),
        new,
        risen,
        held("c7"),
        closed=(ended(old, "c5"), ended(gone, None, "its time ran out")),
        changes=(
            change(ChangeKind.REVISED, "c5", "c1"),
            change(ChangeKind.CARRIED, "c4"),
            change(ChangeKind.PROMOTED, "c6", "d1"),
            change(ChangeKind.ADDED, "c7"),
            change(ChangeKind.CONTESTED, "c7", "c3"),
            change(ChangeKind.REPAIRED, "c4"),
        ),
    )
    found = between(reading(1, old, gone, stays, silent), after)
    assert {kind: item.claim.id for kind, item in found.items()} == {
        Kind.ADDED: "c7",
        Kind.PROMOTED: "c6",
        Kind.REVISED: "c5",
        Kind.CLOSED: "c2",
        Kind.CARRIED: "c4",
        Kind.AFFIRMED: "c3",
        Kind.CONTESTED: "c7",
        Kind.REPAIRED: "c4",
    }
    was = found[Kind.REVISED].was
    assert was is not None
    assert was.text == "We pay in euro."
    assert found[Kind.REVISED].reason == "turn 2 says otherwise"
    assert found[Kind.CLOSED].reason == "its time ran out"
    assert found[Kind.PROMOTED].other == "d1"
    assert found[Kind.CONTESTED].other == "c3"
    assert found[Kind.ADDED].reason == "because added"


def test_lines_of_a_section_stand_by_turn_then_by_words_whatever_the_ids_are() -> None:
    early, late = evidence_in(CONVERSATION, 1, "euro"), evidence_in(CONVERSATION, 2, "dollars")
    claims = (
        a_claim("c1", Section.KNOWN, "We pay in dollars.", (late,)),
        a_claim("c2", Section.KNOWN, "We pay in euro, both of us.", (late, early)),
        a_claim("c3", Section.KNOWN, "The euro is meant.", (early,)),
        a_claim("c4", Section.EDGES, "Who pays?"),
    )
    after = reading(1, *claims)
    found = items(difference(None, after), (after,), ())
    assert [item.claim.id for item in found] == ["c3", "c2", "c1", "c4"]


def test_from_the_empty_ledger_everything_is_added_for_its_own_reason() -> None:
    (item,) = items(difference(None, reading(1, held("c1"))), (reading(1, held("c1")),), ())
    assert (item.kind, item.reason) == (Kind.ADDED, "most families put it there")


def test_what_was_added_and_closed_in_between_is_not_told() -> None:
    passing = held("c9")
    found = items(
        difference(reading(1), reading(3)), (reading(2, passing), reading(3, closed=(ended(passing, None),))), ()
    )
    assert found == ()


def test_a_successor_that_was_held_before_revises_nothing_and_is_named() -> None:
    stays, goes = held("c1"), held("c2")
    found = between(reading(1, stays, goes), reading(2, stays, closed=(ended(goes, "c1"),)))
    assert (found[Kind.CLOSED].claim.id, found[Kind.CLOSED].other) == ("c2", "c1")


def test_acts_of_people_are_told_by_their_reason() -> None:
    claim, pinned = held("c1"), held("c1", marks=(Mark.PINNED,))
    event = an_event(2, LedgerEventKind.PINNED, claim="c1")
    found = between(reading(1, claim), reading(2, pinned), events=(event,))
    assert found[Kind.MARKED].reason == "pinned: she said so"
    event = an_event(2, LedgerEventKind.RETRACTED, claim="c1")
    found = between(reading(1, claim), reading(2), events=(event,))
    assert found[Kind.CLOSED].reason == "retracted: she said so"


def test_a_roll_back_restores_and_takes_away() -> None:
    first, second = held("c1"), held("c2")
    later = first.model_copy(update={"state": ClaimState.CARRIED, "carried": 1})
    event = an_event(3, LedgerEventKind.ROLLED_BACK, restored=1)
    found = between(reading(2, later, second), reading(3, first), events=(event,))
    assert (found[Kind.RESTORED].claim.id, found[Kind.CLOSED].claim.id) == ("c1", "c2")
    assert found[Kind.CLOSED].reason == "rolled back: she said so"
    found = between(reading(2, second), reading(3, second, first), events=(event,))
    assert found[Kind.RESTORED].reason == "rolled back: she said so"


def test_a_cycle_after_a_roll_back_is_told_as_a_cycle() -> None:
    event = an_event(2, LedgerEventKind.ROLLED_BACK, restored=1)
    last = reading(3, held("c3"), changes=(change(ChangeKind.ADDED, "c3"),))
    found = between(reading(1), reading(2), last, events=(event,))
    assert found[Kind.ADDED].claim.id == "c3"


def test_what_is_gone_without_a_record_says_so() -> None:
    found = between(reading(1, held("c1")), reading(2))
    assert found[Kind.CLOSED].reason == "held no more"


def drawn(name: str, text: str, carried: int) -> Claim:
    state = ClaimState.CARRIED if carried else ClaimState.CURRENT
    return held(name, text, carried=carried, state=state)


CLAIMS = st.builds(
    drawn,
    st.sampled_from(["c1", "c2", "c3", "c4"]),
    st.sampled_from(["a", "b"]),
    st.integers(0, 2),
)
READINGS = st.lists(CLAIMS, max_size=4, unique_by=lambda claim: claim.id).map(lambda claims: reading(1, *claims))
MAYBE = st.none() | READINGS


@given(MAYBE)
def test_nothing_differs_from_itself(one: BoundaryState | None) -> None:
    assert difference(one, one) == {}
    assert items(difference(one, one), () if one is None else (one,), ()) == ()


@given(READINGS, READINGS)
def test_every_difference_is_told_once(a: BoundaryState, b: BoundaryState) -> None:
    told = [item.claim.id for item in items(difference(a, b), (b,), ())]
    assert sorted(told) == sorted(difference(a, b))


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_its_words_at_a_terminal(kind: Kind) -> None:
    from cli.ledger.ledger_changes import HEADINGS, SIGNS

    assert HEADINGS[kind]
    assert SIGNS[kind]
