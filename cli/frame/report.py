"""`dissolve frame`: what a conversation takes for granted, what the audit found, and a challenge taken up."""

import json
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from cli.run.results import write_whole
from cli.run.run import the_job
from cli.shared.exits import Exit
from cli.shared.naming import actor_of
from cli.shared.output import printing, say
from dissolution.clock import SystemClock
from dissolution.errors import InputError
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork
from dissolution.premises import Register
from dissolution.receipt.frame import FrameSummary
from dissolution.settings import load_settings
from dissolution.values import NotMeasured
from frame_agent.register.fold import advance, empty
from frame_agent.register.lock_in import lock_in_of
from workers.bootstrap import open_services
from workers.results.adopted_challenges import adopt_challenge
from workers.results.frame_summary import frame_summary
from workers.services import Services
from workers.stages.register import register_of

KEY_BYTES = 32
NO_CANDIDATE = NotMeasured(not_measured="a file has no candidate to audit; findings come with `dissolve run`")


@dataclass(frozen=True, kw_only=True)
class FrameOptions:
    """What was given on the command line."""

    name: str
    conversation: str | None = None
    through: int | None = None
    every: bool = False
    svg: Path | None = None
    plot: Path | None = None
    adopt: str | None = None
    why: str | None = None
    by: str | None = None
    db: str | None = None
    as_json: bool = False


def show_frame(options: FrameOptions) -> Exit:
    """Print the frame of a file or a job, draw it, or take a challenge up.

    Raises InvalidConversation, NotFound, and InputError for options that do not go together.
    """
    if Path(options.name).is_file():
        if options.adopt is not None:
            raise InputError(f"--adopt {options.adopt!r} with a file", "name the job whose challenge it is")
        register, summary = _of_file(options), NO_CANDIDATE
    else:
        if options.conversation is not None:
            remedy = "give a file, or leave it out"
            raise InputError(f"--conversation {options.conversation!r} with {options.name!r}, which is no file", remedy)
        with open_services(load_settings(db=options.db), create=False) as services:
            if options.adopt is not None:
                return _adopted(services, options, options.adopt)
            with services.unit_of_work() as work:
                register, summary = _of_job(work, the_job(work.jobs.find(options.name), options.name), options)
    _draw(register, options)
    with printing(Exit.OK):
        _print(register, summary, options)
    return Exit.OK


def _of_file(options: FrameOptions) -> Register:
    from language.intake.options import ReadingOptions
    from language.intake.read import read_file

    settings = load_settings(db=options.db)
    limits = ReadingOptions(
        conversation=options.conversation,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    key = secrets.token_bytes(KEY_BYTES)  # placeholders of secrets last as long as this output
    reading = read_file(Path(options.name), limits, key=key, clock=SystemClock())
    for warning in reading.warnings:
        say(warning)
    snapshot = reading.conversation.snapshot(options.through)
    return advance(empty(snapshot.conversation), snapshot.turns)


def _of_job(work: UnitOfWork, job: Job, options: FrameOptions) -> tuple[Register, FrameSummary | NotMeasured]:
    if options.through is not None:
        raise InputError(
            f"--through {options.through} with a job", "a job has its last turn; give a file to choose one"
        )
    register = register_of(work, job)
    if register.through < job.through:  # of a job before its register step: what the stored one lacks is read now
        register = advance(register, work.conversations.get(job.conversation).snapshot(job.through).turns)
    return register, frame_summary(work, job)


def _adopted(services: Services, options: FrameOptions, name: str) -> Exit:
    with services.unit_of_work() as work:
        job = the_job(work.jobs.find(options.name), options.name)
        event = adopt_challenge(work, services, job, name, actor=actor_of(options.by), why=options.why)
        work.commit()
    with printing(Exit.OK):
        if options.as_json:
            sys.stdout.write(event.model_dump_json(indent=1) + "\n")
        else:
            sys.stdout.write(f"{event.claim} is an open question (version {event.version} of {job.conversation!r})\n")
    return Exit.OK


def _draw(register: Register, options: FrameOptions) -> None:
    if options.svg is not None:
        from reports.premises import frame_svg

        write_whole(options.svg, frame_svg(register))
    if options.plot is not None:
        from reports.premises import lock_in_svg

        write_whole(options.plot, lock_in_svg(register))


def _print(register: Register, summary: FrameSummary | NotMeasured, options: FrameOptions) -> None:
    if options.as_json:
        sys.stdout.write(json.dumps(document(register, summary), ensure_ascii=False, indent=1) + "\n")
        return
    from cli.frame.frame_views import print_lock_in, print_register, print_summary
    from cli.shared.views import console

    out = console()
    print_summary(out, summary)
    print_lock_in(out, lock_in_of(register))
    print_register(out, register.premises, every=options.every)


def document(register: Register, summary: FrameSummary | NotMeasured) -> dict[str, object]:
    """The frame as JSON values: findings and challenges, lock-in, and every premise."""
    return {
        "conversation": register.conversation,
        "through": register.through,
        "frame": summary.model_dump(mode="json"),
        "lock_in": lock_in_of(register).model_dump(mode="json"),
        "premises": [premise.model_dump(mode="json") for premise in register.premises],
    }
