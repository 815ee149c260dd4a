"""The JobQueue over Celery: the one place that sends messages."""

import logging

from dissolution.outbox import Ring
from workers.celery_app import App, task_name

log = logging.getLogger(__name__)


class CeleryQueue:
    """Rings by sending the step's message. A broker that is away loses the ring and nothing else."""

    def __init__(self, app: App) -> None:
        self._app = app

    def ring(self, ring: Ring) -> None:
        """Send one message; a failure is logged, and the relay sends it again."""
        self.sent(ring)

    def sent(self, ring: Ring) -> bool:
        """Send one message; False when the broker is away."""
        try:
            self._app.send_task(task_name(ring.stage), args=[ring.job], queue=ring.queue, retry=False)
        except broker_away() as error:
            log.warning("message for step %s of job %s not sent: %s", ring.stage, ring.job, type(error).__name__)
            return False
        return True


def broker_away() -> tuple[type[Exception], ...]:
    """What Celery raises when its broker is away."""
    from kombu.exceptions import OperationalError
    from redis.exceptions import RedisError

    return (OperationalError, RedisError, OSError)
