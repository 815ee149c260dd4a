"""What `dissolve stability` does."""

import sys
import threading
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

from cli.exits import Exit
from cli.output import hint, printing, say
from cli.progress import ConsoleProgress, progress_on
from cli.run import Giving, RunOptions, fleet_of, read_conversation, stored_conversation
from dissolution import __version__
from dissolution.conversation import Conversation
from dissolution.errors import InputError
from dissolution.job import ENDED, Job
from dissolution.policy import Policy
from dissolution.policy_file import load_policy
from dissolution.settings import load_settings
from dissolution.stability import Arm, CycleFigures, RunStatus, StabilityPlan, StabilityRun
from probe.reading import RetrievalReader
from probe.ready_made import read_bank
from reports.stability_figures import StabilityReport, report_on
from reports.stability_page import write_report
from stability.arms import replicate_kind
from stability.measuring import Yardsticks
from stability.run import Runner, cancel_run, checkpoints_every, spent, start_run
from workers.bootstrap import RECORDED, ROLLED, open_services, settled_policy
from workers.services import Services

LOOK_S = 1.0
"""Pause between two looks at a job that workers run."""

STATUS_EXITS = {
    RunStatus.DONE: Exit.OK,
    RunStatus.RUNNING: Exit.OK,
    RunStatus.STOPPED: Exit.HISTORY_KEPT,
    RunStatus.CANCELLED: Exit.HISTORY_KEPT,
}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What was given on the command line of `dissolve stability run`."""

    conversation: str
    every: int | None
    at: str | None
    replicates: int
    arms: str
    fleet: str
    recorded: Path | None
    policy: Path | None
    truth: Path | None
    bank: Path | None
    seed: int
    max_usd: float | None
    workers: bool
    out: Path
    db: str | None
    as_json: bool


def run_stability(asked: Asked) -> Exit:
    """Store a run, do all of it, and write its report."""
    settings = load_settings(db=asked.db)
    source = source_of(asked)
    fleet = rolled(fleet_of(source), asked.recorded)
    policy = settled_policy(load_policy(asked.policy) if asked.policy else Policy(), settings, fleet)
    with progress_on(sys.stderr) as progress, open_services(settings, progress) as services:
        stored = stored_conversation(source, services)
        conversation = stored or read_conversation(source, settings, services).conversation
        plan = plan_of(asked, conversation, fleet, policy)
        yardsticks = questions_of(asked.bank or with_key(Path(asked.conversation), "probes"), conversation)
        with services.unit_of_work() as work:
            work.conversations.extend(conversation)
            work.commit()
        run = start_run(services, plan)
        cells = len(plan.arms) * plan.replicates * len(plan.checkpoints)
        progress.say(f"run {run.id}: {cells} cells over {conversation.id!r}, fleet {fleet}")
        giving = Finish(workers=asked.workers, out=asked.out, db=asked.db, as_json=asked.as_json)
        return finish(services, run, yardsticks, progress, giving)


def source_of(asked: Asked) -> RunOptions:
    """What is read, as `dissolve run` would read it."""
    return RunOptions(
        file=asked.conversation,
        fleet=asked.fleet,
        recorded=asked.recorded,
        through=None,
        policy=asked.policy,
        form=None,
        conversation=None,
        timezone=None,
        giving=Giving(db=asked.db),
    )


def plan_of(asked: Asked, conversation: Conversation, fleet: str, policy: Policy) -> StabilityPlan:
    """The plan that was asked for. Raises InputError."""
    return StabilityPlan(
        conversation=conversation.id,
        checkpoints=checkpoints(asked, conversation),
        replicates=asked.replicates,
        kind=replicate_kind(fleet, asked.replicates),
        arms=arms_of(asked.arms),
        fleet=fleet,
        policy=policy,
        seed=asked.seed,
        max_usd=None if asked.max_usd is None else Decimal(str(asked.max_usd)),
        truth=truth_of(asked),
        software=__version__,
    )


def rolled(fleet: str, recorded: Path | None) -> str:
    """The same recordings, but of the answers that were given cycle by cycle where the folder holds any."""
    if recorded is None or not any(recorded.glob("*.roll*.json")):
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


def checkpoints(asked: Asked, conversation: Conversation) -> tuple[int, ...]:
    """The turns after which a cycle runs. Raises InputError."""
    if (asked.every is None) == (asked.at is None):
        raise InputError("cycles", "say with --every N or with --at 14,28,42 when they run")
    if asked.every is not None:
        return checkpoints_every(conversation, asked.every)
    words = (asked.at or "").split(",")
    if not all(word.strip().isdecimal() and int(word) > 0 for word in words):
        raise InputError(f"--at {asked.at!r}", "give turns from 1 on with commas between, such as 14,28,42")
    turns = [int(word) for word in words]
    if turns != sorted(set(turns)):
        raise InputError(f"--at {asked.at!r}", "give each turn once, in rising order")
    return tuple(turns)


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


@dataclass(frozen=True, kw_only=True)
class Finish:
    """How a run is gone on with and given out."""

    workers: bool
    out: Path
    db: str | None
    as_json: bool


def finish(
    services: Services, run: StabilityRun, yardsticks: Yardsticks, progress: ConsoleProgress, giving: Finish
) -> Exit:
    """Do what is left of a run and write its report; when it is interrupted, say how to go on."""
    wait = partial(waited, services) if giving.workers else None
    try:
        ended = Runner(services, run, yardsticks=yardsticks, told=progress.say, wait=wait).go_on()
    except BaseException:
        progress.stop()
        say(f"run {run.id} is left; `{hint('stability', 'resume', run.id, db=giving.db)}` goes on")
        raise
    progress.stop()
    return give(services, ended, out=giving.out, as_json=giving.as_json)


def waited(services: Services, job: Job) -> Job:
    """The job once workers have ended it."""
    pause = threading.Event()
    while job.status not in ENDED:
        pause.wait(LOOK_S)
        with services.unit_of_work() as work:
            job = work.jobs.get(job.id)
    return job


def give(services: Services, run: StabilityRun, *, out: Path, as_json: bool) -> Exit:
    """Write the report of a run and print its summary, or all of it as JSON."""
    with services.unit_of_work() as work:
        cells = work.stability.cells(run.id)
    report = report_on(run, cells, spent(services, run))
    code = STATUS_EXITS[run.status]
    with printing(code):
        sys.stdout.write(f"{report.model_dump_json(indent=1)}\n" if as_json else in_words(report))
    try:
        written = write_report(report, out)
    except OSError as error:
        say(f"--out {str(out)!r} cannot be written: {error.strerror or type(error).__name__}; the run is stored")
        return Exit.UNWRITTEN
    say(f"report: {', '.join(str(path) for path in written)}")
    return code


def in_words(report: StabilityReport) -> str:
    """The summary and what was not shown."""
    head = f"run {report.run.id}: {report.run.status.value}"
    told = "\n".join(f"  {line}" for line in report.summary)
    limits = "\n".join(f"  {line}" for line in report.limits)
    return f"{head}\n{told}\nWhat was not shown:\n{limits}\n"


def resume_stability(name: str, *, bank: Path | None, workers: bool, out: Path, db: str | None, as_json: bool) -> Exit:
    """Go on with a run. Raises NotFound, InputError."""
    settings = load_settings(db=db)
    with progress_on(sys.stderr) as progress, open_services(settings, progress, create=False) as services:
        with services.unit_of_work() as work:
            run = work.stability.get(name)
            conversation = work.conversations.get(run.plan.conversation)
        if run.status is not RunStatus.RUNNING:
            progress.stop()
            return give(services, run, out=out, as_json=as_json)
        chosen = bank or (with_key(Path(run.plan.truth), "probes") if run.plan.truth else None)
        giving = Finish(workers=workers, out=out, db=db, as_json=as_json)
        return finish(services, run, questions_of(chosen, conversation), progress, giving)


def report_stability(name: str, *, out: Path, db: str | None, as_json: bool) -> Exit:
    """Write a run's report as far as it has come. Raises NotFound."""
    with open_services(load_settings(db=db), create=False) as services:
        with services.unit_of_work() as work:
            run = work.stability.get(name)
        code = give(services, run, out=out, as_json=as_json)
    return Exit.OK if code is Exit.HISTORY_KEPT else code


def list_stability(*, db: str | None, as_json: bool) -> Exit:
    """Print the stored runs."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        found = [(run, work.stability.cells(run.id)) for run in work.stability.runs()]
    with printing(Exit.OK):
        if as_json:
            listed = ",".join(run.model_dump_json() for run, _ in found)
            sys.stdout.write(f'{{"runs": [{listed}]}}\n')
        for run, cells in () if as_json else found:
            done = sum(isinstance(cell.figures, CycleFigures) for cell in cells)
            arms = ", ".join(arm.value for arm in run.plan.arms)
            sys.stdout.write(f"{run.id}  {run.status.value}  {done}/{len(cells)}  {run.plan.conversation}  {arms}\n")
    return Exit.OK


def cancel_stability(name: str, *, reason: str, db: str | None) -> Exit:
    """End a run. Raises NotFound, IllegalMove."""
    with open_services(load_settings(db=db), create=False) as services:
        run = cancel_run(services, name, reason)
    say(f"run {run.id} is cancelled; what was measured stays, `{hint('stability', 'report', run.id, db=db)}` shows it")
    return Exit.OK
