"""Claims grouped by words and by meaning, held against groups that people made."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, cast

import numpy as np
from pydantic import Field, ValidationError

from consensus.embedding.calibration import calibration_for
from consensus.embedding.vectors import FloatArray, Matrix, cosine_matrix, settled, unpack
from consensus.grouping.cluster import Groups, average_linkage
from consensus.grouping.shared_groups import grouped
from consensus.wording.distance import joint_distances
from consensus.wording.lexical import cosines, tfidf_rows
from consensus.wording.profile import Profile, profile_of
from dissolution.errors import InputError
from dissolution.ports.models import Embedder
from dissolution.values import Frozen
from language.sentences import sentence_spans
from language.words import words
from stability.experiments.data import known

GREEDY_COSINE = 0.85
"""From which the dissertation puts two embeddings into one cluster."""

TFIDF_COSINE = 0.20
"""And two texts by their words."""


class LabelledClaim(Frozen):
    """One claim of a label file."""

    id: str
    writer: str
    text: str


class LabelledGroup(Frozen):
    """Claims that say the same."""

    claims: tuple[str, ...]


class Labels(Frozen):
    """The claims of one conversation's answers, grouped by people (benchmarks/data/labels/SPEC.md)."""

    claims: Annotated[tuple[LabelledClaim, ...], Field(min_length=1)]
    groups: tuple[LabelledGroup, ...]


def labels_of(given: Mapping[str, object], name: str) -> Labels:
    """What a label file says; fields for other readers are left out. Raises InputError."""
    kept: dict[str, object] = {}
    for field, model in (("claims", LabelledClaim), ("groups", LabelledGroup)):
        entries = given.get(field)
        listed = cast("list[object]", entries) if isinstance(entries, list) else []
        kept[field] = [known(one, model) for one in listed]
    try:
        return Labels.model_validate(kept)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(
            f"label file {name!r}: {place}: {first['msg']}", "see benchmarks/data/labels/SPEC.md"
        ) from error


class PairCount(Frozen):
    """Pairs of claims that labels and a grouping put together."""

    both: int
    said: int  # by the grouping
    true: int  # by the labels

    @property
    def precision(self) -> float:
        """Of the pairs that were put together, those that say the same; 0 when there are none."""
        return self.both / max(1, self.said)

    @property
    def recall(self) -> float:
        """Of the pairs that say the same, those that were put together."""
        return self.both / max(1, self.true)

    @property
    def f1(self) -> float:
        """The harmonic mean of the two: 2 both / (said + true)."""
        return 2 * self.both / max(1, self.said + self.true)


def greedy(similarities: Matrix, least: float) -> Groups:
    """Each claim joins the first group whose first claim is at least this similar, else it opens one."""
    groups: list[list[int]] = []
    for row in range(len(similarities)):
        home = next((group for group in groups if similarities[row, group[0]] >= least), None)
        if home is None:
            groups.append([row])
        else:
            home.append(row)
    return tuple(tuple(group) for group in groups)


def tfidf(texts: Iterable[str]) -> Matrix:
    """TF-IDF cosines of texts' words, as the dissertation takes them: no stems, no stopwords removed."""
    return cosines(tfidf_rows([[word.casefold() for word in words(text)] for text in texts]))


def pairs_of(groups: Iterable[Sequence[int]]) -> set[tuple[int, int]]:
    """All pairs that stand in one group."""
    return {(a, b) for group in groups for a in group for b in group if a < b}


def count(true: set[tuple[int, int]], groups: Groups) -> PairCount:
    """A grouping against the true pairs."""
    said = pairs_of(groups)
    return PairCount(both=len(true & said), said=len(said), true=len(true))


def compared(labels: Labels, embedder: Embedder) -> dict[str, PairCount]:
    """Groupings of one label file by name: by words, by meaning, and as the product does it."""
    place = {claim.id: row for row, claim in enumerate(labels.claims)}
    true = pairs_of([[place[name] for name in group.claims] for group in labels.groups])
    profiles = [profile_of(claim.text) for claim in labels.claims]
    rows = unpack(embedder.embed([profile.text for profile in profiles]))
    return {
        "words (TF-IDF 0.20)": count(true, greedy(tfidf(profile.text for profile in profiles), TFIDF_COSINE)),
        "meaning (embedding 0.85)": count(true, greedy(cosine_matrix(rows), GREEDY_COSINE)),
        "this project": count(true, _ours(labels, profiles, rows, embedder)),
    }


def _ours(labels: Labels, profiles: Sequence[Profile], rows: FloatArray, embedder: Embedder) -> Groups:
    cut = calibration_for(embedder.stamp.model).one_claim
    return grouped(joint_distances(profiles, rows), profiles, [claim.writer for claim in labels.claims], cut)


def answer_cosines(texts: Sequence[str], embedder: Embedder) -> Matrix:
    """Cosines of whole answers' meanings, shape (n, n): of the mean vector of each one's sentences.

    A whole answer is longer than an embedding model reads; its sentences are not. An answer without a sentence is at
    0 from all.
    """
    sentences = [[text[span.start : span.end] for span in sentence_spans(text)] for text in texts]
    rows = unpack(embedder.embed([one for group in sentences for one in group]))
    means: list[FloatArray] = []
    start = 0
    for group in sentences:
        mean = rows[start : start + len(group)].mean(axis=0) if group else np.zeros(rows.shape[1], dtype=np.float32)
        length = float(np.linalg.norm(mean))
        means.append(mean / length if length > 0 else mean)
        start += len(group)
    return np.clip(np.array(means, dtype=np.float64) @ np.array(means, dtype=np.float64).T, -1.0, 1.0)


def largest_share(similarities: Matrix, least: float) -> float:
    """Size of the largest cluster over all, 0..1: average linkage, cut at a cosine."""
    distances = settled(1 - similarities)
    np.fill_diagonal(distances, 0.0)
    groups = average_linkage(distances, np.zeros(distances.shape, dtype=np.bool_), 1 - least)
    return max(len(group) for group in groups) / len(distances)


def by_pair(names: Sequence[str], similarities: Matrix) -> dict[tuple[str, str], float]:
    """The similarity of each pair of answers, by the names of their members."""
    return {(names[i], names[j]): float(similarities[i, j]) for i, j in combinations(range(len(names)), 2)}
