"""What the conversation says, sentence by sentence, each with its present status: what a claim is held against."""

import re
from dataclasses import dataclass

from dissolution.claims import Claim, Evidence
from dissolution.conversation import Snapshot
from dissolution.premises import Premise, PremiseStatus, Register
from frame_agent.extraction import Found, doubts_before, propositions, substance
from frame_agent.terms import Index, Weights, terms_of, words_of
from wording.hedges import is_hedged
from wording.sentences import sentence_spans

COVERED = 0.7
"""Of how well a sentence bears a claim: the part that is the share of the claim found there; the rest is the share of
the sentence found in the claim."""

CITED = 0.1
CITED_FIRST = 0.18
"""Head start of a sentence that the claim has as evidence, and of the one it rests on first of all."""

BESIDE = 0.5
"""What a term counts that stands in the sentence before: talk refers back."""

LEAST_PART = 2
"""Terms of a part of a claim that can be held against anything."""


LIST = re.compile(r"[,:](?=\s)|\s[–—-]\s|\band (?=the |a |an |that )")


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of the conversation with its status now.

    Attributes:
        found: The sentence.
        status: Its premise's status in the register; as it was put forward when it is no premise.
        premise: The premise, if it is one.
        before: Terms of the sentence before it in the same turn.
    """

    found: Found
    status: PremiseStatus
    premise: Premise | None
    before: frozenset[str]


@dataclass(frozen=True, slots=True)
class Part:
    """One sentence of a claim.

    Attributes:
        text: Its words.
        terms: What it is about, without its hedges.
        hedged: Whether it is put as a guess.
    """

    text: str
    terms: frozenset[str]
    hedged: bool


class Record:
    """A snapshot under its register."""

    def __init__(self, register: Register, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.register = register
        premises = {_place(one.evidence): one for one in register.premises}
        self.said: list[Said] = []
        self.weights = Weights()
        self.spoken = Weights()  # of all words, for what is asked about answers
        self._index = Index()
        for turn in snapshot.turns:
            before: frozenset[str] = frozenset()
            for found in propositions(turn):
                premise = premises.get((found.turn, found.span.start, found.span.end))
                status = _status(found, premise)
                self._index.add(len(self.said), found.terms | before)
                self.weights.add(found.terms)
                self.spoken.add(words_of(found.text))
                self.said.append(Said(found, status, premise, before))
                before = found.terms

    def near(self, terms: frozenset[str]) -> list[Said]:
        """Sentences that share a term, in order."""
        return [self.said[place] for place in sorted(self._index.near(terms))]

    def bears(self, said: Said, part: Part, evidence: tuple[Evidence, ...] = ()) -> float:
        """How well a sentence bears a part of a claim, 0..1 and a head start more when it is the claim's evidence."""
        terms = said.found.terms
        cover = self.cover(said, part.terms)
        back = self.weights.share(part.terms, terms)
        score = COVERED * cover + (1 - COVERED) * back
        places = [place for place, one in enumerate(evidence) if _overlaps(one, said.found)]
        if not places or not cover:
            return score
        return score + (CITED_FIRST if places[0] == 0 else CITED)

    def cover(self, said: Said, asked: frozenset[str]) -> float:
        """How much of `asked` a sentence holds, 0..1, the one before it counting BESIDE."""
        own = self.weights.share(said.found.terms, asked)
        return own + BESIDE * self.weights.share(said.before - said.found.terms, asked)


def pieces_of(part: Part) -> tuple[Part, ...]:
    """What stands between the commas and colons of a sentence that has several of them; none of a plain sentence."""
    pieces = [piece.strip() for piece in LIST.split(part.text) if piece.strip()]
    listed = [Part(piece, _terms(piece), is_hedged(piece)) for piece in pieces] if len(pieces) > 1 else []
    return tuple(one for one in listed if len(one.terms) >= LEAST_PART)


def _overlaps(one: Evidence, found: Found) -> bool:
    return one.turn == found.turn and one.start < found.span.end and found.span.start < one.end


def parts_of(claim: Claim) -> tuple[Part, ...]:
    """The sentences of a claim, and what stands between its semicolons, each by itself."""
    pieces = [
        piece
        for span in sentence_spans(claim.text)
        for piece in claim.text[span.start : span.end].split(";")
        if piece.strip()
    ]
    joined: list[str] = []
    for piece in pieces:
        if joined and (doubts_before(piece.strip()) or not terms_of(piece)):
            joined[-1] = claim.text[claim.text.index(joined[-1]) : claim.text.index(piece) + len(piece)]
        else:
            joined.append(piece)
    parts = [Part(piece.strip(), _terms(piece), is_hedged(piece)) for piece in joined]
    long = tuple(part for part in parts if len(part.terms) >= LEAST_PART)
    return long or (Part(claim.text, _terms(claim.text), is_hedged(claim.text)),)


def _terms(text: str) -> frozenset[str]:
    return terms_of(substance(text)) if is_hedged(text) else terms_of(text)


def _status(found: Found, premise: Premise | None) -> PremiseStatus:
    """How a sentence stands: as its premise does, but for quoted material that the rules took for an order.

    The register shows every line that might be one. A claim is held only against those that are one by their wording,
    or that a member read so, since what a document rules and reports is a fact about it.
    """
    if premise is None or (found.quoted and not premise.readings):
        return found.status
    return premise.status


def _place(evidence: Evidence) -> tuple[int, int, int]:
    return evidence.turn, evidence.start, evidence.end
