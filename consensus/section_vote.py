"""Which section a group stands in: a vote of families, and what no vote may do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from consensus.commitments import commits, is_deferred
from consensus.profile import Profile
from dissolution.claims import Section, Statement
from wording.modality import Modality

STRENGTH = (Section.DECIDED, Section.IDENTITY, Section.EDGES, Section.KNOWN)
"""Ties that nothing else breaks go to the section that forgets least: commitments and rules first."""

STANDING = re.compile(
    r"^(?:I|we) (?:am|are|act|serve|assist|work|review|help|advise|keep|never|always|only|do not|don't)\b"
    r"|^my (?:role|job|task|answers?|repl(?:y|ies))\b"
    r"|\b(?:my|the|all|every) (?:answers?|repl(?:y|ies)|messages?|recommendations?)\b",
    re.IGNORECASE,
)
"""Wording of a role, or of a rule for every answer."""


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


def vote(statements: Sequence[Statement], profile: Profile, own: Section | None = None) -> SectionVote:
    """The section of a group and why.

    Most families win; ties go to the section in which the words that stand were said, else to the stronger one. Then
    wording overrules where a vote would do harm: what is asked does not stand as known, and what is promised, planned,
    forbidden or ruled out never stands in KNOWN.

    Args:
        statements: The group.
        profile: Its representative's profile.
        own: Where the member who said the representative put it; None when that has no say.
    """
    votes = shares(statements)
    winner = max(STRENGTH, key=lambda section: (votes[section], section is own, -STRENGTH.index(section)))
    told = ", ".join(f"{section} {_number(votes[section])}" for section in STRENGTH if votes[section])
    reason = f"families: {told}"
    if winner is not Section.EDGES and profile.modality is Modality.QUESTION:
        return SectionVote(Section.EDGES, f"{reason}; a question is open")
    if winner is Section.KNOWN and profile.open:
        return SectionVote(Section.EDGES, f"{reason}; its words say it is open")
    if winner is Section.KNOWN:
        return _not_only_known(profile, votes, reason)
    return SectionVote(winner, reason)


def _not_only_known(profile: Profile, votes: dict[Section, Fraction], reason: str) -> SectionVote:
    """KNOWN won: does it hold a commitment or a rule that must not be forgotten there?"""
    if STANDING.search(profile.text) and votes[Section.IDENTITY]:
        return SectionVote(Section.IDENTITY, f"{reason}; a role or standing rule binds")
    if profile.rejects and votes[Section.DECIDED]:
        return SectionVote(Section.DECIDED, f"{reason}; what is ruled out is decided")
    if commits(profile.text, profile.modality) or (votes[Section.DECIDED] and is_deferred(profile.text)):
        return SectionVote(Section.DECIDED, f"{reason}; a forward commitment never stands in KNOWN")
    return SectionVote(Section.KNOWN, reason)


def _number(value: Fraction) -> str:
    return f"{float(value):g}" if value.denominator == 1 else f"{float(value):.2f}"
