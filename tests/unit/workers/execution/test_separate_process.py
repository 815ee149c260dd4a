"""A step in a process of its own: done like any other, and killed at whatever line it is when it is not wanted."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.giants import conversation_of
from devtools.scripted import Say
from dissolution.errors import LeaseLost, StepProcessEnded, StoreUnavailable
from dissolution.job import Job, JobStatus, Lane, Lease, Step, StepStatus
from dissolution.settings import Settings
from dissolution.sizes import GIANT_WORK
from tests.factories import INSTANT, a_conversation
from tests.polling import eventually
from tests.running import a_job, a_member, running
from workers.execution import leases
from workers.execution import separate_process as apart
from workers.execution.job_moves import cancel
from workers.execution.leases import resident_mb
from workers.execution.separate_process import run_step_apart
from workers.execution.steps import IN_HAND, claim
from workers.pipeline import GIANT_QUEUES
from workers.ready_steps import announce
from workers.services import Services

TALK = a_conversation("We deploy on Tuesday.", "Agreed: on Tuesday.")
GIANT = conversation_of(GIANT_WORK, 40)
BEGINS = "import os, sys; sys.stdin.read(); open(sys.argv[1], 'w').write(str(os.getpid()))\n"
NEVER_ENDS = BEGINS + "while True: pass"
TAKES_MEMORY = BEGINS + "held = bytes(b'x') * 400_000_000\nwhile True: pass"
CANNOT_STORE = BEGINS + f"sys.exit({apart.NO_STORE})"
DIES = BEGINS + "os.kill(os.getpid(), 9)"
DOES_NOTHING = BEGINS + "sys.exit(0)"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing", max_memory_mb=300)
    with running(tmp_path, [a_member("ann", Say(""))], settings) as made:
        yield made


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The file in which a program writes its process."""
    return tmp_path / "pid"


def let(monkeypatch: pytest.MonkeyPatch, program: str, place: Path) -> None:
    monkeypatch.setattr(apart, "PROGRAM", (sys.executable, "-c", program, str(place)))
    monkeypatch.setattr(leases, "LOOK_S", 0.005)


def step_of(services: Services, job: Job, stage: str = "register") -> Step:
    with services.unit_of_work() as work:
        return next(step for step in work.jobs.steps(job.id) if step.stage == stage)


def is_gone(place: Path) -> bool:
    return not Path(f"/proc/{place.read_text(encoding='ascii')}").exists()


def apart_run(services: Services, job: Job) -> bool:
    return run_step_apart(services, job.id, "register", shared_limits=False)


@pytest.mark.usefixtures("processes")
def test_a_step_is_done_and_what_follows_is_rung_for(services: Services) -> None:
    job = a_job(services, TALK, lane=Lane.BATCH)
    assert apart_run(services, job)
    step = step_of(services, job)
    assert (step.status, step.attempts) == (StepStatus.DONE, 1)
    assert step.output is not None
    assert not apart_run(services, job), "what is done is not to be had"
    assert (job.id, "register") not in IN_HAND


def test_the_process_is_told_all_settings_secrets_included(services: Services) -> None:
    given = services.settings.model_copy(update={"installation_key": "k" * 40})
    lease = Lease(job="j", stage="register", epoch=1, owner="o", until=INSTANT)
    told = apart.StepOrder.of(Settings.model_validate(given.model_dump()), lease, shared_limits=True, parent=1)
    read = Settings.model_validate(apart.StepOrder.model_validate_json(told.model_dump_json()).settings)
    assert read == Settings.model_validate(given.model_dump())
    assert read.installation_key is not None
    assert read.installation_key.get_secret_value() == "k" * 40


@pytest.mark.usefixtures("processes")
def test_a_cancel_kills_a_step_that_would_never_end(
    services: Services, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    let(monkeypatch, NEVER_ENDS, place)
    job = a_job(services, TALK, lane=Lane.BATCH)

    def looking(pid: int) -> float:
        with services.unit_of_work() as work:
            runs = work.jobs.get(job.id).status is JobStatus.RUNNING
        if runs and place.exists() and place.read_text(encoding="ascii"):
            cancel(services, job.id)
        return resident_mb(pid)

    monkeypatch.setattr(apart, "resident_mb", looking)
    with pytest.raises(LeaseLost):
        apart_run(services, job)
    assert is_gone(place)
    with services.unit_of_work() as work:
        assert work.jobs.get(job.id).status is JobStatus.CANCELLED
    assert step_of(services, job).status is not StepStatus.DONE


@pytest.mark.usefixtures("processes")
def test_memory_over_the_limit_kills_it_and_ends_its_job_with_the_figure(
    services: Services, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    let(monkeypatch, TAKES_MEMORY, place)
    job = a_job(services, TALK, lane=Lane.BATCH)
    assert apart_run(services, job)
    assert is_gone(place)
    with services.unit_of_work() as work:
        ended = work.jobs.get(job.id)
    assert ended.status is JobStatus.HISTORY_KEPT
    assert "needs more than 300 MB" in (ended.reason or "")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        pytest.param(DIES, "signal 9", id="killed"),
        pytest.param(DOES_NOTHING, "code 0", id="it ended without a word"),
    ],
)
@pytest.mark.usefixtures("processes")
def test_a_process_that_dies_gives_its_step_back_with_the_attempt_counted(
    services: Services, monkeypatch: pytest.MonkeyPatch, place: Path, program: str, said: str
) -> None:
    let(monkeypatch, program, place)
    job = a_job(services, TALK, lane=Lane.BATCH)
    with pytest.raises(StepProcessEnded, match=said):
        apart_run(services, job)
    step = step_of(services, job)
    assert (step.status, step.attempts) == (StepStatus.QUEUED, 1)
    assert said in (step.reason or "")


