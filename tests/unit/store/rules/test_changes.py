from hypothesis import given
from hypothesis import strategies as st

from dissolution.ledger import Change, ChangeKind
from store.rules.changes import pack, unpack
from tests.unit.store.ledgers import TALK, a_quote

SILENT = "not said, not closed"


def _carried(*claims: str, reason: str = SILENT) -> list[Change]:
    return [Change(kind=ChangeKind.CARRIED, claim=claim, reason=reason) for claim in claims]


def test_carried_claims_share_one_row_however_many_they_are() -> None:
    ids = [f"c{number}" for number in range(5000)]
    added = Change(kind=ChangeKind.ADDED, claim="new", reason="not held before")

    rows = pack([added, *_carried(*ids)], ids)

    assert [(row.kind, row.claim) for row in rows] == [(ChangeKind.ADDED, "new"), (ChangeKind.CARRIED, None)]
    assert unpack(rows, ids) == (added, *_carried(*ids))


def test_a_claim_that_is_told_of_otherwise_keeps_its_own_row() -> None:
    contested = Change(kind=ChangeKind.CONTESTED, claim="c1", other="c2", reason="no turn settles it")
    changes = [contested, *_carried("c1", "c2", "c3")]

    rows = pack(changes, ["c1", "c2", "c3"])

    assert [row.claim for row in rows] == ["c1", "c1", None]
    assert sorted(unpack(rows, ["c1", "c2", "c3"]), key=repr) == sorted(changes, key=repr)


def test_what_is_not_told_of_every_carried_claim_is_told_claim_by_claim() -> None:
    assert [row.claim for row in pack(_carried("c1", "c2"), ["c1", "c2", "c3"])] == ["c1", "c2"]
    assert pack([], ["c1"]) == []


KINDS = st.sampled_from([ChangeKind.ADDED, ChangeKind.CARRIED, ChangeKind.CONTESTED, ChangeKind.CLOSED])
IDS = st.sampled_from(["c1", "c2", "c3", "c4"])
CHANGES = st.builds(
    Change,
    kind=KINDS,
    claim=IDS,
    other=st.one_of(st.none(), IDS),
    reason=st.sampled_from([SILENT, "another"]),
    evidence=st.sampled_from([(), (a_quote(TALK, 1),)]),
)


@given(st.lists(CHANGES, max_size=8, unique_by=lambda change: (change.kind, change.claim)), st.sets(IDS))
def test_nothing_is_lost_or_made_up(changes: list[Change], carried: set[str]) -> None:
    back = unpack(pack(changes, sorted(carried)), sorted(carried))

    assert sorted(back, key=repr) == sorted(changes, key=repr)
