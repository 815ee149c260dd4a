"""A register while it takes in turns: what stands, and the events that are written down."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from dissolution.claims import Evidence
from dissolution.conversation import Role, Turn
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
from frame_agent.register.premises import SpokenSentence
from frame_agent.register.transitions import after
from language.reading import Reading, read
from language.weights import Index, Weights

MOST_NEAR = 150
"""A sentence is held against so many premises at most: a log that is pasted as talk says one thing a thousand times."""


@dataclass(slots=True)
class OpenPremise:
    """One premise as it stands."""

    id: str
    proposition: str
    status: PremiseStatus
    scope: Scope
    role: Role
    speaker: str
    turn: int
    dependants: dict[tuple[int, int, int], Dependant] = field(default_factory=dict[tuple[int, int, int], Dependant])
    touched: int = 0  # last turn in which something happened to it

    @property
    def reading(self) -> Reading:
        """What is read from it."""
        return read(self.proposition)

    @property
    def terms(self) -> frozenset[str]:
        """What it is about."""
        return self.reading.terms

    @property
    def waiting(self) -> tuple[Dependant, ...]:
        """The questions that wait for an answer."""
        return tuple(one for one in self.dependants.values() if one.kind is DependantKind.QUESTION and one.open)

    @classmethod
    def of(cls, premise: Premise) -> "OpenPremise":
        """A premise of a stored register."""
        return cls(
            id=premise.id,
            proposition=premise.proposition,
            status=premise.status,
            scope=premise.scope,
            role=premise.role,
            speaker=premise.speaker,
            turn=premise.turn,
            dependants={place_of(one.evidence): one for one in premise.dependants},
            touched=premise.changed,
        )


def place_of(evidence: Evidence) -> tuple[int, int, int]:
    """Turn, start and end."""
    return evidence.turn, evidence.start, evidence.end


class Latest:
    """Who stated something last, and who did before him: so that nobody has to look through all premises."""

    def __init__(self) -> None:
        self._two: list[tuple[str, int]] = []  # the two newest speakers with the last turn of each, the newest first

    def add(self, speaker: str, turn: int) -> None:
        """A speaker states something in a turn, which is not before those that were added."""
        self._two = [(speaker, turn), *(one for one in self._two if one[0] != speaker)][:2]

    def but(self, speaker: str) -> int:
        """The last turn of anybody else; 0 for none."""
        return next((turn for who, turn in self._two if who != speaker), 0)


class Folding:
    """A register that takes in turns. What it writes down are events; premises follow from them."""

    def __init__(self, register: Register) -> None:
        self.conversation = register.conversation
        self.through = register.through
        self.events: list[PremiseEvent] = list(register.events)
        self.premises: list[OpenPremise] = []
        self.weights = Weights()
        self._index = Index()
        self._turns: list[int] = []  # of each premise, never falling
        self._latest = Latest()
        self._latest_spoken = Latest()  # without tools
        for premise in register.premises:
            self._remember(OpenPremise.of(premise))

    def register(self) -> Register:
        """What has been written down so far."""
        return Register(conversation=self.conversation, through=self.through, events=tuple(self.events))

    def state(self, said: SpokenSentence, turn: Turn) -> OpenPremise:
        """A new premise."""
        number = 1 + sum(one.turn == turn.number for one in self.latest(turn.number))
        one = OpenPremise(
            id=f"p{turn.number}.{number}",
            proposition=said.reading.plain if not said.quoted else said.evidence.text,
            status=said.status,
            scope=said.scope,
            role=turn.role,
            speaker=turn.speaker,
            turn=turn.number,
        )
        self._remember(one)
        self._write(
            one,
            PremiseEventKind.STATED,
            turn,
            said.reason,
            proposition=one.proposition,
            evidence=said.evidence,
            quoted=said.quoted,
        )
        return one

    def accept(self, one: OpenPremise, turn: Turn, how: Acceptance, words: Evidence | None, reason: str) -> None:
        """Somebody takes it up."""
        one.status = after(one.status, PremiseEventKind.ACCEPTED, how)
        accepted = Accepted(role=turn.role, speaker=turn.speaker, how=how, turn=turn.number, evidence=words)
        self._write(one, PremiseEventKind.ACCEPTED, turn, reason, evidence=words, accepted=accepted)

    def act(self, one: OpenPremise, kind: PremiseEventKind, turn: Turn, words: Evidence, reason: str) -> None:
        """It is said again, rejected or challenged."""
        one.status = after(one.status, kind)
        self._write(one, kind, turn, reason, evidence=words)

    def rest(self, one: OpenPremise, turn: Turn, dependant: Dependant, reason: str) -> None:
        """Something comes to rest on it, or no longer does."""
        place = place_of(dependant.evidence)
        if one.dependants.get(place) == dependant:
            return
        one.dependants[place] = dependant
        kind = PremiseEventKind.RESTS if dependant.open else PremiseEventKind.CLOSED
        self._write(one, kind, turn, reason, evidence=dependant.evidence, dependant=dependant)

    def near(self, terms: frozenset[str], least: int) -> list[OpenPremise]:
        """Premises that share so many terms, in the order in which they were stated; of very many the latest."""
        return [self.premises[place] for place in self._index.newest(terms, least, MOST_NEAR)]

    def latest(self, turn: int) -> Iterator[OpenPremise]:
        """Premises stated in a turn or after it, the last one first."""
        for one in reversed(self.premises):
            if one.turn < turn:
                return
            yield one

    def last_of_others(self, speaker: str) -> int:
        """The last turn in which somebody else stated something, tools included; 0 for none."""
        return self._latest.but(speaker)

    def offered_to(self, speaker: str) -> list[OpenPremise]:
        """What the last other speaker stated, in order; tools offer nothing."""
        last = self._latest_spoken.but(speaker)
        first, end = bisect_left(self._turns, last), bisect_right(self._turns, last)
        return [one for one in self.premises[first:end] if one.role is not Role.TOOL and one.speaker != speaker]

    def _remember(self, one: OpenPremise) -> None:
        self._index.add(len(self.premises), one.terms)
        self.weights.add(one.terms)
        self.premises.append(one)
        self._turns.append(one.turn)
        self._latest.add(one.speaker, one.turn)
        if one.role is not Role.TOOL:
            self._latest_spoken.add(one.speaker, one.turn)

    def _write(self, one: OpenPremise, kind: PremiseEventKind, turn: Turn, reason: str, **more: object) -> None:
        one.touched = turn.number
        facts = {"kind": kind, "premise": one.id, "turn": turn.number, "role": turn.role, "speaker": turn.speaker}
        standing = {"status": one.status, "scope": one.scope, "reason": reason}
        self.events.append(PremiseEvent.model_validate(facts | standing | more))
