"""From scores to a set of claims: best first, none twice, within the budget."""

from collections.abc import Sequence

from dissolution.values import Frozen
from fleet.extractive.candidates import Candidate, Reading
from fleet.extractive.terms import jaccard


class ExtractionPolicy(Frozen):
    """How much one method may keep. Each figure with its reason."""

    max_claims: int = 45
    """Claims. More than a reader checks at one sitting."""

    max_share: float = 0.12
    """Share of the conversation's words. A dissolution that keeps more has dissolved little."""

    min_words: int = 60
    """Words that are always allowed, so that a chat of two turns still gets its one or two claims."""

    same: float = 0.55
    """Jaccard overlap (0..1) of content words from which two claims say the same."""


DEFAULT = ExtractionPolicy()


def select(reading: Reading, scores: Sequence[float], policy: ExtractionPolicy = DEFAULT) -> tuple[Candidate, ...]:
    """The best candidates by score (0 or less: never), in the order they were said.

    Ties go to the later statement: it holds for longer.
    """
    allowed = max(policy.min_words, int(policy.max_share * reading.words))
    ranked = sorted(reading.candidates, key=lambda candidate: (-scores[candidate.ordinal], -candidate.ordinal))
    chosen: list[Candidate] = []
    used = 0
    for candidate in ranked:
        if scores[candidate.ordinal] <= 0 or len(chosen) >= policy.max_claims:
            break
        repeats = any(jaccard(candidate.terms, other.terms) >= policy.same for other in chosen)
        if repeats or used + candidate.size > allowed:
            continue
        chosen.append(candidate)
        used += candidate.size
    return tuple(sorted(chosen, key=lambda candidate: candidate.ordinal))
