"""What the consensus, fitted models of wording and comparisons of typed values suspect of a candidate.

A hint decides nothing: it is shown to reviewers and stands in the receipt. Each says of which claim what is suspected,
on which words, with which probability and on what basis; comparisons of values have no probability. How many are right,
on planted faults and on real boundaries: docs/language.md, `benchmarks/hinting.py`.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from dissolution.checking import each
from dissolution.claims import BINDING_SECTIONS, FIRM_SECTIONS, Claim, Evidence, Section
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.policy.calibration import CALIBRATION
from dissolution.premises import DependantKind, Premise, PremiseEventKind, PremiseStatus, Register
from dissolution.reviewing import Fault, Hint
from dissolution.values import Measured, NotMeasured
from frame_agent.challenge.challenger import leverage
from frame_agent.register.premises import SpokenSentence, sentences_of
from language.putting import Phrasing, ReplyAct, fitted
from language.reading import Reading, read
from language.weights import Index, Weights

MOST = 30
"""Hints of one candidate at most: a longer list is read by nobody."""

MOST_OF_KIND = 10
"""Hints at most of one kind that has no probability."""

MOST_MISSING = 5
"""Premises at most that are told as missing."""

LEAST_LIKELY = CALIBRATION.frame_agent.hinted_probability

SUBJECT = CALIBRATION.frame_agent.hinted_subject

SPOKEN_OF = CALIBRATION.frame_agent.hinted_answer

HELD = CALIBRATION.frame_agent.hinted_premise

BORNE = CALIBRATION.frame_agent.hinted_quote
AHEAD = CALIBRATION.frame_agent.hinted_quote_ahead

SUSPECTED = (
    (Phrasing.GUESS, Fault.GUESS, FIRM_SECTIONS, PremiseStatus.HEDGED),
    (Phrasing.OFFER, Fault.PROPOSAL, FIRM_SECTIONS, PremiseStatus.PROPOSED),
    (Phrasing.ONCE, Fault.ONE_ANSWER_ONLY, FIRM_SECTIONS, PremiseStatus.ONE_OFF),
    (Phrasing.REFUSES, Fault.REFUSED, FIRM_SECTIONS, PremiseStatus.REJECTED),
)
"""Ways of putting something, what is wrong when a claim puts it firmly, in which sections, and the premise's status."""

COMPARED = NotMeasured(not_measured="only words and values were compared")


