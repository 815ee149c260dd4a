"""A group of statements on its way to becoming a claim or dissent."""

from dataclasses import dataclass

from consensus.evidence import Grounding
from consensus.profile import Profile
from dissolution.claims import Claim, ClaimId, Dissent, DissentReason, Mark, Section, Statement, Support, TurnInterval
from dissolution.ids import claim_id


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of one group.

    Attributes:
        rows: Row numbers of its statements, ascending.
        statements: The statements of those rows.
        chosen: Row of the representative.
        profile: The representative's profile.
        section: The section voted.
        reason: Why that section.
        grounding: What the representative rests on in that section.
    """

    rows: tuple[int, ...]
    statements: tuple[Statement, ...]
    chosen: int
    profile: Profile
    section: Section
    reason: str
    grounding: Grounding

    @property
    def text(self) -> str:
        """The representative's words: a sentence that a member said."""
        return self.profile.text

    @property
    def support(self) -> Support:
        """Who said it."""
        return Support.of(self.statements)

    def identifier(self, job: str) -> ClaimId:
        """The id it has as a claim or as dissent; the members' names and order have no part in it."""
        words = sorted({statement.claim.text for statement in self.statements})
        return claim_id(job, self.section.value, *words)

    def claim(self, job: str, marks: tuple[Mark, ...], through: int) -> Claim:
        """The draft as a claim; its evidence must not be empty unless it stands in EDGES.

        It holds from the first turn that states it. An open question without evidence is known to be open at the
        snapshot's last turn (`through`), no earlier.
        """
        start = self.grounding.first_turn if self.grounding.evidence else through
        return Claim(
            id=self.identifier(job),
            section=self.section,
            text=self.text,
            evidence=self.grounding.evidence,
            support=self.support,
            valid=TurnInterval(start=start),
            statements=self.statements,
            reason=self.reason,
            marks=marks,
        )

    def dissent(self, job: str, reason: DissentReason, detail: str, against: tuple[ClaimId, ...] = ()) -> Dissent:
        """The draft as dissent: kept with its words, voters and the reason."""
        return Dissent(
            id=self.identifier(job),
            section=self.section,
            text=self.text,
            evidence=self.grounding.evidence,
            support=self.support,
            statements=self.statements,
            reason=reason,
            detail=detail,
            against=against,
        )
