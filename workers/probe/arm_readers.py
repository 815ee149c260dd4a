"""Who reads the arms of a job's probe: one reader for all of them, which is given one text at a time."""

import hashlib
from collections.abc import Sequence
from typing import Protocol

from dissolution.answers import MemberFailure, MemberKind
from dissolution.conversation import Snapshot
from dissolution.job import Job
from dissolution.ports.models import Member
from dissolution.probing import ArmAnswer, ArmName, Question
from fleet.answering import can_answer
from probe.judge import Judge
from probe.reading import AskedQuestion, RetrievalReader, asked, history_text
from prompts.probing import JUDGING
from workers.members.arm_source import ArmSource
from workers.members.probe_members import MemberJudge, MemberReader, ProbeMember
from workers.services import Services


class ArmReader(Protocol):
    """Answers questions from one text; the same one reads every arm."""

    @property
    def name(self) -> str:
        """Method or model, and its version."""
        ...

    def read(self, source: ArmSource, asked: Sequence[AskedQuestion]) -> tuple[str | None, ...] | MemberFailure:
        """One answer for each question in their order, None for one left out; or why there is none at all.

        Args:
            source: The one text.
            asked: The questions, without references.
        """
        ...


class OfflineReader:
    """The retrieval reader, which needs no language model and always answers."""

    def __init__(self) -> None:
        self._reader = RetrievalReader()

    @property
    def name(self) -> str:
        """The method and its version."""
        return self._reader.name

    def read(self, source: ArmSource, asked: Sequence[AskedQuestion]) -> tuple[str, ...]:
        """One sentence for each question."""
        return self._reader.read(history_text(source) if isinstance(source, Snapshot) else source, asked)


def reader_of(services: Services, job: Job, stage: str) -> ArmReader:
    """The reader that the job's policy names, asked on behalf of a stage; the retrieval reader when it names none."""
    name = job.policy.probe.reader
    return OfflineReader() if name is None else MemberReader(ProbeMember(services, job, stage, name))


def judge_of(services: Services, job: Job, stage: str) -> Judge | None:
    """The judge that the job's policy names, asked on behalf of a stage; None when it names none."""
    name = job.policy.probe.judge
    return None if name is None else MemberJudge(ProbeMember(services, job, stage, name))


def second_judge_of(services: Services, job: Job, stage: str) -> Judge | None:
    """A judge of another family than the policy's, whose word a veto needs too; None where there is none at hand.

    It is the member that policy names, else the first language model of the fleet of another family than the judge's
    and the reader's.
    """
    policy = job.policy.probe
    if policy.judge is None:
        return None
    name = policy.second_judge
    if name is None:
        fleet = services.fleet(job)
        taken = {one.card.family for one in fleet if one.card.name in {policy.judge, policy.reader}}
        name = next((one.card.name for one in fleet if judges(one) and one.card.family not in taken), None)
    return None if name is None else MemberJudge(ProbeMember(services, job, stage, name))


def judges(member: Member) -> bool:
    """Whether a member can be asked to judge without being named: a language model, or the record of a whole path."""
    return member.card.kind in {MemberKind.LANGUAGE_MODEL, MemberKind.RECORDED} and can_answer(member, JUDGING)


def answers_of(
    arm: ArmName, source: ArmSource, questions: Sequence[Question], reader: ArmReader
) -> tuple[ArmAnswer, ...] | MemberFailure:
    """One arm's answers to those of the questions that the reader answered."""
    said = reader.read(source, asked(questions))
    if isinstance(said, MemberFailure):
        return said
    return tuple(
        ArmAnswer(question=question.id, arm=arm, text=text, reader=reader.name)
        for question, text in zip(questions, said, strict=True)
        if text is not None
    )


def shuffled(questions: Sequence[Question], seal: str, purpose: str) -> tuple[Question, ...]:
    """The questions in an order that nobody chose: by the digest of the bank's seal, a purpose and their ids."""
    return tuple(
        sorted(
            questions,
            key=lambda question: hashlib.sha256(f"{seal}{purpose}{question.id}".encode()).hexdigest(),
        )
    )
