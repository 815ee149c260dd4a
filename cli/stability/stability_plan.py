"""What `dissolve stability run` is asked for, as plans: one, or one for each fleet or policy that is compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from cli.run.run import Giving, RunOptions, fleet_of
from dissolution import __version__
from dissolution.conversation import Conversation
from dissolution.errors import InputError
from dissolution.job import Lane
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.stability import Arm, Cadence, StabilityPlan
from language.surprise.backoff import BackoffEstimator
from probe.reading import RetrievalReader
from probe.ready_made import read_bank
from stability.arms import replicate_kind
from stability.measuring import Yardsticks
from stability.run import checkpoints_at_firings, checkpoints_every, refuse_too_many
from workers.bootstrap import settled_policy
from workers.members.recordings import RECORDED, ROLLED
from workers.services import Services

FIRINGS = "firings"
"""What `--at` says for the turns at which triggers fire."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What was given on the command line of `dissolve stability run`."""

    conversation: str
    chosen: str | None = None  # which conversation of a file, where it holds several
    every: int | None
    at: str | None
    replicates: int
    arms: str
    fleets: tuple[str, ...]
    recorded: Path | None
    policies: tuple[Path, ...]
    truth: Path | None
    bank: Path | None
    seed: int
    max_usd: float | None
    workers: bool
    out: Path
    db: str | None
    as_json: bool


def source_of(asked: Asked, fleet: str) -> RunOptions:
    """What is read, as `dissolve run` would read it."""
    return RunOptions(
        file=asked.conversation,
        fleet=fleet,
        recorded=asked.recorded,
        through=None,
        policy=None,
        form=None,
        conversation=asked.chosen,
        timezone=None,
        giving=Giving(db=asked.db),
    )


def variants(asked: Asked) -> Iterator[tuple[str, Path | None]]:
    """Fleet and policy file of each run: one, or one for each of several fleets or of several policies.

    Raises InputError for several of both: nobody could tell then what made a difference.
    """
    if len(asked.fleets) > 1 and len(asked.policies) > 1:
        raise InputError("several --fleet and several --policy", "compare fleets under one policy, or policies")
    if asked.recorded is not None and len(asked.fleets) > 1:
        raise InputError("--recorded and several --fleet", "recorded answers are a fleet of their own")
    for fleet in asked.fleets:
        for policy in asked.policies or (None,):
            yield fleet, policy


def plans_of(asked: Asked, services: Services, conversation: Conversation) -> tuple[StabilityPlan, ...]:
    """The plans that were asked for. Raises InputError, InvalidPolicy, InvalidRoster."""
    turns: tuple[int, ...] | None = None  # runs that are compared have the same cycles
    found: list[StabilityPlan] = []
    for fleet, policy in variants(asked):
        plan = plan_of(asked, services, conversation, variant=(fleet, policy), turns=turns)
        turns = plan.checkpoints
        found.append(plan)
    return tuple(found)


def plan_of(
    asked: Asked,
    services: Services,
    conversation: Conversation,
    *,
    variant: tuple[str, Path | None],
    turns: tuple[int, ...] | None = None,
) -> StabilityPlan:
    """One plan, at given turns or else at those that were asked for. Raises as `plans_of`."""
    named, file = variant
    given = fleet_of(source_of(asked, named))
    policy = load_policy(file) if file else Policy()
    cadence, chosen = checkpoints(asked, services, conversation, policy)
    turns = turns or chosen
    refuse_too_many(turns)
    fleet = rolled(given, asked.recorded, len(turns))
    bank = asked.bank or with_key(Path(asked.conversation), "probes")
    return StabilityPlan(
        conversation=conversation.id,
        checkpoints=turns,
        replicates=asked.replicates,
        kind=replicate_kind(fleet, asked.replicates),
        arms=arms_of(asked.arms),
        fleet=fleet,
        policy=settled_policy(policy, services.settings, given),
        seed=asked.seed,
        max_usd=None if asked.max_usd is None else Decimal(str(asked.max_usd)),
        truth=truth_of(asked),
        questions=tuple(questions_of(bank, conversation).questions),
        cadence=cadence,
        lane=Lane.STABILITY if asked.workers else None,
        software=__version__,
    )


def rolled(fleet: str, recorded: Path | None, cycles: int = 2) -> str:
    """The same recordings, but of the answers that were given cycle by cycle, where there are several and any cycles.

    A single cycle reads the whole conversation at once, as those do whose answers were not given cycle by cycle.
    """
    if recorded is None or not any(recorded.glob("*.roll*.json")):
        return fleet
    if cycles == 1 and any(recorded.glob("*.dissolve*.json")):
        return fleet
    return fleet.replace(RECORDED, ROLLED, 1)


def arms_of(given: str) -> tuple[Arm, ...]:
    """The arms that `--arms` names, in its order, the ledger's among them or not. Raises InputError."""
    names = [name.strip() for name in given.split(",")]
    known = [arm.value for arm in Arm]
    unknown = [name for name in names if name not in known]
    if unknown or len(set(names)) != len(names):
        wrong = f"--arms {given!r}: {unknown!r} is no arm" if unknown else f"--arms {given!r} names one twice"
        raise InputError(wrong, f"choose from {', '.join(known)}")
    return tuple(Arm(name) for name in names)


def checkpoints(
    asked: Asked, services: Services, conversation: Conversation, policy: Policy
) -> tuple[Cadence, tuple[int, ...]]:
    """The turns after which a cycle runs, and what chose them. Raises InputError."""
    if (asked.every is None) == (asked.at is None):
        raise InputError("cycles", "say with --every N, --at 14,28,42 or --at firings when they run")
    if asked.every is not None:
        return Cadence.EVERY, checkpoints_every(conversation, asked.every)
    if asked.at == FIRINGS:
        found = checkpoints_at_firings(services, conversation, policy.triggers, BackoffEstimator())
        return Cadence.FIRINGS, found
    words = (asked.at or "").split(",")
    if not all(word.strip().isdecimal() and int(word) > 0 for word in words):
        raise InputError(f"--at {asked.at!r}", "give turns from 1 on with commas between, such as 14,28,42")
    turns = [int(word) for word in words]
    if turns != sorted(set(turns)):
        raise InputError(f"--at {asked.at!r}", "give each turn once, in rising order")
    return Cadence.TURNS, tuple(turns)


def truth_of(asked: Asked) -> str | None:
    """The file that says what is true, as it is stored: a full path."""
    found = asked.truth or with_key(Path(asked.conversation), "truth")
    return None if found is None else str(found.resolve())


def with_key(file: Path, key: str) -> Path | None:
    """The conversation's own file, when it holds something under a key."""
    try:
        return file if f'"{key}"' in file.read_text(encoding="utf-8") else None
    except (OSError, UnicodeDecodeError):
        return None


def questions_of(bank: Path | None, conversation: Conversation) -> Yardsticks:
    """The questions of a bank, read by retrieval. Raises InputError."""
    if bank is None:
        return Yardsticks()
    return Yardsticks(questions=read_bank(bank, conversation.snapshot()).questions, reader=RetrievalReader())
