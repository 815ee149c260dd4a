from fractions import Fraction

import pytest

from consensus.grouping.section_vote import shares, vote
from dissolution.claims import Section
from tests.unit.consensus.made import a_statement

K, D, E, I = Section.KNOWN, Section.DECIDED, Section.EDGES, Section.IDENTITY  # noqa: E741 - the sections' letters


def test_a_family_has_one_vote_however_many_members() -> None:
    said = [a_statement("x", "ann", K), a_statement("x", "abe", D), a_statement("x", "bea", D)]
    assert shares(said) == {D: Fraction(3, 2), I: 0, E: 0, K: Fraction(1, 2)}


@pytest.mark.parametrize(
    ("sections", "own", "expected", "why"),
    [
        ((K, K, D), None, K, "KNOWN 2"),
        ((K, D), None, D, "DECIDED 1"),
        ((K, D), K, K, "KNOWN 1"),
        ((K, I), None, I, "IDENTITY 1"),
        ((E, E, D), D, E, "EDGES 2"),
    ],
)
def test_the_vote_of_the_families_decides(
    sections: tuple[Section, ...], own: Section | None, expected: Section, why: str
) -> None:
    said = [a_statement("x", member, section) for member, section in zip(("ann", "bea", "cid"), sections, strict=False)]
    found = vote(said, own)
    assert found.section is expected
    assert why in found.reason


@pytest.mark.parametrize(
    "text", ["Who owns it?", "I will send the report.", "You must never run FLUSHDB.", "EKS is out."]
)
def test_no_wording_moves_a_group_out_of_the_section_that_was_voted(text: str) -> None:
    assert vote([a_statement(text, "ann", K), a_statement(text, "bea", K)]).section is K