@pytest.mark.usefixtures("processes")
def test_a_process_without_its_database_costs_no_attempt(
    services: Services, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    let(monkeypatch, CANNOT_STORE, place)
    job = a_job(services, TALK, lane=Lane.BATCH)
    with pytest.raises(StoreUnavailable):
        apart_run(services, job)
    assert (step_of(services, job).status, step_of(services, job).attempts) == (StepStatus.QUEUED, 0)


@pytest.mark.usefixtures("processes")
def test_who_is_told_to_stop_kills_it_and_gives_the_step_back(
    services: Services, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    let(monkeypatch, NEVER_ENDS, place)
    job = a_job(services, TALK, lane=Lane.BATCH)
    with pytest.raises(KeyboardInterrupt):
        run_step_apart(
            services,
            job.id,
            "register",
            shared_limits=False,
            stopped=lambda: place.exists() and bool(place.read_text(encoding="ascii")),
        )
    assert is_gone(place)
    assert (step_of(services, job).status, step_of(services, job).attempts) == (StepStatus.QUEUED, 0)


@pytest.mark.usefixtures("processes")
def test_it_ends_with_the_process_that_watches(tmp_path: Path, place: Path) -> None:
    program = (
        "import sys; from tests.unit.workers.execution.test_separate_process import watch_and_die as die; "
        "die(sys.argv[1], sys.argv[2])"
    )
    db = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    subprocess.run([sys.executable, "-c", program, db, str(place)], check=False, timeout=300)
    eventually(lambda: is_gone(place), what="the end of the step's process")


def watch_and_die(db: str, place: str) -> None:
    """Start the program of a step as it is started, with this process as its parent, and be killed."""
    lease = Lease(job="j", stage="register", epoch=1, owner="o", until=INSTANT)
    told = apart.StepOrder.of(Settings(db=db), lease, shared_limits=False, parent=os.getpid())
    waits = f"import os; open({place!r}, 'w').write(str(os.getpid())); os.read(0, 0)\n"
    body = (
        f"import signal, time\n"
        f"from workers.concurrency.processes import end_with_parent\nend_with_parent(signal.SIGKILL)\n{waits}"
        "\nwhile True: time.sleep(60)"
    )
    apart.PROGRAM = (sys.executable, "-c", body)  # pyright: ignore[reportAttributeAccessIssue, reportConstantRedefinition] - this process is the test's own
    with apart.started(told):
        eventually(lambda: Path(place).exists() and Path(place).read_text(encoding="ascii"), what="the program")
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.usefixtures("processes")
def test_a_tenant_has_so_many_such_steps_at_work_and_the_rest_are_rung_for_later(services: Services) -> None:
    first, second = (a_job(services, GIANT, lane=Lane.BATCH) for _ in range(2))
    with services.unit_of_work() as work:
        for job in (first, second):
            for row in work.outbox.of_job(job.id):
                work.outbox.settle(job.id, row.ring.stage)
            rings = announce(work, job.id, services.clock.now())
            assert {ring.queue for ring in rings if ring.stage == "register"} <= GIANT_QUEUES
        work.commit()
    assert claim(services, first.id, "register") is not None
    assert not apart_run(services, second)
    step = step_of(services, second)
    assert (step.status, step.attempts) == (StepStatus.QUEUED, 0)
    with services.unit_of_work() as work:
        (row,) = (row for row in work.outbox.of_job(second.id) if row.ring.stage == "register")
    assert row.due_at > services.clock.now(), "it waits a little, and its worker serves others"
    roomy = replace(services, settings=services.settings.model_copy(update={"tenant_giants": 2}))
    assert apart_run(roomy, second)
    assert step_of(services, second).status is StepStatus.DONE
