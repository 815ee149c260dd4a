"""What came of a dissolution: its receipt, answers, dissent, frame findings, probe report, preview and boundary."""

from collections.abc import Mapping

from fastapi import APIRouter, Request, Response

from api.errors import NotRunYet
from api.problems import ALWAYS, documented
from api.replies import public, shown
from api.schemas import Preview
from api.security import Reader
from dissolution.answers import Answer
from dissolution.boundary import BoundaryState
from dissolution.claims import Dissent
from dissolution.findings import GateDecision, Verdict
from dissolution.findings import NotRun as StageNotRun
from dissolution.framing import FrameReport
from dissolution.job import ENDED, Job, JobStatus
from dissolution.ports.store import UnitOfWork
from dissolution.receipt.job_receipt import Receipt
from dissolution.tenancy import name_of
from dissolution.values import Frozen
from workers.members.cycles import prior_boundary
from workers.probe.outcomes import Faced, HistoryReport, RepairReport, SealedBank
from workers.results.candidate import candidate_of, current_candidate, current_decision
from workers.results.ledger_diff import difference, items
from workers.step_results import not_run_of

router = APIRouter(prefix="/v1/dissolutions/{dissolution}", tags=["dissolutions"])

RESPONSES = documented(*ALWAYS, 404)


class Answers(Frozen):
    """What the members of the fleet said, as they said it and as it was read."""

    dissolution: str
    items: tuple[Answer, ...]


class DissentList(Frozen):
    """What was heard and not admitted."""

    dissolution: str
    items: tuple[Dissent, ...]


class ProbeShown(Frozen):
    """The stages of the probe as far as they have run; one that did not says why."""

    dissolution: str
    bank: SealedBank | StageNotRun
    history: HistoryReport | StageNotRun
    candidate: Faced | StageNotRun
    repair: RepairReport | StageNotRun


@router.get("/receipt", response_model=Receipt, responses=RESPONSES)
def receipt(request: Request, caller: Reader, dissolution: str) -> Response:
    """Who was asked, what came back, what was kept and dropped, at what cost; once the job has ended."""
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        found = work.boundaries.receipt(job.id)
    if found is None:
        raise NotRunYet(f"dissolution {job.id!r} is {job.status.value}", "its receipt is written when it ends")
    return shown(request, public(found))


@router.get("/answers", response_model=Answers, responses=RESPONSES)
def answers(request: Request, caller: Reader, dissolution: str) -> Response:
    """Every answer of the fleet."""
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        found = work.jobs.answers(job.id)
    return shown(request, Answers(dissolution=job.id, items=found))


@router.get("/dissent", response_model=DissentList, responses=RESPONSES)
def dissent(request: Request, caller: Reader, dissolution: str) -> Response:
    """What was heard and kept out of the boundary, with its voters and the reason."""
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        committed = work.boundaries.by_job(job.id)
        found = committed.dissent if committed is not None else _candidate(work, job).dissent
    return shown(request, DissentList(dissolution=job.id, items=found))


@router.get("/boundary", response_model=BoundaryState, responses=RESPONSES)
def boundary(request: Request, caller: Reader, dissolution: str) -> Response:
    """The boundary as it was committed."""
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        found = work.boundaries.by_job(job.id)
    if found is None:
        raise NotRunYet(
            f"dissolution {job.id!r} is {job.status.value}", "it has committed no boundary; the history holds"
        )
    return shown(request, public(found))


@router.get("/frame", response_model=FrameReport, responses=RESPONSES)
def frame(request: Request, caller: Reader, dissolution: str) -> Response:
    """What was taken for granted before and after, where that differs, and what was done about it."""
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        return shown(request, _required(work, job, "frame_audit", FrameReport))


@router.get("/probe", response_model=ProbeShown, responses=RESPONSES)
def probe(request: Request, caller: Reader, dissolution: str) -> Response:
    """The questions, what was answered from the history and from the candidate, and what a repair changed.

    It is shown once the job has ended: what stands in a question must not reach whoever could still be asked it.
    """
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        if job.status not in ENDED:
            raise NotRunYet(f"dissolution {job.id!r} is {job.status.value}", "its probe is shown when it has ended")
        outputs = _outputs(work, job)
    parts = {name: _as_form(outputs, stage, form) for name, (stage, form) in PROBE_STAGES.items()}
    if isinstance(parts["bank"], StageNotRun):
        raise NotRunYet(f"dissolution {job.id!r} was not probed", parts["bank"].not_run)
    return shown(request, ProbeShown.model_validate({"dissolution": job.id, **parts}))


PROBE_STAGES: Mapping[str, tuple[str, type[Frozen]]] = {
    "bank": ("question_bank", SealedBank),
    "history": ("history_arm", HistoryReport),
    "candidate": ("candidate_arm", Faced),
    "repair": ("repair", RepairReport),
}


@router.get("/preview", response_model=Preview, responses=RESPONSES)
def preview(request: Request, caller: Reader, dissolution: str) -> Response:
    """What its commit would add, revise, close, carry and promote; nothing is changed."""
    with caller.api.reads() as work:
        job = caller.job(work, dissolution)
        return shown(request, preview_of(work, job))


def preview_of(work: UnitOfWork, job: Job) -> Preview:
    """The preview of a job that has a candidate and no boundary. Raises NotRun for any other."""
    if job.status is JobStatus.COMMITTED:
        raise NotRunYet(f"dissolution {job.id!r} has committed", "see the versions of its conversation's boundary")
    candidate = _candidate(work, job)
    decided = current_decision(work, job)
    found = items(difference(prior_boundary(work, job), candidate), (candidate,), ())
    return Preview(
        conversation=name_of(job.conversation),
        dissolution=job.id,
        status=job.status,
        through=job.through,
        from_version=job.expected_version,
        present_version=work.boundaries.version(job.conversation),
        verdict=None if decided is None else decided.verdict.value,
        reasons=[] if decided is None else list(decided.reasons),
        items=list(found),
        excerpts=list(candidate.excerpts),
    )


UNDECIDED = "the gate has not decided yet"


def _candidate(work: UnitOfWork, job: Job) -> BoundaryState:
    """The candidate as the boundary it would become. Raises NotRun before the consensus stands."""
    try:
        consensus = current_candidate(work, job)
    except LookupError:
        raise NotRunYet(f"dissolution {job.id!r} ({job.status.value}) has no consensus", "look again later") from None
    decided = current_decision(work, job)
    waiting = GateDecision(verdict=Verdict.KEEP_HISTORY, reasons=(UNDECIDED,))
    return candidate_of(job, consensus, decided or waiting)


def _outputs(work: UnitOfWork, job: Job) -> dict[str, str | None]:
    return {step.stage: step.output for step in work.jobs.steps(job.id)}


def _as_form(outputs: Mapping[str, str | None], stage: str, form: type[Frozen]) -> Frozen:
    """A stage's output in its form, or why there is none."""
    output = outputs.get(stage)
    if output is None:
        return StageNotRun(not_run="it has not run")
    return not_run_of(output) or form.model_validate_json(output)


def _required(work: UnitOfWork, job: Job, stage: str, form: type[Frozen]) -> Frozen:
    """A stage's output. Raises NotRun when there is none."""
    found = _as_form(_outputs(work, job), stage, form)
    if isinstance(found, StageNotRun):
        raise NotRunYet(f"stage {stage!r} of dissolution {job.id!r} did not run", found.not_run)
    return found
