"""`dissolve run` and `dissolve resume`."""

import sys
from dataclasses import dataclass
from pathlib import Path

from cli.endings import STATUS_EXITS
from cli.exits import Exit
from cli.progress import progress_on
from cli.results import print_json, print_result, write_out
from dissolution.errors import InputError, NotFound
from dissolution.job import ENDED, Job
from dissolution.policy import Policy
from dissolution.policy_file import load_policy
from dissolution.settings import Settings, load_settings
from triggers.submit import Request, submit
from wording.reading.options import Form, ReadingOptions
from wording.reading.read import Reading, read_bytes, read_file
from workers.bootstrap import EXTRACTIVE, RECORDED, ROSTER, check_fleet, open_services
from workers.inline import NoBell, run_job
from workers.pipeline import STAGE_NAMES
from workers.services import Services

STDIN = "-"


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What was given on the command line of `dissolve run`."""

    file: str
    fleet: str
    recorded: Path | None
    through: int | None
    policy: Path | None
    form: str | None
    conversation: str | None
    timezone: str | None
    db: str | None
    as_json: bool
    out: Path | None


def run_file(options: RunOptions) -> Exit:
    """Read a file, store it and its job, run the job here, print what came of it."""
    settings = load_settings(db=options.db)
    policy = load_policy(options.policy) if options.policy else Policy()
    fleet = fleet_of(options)
    with progress_on(sys.stderr) as progress, open_services(settings, progress) as services:
        reading = read_conversation(options, settings, services)
        for warning in reading.warnings:
            progress.say(warning)
        check_fleet(fleet, reading.conversation.snapshot(options.through))
        request = Request(conversation=reading.conversation, through=options.through, fleet=fleet, policy=policy)
        submission = submit(
            request,
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            queue=NoBell(),
            stages=STAGE_NAMES,
        )
        job = submission.job
        progress.say(f"job {job.id}: conversation {job.conversation!r} through turn {job.through}, fleet {job.fleet}")
        ended = run_to_end(services, job)
        progress.stop()
        report(services, ended, as_json=options.as_json, out=options.out)
        return STATUS_EXITS[ended.status]


def fleet_of(options: RunOptions) -> str:
    """The fleet description that is stored with the job. Raises InputError on a contradiction."""
    if options.recorded is None:
        is_file = Path(options.fleet).suffix == ".toml"
        return f"{ROSTER}{Path(options.fleet).resolve()}" if is_file else options.fleet
    if options.fleet != EXTRACTIVE:
        raise InputError(
            f"--fleet {options.fleet!r} with --recorded {str(options.recorded)!r}", "give only one of them"
        )
    return f"{RECORDED}{options.recorded.resolve()}"


def read_conversation(options: RunOptions, settings: Settings, services: Services) -> Reading:
    """The conversation of the file, or of stdin."""
    reading_options = ReadingOptions(
        form=Form(options.form) if options.form else None,
        conversation=options.conversation,
        timezone=options.timezone,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    with services.unit_of_work() as work:
        key = work.installation_key()
        work.commit()
    if options.file == STDIN:
        data = sys.stdin.buffer.read(reading_options.max_bytes + 1)
        return read_bytes(data, "stdin", reading_options, key=key, clock=services.clock)
    return read_file(Path(options.file), reading_options, key=key, clock=services.clock)


def run_to_end(services: Services, job: Job) -> Job:
    """Run the job; on Ctrl-C say how to go on."""
    try:
        return run_job(services, job.id)
    except KeyboardInterrupt:
        print(f"dissolve: interrupted; `dissolve resume {job.id}` goes on", file=sys.stderr)  # noqa: T201 - for a person
        raise


def report(services: Services, job: Job, *, as_json: bool, out: Path | None) -> None:
    """Print what came of an ended job and write the exports that were asked for."""
    if out is not None:
        write_out(services, job, out)
    if as_json:
        print_json(services, job)
    else:
        print_result(services, job)


def resume_jobs(name: str | None, *, db: str | None, as_json: bool, out: Path | None) -> Exit:
    """Go on with one job, or with every unfinished one, oldest first; the exit code is the last job's."""
    settings = load_settings(db=db)
    with progress_on(sys.stderr) as progress, open_services(settings, progress) as services:
        with services.unit_of_work() as work:
            jobs = work.jobs.unfinished() if name is None else (the_job(work.jobs.find(name), name),)
        if as_json and len(jobs) > 1:
            ids = ", ".join(job.id for job in jobs)
            raise InputError(f"--json with {len(jobs)} unfinished jobs", f"name one of them: {ids}")
        if not jobs:
            progress.say("no unfinished job")
        code = Exit.OK
        for job in jobs:
            if job.status in ENDED:
                progress.say(f"job {job.id} has ended: {job.status.value}")
            ended = run_to_end(services, job)
            progress.stop()
            report(services, ended, as_json=as_json, out=out)
            code = STATUS_EXITS[ended.status]
        return code


def the_job(found: tuple[Job, ...], name: str) -> Job:
    """The one job a name stands for: a unique id prefix, or the newest of a conversation.

    Raises NotFound, and InputError when a prefix fits several jobs.
    """
    newest = next(iter(found), None)
    if newest is None:
        kind = "job or conversation"
        raise NotFound(kind, name)
    if len(found) > 1 and any(job.conversation != name for job in found):
        ids = ", ".join(job.id for job in found[:10])
        raise InputError(f"{name!r} is the beginning of {len(found)} job ids", f"give more of it: {ids}")
    return newest
