"""Which claims are worth their tokens: the value by which KNOWN and EDGES enter a context that cannot hold all."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dissolution.claims import BINDING_SECTIONS, Claim, Mark
from dissolution.conversation import Turn
from language.names import names
from language.numbers import quantities
from language.words import content_words

HALF_LIFE_TURNS = 10
"""Turns after which an affirmation counts half: the recent turns that a context shows word for word by default."""

ENOUGH_DEPENDANTS = 3
"""Commitments that share a figure or a name with a claim; more of them make it no more needed."""


def is_kept(claim: Claim) -> bool:
    """Whether a claim stands in every context, whatever the budget: commitments, and what a person pinned."""
    return claim.section in BINDING_SECTIONS or Mark.PINNED in claim.marks


@dataclass(frozen=True)
class Value:
    """What a claim is worth, each part 0..1; `total` is the mean of those that are known.

    support: its families over those of the claim with most of them.
    recency: 2^(-d/10), d the turns from its last affirmation (else its latest evidence) to the boundary's last turn.
    relevance: share of its content words (stems) that the latest turns use.
    dependants: commitments (DECIDED, IDENTITY) that share a figure or a name with it, over 3, at most 1.
    surprise: 1 when a turn it rests on was far more surprising than the talk around it, else 0; None when surprise was
        not measured, as in a conversation that triggers do not watch.

    They weigh the same: nothing measured says that one of them should count more.
    """

    support: float
    recency: float
    relevance: float
    dependants: float
    surprise: float | None = None

    @property
    def total(self) -> float:
        """(support + recency + relevance + dependants [+ surprise]) / 4 [or 5]."""
        known = (self.support, self.recency, self.relevance, self.dependants)
        if self.surprise is None:
            return sum(known) / len(known)
        return (sum(known) + self.surprise) / (len(known) + 1)


class Ranking:
    """Values the claims of one boundary.

    Args:
        claims: All claims of the boundary.
        through: Its last turn.
        latest: The turns that the context is about to go on from.
        notable: Turns that were far more surprising than the talk around them; None when that was not measured.
    """

    def __init__(
        self, claims: Sequence[Claim], through: int, latest: Sequence[Turn], notable: Collection[int] | None = None
    ) -> None:
        self._notable = notable
        self._through = through
        self._most = max((len(claim.support.families) for claim in claims), default=1)
        self._words = frozenset[str]().union(*(content_words(turn.content) for turn in latest))
        self._commitments: dict[object, set[str]] = {}
        for claim in claims:
            for anchor in _anchors(claim.text) if claim.section in BINDING_SECTIONS else ():
                self._commitments.setdefault(anchor, set()).add(claim.id)

    def value(self, claim: Claim) -> Value:
        """The value of one claim of the boundary."""
        own = content_words(claim.text)
        sharing = set[str]().union(*(self._commitments.get(anchor, set[str]()) for anchor in _anchors(claim.text)))
        return Value(
            support=len(claim.support.families) / self._most,
            recency=0.5 ** (max(0, self._through - last_said(claim)) / HALF_LIFE_TURNS),
            relevance=len(own & self._words) / len(own) if own else 0.0,
            dependants=min(1.0, len(sharing - {claim.id}) / ENOUGH_DEPENDANTS),
            surprise=self._surprise(claim),
        )

    def _surprise(self, claim: Claim) -> float | None:
        if self._notable is None:
            return None
        return float(any(span.turn in self._notable for span in claim.evidence))

    def ranked(self, claims: Sequence[Claim]) -> list[Claim]:
        """Best first: what holds at the boundary's last turn, then by value, then by latest evidence, then as given."""

        def rank(claim: Claim) -> tuple[bool, float, int]:
            return (not claim.valid.holds_at(self._through), -self.value(claim).total, -_latest_evidence(claim))

        return sorted(claims, key=rank)


def last_said(claim: Claim) -> int:
    """The last turn of the newest snapshot whose answers said it; of a candidate's claim its latest evidence."""
    return claim.affirmed if claim.affirmed is not None else _latest_evidence(claim)


def _latest_evidence(claim: Claim) -> int:
    return max((span.turn for span in claim.evidence), default=claim.valid.start)


def _anchors(text: str) -> frozenset[object]:
    """Figures (value and unit) and names, by which statements hang together."""
    figures = frozenset((quantity.value, quantity.unit) for quantity in quantities(text))
    return figures | frozenset(name.casefold() for name in names(text))
