"""Bodies and answers of stability runs. What people give to measure with is plain words: no patterns, no files."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from api.moments import LARGEST
from api.schemas import Name, Shape
from dissolution.claims import Section
from dissolution.policy.job_policy import Policy
from dissolution.probing import Question, QuestionKind, Third
from dissolution.stability import Arm, Cadence, RunStatus

MOST_CELLS = 2000
"""Cells of one run that may be asked for: arms, replicates and cycles multiplied."""

Words = Annotated[str, Field(min_length=1, max_length=2000)]
Turn = Annotated[int, Field(ge=1, le=LARGEST)]


class NewQuestion(Shape):
    """A question to put to every state, once its evidence has been said."""

    text: Words
    answers: Annotated[tuple[Words, ...], Field(min_length=1, max_length=20)]
    """Right answers, the first is the reference: an answer is right that holds one of them, case ignored."""
    evidence_turns: Annotated[tuple[Turn, ...], Field(min_length=1, max_length=50)]
    kind: QuestionKind = QuestionKind.RECALL
    section: Section = Section.KNOWN

    @model_validator(mode="after")
    def _can_be_answered(self) -> "NewQuestion":
        if self.kind is QuestionKind.NOT_ANSWERABLE:
            message = "a question that the conversation does not answer measures no state; leave it out"
            raise ValueError(message)
        return self


class TrueStatement(Shape):
    """Something that holds from one turn on, until another if it was closed."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    kind: Literal[
        "fact",
        "decision",
        "ruled_out",
        "prohibition",
        "open_question",
        "role",
        "standing_instruction",
        "forward_commitment",
    ]
    established_turn: Turn
    closed_turn: Turn | None = None
    phrases: Annotated[tuple[Words, ...], Field(min_length=1, max_length=20)]
    """A statement says it when all of these stand in it, case ignored."""


class ReplacedValue(Shape):
    """A value that another took the place of at a turn."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    corrected_turn: Turn
    wrong: Annotated[tuple[Words, ...], Field(min_length=1, max_length=20)]
    """Phrases of which one in a statement asserts the value that was replaced."""
    right: Annotated[tuple[Words, ...], Field(min_length=1, max_length=20)]
    """Phrases of which one says the value that holds."""


class NewTruth(Shape):
    """What is true of the conversation, and when."""

    claims: Annotated[tuple[TrueStatement, ...], Field(max_length=1000)] = ()
    replaced: Annotated[tuple[ReplacedValue, ...], Field(max_length=1000)] = ()


class NewStabilityRun(Shape):
    """A run to be done by workers: cycles and replicates of a stored conversation."""

    conversation: Name
    every: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    """A cycle every so many turns, and at the last."""
    at: Annotated[tuple[Turn, ...], Field(min_length=1, max_length=500)] | None = None
    """Cycles at these turns, rising."""
    firings: bool = False
    """Cycles where the policy's triggers would have fired, and at the last turn. One of the three is given."""
    replicates: Annotated[int, Field(ge=1, le=50)] = 1
    arms: Annotated[tuple[Arm, ...], Field(min_length=1, max_length=len(Arm))] = (Arm.LEDGER,)
    fleet: Annotated[str, Field(min_length=1, max_length=100)] = "extractive"
    """Who is asked, by a name that `GET /v1/fleets` lists."""
    policy: Policy | str = Policy()
    """The name of a policy that `GET /v1/policies` lists, or one in full; what is left out has its default."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    max_usd: Annotated[Decimal, Field(ge=0)] | None = None
    """Cap over all jobs of the run; they then run one at a time."""
    questions: Annotated[tuple[NewQuestion, ...], Field(max_length=500)] = ()
    truth: NewTruth | None = None

    @model_validator(mode="after")
    def _says_when(self) -> "NewStabilityRun":
        if (self.every is not None) + (self.at is not None) + self.firings != 1:
            message = "give one of `every`, `at` and `firings`"
            raise ValueError(message)
        if self.at is not None and list(self.at) != sorted(set(self.at)):
            message = "give each turn of `at` once, in rising order"
            raise ValueError(message)
        if len(set(self.arms)) != len(self.arms):
            message = "give each arm once"
            raise ValueError(message)
        return self


class CellShown(Shape):
    """One cycle of one replicate of one arm."""

    name: str
    arm: Arm
    replicate: int
    cycle: int
    through: int
    dissolution: str | None
    """The job that makes it."""
    state: Literal["waiting", "running", "measured", "not_measured"]
    reason: str | None
    """Why nothing could be measured."""


class StabilityRunShown(Shape):
    """One run and how far it is."""

    id: str
    conversation: str
    status: RunStatus
    reason: str | None
    checkpoints: tuple[int, ...]
    cadence: Cadence
    replicates: int
    arms: tuple[Arm, ...]
    fleet: str
    policy: str
    """The name of its policy."""
    policy_digest: str
    seed: int
    max_usd: Decimal | None
    cells: int
    """How many there are."""
    settled: int
    """Of them, those that are measured or cannot be."""
    created_at: datetime
    ended_at: datetime | None
    known_usd: Decimal | None = None
    """What its jobs have cost so far; left out of lists."""
    progress: tuple[CellShown, ...] = ()
    """Cell by cell; left out of lists."""
    links: Mapping[str, str] = {}


def questions_of(given: Sequence[NewQuestion], through: int) -> tuple[Question, ...]:
    """Questions as a plan keeps them.

    Args:
        given: As they came.
        through: Turns of the conversation. Raises ValueError for evidence beyond them.
    """
    beyond = [turn for one in given for turn in one.evidence_turns if turn > through]
    if beyond:
        message = f"evidence turn {beyond[0]} lies outside the history of {through} turns"
        raise ValueError(message)
    return tuple(
        Question(
            id=f"q{number:03}",
            text=one.text,
            kind=one.kind,
            section=one.section,
            third=Third.of(max(one.evidence_turns), through),
            reference=one.answers[0],
            variants=one.answers[1:],
            accept=tuple(rf"(?<!\w){re.escape(answer)}(?!\w)" for answer in one.answers),
            evidence_turns=one.evidence_turns,
        )
        for number, one in enumerate(given, start=1)
    )


def truth_of(given: NewTruth | None) -> str | None:
    """What is true as a plan keeps it: JSON with phrases as patterns that match themselves alone."""
    if given is None:
        return None
    claims = [
        {**one.model_dump(exclude={"phrases"}), "must_have": [re.escape(phrase) for phrase in one.phrases]}
        for one in given.claims
    ]
    superseded = [
        {
            "id": one.id,
            "corrected_turn": one.corrected_turn,
            "wrong_must_not_match": [re.escape(phrase) for phrase in one.wrong],
            "right_must_match": [re.escape(phrase) for phrase in one.right],
        }
        for one in given.replaced
    ]
    return json.dumps({"truth": {"claims": claims, "superseded": superseded}})
