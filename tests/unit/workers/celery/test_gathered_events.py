"""Events of steps are sent together, a little later."""

from collections.abc import Callable
from typing import Any, cast

from celery.worker import consumer

from workers.celery.gathered_events import EVENTS_S, Consumer


class Hub:
    """Remembers what it is to do."""

    def __init__(self) -> None:
        self.soon: list[object] = []
        self.repeated: list[tuple[float, Callable[[], None]]] = []

    def call_soon(self, call: object) -> None:
        self.soon.append(call)

    def call_repeatedly(self, wait_s: float, call: Callable[[], None]) -> None:
        self.repeated.append((wait_s, call))


class Sends:
    """Stands for what sends events, and for the consumer's parts."""

    def __init__(self) -> None:
        self.sent = 0

    def flush(self) -> None:
        self.sent += 1

    def send_all(self, *_: object, **__: object) -> None:
        """Nothing."""


def test_an_event_waits_for_the_next_look_and_is_sent_then() -> None:
    assert issubclass(Consumer, cast("type[Any]", consumer.Consumer))
    one = Consumer.__new__(Consumer)
    hub, sends = Hub(), Sends()
    one.hub, one.event_dispatcher, one.blueprint = hub, sends, sends
    one.register_with_event_loop(hub)
    one.on_send_event_buffered()
    assert (hub.soon, sends.sent) == ([], 0)
    ((wait_s, look),) = hub.repeated
    look()
    assert (wait_s, sends.sent) == (EVENTS_S, 1)
