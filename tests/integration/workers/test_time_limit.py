"""A step that runs too long is interrupted by Celery's soft limit: its calls are cancelled and it is given back."""

import subprocess
import sys
from pathlib import Path

from dissolution.clock import SystemClock
from dissolution.job import Lane, Step, StepStatus
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings
from tests.databases import migrated
from tests.environments import unmeasured
from tests.factories import a_conversation
from tests.polling import LONGEST_S, eventually, kill_group
from tests.ports import free_port
from triggers.submit import Request, submit
from workers.bootstrap import ROSTER, open_store, settled_policy
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.pipeline import STAGE_NAMES, first_queues
from workers.redis.server import RedisServer

HANGS = '[models.silent]\nsteps = [{ act = "hang", times = 100 }]\n'
ROSTER_TEXT = """[[member]]
name = "silent"
model = "openai/silent"
family = "silent"
api_base = "http://127.0.0.1:{port}"
price = {{ input_usd = 1, output_usd = 1 }}
"""
LIMIT_S = 6


def started(words: list[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as out:
        return subprocess.Popen(
            [sys.executable, "-m", *words], env=environment, stdout=out, stderr=out, start_new_session=True
        )


def test_a_step_over_its_limit_is_given_back_with_its_attempt_counted(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "spec.toml").write_text(HANGS, encoding="utf-8")
    (tmp_path / "fleet.toml").write_text(ROSTER_TEXT.format(port=port), encoding="utf-8")
    fleet = f"{ROSTER}{tmp_path / 'fleet.toml'}"
    with RedisServer(tmp_path / "redis", free_port()) as redis:
        environment = {
            **unmeasured(),
            "DISSOLVE_DB": migrated(tmp_path / "ledger.sqlite3"),
            "DISSOLVE_REDIS_URL": redis.url.get_secret_value(),
            "DISSOLVE_EMBEDDER": "hashing",
            "DISSOLVE_STEP_LIMIT_S": str(LIMIT_S),
        }
        settings = Settings(db=environment["DISSOLVE_DB"], redis_url=redis.url, embedder="hashing")
        store = open_store(settings)
        job = submit(
            Request(
                conversation=a_conversation("One.", "Two."),
                fleet=fleet,
                policy=settled_policy(Policy(), settings, fleet),
                lane=Lane.INTERACTIVE,
            ),
            unit_of_work=store,
            clock=SystemClock(),
            queue=CeleryQueue(make_app(settings)),
            stages=STAGE_NAMES,
            ready=first_queues(fleet, Lane.INTERACTIVE),
        ).job
        running = [
            started(["fleet.loopback", str(tmp_path / "spec.toml"), "--port", str(port)], environment, tmp_path / "a"),
            started(["cli.main", "worker", "--queue", "io", "--steps", "1"], environment, tmp_path / "b"),
        ]

        def fan_out() -> Step:
            with store() as work:
                return work.jobs.steps(job.id)[0]

        def given_back() -> Step | None:
            step = fan_out()
            return step if step.reason == "SoftTimeLimitExceeded" else None

        def log() -> str:
            return (tmp_path / "b").read_text(encoding="utf-8")

        try:
            # One look for all of it: a moment later the step may be tried again.
            step = eventually(lambda: given_back() or running[1].poll(), what="the step to be given back")
            assert isinstance(step, Step), log()
            assert (step.status, step.attempts) == (StepStatus.QUEUED, 1)
            said = f"job {job.id}, fan_out: SoftTimeLimitExceeded"
            eventually(lambda: said in log(), what=f"{said} in the log")
            with store() as work:
                calls = work.jobs.calls(job.id, "fan_out")
            assert all(call.landed_at is None for call in calls)  # asked again when the step is tried again
            running[1].terminate()
            assert running[1].wait(LONGEST_S) == 0
        finally:
            for process in running:
                kill_group(process.pid)
                process.wait(LONGEST_S)
