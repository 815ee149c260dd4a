"""What must hold after a chaos run, read from the tables and held against the provider's log."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from benchmarks.chaos_run.provider import MODELS, Billed
from benchmarks.chaos_run.world import World
from dissolution.answers import Call, FailureClass
from dissolution.boundary import BoundaryState
from dissolution.job import ENDED, Job, JobStatus
from dissolution.ports.store import UnitOfWork

ASKED_IN = "fan_out"

GIVEN_UP = frozenset({FailureClass.CANCELLED, FailureClass.TIMEOUT})
"""Why a call may have no answer although its request is on its way."""

WAKING = timedelta(seconds=2)
"""How long a process that wakes may take to learn that its step is somebody else's."""


@dataclass
class Findings:
    """Everything that was counted, and the rules that were broken."""

    counts: Counter[str] = field(default_factory=Counter[str])
    provider_usd: Decimal = Decimal(0)
    stored_usd: Decimal = Decimal(0)
    in_flight_usd: Decimal = Decimal(0)
    broken: list[str] = field(default_factory=list[str])

    def hold(self, rule: str, wrong: Iterable[str]) -> int:
        """Note a rule with what breaks it; how much that is."""
        found = sorted(wrong)
        if found:
            self.broken.append(f"{rule}: {len(found)} times, first {found[0]}")
        return len(found)


def check(
    made: World,
    *,
    in_flight_allowed: int,
    woken: Sequence[datetime] = (),
    really: Callable[[datetime], datetime] = lambda told: told,
) -> Findings:
    """Hold every rule against the tables.

    Args:
        made: The world after the run; its processes may still run.
        in_flight_allowed: How many answers may have been paid for and lost: calls that were in flight when a process
            was killed, stood still, or had no database to write to.
        woken: When processes that had stood still went on: what they had begun to send goes out at that moment.
        really: The instant behind what the workers' clock said; the provider's is right.
    """
    found = Findings()
    log: dict[tuple[int, str], list[Billed]] = defaultdict(list)
    for billed in tuple(made.models.provider.billed):
        log[billed.case, billed.model].append(billed)
    with made.store() as work:
        jobs = [work.jobs.get(job) for job in made.jobs]
        check_ends(work, jobs, found)
        reasked: list[str] = []
        for job in jobs:
            case = made.jobs[job.id]
            calls = {call.member.name: call for call in work.jobs.calls(job.id, ASKED_IN)}
            for model in MODELS:
                call = calls.get(model)
                landed = None if call is None or call.landed_at is None else really(call.landed_at)
                reasked += check_call(job, model, call, log[case, model], found=found, landed=landed, woken=woken)
    found.counts["reasked"] = found.hold("a stored answer was asked again", reasked)
    check_money(found, in_flight_allowed)
    return found


def check_ends(work: UnitOfWork, jobs: list[Job], found: Findings) -> None:
    """Every job has ended, with one boundary when it committed and none otherwise, and says why."""
    by_status = Counter(job.status for job in jobs)
    found.counts.update({status.value: by_status[status] for status in ENDED})
    found.counts["terminal"] = sum(by_status[status] for status in ENDED)
    found.counts["lost"] = found.hold(
        "a job has not ended", (f"{job.id} is {job.status.value}" for job in jobs if job.status not in ENDED)
    )
    committed = {job.id for job in jobs if job.status is JobStatus.COMMITTED}
    boundaries = {job.id: work.boundaries.by_job(job.id) for job in jobs}
    events = {job.id: Counter(event.kind for event in work.jobs.events(job.id)) for job in jobs}
    found.hold("a committed job has no boundary", (job for job in committed if boundaries[job] is None))
    found.hold(
        "a job has a boundary and did not commit", (j for j, b in boundaries.items() if b and j not in committed)
    )
    found.counts["duplicates"] = found.hold(
        "a job committed more than once",
        (
            job.id
            for job in jobs
            if work.boundaries.version(job.conversation) > (job.id in committed)
            or events[job.id]["boundary_committed"] > (job.id in committed)
        ),
    )
    found.hold("an end has no reason", (job.id for job in jobs if job.status in ENDED and not job.reason))
    found.hold(
        "an end has no receipt", (j.id for j in jobs if j.status in ENDED and work.boundaries.receipt(j.id) is None)
    )
    found.hold(
        "a quote does not stand in its turn",
        (job for job, state in boundaries.items() if state is not None and not is_intact(work, state)),
    )
    found.hold("an ended job is rung for", (j.id for j in jobs if j.status in ENDED and work.outbox.of_job(j.id)))
    found.counts["most_attempts"] = max((s.attempts for job in jobs for s in work.jobs.steps(job.id)), default=0)


def is_intact(work: UnitOfWork, state: BoundaryState) -> bool:
    """Whether every quote of a boundary stands verbatim in the stored turn it names."""
    talk = work.conversations.get(state.conversation)
    pieces = [piece for claim in state.claims for piece in claim.evidence]
    return bool(pieces) and all(talk.turn(one.turn).content[one.start : one.end] == one.text for one in pieces)


def check_call(
    job: Job,
    model: str,
    call: Call | None,
    log: list[Billed],
    *,
    found: Findings,
    landed: datetime | None,
    woken: Sequence[datetime],
) -> list[str]:
    """Compare one member's call with what its provider saw; what was asked after an answer or refusal had landed.

    A call that was given up at a deadline has no answer, and its request may still be on its way.
    """
    found.counts["requests"] += len(log)
    answered = [one.usd for one in log if one.usd is not None]
    found.provider_usd += sum(answered, Decimal(0))
    stored = call.reply.usage.cost_usd if call is not None and call.reply is not None else None
    if isinstance(stored, Decimal):
        found.counts["stored_replies"] += 1
        found.stored_usd += stored
        if stored not in answered:
            found.broken.append(f"job {job.id} stores an answer of {model} for {stored} USD that nobody was billed for")
    if call is not None and call.failure is not None:
        found.counts[f"failed_{call.failure.error_class.value}"] += 1
        if call.failure.error_class in GIVEN_UP:
            found.counts["given_up"] += len(answered)  # answered when nobody waited any more
            found.in_flight_usd += sum(answered, Decimal(0))
            answered = []
    lost = len(answered) - isinstance(stored, Decimal)
    if lost > 0:
        found.counts["in_flight_lost"] += lost
        found.in_flight_usd += sum(answered, Decimal(0)) - (stored if isinstance(stored, Decimal) else Decimal(0))
    if landed is None or (call is not None and call.failure is not None and call.failure.error_class in GIVEN_UP):
        return []
    after = [one for one in log if one.arrived > landed]
    sent_on_waking = [one for one in after if any(timedelta(0) <= one.arrived - at < WAKING for at in woken)]
    found.counts["sent_on_waking"] += len(sent_on_waking)
    return [f"{job.id}/{model}"] * (len(after) - len(sent_on_waking))


def check_money(found: Findings, allowed: int) -> None:
    """What the tables say was spent is what the provider billed, but for answers that were in flight."""
    if found.stored_usd + found.in_flight_usd != found.provider_usd:
        found.broken.append(
            f"the provider billed {found.provider_usd} USD, the tables hold {found.stored_usd} and "
            f"{found.in_flight_usd} were in flight"
        )
    if found.counts["in_flight_lost"] > allowed:
        lost = found.counts["in_flight_lost"]
        found.broken.append(f"{lost} answers were paid for and lost; the disasters explain {allowed}")
