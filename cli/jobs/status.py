"""`dissolve status`, `cancel` and `requeue`: how jobs stand, and what a person may do to them."""

import asyncio
import sys
import threading

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.run.first_screen import print_screen
from cli.run.results import Result, gather
from cli.run.run import the_job
from cli.shared.beside_up import settings_beside
from cli.shared.exits import Exit
from cli.shared.output import hint, printing, say
from cli.shared.tables import row, table
from cli.shared.views import console
from dissolution.job import ENDED, JobStatus
from dissolution.limits import BlockStanding, DenialReason
from dissolution.settings import Settings, load_settings
from workers.bootstrap import open_services
from workers.execution.job_moves import cancel, requeue
from workers.execution.job_status import FleetStatus, JobDetail, JobStanding, QueueStanding, detail, overview
from workers.redis.limit_states import settings_with_redis, shared_standing
from workers.services import Services

WATCH_S = 2.0


def show_status(names: tuple[str, ...], *, watch: bool, db: str | None, as_json: bool) -> Exit:
    """Print how everything stands, or the jobs named; with `watch` again and again until Ctrl-C."""
    settings, _ = settings_beside(db=db)
    with open_services(settings, create=False, reading=True) as services:
        pause = threading.Event()
        while True:
            standing = look(services, names)
            over = [] if as_json else results_of(services, standing)
            with printing(Exit.OK):
                if as_json:
                    sys.stdout.write(standing.model_dump_json(indent=None if watch else 2) + "\n")
                else:
                    out = console()
                    if watch and out.is_terminal:
                        out.clear()
                    print_standing(out, standing)
                    print_blocks(out, standing.blocked)
                    for result in over:
                        out.print()
                        print_screen(out, result, db=db)
            if not watch:
                return Exit.OK
            pause.wait(WATCH_S)


def look(services: Services, names: tuple[str, ...]) -> FleetStatus:
    """How the named jobs stand, or everything. Raises NotFound, InputError."""
    with services.unit_of_work() as work:
        now = services.clock.now()
        if not names:
            return overview(work, now).model_copy(update={"blocked": blocked(services.settings)})
        found = [the_job(work.jobs.find(name), name) for name in names]
        return FleetStatus(jobs=tuple(detail(work, job, now) for job in found))


def results_of(services: Services, standing: FleetStatus) -> list[Result]:
    """What the jobs that were named and have ended came to, or wait for a person with."""
    stands = (*ENDED, JobStatus.HELD)
    with services.unit_of_work() as work:
        jobs = [work.jobs.get(one.standing.job) for one in standing.jobs if one.standing.status in stands]
    return [gather(services, job) for job in jobs]


def blocked(settings: Settings) -> tuple[BlockStanding, ...]:
    """Accounts that workers leave alone; none are known while Redis is away."""
    standing = asyncio.run(shared_standing(settings_with_redis(settings)))
    return () if standing is None else standing.blocks


def print_blocks(out: Console, blocks: tuple[BlockStanding, ...]) -> None:
    """One line an account that nobody uses at the moment."""
    for block in blocks:
        why = "its key was refused" if block.why is DenialReason.AUTH else "it has no credit"
        out.print(Text(f"account {block.account} is not used for {block.for_s:.0f} s: {why} ({block.why.value})"))


def print_standing(out: Console, standing: FleetStatus) -> None:
    """For a person."""
    if not standing.jobs:
        words = ", ".join(f"{count} {status.value}" for status, count in sorted(standing.counts.items()))
        out.print(Text(f"jobs: {words or 'none yet'}"))
    if standing.queues:
        out.print(queue_table(standing.queues))
    if standing.unfinished:
        out.print(job_table(standing.unfinished))
    for job in standing.jobs:
        line = job.standing
        words = f"{line.status.value}, conversation {line.conversation!r}, {line.age_s:.0f} s old"
        out.print(Text(f"job {line.job}: {words}"))
        if line.reason and line.status not in ENDED:
            out.print(Text(f"  {line.reason}"))
        out.print(step_table(job))


def queue_table(queues: tuple[QueueStanding, ...]) -> Table:
    """One row a queue."""
    made = table("queue", "waiting", "running", "lease ran out", "oldest waits (s)")
    for one in queues:
        row(made, one.queue, one.waiting, one.running, one.lease_ran_out, one.oldest_waits_s)
    return made


def job_table(jobs: tuple[JobStanding, ...]) -> Table:
    """One row a job."""
    made = table("job", "status", "lane", "steps done", "running", "age (s)", "conversation")
    for job in jobs:
        lane = "none" if job.lane is None else job.lane.value
        running = " ".join(job.running)
        done = f"{job.done} of {job.steps}"
        row(made, job.job, job.status.value, lane, done, running, f"{job.age_s:.0f}", job.conversation)
    return made


def step_table(job: JobDetail) -> Table:
    """One row a step."""
    made = table("stage", "status", "attempts", "waits for", "lease (s)", "owner", "reason")
    for one in job.steps:
        row(made, one.stage, one.status.value, one.attempts, one.waits_for, one.lease_ends_in_s, one.owner, one.reason)
    return made


def cancel_job(name: str, *, db: str | None) -> Exit:
    """End a job on request. Raises NotFound, IllegalMove."""
    with open_services(load_settings(db=db), create=False) as services:
        job = cancel(services, named(services, name))
    say(f"job {job.id} is cancelled; the history of {job.conversation!r} stays in force")
    return Exit.OK


def requeue_job(name: str, *, db: str | None) -> Exit:
    """Try a failed job again. Raises NotFound, IllegalMove."""
    with open_services(load_settings(db=db), create=False) as services:
        job = requeue(services, named(services, name))
    how = hint("resume", job.id, db=db) + " goes on" if job.lane is None else "workers go on"
    say(f"job {job.id} is queued again; {how}")
    return Exit.OK


def named(services: Services, name: str) -> str:
    """The id of the job a name stands for. Raises NotFound, InputError."""
    with services.unit_of_work() as work:
        return the_job(work.jobs.find(name), name).id
