"""What one look of the relay costs with thousands of jobs behind it.

usage: python benchmarks/relay.py [--jobs 10000]

Stores jobs as `dissolve enqueue` does, in a SQLite file of its own, and times the looks: the first, which fills the
queues; those with full queues; and those that find room for a few.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from dissolution.clock import SystemClock
from dissolution.conversation import Conversation, Language, Role, Turn
from dissolution.job import Lane
from dissolution.outbox import Ring
from dissolution.policy import Policy
from dissolution.settings import Settings
from dissolution.values import NotMeasured
from triggers.submit import Request, submit
from workers.bootstrap import open_store
from workers.pipeline import STAGE_NAMES, first_queues
from workers.relay import Relay
from workers.services import NoBell

FLEET = "roster:fleet.toml"
LOOKS = 50


class Broker:
    """Counts what it is sent, by queue."""

    def __init__(self) -> None:
        self.waiting: dict[str, int] = {}

    def depth(self, queue: str) -> int:
        """Messages that wait."""
        return self.waiting.get(queue, 0)

    def lost_everything(self) -> bool:
        """Never."""
        return False

    def sent(self, ring: Ring) -> bool:
        """Always."""
        self.waiting[ring.queue] = self.waiting.get(ring.queue, 0) + 1
        return True


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=10_000)
    count: int = parser.parse_args().jobs
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(db=f"sqlite:///{Path(folder) / 'ledger.sqlite3'}", embedder="hashing")
        store, clock, broker = open_store(settings), SystemClock(), Broker()
        started = time.perf_counter()
        for number in range(count):
            submit(
                Request(conversation=conversation(number), fleet=FLEET, policy=Policy(), lane=Lane.BATCH),
                unit_of_work=store,
                clock=clock,
                queue=NoBell(),
                stages=STAGE_NAMES,
                ready=first_queues(FLEET, Lane.BATCH),
            )
        print(f"{count} jobs stored in {time.perf_counter() - started:.1f} s")
        relay = Relay(settings, unit_of_work=store, clock=clock, doorbell=broker, sender=broker)
        first = timed(relay)
        full = [timed(relay) for _ in range(LOOKS)]
        room: list[float] = []
        for _ in range(LOOKS):
            broker.waiting = {queue: depth - 20 for queue, depth in broker.waiting.items()}
            room.append(timed(relay))
        print(f"first look, which searches for strays and sends {settings.queue_window}: {first * 1000:.1f} ms")
        print(
            f"a look with full queues: median {statistics.median(full) * 1000:.1f} ms, most {max(full) * 1000:.1f} ms"
        )
        print(f"a look that sends 20: median {statistics.median(room) * 1000:.1f} ms, most {max(room) * 1000:.1f} ms")


def timed(relay: Relay) -> float:
    started = time.perf_counter()
    relay.look()
    return time.perf_counter() - started


def conversation(number: int) -> Conversation:
    turn = Turn(number=1, role=Role.USER, speaker="ann", content="We use PostgreSQL.", recorded_at=SystemClock().now())
    language = Language(code="en", confidence=NotMeasured(not_measured="made up"))
    return Conversation(id=f"case-{number:06}", turns=(turn,), language=language)


if __name__ == "__main__":
    main()
