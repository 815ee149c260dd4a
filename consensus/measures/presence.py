"""Who states what: measures over which family, or which member, is present in which group of statements.

Units are the groups, raters the families (votes count families) or the members. A claim that nobody states is never
seen, so absence is known only where somebody else speaks: that pulls chance-corrected agreement down, and figures are
for comparing fleets and cycles, not for judging one alone. All are the same for any order and any names.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

from dissolution.claims import Statement
from dissolution.findings import FamilyCoverage, MemberContribution
from dissolution.values import Measured, NotMeasured

FEWEST = 2  # families that can agree

NO_CLAIMS = NotMeasured(not_measured="no claims")
ONE_FAMILY = NotMeasured(not_measured="fewer than two families")
NO_VARIATION = NotMeasured(not_measured="every family states every claim: chance agreement is complete too")

Groups = Sequence[Sequence[Statement]]


def stated_by_family(groups: Groups) -> dict[str, frozenset[int]]:
    """The groups (by place) that each family states, by family name."""
    return _stated((said.family, place) for place, group in enumerate(groups) for said in group)


def stated_by_member(groups: Groups) -> dict[str, frozenset[int]]:
    """The groups (by place) that each member states, by member name."""
    return _stated((said.member, place) for place, group in enumerate(groups) for said in group)


def _stated(pairs: Iterable[tuple[str, int]]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for name, place in pairs:
        found.setdefault(name, set()).add(place)
    return {name: frozenset(places) for name, places in sorted(found.items())}


def claim_agreement(groups: Groups) -> Measured:
    """Share of groups that two or more families state, 0..1."""
    if not groups:
        return NO_CLAIMS
    families = [{said.family for said in group} for group in groups]
    if len(set[str]().union(*families)) < FEWEST:
        return ONE_FAMILY
    return sum(len(named) >= FEWEST for named in families) / len(groups)


def krippendorff_alpha(groups: Groups) -> Measured:
    """Krippendorff's alpha of the families over claim presence, at most 1; 0 is chance, below it less than chance.

    Nominal data, two values, none missing: with m families, N groups, n = m N values and a_u families that state
    group u, the observed disagreement is D_o = sum_u 2 a_u (m - a_u) / (m - 1) / n and the expected one
    D_e = 2 n_1 n_0 / (n (n - 1)), where n_1 = sum a_u and n_0 = n - n_1; alpha = 1 - D_o / D_e.
    Source: Krippendorff, "Content Analysis", 4th edition 2019, chapter 12.
    """
    by_family = stated_by_family(groups)
    m, count = len(by_family), len(groups)
    if count == 0:
        return NO_CLAIMS
    if m < FEWEST:
        return ONE_FAMILY
    present = [sum(place in places for places in by_family.values()) for place in range(count)]
    values, ones = m * count, sum(present)
    if ones == values:
        return NO_VARIATION
    observed = sum(2 * a * (m - a) for a in present) / (m - 1) / values
    expected = 2 * ones * (values - ones) / (values * (values - 1))
    return 1 - observed / expected


def effective_families(groups: Groups) -> Measured:
    """As how many families that share no claim the families count, 1..number of families.

    n / (1 + (n - 1) z), where z is the mean Jaccard index of two families' claims: identical families count as one,
    families without a common claim as n. This is the diversity of order 2 of n equally common kinds with these
    similarities (Leinster and Cobbold, "Measuring diversity: the importance of species similarity", 2012), and has
    the form of the effective sample size under a design effect (Kish 1965). It cannot tell families that agree because
    it is so from families that agree because they are of one make.
    """
    if not groups:
        return NO_CLAIMS
    sets = list(stated_by_family(groups).values())
    if len(sets) < FEWEST:
        return ONE_FAMILY
    shared = [len(left & right) / len(left | right) for left, right in combinations(sets, 2)]
    return len(sets) / (1 + (len(sets) - 1) * math.fsum(shared) / len(shared))


def family_coverage(groups: Groups) -> tuple[FamilyCoverage, ...]:
    """How many of the groups each family states, by name."""
    return tuple(
        FamilyCoverage(family=family, groups=len(places), share=len(places) / len(groups))
        for family, places in stated_by_family(groups).items()
    )


def contributions(groups: Groups) -> tuple[MemberContribution, ...]:
    """What each member adds, by name: what would be gone, and what would lose its second family, without it."""
    by_member = stated_by_member(groups)
    family_of = {said.member: said.family for group in groups for said in group}
    found: list[MemberContribution] = []
    for member, places in by_member.items():
        rest = [[said for said in group if said.member != member] for group in groups]
        families = [{said.family for said in group} for group in groups]
        left = [{said.family for said in group} for group in rest]
        found.append(
            MemberContribution(
                member=member,
                family=family_of[member],
                groups=len(places),
                alone=sum(not group for group in rest),
                pivotal=sum(len(before) >= FEWEST > len(after) for before, after in zip(families, left, strict=True)),
                agreement_without=claim_agreement([group for group in rest if group]),
            )
        )
    return tuple(found)
