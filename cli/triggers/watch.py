"""`dissolve triggers watch`, `unwatch`, `state`, `fire` and `catch-up`."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.shared.exits import Exit
from cli.shared.naming import actor_of, check_conversation
from cli.shared.output import hint, printing, say
from dissolution.errors import DissolutionError, InputError
from dissolution.job import Lane
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.policy.triggers import PRESETS
from dissolution.settings import load_settings
from dissolution.tenancy import tenant_of
from dissolution.triggering import Evaluation, ReasonCode, TriggerState, Watch
from workers.bootstrap import EXTRACTIVE, ROSTER, open_services, settled_policy
from workers.services import Services
from workers.tenants.redaction import without_secrets
from workers.triggers.evaluation import after_append
from workers.triggers.facts import watch_of


@dataclass(frozen=True, kw_only=True)
class WatchOptions:
    """What was given on the command line of `dissolve triggers watch`."""

    conversation: str
    policy: Path | None
    preset: str | None
    fleet: str
    live: bool
    lane: str
    db: str | None


def watch_conversation(options: WatchOptions) -> Exit:
    """Watch a conversation, and evaluate the turns it has. Raises NotFound, InvalidPolicy, InvalidRoster."""
    settings = load_settings(db=options.db)
    fleet = options.fleet if options.fleet == EXTRACTIVE else f"{ROSTER}{Path(options.fleet).resolve()}"
    policy = load_policy(options.policy) if options.policy else Policy()
    triggers = PRESETS[options.preset] if options.preset else policy.triggers
    triggers = triggers.model_copy(update={"shadow": not options.live})
    policy = settled_policy(policy.model_copy(update={"triggers": triggers}), settings, fleet)
    with open_services(settings, create=False) as services:
        with services.unit_of_work() as work:
            check_conversation(work, options.conversation)
            work.triggers.watch(
                Watch(
                    conversation=options.conversation,
                    fleet=fleet,
                    policy=policy,
                    lane=Lane(options.lane),
                    tenant=tenant_of(options.conversation),
                    since=services.clock.now(),
                )
            )
            work.commit()
        evaluations = after_append(services, options.conversation)
    mode = "live: jobs are submitted" if options.live else "shadow mode: firings are only recorded"
    say(f"conversation {options.conversation!r} is watched with triggers {triggers.name!r}, {mode}")
    with printing(Exit.OK):
        sys.stdout.write(
            "".join(f"{line}\n" for line in evaluation_lines(evaluations, options.conversation, db=options.db))
        )
    return Exit.OK


def unwatch_conversation(conversation: str, *, db: str | None) -> Exit:
    """Watch it no more. Raises NotFound, InputError when it is not watched."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        if not work.triggers.unwatch(conversation):
            raise InputError(f"conversation {conversation!r}", "is not watched; there is nothing to end")
        work.commit()
    say(f"conversation {conversation!r} is watched no more")
    return Exit.OK


