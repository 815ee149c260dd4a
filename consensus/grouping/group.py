"""Statements of one meaning on their way to becoming a claim or dissent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from consensus.evidence.grounding import Grounding
from consensus.wording.profile import Profile
from dissolution.claims import Claim, ClaimId, Dissent, DissentReason, Mark, Section, Statement, Support, TurnInterval
from dissolution.ids import claim_id


def each_once(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """The distinct statements by family, member and place in the answer."""
    distinct = {statement.key: statement for statement in statements}.values()
    return tuple(sorted(distinct, key=lambda said: (said.family, said.member, said.ordinal)))


@dataclass(frozen=True, slots=True)
class Group:
    """What is known of one group.

    Attributes:
        texts: The distinct words of its sentences, in alphabetical order.
        statements: The statements they come from, each once, by family, member and place.
        chosen: Row of the sentence that speaks for it.
        profile: That sentence's profile.
        section: The section voted.
        reason: Why that section.
        grounding: What the sentence rests on.
    """

    texts: tuple[str, ...]
    statements: tuple[Statement, ...]
    chosen: int
    profile: Profile
    section: Section
    reason: str
    grounding: Grounding

    @property
    def text(self) -> str:
        """The words that speak for it: what a member said."""
        return self.profile.text

    @property
    def support(self) -> Support:
        """Who said it."""
        return Support.of(self.statements)

    @property
    def families(self) -> int:
        """How many families said it."""
        return len(self.support.families)

    @property
    def words(self) -> int:
        """Its length in words, at least 1."""
        return max(1, len(self.text.split()))

    def identifier(self, job: str) -> ClaimId:
        """The id it has as a claim or as dissent; the members' names and order have no part in it."""
        return claim_id(job, self.section.value, *self.texts)

    def taking_in(self, other: "Group") -> "Group":
        """This group with the statements of one that says part of it."""
        return replace(
            self,
            texts=tuple(sorted({*self.texts, *other.texts})),
            statements=each_once((*self.statements, *other.statements)),
        )

    def claim(self, job: str, marks: tuple[Mark, ...], through: int) -> Claim:
        """The group as a claim; its evidence must not be empty unless it stands in EDGES.

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
        """The group as dissent: kept with its words, voters and the reason."""
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
