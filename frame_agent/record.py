"""What the conversation says, sentence by sentence, each with its present status: what a claim is held against."""

import re
from dataclasses import dataclass, replace

from dissolution.claims import Claim, Evidence
from dissolution.conversation import Snapshot
from dissolution.premises import Premise, PremiseStatus, Register
from frame_agent.extraction import Found, propositions, substance
from frame_agent.terms import Index, Weights, terms_of, words_of
from frame_agent.wordings import doubts_before
from wording.hedges import is_hedged
from wording.numbers import quantities
from wording.sentences import sentence_spans

COVERED = 0.7
"""Of how well a sentence bears a claim: the part that is the share of the claim found there; the rest is the share of
the sentence found in the claim."""

CITED = 0.1
CITED_FIRST = 0.18
"""Head start of a sentence that the claim has as evidence, and of the one it rests on first of all."""

BESIDE = 0.5
"""What a term counts that stands in the sentence before: talk refers back."""

FEW = 3
"""Sentences before one that its topic may stand in."""

LEAST_PART = 2
"""Terms of a part of a claim that can be held against anything."""


SPELLED = re.compile(
    r"\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-\w+|sixty|seventy|eighty|ninety"
    r"|\w+ (?:hundred|thousand|million))\b",
    re.IGNORECASE,
)
"""A number of several words, or one that no single term stands for."""

LIST = re.compile(r"[,:](?=\s)|\s[–—-]\s|\band (?=the |a |an |that )")
REASON = re.compile(r"\b(?:because|since|given that|due to|owing to)\b", re.IGNORECASE)
"""Where what is told ends and why it is so begins."""


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
    """A snapshot under its register.

    Attributes:
        orders: Terms of each order, decision or approval of quoted material that the register lists.
    """

    def __init__(self, register: Register, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.register = register
        premises = {_place(one.evidence): one for one in register.premises}
        self.orders = tuple(
            terms_of(one.proposition) for one in register.premises if one.status is PremiseStatus.INJECTED
        )
        self.said: list[Said] = []
        self.weights = Weights()
        self.spoken = Weights()  # of all words, for what is asked about answers
        self._index = Index()
        self._by_turn: dict[int, list[Said]] = {}
        for turn in snapshot.turns:
            before: frozenset[str] = frozenset()
            for found in map(_with_figures, propositions(turn)):
                premise = premises.get((found.turn, found.span.start, found.span.end))
                status = _status(found, premise)
                self._index.add(len(self.said), found.terms | before)
                self.weights.add(found.terms)
                self.spoken.add(words_of(found.text))
                self.said.append(Said(found, status, premise, before))
                self._by_turn.setdefault(found.turn, []).append(self.said[-1])
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
        places = [place for place, one in enumerate(evidence) if overlaps(one, said.found)]
        if not places or not cover:
            return score
        return score + (CITED_FIRST if places[0] == 0 else CITED)

    def cover(self, said: Said, asked: frozenset[str]) -> float:
        """How much of `asked` a sentence holds, 0..1, the one before it counting BESIDE."""
        own = self.weights.share(said.found.terms, asked)
        return own + BESIDE * self.weights.share(said.before - said.found.terms, asked)

    def around(self, said: Said) -> frozenset[str]:
        """Terms of what a sentence goes on from: the FEW before it in its turn, the questions of the turn before."""
        found = said.found
        own = [one for one in self._by_turn[found.turn] if one.found.span.end <= found.span.start]
        asked = [one for one in self._by_turn.get(found.turn - 1, []) if one.found.asks]
        return frozenset[str]().union(*(one.found.terms for one in (*own[-FEW:], *asked)))


def pieces_of(part: Part) -> tuple[Part, ...]:
    """What stands between the commas and colons of a sentence that has several of them; none of a plain sentence."""
    return _split(part, LIST)


def reasons_of(part: Part) -> tuple[Part, ...]:
    """What a sentence tells and why it is so, each by itself; none of a sentence that gives no reason."""
    return _split(part, REASON)


def _split(part: Part, form: re.Pattern[str]) -> tuple[Part, ...]:
    pieces = [piece.strip() for piece in form.split(part.text) if piece.strip()]
    listed = [Part(piece, _terms(piece), is_hedged(piece)) for piece in pieces] if len(pieces) > 1 else []
    return tuple(one for one in listed if len(one.terms) >= LEAST_PART)


def overlaps(one: Evidence, found: Found) -> bool:
    """Whether words that are evidence stand in a sentence."""
    return one.turn == found.turn and one.start < found.span.end and found.span.start < one.end


def is_cited(claim: Claim, said: Said) -> bool:
    """Whether a claim has a sentence as evidence."""
    return any(overlaps(one, said.found) for one in claim.evidence)


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
    return (terms_of(substance(text)) if is_hedged(text) else terms_of(text)) | _spelled(text)


def _with_figures(found: Found) -> Found:
    spelled = _spelled(found.text)
    return found if spelled <= found.terms else replace(found, terms=found.terms | spelled)


def _spelled(text: str) -> frozenset[str]:
    """Numbers of several words as figures: "three hundred" is 300."""
    said = quantities(text) if SPELLED.search(text) else ()
    whole = [one for one in said if one.amount == one.amount.to_integral_value()]
    return frozenset(str(int(one.amount)) for one in whole if SPELLED.search(one.text))


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