def show_state(conversation: str, *, db: str | None, as_json: bool) -> Exit:
    """Print how it is watched and where its triggers stand. Raises NotFound."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        watch, state = work.triggers.watched(conversation), work.triggers.state(conversation)
        last = work.triggers.evaluations(conversation, after=state.number - 1) if state and state.number else ()
    with printing(Exit.OK):
        if as_json:
            document = {
                "watch": None if watch is None else watch.model_dump(mode="json"),
                "state": None if state is None else state.model_dump(mode="json", exclude={"memory"}),
                "last": last[-1].model_dump(mode="json") if last else None,
            }
            sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
        else:
            sys.stdout.write("".join(f"{line}\n" for line in state_lines(watch, state, last, db=db)))
    return Exit.OK


def state_lines(
    watch: Watch | None, state: TriggerState | None, last: Sequence[Evaluation], *, db: str | None
) -> list[str]:
    """The state in words, a line each."""
    lines: list[str] = []
    if watch is None:
        lines.append("not watched")
    else:
        mode = "shadow mode" if watch.policy.triggers.shadow else "live"
        lines.append(f"watched with triggers {watch.policy.triggers.name!r}, {mode}, fleet {watch.fleet}")
    if state is None:
        return [*lines, "no turn was evaluated"]
    lines.append(f"{state.through} turns read, {state.tokens} tokens")
    if state.boundary is not None:
        lines.append(f"boundary at turn {state.boundary.turn}, {state.held_tokens} tokens held")
    if state.fired is not None:
        lines.append(f"last fired at turn {state.fired.turn}")
    if state.job is not None:
        lines.append(f"job {state.job} is in flight")
    if state.rejections:
        lines.append(f"{state.rejections} jobs in a row ended without a commit")
    if last:
        lines.append(f"last decision: {decision_in_words(last[-1])}")
        lines.append(f"why: {hint('triggers', 'explain', last[-1].conversation, db=db)}")
    return lines


def fire_now(conversation: str, *, why: str | None = None, by: str | None, db: str | None, as_json: bool) -> Exit:
    """Call for a dissolution as a person: a job is submitted, also in shadow mode, unless something stands against it.

    OK when a job is submitted, HISTORY_KEPT when not, with the reason. Raises NotFound, InputError when it is not
    watched, and so has neither policy nor fleet.
    """
    settings = load_settings(db=db)
    with open_services(settings, create=False) as services:
        with services.unit_of_work() as work:
            check_conversation(work, conversation)
            if watch_of(work, conversation, settings, services.clock.now()) is None:
                watch, run = (hint(*words, conversation, db=db) for words in (("triggers", "watch"), ("run",)))
                remedy = f"watch it first (`{watch}`), or dissolve it with `{run}`"
                raise InputError(f"conversation {conversation!r} is not watched", remedy)
            reason = f": {without_secrets(work, why, conversation)}" if why else ""
        evaluations = after_append(services, conversation, asked_by=f"{actor_of(by)}{reason}")
    called = evaluations[-1]
    code = Exit.OK if called.job is not None else Exit.HISTORY_KEPT
    with printing(code):
        if as_json:
            sys.stdout.write(json.dumps(called.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n")
        else:
            sys.stdout.write("".join(f"{line}\n" for line in fired_lines(called, db=db)))
    return code


def fired_lines(called: Evaluation, *, db: str | None) -> list[str]:
    """What came of a person's call, and how to go on."""
    lines = [decision_in_words(called)]
    if called.job is not None:
        lines.append(f"it waits for a worker; where none runs: {hint('resume', called.job, db=db)}")
    elif any(reason.code is ReasonCode.JOB_IN_FLIGHT for reason in called.decision.reasons):
        lines.append(f"see it: {hint('show', called.conversation, db=db)}")
    return lines


def catch_up_all(limit: int, *, db: str | None) -> Exit:
    """Evaluate whatever is behind; one conversation that fails stops no other."""
    code = Exit.OK
    with open_services(load_settings(db=db), create=False) as services:
        with services.unit_of_work() as work:
            names = work.triggers.behind(limit, services.clock.now())
        for name in names:
            try:
                evaluations = after_append(services, name)
            except DissolutionError as error:
                say(f"{name}: {error}")
                code = Exit.FAULT
                continue
            say(f"{name}: {len(evaluations)} decisions, {sum(one.decision.fires for one in evaluations)} firings")
    say(f"{len(names)} conversations were behind")
    return code


def after_turns(services: Services, conversation: str) -> tuple[Evaluation, ...]:
    """Evaluate what was appended; the turns are stored whatever comes of it, so trouble is said and nothing more."""
    try:
        return after_append(services, conversation)
    except DissolutionError as error:
        say(f"the turns are stored, but triggers could not read them: {error}")
        return ()


def evaluation_lines(evaluations: Sequence[Evaluation], conversation: str, *, db: str | None) -> list[str]:
    """What triggers decided, for whoever appended: the firings, and else the last decision."""
    fired = [one for one in evaluations if one.decision.fires]
    shown = fired or list(evaluations[-1:])
    lines = [f"turn {one.turn}: {decision_in_words(one)}" for one in shown]
    jobs = [one.job for one in fired if one.job is not None]
    lines += [f"where no worker runs it: {hint('resume', job, db=db)}" for job in jobs]
    return [*lines, f"why: {hint('triggers', 'explain', conversation, db=db)}"] if lines else []


def decision_in_words(evaluation: Evaluation) -> str:
    """Fired or held, with the reasons."""
    reasons = "; ".join(reason.words for reason in evaluation.decision.reasons)
    if not evaluation.decision.fires:
        return f"held: {reasons}"
    submitted = "would have fired" if evaluation.shadow else f"fired, job {evaluation.job}"
    return f"{submitted}: {reasons}"
