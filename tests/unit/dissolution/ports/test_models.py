import inspect
from typing import Any, cast

from devtools.clock import FixedClock
from dissolution import outbox, recognising, service, stability, webhooks
from dissolution.clock import SystemClock
from dissolution.ports import frame as frame_store
from dissolution.ports import ledger as ledger_store
from dissolution.ports import models as ports
from dissolution.ports import store as store_ports
from dissolution.ports import triggers as trigger_store
from dissolution.ports.models import Clock
from tests.factories import INSTANT

PORTS = [
    member
    for module in (
        ports,
        store_ports,
        ledger_store,
        frame_store,
        trigger_store,
        service,
        webhooks,
        outbox,
        recognising,
        stability,
    )
    for _, member in inspect.getmembers(module, inspect.isclass)
    if member.__module__ == module.__name__ and getattr(member, "_is_protocol", False)
]


def test_the_ports_of_the_design_are_there() -> None:
    names = {port.__name__ for port in PORTS}
    assert names >= {"Member", "ChatModel", "Embedder", "TokenCounter", "JobStore", "BoundaryStore", "UnitOfWork"}
    assert names >= {"JobQueue", "Clock", "LedgerStore"}


def test_every_operation_says_what_it_does() -> None:
    operations = {
        f"{port.__name__}.{name}": member
        for port in cast("tuple[type[Any], ...]", tuple(PORTS))
        for name, member in {"": port, **vars(port)}.items()
        if not name.startswith("_")
    }
    assert [name for name, member in operations.items() if not inspect.getdoc(member)] == []


def test_both_clocks_are_clocks() -> None:
    clocks: tuple[Clock, ...] = (SystemClock(), FixedClock(INSTANT))
    assert all(clock.now().utcoffset() is not None for clock in clocks)
