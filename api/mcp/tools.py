"""What the tools do: plain functions of who asks and what is asked, by the same rules as the HTTP routes."""

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from api.choosing import DEFAULT, fleet_named, fleet_names, names_in, policy_for
from api.intake import read_talk
from api.mcp.inputs import ContextInput, DissolveInput, FrameInput, JobInput, RecallInput
from api.mcp.outputs import (
    ChallengeLine,
    ContextOutput,
    DissolveOutput,
    FindingLine,
    FrameOutput,
    HintLine,
    JobOutput,
    PremiseLine,
    RecallOutput,
    StageLine,
)
from api.mcp.recall_lines import claim_line, dissent_line, quotes_of, turn_line
from api.routes.boundaries import stored
from api.routes.contexts import as_text, asked_for, made_context, systems_and_spoken
from api.routes.conversations import new_name
from api.schemas import Talk
from api.state import Caller
from api.submitting import Wanted, submitted
from dissolution.conversation import Conversation
from dissolution.errors import InputError, NotFound
from dissolution.framing import Finding
from dissolution.intervals import Moment
from dissolution.job import ENDED, Job, JobStatus
from dissolution.ledger import Query
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWork
from dissolution.premises import Premise, Register
from dissolution.recall_kinds import RecallKind
from dissolution.recalling import RecallQuery
from dissolution.reviewing import Hint
from dissolution.tenancy import name_of
from dissolution.values import NotMeasured
from frame_agent.register.fold import advance
from frame_agent.register.lock_in import lock_in
from workers.results.frame_summary import frame_summary
from workers.stages.register import register_of
from workers.tenants.redaction import standing_or_given

ADVICE = {
    JobStatus.QUEUED: "call `status` again; `wait_s` waits for the end",
    JobStatus.RUNNING: "call `status` again; `wait_s` waits for the end",
    JobStatus.HELD: "a person looks at it and lets it go on or discards it; the history holds meanwhile",
    JobStatus.COMMITTED: "call `context` and send what it returns in place of the history",
    JobStatus.HISTORY_KEPT: "go on with the history; `reason` says why, and `context` gives its last turns that fit",
    JobStatus.FAILED: "go on with the history, and tell the operator the job and its `reason`",
    JobStatus.CANCELLED: "go on with the history",
}
"""What to do about a job, by how it stands."""


def dissolve(caller: Caller, given: DissolveInput) -> DissolveOutput:
    """Store what is new of the conversation, and a job that dissolves it. Raises DissolutionError."""
    settings = caller.api.services.settings
    if given.fleet not in fleet_names(settings):
        raise InputError(f"fleet {given.fleet!r}", f"there is no such fleet; use {_listed(fleet_names(settings))}")
    if given.policy not in {DEFAULT, *names_in(settings.policies_folder)}:
        known = (DEFAULT, *names_in(settings.policies_folder))
        raise InputError(f"policy {given.policy!r}", f"there is no such policy; use {_listed(known)}")
    fleet = fleet_named(settings, given.fleet)
    policy = policy_for(settings, given.policy, fleet)
    conversation, warnings = _conversation(caller, given, policy)
    wanted = Wanted(conversation=conversation, through=given.through, fleet=fleet, policy=policy, hold=given.hold)
    standing = _standing(caller, wanted)
    if standing is not None:
        return _told_of(caller, standing, {"new_turns": 0, "repeated": True, "warnings": warnings})
    made = submitted(caller, wanted)
    return _told_of(caller, made.job, {"new_turns": made.new_turns, "warnings": warnings})


def _told_of(caller: Caller, job: Job, more: Mapping[str, object]) -> DissolveOutput:
    return DissolveOutput.model_validate({**_facts(caller, job), **more})


def _conversation(caller: Caller, given: DissolveInput, policy: Policy) -> tuple[Conversation, list[str]]:
    """The conversation that is meant, read from the messages or from the store, and what was odd in it."""
    name = new_name(caller, given.conversation)
    if given.messages is None:
        with caller.api.reads() as work:
            return work.conversations.get(name), []
    try:
        talk = Talk.model_validate({"messages": [one.model_dump(exclude_unset=True) for one in given.messages]})
    except ValidationError as error:
        raise InputError("argument 'messages'", f"give JSON values alone ({error.error_count()} are none)") from None
    reading = read_talk(caller, talk, name, None, policy)
    with caller.api.reads() as work:
        return standing_or_given(work, reading.conversation), list(reading.warnings)


def _standing(caller: Caller, wanted: Wanted) -> Job | None:
    """The job that does the same already and has not ended: who asks twice gets no second one."""
    with caller.api.reads() as work:
        newest = work.service.listing.jobs(caller.tenant, conversation=wanted.conversation.id, limit=1)
    asked = wanted.conversation.snapshot(wanted.through)
    for job in newest:
        same = (job.snapshot_digest, job.fleet, job.policy.digest, job.hold)
        if job.status not in ENDED and same == (asked.digest, wanted.fleet, wanted.policy.digest, wanted.hold):
            return job
    return None


def status(caller: Caller, given: JobInput) -> JobOutput:
    """How a job stands. Raises NotFound."""
    with caller.api.reads() as work:
        job = _job(caller, work, given)
    return JobOutput.model_validate(_facts(caller, job))


def _job(caller: Caller, work: UnitOfWork, given: JobInput) -> Job:
    """The job that is meant. Raises NotFound for another tenant's too."""
    if given.job is not None:
        return caller.job(work, given.job)
    name = stored(caller, work, given.conversation or "")
    newest = work.service.listing.jobs(caller.tenant, conversation=name, limit=1)
    if not newest:
        kind = "job of conversation"
        raise NotFound(kind, given.conversation or "")
    return newest[0]


