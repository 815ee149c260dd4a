"""Runs jobs inside the process of the HTTP service: the same steps, outbox and leases as workers, and no broker.

For one machine without Redis. Whoever starts workers on the same database later shares the work with them.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from queue import Empty, SimpleQueue

from dissolution.errors import DissolutionError, LeaseLost, NotFound, StoreError
from dissolution.ids import JobId
from dissolution.job import LIVE, Job
from dissolution.outbox import Ring
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from workers.bootstrap import open_services
from workers.concurrency.in_flight import IN_HAND
from workers.concurrency.loop_thread import LoopThread
from workers.concurrency.parallel import SideBySide
from workers.execution.due_runs import DueRuns
from workers.execution.separate_process import run_step_apart
from workers.execution.step_context import StepWatch
from workers.execution.steps import run_step
from workers.pipeline import GIANT_QUEUES, QueueClass, queues_of
from workers.ready_steps import announce, is_time, rein_in, ring_all
from workers.services import Services

log = logging.getLogger(__name__)

QUEUES = tuple(name for names in zip(*map(queues_of, (QueueClass.IO, QueueClass.CPU)), strict=True) for name in names)
"""The queues that are served in this process, the most urgent lane first."""

CPU_QUEUES = frozenset(queues_of(QueueClass.CPU))
"""Their steps embed and compute: one at a time, since two would only share the processor and take twice the memory."""

AT_ONCE = 8
"""Steps of this process that run side by side at most: the branches of a few jobs, which mostly wait for models."""

IDLE_S = 0.5
"""How long a ring is waited for (s)."""

LOOK = timedelta(seconds=2)
"""Pause between two looks into the outbox: what was not rung for, was put off, or came from another process."""

MOST = 20
"""Steps of one queue that are taken in one look."""


class EmbeddedBell:
    """The doorbell of one process. What is lost with the process stands in the outbox."""

    def __init__(self) -> None:
        self._rings: SimpleQueue[Ring] = SimpleQueue()

    def ring(self, ring: Ring) -> None:
        """Tell the runner."""
        self._rings.put(ring)

    def wait(self, timeout_s: float) -> Ring | None:
        """The next ring, None when there is none for so long."""
        try:
            return self._rings.get(timeout=timeout_s)
        except Empty:
            return None


class EmbeddedRunner:
    """Takes steps as they are rung for, and from the outbox what was not; runs a few of them side by side.

    Args:
        settings: Where everything is.
        bell: Rung when a step may be ready.
        advance: Does what can be done in a stability run, by its id; nobody goes on with runs if None.
    """

    def __init__(
        self, settings: Settings, bell: EmbeddedBell, advance: Callable[[Services, str], int] | None = None
    ) -> None:
        self._advance = advance
        self._due_runs: DueRuns | None = None
        self._settings = settings
        self._bell = bell
        self._look_at: datetime | None = None
        self._waiting: dict[Ring, None] = {}  # for room, in the order in which they came

    def run(self, stop: threading.Event) -> None:
        """Run steps until `stop` is set. A database that is away is waited for."""
        giants = EmbeddedGiants(self._settings, self._bell)
        beside = threading.Thread(target=giants.run, args=(stop,), name="giants", daemon=True)
        beside.start()
        try:
            self._run(stop)
        finally:
            beside.join()

    def _run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                with (
                    LoopThread() as loop,  # what a step waits for can be ended from the thread that renews its lease
                    open_services(self._settings, bell=self._bell, loop=loop) as services,
                    StepWatch(self._settings, services.unit_of_work) as watch,
                    SideBySide[Ring](services.abandon) as steps,  # ends first, and gives back what runs
                ):
                    self._serve_until(stop, replace(services, watch=watch), steps)
            except StoreError as error:
                log.warning("%s; jobs wait", error)
                stop.wait(IDLE_S)

    def _serve_until(self, stop: threading.Event, services: Services, steps: SideBySide[Ring]) -> None:
        """Run steps until `stop` is set. Raises StoreError, once the other steps have ended: what they ask is paid."""
        try:
            while not stop.is_set():
                self.serve(services, steps)
        except StoreError:
            while steps.running and not stop.is_set():
                steps.next(IDLE_S)
            raise

    def serve(self, services: Services, steps: SideBySide[Ring]) -> None:
        """Begin with what is rung for and, now and then, with what is due in the outbox, as there is room.

        Raises StoreError, also one of a step.
        """
        while (ended := steps.next(0)) is not None:
            ended[1].result()
        if self._begin(services, steps):
            ring = self._bell.wait(IDLE_S)
            self._want([] if ring is None else [ring])
        elif (ended := steps.next(IDLE_S)) is not None:
            ended[1].result()
        if is_time(self._look_at, services.clock.now(), LOOK):
            self._want(self.due(services))
            self.go_on(services)
            self._look_at = services.clock.now() + LOOK

    def _want(self, rings: Iterable[Ring]) -> None:
        """Have these steps run as soon as there is room; giants' are for `EmbeddedGiants`, which looks for them."""
        self._waiting.update(dict.fromkeys(ring for ring in rings if ring.queue not in GIANT_QUEUES))

    def _begin(self, services: Services, steps: SideBySide[Ring]) -> bool:
        """Begin with the steps that there is room for, the most urgent lane first; whether none is left waiting."""
        for ring in sorted(self._waiting, key=lambda one: QUEUES.index(one.queue)):
            computing = any(one.queue in CPU_QUEUES for one in steps.running)
            if ring in steps.running or (computing and ring.queue in CPU_QUEUES) or len(steps.running) >= AT_ONCE:
                continue
            del self._waiting[ring]
            steps.begin(ring, partial(self.run_in_turn, services, ring))
        return not self._waiting

    def run_in_turn(self, services: Services, ring: Ring) -> None:
        """Run one step, unless an earlier job of the same conversation has not ended: then its job waits for that.

        Side by side the job of the most turns would commit first, and all others would end behind its boundary.
        """
        if waits_for_earlier(services, ring.job):
            return
        run_one(services, ring)
        ring_next(services, ring.job)

    def go_on(self, services: Services) -> None:
        """Do what can be done in stability runs now. Raises StoreError."""
        if self._advance is None:
            return
        if self._due_runs is None:
            self._due_runs = DueRuns(services.unit_of_work, services.clock, self._settings.resend_s)
        for run in self._due_runs.now():
            self._due_runs.taken(run)
            advance_one(services, run, self._advance)

    def due(self, services: Services) -> Sequence[Ring]:
        """A few steps that are due and that nobody rang for, the most urgent lanes first; strays are taken up.

        With them come those that this process holds and does not work at: they could not be given back, because the
        disk was full or the database away.
        """
        with services.unit_of_work() as work:
            now = services.clock.now()
            rein_in(work, now, self._settings)
            work.money.release_orphans(now)
            for job in work.outbox.strays(MOST):
                announce(work, job, now)
            dropped = [ring for ring in held_here(services, work) if ring.queue not in GIANT_QUEUES]
            taken = [work.outbox.take(queue, now, MOST, self._settings.resend_s) for queue in QUEUES]
            work.commit()
        return [*dropped, *(ring for rings in taken for ring in rings)]


