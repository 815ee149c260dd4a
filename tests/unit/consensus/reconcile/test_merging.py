"""What cycles add to one claim, and how claims end."""

from datetime import timedelta

from consensus.reconcile.closing import ended, turn_after
from consensus.reconcile.merging import affirmed, carried, newest, oldest, statements_of
from dissolution.claims import ClaimState
from dissolution.conversation import Snapshot
from dissolution.intervals import InstantInterval, TurnInterval
from tests.factories import INSTANT, a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, said_by

TEXT = "The cache holds 512 MB."
SNAPSHOT = a_snapshot(TEXT, "Yes.", TEXT)


def test_an_affirmed_claim_keeps_id_and_words_and_grows() -> None:
    held = carried(a_claim(TEXT, SNAPSHOT, 1, name="c1"))
    assert (held.state, held.carried) == (ClaimState.CARRIED, 1)
    other = a_claim("It is 512 MB.", SNAPSHOT, 3, name="c2", writers=("cid",))
    found = affirmed(held, [other], 3)
    assert (found.id, found.text, found.state, found.carried, found.affirmed) == ("c1", TEXT, ClaimState.CURRENT, 0, 3)
    assert found.support.families == ("alpha", "beta", "gamma")
    assert (oldest(found), newest(found)) == (1, 3)


def test_the_same_words_of_a_member_count_once() -> None:
    assert len(statements_of(said_by(TEXT), said_by(TEXT, place=7))) == 2


def test_nothing_without_evidence_has_turns() -> None:
    claim = a_claim(TEXT, SNAPSHOT, 1).model_copy(update={"evidence": ()})
    assert (oldest(claim), newest(claim)) == (0, 0)


def test_ends_have_intervals() -> None:
    claim = a_claim(TEXT, SNAPSHOT, 2)
    assert ended(claim, ClaimState.SUPERSEDED, 3, "why").valid == TurnInterval(start=2, end=3)
    assert ended(claim, ClaimState.SUPERSEDED, 1, "why").valid == TurnInterval(start=2, end=2)
    assert ended(claim, ClaimState.CORRECTED, 3, "why").valid == TurnInterval(start=2, end=2)


def test_the_turn_after_an_interval_is_the_first_one_said_later() -> None:
    turns = tuple(t.model_copy(update={"said_at": INSTANT + timedelta(days=n)}) for n, t in enumerate(SNAPSHOT.turns))
    dated = Snapshot(conversation="c", turns=turns)
    claim = a_claim(TEXT, SNAPSHOT, 1)
    assert turn_after(dated, claim) == 3
    limited = claim.model_copy(
        update={"valid_instants": InstantInterval(start=INSTANT, end=INSTANT + timedelta(days=1))}
    )
    assert turn_after(dated, limited) == 2
