"""The question bank written by a member: asked from the snapshot alone, checked by the reader, and sealed."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

from dissolution.answers import MemberFailure
from dissolution.conversation import Snapshot
from dissolution.findings import NotRun
from dissolution.job import Job
from dissolution.probing import NOT_ESTABLISHED, ArmAnswer, ArmName, Question, QuestionKind, Score, Split
from dissolution.written_questions import ProposedQuestion
from probe.judge import Judge, judged
from probe.reading import NO_TEXT
from probe.writer import checked, shaped, written_bank
from prompts.probing import read_questions, render_further, render_writing
from workers.members.context_windows import Windowed
from workers.members.probe_members import MemberReader, ProbeMember
from workers.probe.arm_readers import answers_of, judge_of
from workers.probe.outcomes import SealedBank
from workers.services import Services

STAGE = "question_bank"

TOKENS_EACH = 110
"""Tokens that one question with its answer, variants and turns takes in a writer's reply, generously."""

LEAST_ASKED = 8
"""Questions that are asked for even of a member with a very small limit."""

SPARE_SHARE = 4
"""One question more is asked for than wanted for each so many, where some turns weigh more than others."""

CHECKED_AT_ONCE = {1: 10, 2: 60}
"""Questions at most in one prompt that checks them against their evidence, by its version: version 1 repeats the turns
of each, version 2 shows a turn once, and more answers than that risk a token limit."""


class Checking(NamedTuple):
    """Who checks proposals: the reader that will read both arms, and the judge."""

    reader: MemberReader
    judge: Judge | None
    version: int  # of the prompt about evidence


class Proposals(NamedTuple):
    """What a writer proposed."""

    questions: tuple[ProposedQuestion, ...]
    ill_formed: tuple[str, ...]  # why others are no questions, one line each
    writer: str
    earlier: tuple[Question, ...] = ()  # of the banks before, none of which is asked again


def member_bank(
    services: Services, job: Job, snapshot: Snapshot, *, size: int, notable: Collection[int] = ()
) -> SealedBank | NotRun:
    """A bank of at most `size` questions (1 or more), or why there is none.

    The writer is given the snapshot and a number. Its questions are then put to the reader twice: without any text,
    and each with its evidence turns alone. Where the snapshot has `notable` turns, a quarter more is asked for, and
    what rests on none of them gives way.
    """
    policy = job.policy.probe
    if policy.writer is None or policy.reader is None:
        return NotRun(not_run="the policy names no writer")
    writer = ProbeMember(services, job, STAGE, policy.writer)
    wanted = size + size // SPARE_SHARE if notable else size
    prompt = render_writing(snapshot, count=within_limit(writer, wanted), key=writer.key)
    said = writer.said(prompt, lambda reply: read_questions(reply, member=writer.name))
    if isinstance(said, MemberFailure):
        return NotRun(not_run=f"writer {writer.name} failed: {said.error_class.value}")
    proposed, ill_formed = said
    reader = MemberReader(ProbeMember(services, job, STAGE, policy.reader))
    proposals = Proposals(tuple(sampled(proposed, size, notable)), ill_formed, writer.name)
    checking = Checking(reader, judge_of(services, job, STAGE), policy.evidence_version)
    return checked_bank(proposals, snapshot, checking)


def further_member_bank(
    services: Services, job: Job, snapshot: Snapshot, *, size: int, earlier: Sequence[Question], stage: str
) -> SealedBank | NotRun:
    """A bank of at most `size` questions that asks nothing of what `earlier` asks, or why there is none.

    The writer is given the snapshot, a number, and the words of the questions that were asked: nothing of a candidate.

    Args:
        services: The fleet, the store, the event loop.
        job: Its policy names writer, reader and judge.
        snapshot: What is asked about.
        size: Questions at most, 1 or more.
        earlier: The questions of the banks before.
        stage: On whose behalf the members are asked.
    """
    policy = job.policy.probe
    if policy.writer is None or policy.reader is None:
        return NotRun(not_run="the policy names no writer")
    writer = ProbeMember(services, job, stage, policy.writer)
    put = {question.id: question.text for question in earlier}
    prompt = render_further(snapshot, count=within_limit(writer, size), put=put, key=writer.key)
    said = writer.said(prompt, lambda reply: read_questions(reply, member=writer.name))
    if isinstance(said, MemberFailure):
        return NotRun(not_run=f"writer {writer.name} failed: {said.error_class.value}")
    proposed, ill_formed = said
    reader = MemberReader(ProbeMember(services, job, stage, policy.reader))
    proposals = Proposals(tuple(proposed[:size]), ill_formed, writer.name, tuple(earlier))
    checking = Checking(reader, judge_of(services, job, stage), policy.evidence_version)
    return checked_bank(proposals, snapshot, checking)


def checked_bank(proposals: Proposals, snapshot: Snapshot, checking: Checking) -> SealedBank | NotRun:
    """The bank of the proposals that pass their checks, or why there is none."""
    proposed, ill_formed, name, earlier = proposals
    questions, unfit = shaped(snapshot, proposed, earlier=earlier)
    found = check(questions, snapshot, checking)
    if isinstance(found, NotRun):
        return found
    bank = written_bank(snapshot, found.kept, writer=name, refused=(*ill_formed, *unfit, *found.refused))
    if not bank.split(Split.HELD_OUT):
        return NotRun(not_run=f"writer {name} gave no question that passed its checks, of {len(proposed)}")
    return SealedBank(bank=bank, seal=bank.seal, floor=found.bare, judged=found.judged, scores=found.scores)


