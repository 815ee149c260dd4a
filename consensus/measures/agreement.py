"""How far the answers agree: one function a measure, formula and source first.

The measures over whole answers are those of the dissertation this project builds on (T. Larcombe, "Conversation
Intelligence Architecture", 2026), so that results can be held against its tables. Each is the same for any order and
any names of the members. A single answer agrees with nobody: NotMeasured. Measures over who states which claim are in
`consensus.measures.presence`.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from consensus.embedding.vectors import DIGITS, FloatArray, settled
from consensus.grouping.cluster import average_linkage
from consensus.measures.presence import (
    NO_CLAIMS,
    claim_agreement,
    contributions,
    effective_families,
    family_coverage,
    krippendorff_alpha,
)
from consensus.wording import lexical
from dissolution.claims import Statement
from dissolution.findings import AgreementMeasures
from dissolution.policy.calibration import CALIBRATION
from dissolution.values import Measured, NotMeasured
from language.reading import read

ANSWER_COSINE = CALIBRATION.consensus.same_answer_cosine

ONE_ANSWER = NotMeasured(not_measured="fewer than two answers")
NO_WORDS = NotMeasured(not_measured="fewer than two answers with words")


def _mean(values: Sequence[float]) -> float:
    return round(math.fsum(values) / len(values), DIGITS)


def _documents(texts: Sequence[str]) -> list[list[str]]:
    """The words of each text, in lower case; texts in alphabetical order, so that sums do not depend on it."""
    return [list(_document(text)) for text in sorted(texts)]


@lru_cache(maxsize=64)  # three measures read every answer
def _document(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in read(text).tokens)


def mean_pairwise_jaccard(texts: Sequence[str]) -> Measured:
    """Mean over pairs of |A and B| / |A or B| of the answers' word sets, 0..1 (Jaccard 1901).

    Answers without a word are left out: two empty sets have no Jaccard index.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return ONE_ANSWER
    sets = [set(document) for document in _documents(texts) if document]
    if len(sets) < 2:  # noqa: PLR2004 - a pair
        return NO_WORDS
    return _mean([len(left & right) / len(left | right) for left, right in combinations(sets, 2)])


def mean_tfidf_cosine(texts: Sequence[str]) -> Measured:
    """Mean over pairs of the cosine of the answers' TF-IDF vectors, 0..1, frequencies counted over these answers.

    Answers without a word are left out.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return ONE_ANSWER
    documents = [document for document in _documents(texts) if document]
    if len(documents) < 2:  # noqa: PLR2004 - a pair
        return NO_WORDS
    cosines = lexical.cosines(lexical.tfidf_rows(documents))
    return _mean([float(cosines[i, j]) for i, j in combinations(range(len(documents)), 2)])


def dominant_cluster_share(texts: Sequence[str]) -> Measured:
    """Size of the largest cluster of whole answers over all answers, 0..1.

    Clusters: average linkage on 1 - TF-IDF cosine, cut where the cosine is 0.20. An answer without words is a
    cluster of its own.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return ONE_ANSWER
    distances = settled(1 - lexical.cosines(lexical.tfidf_rows(_documents(texts))))
    np.fill_diagonal(distances, 0.0)
    groups = average_linkage(distances, np.zeros(distances.shape, dtype=np.bool_), 1 - ANSWER_COSINE)
    return max(len(group) for group in groups) / len(texts)


def mean_embedding_cosine(statements: Sequence[Statement], rows: FloatArray) -> Measured:
    """Mean over pairs of members of the cosine between the members' mean claim vectors, -1..1.

    Args:
        statements: n statements.
        rows: (n, dim) float32, their unit rows.
    """
    by_member: dict[str, list[int]] = {}
    for place, statement in enumerate(statements):
        by_member.setdefault(statement.member, []).append(place)
    if len(by_member) < 2:  # noqa: PLR2004 - a pair
        return ONE_ANSWER
    means = [rows[places].astype(np.float64).mean(axis=0) for places in by_member.values()]
    units = [mean / length for mean in means if (length := float(np.linalg.norm(mean))) > 0]
    if len(units) < 2:  # noqa: PLR2004 - a pair
        return NO_CLAIMS
    return _mean([max(-1.0, min(1.0, float(left @ right))) for left, right in combinations(units, 2)])


def measure(
    answers: Mapping[str, str],
    statements: Sequence[Statement],
    rows: FloatArray,
    groups: Sequence[Sequence[Statement]],
) -> AgreementMeasures:
    """All measures of one job.

    Args:
        answers: Raw text by member.
        statements: n statements.
        rows: (n, dim) float32, their unit rows.
        groups: The statements by meaning.
    """
    texts = list(answers.values())
    return AgreementMeasures(
        claim_agreement=claim_agreement(groups),
        krippendorff_alpha=krippendorff_alpha(groups),
        effective_families=effective_families(groups),
        family_coverage=family_coverage(groups),
        members=contributions(groups),
        dominant_cluster_share=dominant_cluster_share(texts),
        mean_pairwise_jaccard=mean_pairwise_jaccard(texts),
        mean_tfidf_cosine=mean_tfidf_cosine(texts),
        mean_embedding_cosine=mean_embedding_cosine(statements, rows),
    )
