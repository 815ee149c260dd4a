"""The JobQueue over Celery: the one place that sends messages."""

import logging
import math
import time
from collections.abc import Callable

from dissolution.job import Lane
from dissolution.outbox import Ring
from workers.celery.app import ADVANCE, EVALUATE, App, task_name
from workers.pipeline import GIANT_QUEUES, QueueClass, queue_name

log = logging.getLogger(__name__)


EVALUATE_QUEUE = queue_name(QueueClass.CPU, Lane.INTERACTIVE)
"""Evaluations are short and new turns wait for them, so they go before the steps of jobs."""

ADVANCE_QUEUE = queue_name(QueueClass.CPU, Lane.STABILITY)
"""Measuring a cycle is work of the lane that its jobs wait in."""


REST_S = 5.0
"""How long nothing is sent after the broker was found away (s): a job rings for several steps at once, and whoever
submits it would wait for a connection that does not come for each of them."""


class CeleryQueue:
    """Rings by sending the step's message. A broker that is away loses the ring and nothing else.

    Args:
        app: What sends.
        now: Seconds that never run back.
    """

    def __init__(self, app: App, now: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._now = now
        self._rests_until = -math.inf

    def ring(self, ring: Ring) -> None:
        """Send one message; a failure is logged, and the relay sends it again.

        For steps of very long conversations the relay alone sends: it knows whose turn it is when there is room.
        """
        if ring.queue not in GIANT_QUEUES:
            self.sent(ring)

    def sent(self, ring: Ring) -> bool:
        """Send one message; False when the broker is away."""
        return self._send(ring.stage, ring.job, ring.queue, f"step {ring.stage} of job {ring.job}")

    def evaluation_sent(self, conversation: str) -> bool:
        """Ask a `cpu` worker to evaluate a conversation's triggers; False when the broker is away."""
        return self._send(EVALUATE, conversation, EVALUATE_QUEUE, "an evaluation")

    def advance_sent(self, run: str) -> bool:
        """Ask a `cpu` worker to go on with a stability run; False when the broker is away."""
        return self._send(ADVANCE, run, ADVANCE_QUEUE, f"stability run {run}")

    def _send(self, task: str, identifier: str, queue: str, shown: str) -> bool:
        if self._now() < self._rests_until:
            return False
        try:
            self._app.send_task(task_name(task), args=[identifier], queue=queue, retry=False)
        except broker_away() as error:
            self._rests_until = self._now() + REST_S
            log.warning("message for %s not sent: %s", shown, type(error).__name__)
            return False
        return True


def broker_away() -> tuple[type[Exception], ...]:
    """What Celery raises when its broker is away."""
    from kombu.exceptions import OperationalError
    from redis.exceptions import RedisError

    return (OperationalError, RedisError, OSError)
