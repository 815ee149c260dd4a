"""Measures over who states what, each worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.measures.presence import (
    NO_CLAIMS,
    NO_VARIATION,
    ONE_FAMILY,
    claim_agreement,
    contributions,
    effective_families,
    family_coverage,
    krippendorff_alpha,
)
from dissolution.claims import Statement
from dissolution.findings import FamilyCoverage, MemberContribution
from tests.unit.consensus.made import FAMILIES, a_statement


def group(*members: str) -> list[Statement]:
    return [a_statement("x", member) for member in members]


# ann and abe are of family alpha, bea beta, cid gamma, dan delta.
THREE = [group("ann", "bea"), group("ann", "bea"), group("ann"), group("bea")]


def test_claim_agreement_counts_families_not_members() -> None:
    assert claim_agreement([group("ann", "abe"), group("ann", "bea")]) == 1 / 2
    assert claim_agreement([group("ann", "abe")]) == ONE_FAMILY
    assert claim_agreement([]) == NO_CLAIMS


def test_alpha_by_hand() -> None:
    # alpha states groups 0, 1, 2 and beta 0, 1, 3: m = 2, N = 4, n = 8, n1 = 6, n0 = 2.
    # D_o = (0 + 0 + 2 + 2) / 1 / 8 = 0.5; D_e = 2 * 6 * 2 / (8 * 7) = 3/7; alpha = 1 - 0.5 * 7/3 = -1/6.
    assert krippendorff_alpha(THREE) == pytest.approx(-1 / 6)


def test_alpha_of_three_families_by_hand() -> None:
    # a = (3, 2, 1), m = 3, N = 3, n = 9, n1 = 6, n0 = 3; D_o = (0 + 4 + 4) / 2 / 9 = 4/9;
    # D_e = 2 * 6 * 3 / (9 * 8) = 1/2; alpha = 1 - 8/9 = 1/9.
    groups = [group("ann", "bea", "cid"), group("ann", "bea"), group("ann")]
    assert krippendorff_alpha(groups) == pytest.approx(1 / 9)


def test_alpha_does_not_count_a_familys_second_member() -> None:
    assert krippendorff_alpha([*THREE[:2], group("ann", "abe"), THREE[3]]) == krippendorff_alpha(THREE)


def test_effective_families_by_hand() -> None:
    # Jaccard of {0, 1, 2} and {0, 1, 3} is 2/4: 2 / (1 + 0.5) = 4/3.
    assert effective_families(THREE) == pytest.approx(4 / 3)
    # Pairs of {0}, {0}, {1}: 1, 0, 0, mean 1/3: 3 / (1 + 2/3) = 9/5.
    assert effective_families([group("ann", "bea"), group("cid")]) == pytest.approx(9 / 5)
    assert effective_families([group("ann", "bea", "cid")]) == pytest.approx(1)
    assert effective_families([group("ann"), group("bea"), group("cid")]) == pytest.approx(3)


def test_coverage_by_hand() -> None:
    assert family_coverage([*THREE, group("abe")]) == (
        FamilyCoverage(family="alpha", groups=4, share=4 / 5),
        FamilyCoverage(family="beta", groups=3, share=3 / 5),
    )


def test_what_each_member_adds_by_hand() -> None:
    groups = [group("ann", "abe", "bea"), group("ann", "cid"), group("ann"), group("bea")]
    assert contributions(groups) == (
        # Without abe nothing is lost: ann still speaks for alpha.
        MemberContribution(member="abe", family="alpha", groups=1, alone=0, pivotal=0, agreement_without=2 / 4),
        # Without ann: group 2 is gone, group 1 has gamma alone; of the three left, group 0 (alpha, beta) agrees.
        MemberContribution(member="ann", family="alpha", groups=3, alone=1, pivotal=1, agreement_without=1 / 3),
        # Without bea: group 3 is gone, group 0 has alpha alone; of the three left, group 1 agrees.
        MemberContribution(member="bea", family="beta", groups=2, alone=1, pivotal=1, agreement_without=1 / 3),
        MemberContribution(member="cid", family="gamma", groups=1, alone=0, pivotal=1, agreement_without=1 / 4),
    )


def test_one_family_and_nothing_said_are_not_measured() -> None:
    for measure in (krippendorff_alpha, effective_families, claim_agreement):
        assert measure([]) == NO_CLAIMS
        assert measure([group("ann", "abe")]) == ONE_FAMILY
    assert krippendorff_alpha([group("ann", "bea")]) == NO_VARIATION
    (only,) = contributions([group("ann")])
    assert only.agreement_without == NO_CLAIMS
    assert family_coverage([]) == contributions([]) == ()


PRESENT = st.lists(st.lists(st.sampled_from(sorted(FAMILIES)), min_size=1, unique=True), min_size=1, max_size=8)


@given(PRESENT)
def test_bounds_and_order(present: list[list[str]]) -> None:
    groups = [group(*members) for members in present]
    turned = [group(*reversed(members)) for members in reversed(present)]
    for measure in (krippendorff_alpha, effective_families, claim_agreement):
        first, second = measure(groups), measure(turned)
        assert first == second or first == pytest.approx(second)
    alpha, effective = krippendorff_alpha(groups), effective_families(groups)
    if isinstance(alpha, float):
        assert alpha <= 1
    if isinstance(effective, float):
        assert 1 - 1e-9 <= effective <= len({FAMILIES[member] for members in present for member in members}) + 1e-9
    assert sum(one.alone for one in contributions(groups)) <= len(groups)
    assert contributions(groups) == contributions(turned)
