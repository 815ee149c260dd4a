"""Holding the leases of all steps of one process in one thread, and ending those that are not wanted any more.

A process that holds hundreds of steps cannot be killed for one of them, and a signal reaches none of its threads. So
time limits are deadlines: first what the step waits for is ended and what it computes ends at its next `check`; a step
that heeds neither is given up, so that its fence refuses whatever it brings, and the process is replaced.
"""

import faulthandler
import logging
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Self

from dissolution.checking import checked_by
from dissolution.errors import DissolutionError, LeaseLost, StoreError
from dissolution.job import Lease
from dissolution.ports.models import Clock
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from workers.execution.leases import LOOK_S, RENEWALS_PER_LEASE, resident_mb

log = logging.getLogger(__name__)

GIVEN_UP_AFTER_S = 60.0
"""How long a step may take to end after its time limit (s), before it is given up."""

LOOP_SILENT_S = 30.0
"""How long somebody's call may block the event loop (s) before the process is replaced: all steps wait for it."""


class WorkerEnds(BaseException):
    """The process ends: a step that meets this is given back, and its attempt does not count."""


@dataclass(eq=False)
class LeasedStep:
    """A step that this process works at."""

    lease: Lease
    thread: int
    began: float  # of time.monotonic
    renewed: float
    why_not: BaseException | None = None
    given_up: bool = field(default=False)

    def ask(self) -> None:
        """Raise why the step is to end."""
        if self.why_not is not None:
            raise self.why_not


@dataclass(frozen=True, kw_only=True)
class Ends:
    """How what is not wanted is ended.

    Args:
        abandon: Ends what a thread waits for, with this error.
        too_long: The error of a step over its time limit.
        give_up: Gives a step back whose thread does not return, under its lease; told its thread and the error.
        retire: Has the process replaced, for this reason.
        tell_loop: Has the event loop set an event.
    """

    abandon: Callable[[BaseException, int | None], None]
    too_long: Callable[[], Exception]
    give_up: Callable[[Lease, int, Exception], None]
    retire: Callable[[str], None]
    tell_loop: Callable[[threading.Event], None]


