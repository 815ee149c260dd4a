from fractions import Fraction

import pytest

from consensus.profile import Profile
from consensus.section_vote import shares, vote
from dissolution.claims import Section
from tests.unit.consensus.made import a_statement

K, D, E, I = Section.KNOWN, Section.DECIDED, Section.EDGES, Section.IDENTITY  # noqa: E741 - the sections' letters


def test_a_family_has_one_vote_however_many_members() -> None:
    said = [a_statement("x", "ann", K), a_statement("x", "abe", D), a_statement("x", "bea", D)]
    assert shares(said) == {D: Fraction(3, 2), I: 0, E: 0, K: Fraction(1, 2)}


@pytest.mark.parametrize(
    ("text", "sections", "expected", "why"),
    [
        ("The lake is deep.", (K, K, D), K, "KNOWN 2"),
        ("The lake is deep.", (K, D), D, "DECIDED 1"),
        ("I review designs.", (K, I), I, "IDENTITY 1"),
        ("Who owns it?", (K, K), E, "a question is open"),
        ("Who owns it?", (D, D), E, "a question is open"),
        ("The contract stays unresolved.", (K, K, E), E, "its words say it is open"),
        ("I will send the report on Friday.", (K, K), D, "a forward commitment never stands in KNOWN"),
        ("The report is due on 14 June.", (K, K), D, "a forward commitment never stands in KNOWN"),
        ("You must never run FLUSHDB.", (K, K), D, "a forward commitment never stands in KNOWN"),
        ("EKS is ruled out.", (K, K, D), D, "what is ruled out is decided"),
        ("I am the reviewer of the design.", (K, K, I), I, "a role or standing rule binds"),
    ],
)
def test_votes_and_what_no_vote_may_do(text: str, sections: tuple[Section, ...], expected: Section, why: str) -> None:
    said = [
        a_statement(text, member, section) for member, section in zip(("ann", "bea", "cid"), sections, strict=False)
    ]
    found = vote(said, Profile(text))
    assert found.section is expected
    assert why in found.reason
