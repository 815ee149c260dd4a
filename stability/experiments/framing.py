"""Premises over cycles, with the frame agent and without it: what experiment 4 measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from consensus.build import build_consensus
from dissolution.answers import FinishReason
from dissolution.claims import Claim, Section, Statement
from dissolution.conversation import Snapshot
from dissolution.framing import Action, Finding, FramePolicy
from dissolution.policy.job_policy import ConsensusPolicy
from dissolution.ports.models import Embedder
from dissolution.premises import PremiseEvent, PremiseEventKind, PremiseId, Register
from dissolution.stability import Arm
from dissolution.values import Measured
from frame_agent.register.fold import register_of
from frame_agent.register.lock_in import lock_in
from frame_agent.review.audit import audit
from prompts.parse import parse_reply
from stability.experiments.cycles import checkpoints_of, conversations_of, run_cycles
from stability.experiments.data import Planted, RawAnswer
from stability.experiments.faults import Faults, faults, premises_of
from stability.experiments.workspace import Choice
from workers.members.wording_distance import comparing_by
from workers.services import Services

ARMS = ("no agent", "agent")
FLEETS: Mapping[str, tuple[str, ...]] = {"all writers": (), "the two weak writers": ("writer-e", "writer-f")}
"""Recorded writers by name; empty: all of them. The weak ones share a family, so nothing of theirs needs another."""


@dataclass
class Cycle:
    """One cycle of one conversation: what each arm's boundary holds, and how far the frame is locked in."""

    fleet: str
    one: Planted
    cycle: int
    through: int
    dropped_at: int  # the turn that raised the dropped question
    faults: dict[str, Faults] = field(default_factory=dict[str, Faults])
    edges: dict[str, int] = field(default_factory=dict[str, int])
    lock_in: dict[str, Measured] = field(default_factory=dict[str, Measured])


def measured(services: Services, choice: Choice) -> list[Cycle]:
    """All cycles of all conversations; recorded fleets twice: all writers, and the two weak ones. Raises InputError."""
    found: list[Cycle] = []
    for one in conversations_of(choice):
        choice.told(f"{one.name}: cycles with and without the agent")
        if choice.is_recorded:
            for fleet, writers in FLEETS.items():
                found += _recorded(services.embedder(), choice, one, fleet, writers)
        else:
            found += _asked(services, choice, one)
    return found


def _recorded(embedder: Embedder, choice: Choice, one: Planted, fleet: str, writers: Sequence[str]) -> list[Cycle]:
    """Cycles on answers that were recorded at each checkpoint; each writer went on from its own answer before."""
    planted = premises_of(one.raw, one.name)
    register = register_of(one.snapshot)
    asked_about: list[tuple[int, str]] = []
    found: list[Cycle] = []
    for number, through in enumerate(checkpoints_of(choice, one), start=1):
        snapshot = one.conversation.snapshot(through)
        said = [
            each for each in choice.data.recorded(one.name, f"roll-{number}") if not writers or each.member in writers
        ]
        before, after, findings = audited(embedder, said, snapshot, register.at(through))
        cycle = Cycle(fleet, one, number, through, planted.dropped_topic.turn)
        for arm, claims in zip(ARMS, (before, after), strict=True):
            cycle.faults[arm] = faults(planted, [(claim.section, claim.text) for claim in claims])
            cycle.edges[arm] = sum(claim.section is Section.EDGES for claim in claims)
        asked_about += [(through, premise) for premise in taken_down(register, findings)]
        _measure_lock_in(cycle, register, asked_about)
        found.append(cycle)
    return found


def audited(
    embedder: Embedder, said: Sequence[RawAnswer], snapshot: Snapshot, register: Register
) -> tuple[Sequence[Claim], Sequence[Claim], Sequence[Finding]]:
    """The claims of a candidate without the audit and with its repairs, and what was found."""
    statements = [
        Statement(member=one.member, family=one.family, ordinal=ordinal, claim=claim)
        for one in said
        for ordinal, claim in enumerate(parse_reply(one.answer, FinishReason.STOP, through=snapshot.through).claims)
    ]
    families = {one.family for one in said}
    policy = ConsensusPolicy(min_families=min(2, len(families)))
    answers = {one.member: one.answer for one in said}
    candidate = build_consensus(statements, snapshot, embedder, policy, job="frame", answers=answers)
    # no recorded writer reviewed: what is measured is what stands without reviewers
    comparing = comparing_by(lambda: embedder, policy, snapshot)
    report = audit(register, candidate, snapshot, FramePolicy(), reviewers=(), comparing=comparing, job="frame")
    after = report.amended or candidate
    return candidate.claims, after.claims, report.findings


def _asked(services: Services, choice: Choice, one: Planted) -> list[Cycle]:
    """Cycles of ordinary jobs, with the audit and without it."""
    planted = premises_of(one.raw, one.name)
    register = register_of(one.snapshot)
    ran = run_cycles(services, choice, one, (Arm.LEDGER, Arm.NO_AUDIT))
    asked_about: list[tuple[int, str]] = []
    found: list[Cycle] = []
    for number, through in enumerate(checkpoints_of(choice, one), start=1):
        cycle = Cycle(choice.name, one, number, through, planted.dropped_topic.turn)
        for arm, name in zip((Arm.NO_AUDIT, Arm.LEDGER), ARMS, strict=True):
            boundary = ran.boundaries.get(f"{arm.value}-r1-c{number}")
            if boundary is not None:
                cycle.faults[name] = faults(planted, [(claim.section, claim.text) for claim in boundary.claims])
                cycle.edges[name] = sum(claim.section is Section.EDGES for claim in boundary.claims)
        findings = ran.findings.get(f"{Arm.LEDGER.value}-r1-c{number}", ())
        asked_about += [(through, premise) for premise in taken_down(register, findings)]
        _measure_lock_in(cycle, register, asked_about)
        found.append(cycle)
    return found


def _measure_lock_in(cycle: Cycle, register: Register, asked_about: Sequence[tuple[int, str]]) -> None:
    now = register.at(cycle.through)
    cycle.lock_in[ARMS[0]] = lock_in(now)
    cycle.lock_in[ARMS[1]] = lock_in(challenged(now, asked_about))


def taken_down(register: Register, findings: Sequence[Finding]) -> list[PremiseId]:
    """The premises whose words reviewers showed where the candidate was changed."""
    shown = [piece for one in findings if one.action is Action.REPAIR for piece in one.evidence]
    return [
        premise.id
        for premise in register.premises
        if any(
            piece.turn == premise.turn and piece.start < premise.evidence.end and premise.evidence.start < piece.end
            for piece in shown
        )
    ]


def challenged(register: Register, asked_about: Sequence[tuple[int, str]]) -> Register:
    """The register with premises asked about at the ends of turns, as (turn, premise); unknown ones are left out."""
    stated = {premise.id: premise for premise in register.premises}
    events = list(register.events)
    for turn, name in asked_about:
        if name not in stated or stated[name].turn > turn or turn > register.through:
            continue
        place = sum(event.turn <= turn for event in events)
        last = next(event for event in reversed(events[:place]) if event.premise == name)
        events.insert(
            place,
            PremiseEvent(
                kind=PremiseEventKind.CHALLENGED,
                premise=name,
                turn=turn,
                role=last.role,
                speaker="frame agent",
                status=last.status,
                scope=last.scope,
                reason="put among the edges by the audit",
            ),
        )
    return Register(conversation=register.conversation, through=register.through, events=tuple(events))
