"""What turns since the last boundary end, though no claim of this cycle says so.

The rules of the consensus for what a later turn takes back are asked for held claims as well (`consensus.retractions`),
and only about turns that the last boundary did not see.
"""

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from consensus.changes import CHANGES
from consensus.draft import Draft
from consensus.evidence import Ground
from consensus.grounding import Grounding
from consensus.profile import profile_of
from consensus.reconcile.compare import Relation, compare
from consensus.reconcile.cues import takes_back
from consensus.retractions import retraction
from dissolution.claims import FIRM_SECTIONS, Claim, ClaimState, Evidence
from dissolution.conversation import Snapshot

BY_VALUE = frozenset({"gives another value", "gives a figure of it to something else"})
"""Reasons of the consensus that rest on a figure alone. There a doubt costs a claim its place for one boundary; here it
would cost the ledger a fact: the figures must fill one slot of one thing, or the words must say that they correct."""


def _bears_out(text: str, said: str) -> bool:
    """Whether a sentence gives the slot of a held text another value, or says that something is otherwise."""
    compared = compare(text, said)
    return compared.relation is Relation.REPLACES or CHANGES.search(said) is not None or takes_back([said])


def speaks_of(part: str, words: Iterable[Evidence]) -> bool:
    """Whether words that end a claim have a figure of this part of it, or give its slot another value."""
    marks = [mark for mark in profile_of(part).marks if mark.hard]
    return any(
        any(profile_of(piece.text).has(mark) for mark in marks)
        or compare(part, piece.text, cue=True).relation is Relation.REPLACES
        for piece in words
    )


@dataclass(frozen=True, slots=True)
class Ending:
    """What ends a held claim.

    Attributes:
        turn: The turn.
        state: What the claim becomes: corrected when it never was so, else expired.
        why: What the turn does to it, in words.
        evidence: The words that do it.
    """

    turn: int
    state: ClaimState
    why: str
    evidence: tuple[Evidence, ...]


class NewTurns:
    """The turns that the last boundary did not see, laid out for finding what they end.

    Args:
        snapshot: The whole conversation.
        since: The last turn that the standing boundary saw.
    """

    def __init__(self, snapshot: Snapshot, since: int) -> None:
        self._whole = Ground(snapshot)
        self._turns = [stretch.turn for stretch in self._whole.stretches]
        self._new = self._masked({place for place, turn in enumerate(self._turns) if turn > since})
        self._since = since

    def _masked(self, places: set[int]) -> Ground:
        """The ground with only these stretches able to end anything."""
        ground = copy.copy(self._whole)
        ground.spoken = self._whole.spoken & np.array([n in places for n in range(len(self._turns))], dtype=np.bool_)
        return ground

    def spoken(self) -> list[Evidence]:
        """The stretches that somebody says in a new turn, in order."""
        return [self._piece(place) for place in np.flatnonzero(self._new.spoken).tolist()]

    def everything(self) -> list[Evidence]:
        """The stretches that somebody says in any turn, in order."""
        return [self._piece(place) for place in np.flatnonzero(self._whole.spoken).tolist()]

    def ending(self, text: str, claim: Claim) -> Ending | None:
        """The first new turn that takes back what `text`, the claim or a part of it, says; or None.

        Args:
            text: What is held against the turns.
            claim: The held claim it belongs to, for its evidence and section.
        """
        if claim.section not in FIRM_SECTIONS or self._since >= self._whole.snapshot.through:
            return None
        draft = self._draft(text, claim)
        found = retraction(draft, self._new)
        if found is None or found.turn <= self._since:
            return None
        words = self._words(draft, found.turn)
        if found.why in BY_VALUE and not any(_bears_out(text, piece.text) for piece in words):
            return None
        state = ClaimState.CORRECTED if takes_back(piece.text for piece in words) else ClaimState.EXPIRED
        return Ending(found.turn, state, f"turn {found.turn} {found.why}", words)

    def touched(self, claim: Claim, ending: Ending, parts: Sequence[str]) -> Callable[[str], bool]:
        """Whether words of a claim end with it: those of whole parts, all of them where no part tells.

        Pieces of a part are not told apart: a turn that takes a figure back says nothing of which others it takes.
        """
        gone = [part for part in parts if self.ending(part, claim) is not None]
        gone = gone or [part for part in parts if speaks_of(part, ending.evidence)] or [*parts]
        stay = frozenset(parts) - frozenset(gone)
        return lambda words: words not in stay

    def _draft(self, text: str, claim: Claim) -> Draft:
        places = tuple(
            place
            for place, stretch in enumerate(self._whole.stretches)
            if any(
                piece.turn == stretch.turn and piece.start < stretch.end and stretch.start < piece.end
                for piece in claim.evidence
            )
        )
        turns = tuple(sorted({piece.turn for piece in claim.evidence}))
        grounding = Grounding(claim.evidence, 1.0, turns, places, places)
        return Draft(
            rows=(),
            texts=(text,),
            statements=claim.statements,
            chosen=0,
            profile=profile_of(text),
            section=claim.section,
            reason=claim.reason,
            grounding=grounding,
        )

    def _words(self, draft: Draft, turn: int) -> tuple[Evidence, ...]:
        """The stretches of a turn that take the draft back by themselves; all that is said in it where none does."""
        places = [place for place, number in enumerate(self._turns) if number == turn and self._new.spoken[place]]
        alone = [place for place in places if retraction(draft, self._masked({place})) is not None]
        return tuple(self._piece(place) for place in (alone or places)[:1])

    def _piece(self, place: int) -> Evidence:
        stretch = self._whole.stretches[place]
        return Evidence(turn=stretch.turn, start=stretch.start, end=stretch.end, text=stretch.text)
