"""One tenant's giants, on real workers: they hold up nobody, and a cancel ends what would never end by itself."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.giants import conversation_of
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation
from dissolution.job import Job, JobStatus, Lane, Step, StepStatus
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from dissolution.sizes import GIANT_WORK, size_of
from dissolution.tenancy import scoped
from tests.databases import migrated
from tests.environments import unmeasured
from tests.factories import a_conversation
from tests.integration.workers.endless import PIDS, TENANT
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port
from triggers.submit import Request, submit
from workers.bootstrap import open_services, settled_policy
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.execution.job_moves import cancel
from workers.pipeline import STAGE_NAMES, first_queues
from workers.redis.server import RedisServer

GIANT = conversation_of(GIANT_WORK, 60)
FLEET = "extractive"
WORKERS = {
    "relay": ["cli.main", "relay"],
    "io": ["cli.main", "worker", "--queue", "io", "--steps", "1"],
    "cpu": ["cli.main", "worker", "--queue", "cpu", "--steps", "1"],
    "giant": ["tests.integration.workers.endless", "worker"],
}


@dataclass
class Fleet:
    """Real workers over one database, and what is asked of them."""

    settings: Settings
    store: UnitOfWorkFactory
    pids: Path

    def submit(self, tenant: str, name: str, talk: Conversation) -> Job:
        conversation = talk.model_copy(update={"id": scoped(tenant, name)})
        giant = size_of(conversation.snapshot()).is_giant
        return submit(
            Request(
                conversation=conversation,
                fleet=FLEET,
                policy=settled_policy(Policy(), self.settings, FLEET),
                lane=Lane.INTERACTIVE,
            ),
            unit_of_work=self.store,
            clock=SystemClock(),
            queue=CeleryQueue(make_app(self.settings)),
            stages=STAGE_NAMES,
            ready=first_queues(FLEET, Lane.INTERACTIVE, giant=giant),
        ).job

    def status(self, job: Job) -> JobStatus:
        with self.store() as work:
            return work.jobs.get(job.id).status

    def fan_out(self, job: Job) -> Step:
        with self.store() as work:
            return next(step for step in work.jobs.steps(job.id) if step.stage == "fan_out")

    def endless(self, job: Job) -> int | None:
        """The living process that computes for a job without end."""
        for file in self.pids.iterdir():
            if file.read_text(encoding="ascii") == job.id and Path(f"/proc/{file.name}").exists():
                return int(file.name)
        return None


@contextmanager
def fleet_in(folder: Path) -> Generator[Fleet]:
    pids = folder / "pids"
    pids.mkdir()
    with RedisServer(folder / "redis", free_port()) as redis:
        db = migrated(folder / "ledger.sqlite3")
        environment = {
            **unmeasured(),
            "DISSOLVE_DB": db,
            "DISSOLVE_REDIS_URL": redis.url.get_secret_value(),
            "DISSOLVE_EMBEDDER": "hashing",
            "DISSOLVE_STOP_GRACE_S": "0",
            PIDS: str(pids),
        }
        settings = Settings(db=db, redis_url=redis.url, embedder="hashing")
        running: list[subprocess.Popen[bytes]] = []
        try:
            for name, words in WORKERS.items():
                with (folder / f"{name}.log").open("ab") as log:
                    running.append(
                        subprocess.Popen(
                            [sys.executable, "-m", *words],
                            env=environment,
                            stdout=log,
                            stderr=log,
                            start_new_session=True,
                        )
                    )
            with open_services(settings) as services:
                yield Fleet(settings, services.unit_of_work, pids)
        finally:
            for process in running:
                kill_group(process.pid)
                process.wait(LONGEST_S)


def test_giants_of_one_tenant_hold_up_nobody_and_a_cancel_kills_what_would_never_end(tmp_path: Path) -> None:
    with fleet_in(tmp_path) as fleet:
        first, second = (fleet.submit(TENANT, f"giant-{number}", GIANT) for number in (1, 2))
        eventually(lambda: fleet.endless(first) or fleet.endless(second), what="a giant that computes")
        if fleet.endless(second):  # whichever is first holds the tenant's one place
            first, second = second, first

        small = fleet.submit("other", "small", a_conversation("We use Postgres. The deadline is March 15.", "Noted."))
        ended = {JobStatus.COMMITTED, JobStatus.HISTORY_KEPT, JobStatus.FAILED}
        eventually(lambda: fleet.status(small) in ended, what="the end of another tenant's job")
        assert fleet.status(small) is JobStatus.COMMITTED
        giant = fleet.submit("other", "giant", GIANT)
        eventually(lambda: fleet.fan_out(giant).status is StepStatus.DONE, what="a step of another tenant's giant")
        pid = fleet.endless(first)
        assert pid, "all of this was done beside it"
        assert fleet.fan_out(second).status is StepStatus.QUEUED, "a tenant has so many giants at a time"

        with open_services(fleet.settings) as services:
            cancel(services, first.id)
        eventually(lambda: not Path(f"/proc/{pid}").exists(), what="the end of what was cancelled")
        assert fleet.status(first) is JobStatus.CANCELLED
        assert fleet.fan_out(first).status is not StepStatus.DONE
        eventually(lambda: fleet.endless(second), what="the tenant's next giant, in the place that came free")
