"""Rows of the ledger as they are written: claims, affirmations, dissent, their evidence, and the ends of old rows."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Table, bindparam, insert, update

from dissolution.claims import Claim, ClaimState, Evidence
from dissolution.conversation import ConversationId
from store.rules.versioning import Affirmation, Dissenting, Plan, RecordedClaim
from store.tables import ledger as tables


class NewVersion(NamedTuple):
    """The version that rows are written for."""

    conversation: ConversationId
    version: int
    at: datetime


def carry_out(connection: Connection, new: NewVersion, plan: Plan) -> None:
    """Write what `plan` changes: old rows end with the version, new ones begin with it."""
    end_claims(connection, new, [held.row for held in plan.ends])
    add_claims(connection, new, plan.adds)
    add_affirmations(connection, new, plan.affirms)
    end_dissent(connection, new, [one.row for one in plan.dissent_ends])
    add_dissent(connection, new, plan.dissent_adds)


def end_claims(connection: Connection, new: NewVersion, rows: Sequence[int]) -> None:
    """End the record of these rows of `claims` and of what was affirmed of them."""
    _end(connection, tables.claims, "row", rows, {"version_to": new.version, "recorded_to": new.at})
    end_affirmations(connection, new, rows)


def end_affirmations(connection: Connection, new: NewVersion, rows: Sequence[int]) -> None:
    """End what was affirmed of these rows of `claims`."""
    _end(connection, tables.affirmations, "claim", rows, {"version_to": new.version})


def end_dissent(connection: Connection, new: NewVersion, rows: Sequence[int]) -> None:
    """End the record of these rows of `dissent`."""
    _end(connection, tables.dissent, "row", rows, {"version_to": new.version})


def add_claims(connection: Connection, new: NewVersion, added: Sequence[RecordedClaim]) -> None:
    """Add rows of `claims` with their evidence."""
    values = [_claim_values(new, held) for held in added]
    numbers = _add(connection, tables.claims, values)
    owners = zip(numbers, (held.claim.evidence for held in added), strict=True)
    _add_evidence(connection, tables.evidence, "claim", new.conversation, owners)


def add_affirmations(connection: Connection, new: NewVersion, affirmed: Sequence[Affirmation]) -> None:
    """Add what a cycle said again, in place of what an earlier one did."""
    end_affirmations(connection, new, [one.held.row for one in affirmed])
    values: list[dict[str, object]] = []
    for one in affirmed:
        more = one.more
        values.append(
            {
                "claim": one.held.row,
                "version_from": new.version,
                "conversation": new.conversation,
                "cycle": one.held.cycle,
                "affirmed": more.affirmed,
                "reason": more.reason,
                "support": more.support,
                "evidence": more.evidence,
                "statements": more.statements,
            }
        )
    if values:
        connection.execute(insert(tables.affirmations), values)


def add_dissent(connection: Connection, new: NewVersion, added: Sequence[Dissenting]) -> None:
    """Add rows of `dissent` with their evidence."""
    values: list[dict[str, object]] = [
        {
            "id": one.dissent.id,
            "conversation": new.conversation,
            "job": one.job,
            "version_from": new.version,
            "since": one.place.since,
            "ordinal": one.place.ordinal,
            "cycles": one.dissent.cycles,
            "section": one.dissent.section.value,
            "text": one.dissent.text,
            "support": one.dissent.support,
            "reason": one.dissent.reason.value,
            "detail": one.dissent.detail,
            "against": one.dissent.against,
            "statements": one.dissent.statements,
        }
        for one in added
    ]
    owners = zip(_add(connection, tables.dissent, values), (one.dissent.evidence for one in added), strict=True)
    _add_evidence(connection, tables.dissent_evidence, "dissent", new.conversation, owners)


def _claim_values(new: NewVersion, held: RecordedClaim) -> dict[str, object]:
    claim = held.claim
    instants = claim.valid_instants
    return {
        "id": claim.id,
        "conversation": new.conversation,
        "job": held.job,
        "version_from": new.version,
        "recorded_from": new.at,
        "since": held.place.since,
        "ordinal": held.place.ordinal,
        "cycle": held.cycle,
        "affirmed": claim.affirmed,
        "section": claim.section.value,
        "text": claim.text,
        "state": stored_state(claim),
        "temporal_class": claim.temporal_class.value,
        "valid_from_turn": claim.valid.start,
        "valid_to_turn": claim.valid.end,
        "valid_from": instants and instants.start,
        "valid_to": instants and instants.end,
        "closing": claim.closing,
        "support": claim.support,
        "marks": claim.marks,
        "reason": claim.reason,
        "statements": claim.statements,
    }


def stored_state(claim: Claim) -> str:
    """The state as a row keeps it: whether an open claim is carried follows from the cycle that said it last."""
    return ClaimState.CURRENT.value if claim.closing is None else claim.state.value


def _end(connection: Connection, table: Table, owner: str, rows: Sequence[int], ends: dict[str, object]) -> None:
    """Ends are set once: a row whose record has ended keeps its end."""
    if rows:
        one = update(table).where(table.c[owner] == bindparam("of_row"), table.c.version_to.is_(None)).values(ends)
        connection.execute(one, [{"of_row": row} for row in rows])


def _add(connection: Connection, table: Table, values: list[dict[str, object]]) -> list[int]:
    """Insert rows in order; returns their numbers in the same order."""
    if not values:
        return []
    inserted = insert(table).returning(table.c.row, sort_by_parameter_order=True)
    return list(connection.scalars(inserted, values))


def _add_evidence(
    connection: Connection,
    table: Table,
    owner: str,
    conversation: ConversationId,
    owners: Iterable[tuple[int, tuple[Evidence, ...]]],
) -> None:
    values = [
        {
            owner: row,
            "ordinal": ordinal,
            "conversation": conversation,
            "turn": piece.turn,
            "start": piece.start,
            "end": piece.end,
            "text": piece.text,
        }
        for row, pieces in owners
        for ordinal, piece in enumerate(pieces)
    ]
    if values:
        connection.execute(insert(table), values)
