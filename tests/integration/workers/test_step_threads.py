"""An io worker is one process with many steps: each is ended by itself, and none can hold its neighbours."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dissolution.clock import SystemClock
from dissolution.framing import FramePolicy
from dissolution.job import Job, JobStatus, Lane, Step, StepStatus
from dissolution.policy.job_policy import Policy, QuorumPolicy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from dissolution.tenancy import scoped
from tests.databases import migrated
from tests.environments import unmeasured
from tests.factories import a_conversation
from tests.integration.workers.stuck import TENANT, TOKEN
from tests.integration.workers.test_time_limit import ROSTER_TEXT, started
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port
from triggers.submit import Request, submit
from workers.bootstrap import ROSTER, open_services, open_store, settled_policy
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.execution.job_moves import cancel
from workers.pipeline import STAGE_NAMES, first_queues
from workers.redis.server import RedisServer

HANGS = '[models.silent]\nsteps = [{ act = "hang", times = 100 }]\n'
ONE = QuorumPolicy(min_members=1, min_families=1, soft_deadline_s=600, hard_deadline_s=600)


class Scene:
    """An io worker, a model that never answers, and the jobs that ask it."""

    def __init__(self, folder: Path, redis: RedisServer) -> None:
        port = free_port()
        (folder / "spec.toml").write_text(HANGS, encoding="utf-8")
        (folder / "fleet.toml").write_text(ROSTER_TEXT.format(port=port), encoding="utf-8")
        self.fleet = f"{ROSTER}{folder / 'fleet.toml'}"
        self.folder, self.port = folder, port
        self.settings = Settings(db=migrated(folder / "ledger.sqlite3"), redis_url=redis.url, embedder="hashing")
        self.store: UnitOfWorkFactory = open_store(self.settings)
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, *words: str, **more: str) -> subprocess.Popen[bytes]:
        environment = {
            **unmeasured(),
            "DISSOLVE_DB": self.settings.db,
            "DISSOLVE_REDIS_URL": self.settings.redis_url.get_secret_value(),
            "DISSOLVE_EMBEDDER": "hashing",
            "DISSOLVE_STOP_GRACE_S": "1",
            **more,
        }
        self.running.append(started(list(words), environment, self.folder / f"{len(self.running)}.log"))
        return self.running[-1]

    def start_model(self) -> None:
        self.start("fleet.loopback", str(self.folder / "spec.toml"), "--port", str(self.port))

    def job(self, name: str, tenant: str = "default") -> Job:
        return submit(
            Request(
                conversation=a_conversation("One.", "Two.", name=scoped(tenant, name)),
                fleet=self.fleet,
                policy=settled_policy(
                    Policy(quorum=ONE, frame=FramePolicy(review_families=0)), self.settings, self.fleet
                ),
                lane=Lane.INTERACTIVE,
            ),
            unit_of_work=self.store,
            clock=SystemClock(),
            queue=CeleryQueue(make_app(self.settings)),
            stages=STAGE_NAMES,
            ready=first_queues(self.fleet, Lane.INTERACTIVE),
        ).job

    def fan_out(self, job: Job) -> Step:
        with self.store() as work:
            return work.jobs.steps(job.id)[0]

    def asked(self, job: Job) -> bool:
        with self.store() as work:
            return bool(work.jobs.calls(job.id, "fan_out"))

    def said(self, words: str) -> bool:
        return any(words in log.read_text(encoding="utf-8") for log in self.folder.glob("*.log"))


@contextmanager
def scene(folder: Path) -> Generator[Scene]:
    with RedisServer(folder / "redis", free_port()) as redis:
        made = Scene(folder, redis)
        try:
            yield made
        finally:
            for process in made.running:
                kill_group(process.pid)
                process.wait(LONGEST_S)


def test_one_process_holds_many_steps_ends_the_one_that_is_cancelled_and_gives_back_the_rest(tmp_path: Path) -> None:
    with scene(tmp_path) as made:
        made.start_model()
        jobs = [made.job(f"talk-{number}") for number in range(12)]
        worker = made.start("cli.main", "worker", "--queue", "io", "--steps", "40")
        eventually(lambda: all(made.asked(job) for job in jobs), what="all of them to wait for the model")
        owners = {made.fan_out(job).owner for job in jobs}
        assert len(owners) == 1
        cancelled, *others = jobs
        with open_services(made.settings) as services:
            cancel(services, cancelled.id)
        eventually(
            lambda: made.said(f"step 'fan_out' of job {cancelled.id!r}: the lease"), what="the cancelled step to end"
        )
        assert {made.fan_out(job).status for job in others} == {StepStatus.RUNNING}
        worker.terminate()
        assert worker.wait(LONGEST_S) == 0
        steps = [made.fan_out(job) for job in others]
        assert {(step.status, step.attempts, step.reason) for step in steps} == {(StepStatus.QUEUED, 0, "WorkerEnds")}


def test_a_step_that_heeds_nothing_is_given_up_and_its_worker_is_replaced(tmp_path: Path) -> None:
    with scene(tmp_path) as made:
        made.start_model()
        stuck = made.job("stuck", TENANT)
        worker = made.start("tests.integration.workers.stuck", DISSOLVE_STEP_LIMIT_S="8", DISSOLVE_LEASE_S="5")
        eventually(lambda: made.said(TOKEN), what="the step that heeds nothing")
        neighbour = made.job("neighbour")
        first = eventually(lambda: made.asked(neighbour) and made.fan_out(neighbour), what="its neighbour to ask")
        eventually(lambda: made.fan_out(stuck).status is StepStatus.QUEUED, what="it to be given up")
        step = made.fan_out(stuck)
        assert (step.attempts, step.reason) == (1, "SoftTimeLimitExceeded")
        beside = made.fan_out(neighbour)  # its lease was renewed all the time, by a thread that nobody held up
        assert isinstance(first, Step)
        assert beside.epoch == first.epoch or beside.status is StepStatus.QUEUED
        assert worker.wait(LONGEST_S) == 0
        assert made.said("this worker takes no more steps")
        with made.store() as work:
            assert work.jobs.get(stuck.id).status is JobStatus.RUNNING
