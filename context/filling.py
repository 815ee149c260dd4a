"""Making the vectors that a conversation lacks: its newest texts first, a bounded number at a time."""

from collections.abc import Sequence

import numpy as np

from context.passages import passages
from context.vectors import Rows, halved
from dissolution.findings import Vectors
from dissolution.ledger import Query
from dissolution.ports.models import Embedder
from dissolution.ports.recall import RecallStore, StoredVector, TextKey
from dissolution.recall_kinds import RecallKind


def rows_of(vectors: Vectors) -> Rows:
    """The rows of what an embedder gave, shape (count, dimension), float32."""
    return np.frombuffer(vectors.data, dtype="<f4").reshape(vectors.count, vectors.stamp.dimension)


def texts_of(
    store: RecallStore, conversation: str, keys: Sequence[TextKey], most: int
) -> tuple[list[tuple[TextKey, tuple[str, ...]]], list[TextKey]]:
    """The passages of texts in their order, until there are `most` of them, at least those of one text.

    And those of the texts that no version which stands has.
    """
    names = {kind: [key.name for key in keys if key.kind is kind] for kind in RecallKind}
    turns = store.turns(conversation, [int(name) for name in names[RecallKind.TURN]])
    now = Query(open_only=False)
    claims = store.claims(conversation, now, names[RecallKind.CLAIM])
    dissent = store.dissent(conversation, now, names[RecallKind.DISSENT])
    texts = {TextKey(RecallKind.TURN, str(number)): turn.content for number, turn in turns.items()}
    texts |= {TextKey(RecallKind.CLAIM, name): claim.text for name, claim in claims.items()}
    texts |= {TextKey(RecallKind.DISSENT, name): one.text for name, one in dissent.items()}
    found: list[tuple[TextKey, tuple[str, ...]]] = []
    count = 0
    for key in keys:
        if key not in texts:
            continue
        parts = passages(texts[key])
        if found and count + len(parts) > most:
            break
        found.append((key, parts))
        count += len(parts)
    return found, [key for key in keys if key not in texts]


def vectors_of(embedder: Embedder, texts: Sequence[tuple[TextKey, tuple[str, ...]]]) -> list[StoredVector]:
    """The vectors of passages, as they are stored. Raises ModelAssetError."""
    rows = halved(rows_of(embedder.embed([part for _, parts in texts for part in parts])))
    places = [(key, at) for key, parts in texts for at in range(len(parts))]
    return [StoredVector(key, at, data) for (key, at), data in zip(places, rows, strict=True)]
