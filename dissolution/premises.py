"""Premises and their register: what a conversation takes for granted, since when, on whose word, and what rests on it.

A premise is grounded by acceptance (Stalnaker, "Assertion", 1978; Clark and Schaefer, "Contributing to discourse",
1989). The register is append-only: events are kept, premises are what they come to. Transitions: docs/frame.md.
"""

import hashlib
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import Field, model_validator

from dissolution.checking import each
from dissolution.claims import Evidence, MemberName
from dissolution.conversation import ConversationId, Role, TurnNumber
from dissolution.values import Frozen, Numerous

PremiseId = Annotated[str, Field(min_length=1, max_length=64)]


class PremiseStatus(StrEnum):
    """How a proposition stands in a conversation."""

    ASSERTED = "asserted"  # one side says so; nobody has taken it up
    CONFIRMED = "confirmed"  # another side accepted it in words, or by building on it
    HEDGED = "hedged"  # guessed, assumed, supposed
    PROPOSED = "proposed"  # offered for a decision that was not taken
    ONE_OFF = "one_off"  # asked for, for one answer or one task
    REJECTED = "rejected"  # refused or taken back
    IMPLICIT = "implicit"  # presupposed and never said
    INJECTED = "injected"  # an instruction, decision or approval inside quoted material


PLAIN_STATUSES = frozenset({PremiseStatus.ASSERTED, PremiseStatus.CONFIRMED})
"""Premises that were said as true and not taken back: nothing about them needs a warning."""


class Scope(StrEnum):
    """How far a premise is meant to reach."""

    THIS_ANSWER = "this_answer"
    THIS_TASK = "this_task"
    STANDING = "standing"


class Acceptance(StrEnum):
    """How somebody took a premise up."""

    EXPLICIT_YES = "explicit_yes"  # said so
    BUILDING_ON_IT = "building_on_it"  # decided, planned or concluded something from it
    SILENCE = "silence"  # went on without a word against it: the weakest, and never enough to confirm


class Accepted(Frozen):
    """One acceptance: by whom, how, in which turn, and in which words where there are any."""

    role: Role
    speaker: Annotated[str, Field(min_length=1)]
    how: Acceptance
    turn: TurnNumber
    evidence: Evidence | None = None  # none for silence

    @model_validator(mode="after")
    def _words_unless_silent(self) -> "Accepted":
        if (self.how is Acceptance.SILENCE) != (self.evidence is None):
            message = f"acceptance by {self.how.value!r} at turn {self.turn}: exactly silence has no words"
            raise ValueError(message)
        return self


class DependantKind(StrEnum):
    """What rests on a premise."""

    DECISION = "decision"
    PLAN = "plan"
    CONCLUSION = "conclusion"
    QUESTION = "question"


class Dependant(Numerous):
    """A later statement that rests on a premise."""

    kind: DependantKind
    evidence: Evidence  # where it is said
    cue: Annotated[str, Field(min_length=1)]  # why it counts as resting on it: the words, or what the two share
    open: bool = True  # False once a turn closes it


class PremiseReading(Frozen):
    """What one reader (a rule set or a member) takes the status to be; readers that disagree are all kept."""

    reader: MemberName
    status: PremiseStatus


class PremiseEventKind(StrEnum):
    """What happened to a premise in one turn."""

    STATED = "stated"  # for the first time
    RESTATED = "restated"  # said again, by whomever
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    CHALLENGED = "challenged"  # asked about or doubted
    RESTS = "rests"  # something came to rest on it
    CLOSED = "closed"  # a dependant that rested on it is settled otherwise or gone
    READ = "read"  # a further reader gives its reading


class PremiseEvent(Numerous):
    """One change of one premise, kept for ever. `status` and `scope` are how it stands after the event."""

    kind: PremiseEventKind
    premise: PremiseId
    turn: TurnNumber
    role: Role  # who speaks in that turn
    speaker: Annotated[str, Field(min_length=1)]
    status: PremiseStatus
    scope: Scope
    proposition: Annotated[str, Field(min_length=1)] | None = None  # of STATED
    evidence: Evidence | None = None  # the words of the event; none for silence
    accepted: Accepted | None = None  # of ACCEPTED
    dependant: Dependant | None = None  # of RESTS and CLOSED
    reading: PremiseReading | None = None  # of STATED and READ
    quoted: bool = False  # of STATED: whether it stands in quoted material
    reason: Annotated[str, Field(min_length=1)]  # the rule that fired, in words

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> "PremiseEvent":
        stated = self.kind is PremiseEventKind.STATED
        if stated and (self.proposition is None or self.evidence is None):
            message = f"premise {self.premise!r} stated at turn {self.turn} without its proposition or its words"
            raise ValueError(message)
        if (self.kind is PremiseEventKind.ACCEPTED) != (self.accepted is not None):
            message = f"premise {self.premise!r}, {self.kind.value!r}: exactly accepted events say how it was accepted"
            raise ValueError(message)
        rests = self.kind in {PremiseEventKind.RESTS, PremiseEventKind.CLOSED}
        if rests != (self.dependant is not None):
            message = f"premise {self.premise!r}, {self.kind.value!r}: exactly rests and closed name a dependant"
            raise ValueError(message)
        if self.kind is PremiseEventKind.READ and self.reading is None:
            message = f"premise {self.premise!r} read at turn {self.turn} without a reading"
            raise ValueError(message)
        return self