class EmbeddedGiants:
    """Takes the steps of very long conversations from the outbox, one at a time, each in a process of its own.

    So they hold up no other job of the service. It runs in a thread beside the `EmbeddedRunner`, with its own services.
    """

    def __init__(self, settings: Settings, bell: EmbeddedBell) -> None:
        self._settings = settings
        self._bell = bell

    def run(self, stop: threading.Event) -> None:
        """Run steps until `stop` is set; one that runs then is given back. A database that is away is waited for."""

        def apart(services: Services, job: JobId, stage: str) -> bool:
            return run_step_apart(services, job, stage, shared_limits=False, stopped=stop.is_set)

        while not stop.is_set():
            try:
                with open_services(self._settings, bell=self._bell) as services:
                    while not stop.is_set():
                        ring = self.next(services)
                        if ring is None:
                            stop.wait(IDLE_S)
                        elif not waits_for_earlier(services, ring.job):
                            run_one(services, ring, apart)
                            ring_next(services, ring.job)
            except KeyboardInterrupt:
                return  # it was told to stop within a step
            except StoreError as error:
                log.warning("%s; jobs of very long conversations wait", error)
                stop.wait(IDLE_S)

    def next(self, services: Services) -> Ring | None:
        """The step whose turn it is, the most urgent lane first; None when there is none.

        One that this process holds and does not work at comes before all: it was dropped.
        """
        with services.unit_of_work() as work:
            now, resend_s = services.clock.now(), self._settings.resend_s
            if dropped := [ring for ring in held_here(services, work) if ring.queue in GIANT_QUEUES]:
                return dropped[0]
            for queue in queues_of(QueueClass.GIANT):
                if taken := work.outbox.take(queue, now, 1, resend_s):
                    work.commit()
                    return taken[0]
        return None


