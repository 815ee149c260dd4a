"""The question bank written by a member: asked from the snapshot alone, checked by the reader, and sealed."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from dissolution.answers import MemberFailure
from dissolution.conversation import Snapshot
from dissolution.findings import NotRun
from dissolution.job import Job
from dissolution.probing import ArmAnswer, ArmName, Question, QuestionKind, Score, Split
from dissolution.written_questions import ProposedQuestion
from probe.judge import Judge, judged
from probe.reading import NO_TEXT
from probe.writer import checked, shaped, written_bank
from prompts.probing import read_questions, render_further, render_writing
from workers.arm_readers import answers_of, judge_of
from workers.probe_members import MemberReader, ProbeMember
from workers.probe_outcomes import SealedBank
from workers.services import Services
from workers.windows import Windowed

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
    kept, failed, floor = found
    bank = written_bank(snapshot, kept, writer=name, refused=(*ill_formed, *unfit, *failed))
    if not bank.split(Split.HELD_OUT):
        return NotRun(not_run=f"writer {name} gave no question that passed its checks, of {len(proposed)}")
    return SealedBank(bank=bank, seal=bank.seal, floor=floor)


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


def check(
    questions: Sequence[Question], snapshot: Snapshot, checking: Checking
) -> tuple[tuple[Question, ...], tuple[str, ...], tuple[ArmAnswer, ...]] | NotRun:
    """The questions that pass, why others do not, and what the reader said to those that pass without any text."""
    if not questions:
        return (), (), ()
    reader, judge, _ = checking
    answerable = [question for question in questions if question.kind is not QuestionKind.NOT_ANSWERABLE]
    bare, told = reader.both(
        lambda: answers_of(ArmName.NO_CONTEXT, NO_TEXT, questions, reader),
        lambda: on_evidence(answerable, snapshot, checking),
    )
    if isinstance(bare, MemberFailure):
        return NotRun(not_run=f"reader {reader.name} failed without context: {bare.error_class.value}")
    if isinstance(told, NotRun):
        return told
    kept, failed = checked(questions, scores_of(questions, bare, judge), told)
    names = {question.id for question in kept}
    return kept, failed, tuple(answer for answer in bare if answer.question in names)


def on_evidence(questions: Sequence[Question], snapshot: Snapshot, checking: Checking) -> Mapping[str, Score] | NotRun:
    """How the reader does on the evidence of each question alone, in as few calls as its window allows, all at once."""
    batches: list[Sequence[Question]] = []
    left = questions
    while left:
        batches.append(left[: held_at_once(left, snapshot, checking)])
        left = left[len(batches[-1]) :]
    scores: dict[str, Score] = {}
    for told in checking.reader.at_once([partial(evidence_scores, batch, snapshot, checking) for batch in batches]):
        if isinstance(told, NotRun):
            return told
        scores |= told
    return scores


def held_at_once(questions: Sequence[Question], snapshot: Snapshot, checking: Checking) -> int:
    """How many of the questions, from the first on, the reader is asked about at once."""
    most = CHECKED_AT_ONCE[checking.version]
    return checking.reader.evidence_held(snapshot, shown(questions[:most]), checking.version)


def shown(questions: Sequence[Question]) -> list[tuple[str, str, Sequence[int]]]:
    """What the reader is shown of questions beside their turns: ids, words and turn numbers, no reference."""
    return [(question.id, question.text, question.evidence_turns) for question in questions]


def evidence_scores(batch: Sequence[Question], snapshot: Snapshot, checking: Checking) -> Mapping[str, Score] | NotRun:
    """How the reader does on the evidence of each question alone."""
    reader = checking.reader
    said = reader.read_evidence(snapshot, shown(batch), checking.version)
    if isinstance(said, MemberFailure):
        return NotRun(not_run=f"reader {reader.name} failed on the evidence: {said.error_class.value}")
    answers = [
        ArmAnswer(question=question.id, arm=ArmName.HISTORY, text=text, reader=reader.name)
        for question, text in zip(batch, said, strict=True)
        if text is not None
    ]
    return scores_of(batch, answers, checking.judge)


def scores_of(questions: Sequence[Question], answers: Sequence[ArmAnswer], judge: Judge | None) -> dict[str, Score]:
    """The scores of the questions that were answered and judged, by id."""
    by_id = {question.id: question for question in questions}
    scores = judged([by_id[answer.question] for answer in answers], answers, judge)
    return {one.question: one for one in scores if one is not None}