def hints_of(register: Register, candidate: Consensus, snapshot: Snapshot) -> tuple[Hint, ...]:
    """What is suspected of a candidate, each once: at most MOST hints.

    What the consensus suspects comes first, in its order: members said it, or values differ. Then comes what the
    wording suggests, the most probable first, those without a figure last.

    Args:
        register: The premises of the snapshot.
        candidate: What is committed when nobody objects.
        snapshot: The conversation up to where the candidate speaks of.
    """
    talk = _Talk(register, snapshot)
    likely: list[Hint] = []
    compared: dict[Fault, list[Hint]] = {}
    for claim in each(candidate.claims):
        likely += talk.of_wording(claim)
        for hint in (*talk.not_agreed(claim), *talk.stale(claim), *talk.answered(claim)):
            compared.setdefault(hint.suspects, []).append(hint)
    compared[Fault.MISSING] = list(talk.missing(candidate.claims))
    # Ties stay in the order of the candidate: ids are made of names, and would make a replay come otherwise.
    likely.sort(key=lambda hint: -_figure(hint.probability))
    rest = [hint for hints in compared.values() for hint in hints[:MOST_OF_KIND]]
    kept = likely[: max(MOST - len(rest), MOST // 2)]
    return _once([*_standing(candidate)[: MOST // 2], *kept, *rest])[:MOST]


def _standing(candidate: Consensus) -> list[Hint]:
    """The hints of the consensus about claims that stand."""
    names = {claim.id for claim in candidate.claims}
    return [hint for hint in candidate.hints if names.issuperset(hint.claims)]


def _once(hints: Sequence[Hint]) -> tuple[Hint, ...]:
    """The first hint of each fault about the same claims; about none, on the same words."""
    found: dict[object, Hint] = {}
    for hint in hints:
        found.setdefault((hint.suspects, frozenset(hint.claims), None if hint.claims else hint.evidence), hint)
    return tuple(found.values())


def _figure(probability: Measured) -> float:
    return probability if isinstance(probability, float) else 0.0


class _Place(NamedTuple):
    """A spoken sentence in the conversation."""

    said: SpokenSentence
    doubted: float  # probability that the next sentence says nobody vouches for it


class _Talk:
    """A conversation as hints need it: its spoken sentences, their premises, and how much each word tells."""

    def __init__(self, register: Register, snapshot: Snapshot) -> None:
        self._through = snapshot.through
        self._register = register
        self._premises = {(one.evidence.turn, one.evidence.start): one for one in register.premises}
        self._quoted = [one for one in register.premises if one.quoted]
        self._said: list[_Place] = []
        self._by_turn: dict[int, list[_Place]] = {}
        self._against = _rejections(register)
        self._weights = Weights()
        self._index = Index()
        for turn in each(snapshot.turns):
            spoken = sentences_of(turn)
            for one, after in zip_longest(spoken, spoken[1:]):
                self._index.add(len(self._said), one.reading.terms)
                self._weights.add(one.reading.terms)
                place = _Place(one, after.reading.put.shares[Phrasing.COMMENT] if after else 0.0)
                self._said.append(place)
                self._by_turn.setdefault(turn.number, []).append(place)

    def of_wording(self, claim: Claim) -> Iterator[Hint]:
        """What the sentences that a claim rests on are likely to be, where the claim itself says it plainly."""
        reading = read(claim.text)
        bearing = [
            (place, self._weights.share(place.said.reading.terms, reading.terms)) for place in self._cited(claim)
        ]
        whole = sum(share for _, share in bearing)
        if not whole or claim.section not in FIRM_SECTIONS:
            return
        for put, fault, sections, status in SUSPECTED:
            found = [(share * self._likely(place, put, status), place) for place, share in bearing]
            probability = sum(likely for likely, _ in found) / whole * _plainly(reading, put)
            if claim.section in sections and probability >= LEAST_LIKELY:
                best = max(found, key=lambda pair: pair[0])[1].said.evidence
                yield _hint(fault, claim, best, round(probability, 3), fitted().basis)

    def _likely(self, place: _Place, put: Phrasing, status: PremiseStatus) -> float:
        """How likely a sentence is put in a way, and is so still by what was said of it afterwards."""
        evidence = place.said.evidence
        premise = self._premises.get((evidence.turn, evidence.start))
        if premise is not None and premise.status is PremiseStatus.CONFIRMED and put is not Phrasing.GUESS:
            return 0.0
        likely = place.said.reading.put.shares[put]
        if place.said.reading.asks:  # a question puts something forward, whatever its words
            likely = float(put is Phrasing.OFFER)
        if put is Phrasing.GUESS:
            likely = 1 - (1 - likely) * (1 - place.doubted)
        if put is Phrasing.REFUSES:  # by a later turn: the wording alone is right once in ten times
            likely = self._declined(premise) if premise is not None else 0.0
        if premise is not None and premise.readings:  # members read it too: each has as much weight as the model
            votes = [float(one.status is status) for one in premise.readings]
            likely = (likely + sum(votes)) / (1 + len(votes))
        return likely

    def _declined(self, premise: Premise) -> float:
        """How likely a later turn turned a premise down."""
        said = self._against.get(premise.id, ())
        return max((read(text).reply.shares[ReplyAct.DECLINE] for text in said), default=0.0)

    def not_agreed(self, claim: Claim) -> Iterator[Hint]:
        """A decision or rule that quoted material bears better than anything spoken: by where the words stand."""
        terms = read(claim.text).terms
        if claim.section not in BINDING_SECTIONS:
            return
        spoken = max((self._weights.share(one.said.reading.terms, terms) for one in self._near(terms)), default=0.0)
        lines = [(self._weights.share(read(one.proposition).terms, terms), one) for one in self._quoted]
        share, line = max(lines, key=lambda pair: pair[0], default=(0.0, None))
        if line is not None and share >= max(BORNE, spoken + AHEAD):
            yield _hint(Fault.NOT_AGREED, claim, line.evidence, COMPARED, "quoted material holds more of its words")

    def stale(self, claim: Claim) -> Iterator[Hint]:
        """A claim with a value, and a later statement with the same words and another value of the kind."""
        reading = read(claim.text)
        kinds = _kinds(reading)
        last = max((one.turn for one in claim.evidence), default=self._through)
        subject = frozenset(reading.content) - _figures(reading)
        if claim.section is Section.EDGES or not kinds or not subject:
            return
        for place in self._near(subject):
            later = place.said.reading
            others = _kinds(later)
            differs = any(kind in others and not values & others[kind] for kind, values in kinds.items())
            about = self._weights.share(frozenset(later.content), subject)
            if place.said.evidence.turn > last and not later.asks and differs and about >= SUBJECT:
                yield _hint(
                    Fault.STALE, claim, place.said.evidence, COMPARED, "another value for the same words, later"
                )
                return

    def answered(self, claim: Claim) -> Iterator[Hint]:
        """An open question, and a later statement that speaks of what it asks."""
        reading = read(claim.text)
        if claim.section is not Section.EDGES:
            return
        last = max((one.turn for one in claim.evidence), default=0)
        for place in reversed(self._near(reading.terms)):
            one = place.said
            firm = one.status is PremiseStatus.ASSERTED and not one.reading.asks
            if one.evidence.turn > last and firm and self._weights.share(one.reading.terms, reading.terms) >= SPOKEN_OF:
                yield _hint(Fault.ANSWERED, claim, one.evidence, COMPARED, "a later statement in the same words")
                return

    def missing(self, claims: Sequence[Claim]) -> Iterator[Hint]:
        """Premises that things rest on, or questions that nobody answered, and that no claim speaks of."""
        held = [read(claim.text).terms for claim in claims]
        found: list[tuple[float, Premise]] = []
        for premise in each(self._register.premises):
            waits = any(one.kind is DependantKind.QUESTION for one in premise.open_dependants)
            weight = leverage(premise) + waits
            if weight <= 0 or premise.status is PremiseStatus.INJECTED:
                continue
            near = self._most_held(read(premise.proposition).terms, held)
            if near < HELD:
                found.append((weight * (1 - near), premise))
        found.sort(key=lambda pair: (-pair[0], pair[1].turn))
        for _, premise in found[:MOST_MISSING]:
            yield Hint(
                suspects=Fault.MISSING,
                evidence=premise.evidence,
                probability=COMPARED,
                basis="what rests on it, and that no claim shares its words",
            )

    def _cited(self, claim: Claim) -> list[_Place]:
        """The spoken sentences that hold a claim's evidence."""
        turns = sorted({one.turn for one in claim.evidence})
        places = (place for turn in turns for place in self._by_turn.get(turn, ()))
        return [place for place in places if any(_meets(place.said.evidence, one) for one in claim.evidence)]

    def _most_held(self, terms: frozenset[str], claims: Sequence[frozenset[str]]) -> float:
        """The largest share of terms that one claim holds; HELD or more is not looked beyond, as it is enough."""
        most = 0.0
        for one in claims:
            most = max(most, self._weights.share(one, terms))
            if most >= HELD:
                break
        return most

    def _near(self, terms: frozenset[str]) -> list[_Place]:
        """Sentences that share two terms, in order."""
        return [self._said[place] for place in sorted(self._index.near(terms, min(2, len(terms))))]


def _rejections(register: Register) -> dict[str, list[str]]:
    """The words with which each premise was rejected, by its id."""
    found: dict[str, list[str]] = {}
    for event in register.events:
        if event.kind is PremiseEventKind.REJECTED and event.evidence is not None:
            found.setdefault(event.premise, []).append(event.evidence.text)
    return found


def _hint(fault: Fault, claim: Claim, evidence: Evidence, probability: Measured, basis: str) -> Hint:
    return Hint(suspects=fault, claims=(claim.id,), evidence=evidence, probability=probability, basis=basis)


def _plainly(reading: Reading, put: Phrasing) -> float:
    """How likely a claim does not say itself that it is put so, 0..1."""
    likely = max((sentence.put.shares[put] for _, sentence in reading.sentences), default=0.0)
    return 1 - likely


def _kinds(reading: Reading) -> dict[str, frozenset[str]]:
    """The values of a statement by kind: by unit, and dates and times of day by which parts they give."""
    found: dict[str, set[str]] = {}
    for one in reading.quantities:
        if one.unit is not None:
            found.setdefault(one.unit, set()).add(f"{one.value.normalize():f}")
    for one in reading.dates:
        found.setdefault("clock" if one.hour is not None else "date", set()).add(one.text)
    return {kind: frozenset(values) for kind, values in found.items()}


def _figures(reading: Reading) -> frozenset[str]:
    return frozenset(word for word in reading.content if any(letter.isdigit() for letter in word))


def _meets(one: Evidence, other: Evidence) -> bool:
    return one.turn == other.turn and one.start < other.end and other.start < one.end
