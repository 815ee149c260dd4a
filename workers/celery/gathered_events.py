"""Celery's consumer, sending the events of steps gathered: one message of many, not one for each as it happens.

Celery sends the events it has buffered in the next turn of its loop, so each alone; each costs a client of Redis and a
round trip, which together was a tenth of what an `io` process computed. Who watches (Flower, metrics) sees them half a
second later.
"""

from typing import Any, cast

from celery.worker import consumer

EVENTS_S = 0.5
"""How long events are gathered (s)."""


Base: Any = cast("Any", consumer).Consumer  # Celery ships no types


class Consumer(Base):
    """As Celery's."""

    def register_with_event_loop(self, hub: Any) -> None:  # noqa: ANN401 - as above
        """Begin with a connection: events are sent again and again from now on; the loop ends that with it."""
        super().register_with_event_loop(hub)  # pyright: ignore[reportUnknownMemberType] - as above
        hub.call_repeatedly(EVENTS_S, self._flush_events)

    def on_send_event_buffered(self) -> None:
        """An event is buffered, and goes with the next ones."""