def held_here(services: Services, work: UnitOfWork) -> list[Ring]:
    """The rings of the steps that this process holds and does not work at, whose lease ends first before all others."""
    held = (row.ring for row in work.outbox.held(services.clock.now(), MOST) if row.owner == services.owner)
    return [ring for ring in held if (ring.job, ring.stage) not in IN_HAND]


def in_line(work: UnitOfWork, conversation: str) -> list[Job]:
    """The jobs of a conversation that are run here and have not ended, oldest first; held ones wait for a person."""
    found = (one for one in work.jobs.find(conversation) if one.conversation == conversation)
    return sorted((one for one in found if one.lane is not None and one.status in LIVE), key=age)


def age(job: Job) -> tuple[datetime, str]:
    """By when it was made."""
    return job.created_at, job.id


def waits_for_earlier(services: Services, job_id: JobId) -> bool:
    """Whether an earlier job of the same conversation is to be run first; False for a job that is not there."""
    with suppress(NotFound), services.unit_of_work() as work:
        job = work.jobs.get(job_id)
        return any(age(one) < age(job) for one in in_line(work, job.conversation))
    return False


def ring_next(services: Services, job_id: JobId) -> None:
    """Ring for the next job of the conversation once this one has ended; for nothing while it has not."""
    rings: list[Ring] = []
    with suppress(NotFound), services.unit_of_work() as work:
        job = work.jobs.get(job_id)
        line = in_line(work, job.conversation) if job.status not in LIVE else []
        rings = [row.ring for one in line[:1] for row in work.outbox.of_job(one.id)]
        for ring in rings:
            work.outbox.bring_forward(services.clock.now(), job=ring.job, stage=ring.stage)
        work.commit()
    ring_all(services, rings)


def run_one(services: Services, ring: Ring, run: Callable[[Services, str, str], object] = run_step) -> None:
    """Run one step. What broke has been given back or is dead, its reason stored; its text may hold content."""
    try:
        run(services, ring.job, ring.stage)
    except LeaseLost as lost:
        log.info("%s", lost)
    except StoreError:
        raise
    except DissolutionError as error:
        log.warning("job %s, %s: %s", ring.job, ring.stage, error)
    except Exception as error:  # noqa: BLE001 - whatever it was is stored with the step and must not end the runner
        log.error("job %s, %s: %s", ring.job, ring.stage, type(error).__name__)  # noqa: TRY400 - as above


def advance_one(services: Services, run: str, advance: Callable[[Services, str], int]) -> None:
    """Go on with one stability run; what it stumbles over must not end the runner, and it is tried again later."""
    try:
        advance(services, run)
    except StoreError:
        raise
    except DissolutionError as error:
        log.warning("stability run %s: %s", run, error)
    except Exception as error:  # noqa: BLE001 - as above
        log.error("stability run %s: %s", run, type(error).__name__)  # noqa: TRY400 - a traceback may hold content
