"""Members of the fleet behind the probe: the reader and the judge that a policy names, each call a row of its stage."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from dissolution.answers import FailureClass, MemberFailure, MemberTask, RenderedPrompt, Reply
from dissolution.conversation import Snapshot
from dissolution.errors import MemberError
from dissolution.job import Job
from dissolution.ports.models import Member
from dissolution.probing import Question
from dissolution.written_questions import JudgedItem
from fleet.answering import answers_the_path, can_answer
from fleet.failures import failure_of, member_failure
from probe.judge import Judged
from probe.reading import AskedQuestion
from prompts.probing import (
    read_answers,
    read_lost,
    read_verdicts,
    render_evidence,
    render_judging,
    render_reading,
    render_veto,
)
from workers.concurrency.parallel import at_once, both
from workers.members.arm_source import ArmSource
from workers.members.context_windows import Windowed
from workers.members.stage_calls import StageCalls
from workers.services import Services

JUDGED_AT_ONCE = 60
"""Answers in one question to a judge; more than that risk a token limit."""


Said = TypeVar("Said")
Other = TypeVar("Other")


class ProbeMember:
    """One member, asked by one stage of a job, with its answers read; a failure of any kind is a value.

    Args:
        services: The fleet, the store, the event loop.
        job: Its policy caps what may be spent and how long is waited.
        stage: Whose calls these are.
        name: The member's, as the policy names it.
    """

    def __init__(self, services: Services, job: Job, stage: str, name: str) -> None:
        self._calls = StageCalls(services, job, stage)
        self._abandon = services.abandon
        self._deadline_s = job.policy.quorum.hard_deadline_s
        self._member = next((one for one in services.fleet(job) if one.card.name == name), None)
        self._asked_for = name
        with services.unit_of_work() as work:
            self._snapshot = work.conversations.snapshot(job.conversation, job.through, job.snapshot_digest)
            self.key = work.installation_key()
            work.commit()  # the key may have been made just now

    @property
    def name(self) -> str:
        """Name, model and version: what tells its answers from those of another."""
        card = None if self._member is None else self._member.card
        return self._asked_for if card is None else f"{card.name} ({card.model}, {card.version})"

    @property
    def member(self) -> Member | None:
        """Who is asked; None when the fleet has nobody of that name (any more)."""
        return self._member

    @property
    def has_model(self) -> bool:
        """Whether there is a model behind it, or what one said of more than the four parts."""
        return self._member is not None and answers_the_path(self._member)

    def said(self, prompt: RenderedPrompt, read: Callable[[Reply], Said]) -> Said | MemberFailure:
        """What the member says to a prompt, as `read` understands it, or why there is nothing.

        Args:
            prompt: What is asked.
            read: Reads a reply; a MemberError it raises is the failure.
        """
        return self.understood(self.together([self], prompt).get(self._asked_for), read)

    def together(self, asked: Sequence["ProbeMember"], prompt: RenderedPrompt) -> Mapping[str, Reply | MemberFailure]:
        """What came of members of this stage that are asked one prompt at the same time, by name.

        There is nothing of members that cannot be asked this.

        Args:
            asked: Members of the same stage of the same job, each once.
            prompt: What is asked.
        """
        members = [one.member for one in asked if one.member is not None and can_answer(one.member, prompt.stamp.name)]
        task = MemberTask(snapshot=self._snapshot, prompt=prompt, deadline_s=self._deadline_s)
        return self._calls.ask(members, lambda _member: task) if members else {}

    def at_once(self, works: Sequence[Callable[[], Said]]) -> list[Said]:
        """What comes of several askings that need nothing of each other, sent at the same time, in their order."""
        return at_once(self._abandon, works)

    def both(self, one: Callable[[], Said], other: Callable[[], Other]) -> tuple[Said, Other]:
        """The same of two askings of different kinds."""
        return both(self._abandon, one, other)

    def understood(self, result: Reply | MemberFailure | None, read: Callable[[Reply], Said]) -> Said | MemberFailure:
        """What came of this member, as `read` understands it, or why there is nothing; None: it was not asked."""
        if self._member is None:
            return member_failure(FailureClass.BAD_REQUEST, f"the fleet has no member {self._asked_for!r} now")
        if result is None:
            detail = f"a member of kind {self._member.card.kind.value!r} has no model; nothing was asked"
            return member_failure(FailureClass.BAD_REQUEST, detail)
        if isinstance(result, MemberFailure):
            return result
        try:
            return read(result)
        except MemberError as error:
            return failure_of(error)


class MemberReader:
    """The reader of both arms; it is given one text at a time, in the same prompt for every arm."""

    def __init__(self, member: ProbeMember) -> None:
        self._member = member

    @property
    def name(self) -> str:
        """Name, model and version."""
        return self._member.name

    def at_once(self, works: Sequence[Callable[[], Said]]) -> list[Said]:
        """What comes of several readings that need nothing of each other, sent at the same time, in their order."""
        return self._member.at_once(works)

    def both(self, one: Callable[[], Said], other: Callable[[], Other]) -> tuple[Said, Other]:
        """The same of two readings of different kinds."""
        return self._member.both(one, other)

    def read(self, source: ArmSource, asked: Sequence[AskedQuestion]) -> tuple[str | None, ...] | MemberFailure:
        """One answer for each question, None for one left out; or why there is none at all."""
        text = source if isinstance(source, Snapshot) else source.passages
        words = {question.id: question.text for question in asked}
        prompt = render_reading(text, words, key=self._member.key)
        return self._member.said(prompt, lambda reply: read_answers(reply, list(words), member=self.name))

    def read_evidence(
        self, snapshot: Snapshot, asked: Sequence[tuple[str, str, Sequence[int]]], version: int
    ) -> tuple[str | None, ...] | MemberFailure:
        """The same for questions by id, words and evidence turns, each from these turns alone."""
        names = [name for name, _words, _turns in asked]
        prompt = render_evidence(snapshot, asked, key=self._member.key, version=version)
        return self._member.said(prompt, lambda reply: read_answers(reply, names, member=self.name))

    def evidence_held(self, snapshot: Snapshot, asked: Sequence[tuple[str, str, Sequence[int]]], version: int) -> int:
        """How many of these questions, from the first on, one prompt about their evidence holds: 1 at least."""
        member = self._member.member
        low, high = 1, len(asked)
        if not isinstance(member, Windowed):
            return high
        while low < high:
            middle = (low + high + 1) // 2
            fits = member.fits(render_evidence(snapshot, asked[:middle], key=self._member.key, version=version))
            low, high = (middle, high) if fits else (low, middle - 1)
        return low


class MemberJudge:
    """Says whether answers say what their references say, without knowing the arm; what it leaves out stays open."""

    def __init__(self, member: ProbeMember) -> None:
        self._member = member

    @property
    def name(self) -> str:
        """Name, model and version."""
        return self._member.name

    def judge(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[Judged | None, ...]:
        """One word for each pair, in their order; None where it failed or left one out.

        A question may come with several answers: each but the first is put under its id and a number.
        """
        items = _items(questions, answers)
        starts = range(0, len(items), JUDGED_AT_ONCE)
        parts = [partial(self._words, items[start : start + JUDGED_AT_ONCE]) for start in starts]
        return tuple(word for said in self._member.at_once(parts) for word in said)

    def lost(self, questions: Sequence[Question], answers: Sequence[str]) -> tuple[bool | None, ...]:
        """Whether what binds is lost in each of these answers, in their order; None where it failed or left one out."""
        items = _items(questions, answers)
        names = [item.id for item in items]
        prompt = render_veto(items, key=self._member.key)
        said = self._member.said(prompt, lambda reply: read_lost(reply, names, member=self.name))
        return (None,) * len(items) if isinstance(said, MemberFailure) else said

    def _words(self, items: Sequence[JudgedItem]) -> list[Judged | None]:
        names = [item.id for item in items]
        prompt = render_judging(items, key=self._member.key)
        said = self._member.said(prompt, lambda reply: read_verdicts(reply, names, member=self.name))
        if isinstance(said, MemberFailure):
            return [None] * len(items)
        return [None if one is None else Judged(one.right, one.why or "judged") for one in said]


def _items(questions: Sequence[Question], answers: Sequence[str]) -> list[JudgedItem]:
    """Pairs as a judge is shown them."""
    return [
        JudgedItem(
            id=name, question=question.text, reference=question.reference, variants=question.variants, answer=answer
        )
        for name, question, answer in zip(
            _each_once([question.id for question in questions]), questions, answers, strict=True
        )
    ]


def _each_once(names: Sequence[str]) -> list[str]:
    """The names with a number behind each that stood before, so that no two are the same."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
    return found
