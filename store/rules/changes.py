"""What a cycle changed, as rows: what it did claim by claim, what it left as it was in one row for all. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dissolution.claims import ClaimId, Evidence
from dissolution.ledger import Change, ChangeKind


class Packed(NamedTuple):
    """One row of changes. With no claim it stands for every carried claim that no other row names."""

    kind: ChangeKind
    claim: ClaimId | None
    other: str | None
    reason: str
    evidence: tuple[Evidence, ...]


def pack(changes: Sequence[Change], carried: Sequence[str]) -> list[Packed]:
    """The rows of a cycle's changes: as many as the cycle did something, however much the ledger holds.

    Args:
        changes: What became of each claim.
        carried: The ids of the open claims that the cycle did not say.
    """
    every = [Packed(one.kind, one.claim, one.other, one.reason, one.evidence) for one in changes]
    plain = Counter(one.reason for one in every if _is_plain(one))
    if not plain:
        return every
    shared = plain.most_common(1)[0][0]
    told = {one.claim for one in every if not (_is_plain(one) and one.reason == shared)}
    own = [one for one in every if not _is_plain(one) or one.reason != shared or one.claim in told]
    rest = {one.claim for one in every if _is_plain(one) and one.claim not in told}
    if rest != set(carried) - told:
        return every
    return [*own, Packed(ChangeKind.CARRIED, None, None, shared, ())]


def unpack(rows: Sequence[Packed], carried: Sequence[str]) -> tuple[Change, ...]:
    """The changes that `pack` was given, those that shared a row last; `carried` as there."""
    told = {row.claim for row in rows}
    silent = [claim for claim in carried if claim not in told]
    return tuple(
        Change(kind=row.kind, claim=claim, other=row.other, reason=row.reason, evidence=row.evidence)
        for row in rows
        for claim in (silent if row.claim is None else [row.claim])
    )


def _is_plain(row: Packed) -> bool:
    return row.kind is ChangeKind.CARRIED and row.other is None and not row.evidence
