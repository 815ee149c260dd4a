"""What each arm asks of whom: the conversation a cell's job works on, its fleet and its policy."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

from dissolution.answers import Answer, AnswerClass
from dissolution.conversation import Conversation, Role, Snapshot, Turn
from dissolution.job import Job, Lane
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import TokenCounter
from dissolution.stability import (
    JOB_ARMS,
    OWN_CONVERSATIONS,
    Arm,
    Cell,
    CellKey,
    ReplicateKind,
    StabilityPlan,
    StabilityRun,
)
from dissolution.values import NotMeasured
from triggers.submit import Request
from workers.members.drawn_fleets import DrawnFleet, base_of
from workers.members.recordings import RECORDED, ROLLED

COPIES = 3
"""How often the one member of a self-ensemble is asked: the least that can have a majority."""

FIXED = (RECORDED, ROLLED, "extractive")
"""Fleets that say the same however often they are asked, by how their descriptions begin."""

ONE_FAMILY = frozenset({Arm.SINGLE, Arm.SELF_ENSEMBLE, Arm.SUMMARY})
"""Arms that ask one member, or copies of it."""

NO_PROSE = frozenset({AnswerClass.REFUSED, AnswerClass.EMPTY, AnswerClass.TRUNCATED})
"""Replies that are no summary either. One without the four sections is just what is wanted."""

ALIKE = NotMeasured(not_measured="the answers are fixed: asking one member several times gives one answer")


def replicate_kind(fleet: str, replicates: int) -> ReplicateKind:
    """How replicates of this fleet come to differ: asked again, or where answers are fixed by drawing members."""
    if replicates == 1:
        return ReplicateKind.NONE
    return ReplicateKind.MEMBERS_DRAWN if is_fixed(fleet) else ReplicateKind.ASKED_AGAIN


def is_fixed(fleet: str) -> bool:
    """Whether the fleet's answers do not differ from one time to the next."""
    return base_of(fleet).startswith(FIXED)


def has_jobs(plan: StabilityPlan, arm: Arm) -> bool:
    """Whether the cells of an arm are made by jobs: a summary too, where members can be asked for one."""
    return arm in JOB_ARMS or (arm is Arm.SUMMARY and not is_fixed(plan.fleet))


def members_of(plan: StabilityPlan, arm: Arm, replicate: int, names: Sequence[str]) -> tuple[str, ...]:
    """The members that a replicate of an arm asks; empty means all of the fleet.

    Drawn members come from a draw of as many as there are with replacement: the same seed and replicate give the same
    ones in every arm, so that arms are compared on equal fleets. A draw of fewer than two is made again.
    """
    chance = random.Random(f"{plan.seed}/{replicate}")  # noqa: S311 - repeatable draws, no secret
    ordered = sorted(names)
    if arm in ONE_FAMILY:
        return (ordered[(replicate - 1) % len(ordered)],)  # another one each replicate
    if plan.kind is not ReplicateKind.MEMBERS_DRAWN:
        return ()
    drawn = set[str]()
    while len(drawn) < min(2, len(ordered)):
        drawn = set(chance.choices(ordered, k=len(ordered)))
    return tuple(sorted(drawn))


def cells_of(run: StabilityRun, names: Sequence[str]) -> tuple[Cell, ...]:
    """All cells of a run, by arm, replicate and cycle."""
    plan = run.plan
    return tuple(
        Cell(
            run=run.id,
            key=CellKey(arm=arm, replicate=replicate, cycle=cycle),
            through=through,
            members=members_of(plan, arm, replicate, names),
            figures=ALIKE if arm is Arm.SELF_ENSEMBLE and is_fixed(plan.fleet) else None,
        )
        for arm in plan.arms
        for replicate in range(1, plan.replicates + 1)
        for cycle, through in enumerate(plan.checkpoints, start=1)
    )


def conversation_id(run: StabilityRun, key: CellKey) -> str:
    """The copy of the conversation that a cell's job works on: one a replicate, or a cycle where nothing is kept."""
    own = key.name if key.arm in {Arm.REWRITE, Arm.SUMMARY} else f"{key.arm.value}-r{key.replicate}"
    return f"{run.plan.conversation}{OWN_CONVERSATIONS}{run.id}.{own}"


def fleet_of(plan: StabilityPlan, cell: Cell) -> str:
    """The description of the fleet that a cell's job asks."""
    if cell.key.arm is Arm.SELF_ENSEMBLE:
        return DrawnFleet(base=plan.fleet, members=cell.members, copies=COPIES).description
    if cell.key.arm is Arm.SUMMARY:
        return DrawnFleet(base=plan.fleet, members=cell.members, summaries=True).description
    return DrawnFleet(base=plan.fleet, members=cell.members).description if cell.members else plan.fleet


