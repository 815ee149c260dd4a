"""Lets triggers decide inside the process of the HTTP service, as a relay and workers do elsewhere.

A request that appends turns has them read right after it was answered. This is for everything else: turns that came
with a new conversation or before anybody watched it, turns whose process was killed before they were read, the end of a
job that turns waited for, and the schedule, which comes due though nobody says anything.
"""

import logging
import threading

from dissolution.errors import StoreError
from workers.services import Services
from workers.triggers.due_evaluations import WATCH_S, DueEvaluations, evaluate

log = logging.getLogger(__name__)


class EmbeddedTriggers:
    """A thread of its own runs it: a step may wait minutes for a model, and a decision waits for no step.

    Args:
        services: Those of the process. Their bell is rung for the jobs that are fired.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._due = DueEvaluations(services.unit_of_work, services.clock, services.settings.resend_s)

    def run(self, stop: threading.Event) -> None:
        """Look again and again until `stop` is set. A database that is away is waited for."""
        while not stop.is_set():
            try:
                self.look(stop)
            except StoreError as error:
                log.warning("%s; triggers wait", error)
            stop.wait(WATCH_S)

    def look(self, stop: threading.Event | None = None) -> int:
        """Evaluate what is behind; how many conversations that were. Raises StoreError."""
        count = 0
        for conversation in self._due.now():
            if stop is not None and stop.is_set():
                break
            if not evaluate(self._services, conversation):
                self._due.taken(conversation)  # and not at once again
            count += 1
        return count
