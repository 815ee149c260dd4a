"""What happens inside a worker's process: its services, built after the fork, and the running of one step."""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from dissolution.errors import DissolutionError, LeaseLost
from dissolution.ids import JobId
from dissolution.job import Lease
from dissolution.outbox import Ring
from dissolution.ports.models import JobQueue
from dissolution.settings import Settings
from workers.bootstrap import open_services, open_store
from workers.celery.app import ADVANCE, EVALUATE, too_long
from workers.concurrency.in_flight import FIRST
from workers.concurrency.loop_thread import LoopThread
from workers.execution.compute_permits import Permits
from workers.execution.fan_out_pace import Pace
from workers.execution.lease_keeper import Ends, LeaseKeeper, WorkerEnds
from workers.execution.separate_process import run_step_apart
from workers.execution.step_context import StepWatch
from workers.execution.steps import IN_HAND, give_back, run_step
from workers.pipeline import QueueClass, queues_of
from workers.services import Services
from workers.triggers.due_evaluations import evaluate

if TYPE_CHECKING:
    from store.sql.unit_of_work import SqlUnitOfWorkFactory

log = logging.getLogger(__name__)

GOES_ON_S = 10.0
"""How long a message may have been at work in a process with a step at a time (s) when that goes on with the next step:
Celery's limits are a message's. In a process of many threads each step has its own, and the bound is one step's limit:
a message is in hand for less than its visibility timeout."""

DIES_AFTER_LEASES = 2.0
"""After so many lengths of a lease in which none of a process's threads had a turn but one, it ends itself: its leases
have run out, and nothing else can end it."""

Advance = Callable[[Services, str], int]
"""Does what can be done in a stability run now; how many cells it began or measured."""


