"""Watched conversations whose triggers are to look at them: who sends messages, or does the work, asks here which."""

import logging
from datetime import datetime, timedelta

from dissolution.errors import DissolutionError
from dissolution.ports.models import Clock
from dissolution.ports.store import UnitOfWorkFactory
from workers.ready_steps import is_time
from workers.services import Services
from workers.triggers.evaluation import after_append

log = logging.getLogger(__name__)

WATCH_S = 2.0
"""Pause between two searches for watched conversations with something to decide (s)."""

BEHIND_LIMIT = 200
"""Such conversations that are taken up in one go."""


class DueEvaluations:
    """Remembers which conversations were taken up already: one whose evaluation fails is not tried all the time.

    Args:
        unit_of_work: The store.
        clock: Time.
        again_s: After so long a conversation that is still behind is taken up once more (s).
    """

    def __init__(self, unit_of_work: UnitOfWorkFactory, clock: Clock, again_s: float) -> None:
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._again = timedelta(seconds=again_s)
        self._look_at: datetime | None = None
        self._taken_at: dict[str, datetime] = {}

    def now(self) -> tuple[str, ...]:
        """The conversations to take up; none between two looks. Raises StoreError.

        Say `taken` of each that is asked for elsewhere, or could not be evaluated.
        """
        at = self._clock.now()
        if not is_time(self._look_at, at, timedelta(seconds=WATCH_S)):
            return ()
        self._look_at = at + timedelta(seconds=WATCH_S)
        with self._unit_of_work() as work:
            behind = work.triggers.behind(BEHIND_LIMIT, at)
        self._taken_at = {name: taken for name, taken in self._taken_at.items() if name in behind}
        again = {name: taken + self._again for name, taken in self._taken_at.items()}
        return tuple(name for name in behind if is_time(again.get(name), at, self._again))

    def taken(self, conversation: str) -> None:
        """Leave it alone for a while."""
        self._taken_at[conversation] = self._clock.now()


def evaluate(services: Services, conversation: str) -> bool:
    """Let a conversation's triggers decide, and whether they could; what they stumble over is logged.

    Only the kind of an unforeseen error is logged, since its text may hold content of the conversation.
    """
    try:
        evaluations = after_append(services, conversation)
    except DissolutionError as error:
        log.warning("triggers of %r: %s", conversation, error)
    except Exception as error:  # noqa: BLE001 - the process goes on, and the turns stay to be read
        log.error("triggers of %r: %s", conversation, type(error).__name__)  # noqa: TRY400 - a traceback may hold content
    else:
        fired = sum(one.decision.fires for one in evaluations)
        log.info("triggers of %r: %d decisions, %d firings", conversation, len(evaluations), fired)
        return True
    return False
