"""From scores to a set of claims: best first, none twice, within the budget."""

from collections.abc import Sequence

from dissolution.values import Frozen
from fleet.extractive.candidates import Candidate, Reading
from fleet.extractive.terms import jaccard
from fleet.extractive.worth import weighed


class ExtractionPolicy(Frozen):
    """How much one method may keep. Each figure with its reason."""

    max_claims: int = 45
    """Claims. More than a reader checks at one sitting."""

    max_share: float = 0.08
    """Share of the conversation's words. A dissolution that keeps more has dissolved little."""

    min_words: int = 60
    """Words that are always allowed, so that a chat of two turns still gets its one or two claims."""

    short_words: int = 160
    """Words that are allowed besides, up to `short_share` of the conversation. A talk of 400 words may hold a dozen
    decisions: `max_share` of it would be 32 words. From 2,000 words on `max_share` allows more than this."""

    short_share: float = 0.25
    """Share of a short conversation's words. With more, the methods would choose nearly the same."""

    def allowed(self, words: int) -> int:
        """Words that may be kept of a conversation of so many."""
        return max(self.min_words, int(self.max_share * words), min(self.short_words, int(self.short_share * words)))

    worth_power: float = 0.36
    """How far the common worth of a claim counts against the method's own score; 1 makes the methods agree too much.
    From 0.4 on two methods choose more than 0.6 of the same turns in a meeting; docs/extractive.md."""

    length_power: float = 0.6
    """Scores are divided by words to this power: a budget of words is spent where a word says most."""

    min_length: int = 7
    """Words below which a claim is no cheaper."""

    same: float = 0.55
    """Jaccard overlap (0..1) of content words from which two claims say the same."""


DEFAULT = ExtractionPolicy()


def select(reading: Reading, scores: Sequence[float], policy: ExtractionPolicy = DEFAULT) -> tuple[Candidate, ...]:
    """The best candidates by score (0 or less: never), in the order they were said.

    Ties go to the later statement: it holds for longer.
    """
    priced = [
        score / max(policy.min_length, candidate.size) ** policy.length_power
        for score, candidate in zip(weighed(reading, scores, policy.worth_power), reading.candidates, strict=True)
    ]
    allowed = policy.allowed(reading.words)
    ranked = sorted(reading.candidates, key=lambda candidate: (-priced[candidate.ordinal], -candidate.ordinal))
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
