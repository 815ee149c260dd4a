"""RecallStore over SQL: what recall reads, and the vectors of texts."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Select, delete, exists, func, select, true

from dissolution.claims import Claim, ClaimState, Closing, Dissent, DissentReason
from dissolution.conversation import ConversationId, Turn, TurnNumber
from dissolution.errors import NotFound
from dissolution.findings import EmbeddingStamp
from dissolution.ledger import Query
from dissolution.ports.recall import Extent, LedgerText, StoredVector, TextKey
from dissolution.recall_kinds import RecallKind
from dissolution.recalling import Became
from store.rules.checks import CONVERSATION
from store.rules.ledger_views import shown
from store.sql.conversations import read_turn
from store.sql.ledger_reading import dissent_at, fits, held_at, in_batches, read_dissent, read_held, recorded
from store.sql.rows import Repository, insert_if_absent
from store.sql.versions import SqlVersions, VersionRow
from store.tables import jobs as tables
from store.tables import ledger as ledger_tables
from store.tables.columns import utc
from store.tables.vectors import vectors


class SqlRecall(Repository):
    """Recall in one transaction."""

    def extent(self, conversation: ConversationId) -> Extent:
        """How far it goes. Raises NotFound."""
        found = self._connection.execute(self._extent(conversation, None, None)).one_or_none()
        if found is None:
            raise NotFound(CONVERSATION, conversation)
        return Extent(found.turns or 0, found.chained, found.version or 0, found.recorded)

    def extent_at(self, conversation: ConversationId, turns: int, version: int) -> Extent | None:
        """What `extent` said with so many turns and versions; None when it has fewer now."""
        found = self._connection.execute(self._extent(conversation, turns, version)).one_or_none()
        if found is None or (found.turns or 0) < turns or (found.version or 0) < version:
            return None
        return Extent(turns, found.chained, version, found.recorded)

    def turn_texts(self, conversation: ConversationId, after: int) -> Iterator[tuple[TurnNumber, str]]:
        """Number and content of the turns after a number, in order."""
        turns = tables.turns.c
        query = select(turns.number, turns.content).where(turns.conversation == conversation, turns.number > after)
        with self._connection.execute(query.order_by(turns.number)) as rows:
            for row in rows:
                yield row.number, row.content

    def ledger_texts(self, conversation: ConversationId, after: int) -> Iterator[LedgerText]:
        """What claims and dissent say that versions after one have recorded, in order."""
        for kind, table in ((RecallKind.CLAIM, ledger_tables.claims), (RecallKind.DISSENT, ledger_tables.dissent)):
            since = (table.c.conversation == conversation, table.c.version_from > after)
            query = select(table.c.id, table.c.text).where(*since).order_by(table.c.version_from, table.c.row)
            with self._connection.execute(query) as rows:
                for name, text in rows:
                    yield LedgerText(TextKey(kind, name), text)

    def turns(self, conversation: ConversationId, numbers: Collection[TurnNumber]) -> dict[TurnNumber, Turn]:
        """These turns, by number."""
        turns = tables.turns
        found: dict[int, Turn] = {}
        for part in in_batches(sorted(numbers)):
            query = select(turns).where(turns.c.conversation == conversation, turns.c.number.in_(part))
            found.update({row.number: read_turn(row) for row in self._connection.execute(query)})
        return found

    def turns_known(self, conversation: ConversationId, query: Query) -> int:
        """The last turn that the query's moment lets in. Raises NotFound for a version that is not there."""
        turns, at = tables.turns.c, query.at
        last = select(func.max(turns.number)).where(turns.conversation == conversation)
        if at.version is not None:
            last = last.where(turns.number <= self._versions.standing(conversation, at.version).event.through)
        if at.recorded is not None:
            last = last.where(turns.recorded_at <= utc(at.recorded))
        if at.turn is not None:
            last = last.where(turns.number <= at.turn)
        return self._connection.scalar(last) or 0

    def open_ids(self, conversation: ConversationId) -> dict[RecallKind, frozenset[str]]:
        """The claims that hold and the dissent that nobody dismissed, as the newest version has them."""
        claims, dissent = ledger_tables.claims, ledger_tables.dissent
        held = select(claims.c.id).where(
            claims.c.conversation == conversation, claims.c.version_to.is_(None), ledger_tables.IS_OPEN
        )
        heard = dissent_at(conversation, None).where(dissent.c.reason != DissentReason.DISMISSED.value)
        ids = heard.with_only_columns(dissent.c.id)
        return {
            RecallKind.CLAIM: frozenset(self._connection.scalars(held)),
            RecallKind.DISSENT: frozenset(self._connection.scalars(ids)),
        }

    def fitting(
        self, conversation: ConversationId, query: Query, keys: Collection[TextKey] | None
    ) -> frozenset[TextKey]:
        """Which of these claims and dissent, or of all, fit the query. Raises NotFound for an absent version."""
        standing = self._versions.at_moment(conversation, query.at)
        if standing is None:
            return frozenset()
        claims = ledger_tables.claims

        def read(version: int | None) -> list[TextKey]:
            held = select(claims.c.id).where(
                claims.c.conversation == conversation, recorded(claims, version), *fits(query)
            )
            heard = _heard(conversation, version, query)
            found: list[TextKey] = []
            for kind, wanted in ((RecallKind.CLAIM, held), (RecallKind.DISSENT, heard)):
                column = claims.c.id if kind is RecallKind.CLAIM else ledger_tables.dissent.c.id
                names = None if keys is None else [key.name for key in keys if key.kind is kind]
                for one in (
                    [wanted] if names is None else [wanted.where(column.in_(part)) for part in in_batches(names)]
                ):
                    found.extend(TextKey(kind, name) for name in self._connection.scalars(one))
            return found

        return frozenset(self._versions.reading(standing, read))

    def claims(self, conversation: ConversationId, query: Query, ids: Collection[str]) -> dict[str, Claim]:
        """These claims by id as the query's moment knows them."""
        standing = self._standing(conversation, query, ids)
        if standing is None:
            return {}
        named = ledger_tables.claims.c.id.in_(ids)

        def read(version: int | None) -> dict[str, Claim]:
            held = read_held(self._connection, held_at(conversation, version, named))
            return {one.claim.id: shown(one, standing.cycle) for one in held}

        return self._versions.reading(standing, read)

    def dissent(self, conversation: ConversationId, query: Query, ids: Collection[str]) -> dict[str, Dissent]:
        """These dissents by id as the query's moment knows them."""
        standing = self._standing(conversation, query, ids)
        if standing is None:
            return {}
        named = ledger_tables.dissent.c.id.in_(ids)

        def read(version: int | None) -> dict[str, Dissent]:
            heard = read_dissent(self._connection, dissent_at(conversation, version).where(named))
            return {one.dissent.id: one.dissent for one in heard}

        return self._versions.reading(standing, read)

    def resting_on(
        self, conversation: ConversationId, turns: Collection[TurnNumber]
    ) -> dict[TurnNumber, tuple[Became, ...]]:
        """The claims of the newest version that rest on words of these turns, by turn, in their places."""
        claims, evidence = ledger_tables.claims, ledger_tables.evidence
        columns = (evidence.c.turn, claims.c.id, claims.c.state, claims.c.closing)
        query = (
            select(*columns)
            .distinct()
            .join(claims, claims.c.row == evidence.c.claim)
            .where(evidence.c.conversation == conversation, evidence.c.turn.in_(turns), recorded(claims, None))
        )
        ordered = query.add_columns(claims.c.since, claims.c.ordinal).order_by(claims.c.since, claims.c.ordinal)
        found: dict[int, tuple[Became, ...]] = {}
        for turn, name, state, closing, *_ in self._connection.execute(ordered):
            by = closing.by if isinstance(closing, Closing) else None
            found[turn] = (*found.get(turn, ()), Became(claim=name, state=ClaimState(state), by=by))
        return found

    def vectors(
        self, conversation: ConversationId, stamp: EmbeddingStamp, after: int
    ) -> tuple[int, Sequence[StoredVector]]:
        """The vectors of a stamp that were stored behind a place, and the place of the last of them."""
        of_stamp = (vectors.c.conversation == conversation, vectors.c.stamp == stamp.digest, vectors.c.row > after)
        columns = (vectors.c.row, vectors.c.kind, vectors.c.name, vectors.c.part, vectors.c.data)
        rows = self._connection.execute(select(*columns).where(*of_stamp).order_by(vectors.c.row)).all()
        found = [StoredVector(TextKey(RecallKind(kind), name), part, data) for _, kind, name, part, data in rows]
        return (rows[-1][0] if rows else after), found

    def add_vectors(self, conversation: ConversationId, stamp: EmbeddingStamp, added: Sequence[StoredVector]) -> None:
        """Store the vectors of whole texts; those of another stamp for the same texts go. Raises NotFound."""
        row = select(tables.conversations.c.id).where(tables.conversations.c.id == conversation)
        if self._connection.execute(row.with_for_update(read=True)).one_or_none() is None:
            raise NotFound(CONVERSATION, conversation)
        for kind in RecallKind:
            names = sorted({one.key.name for one in added if one.key.kind is kind})
            for part in in_batches(names):
                old = (vectors.c.conversation == conversation, vectors.c.kind == kind.value, vectors.c.name.in_(part))
                self._connection.execute(delete(vectors).where(*old, vectors.c.stamp != stamp.digest))
        rows = [
            {
                "conversation": conversation,
                "kind": one.key.kind.value,
                "name": one.key.name,
                "part": one.part,
                "stamp": stamp.digest,
                "data": one.data,
            }
            for one in added
        ]
        for part in in_batches(rows):
            insert_if_absent(self._connection, vectors, *part)

    @property
    def _versions(self) -> SqlVersions:
        return SqlVersions(self._connection)

    def _standing(self, conversation: ConversationId, query: Query, ids: Collection[str]) -> VersionRow | None:
        return self._versions.at_moment(conversation, query.at) if ids else None

    def _extent(
        self, conversation: ConversationId, turns: int | None, version: int | None
    ) -> Select[Any, Any, Any, Any]:
        """The last turn and the newest version, each up to a number if one is given."""
        said, events = tables.turns, ledger_tables.ledger_events
        last = select(said.c.number, said.c.chained, said.c.conversation)
        newest = select(events.c.version, events.c.at, events.c.conversation)
        last = last.where(said.c.conversation == conversation, true() if turns is None else said.c.number <= turns)
        newest = newest.where(
            events.c.conversation == conversation, true() if version is None else events.c.version <= version
        )
        turn = last.order_by(said.c.number.desc()).limit(1).subquery()
        event = newest.order_by(events.c.version.desc()).limit(1).subquery()
        of_it = tables.conversations.c.id
        joined = tables.conversations.outerjoin(turn, turn.c.conversation == of_it)
        joined = joined.outerjoin(event, event.c.conversation == of_it)
        columns = (turn.c.number.label("turns"), turn.c.chained, event.c.version, event.c.at.label("recorded"))
        return select(*columns).select_from(joined).where(of_it == conversation)


def _heard(conversation: ConversationId, version: int | None, query: Query) -> Select[Any]:
    """The ids of dissent that fits: not dismissed if only what is open is wanted, said by the turn that is given."""
    dissent, evidence = ledger_tables.dissent, ledger_tables.dissent_evidence
    heard = dissent_at(conversation, version)
    if query.open_only:
        heard = heard.where(dissent.c.reason != DissentReason.DISMISSED.value)
    if query.section is not None:
        heard = heard.where(dissent.c.section == query.section.value)
    if query.at.turn is not None:
        by_then = exists().where(evidence.c.dissent == dissent.c.row, evidence.c.turn <= query.at.turn)
        heard = heard.where(by_then)
    return heard.with_only_columns(dissent.c.id)
