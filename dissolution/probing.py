"""The words of the probe: questions and their bank, answers of one arm, scores, paired outcomes, and the report."""

import hashlib
import re
from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from dissolution.claims import BINDING_SECTIONS, Section
from dissolution.conversation import TurnNumber
from dissolution.cross_examining import NO_JUDGE, CrossExamined
from dissolution.findings import GateDecision
from dissolution.values import Frozen, Measured, NotMeasured, Span

QuestionId = Annotated[str, Field(min_length=1, max_length=64)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

NOT_ESTABLISHED = "not established"
"""What a reader says when its text does not hold the answer, and the right answer to an unanswerable question."""

MASK = "____"
"""What stands in a cloze question for the words to be restored."""

ANSWER_WORDS = 30
"""An answer is one sentence of at most this many words, so that nobody answers by copying everything."""


class QuestionKind(StrEnum):
    """What a question tests."""

    RECALL = "recall"  # a fact
    DECISION = "decision"  # what was chosen or ruled out
    CORRECTION = "correction"  # the value that holds after another was taken back
    COMMITMENT = "commitment"  # what somebody undertook to do
    CONSTRAINT = "constraint"  # a rule, limit or prohibition
    MULTI_HOP = "multi_hop"  # needs several turns together
    OPEN_QUESTION = "open_question"  # what is not settled
    NOT_ANSWERABLE = "not_answerable"  # the conversation does not say; the right answer is to say so


class Third(StrEnum):
    """Where in the conversation the latest evidence of a question stands."""

    FIRST = "first"
    MIDDLE = "middle"
    LAST = "last"

    @classmethod
    def of(cls, turn: int, through: int) -> "Third":
        """The third that turn `turn` of `through` turns lies in; 1 <= turn <= through."""
        return (cls.FIRST, cls.MIDDLE, cls.LAST)[min(2, (turn - 1) * 3 // through)]


class Split(StrEnum):
    """What a question may be used for."""

    TRAIN = "train"  # spent on repair once it has failed; never on the verdict after that
    HELD_OUT = "held_out"  # the verdict rests on these alone


class ItemKind(StrEnum):
    """What is masked in a cloze question, and so how answers are compared."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"  # names, identifiers, versions
    CHOICE = "choice"  # a verb of ruling out, stopping or taking back


class BankOrigin(StrEnum):
    """How a bank came to be."""

    CLOZE = "cloze"  # masked statements of the snapshot; no language model
    WRITTEN = "written"  # by a language model from the snapshot
    READY_MADE = "ready_made"  # given by whoever compares; counts as held-out whole


class Question(Frozen):
    """One probe: a question, what answers it, and where the conversation says so."""

    id: QuestionId
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    kind: QuestionKind
    section: Section
    third: Third | None  # None for what the conversation does not say
    reference: Annotated[str, Field(min_length=1)]
    variants: tuple[str, ...] = ()  # other right answers
    accept: tuple[str, ...] = ()  # patterns (re, case ignored) of right answers
    reject: tuple[str, ...] = ()  # patterns that make an answer wrong: values that were taken back
    evidence_turns: tuple[TurnNumber, ...] = ()
    evidence_spans: tuple[tuple[TurnNumber, Span], ...] = ()  # where known
    item: ItemKind | None = None  # of a cloze question
    split: Split = Split.HELD_OUT

    @field_validator("accept", "reject")
    @classmethod
    def _are_patterns(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                message = f"pattern {pattern!r} cannot be read: {error}"
                raise ValueError(message) from error
        return patterns

    @model_validator(mode="after")
    def _rests_on_turns(self) -> "Question":
        answerable = self.kind is not QuestionKind.NOT_ANSWERABLE
        if answerable and not self.evidence_turns:
            message = f"question {self.id!r} of kind {self.kind.value!r} names no evidence turn"
            raise ValueError(message)
        if answerable == (self.third is None):
            message = f"question {self.id!r}: exactly what the conversation does not say has no third"
            raise ValueError(message)
        return self

    @property
    def binds(self) -> bool:
        """Whether losing its answer loses a standing commitment or a prohibition."""
        kinds = {QuestionKind.COMMITMENT, QuestionKind.CONSTRAINT}
        return self.kind in kinds and self.section in BINDING_SECTIONS


class QuestionBank(Frozen):
    """The sealed set of a job's probes. `seal` is stored before the candidate exists; a changed bank has another."""

    snapshot_digest: Digest
    origin: BankOrigin
    writer: Annotated[str, Field(min_length=1)]  # the method, or the member that wrote it
    questions: tuple[Question, ...]
    rejected: tuple[str, ...] = ()  # why proposed questions did not enter, one line each

    @model_validator(mode="after")
    def _names_each_once(self) -> "QuestionBank":
        ids = [question.id for question in self.questions]
        if len(set(ids)) != len(ids):
            twice = sorted({one for one in ids if ids.count(one) > 1})
            message = f"questions {twice!r} are named more than once; ids are unique within a bank"
            raise ValueError(message)
        return self

    @property
    def seal(self) -> str:
        """SHA-256 (hex) of the bank's canonical JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    def split(self, split: Split) -> tuple[Question, ...]:
        """The questions of one split, in the order of the bank; a ready-made bank is held-out whole."""
        if self.origin is BankOrigin.READY_MADE:
            return self.questions if split is Split.HELD_OUT else ()
        return tuple(question for question in self.questions if question.split is split)


class ArmName(StrEnum):
    """What a reader was given."""

    HISTORY = "history"
    CANDIDATE = "candidate"
    NO_CONTEXT = "no_context"  # nothing: what can be answered without the conversation


class ArmAnswer(Frozen):
    """What a reader answered to one question from one arm's text."""

    question: QuestionId
    arm: ArmName
    text: str
    reader: Annotated[str, Field(min_length=1)]


class ScoredBy(StrEnum):
    """Who said whether an answer is right."""

    RULES = "rules"
    JUDGE = "judge"


class JudgeWord(Frozen):
    """What a judge said of an answer that the rules had settled."""

    right: bool
    reason: Annotated[str, Field(min_length=1)]


class Score(Frozen):
    """Whether an answer is right, who says so, and why."""

    question: QuestionId
    right: bool
    by: ScoredBy
    reason: Annotated[str, Field(min_length=1)]
    asserts_rejected: bool = False  # by a pattern, it states a value that was taken back; decides nothing
    by_rules: bool | None = None  # what the rules alone said, where a judge decided; None: they could not tell
    by_judge: JudgeWord | None = None  # of a sample: what a judge says beside the rules, whose word holds


class VetoKind(StrEnum):
    """What no average can outweigh."""

    LOST_COMMITMENT = "lost_commitment"  # a standing commitment or prohibition that the history states
    ASSERTED_SUPERSEDED = "asserted_superseded"  # of results of earlier versions, which took a pattern's word for it


class PairedOutcome(Frozen):
    """One question asked of both arms."""

    question: QuestionId
    history_right: bool
    candidate_right: bool
    veto: VetoKind | None = None
    masked: bool = False  # of a cloze question, whose losses the gate reads by another measure

    @model_validator(mode="after")
    def _vetoes_what_was_lost(self) -> "PairedOutcome":
        if self.veto is not None and self.candidate_right:
            message = f"question {self.question!r} was answered from the candidate and cannot veto it"
            raise ValueError(message)
        return self

    @property
    def loss(self) -> int:
        """1: lost, 0: the same on both arms, -1: gained."""
        return int(self.history_right) - int(self.candidate_right)


class GateState(StrEnum):
    """What the evidence says so far."""

    ACCEPT = "accept"
    REJECT = "reject"
    OPEN = "open"  # ask on, or, at the bank's end, inconclusive


class GateReading(Frozen):
    """The arithmetic of the gate over the outcomes that it used."""

    state: GateState
    used: Annotated[int, Field(ge=0)]  # outcomes up to the one that settled it
    lost: Annotated[int, Field(ge=0)]
    gained: Annotated[int, Field(ge=0)]
    observed_loss: Measured  # (lost - gained) / used, -1..1
    accept_evidence: float  # log of the evidence against a loss of reject_loss or more
    reject_evidence: float  # log of the evidence against a loss of accept_loss or less
    accept_bound: float  # accepted from here on: log(1 / false_accept)
    reject_bound: float
    masked: bool = False  # read by the thresholds of masked questions
    vetoes: tuple[tuple[QuestionId, VetoKind], ...] = ()


class Competence(Frozen):
    """How both arms do on the questions of one group: a section, a kind, a third or a topic."""

    group: Annotated[str, Field(min_length=1)]
    questions: Annotated[int, Field(ge=1)]
    history_right: Annotated[int, Field(ge=0)]
    candidate_right: Annotated[int, Field(ge=0)]
    lost: Annotated[int, Field(ge=0)]


class Diagnosis(Frozen):
    """Where the candidate is weak, by group and in plain words."""

    by_section: tuple[Competence, ...]
    by_kind: tuple[Competence, ...]
    by_third: tuple[Competence, ...]
    by_topic: tuple[Competence, ...]
    words: tuple[str, ...]


class ProbeItem(Frozen):
    """One question with what came of it on both arms, for a person to read."""

    question: Question
    history: ArmAnswer
    history_score: Score
    candidate: ArmAnswer
    candidate_score: Score
    outcome: PairedOutcome


NO_FLOOR = NotMeasured(not_measured="no question was asked without context")


class ProbeReport(Frozen):
    """Everything the probe found about one candidate."""

    seal: Digest
    policy: Annotated[str, Field(min_length=1)]
    reader: Annotated[str, Field(min_length=1)]
    asked: Annotated[int, Field(ge=0)]  # questions of the held-out split
    history_share: Measured  # of all held-out questions right from the history, 0..1
    floor_share: Measured = NO_FLOOR  # of them right without any context, 0..1
    agreement: Measured = NO_JUDGE  # of answers that rules and judge both scored, the share scored alike, 0..1
    cross_examined: CrossExamined = CrossExamined()  # the counts behind it
    reading: GateReading
    decision: GateDecision
    items: tuple[ProbeItem, ...]  # in the order asked; all of those the reading used, more when all were asked
    diagnosis: Diagnosis
