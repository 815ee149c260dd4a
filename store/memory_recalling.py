"""RecallStore in memory. See `dissolution.ports.recall` for what methods promise."""

from collections.abc import Collection, Iterator, Sequence

from dissolution.claims import OPEN_STATES, Claim, ClaimState, Dissent, DissentReason
from dissolution.conversation import Conversation, ConversationId, Turn, TurnNumber, chained_digests
from dissolution.errors import NotFound
from dissolution.findings import EmbeddingStamp
from dissolution.ledger import Query
from dissolution.ports.recall import Extent, LedgerText, StoredVector, TextKey
from dissolution.recall_kinds import RecallKind
from dissolution.recalling import Became
from store.memory_ledger import MemoryLedger
from store.memory_state import MemoryVersion, State
from store.rules.checks import CONVERSATION
from store.rules.ledger_views import shown
from store.rules.moments import fits
from store.tables.columns import utc


class MemoryRecall:
    """Recall in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._ledger = MemoryLedger(state)

    def extent(self, conversation: ConversationId) -> Extent:
        """How far it goes. Raises NotFound."""
        return self._extent(conversation, len(self._stored(conversation).turns), len(self._versions(conversation)))

    def extent_at(self, conversation: ConversationId, turns: int, version: int) -> Extent | None:
        """What `extent` said with so many turns and versions; None when it has fewer now."""
        stored = self._state.conversations.get(conversation)
        if stored is None or len(stored.turns) < turns or len(self._versions(conversation)) < version:
            return None
        return self._extent(conversation, turns, version)

    def turn_texts(self, conversation: ConversationId, after: int) -> Iterator[tuple[TurnNumber, str]]:
        """Number and content of the turns after a number, in order."""
        stored = self._state.conversations.get(conversation)
        for turn in () if stored is None else stored.turns[after:]:
            yield turn.number, turn.content

    def ledger_texts(self, conversation: ConversationId, after: int) -> Iterator[LedgerText]:
        """What claims and dissent say that versions after one have recorded, in order."""
        for version in self._versions(conversation)[after:]:
            for held in version.held:
                yield LedgerText(TextKey(RecallKind.CLAIM, held.claim.id), held.claim.text)
            for one in version.dissent:
                yield LedgerText(TextKey(RecallKind.DISSENT, one.dissent.id), one.dissent.text)

    def turns(self, conversation: ConversationId, numbers: Collection[TurnNumber]) -> dict[TurnNumber, Turn]:
        """These turns, by number."""
        stored = self._state.conversations.get(conversation)
        return {turn.number: turn for turn in (stored.turns if stored else ()) if turn.number in set(numbers)}

    def turns_known(self, conversation: ConversationId, query: Query) -> int:
        """The last turn that the query's moment lets in. Raises NotFound for a version that is not there."""
        stored, at = self._state.conversations.get(conversation), query.at
        through = None if at.version is None else self._ledger.standing(conversation, at.version).event.through
        known = [
            turn.number
            for turn in (stored.turns if stored else ())
            if (through is None or turn.number <= through)
            and (at.recorded is None or turn.recorded_at <= utc(at.recorded))
            and (at.turn is None or turn.number <= at.turn)
        ]
        return max(known, default=0)

    def open_ids(self, conversation: ConversationId) -> dict[RecallKind, frozenset[str]]:
        """The claims that hold and the dissent that nobody dismissed, as the newest version has them."""
        newest = next(reversed(self._versions(conversation)), None)
        held = newest.held if newest else ()
        heard = newest.dissent if newest else ()
        return {
            RecallKind.CLAIM: frozenset(one.claim.id for one in held if one.claim.state in OPEN_STATES),
            RecallKind.DISSENT: frozenset(
                one.dissent.id for one in heard if one.dissent.reason is not DissentReason.DISMISSED
            ),
        }

    def fitting(self, conversation: ConversationId, query: Query, keys: Collection[TextKey]) -> frozenset[TextKey]:
        """Which of these claims and dissent fit the query. Raises NotFound for a version that is not there."""
        standing = self._ledger.at_moment(conversation, query.at)
        if standing is None:
            return frozenset()
        held = {TextKey(RecallKind.CLAIM, one.claim.id) for one in standing.held if fits(one.claim, query)}
        heard = {TextKey(RecallKind.DISSENT, one.dissent.id) for one in standing.dissent if _heard(one.dissent, query)}
        return frozenset((held | heard) & set(keys))

    def claims(self, conversation: ConversationId, query: Query, ids: Collection[str]) -> dict[str, Claim]:
        """These claims by id as the query's moment knows them."""
        standing = self._ledger.at_moment(conversation, query.at) if ids else None
        found = [one for one in standing.held if one.claim.id in ids] if standing else []
        return {one.claim.id: shown(one, standing.cycle) for one in found} if standing else {}

    def dissent(self, conversation: ConversationId, query: Query, ids: Collection[str]) -> dict[str, Dissent]:
        """These dissents by id as the query's moment knows them."""
        standing = self._ledger.at_moment(conversation, query.at) if ids else None
        return {one.dissent.id: one.dissent for one in standing.dissent if one.dissent.id in ids} if standing else {}

    def resting_on(
        self, conversation: ConversationId, turns: Collection[TurnNumber]
    ) -> dict[TurnNumber, tuple[Became, ...]]:
        """The claims of the newest version that rest on words of these turns, by turn, in their places."""
        newest = next(reversed(self._versions(conversation)), None)
        found: dict[int, tuple[Became, ...]] = {}
        for held in sorted(newest.held if newest else (), key=lambda held: (held.place, held.row)):
            claim = held.claim
            own = claim.evidence[: held.own[0]]
            became = Became(claim=claim.id, state=_stored_state(claim), by=claim.closing.by if claim.closing else None)
            for turn in sorted({piece.turn for piece in own} & set(turns)):
                found[turn] = (*found.get(turn, ()), became)
        return found

    def vectors(
        self, conversation: ConversationId, stamp: EmbeddingStamp, after: int
    ) -> tuple[int, Sequence[StoredVector]]:
        """The vectors of a stamp that were stored behind a place, and the place of the last of them."""
        found = sorted(
            (place, StoredVector(TextKey(kind, name), part, data))
            for (owner, kind, name, part), (place, digest, data) in self._state.vectors.items()
            if owner == conversation and digest == stamp.digest and place > after
        )
        return (found[-1][0] if found else after), [one for _, one in found]

    def add_vectors(self, conversation: ConversationId, stamp: EmbeddingStamp, added: Sequence[StoredVector]) -> None:
        """Store the vectors of whole texts; those of another stamp for the same texts go. Raises NotFound."""
        self._stored(conversation)
        stored = self._state.vectors
        keys = {(conversation, *one.key) for one in added}
        for key in [key for key, value in stored.items() if key[:3] in keys and value[1] != stamp.digest]:
            del stored[key]
        for place, one in enumerate(added, start=1 + max((value[0] for value in stored.values()), default=0)):
            stored.setdefault((conversation, one.key.kind, one.key.name, one.part), (place, stamp.digest, one.data))

    def _stored(self, conversation: ConversationId) -> Conversation:
        if conversation not in self._state.conversations:
            raise NotFound(CONVERSATION, conversation)
        return self._state.conversations[conversation]

    def _versions(self, conversation: ConversationId) -> tuple[MemoryVersion, ...]:
        return self._ledger.versions(conversation)

    def _extent(self, conversation: ConversationId, turns: int, version: int) -> Extent:
        chained = chained_digests(self._stored(conversation).turns[:turns])
        recorded = self._versions(conversation)[version - 1].event.at if version else None
        return Extent(turns, chained[-1] if chained else None, version, recorded)


def _stored_state(claim: Claim) -> ClaimState:
    return ClaimState.CURRENT if claim.state in OPEN_STATES else claim.state


def _heard(one: Dissent, query: Query) -> bool:
    turn = query.at.turn
    return (
        (not query.open_only or one.reason is not DissentReason.DISMISSED)
        and (query.section is None or one.section is query.section)
        and (turn is None or any(piece.turn <= turn for piece in one.evidence))
    )
