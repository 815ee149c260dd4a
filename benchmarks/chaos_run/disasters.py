"""What happens to the world, in an order that the seed decides, spread over the progress of the jobs."""

import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from benchmarks.chaos_run.world import World
from dissolution.errors import StoreError
from dissolution.job import ENDED
from dissolution.outbox import Ring
from workers.celery.app import make_app
from workers.celery.queue import CeleryQueue
from workers.pipeline import STAGES, queue_of
from workers.redis.queue_state import redis_client

LOOK_S = 0.25
PAUSE_S = 8.0
"""How long a process stands still (s): longer than its lease of five seconds."""

DUPLICATES_A_LOOK = 4

KILL, WIPE, OUTAGE, PAUSE, REFUSAL, JUMP = "kill", "wipe", "database", "pause", "refusal", "jump"


class Disasters:
    """Does things to a world until all of its jobs have ended.

    Args:
        made: The world.
        seed: Decides the order, the victims and the duplicates.
        counts: How often each happens. KILL: a worker group, without warning. WIPE: Redis loses everything, alternately
            emptied, and killed and started empty. OUTAGE: the database goes away. PAUSE: a worker group stands still
            for longer than its leases. REFUSAL: the database takes no write. JUMP: the clock of all is set ahead or
            back.
    """

    def __init__(self, made: World, *, seed: int, counts: Mapping[str, int]) -> None:
        self._world = made
        self._rng = random.Random(seed)  # noqa: S311 - a reproducible run, no secret
        plan = [act for act, count in counts.items() for _ in range(count)]
        self._rng.shuffle(plan)
        self._plan = plan
        self._tick = threading.Event()  # never set: what is waited on between two looks
        self._queue = CeleryQueue(make_app(made.settings))
        self._paused: list[threading.Thread] = []
        self.done: Counter[str] = Counter()
        self.woken: list[datetime] = []  # when those that stood still went on
        self._acts: Mapping[str, Callable[[], None]] = {
            KILL: self._kill,
            WIPE: self._wipe,
            OUTAGE: self._outage,
            PAUSE: self._pause,
            REFUSAL: self._refusal,
            JUMP: self._world.clock.jump,
        }

    def run(self, limit_s: float) -> int:
        """Go on until all jobs have ended and all disasters have happened, or time is up; how many jobs have ended."""
        total = len(self._plan)
        looks = int(limit_s / LOOK_S)
        ended = 0
        for _ in range(looks):
            self._tick.wait(LOOK_S)
            self._world.keep_running()
            ended = self._ended(ended)
            share = ended / len(self._world.jobs)
            # The last disaster happens with nine tenths of the jobs ended, so that each finds work to disturb.
            while self._plan and share >= 0.9 * (total - len(self._plan) + 1) / (total + 1):
                act = self._plan.pop()
                self._acts[act]()
                self.done[act] += 1
                if act != PAUSE:
                    break  # one at a look: what it did must be felt
            self._ring_twice()
            if ended == len(self._world.jobs) and not self._plan:
                break
        for thread in self._paused:
            thread.join()
        return self._ended(ended)

    def _ended(self, before: int) -> int:
        with suppress(StoreError), self._world.store() as work:
            counts = work.outbox.job_counts()
            return sum(count for status, count in counts.items() if status in ENDED)
        return before

    def _kill(self) -> None:
        victim = self._rng.choice(self._world.workers)
        self._world.signal(victim, signal.SIGKILL)
        if victim.process is not None:
            victim.process.wait()

    def _wipe(self) -> None:
        if self.done[WIPE] % 2:
            self._world.redis.stop(kill=True)
            self._tick.wait(1.0)
            self._world.redis.start()
            self.done["redis_restart"] += 1
        else:
            client = redis_client(self._world.settings)
            client.flushall()  # pyright: ignore[reportUnknownMemberType] - untyped options
            client.close()

    def _outage(self) -> None:
        self._world.database.disturb(self._tick)

    def _refusal(self) -> None:
        self._world.database.refuse_writes(self._tick, self._world.processes)

    def _pause(self) -> None:
        victim = self._rng.choice(self._world.workers)

        def stand_still() -> None:
            self._world.signal(victim, signal.SIGSTOP)
            self._tick.wait(PAUSE_S)
            self.woken.append(datetime.now(UTC))
            self._world.signal(victim, signal.SIGCONT)

        self._paused.append(threading.Thread(target=stand_still, name="pause"))
        self._paused[-1].start()

    def _ring_twice(self) -> None:
        """Deliver messages that nobody asked for: of steps that are done, run, or are not ready."""
        jobs = list(self._world.jobs)
        for _ in range(DUPLICATES_A_LOOK):
            stage = self._rng.choice(STAGES).name
            job = self._rng.choice(jobs)
            with suppress(StoreError):
                self.done["duplicate"] += self._ring(job, stage)

    def _ring(self, job: str, stage: str) -> bool:
        with self._world.store() as work:
            found = work.jobs.get(job)
        if found.lane is None:
            return False
        return self._queue.sent(Ring(job=job, stage=stage, queue=queue_of(stage, found.fleet, found.lane)))