class LeaseKeeper:
    """One thread for the leases of all steps of a process. Use it in a `with` block.

    Args:
        settings: The limits.
        unit_of_work: Of its own connections: a pool that is used up must not cost anybody's lease.
        clock: The time that leases are measured by.
        ends: How what is not wanted is ended.
        dies_after_s: After how long without a turn for this thread (s) the process ends itself, whatever holds the
            interpreter; nothing of the kind when None.
    """

    def __init__(
        self,
        settings: Settings,
        unit_of_work: UnitOfWorkFactory,
        clock: Clock,
        ends: Ends,
        *,
        dies_after_s: float | None = None,
    ) -> None:
        self._settings = settings
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._ends = ends
        self._dies_after_s = dies_after_s
        self._held: list[LeasedStep] = []
        self._lock = threading.Lock()
        self._ending: WorkerEnds | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="leases", daemon=True)
        self._loop_alive = threading.Event()
        self._loop_asked = time.monotonic()
        self._loop_alive.set()
        self._look_s = min(LOOK_S, settings.lease_s / RENEWALS_PER_LEASE)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @contextmanager
    def holding(self, lease: Lease) -> Generator[None]:
        """Renew `lease` until the block ends, and end the step of this thread when it is no longer wanted."""
        now = time.monotonic()
        left_s = (lease.until - self._clock.now()).total_seconds()  # of one that waited since its claim, less
        renewed = now - max(0.0, self._settings.lease_s - left_s)
        with self._lock:
            held = LeasedStep(lease, threading.get_ident(), now, renewed, self._ending)
            self._held.append(held)
        try:
            with checked_by(held.ask):
                held.ask()
                yield
        finally:
            with self._lock:
                self._held.remove(held)
            # What a member computes past its deadline must not go on.
            held.why_not = held.why_not or LeaseLost(lease.job, lease.stage, lease.epoch)

    @property
    def at_work(self) -> int:
        """How many steps are at work and have not been given up."""
        with self._lock:
            return sum(not one.given_up for one in self._held)

    def end_all(self) -> None:
        """End every step, those that begin from now on among them; they are given back."""
        with self._lock:
            self._ending = WorkerEnds()
            held = tuple(self._held)
        for one in held:
            self._end(one, self._ending)

    def _end(self, one: LeasedStep, error: BaseException) -> None:
        with self._lock:
            if one in self._held:  # else its thread is at another step by now
                one.why_not = one.why_not or error
                self._ends.abandon(one.why_not, one.thread)

    def _keep(self) -> None:
        while not self._over.wait(self._look_s):
            if self._dies_after_s is not None:
                # A thread of the C library's: it needs no turn of the interpreter, which somebody may hold for ever.
                faulthandler.dump_traceback_later(self._dies_after_s, exit=True, file=sys.__stderr__ or sys.stderr)
            with self._lock:
                held = tuple(one for one in self._held if not one.given_up)
            try:
                self._look(held)
            except Exception as error:  # noqa: BLE001 - this thread is everybody's: it must outlive whatever it meets
                log.error("leases: %s", type(error).__name__)  # noqa: TRY400 - a traceback may hold content
        faulthandler.cancel_dump_traceback_later()

    def _look(self, held: Sequence[LeasedStep]) -> None:
        now = time.monotonic()
        with suppress(StoreError):  # busy or away for a moment: the leases still run, and the next look tries again
            self._renew(held, now)
        for one in held:
            over_s = now - one.began - self._settings.step_limit_s
            if over_s > 0:
                self._end(one, self._ends.too_long())
            elif one.why_not is not None:
                self._end(one, one.why_not)  # again: it may have begun to wait only after it was told
            if over_s > GIVEN_UP_AFTER_S:
                self._give_up(one)
        if (now_mb := resident_mb()) > self._settings.max_memory_mb:
            self._ends.retire(f"it has {now_mb:.0f} MB; the setting 'max_memory_mb' is {self._settings.max_memory_mb}")
        self._listen(now)

    def _renew(self, held: Sequence[LeasedStep], now: float) -> None:
        """Renew what is due, and find out whose job has ended."""
        wanted = [one for one in held if not isinstance(one.why_not, LeaseLost)]
        due = [one for one in wanted if now - one.renewed >= self._settings.lease_s / RENEWALS_PER_LEASE]
        if not wanted:
            return
        with self._unit_of_work() as work:
            if due:
                leases = [one.lease for one in due]
                kept = work.jobs.renew_all(leases, self._clock.now(), self._settings.lease_s)
                work.commit()
                still = {(lease.job, lease.stage): lease.until for lease in kept}
                lost = [one for one in due if (one.lease.job, one.lease.stage) not in still]
                for one in due:
                    if still.get((one.lease.job, one.lease.stage)) != one.lease.until:  # else somebody had its row
                        one.renewed = now
            else:
                ended = work.jobs.ended({one.lease.job for one in wanted})
                lost = [one for one in wanted if one.lease.job in ended]
        for one in lost:
            self._end(one, LeaseLost(one.lease.job, one.lease.stage, one.lease.epoch))

    def _give_up(self, one: LeasedStep) -> None:
        """Its thread may never return: from here on its lease is worth nothing, and somebody else takes the step."""
        one.given_up = True
        log.error(
            "job %s, %s: did not end within %g s after its limit; it is given up, and its thread with it",
            one.lease.job,
            one.lease.stage,
            GIVEN_UP_AFTER_S,
        )
        try:
            self._ends.give_up(one.lease, one.thread, self._ends.too_long())
        except DissolutionError as error:
            log.warning("job %s, %s: %s; its lease runs out instead", one.lease.job, one.lease.stage, error)
        self._ends.retire("a step's thread did not return")

    def _listen(self, now: float) -> None:
        """Ask the event loop for a sign of life."""
        if self._loop_alive.is_set():
            self._loop_alive.clear()
            self._loop_asked = now
            self._ends.tell_loop(self._loop_alive)
        elif now - self._loop_asked > LOOP_SILENT_S:
            self._ends.retire(f"something has blocked the event loop for {LOOP_SILENT_S:g} s")
