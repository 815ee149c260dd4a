"""Topics over many conversations of a tenant: which claims that hold are about one matter."""

from collections.abc import Iterator, Sequence

import numpy as np

from consensus.embedding.vectors import FloatArray
from consensus.topics import topics_of
from context.filling import vectors_of
from context.passages import passages
from context.vectors import Rows
from dissolution.claims import Claim, ClaimId, Section
from dissolution.conversation import ConversationId
from dissolution.errors import InputError
from dissolution.findings import EmbeddingStamp
from dissolution.installed import HASHING, WHOLE, is_installed
from dissolution.ports.models import Embedder
from dissolution.ports.recall import StoredVector, TextKey
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.recall_kinds import RecallKind
from dissolution.values import Frozen

BATCH = 64
"""Claims that are embedded and stored in one transaction."""

SPELLING = "spelling alone was compared: the hashing embedder sees no meaning"


class TopicClaim(Frozen):
    """A claim that holds, and whose it is."""

    conversation: ConversationId
    id: ClaimId
    section: Section
    text: str


class Topic(Frozen):
    """Claims about one matter; the first is the most central and names it."""

    claims: tuple[TopicClaim, ...]

    @property
    def conversations(self) -> tuple[ConversationId, ...]:
        """The conversations it is met in, each once, by id."""
        return tuple(sorted({claim.conversation for claim in self.claims}))


class FoundTopics(Frozen):
    """The topics of conversations, and the claims that are in none."""

    conversations: int  # that have claims
    topics: tuple[Topic, ...]  # those of most conversations first, then the largest
    outside: tuple[TopicClaim, ...]
    notes: tuple[str, ...] = ()


def find_topics(
    units: UnitOfWorkFactory, embedder: Embedder, *, tenant: str, containing: str = "", least: int, most: int
) -> FoundTopics:
    """Topics over the claims that hold in a tenant's conversations.

    Vectors that recall has stored are used; those of claims that have none are made and stored.

    Args:
        units: Of the store.
        embedder: Makes the vectors.
        tenant: Whose conversations.
        containing: Only conversations whose id or title contains this text.
        least: Claims of a topic at least, 2 or more.
        most: Conversations at most, those that changed last.

    Raises:
        InputError: A light installation lacks what finds topics.
        ModelAssetError: The embedding model cannot be loaded.
        StoreUnavailable: Vectors are to be stored in a database that cannot be written.
    """
    if not is_installed("hdbscan"):
        raise InputError("a light installation finds no topics", WHOLE)
    with units.reading() as work:
        names = [facts.id for facts in work.service.listing.newest(tenant, containing, most)]
    claims: list[TopicClaim] = []
    rows: list[Rows] = []
    for name in names:
        with units.reading() as work:
            boundary = work.boundaries.current(name)
        if boundary is None or not boundary.claims:
            continue
        vectors = _vectors(units, embedder, name, boundary.claims)
        for claim in boundary.claims:
            claims.append(TopicClaim(conversation=name, id=claim.id, section=claim.section, text=claim.text))
            rows.append(vectors[claim.id])
    found = topics_of(_stacked(rows, embedder.stamp), least)
    topics = [Topic(claims=tuple(claims[row] for row in group)) for group in found.groups]
    return FoundTopics(
        conversations=len({claim.conversation for claim in claims}),
        topics=tuple(sorted(topics, key=lambda topic: (-len(topic.conversations), -len(topic.claims)))),
        outside=tuple(claims[row] for row in found.outside),
        notes=(SPELLING,) if embedder.stamp.model == HASHING else (),
    )


def _stacked(rows: Sequence[Rows], stamp: EmbeddingStamp) -> FloatArray:
    return np.stack(rows) if rows else np.zeros((0, stamp.dimension), dtype=np.float32)


def _vectors(
    units: UnitOfWorkFactory, embedder: Embedder, conversation: str, claims: Sequence[Claim]
) -> dict[ClaimId, Rows]:
    """A unit vector of each claim, shape (dimension,): of one in several passages their mean."""
    with units.reading() as work:
        _, stored = work.recall.vectors(conversation, embedder.stamp, 0)
    parts: dict[str, list[StoredVector]] = {}
    for one in stored:
        if one.key.kind is RecallKind.CLAIM:
            parts.setdefault(one.key.name, []).append(one)
    for batch in _batches([claim for claim in claims if claim.id not in parts]):
        texts = [(TextKey(RecallKind.CLAIM, claim.id), passages(claim.text)) for claim in batch]
        made = vectors_of(embedder, texts)
        with units() as work:
            work.recall.add_vectors(conversation, embedder.stamp, made)
            work.commit()
        for one in made:
            parts.setdefault(one.key.name, []).append(one)
    return {claim.id: _unit(parts[claim.id]) for claim in claims}


def _batches(claims: Sequence[Claim]) -> Iterator[Sequence[Claim]]:
    for start in range(0, len(claims), BATCH):
        yield claims[start : start + BATCH]


def _unit(parts: Sequence[StoredVector]) -> Rows:
    mean = np.mean([np.frombuffer(part.data, dtype="<f2").astype(np.float32) for part in parts], axis=0)
    length = float(np.linalg.norm(mean))
    return mean if length == 0 else (mean / length).astype(np.float32)