class Premise(Frozen):
    """A proposition with its status: what the events about it come to."""

    id: PremiseId
    proposition: Annotated[str, Field(min_length=1)]
    status: PremiseStatus
    scope: Scope
    role: Role  # who stated it
    speaker: Annotated[str, Field(min_length=1)]
    turn: TurnNumber  # where it was stated first
    evidence: Evidence
    quoted: bool = False
    accepted: tuple[Accepted, ...] = ()
    dependants: tuple[Dependant, ...] = ()
    readings: tuple[PremiseReading, ...] = ()
    challenged: TurnNumber | None = None  # last turn that asked about or doubted it
    changed: TurnNumber  # turn of its last event

    @property
    def open_dependants(self) -> tuple[Dependant, ...]:
        """What still rests on it."""
        return tuple(one for one in self.dependants if one.open)


def premises_of(events: tuple[PremiseEvent, ...]) -> tuple[Premise, ...]:
    """What events come to: one premise per STATED event, in that order; later events change it, the last one stands."""
    found: dict[str, dict[str, object]] = {}
    accepted: dict[str, list[Accepted]] = {}
    dependants: dict[str, dict[tuple[int, int, int], Dependant]] = {}
    readings: dict[str, dict[str, PremiseReading]] = {}
    for event in each(events):
        if event.kind is PremiseEventKind.STATED:
            found[event.premise] = {
                "id": event.premise,
                "proposition": event.proposition,
                "role": event.role,
                "speaker": event.speaker,
                "turn": event.turn,
                "evidence": event.evidence,
                "quoted": event.quoted,
            }
        found[event.premise].update(status=event.status, scope=event.scope, changed=event.turn)
        if event.kind is PremiseEventKind.CHALLENGED:
            found[event.premise]["challenged"] = event.turn
        if event.accepted is not None:
            accepted.setdefault(event.premise, []).append(event.accepted)
        if event.dependant is not None:
            place = event.dependant.evidence
            dependants.setdefault(event.premise, {})[(place.turn, place.start, place.end)] = event.dependant
        if event.reading is not None:
            readings.setdefault(event.premise, {})[event.reading.reader] = event.reading
    return tuple(
        Premise.model_validate(
            {
                **fields,
                "accepted": tuple(accepted.get(name, ())),
                "dependants": tuple(dependants.get(name, {}).values()),
                "readings": tuple(readings.get(name, {}).values()),
            }
        )
        for name, fields in each(found.items())
    )


class Register(Frozen):
    """The assumption register of a conversation up to and including turn `through` (0: nothing read yet)."""

    conversation: ConversationId
    through: Annotated[int, Field(ge=0)] = 0
    events: tuple[PremiseEvent, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> "Register":
        stated: set[str] = set()
        before = 1
        for event in self.events:
            if not before <= event.turn <= self.through:
                message = f"event of turn {event.turn} after turn {before} in a register through {self.through}"
                raise ValueError(message)
            before = event.turn
            first = event.kind is PremiseEventKind.STATED
            if first == (event.premise in stated):
                message = f"premise {event.premise!r} at turn {event.turn}: state each once, before anything else"
                raise ValueError(message)
            stated.add(event.premise)
        return self

    @cached_property
    def premises(self) -> tuple[Premise, ...]:
        """How every premise stands, in the order in which they were stated."""
        return premises_of(self.events)

    def at(self, turn: int) -> "Register":
        """The register as it was after turn `turn`; 0 <= turn."""
        through = min(turn, self.through)
        events = tuple(event for event in self.events if event.turn <= through)
        return Register(conversation=self.conversation, through=through, events=events)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of its canonical JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()
