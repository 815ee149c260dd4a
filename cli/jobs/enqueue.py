"""`dissolve enqueue`: store jobs for workers; nothing runs here."""

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from cli.run.run import Giving, RunOptions, fleet_of, policy_of, read_conversation
from cli.shared.exits import Exit, exit_for, worst
from cli.shared.fleet_choice import stored_policy
from cli.shared.naming import refuse_one_name
from cli.shared.output import hint, printing, say
from cli.triggers.watch import after_turns
from dissolution.errors import DissolutionError, InvalidPolicy
from dissolution.job import Job, Lane
from dissolution.policy.effort import Effort
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings, load_settings
from dissolution.sizes import refuse_too_large, size_of
from triggers.submit import Request, submit
from workers.bootstrap import check_fleet, members_to_pay, open_services, settled_policy
from workers.estimates.refusal import refuse_over_caps
from workers.pipeline import STAGE_NAMES, first_queues
from workers.services import NoBell, Services

MARGIN_S = 60.0
"""What a fan-out step needs beyond its hard deadline: to start, to let go of stragglers, to store (s)."""


@dataclass(frozen=True, kw_only=True)
class EnqueueOptions:
    """What was given on the command line of `dissolve enqueue`."""

    files: tuple[str, ...]
    fleet: str
    recorded: Path | None
    policy: Path | None
    gate: str | None = None
    effort: Effort | None = None
    lane: Lane
    form: str | None
    conversation: str | None = None
    timezone: str | None
    db: str | None
    as_json: bool

    def reading(self, file: str) -> RunOptions:
        """The options of reading one file."""
        return RunOptions(
            file=file,
            fleet=self.fleet,
            recorded=self.recorded,
            through=None,
            policy=self.policy,
            form=self.form,
            conversation=self.conversation,
            timezone=self.timezone,
            giving=Giving(db=self.db, as_json=self.as_json),
        )


def enqueue_files(options: EnqueueOptions) -> Exit:
    """Store a job for each file and print its id; a file that cannot be used stops no other.

    Raises InputError for one name and several files.
    """
    refuse_one_name(options.conversation, options.files)
    settings = load_settings(db=options.db)
    fleet = fleet_of(options.reading(""))
    wanted = policy_of(options.policy or stored_policy(options.recorded), options.gate, options.effort)
    policy = settled_policy(wanted, settings, fleet)
    check_limits(policy, settings)
    codes: list[Exit] = []
    stored: list[dict[str, object]] = []
    refused: list[dict[str, object]] = []
    with open_services(settings) as services:
        for file in options.files:
            try:
                job = enqueue(services, options.reading(file), policy, fleet, options.lane)
            except DissolutionError as error:
                say(f"{file}: {error}")
                refused.append({"file": file, "error": error.code, "message": str(error)})
                codes.append(exit_for(error))
                continue
            stored.append({"file": file, "job": job.id, "conversation": job.conversation, "through": job.through})
            if not options.as_json:
                with printing(Exit.OK):
                    sys.stdout.write(f"{job.id}  {file}\n")
    code = worst(*codes)
    if options.as_json:
        with printing(code):
            sys.stdout.write(json.dumps({"jobs": stored, "refused": refused}, indent=2) + "\n")
    elif stored:
        shows = f"{hint('status', db=options.db)} shows how they stand"
        say(f"{len(stored)} jobs wait in lane {options.lane.value}; {shows}")
    return code


def enqueue(services: Services, options: RunOptions, policy: Policy, fleet: str, lane: Lane) -> Job:
    """Read one file and store its job. Raises InputError (such as SnapshotTooLarge), StoreError, BudgetExceeded."""
    reading = read_conversation(replace(options), services.settings, services, policy)
    for warning in reading.warnings:
        say(f"{options.file}: {warning}")
    snapshot = reading.conversation.snapshot()
    refuse_too_large(snapshot, services.settings, services.counter.count)
    check_fleet(fleet, snapshot)
    refuse_over_caps(services, members_to_pay(fleet), snapshot, policy)
    request = Request(conversation=reading.conversation, fleet=fleet, policy=policy, lane=lane)
    job = submit(
        request,
        unit_of_work=services.unit_of_work,
        clock=services.clock,
        queue=NoBell(),
        stages=STAGE_NAMES,
        ready=first_queues(fleet, lane, giant=size_of(snapshot).is_giant),
    ).job
    after_turns(services, job.conversation)  # what it brought is read, and held for the job that was just stored
    return job


def check_limits(policy: Policy, settings: Settings) -> None:
    """Raise InvalidPolicy when a worker would end the fan-out before the policy does."""
    hard_s = policy.quorum.hard_deadline_s
    if hard_s + MARGIN_S > settings.step_limit_s:
        raise InvalidPolicy(
            f"policy field 'quorum.hard_deadline_s', value {hard_s:g}",
            f"a worker ends a step after {settings.step_limit_s:g} s; lower it to {settings.step_limit_s - MARGIN_S:g} "
            "or less, or raise the setting step_limit_s (DISSOLVE_STEP_LIMIT_S)",
        )
