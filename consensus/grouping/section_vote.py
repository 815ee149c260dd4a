"""Which section a group stands in: the vote of its families, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dissolution.claims import Section, Statement

STRENGTH = (Section.DECIDED, Section.IDENTITY, Section.EDGES, Section.KNOWN)
"""Ties that nothing else breaks go to the section that forgets least: commitments and rules first."""


@dataclass(frozen=True, slots=True)
class SectionVote:
    """A section and the reason in words."""

    section: Section
    reason: str


def shares(statements: Sequence[Statement]) -> dict[Section, Fraction]:
    """Votes by section: one a family, split evenly over its statements."""
    by_family: dict[str, list[Section]] = {}
    for statement in statements:
        by_family.setdefault(statement.family, []).append(statement.claim.section)
    votes = dict.fromkeys(STRENGTH, Fraction(0))
    for sections in by_family.values():
        for section in sections:
            votes[section] += Fraction(1, len(sections))
    return votes


def vote(statements: Sequence[Statement], own: Section | None = None) -> SectionVote:
    """The section of a group and why: most families win, whatever the words are.

    Args:
        statements: The group.
        own: Where the member who said the representative put it: it wins a tie. Without it the stronger section does.
    """
    votes = shares(statements)
    winner = max(STRENGTH, key=lambda section: (votes[section], section is own, -STRENGTH.index(section)))
    told = ", ".join(f"{section} {_number(votes[section])}" for section in STRENGTH if votes[section])
    return SectionVote(winner, f"families: {told}")


def _number(value: Fraction) -> str:
    return f"{float(value):g}" if value.denominator == 1 else f"{float(value):.2f}"
