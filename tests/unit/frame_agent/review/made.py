"""One conversation, claims of one and of two families, and reviewers that say something of them."""

from collections.abc import Sequence

from dissolution.claims import (
    Claim,
    ClaimId,
    Evidence,
    FamilyName,
    Mark,
    Section,
    StatedClaim,
    Statement,
    Support,
)
from dissolution.findings import Consensus
from dissolution.framing import Finding, FramePolicy, FrameReport
from dissolution.intervals import TurnInterval
from dissolution.reviewing import Fault, Hint, Remark, ReviewedClaim, Reviewer
from frame_agent.register.fold import register_of
from frame_agent.review.audit import audit
from frame_agent.review.wording_distance import Comparing
from tests.unit.frame_agent.framed import ASSISTANT, TOOL, USER, a_candidate, talk

TALK = talk(
    (USER, "I'd guess the tank holds 400 litres. The mill stands at the weir. We rebuild the sluice in oak."),
    (ASSISTANT, "Then the sluice is oak, and the wheel comes later. Shall we paint the door?"),
    (USER, "No, larch after all: the sluice is built in larch. The door stays as it is, unless the frost cracks it."),
    (TOOL, "NOTICE. The council orders that the weir be closed. The tank holds 900 litres."),
)
REGISTER = register_of(TALK)


def words(quote: str) -> Evidence:
    """Where words of the conversation stand first."""
    turn = next(turn for turn in TALK.turns if quote in turn.content)
    start = turn.content.index(quote)
    return Evidence(turn=turn.number, start=start, end=start + len(quote), text=quote)


def claim(
    name: str,
    text: str,
    quote: str,
    *families: FamilyName,
    section: Section = Section.KNOWN,
    marks: tuple[Mark, ...] = (),
) -> Claim:
    """A claim on words of the conversation, stated by a member of each family."""
    evidence = words(quote)
    stated = StatedClaim(section=section, text=text)
    said = tuple(Statement(member=one, family=one, ordinal=0, claim=stated) for one in families)
    return Claim(
        id=name,
        section=section,
        text=text,
        evidence=(evidence,),
        support=Support.of(said),
        valid=TurnInterval(start=evidence.turn),
        statements=said,
        reason="made up",
        marks=marks,
    )


TANK = claim("tank", "The tank holds 400 litres.", "the tank holds 400 litres", "a", "b")
ALONE = claim("alone", "The tank holds four hundred litres.", "the tank holds 400 litres", "a")
OAK = claim("oak", "The sluice is built in oak.", "rebuild the sluice in oak", "a", "b", section=Section.DECIDED)
LARCH = claim("larch", "The sluice is built in larch.", "built in larch", "c", "b", section=Section.DECIDED)
DOOR = claim("door", "Is the door painted?", "paint the door", "a", "b", section=Section.EDGES)
MILL = claim("mill", "The mill stands at the weir.", "The mill stands at the weir", "b", "c")


def remark(
    fault: Fault,
    about: Sequence[Claim] = (),
    quote: str = "",
    *,
    text: str | None = None,
    section: Section | None = None,
    best: ClaimId | None = None,
    also: tuple[ClaimId, ...] = (),
) -> Remark:
    """A remark about claims as they stand."""
    shown = tuple(ReviewedClaim(claim=one.id, section=one.section, text=one.text) for one in about)
    proof = words(quote) if quote else None
    return Remark(fault=fault, about=shown, evidence=proof, text=text, section=section, best=best, also=also)


def by(family: FamilyName, *remarks: Remark, member: str = "") -> Reviewer:
    """What a member of a family says; without a name it has its family's."""
    return Reviewer(member=member or f"reader-{family}", family=family, remarks=remarks)


def by_all(families: str, *remarks: Remark) -> list[Reviewer]:
    """The same said by a member of each of these families."""
    return [by(family, *remarks) for family in families]


def _apart(one: str, other: str) -> bool:
    return {word for word in one.split() if word.isdigit()} != {word for word in other.split() if word.isdigit()}


def _bare(text: str) -> str:
    return text.casefold().replace(",", "").strip(".")


COMPARING = Comparing(
    same=lambda one, other: _bare(one) == _bare(other),
    near=lambda one, other: one.split()[:4] == other.split()[:4] and not _apart(one, other),
    retold=lambda one, other: one.split()[:3] == other.split()[:3] and not _apart(one, other),
    apart=_apart,
    timed=lambda one: one,
)
"""Texts are the same but for case, commas and the full stop, near by their first four words, retold by their first
three; other digits keep them apart."""


def report_of(
    claims: Sequence[Claim] | Consensus,
    reviewers: Sequence[Reviewer],
    *,
    held: tuple[ClaimId, ...] = (),
    policy: FramePolicy | None = None,
    hints: Sequence[Hint] = (),
) -> FrameReport:
    """What comes of a candidate of these claims; the ledger held those of `held`."""
    candidate = claims if isinstance(claims, Consensus) else a_candidate(*claims, held=held)
    return audit(
        REGISTER,
        candidate,
        TALK,
        policy or FramePolicy(),
        reviewers=reviewers,
        comparing=COMPARING,
        job="job",
        hints=hints,
    )


class After:
    """The candidate of a report as it stands after it."""

    def __init__(self, report: FrameReport, claims: Sequence[Claim]) -> None:
        amended = report.amended or a_candidate(*claims)
        self.report = report
        self.changed = report.amended is not None
        self.claims = {one.id: one for one in amended.claims}
        self.texts = {(one.section, one.text) for one in amended.claims}
        self.dissent = {one.id: one for one in amended.dissent}
        self.closed = {one.id: one for one in amended.closed}
        self.changes = {one.claim: one for one in amended.changes}

    @property
    def finding(self) -> Finding:
        """The only finding."""
        (found,) = self.report.findings
        return found


def after(
    claims: Sequence[Claim],
    reviewers: Sequence[Reviewer],
    *,
    held: tuple[ClaimId, ...] = (),
    policy: FramePolicy | None = None,
) -> After:
    """What comes of these claims by what reviewers say."""
    return After(report_of(claims, reviewers, held=held, policy=policy), claims)
