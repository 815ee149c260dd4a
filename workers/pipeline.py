"""The path of one job: its stages as plain data, in running order. Everything else follows this list.

The three branches start together: register and question bank need only the snapshot. A stage may run once all
stages it comes after are done. The consensus comes after the question bank, so that questions are sealed before any
candidate exists.
"""

from enum import StrEnum

from dissolution.job import Lane
from dissolution.values import Frozen


class Branch(StrEnum):
    """Which line of the path a stage belongs to."""

    CANDIDATE = "candidate"  # from the fleet's answers to the candidate
    REGISTER = "register"  # what was taken for granted before
    BANK = "bank"  # held-out questions and the history's answers
    JOIN = "join"  # where the branches meet


class QueueClass(StrEnum):
    """What kind of worker runs a stage."""

    IO = "io"  # waits for models and the database
    CPU = "cpu"  # embeds and computes
    GIANT = "giant"  # computes about very long conversations, each step in a process of its own that can be killed


class Stage(Frozen):
    """A named place in the path."""

    name: str
    branch: Branch
    queue: QueueClass
    after: tuple[str, ...]
    meaning: str
    reads: bool = True  # computes about the whole conversation: of a very long one it is a `giant` worker's


STAGES: tuple[Stage, ...] = (
    Stage(
        name="fan_out",
        branch=Branch.CANDIDATE,
        queue=QueueClass.IO,
        after=(),
        meaning="every member of the fleet answers the four-part prompt",
        reads=False,
    ),
    Stage(
        name="parse",
        branch=Branch.CANDIDATE,
        queue=QueueClass.CPU,
        after=("fan_out",),
        meaning="answers become statements in four sections; the quorum is counted",
    ),
    Stage(
        name="register",
        branch=Branch.REGISTER,
        queue=QueueClass.IO,
        after=(),
        meaning="premises of the conversation with their status, before anything is replaced",
    ),
    Stage(
        name="question_bank",
        branch=Branch.BANK,
        queue=QueueClass.IO,
        after=(),
        meaning="held-out questions are written from the snapshot and sealed",
    ),
    Stage(
        name="consensus",
        branch=Branch.CANDIDATE,
        queue=QueueClass.CPU,
        after=("parse", "question_bank"),
        meaning="statements are grouped by meaning, counted by family and tied to evidence",
    ),
    Stage(
        name="history_arm",
        branch=Branch.BANK,
        queue=QueueClass.IO,
        after=("question_bank",),
        meaning="the questions are answered from the full history",
        reads=False,
    ),
    Stage(
        name="frame_audit",
        branch=Branch.JOIN,
        queue=QueueClass.IO,
        after=("consensus", "register"),
        meaning="what was taken for granted is compared before and after",
    ),
    Stage(
        name="candidate_arm",
        branch=Branch.JOIN,
        queue=QueueClass.IO,
        after=("frame_audit", "history_arm"),
        meaning="the questions are answered from the candidate",
    ),
    Stage(
        name="gate",
        branch=Branch.JOIN,
        queue=QueueClass.IO,
        after=("frame_audit", "candidate_arm"),
        meaning="the verdict, with its reasons",
    ),
    Stage(
        name="repair",
        branch=Branch.JOIN,
        queue=QueueClass.IO,
        after=("gate",),
        meaning="spent questions point to what the candidate lacks",
    ),
    Stage(
        name="commit",
        branch=Branch.JOIN,
        queue=QueueClass.IO,
        after=("repair",),
        meaning="one transaction makes the boundary stand, or the history is kept",
        reads=False,
    ),
)


def queue_name(queue: QueueClass, lane: Lane) -> str:
    """The queue of one class and lane; the names of a class sort in the order in which its lanes are served."""
    return f"dissolve.{queue.value}.{list(Lane).index(lane)}-{lane.value}"


def queues_of(queue: QueueClass) -> tuple[str, ...]:
    """The queues of a class, the most urgent lane first."""
    return tuple(queue_name(queue, lane) for lane in Lane)


STAGE_NAMES: tuple[str, ...] = tuple(stage.name for stage in STAGES)

AFTER = {stage.name: frozenset(stage.after) for stage in STAGES}
"""What each stage comes directly after."""


def ready(done: frozenset[str]) -> tuple[Stage, ...]:
    """The stages that may run now: not done themselves, everything they come after done; in running order."""
    return tuple(stage for stage in STAGES if stage.name not in done and done.issuperset(stage.after))


COMPUTING_FLEETS = frozenset({"extractive"})
"""Fleets whose members compute with the embedding model instead of waiting for somebody else's."""


GIANT_QUEUES = frozenset(queues_of(QueueClass.GIANT))
"""Their steps take minutes: nobody rings for them directly, so that what is run next is chosen when there is room."""


def queue_of(stage: str, fleet: str, lane: Lane, *, giant: bool = False) -> str:
    """The queue of one stage of a job.

    Asking a fleet that computes is work for a `cpu` worker. What computes about a very long conversation is work for a
    `giant` worker.
    """
    found = next(one for one in STAGES if one.name == stage)
    computes = stage == "fan_out" and fleet in COMPUTING_FLEETS
    if giant and (computes or found.reads):
        return queue_name(QueueClass.GIANT, lane)
    return queue_name(QueueClass.CPU if computes else found.queue, lane)


def first_queues(fleet: str, lane: Lane, *, giant: bool = False) -> dict[str, str]:
    """The queue of each stage that may run as soon as a job is stored, by stage."""
    return {stage.name: queue_of(stage.name, fleet, lane, giant=giant) for stage in ready(frozenset())}
