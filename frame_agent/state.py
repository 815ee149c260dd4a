"""The register while it is being folded: premises as they stand, found by what they are about."""

from dataclasses import dataclass, field

from dissolution.claims import Evidence
from dissolution.conversation import Turn
from dissolution.premises import (
    Acceptance,
    Accepted,
    Dependant,
    DependantKind,
    Premise,
    PremiseEvent,
    PremiseEventKind,
    PremiseStatus,
    Register,
    Scope,
)
from dissolution.values import Span
from frame_agent.extraction import Found, substance
from frame_agent.terms import Index, Weights, terms_of
from frame_agent.transitions import after

MOST_NEAR = 150
"""A sentence is held against so many premises at most: a log that is pasted as talk says one thing a thousand times."""

ALIKE = 0.17
"""Least shared terms of two texts over the terms of both that can reach a likeness worth telling, half of Dice."""


@dataclass(slots=True)
class Standing:
    """One premise as it stands."""

    id: str
    proposition: str
    status: PremiseStatus
    scope: Scope
    role: str
    speaker: str
    turn: int
    terms: frozenset[str]
    dependants: dict[tuple[int, int, int], Dependant] = field(default_factory=dict[tuple[int, int, int], Dependant])
    touched: int = 0  # last turn in which something happened to it

    @property
    def asks(self) -> bool:
        """Whether it is a question, answered or not."""
        return any(one.kind is DependantKind.QUESTION for one in self.dependants.values())

    @classmethod
    def of(cls, premise: Premise) -> "Standing":
        """A premise of a stored register."""
        return cls(
            id=premise.id,
            proposition=premise.proposition,
            status=premise.status,
            scope=premise.scope,
            role=premise.role.value,
            speaker=premise.speaker,
            turn=premise.turn,
            terms=terms_of(substance(premise.proposition)),
            dependants={place_of(one.evidence): one for one in premise.dependants},
            touched=premise.changed,
        )


def place_of(evidence: Evidence) -> tuple[int, int, int]:
    """Turn, start and end."""
    return evidence.turn, evidence.start, evidence.end


class Folding:
    """A register that takes in turns. What it writes down are events; premises follow from them."""

    def __init__(self, register: Register) -> None:
        self.conversation = register.conversation
        self.through = register.through
        self.events: list[PremiseEvent] = list(register.events)
        self.premises: list[Standing] = []
        self.weights = Weights()
        self.index = Index()
        for premise in register.premises:
            self._remember(Standing.of(premise))

    def register(self) -> Register:
        """What has been written down so far."""
        return Register(conversation=self.conversation, through=self.through, events=tuple(self.events))

    def state(self, found: Found, turn: Turn) -> Standing:
        """A new premise."""
        number = 1
        for one in reversed(self.premises):
            if one.turn != turn.number:
                break
            number += 1
        one = Standing(
            id=f"p{turn.number}.{number}",
            proposition=found.held,
            status=found.status,
            scope=found.scope,
            role=turn.role.value,
            speaker=turn.speaker,
            turn=turn.number,
            terms=found.terms,
            touched=turn.number,
        )
        self._remember(one)
        self._write(
            one,
            PremiseEventKind.STATED,
            turn,
            found.reason,
            proposition=found.held,
            evidence=found.evidence,
            quoted=found.quoted,
        )
        return one

    def accept(self, one: Standing, turn: Turn, how: Acceptance, words: Evidence | None, reason: str) -> None:
        """Somebody takes it up."""
        verified = words is not None and reason == VERIFIED
        one.status = after(one.status, PremiseEventKind.ACCEPTED, how, verified=verified)
        accepted = Accepted(role=turn.role, speaker=turn.speaker, how=how, turn=turn.number, evidence=words)
        self._write(one, PremiseEventKind.ACCEPTED, turn, reason, evidence=words, accepted=accepted)

    def act(self, one: Standing, kind: PremiseEventKind, turn: Turn, words: Evidence, reason: str) -> None:
        """It is said again, rejected or challenged."""
        one.status = after(one.status, kind)
        self._write(one, kind, turn, reason, evidence=words)

    def rest(self, one: Standing, turn: Turn, dependant: Dependant, reason: str) -> None:
        """Something comes to rest on it, or no longer does."""
        place = place_of(dependant.evidence)
        if one.dependants.get(place) == dependant:
            return
        one.dependants[place] = dependant
        kind = PremiseEventKind.RESTS if dependant.open else PremiseEventKind.CLOSED
        self._write(one, kind, turn, reason, evidence=dependant.evidence, dependant=dependant)

    def near(self, terms: frozenset[str], least: int = 2) -> list[Standing]:
        """Premises that share terms, in the order in which they were stated; of very many the latest."""
        return [self.premises[place] for place in sorted(self.index.near(terms, least))[-MOST_NEAR:]]

    def alike(self, terms: frozenset[str]) -> list[Standing]:
        """Premises that may say the same: those that share enough terms, by number, for the weights to matter."""
        found = self.index.near(terms, 2)
        return [
            self.premises[place]
            for place in sorted(found)[-MOST_NEAR:]
            if found[place] >= ALIKE * (len(terms) + len(self.premises[place].terms))
        ]

    def _remember(self, one: Standing) -> None:
        self.index.add(len(self.premises), one.terms)
        self.weights.add(one.terms)
        self.premises.append(one)

    def _write(self, one: Standing, kind: PremiseEventKind, turn: Turn, reason: str, **more: object) -> None:
        one.touched = turn.number
        self.events.append(
            PremiseEvent.model_validate(
                {
                    "kind": kind,
                    "premise": one.id,
                    "turn": turn.number,
                    "role": turn.role,
                    "speaker": turn.speaker,
                    "status": one.status,
                    "scope": one.scope,
                    "reason": reason,
                    **more,
                }
            )
        )


VERIFIED = "said to be verified"
"""The reason of an acceptance by which even a guess becomes more than one."""


def part_of(found: Found, start: int) -> Evidence:
    """The rest of a sentence from character `start` of it on."""
    text = found.text[start:]
    bare = text.lstrip(" ,;:–—-")
    begin = found.span.start + start + len(text) - len(bare)
    span = Span(start=begin, end=found.span.end)
    return Evidence(turn=found.turn, start=span.start, end=span.end, text=bare)
