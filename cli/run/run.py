"""`dissolve run` and `dissolve resume`."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from cli.run.job_endings import STATUS_EXITS
from cli.shared.exits import Exit, exit_for, worst
from cli.shared.fleet_choice import described_fleet, keep_policy, stored_policy, told_of
from cli.shared.options import check_budget_option
from cli.shared.output import hint, printing, say
from cli.shared.progress import progress_on
from cli.shared.stopping import Interrupted
from dissolution.conversation import Conversation, KnownSecret
from dissolution.errors import DissolutionError, InputError, NotFound, StepHeld
from dissolution.job import ENDED, Job, JobStatus
from dissolution.policy.effort import Effort
from dissolution.policy.file import load_policy
from dissolution.policy.gate import PRESETS
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings, load_settings
from dissolution.sizes import refuse_too_large
from dissolution.tenancy import DEFAULT_TENANT
from language.intake.options import Form, ReadingOptions
from language.intake.read import Reading, read_bytes, read_file
from probe.need import bank_need
from triggers.submit import Request, submit
from workers.bootstrap import check_fleet, members_to_pay, open_services, settled_policy
from workers.checks.roster_keys import refuse_missing_keys
from workers.embedding_choice import chosen_words
from workers.estimates.refusal import refuse_over_caps
from workers.pipeline import STAGE_NAMES
from workers.runtime.inline import NoBell, run_job
from workers.services import Services
from workers.tenants.personal_data import recognisers_of
from workers.tenants.redaction import standing_or_given

STDIN = "-"


@dataclass(frozen=True, kw_only=True)
class Giving:
    """How `run` and `resume` give out what came of a job, and where it is stored."""

    db: str | None = None
    as_json: bool = False
    out: Path | None = None
    budget_tokens: int | None = None
    verbose: bool = False


@dataclass(frozen=True, kw_only=True)
class Source:
    """A conversation file and how it is to be read."""

    file: str
    form: str | None
    conversation: str | None
    timezone: str | None


@dataclass(frozen=True, kw_only=True)
class RunOptions(Source):
    """What was given on the command line of `dissolve run`; `file` may also be the id of a stored conversation."""

    fleet: str
    recorded: Path | None
    cassette: Path | None = None
    through: int | None
    policy: Path | None
    gate: str | None = None
    effort: Effort | None = None
    giving: Giving
    hold: bool = False


def run_file(options: RunOptions) -> Exit:
    """Read a file, or a stored conversation, store it and its job, run the job here, print what came of it."""
    giving = options.giving
    check_budget_option(giving.budget_tokens, renders=giving.out is not None, needs="--out")
    settings = load_settings(db=giving.db)
    refuse_missing_keys(fleet := fleet_of(options))
    wanted = policy_of(options.policy or stored_policy(options.recorded), options.gate, options.effort)
    policy = settled_policy(wanted, settings, fleet)
    with (
        progress_on(sys.stderr, verbose=giving.verbose) as progress,
        open_services(settings, progress) as services,
    ):
        for about in (told_of(options.recorded), chosen_words(settings)):
            if about is not None:
                progress.say(about)
        conversation = stored_conversation(options, services)
        if conversation is None:
            reading = read_conversation(options, settings, services, policy)
            conversation = reading.conversation
            for warning in reading.warnings:
                progress.say(warning)
        snapshot = conversation.snapshot(options.through)
        refuse_too_large(snapshot, settings, services.counter.count)
        check_fleet(fleet, snapshot)
        keep_policy(options.cassette, policy)
        refuse_over_caps(services, members_to_pay(fleet), snapshot, policy)
        request = Request(
            conversation=conversation, through=options.through, fleet=fleet, policy=policy, hold=options.hold
        )
        job = submit(
            request,
            unit_of_work=services.unit_of_work,
            clock=services.clock,
            queue=NoBell(),
            stages=STAGE_NAMES,
        ).job
        progress.say(f"job {job.id}: conversation {job.conversation!r} through turn {job.through}, fleet {job.fleet}")
        if policy.probe.on and (need := bank_need(policy.probe, snapshot)).short:
            progress.say(f"test: {need.words}")
        ended = run_to_end(services, job, db=giving.db)
        progress.stop()
        return report(services, ended, giving)


def policy_of(file: Path | None, gate: str | None, effort: Effort | None = None) -> Policy:
    """The policy of a file, or the default one; with a preset its gate, whose verdict is then enforced.

    With an effort that takes the place of the policy's. Raises InvalidPolicy.
    """
    policy = load_policy(file) if file else Policy()
    if effort is not None:
        policy = policy.model_copy(update={"effort": effort})
    if gate is None:
        return policy
    probe = policy.probe.model_copy(update={"gate": PRESETS[gate], "offline": "enforce"})
    return policy.model_copy(update={"probe": probe})


def fleet_of(options: RunOptions) -> str:
    """The fleet description that is stored with the job. Raises InputError on a contradiction."""
    return described_fleet(options.fleet, recorded=options.recorded, cassette=options.cassette)


def stored_conversation(options: RunOptions, services: Services) -> Conversation | None:
    """The stored conversation that `file` names by its id; None when there is a file of that name, or none is stored.

    Raises InputError for options that say how to read a file.
    """
    if options.file == STDIN or Path(options.file).exists():
        return None
    with services.unit_of_work() as work:
        if options.file not in work.conversations.ids():
            return None
        conversation = work.conversations.get(options.file)
    given = {"--format": options.form, "--conversation": options.conversation, "--timezone": options.timezone}
    for flag, value in given.items():
        if value is not None:
            raise InputError(
                f"{flag} {value!r} with the stored conversation {options.file!r}", "give a file, or leave it out"
            )
    return conversation


def read_conversation(
    options: Source,
    settings: Settings,
    services: Services,
    policy: Policy | None = None,
    known: Sequence[KnownSecret] | None = None,
) -> Reading:
    """The conversation of the file, or of stdin; what its tenant's rules and the policy name is replaced in it.

    With `known`, what is remembered of the turns that stand before it, the file holds the turns that follow these.
    Without, it holds a conversation from its first turn on, and stored turns of it stay as they are stored.
    """
    reading_options = ReadingOptions(
        form=Form(options.form) if options.form else None,
        conversation=options.conversation,
        timezone=options.timezone,
        max_bytes=settings.max_file_mb * 1_000_000,
        max_turn_chars=settings.max_turn_chars,
    )
    with services.unit_of_work() as work:
        key = work.installation_key()
        rules = work.service.intake.rules(DEFAULT_TENANT)
        work.commit()
    recognisers = recognisers_of(rules, policy)
    if options.file == STDIN:
        data = sys.stdin.buffer.read(reading_options.max_bytes + 1)
        reading = read_bytes(
            data, "stdin", reading_options, key=key, clock=services.clock, recognisers=recognisers, known=known or ()
        )
    else:
        reading = read_file(
            Path(options.file),
            reading_options,
            key=key,
            clock=services.clock,
            recognisers=recognisers,
            known=known or (),
        )
    if known is not None:
        return reading
    with services.unit_of_work() as work:
        conversation = standing_or_given(work, reading.conversation)
    return reading.model_copy(update={"conversation": conversation})


def run_to_end(services: Services, job: Job, *, db: str | None) -> Job:
    """Run the job; when it is left running, by Ctrl-C or by an error, say how to go on."""
    go_on = f"`{hint('resume', job.id, db=db)}` goes on"
    try:
        return run_job(services, job.id)
    except KeyboardInterrupt as interruption:
        say(f"interrupted; {go_on}")
        raise Interrupted from interruption
    except StepHeld:
        raise  # says itself when to resume
    except Exception:  # whatever it was, the job it leaves behind is to be named
        if not has_ended(services, job):
            say(f"job {job.id} is left running; {go_on}")
        raise


def has_ended(services: Services, job: Job) -> bool:
    """Whether the store says so; when it cannot be asked, the job counts as running."""
    with suppress(DissolutionError), services.unit_of_work() as work:
        return work.jobs.get(job.id).status in ENDED
    return False


def report(services: Services, job: Job, giving: Giving) -> Exit:
    """Print what came of an ended job, then write the exports that were asked for; returns the exit code.

    What can be printed is printed, whatever becomes of the files.
    """
    from cli.run.results import (  # a job takes longer to begin than this to load
        gather,
        print_json,
        print_result,
        write_out,
    )

    result = gather(services, job)
    code = STATUS_EXITS[result.job.status]
    with printing(code):
        if giving.as_json:
            print_json(result)
        else:
            print_result(result, db=giving.db, verbose=giving.verbose)
    if giving.out is None:
        return code
    try:
        write_out(result, giving.out, budget_tokens=giving.budget_tokens, db=giving.db)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        say(f"--out {str(giving.out)!r} cannot be written: {reason}; job {result.job.id} ended as printed")
        return Exit.UNWRITTEN
    return code


def resume_jobs(name: str | None, giving: Giving) -> Exit:
    """Go on with one job, or with every unfinished one, oldest first; the exit code is that of the worst.

    With several, each writes into a folder of its own below --out, and one that is held or breaks stops no other.
    """
    check_budget_option(giving.budget_tokens, renders=giving.out is not None, needs="--out")
    settings = load_settings(db=giving.db)
    with (
        progress_on(sys.stderr, verbose=giving.verbose) as progress,
        open_services(settings, progress, create=False) as services,
    ):
        with services.unit_of_work() as work:
            jobs = going_on(work.jobs.unfinished()) if name is None else (the_job(work.jobs.find(name), name),)
        if giving.as_json and len(jobs) > 1:
            ids = ", ".join(job.id for job in jobs)
            raise InputError(f"--json with {len(jobs)} unfinished jobs", f"name one of them: {ids}")
        if not jobs:
            progress.say("no unfinished job")
        several = len(jobs) > 1
        codes: list[Exit] = []
        for job in jobs:
            if job.status in ENDED:
                progress.say(f"job {job.id} has ended: {job.status.value}")
            if job.status is JobStatus.HELD:
                look = hint("preview", job.id, db=giving.db)
                progress.say(f"job {job.id} is held and not run on: {look}, then `commit` or `discard`")
            own = replace(giving, out=giving.out / job.id) if several and giving.out is not None else giving
            ended = (tried if several else run_to_end)(services, job, db=giving.db)
            if isinstance(ended, Exit):
                codes.append(ended)
                continue
            progress.stop()
            codes.append(report(services, ended, own))
            progress.start()
        return worst(*codes)


def going_on(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
    """The jobs that can be run on: those that are held wait for a person."""
    return tuple(job for job in jobs if job.status is not JobStatus.HELD)


def tried(services: Services, job: Job, *, db: str | None) -> Job | Exit:
    """Run one of several jobs; when it cannot go on, say why and return the exit code that stands for it."""
    try:
        return run_to_end(services, job, db=db)
    except DissolutionError as error:
        say(f"job {job.id}: {error}")
        return exit_for(error)
    except Exception as error:  # noqa: BLE001 - a fault in one job must not keep the others from ending
        alone = hint("resume", job.id, db=db)
        say(f"job {job.id} broke ({type(error).__name__}); `{alone}` shows where")
        return Exit.FAULT


def the_job(found: tuple[Job, ...], name: str) -> Job:
    """The one job a name stands for: an id, a unique beginning of one, or a conversation, whose newest it is.

    Raises NotFound, and InputError when a prefix fits several jobs.
    """
    newest = next((job for job in found if job.id == name), next(iter(found), None))
    if newest is None:
        kind = "job or conversation"
        raise NotFound(kind, name)
    if newest.id == name:
        return newest
    if len(found) > 1 and any(job.conversation != name for job in found):
        ids = ", ".join(job.id for job in found[:10])
        raise InputError(f"{name!r} is the beginning of {len(found)} job ids", f"give more of it: {ids}")
    return newest
