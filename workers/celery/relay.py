"""The relay: the loop that sends what is due, again if need be. Any number of them may run.

Redis holds a window of messages a queue; the rest waits in SQL. So ten thousand queued jobs cost Redis nothing, a wiped
Redis loses a window, and what is sent twice is a message that finds its step claimed.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from dissolution.errors import StoreError
from dissolution.outbox import OutboxRow, Ring
from dissolution.ports.models import Clock
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.settings import Settings
from workers.concurrency.processes import is_gone
from workers.execution.due_runs import DueRuns
from workers.pipeline import GIANT_QUEUES, QueueClass, queues_of
from workers.ready_steps import Sender, announce, is_time, rein_in
from workers.redis.queue_state import Doorbell
from workers.triggers.due_evaluations import DueEvaluations

log = logging.getLogger(__name__)

ALL_QUEUES = tuple(name for queue in QueueClass for name in queues_of(queue))

REFILLED = 0.25
"""Share of a queue's window that must have come free before it is filled again."""

GIANT_WINDOW = 1
"""Messages of very long conversations in one queue of Redis: whose turn it is next is decided when there is room."""

HELD_LIMIT = 500
"""Running steps whose owners are looked after in one go: more than one machine runs at a time."""

STRAYS_LIMIT = 100
"""Jobs without a ring that are taken up in one go."""

SWEEP_S = 10.0
"""Pause between two searches for such jobs (s). There are none unless a program was changed under its jobs."""


@dataclass(frozen=True, kw_only=True)
class RelayRound:
    """What one look of the relay did."""

    sent: int = 0  # messages
    lost: bool = False  # the broker had lost everything
    orphans: int = 0  # steps whose process on this machine is gone
    strays: int = 0  # jobs without a ring
    behind: int = 0  # watched conversations whose evaluation was asked for
    runs: int = 0  # stability runs that somebody was asked to go on with


class Relay:
    """One relay.

    Args:
        settings: How often, how much, and when again.
        unit_of_work: The store.
        clock: Time.
        doorbell: What the broker says of itself.
        sender: Sends messages.
        evaluator: Asks a worker to evaluate a conversation's triggers; whether it could. Nobody is asked if None.
        advancer: Asks a worker to go on with a stability run; whether it could. Nobody is asked if None.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        unit_of_work: UnitOfWorkFactory,
        clock: Clock,
        doorbell: Doorbell,
        sender: Sender,
        evaluator: Callable[[str], bool] | None = None,
        advancer: Callable[[str], bool] | None = None,
    ) -> None:
        self._advancer = advancer
        self._due_runs = DueRuns(unit_of_work, clock, settings.resend_s)
        self._due_evaluations = DueEvaluations(unit_of_work, clock, settings.resend_s)
        self._settings = settings
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._doorbell = doorbell
        self._sender = sender
        self._evaluator = evaluator
        self._sweep_at: datetime | None = None
        self._orphaned: dict[tuple[Ring, str], datetime] = {}

    def run(self, stop: threading.Event) -> None:
        """Look again and again until `stop` is set. A database or broker that is away is waited for."""
        away = False
        while not stop.wait(self._settings.relay_s):
            try:
                turn = self.look()
            except StoreError as error:
                if not away:
                    log.warning("%s; the relay goes on trying", error)
                away = True
                continue
            away = False
            if turn != RelayRound():
                log.info(
                    "sent %d%s%s",
                    turn.sent,
                    ", Redis had lost everything" if turn.lost else "",
                    f", {turn.orphans} steps of processes that are gone" if turn.orphans else "",
                )

    def look(self) -> RelayRound:
        """Send what is due now, once. Raises StoreError."""
        lost = self._doorbell.lost_everything()
        strays = self._sweep()
        behind = self._ask_for_evaluations()
        runs = self._ask_for_runs()
        rooms = {queue: room for queue in ALL_QUEUES if (room := self._room(queue)) > 0}
        with self._unit_of_work() as work:
            now = self._clock.now()
            if lost:
                work.outbox.bring_forward(now)
            due = [
                ring for queue in rooms for ring in work.outbox.take(queue, now, rooms[queue], self._settings.resend_s)
            ]
            held = work.outbox.held(now, HELD_LIMIT)
            if lost or due:
                work.commit()
        orphans = self._orphans(held, now)
        sent, again = self._send(due), self._send(orphans)
        return RelayRound(sent=sent, lost=lost, orphans=again, strays=strays, behind=behind, runs=runs)

    def _room(self, queue: str) -> int:
        """How many messages the queue has room for; none while the broker is away, or while it is nearly full.

        Whose turn it is is found by looking at all that is due, so it is not looked for anew for every few messages.
        """
        depth = self._doorbell.depth(queue)
        window = GIANT_WINDOW if queue in GIANT_QUEUES else self._settings.queue_window
        room = 0 if depth is None else window - depth
        return room if room >= REFILLED * window else 0

    def _send(self, rings: Sequence[Ring]) -> int:
        """Send messages until the broker is away; how many were sent."""
        for count, ring in enumerate(rings):
            if not self._sender.sent(ring):
                self._unsent(rings[count:])
                return count
        return len(rings)

    def _unsent(self, rings: Sequence[Ring]) -> None:
        """The broker went away in between: what counts as sent was not."""
        with self._unit_of_work() as work:
            now = self._clock.now()
            for ring in rings:
                work.outbox.bring_forward(now, job=ring.job, stage=ring.stage)
            work.commit()

    def _orphans(self, held: Sequence[OutboxRow], now: datetime) -> list[Ring]:
        """Steps whose process on this machine has ended, each now and then: their leases need not run out."""
        gone = {(row.ring, row.owner) for row in held if row.owner is not None and is_gone(row.owner)}
        self._orphaned = {key: at for key, at in self._orphaned.items() if key in gone}
        again = now - timedelta(seconds=self._settings.resend_s)
        fresh = [key for key in gone if not again < self._orphaned.get(key, again) <= now]
        self._orphaned.update(dict.fromkeys(fresh, now))
        return [ring for ring, _ in fresh]

    def _sweep(self) -> int:
        """Want rings for jobs that have none, now and then; how many jobs that were. Money of dead steps is settled."""
        now = self._clock.now()
        if not is_time(self._sweep_at, now, timedelta(seconds=SWEEP_S)):
            return 0
        self._sweep_at = now + timedelta(seconds=SWEEP_S)
        with self._unit_of_work() as work:
            reined_in = rein_in(work, now, self._settings)
            left_reserved = work.money.release_orphans(now)
            strays = work.outbox.strays(STRAYS_LIMIT)
            for job in strays:
                announce(work, job, now)
            if strays or left_reserved or reined_in:
                work.commit()
        return len(strays)

    def _ask_for_evaluations(self) -> int:
        """Ask for the evaluation of watched conversations that are behind, again if need be; how many were asked for.

        So an append whose process died before its triggers read it is read all the same, and a schedule comes due
        though nobody says anything.
        """
        if self._evaluator is None:
            return 0
        wanted = self._due_evaluations.now()
        for count, name in enumerate(wanted):
            if not self._evaluator(name):
                return count
            self._due_evaluations.taken(name)
        return len(wanted)

    def _ask_for_runs(self) -> int:
        """Ask for stability runs of workers in which something can be done, again if need be; how many that were."""
        if self._advancer is None:
            return 0
        wanted = self._due_runs.now()
        for count, run in enumerate(wanted):
            if not self._advancer(run):
                return count
            self._due_runs.taken(run)
        return len(wanted)
