"""The port of recall: texts to index, what stands where, and the vectors of texts (derived, and kept beside them)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from dissolution.claims import Claim, Dissent
from dissolution.conversation import ConversationId, Turn, TurnNumber
from dissolution.findings import EmbeddingStamp
from dissolution.ledger import Query
from dissolution.recall_kinds import RecallKind
from dissolution.recalling import Became


class TextKey(NamedTuple):
    """Whose a text is: a kind, and the id of a claim or dissent or the number of a turn."""

    kind: RecallKind
    name: str


class LedgerText(NamedTuple):
    """What a claim or dissent says."""

    key: TextKey
    text: str


class Extent(NamedTuple):
    """How far a conversation and its ledger go, and what tells another one of the same name from it."""

    turns: int
    chained: str | None  # digest of all turns; None without any
    version: int
    recorded: datetime | None  # when the version was recorded; None without one


class StoredVector(NamedTuple):
    """One vector of a text: of the whole of it, or of one of its passages."""

    key: TextKey
    part: int  # from 0
    data: bytes  # little-endian float16, as many as the stamp's dimension


class RecallStore(Protocol):
    """What recall reads, and the one thing that it keeps: vectors, which can be made again from the texts."""

    def extent(self, conversation: ConversationId) -> Extent:
        """How far it goes. Raises NotFound."""
        ...

    def extent_at(self, conversation: ConversationId, turns: int, version: int) -> Extent | None:
        """What `extent` would have said when it had so many turns and so many versions; None when it has fewer now."""
        ...

    def turn_texts(self, conversation: ConversationId, after: int) -> Iterable[tuple[TurnNumber, str]]:
        """Number and content of the turns after a number, in order. To be read at once."""
        ...

    def ledger_texts(self, conversation: ConversationId, after: int) -> Iterable[LedgerText]:
        """What claims and dissent say that versions after one have recorded, in order. To be read at once."""
        ...

    def turns(self, conversation: ConversationId, numbers: Collection[TurnNumber]) -> dict[TurnNumber, Turn]:
        """These turns, by number."""
        ...

    def turns_known(self, conversation: ConversationId, query: Query) -> int:
        """The last turn that the query's moment lets in: said up to its turn, recorded by then or in its version.

        Raises NotFound for a version that is not there.
        """
        ...

    def open_ids(self, conversation: ConversationId) -> dict[RecallKind, frozenset[str]]:
        """The claims that hold and the dissent that nobody dismissed, as the newest version has them."""
        ...

    def fitting(
        self, conversation: ConversationId, query: Query, keys: Collection[TextKey] | None
    ) -> frozenset[TextKey]:
        """Which of these claims and dissent fit the query, or of all if None; its limit does not count.

        A dissent holds nothing, so of the valid axis only a turn counts: one of its words was said by then.

        Raises NotFound for a version that is not there.
        """
        ...

    def claims(self, conversation: ConversationId, query: Query, ids: Collection[str]) -> dict[str, Claim]:
        """These claims by id as the query's moment knows them, those that are not known then left out."""
        ...

    def dissent(self, conversation: ConversationId, query: Query, ids: Collection[str]) -> dict[str, Dissent]:
        """These dissents by id as the query's moment knows them, those that are not known then left out."""
        ...

    def resting_on(
        self, conversation: ConversationId, turns: Collection[TurnNumber]
    ) -> dict[TurnNumber, tuple[Became, ...]]:
        """The claims of the newest version that rest on words of these turns, by turn, in their places."""
        ...

    def vectors(
        self, conversation: ConversationId, stamp: EmbeddingStamp, after: int
    ) -> tuple[int, Sequence[StoredVector]]:
        """The vectors of a stamp that were stored behind a place, and the place of the last of them.

        The place before the first is 0. Those of another stamp are passed over.
        """
        ...

    def add_vectors(self, conversation: ConversationId, stamp: EmbeddingStamp, added: Sequence[StoredVector]) -> None:
        """Store the vectors of whole texts; those of another stamp for the same texts go. Raises NotFound.

        Texts whose vectors of this stamp another process has stored meanwhile keep them.
        """
        ...
