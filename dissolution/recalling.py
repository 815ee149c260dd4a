"""Recall: what is looked for in a conversation and its ledger, and what was found where (docs/recall.md)."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from dissolution.claims import Claim, ClaimId, ClaimState, Dissent, Evidence, Section
from dissolution.conversation import ConversationId, Role, TurnNumber
from dissolution.ledger import Query
from dissolution.recall_kinds import RecallBy, RecallKind
from dissolution.values import Frozen

WORDS_LENGTH = 1000
"""Most characters of the words that are looked for."""


EVERY_KIND = frozenset(RecallKind)


class RecallQuery(Frozen):
    """What is looked for: words, in which kinds, and what claims must fit besides.

    Without words the claims that fit are listed; dissent and turns are found by words alone.
    """

    text: Annotated[str, Field(min_length=1, max_length=WORDS_LENGTH)] | None = None
    fit: Query = Query()
    kinds: Annotated[frozenset[RecallKind], Field(min_length=1)] = EVERY_KIND
    match: RecallBy = RecallBy.AUTO

    @property
    def wanted(self) -> frozenset[RecallKind]:
        """The kinds that can be found: a turn is in no section."""
        return self.kinds if self.fit.section is None else self.kinds - {RecallKind.TURN}


class Became(Frozen):
    """A claim that rests on words of a turn, and how it stands now."""

    claim: ClaimId
    state: ClaimState  # current (said again or carried since) or how it ended
    by: ClaimId | None = None  # the claim that took its place


class RecallResult(Frozen):
    """One thing that was found."""

    rank: Annotated[int, Field(ge=1)]
    kind: RecallKind
    id: Annotated[str, Field(min_length=1)]  # of the claim or dissent; the number of the turn
    state: str  # open, superseded, corrected, expired; of dissent why it is dissent; of a turn: said
    by: ClaimId | None = None  # the claim that took its place
    section: Section | None = None  # of a claim or dissent
    text: str  # what the claim or dissent says; of a turn the words that fit
    words: tuple[Evidence, ...] = ()  # verbatim words of turns
    role: Role | None = None  # of a turn
    speaker: str | None = None  # of a turn
    said_at: AwareDatetime | None = None  # of a turn
    became: tuple[Became, ...] = ()  # of a turn: the claims that rest on it
    rank_words: Annotated[int, Field(ge=1)] | None = None  # its rank by words
    rank_meaning: Annotated[int, Field(ge=1)] | None = None  # its rank by meaning
    claim: Annotated[Claim | None, Field(exclude=True)] = None  # the whole claim; not written out
    dissent: Annotated[Dissent | None, Field(exclude=True)] = None  # the whole dissent; as above

    @property
    def turns(self) -> tuple[TurnNumber, ...]:
        """The turns whose words are shown, each once, in order."""
        return tuple(sorted({piece.turn for piece in self.words}))


class Recalled(Frozen):
    """What was found, best first, and how it was looked for."""

    conversation: ConversationId
    results: tuple[RecallResult, ...]
    matched_by: RecallBy  # words or meaning
    notes: tuple[str, ...] = ()  # what was not looked at, and why

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims among the results."""
        return tuple(one.claim for one in self.results if one.claim is not None)
