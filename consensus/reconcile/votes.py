"""What members say becomes of held claims: votes, counted in families, each on words of turns since the boundary.

Members were shown the held claims with ids (`prompts.rolling`). A statement that revises, closes or answers one is a
vote of its family that the claim holds no longer. Two families end what two families state; what one family alone
states, one may end. Fewer votes, votes without words of a new turn, and votes about what a person pinned or confirmed
end nothing: they are told as a doubt.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from consensus.reconcile.merging import by_words
from consensus.reconcile.validity import never_held
from dissolution.claims import (
    BINDING_SECTIONS,
    PERSONAL_MARKS,
    Claim,
    ClaimId,
    Dissent,
    DissentReason,
    Evidence,
    FamilyName,
    HeldAct,
)
from dissolution.conversation import Role, Snapshot

ENDING = frozenset({HeldAct.REVISE, HeldAct.CLOSE, HeldAct.ANSWER})
QUORUM = 2
"""Families that end what two or more families state."""

UNHEARD = frozenset({DissentReason.UNSUPPORTED, DissentReason.INJECTED, DissentReason.DISMISSED})
"""Dissent whose statements have no vote: no turn bears them out, only quoted material does, or a person refused it."""


_DOES = {HeldAct.REVISE: "revises", HeldAct.CLOSE: "closes", HeldAct.ANSWER: "answers"}


@dataclass(frozen=True, slots=True)
class Vote:
    """One item of a cycle whose members say that it ends a held claim.

    Attributes:
        item: The claim or dissent of this cycle.
        act: What they say it does; of several acts the one of most families.
        families: Whose statements in it say so.
        words: Its words of turns since the boundary; without them the vote does not count.
    """

    item: Claim | Dissent
    act: HeldAct
    families: frozenset[FamilyName]
    words: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """That a held claim ends: enough families say so.

    Attributes:
        claim: The held claim.
        vote: The vote whose item tells how, and takes its place where it revises or answers.
        reason: Who says so, in words.
        taking_back: The families that state besides that it never held.
    """

    claim: Claim
    vote: Vote
    reason: str
    taking_back: frozenset[FamilyName]


@dataclass(frozen=True, slots=True)
class Doubt:
    """That somebody says a held claim ends, and it is not enough.

    Attributes:
        claim: The held claim.
        words: The words that may end it.
        reason: Who says so and what is lacking, in words.
    """

    claim: Claim
    words: tuple[Evidence, ...]
    reason: str


def new_words(item: Claim | Dissent, snapshot: Snapshot, since: int, *, spoken: bool = False) -> tuple[Evidence, ...]:
    """The evidence of an item in turns after the boundary.

    Args:
        item: A claim or dissent of this cycle.
        snapshot: The conversation.
        since: The boundary's last turn.
        spoken: Leave out what is passed on in quoted material or by a tool: it ends no commitment.
    """
    return tuple(
        piece for piece in item.evidence if piece.turn > since and not (spoken and _passed_on(piece, snapshot))
    )


def _passed_on(piece: Evidence, snapshot: Snapshot) -> bool:
    turn = snapshot.turn(piece.turn)
    return turn.role is Role.TOOL or turn.is_quoted(piece)


def affirming(item: Claim | Dissent, held: ClaimId) -> frozenset[FamilyName]:
    """The families whose statements in an item affirm a held claim."""
    return _families(item, held, frozenset({HeldAct.AFFIRM}))


def ends(item: Claim | Dissent, held: ClaimId) -> frozenset[FamilyName]:
    """The families whose statements in an item revise, close or answer a held claim."""
    return _families(item, held, ENDING)


def said_to_end(items: Iterable[Claim | Dissent]) -> frozenset[ClaimId]:
    """The held claims that any item revises, closes or answers: of thousands that are held few are named."""
    return frozenset(
        mark.about for item in items for said in item.statements for mark in said.claim.marks if mark.act in ENDING
    )


def _families(item: Claim | Dissent, held: ClaimId, acts: frozenset[HeldAct]) -> frozenset[FamilyName]:
    return frozenset(
        said.family for said in item.statements for mark in said.claim.marks if mark.about == held and mark.act in acts
    )


def votes_on(claim: Claim, items: Iterable[Claim | Dissent], snapshot: Snapshot, since: int) -> tuple[Vote, ...]:
    """The votes that a held claim ends, in the order of their words."""
    found: list[Vote] = []
    for item in sorted(items, key=by_words):
        families = ends(item, claim.id)
        if not families or (isinstance(item, Dissent) and item.reason in UNHEARD):
            continue
        words = new_words(item, snapshot, since, spoken=claim.section in BINDING_SECTIONS)
        found.append(Vote(item, _most(item, claim.id), families, words))
    return tuple(found)


def _most(item: Claim | Dissent, held: ClaimId) -> HeldAct:
    """The ending that most families of an item name; of equals the first of the three."""
    return max(_DOES, key=lambda act: len(_families(item, held, frozenset({act}))))


def decided(claim: Claim, votes: Sequence[Vote], still: frozenset[FamilyName]) -> Ending | Doubt | None:
    """What becomes of a held claim by the votes on it; None without any.

    Args:
        claim: The held claim.
        votes: The votes that it ends.
        still: Families that say it again on words of a new turn.
    """
    if not votes:
        return None
    counted = [vote for vote in votes if vote.words]
    families = frozenset[FamilyName]().union(*(vote.families for vote in counted))
    lacking = _lacking(claim, families, still - families)
    told = [vote for vote in counted if _replaces(vote)]
    if lacking is None and not told:
        lacking = "what would take its place does not stand"
    if lacking is None:
        best = max(told, key=_weight)
        turn = min(piece.turn for piece in best.words)
        reason = f"{_count(families)} {_say(families)} that turn {turn} {_DOES[best.act]} it"
        return Ending(claim, best, reason, _taking_back(claim.id, counted))
    named = families or frozenset[FamilyName]().union(*(vote.families for vote in votes))
    reason = f"{_count(named)} {_say(named)} that it ends; {lacking}"
    return Doubt(claim, max(counted or votes, key=_weight).words, reason)


def _taking_back(held: ClaimId, votes: Iterable[Vote]) -> frozenset[FamilyName]:
    """The families whose own statements revise or close a claim and say that it never held."""
    acts = frozenset({HeldAct.REVISE, HeldAct.CLOSE})
    return frozenset(
        said.family
        for vote in votes
        for said in vote.item.statements
        if any(mark.about == held and mark.act in acts for mark in said.claim.marks) and never_held(said.claim.text)
    )


def _lacking(claim: Claim, families: frozenset[FamilyName], others: frozenset[FamilyName]) -> str | None:
    """Why the votes of these families do not end a claim; None where they do."""
    needed = min(QUORUM, len(claim.support.families))
    if PERSONAL_MARKS & frozenset(claim.marks):
        return "a person pinned or confirmed it"
    if not families:
        return "no words of a new turn bear that out"
    if len(families) < needed:
        return f"it takes {needed}"
    if len(families) <= len(others):
        return f"{_count(others)} {_say(others)} it again"
    return None


def _replaces(vote: Vote) -> bool:
    """Whether an item can end a claim by itself: what takes a claim's place has to stand in the boundary."""
    return isinstance(vote.item, Claim) or vote.act is HeldAct.CLOSE


def _weight(vote: Vote) -> tuple[bool, int, int, tuple[int, str, str]]:
    newest = max((piece.turn for piece in vote.words), default=0)
    return isinstance(vote.item, Claim), len(vote.families), newest, by_words(vote.item)


def _count(families: frozenset[FamilyName]) -> str:
    return f"{len(families)} {'family' if len(families) == 1 else 'families'}"


def _say(families: frozenset[FamilyName]) -> str:
    return "says" if len(families) == 1 else "say"