def sampled(proposed: Sequence[ProposedQuestion], size: int, notable: Collection[int]) -> list[ProposedQuestion]:
    """At most `size` of them in their order; where turns are notable, those that rest on others give way first."""
    weighty = frozenset(notable)

    def gives_way(place: int) -> bool:
        return bool(weighty and proposed[place].turns) and weighty.isdisjoint(proposed[place].turns)

    ranked = sorted(range(len(proposed)), key=gives_way)
    return [proposed[place] for place in sorted(ranked[:size])]


def within_limit(writer: ProbeMember, size: int) -> int:
    """As many questions as the writer's longest reply can hold; the roster's `max_output_tokens` raises it."""
    member = writer.member
    most = member.max_output_tokens if isinstance(member, Windowed) else size * TOKENS_EACH
    return min(size, max(LEAST_ASKED, most // TOKENS_EACH))


class Checked(NamedTuple):
    """What came of checking proposals: those that passed, and what the reader said to them."""

    kept: tuple[Question, ...]
    refused: tuple[str, ...]  # why others did not pass, one line each
    bare: tuple[ArmAnswer, ...] = ()  # without any text
    judged: tuple[ArmAnswer, ...] = ()  # without any text or from the evidence alone
    scores: tuple[Score, ...] = ()  # in the order of `judged`


def check(questions: Sequence[Question], snapshot: Snapshot, checking: Checking) -> Checked | NotRun:
    """Put the questions to the reader without any text, and each with its evidence; all answers are judged together."""
    if not questions:
        return Checked((), ())
    reader, judge, _ = checking
    answerable = [question for question in questions if question.kind is not QuestionKind.NOT_ANSWERABLE]
    bare, told = reader.both(
        lambda: answers_of(ArmName.NO_CONTEXT, NO_TEXT, questions, reader),
        lambda: evidence_answers(answerable, snapshot, checking),
    )
    if isinstance(bare, MemberFailure):
        return NotRun(not_run=f"reader {reader.name} failed without context: {bare.error_class.value}")
    if isinstance(told, NotRun):
        return told
    by_id = {question.id: question for question in questions}
    silent = [one for one in bare if judge is not None and is_silent(by_id[one.question], one.text)]
    asked = [*(one for one in bare if one not in silent), *told]
    scores = judged([by_id[one.question] for one in asked], asked, judge)
    found = [(answer, score) for answer, score in zip(asked, scores, strict=True) if score is not None]
    without = {one.question: False for one in silent}
    without |= {answer.question: score.right for answer, score in found if answer.arm is ArmName.NO_CONTEXT}
    from_evidence = {answer.question: score for answer, score in found if answer.arm is ArmName.HISTORY}
    kept, failed = checked(questions, without, from_evidence)
    names = {question.id for question in kept}
    known = [pair for pair in found if pair[0].question in names]
    return Checked(
        kept,
        failed,
        tuple(answer for answer in bare if answer.question in names),
        tuple(answer for answer, _ in known),
        tuple(score for _, score in known),
    )


def is_silent(question: Question, answer: str) -> bool:
    """Whether an answer gives none, in the very words of its form, to a question that something settles.

    There is nothing to judge then. What is open or never said may be told in these words, and a judge says so.
    """
    told = answer.strip().casefold().rstrip(".") == NOT_ESTABLISHED
    return told and question.kind not in {QuestionKind.NOT_ANSWERABLE, QuestionKind.OPEN_QUESTION}


def held_at_once(questions: Sequence[Question], snapshot: Snapshot, checking: Checking) -> int:
    """How many of the questions, from the first on, the reader is asked about at once."""
    most = CHECKED_AT_ONCE[checking.version]
    return checking.reader.evidence_held(snapshot, shown(questions[:most]), checking.version)


def shown(questions: Sequence[Question]) -> list[tuple[str, str, Sequence[int]]]:
    """What the reader is shown of questions beside their turns: ids, words and turn numbers, no reference."""
    return [(question.id, question.text, question.evidence_turns) for question in questions]


def evidence_answers(
    questions: Sequence[Question], snapshot: Snapshot, checking: Checking
) -> tuple[ArmAnswer, ...] | NotRun:
    """What the reader says to each question on its evidence alone: as few calls as its window allows, all at once."""
    batches: list[Sequence[Question]] = []
    left = questions
    while left:
        batches.append(left[: held_at_once(left, snapshot, checking)])
        left = left[len(batches[-1]) :]
    reader, found = checking.reader, list[ArmAnswer]()
    asking = [partial(reader.read_evidence, snapshot, shown(batch), checking.version) for batch in batches]
    for batch, said in zip(batches, reader.at_once(asking), strict=True):
        if isinstance(said, MemberFailure):
            return NotRun(not_run=f"reader {reader.name} failed on the evidence: {said.error_class.value}")
        found += [
            ArmAnswer(question=question.id, arm=ArmName.HISTORY, text=text, reader=reader.name)
            for question, text in zip(batch, said, strict=True)
            if text is not None
        ]
    return tuple(found)
