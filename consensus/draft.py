"""A group of statements on its way to becoming a claim or dissent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from consensus.compound import CARRIED_WORDS, Carried
from consensus.grounding import Grounding
from consensus.profile import Profile
from dissolution.claims import Claim, ClaimId, Dissent, DissentReason, Mark, Section, Statement, Support, TurnInterval
from dissolution.ids import claim_id


def each_once(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """The distinct statements by family, member and place in the answer."""
    distinct = {statement.key: statement for statement in statements}.values()
    return tuple(sorted(distinct, key=lambda said: (said.family, said.member, said.ordinal)))


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of one group.

    Attributes:
        rows: Row numbers of its points, ascending.
        texts: The distinct words of those points, in alphabetical order.
        statements: The statements they come from, each once, by family, member and place.
        chosen: Row of the representative.
        profile: The representative's profile.
        section: The section voted.
        reason: Why that section.
        grounding: What the representative rests on in that section.
        words: The whole statement, where several points of it were put together again; None for one point.
        counted: Who said all of several points; None where whoever is in `statements` said it.
        carried: What a rule carried over into the representative's words.
        parts: The words and the support of each of several points that were put together again.
    """

    rows: tuple[int, ...]
    texts: tuple[str, ...]
    statements: tuple[Statement, ...]
    chosen: int
    profile: Profile
    section: Section
    reason: str
    grounding: Grounding
    words: str | None = None
    counted: Support | None = None
    carried: Carried = Carried.NOTHING
    parts: tuple[tuple[str, Support], ...] = ()

    @property
    def text(self) -> str:
        """The representative's words: what a member said."""
        return self.profile.text if self.words is None else self.words

    @property
    def told(self) -> str:
        """What else a reader must know of its words, as the end of a reason.

        That is what a rule carried over into them, and who said which part when not everybody said all of it.
        """
        if self.words is None:
            return "" if self.carried is Carried.NOTHING else f"; {CARRIED_WORDS[self.carried]}"
        if len({support.families for _, support in self.parts}) < 2:  # noqa: PLR2004 - all said the same
            return ""
        each = ", ".join(f"“{text}” {', '.join(support.families)}" for text, support in self.parts)
        return f"; of its parts: {each}"

    @property
    def support(self) -> Support:
        """Who said it, all of it."""
        return Support.of(self.statements) if self.counted is None else self.counted

    def identifier(self, job: str) -> ClaimId:
        """The id it has as a claim or as dissent; the members' names and order have no part in it."""
        return claim_id(job, self.section.value, *self.texts)

    def with_repeat(self, other: "Draft") -> "Draft":
        """This draft with the points and statements of one that says the same."""
        return replace(
            self,
            rows=tuple(sorted({*self.rows, *other.rows})),
            texts=tuple(sorted({*self.texts, *other.texts})),
            statements=each_once((*self.statements, *other.statements)),
        )

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
            reason=f"{self.reason}{self.told}",
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
            detail=f"{detail}{self.told}",
            against=against,
        )
