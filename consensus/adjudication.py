"""Adjudication inside the consensus: which pairs are asked about, and what an answer may change.

An answer is one member's opinion, so it may do little: "same" joins two claims unless a guard finds them opposed,
"opposed" keeps them apart, anything else leaves them to the grouping. It never admits a claim and never lends evidence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from consensus.ambiguous import ambiguous_pairs
from consensus.cluster import Grouping, Groups
from consensus.corrections import TextPair
from consensus.grouping import group_under_guards
from consensus.guards import Veto, vetoes
from consensus.profile import Profile
from consensus.vectors import BoolMatrix, Matrix
from dissolution.adjudication import Adjudication, ClaimPair, PairAnswer, PairDecision, PairVerdict
from dissolution.answers import MemberFailure
from dissolution.findings import NOT_ADJUDICATED
from dissolution.ports import Adjudicator
from dissolution.values import NotMeasured


def adjudicated(
    adjudicator: Adjudicator | None,
    profiles: Sequence[Profile],
    distances: Matrix,
    cut: float,
    *,
    most: int,
    members: Sequence[str] | None = None,
) -> Adjudication | NotMeasured:
    """Ask about the pairs that rules cannot tell; nobody is asked where there are none.

    Args:
        adjudicator: Who is asked; None asks nobody.
        profiles: n claims.
        distances: (n, n) joint distances.
        cut: The grouping's threshold.
        most: Pairs asked about at most; those nearest to the threshold come first.
        members: Who said each claim: what one member says twice it tells apart itself. Not looked at when None.
    """
    if adjudicator is None:
        return NOT_ADJUDICATED
    doubtful = ambiguous_pairs(profiles, distances, cut, members=members)
    by_texts = {
        frozenset({profiles[pair.left].text, profiles[pair.right].text}): (profiles[pair.left], profiles[pair.right])
        for pair in doubtful[:most]
    }
    pairs = [ClaimPair(first=one, second=two) for one, two in sorted(tuple(sorted(texts)) for texts in by_texts)]
    asked = Adjudication(member=adjudicator.name, doubtful=len(doubtful), asked=len(pairs))
    if not pairs:
        return asked
    answers = adjudicator.adjudicate(pairs)
    if isinstance(answers, MemberFailure):
        return asked.model_copy(update={"failure": answers})
    decisions = tuple(
        _decision(pair, answer, adjudicator.name, *by_texts[frozenset({pair.first, pair.second})])
        for pair, answer in zip(pairs, answers, strict=True)
        if answer is not None
    )
    return asked.model_copy(update={"decisions": decisions})


def _decision(pair: ClaimPair, answer: PairAnswer, member: str, a: Profile, b: Profile) -> PairDecision:
    told = f"first to second: {answer.forward}, second to first: {answer.backward}"
    guard = next((veto for veto in vetoes(a, b) if veto.opposed), None)
    overruled = None if guard is None or answer.verdict is not PairVerdict.SAME else f"{guard.guard}: {guard.detail}"
    return PairDecision(
        pair=pair,
        verdict=answer.verdict,
        member=member,
        reason=f"{told}; {answer.why}" if answer.why else told,
        overruled=overruled,
    )


@dataclass(frozen=True, slots=True)
class Links:
    """What the decisions ask of the grouping, by the claims' words.

    Attributes:
        same: Pairs that must share a group, unless that would join a pair that may not.
        opposed: Pairs that must not.
    """

    same: frozenset[TextPair] = frozenset()
    opposed: frozenset[TextPair] = frozenset()

    def rows(self, profiles: Sequence[Profile]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The rows of the pairs that must share a group, and of those that must not.

        What follows from each other both ways does so in chains: a pair joined over others is among the first too.
        """
        places: dict[str, list[int]] = {}
        for row, profile in enumerate(profiles):
            places.setdefault(profile.text, []).append(row)

        def found(pairs: Iterable[TextPair]) -> list[tuple[int, int]]:
            texts = sorted(tuple(sorted(pair)) for pair in pairs)
            return [(a, b) for one, two in texts for a in places.get(one, ()) for b in places.get(two, ())]

        chained = {frozenset(pair) for chain in _chains(self.same) for pair in combinations(sorted(chain), 2)}
        return found(chained), found(self.opposed)


def _chains(pairs: Iterable[TextPair]) -> list[set[str]]:
    """The texts that are joined by pairs, directly or over others."""
    chains: list[set[str]] = []
    for pair in pairs:
        met = [chain for chain in chains if chain & pair]
        chains = [chain for chain in chains if not chain & pair]
        chains.append(set(pair).union(*met))
    return chains


def links(adjudication: Adjudication | NotMeasured) -> Links:
    """The links of all decisions that took effect."""
    if isinstance(adjudication, NotMeasured):
        return Links()
    by_verdict: dict[PairVerdict, set[TextPair]] = {verdict: set() for verdict in PairVerdict}
    for decision in adjudication.decisions:
        if decision.overruled is None:
            by_verdict[decision.verdict].add(frozenset({decision.pair.first, decision.pair.second}))
    return Links(frozenset(by_verdict[PairVerdict.SAME]), frozenset(by_verdict[PairVerdict.OPPOSED]))


class Linked:
    """A grouping method that honours links beside the pairs its caller forbids; what is forbidden goes first.

    Args:
        inner: The method.
        same: Rows that must share a group: their distance is 0.
        opposed: Rows that must not.
    """

    def __init__(self, inner: Grouping, same: Sequence[tuple[int, int]], opposed: Sequence[tuple[int, int]]) -> None:
        self._inner = inner
        self._same = tuple(same)
        self._opposed = tuple(opposed)

    @property
    def name(self) -> str:
        """The inner method's."""
        return self._inner.name

    def group(self, distances: Matrix, cannot_link: BoolMatrix) -> Groups:
        """See Grouping.group."""
        near, apart = distances.copy(), cannot_link.copy()
        for a, b in self._same:
            near[a, b] = near[b, a] = 0.0
        for a, b in self._opposed:
            apart[a, b] = apart[b, a] = True
        return self._inner.group(near, apart)


def group_with_links(
    grouping: Grouping, distances: Matrix, profiles: Sequence[Profile], linked: Links, *, apart: float
) -> tuple[Groups, Matrix]:
    """Groups under guards and links, and the distances with the links in them, for what comes after the grouping.

    A guard that only keeps two claims apart, without finding them opposed, gives way to a link; one that finds them
    opposed never does (such a pair makes no link). Groups that hold an opposed pair between them are at least `apart`
    afterwards, so that nothing later takes the one for a repeat of the other; they stay near enough to be of one topic.

    Args:
        grouping: The method.
        distances: (n, n) joint distances; not changed.
        profiles: The n claims' profiles.
        linked: What the adjudicator decided.
        apart: Joint distance (0..1) from which on claims are no repeats of each other.
    """
    same, opposed = linked.rows(profiles)
    if not (same or opposed):
        return group_under_guards(grouping, distances, profiles), distances

    def guard(a: Profile, b: Profile) -> list[Veto]:
        return [] if frozenset({a.text, b.text}) in linked.same else list(vetoes(a, b))

    groups = group_under_guards(Linked(grouping, same, opposed), distances, profiles, (guard,))
    home = {row: group for group in groups for row in group}
    told = distances.copy()
    for a, b in same:
        told[a, b] = told[b, a] = 0.0
    for a, b in opposed:
        for between in (np.ix_(home[a], home[b]), np.ix_(home[b], home[a])):
            told[between] = np.maximum(told[between], apart)
    return groups, told