def _facts(caller: Caller, job: Job) -> dict[str, object]:
    """What is told of a job."""
    with caller.api.reads() as work:
        steps = work.jobs.steps(job.id)
        job = work.jobs.get(job.id)
    return {
        "job": job.id,
        "conversation": name_of(job.conversation),
        "status": job.status,
        "ended": job.status in ENDED,
        "reason": job.reason,
        "through": job.through,
        "stages": [StageLine(stage=one.stage, status=one.status, reason=one.reason) for one in steps],
        "advice": ADVICE[job.status],
    }


def context(caller: Caller, given: ContextInput) -> ContextOutput:
    """What to send in place of the history. Raises NotFound, InputError for a budget that is too small."""
    asked = asked_for(given.budget, given.recent, given.reader, operator=given.operator)
    made = made_context(caller, given.conversation, asked)
    system, spoken = systems_and_spoken(made.messages)
    told = made.messages if given.format == "openai" else spoken
    return ContextOutput(
        conversation=made.conversation,
        source=made.source,
        boundary_version=made.boundary_version,
        through=made.through,
        messages=[] if given.format == "text" else list(told),
        system=system if given.format == "anthropic" else None,
        text=as_text(made.messages) if given.format == "text" else None,
        tokens=made.tokens,
        budget_tokens=made.budget_tokens,
        counter=made.counter,
        left_out_claims=sum(made.left_out.claims.values()),
        left_out_excerpts=made.left_out.excerpts,
        left_out_turns=made.left_out.turns,
        left_out_operator_turns=made.left_out.operator_turns,
        notes=list(made.notes),
    )


def recall(caller: Caller, given: RecallInput) -> RecallOutput:
    """The claims, dissent and turns that fit. Raises NotFound."""
    wanted = RecallQuery(
        text=given.query if given.query and given.query.strip() else None,
        fit=Query(
            section=given.section, at=Moment(turn=given.turn), open_only=given.state == "open", limit=given.limit
        ),
        kinds=frozenset(given.kind or RecallKind),
        match=given.match,
    )
    with caller.api.reads() as work:
        name = stored(caller, work, given.conversation)
        version = work.boundaries.version(name)
    found = caller.api.recall(name, wanted)
    return RecallOutput(
        conversation=given.conversation,
        boundary_version=version,
        matched_by=found.matched_by,
        notes=list(found.notes),
        claims=[claim_line(one.claim, one.rank) for one in found.results if one.claim is not None],
        dissent=[dissent_line(one.dissent, one.rank) for one in found.results if one.dissent is not None],
        turns=[turn_line(one) for one in found.results if one.kind is RecallKind.TURN],
    )


def frame(caller: Caller, given: FrameInput) -> FrameOutput:
    """What the audit of a job found, and the premises of its conversation. Raises NotFound."""
    with caller.api.reads() as work:
        job = _job(caller, work, given)
        register = register_of(work, job)
        if register.through < job.through:  # the register step has not run: what the stored one lacks is read now
            register = advance(register, work.conversations.get(job.conversation).snapshot(job.through).turns)
        audited = frame_summary(work, job)
    wanted = [one for one in register.premises if given.status in {None, one.status}]
    first = sorted(wanted, key=lambda one: (-len(one.open_dependants), one.turn))[: given.limit]
    facts = _frame_facts(job, register)
    facts |= {"premises_total": len(wanted), "premises": [_premise(one) for one in first]}
    if isinstance(audited, NotMeasured):
        return FrameOutput.model_validate({**facts, "not_run": audited.not_measured})
    challenges = () if isinstance(audited.challenges, NotMeasured) else audited.challenges
    facts |= {
        "findings": [_finding(one) for one in audited.findings],
        "hints": [_hint(one) for one in audited.hints],
        "nobody_asked": audited.nobody,
        "blocked": list(audited.blocked),
        "challenges": [
            ChallengeLine(
                proposition=one.proposition, alternative=one.alternative, leads_to=one.leads_to, test=one.test
            )
            for one in challenges
        ],
    }
    return FrameOutput.model_validate(facts)


def _frame_facts(job: Job, register: Register) -> dict[str, object]:
    value = lock_in(register)
    return {
        "job": job.id,
        "conversation": name_of(job.conversation),
        "through": register.through,
        "lock_in": None if isinstance(value, NotMeasured) else value,
    }


def _finding(one: Finding) -> FindingLine:
    return FindingLine(
        fault=one.fault,
        action=one.action,
        outcome=one.outcome,
        told_by=list(one.told_by),
        families=list(one.families),
        needed=one.needed,
        claims=[each.claim for each in one.claims],
        texts=[each.text for each in one.claims],
        quotes=quotes_of(one.evidence),
    )


def _hint(one: Hint) -> HintLine:
    return HintLine(
        suspects=one.suspects,
        claims=list(one.claims),
        probability=None if isinstance(one.probability, NotMeasured) else one.probability,
        basis=one.basis,
        quotes=quotes_of(() if one.evidence is None else (one.evidence,)),
    )


def _premise(one: Premise) -> PremiseLine:
    return PremiseLine(
        id=one.id,
        proposition=one.proposition,
        status=one.status,
        scope=one.scope,
        role=one.role,
        turn=one.turn,
        quoted=one.quoted,
        rests_on_it=len(one.open_dependants),
    )


def _listed(names: Sequence[str]) -> str:
    return " or ".join(map(repr, names))