def policy_of(plan: StabilityPlan, cell: Cell) -> Policy:
    """The policy of a cell's job: the plan's, but for what the arm does without.

    One family cannot agree with another, so an arm of one member asks for one family.
    """
    policy = plan.policy
    changes: dict[str, object] = {}
    if cell.key.arm in ONE_FAMILY:
        quorum = policy.quorum.model_copy(update={"min_members": 1, "min_families": 1})
        consensus = policy.consensus.model_copy(update={"min_families": 1})
        changes = {"quorum": quorum, "consensus": consensus}
    if cell.key.arm is Arm.NO_GATE:
        changes = {"probe": policy.probe.model_copy(update={"on": False})}
    if cell.key.arm is Arm.NO_AUDIT:
        changes = {"frame": policy.frame.model_copy(update={"audit": False})}
    if plan.kind is ReplicateKind.MEMBERS_DRAWN and not changes:
        quorum = policy.quorum.model_copy(update={"min_members": 1, "min_families": 1})
        changes = {"quorum": quorum}  # a draw may leave one family; that it is fragile then is what is measured
    return policy.model_copy(update=changes)


def request_of(
    run: StabilityRun, cell: Cell, conversation: Conversation, before: str | None, *, lane: Lane | None
) -> Request:
    """What a cell's job is asked for.

    Args:
        run: The run.
        cell: A cell of an arm with jobs.
        conversation: The conversation that is measured on, as it is stored.
        before: The state after the cycle before, as text; what a rewriting arm goes on from.
        lane: Where the job waits for workers; None where it is run here.
    """
    if not has_jobs(run.plan, cell.key.arm):
        message = f"arm {cell.key.arm.value!r} has no jobs"
        raise ValueError(message)
    turns = conversation.turns[: cell.through]
    if cell.key.arm is Arm.REWRITE and before is not None and not is_fixed(run.plan.fleet):
        turns = _rewritten(conversation, run.plan.checkpoints[cell.key.cycle - 2], cell.through, before)
    own = conversation.model_copy(update={"id": conversation_id(run, cell.key), "turns": turns})
    return Request(
        conversation=own, fleet=fleet_of(run.plan, cell), policy=policy_of(run.plan, cell), tenant=run.tenant, lane=lane
    )


def _rewritten(conversation: Conversation, since: int, through: int, before: str) -> tuple[Turn, ...]:
    """The state as the first turn, then the turns since: all that a rewriting member has."""
    first = conversation.turns[since].model_copy(
        update={"number": 1, "role": Role.USER, "speaker": "state so far", "content": before, "quoted": ()}
    )
    rest = (
        turn.model_copy(update={"number": number})
        for number, turn in enumerate(conversation.turns[since:through], start=2)
    )
    return (first, *rest)


def truncated(snapshot: Snapshot, tokens: int, counter: TokenCounter) -> str:
    """The last turns that together take at most this many tokens; at least the last one."""
    kept: list[str] = []
    left = tokens
    for turn in reversed(snapshot.turns):
        left -= counter.count(turn.content)
        if left < 0 and kept:
            break
        kept.append(turn.content)
    return "\n".join(reversed(kept))


def told_summary(job: Job, answers: Sequence[Answer]) -> str | NotMeasured:
    """The prose that the one member of a summary's job gave, whatever the job made of it; or why there is none."""
    for answer in answers:
        if answer.parsed.answer_class in NO_PROSE:
            return NotMeasured(
                not_measured=f"the answer of {answer.member.name!r} is {answer.parsed.answer_class.value}"
            )
        return answer.reply.text
    return NotMeasured(not_measured=f"job {job.id} has no answer: {job.reason or job.status.value}")


def recorded_summary(fleet: str, member: str, through: int) -> str | NotMeasured:
    """The prose summary that a recorded writer gave of the turns up to `through`, where one was recorded."""
    base = base_of(fleet)
    prefix = next((one for one in (RECORDED, ROLLED) if base.startswith(one)), None)
    if prefix is None:
        return NotMeasured(not_measured="summaries are recorded ones; this fleet has none")
    path = Path(base.removeprefix(prefix)) / f"{member}.summarise.json"
    if not path.is_file():
        return NotMeasured(not_measured=f"no summary by {member!r} was recorded")
    given = json.loads(path.read_text(encoding="utf-8"))
    if int(given["through"]) != through:
        return NotMeasured(not_measured=f"the summary by {member!r} was recorded through turn {given['through']}")
    return str(given["answer"])
