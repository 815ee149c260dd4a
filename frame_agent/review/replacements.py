"""What reviewers put in a claim's place: a sentence of one of them on the words that they show, never one of ours."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dissolution.claims import (
    BINDING_SECTIONS,
    Claim,
    ClaimId,
    Dissent,
    DissentReason,
    Evidence,
    FamilyName,
    Mark,
    Section,
    StatedClaim,
    Statement,
    Support,
)
from dissolution.conversation import Snapshot
from dissolution.intervals import TurnInterval
from frame_agent.review.one_per_member import Voice, evidence_of, families
from frame_agent.review.quote_proof import is_spoken
from frame_agent.review.wording_distance import Comparing

AFTER_ANSWERS = 1_000_000
"""Where a reviewer's statements are numbered from, so that none has the number of one in a member's answer."""


class Worded(NamedTuple):
    """What reviewers say in words of their own, and where it belongs."""

    text: str
    section: Section
    voices: tuple[Voice, ...]  # those whose wording means the same, the chosen one among them
    evidence: tuple[Evidence, ...]

    @property
    def families(self) -> frozenset[FamilyName]:
        """The families that say it."""
        return families(self.voices)


def worded(
    voices: Sequence[Voice], section: Section, comparing: Comparing, *, also: tuple[Evidence, ...] = ()
) -> Worded | None:
    """The wording of those who give one: of most families' meaning, then of the longest quote, then by alphabet.

    Args:
        voices: Who says that something does not stand as it is.
        section: Where it stands unless they say otherwise.
        comparing: Whether two wordings mean the same.
        also: Words that bear it out besides those that are shown.

    Returns:
        None when nobody gives a wording.
    """
    given = [(one, one.remark.text) for one in voices if one.remark.text is not None]
    if not given:
        return None
    agreeing = {
        text: tuple(one for one, _ in given if any(alike(one, mine, comparing) for mine, said in given if said == text))
        for _, text in given
    }
    longest = {
        text: max(
            (len(one.remark.evidence.text) for one, mine in given if mine == text and one.remark.evidence), default=0
        )
        for text in agreeing
    }
    text = min(agreeing, key=lambda one: (-len(families(agreeing[one])), -longest[one], one))
    said = agreeing[text]
    return Worded(text, _place(said, section), said, evidence_of(voices, *also))


def alike(one: Voice, other: Voice, comparing: Comparing) -> bool:
    """Whether two reviewers' wordings say the same: by themselves, or less nearly on the same words of a turn."""
    mine, theirs = one.remark.text or "", other.remark.text or ""
    if mine == theirs or comparing.same(mine, theirs):
        return True
    return _overlap(one.remark.evidence, other.remark.evidence) and comparing.retold(mine, theirs)


def _overlap(one: Evidence | None, other: Evidence | None) -> bool:
    """Whether both show the same words, or some of the same."""
    return (
        one is not None
        and other is not None
        and one.turn == other.turn
        and max(one.start, other.start) < min(one.end, other.end)
    )


def _place(voices: Sequence[Voice], section: Section) -> Section:
    """The section that most families give with their wording; the one it is taken from when none or as many differ."""
    told = {(one.family, one.remark.section) for one in voices if one.remark.section is not None}
    count = {place: sum(place is given for _, given in told) for place in {given for _, given in told}}
    most = [place for place in count if count[place] == max(count.values())]
    return most[0] if len(most) == 1 else section


def binds_by_quotes(worded: Worded, snapshot: Snapshot) -> bool:
    """Whether it would decide or instruct on the word of quoted material alone, which binds nobody."""
    return worded.section in BINDING_SECTIONS and not is_spoken(snapshot, worded.evidence)


def as_claim(worded: Worded, name: ClaimId, reason: str, comparing: Comparing, *, through: int) -> Claim:
    """The wording as a claim: stated by those who word it alike, on the words that reviewers show.

    Args:
        worded: The wording.
        name: Its id.
        reason: Why it stands in its section.
        comparing: Gives it its time.
        through: The snapshot's last turn.
    """
    statements = statements_of(worded)
    alone = (Mark.SINGLE_SOURCE,) if len(worded.families) == 1 else ()
    return comparing.timed(
        Claim(
            id=name,
            section=worded.section,
            text=worded.text,
            evidence=worded.evidence,
            support=Support.of(statements),
            valid=TurnInterval(start=min((piece.turn for piece in worded.evidence), default=through)),
            statements=statements,
            reason=reason,
            marks=alone,
            affirmed=through,
        )
    )


def statements_of(worded: Worded) -> tuple[Statement, ...]:
    """What the reviewers state, each in their own words; the chosen wording first."""
    ordered = sorted(worded.voices, key=lambda one: (one.remark.text != worded.text, one.family, one.member))
    return tuple(
        Statement(
            member=one.member,
            family=one.family,
            ordinal=AFTER_ANSWERS + one.place,
            claim=StatedClaim(
                section=one.remark.section or worded.section,
                text=one.remark.text or worded.text,
                turns=() if one.remark.evidence is None else (one.remark.evidence.turn,),
                quotes=() if one.remark.evidence is None else (one.remark.evidence.text,),
            ),
        )
        for one in ordered
    )


class SameWording(NamedTuple):
    """What stands that says what a wording says, as open or as firm: the first claim of each kind, or None."""

    word_for_word: ClaimId | None  # in the same words, but for case, white space and the full stop
    same: ClaimId | None  # as near as the consensus groups claims
    near: ClaimId | None  # so near that it may say the same


def standing_for(worded: Worded, claims: Iterable[Claim], comparing: Comparing) -> SameWording:
    """What stands for a wording. Only the same words make it needless: what is merely near may say something else."""
    firm = worded.section is not Section.EDGES
    level = [claim for claim in claims if (claim.section is not Section.EDGES) is firm]
    return SameWording(
        next((one.id for one in level if plain(one.text) == plain(worded.text)), None),
        next((one.id for one in level if comparing.same(one.text, worded.text)), None),
        next((one.id for one in level if comparing.near(one.text, worded.text)), None),
    )


def plain(text: str) -> str:
    """The words without case, with single spaces and no full stop."""
    return " ".join(text.casefold().split()).rstrip(".")


def as_dissent(
    worded: Worded, name: ClaimId, reason: DissentReason, detail: str, *, against: tuple[ClaimId, ...] = ()
) -> Dissent:
    """The wording as dissent, with its statements and words.

    Args:
        worded: The wording.
        name: Its id.
        reason: Why it does not stand.
        detail: The reason in words.
        against: The claims that stand in its place.
    """
    statements = statements_of(worded)
    return Dissent(
        id=name,
        section=worded.section,
        text=worded.text,
        evidence=worded.evidence,
        support=Support.of(statements),
        statements=statements,
        reason=reason,
        detail=detail,
        against=against,
    )