class WorkerProcess:
    """One process of a worker.

    It is made before the fork and holds nothing then: threads, database connections and a warm embedding model do not
    survive a fork (a model that computed in the parent hangs its children for ever).

    Args:
        settings: Where everything is.
        bell: Tells workers of the steps that become ready.
        queue: What class of steps it runs.
        advance: Does what can be done in a stability run, by its id; what it measures is no business of this room.
    """

    def __init__(self, settings: Settings, bell: JobQueue, queue: QueueClass, advance: Advance | None = None) -> None:
        self._advance = advance
        self._settings = settings
        self._bell = bell
        self._queue = queue
        self._open = ExitStack()
        self._services: Services | None = None
        self._starting = threading.Lock()
        self._permits = Permits()
        self._pace: Pace | None = None
        self._most_waiting = 1
        self._ending = False
        self._keeper: LeaseKeeper | None = None
        self._own_queues = frozenset(() if queue is QueueClass.GIANT else queues_of(queue))
        self._goes_on_s = settings.step_limit_s if queue is QueueClass.IO else GOES_ON_S
        self._began = threading.local()  # when the message of a thread came, of time.monotonic
        self._stops: Callable[[], bool] = lambda: self._ending
        self._retire: Callable[[str], None] = log.error
        self._lose: Callable[[int], None] = lambda _thread: None

    def start(self) -> Services:
        """Build the services, after the fork; a `cpu` process loads its model now, not while a step waits for it.

        Raises what `open_services` raises, such as for a database that is away; the next step tries again then.
        """
        with self._starting:  # many threads may need them at once
            if self._services is None:
                self._services = self._built()
            return self._services

    def _built(self) -> Services:
        with ExitStack() as stack:
            loop = stack.enter_context(LoopThread())
            services = stack.enter_context(
                open_services(self._settings, loop=loop, bell=self._bell, shared_limits=True)
            )
            watch = stack.enter_context(StepWatch(self._settings, services.unit_of_work))
            services = replace(services, watch=watch, goes_on=self._goes_on)
            if self._queue is QueueClass.IO:
                self._keeper = stack.enter_context(self._keeper_for(services, loop, stack))
                self._pace = Pace(loop.listen(), most_waiting=self._most_waiting)
                services = replace(services, keeper=self._keeper, run_async=self._permits.around(loop))
            if self._queue is QueueClass.CPU:
                services.embedder().embed(("ready",))
            self._open = stack.pop_all()
        return services

    def _goes_on(self, ring: Ring) -> bool:
        """Whether the thread that has completed a step runs this one too; steps of giants wait for their turn."""
        since_s = time.monotonic() - self._began.at
        return ring.queue in self._own_queues and since_s < self._goes_on_s and not self._stops()

    def _keeper_for(self, services: Services, loop: LoopThread, stack: ExitStack) -> LeaseKeeper:
        """One thread holds the leases of all steps of an `io` process, over connections of its own."""
        few = self._settings.model_copy(update={"db_connections": 2})
        own = stack.enter_context(closing(cast("SqlUnitOfWorkFactory", open_store(few))))
        apart = replace(services, unit_of_work=own)  # those of the steps may all be taken, and leases are to be renewed

        def give_up(lease: Lease, thread: int, error: Exception) -> None:
            self._lose(thread)
            self._permits.end(thread)
            with own() as work:
                job = work.jobs.get(lease.job)
            with suppress(LeaseLost):  # it may have completed just now
                give_back(apart, job, lease, error)
            IN_HAND.discard(lease)

        ends = Ends(
            abandon=loop.abandon,
            too_long=too_long,
            give_up=give_up,
            retire=self._retire,
            tell_loop=loop.tell,
        )
        return LeaseKeeper(
            self._settings, own, services.clock, ends, dies_after_s=DIES_AFTER_LEASES * self._settings.lease_s
        )

    def in_threads(
        self, *, retire: Callable[[str], None], lose: Callable[[int], None], stops: Callable[[], bool], threads: int
    ) -> None:
        """Before the first step: how a process that runs many steps at once has itself replaced.

        Args:
            stops: Whether it begins with no step any more.
            retire: Has the worker take no more, end when its steps are over, and be replaced; told why.
            lose: Told of a thread that may never return.
            threads: How many steps it runs at a time; a quarter of them is kept from fan-outs that wait to begin.
        """
        self._retire, self._lose = retire, lose
        self._most_waiting = max(1, threads * 3 // 4)
        self._stops = lambda: self._ending or stops()

    def end_all(self) -> None:
        """End all steps of this process; they are given back."""
        self._ending = True
        if self._keeper is not None:
            self._keeper.end_all()

    def stop(self) -> None:
        """Close the connections."""
        self._services = None
        self._open.close()

    def run(self, job: JobId, stage: str, queue: str = "") -> None:
        """Run one step of one job, if it can be claimed; `queue` is the one that its message came by.

        For the stage `evaluate` the id is a conversation's, for `advance` a stability run's.

        A step that broke has been given back or is dead, and its reason is stored; the message has done its work. Only
        the kind of an unforeseen error is logged, since its text may hold content of the conversation.
        """
        if stage == EVALUATE:
            self._evaluate(job)
            return
        if stage == ADVANCE:
            self._go_on(job)
            return
        try:
            ran = self._run(self._services or self.start(), job, stage, queue)
        except LeaseLost as lost:
            log.info("%s", lost)
        except WorkerEnds:
            log.info("job %s, %s: given back, as this worker ends", job, stage)
        except DissolutionError as error:
            log.warning("job %s, %s: %s", job, stage, error)
        except Exception as error:  # noqa: BLE001 - whatever it was is stored with the step and must not end the process
            log.error("job %s, %s: %s", job, stage, type(error).__name__)  # noqa: TRY400 - a traceback may hold content
        else:
            log.info("job %s, %s: %s", job, stage, "done" if ran else "nothing to do")

    def _run(self, services: Services, job: JobId, stage: str, queue: str) -> bool:
        """Run the step here, or, of a very long conversation, in a process of its own."""
        self._began.at = time.monotonic()
        if self._queue is QueueClass.GIANT:
            return run_step_apart(services, job, stage, shared_limits=True)
        if self._queue is not QueueClass.IO:
            return run_step(services, job, stage)
        if stage != FIRST or self._pace is None:
            return self._in_turn(services, job, stage)
        if not self._pace.wait(job, self._stops, queue):
            return False
        try:
            return self._in_turn(services, job, stage)
        finally:
            self._pace.over()

    def _in_turn(self, services: Services, job: JobId, stage: str) -> bool:
        """Run the step with the turn of this thread."""
        with self._permits.taking():
            # A message that comes so late is left alone: the relay rings again.
            return not self._ending and run_step(services, job, stage)

    def _evaluate(self, conversation: str) -> None:
        """Let a conversation's triggers read the turns they have not read; what was not read the relay asks for again.

        The message carries nothing but an id, so nothing is lost with it.
        """
        try:
            evaluate(self._services or self.start(), conversation)
        except DissolutionError as error:
            log.warning("triggers of %r: %s", conversation, error)

    def _go_on(self, run: str) -> None:
        """Go on with a stability run; the relay asks again for what was not done."""
        if self._advance is None:
            log.warning(
                "stability run %s: this program cannot go on with it; start workers with `dissolve worker`", run
            )
            return
        try:
            done = self._advance(self._services or self.start(), run)
        except DissolutionError as error:
            log.warning("stability run %s: %s", run, error)
        except Exception as error:  # noqa: BLE001 - as above: the process goes on, and the run is asked for again
            log.error("stability run %s: %s", run, type(error).__name__)  # noqa: TRY400 - as above
        else:
            log.info("stability run %s: %d cells begun or measured", run, done)
