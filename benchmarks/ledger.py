"""Times of a large ledger: current boundary, readings as of a moment, commit, act, roll-back.

usage: python benchmarks/ledger.py [--claims 100000] [--open 300] [--cycle 250] [--db URL | --postgresql] [--repeat 15]

Builds one conversation's ledger through the store's own commits: every cycle says `--cycle` new claims and closes as
many old ones (superseded, with the turn cited), so that `--open` stay open and `--claims` were claimed in all. A claim
that is closed has two rows, one as it was held and one as it ended. Each claim has a quote and three statements of
three families. A database given by `--db` is filled once and used again. Then times single operations, each in a unit
of work of its own, on the warm ledger: least, median and 95th percentile of `--repeat` (ms), and the median of this
process's own time on the processor. On a busy machine the least is nearest to what an idle one would take. The load of
the machine is printed with them. The measured commit is of another kind: it says 20 held claims again, adds 10, closes
5, and carries all others. Goals (issue 5): current boundary under 50 ms, reading as of a moment under 100 ms, commit
under 100 ms with SQLite.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from ledger_parts import NAME, START, Ledger, build, found

from dissolution.intervals import Moment
from dissolution.ledger import Act, LedgerEventKind
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory


class Times(NamedTuple):
    """Least, median and 95th percentile of the wall time, and the median of the processor time (ms)."""

    least: float
    median: float
    worst: float
    processor: float

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]]) -> "Times":
        """From pairs of wall and processor time (s)."""
        wall = sorted(pair[0] * 1000 for pair in pairs)
        last = max(0, round(len(wall) * 0.95) - 1)
        processor = statistics.median(pair[1] * 1000 for pair in pairs)
        return cls(wall[0], statistics.median(wall), wall[last], processor)


def timed(repeat: int, act: Callable[[int], object]) -> Times:
    """The times of `repeat` calls."""
    pairs: list[tuple[float, float]] = []
    for number in range(repeat):
        started, used = time.perf_counter(), time.process_time()
        act(number)
        pairs.append((time.perf_counter() - started, time.process_time() - used))
    return Times.of(pairs)


def readings(ledger: Ledger) -> Sequence[tuple[str, Callable[[int], object]]]:
    """What is timed that changes nothing."""
    version = (ledger.current.version if ledger.current else None) or 1
    turn = version // 2

    def read(act: Callable[[SqlUnitOfWorkFactory], object]) -> Callable[[int], object]:
        return lambda _: act(ledger.units)

    def as_of(units: SqlUnitOfWorkFactory, **moment: int | datetime) -> object:
        with units() as unit:
            return unit.ledger.as_of(NAME, Moment.model_validate(moment))

    def current(units: SqlUnitOfWorkFactory) -> object:
        with units() as unit:
            return unit.boundaries.current(NAME)

    def at_version(units: SqlUnitOfWorkFactory, number: int) -> object:
        with units() as unit:
            return unit.ledger.at_version(NAME, number)

    middle = START + timedelta(hours=version / 2)
    return (
        ("current boundary", read(current)),
        ("boundary of the middle version", read(lambda units: at_version(units, version // 2))),
        ("as of the middle turn, as known now", read(lambda units: as_of(units, turn=turn))),
        ("as of the middle turn, as known then", read(lambda units: as_of(units, turn=turn, version=version // 2))),
        ("as of the first turn, as known in the middle", read(lambda units: as_of(units, turn=2, recorded=middle))),
    )


def commits(ledger: Ledger, repeat: int) -> Times:
    """The times of commits that say 20 claims again, add 10 and close 5; candidates are made beforehand."""
    pairs: list[tuple[float, float]] = []
    for _ in range(repeat):
        through = min(len(ledger.talk.turns), (ledger.current.through if ledger.current else 0) + 1)
        candidate = ledger.candidate(ledger.job(through), 20, 10, 5)
        started, used = time.perf_counter(), time.process_time()
        ledger.commit(candidate)
        pairs.append((time.perf_counter() - started, time.process_time() - used))
    return Times.of(pairs)


def acts(ledger: Ledger, repeat: int) -> Sequence[tuple[str, Times]]:
    """The times of pinning and of rolling back."""
    current = ledger.current
    if current is None or current.version is None:
        return ()
    version, claim = current.version, current.claims[0].id

    def pin(number: int) -> None:
        kind = LedgerEventKind.UNPINNED if number % 2 else LedgerEventKind.PINNED
        with ledger.units() as unit:
            act = Act(kind=kind, claim=claim, actor="ann", reason="to be timed")
            unit.ledger.act(NAME, act, version + number, START)
            unit.commit()

    def back(number: int) -> None:
        with ledger.units() as unit:
            present = unit.boundaries.version(NAME)
            target = present - 3 if number % 2 == 0 else present - 1
            unit.ledger.roll_back(NAME, target, present, START, actor="ann", reason="to be timed")
            unit.commit()

    return (("pin one claim", timed(repeat, pin)), ("roll back three versions, and forth", timed(repeat, back)))


def show(name: str, times: Times) -> None:
    """One line of the table."""
    print(f"{name:48}{times.least:10.1f}{times.median:12.1f}{times.worst:10.1f}{times.processor:14.1f}", flush=True)


@contextmanager
def database(url: str | None, *, postgresql: bool) -> Generator[str]:
    """The URL of the database to fill."""
    with tempfile.TemporaryDirectory() as folder:
        if postgresql:
            from pgserver.postgres_server import get_server

            server = get_server(Path(folder), cleanup_mode="delete")
            yield server.get_uri()
            server.cleanup()
        else:
            yield url or f"sqlite:///{folder}/ledger.sqlite3"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--open", type=int, default=300)
    parser.add_argument("--cycle", type=int, default=250)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--db", default=None)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    with database(options.db, postgresql=options.postgresql) as url:
        units = sql_unit_of_work_factory(url)
        started = time.perf_counter()
        ledger = found(units, options.claims) or build(units, options.claims, options.open, options.cycle)
        version = ledger.current.version if ledger.current else 0
        kind = "PostgreSQL" if options.postgresql or "postgres" in url else "SQLite"
        print(f"{kind}: {options.claims} claims, {options.open} open, {version} versions")
        print(f"built or opened in {time.perf_counter() - started:.0f} s")
        print(f"load average before the timing: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        print(f"{'operation':48}{'least ms':>10}{'median ms':>12}{'p95 ms':>10}{'processor ms':>14}")
        show("commit: 20 said again, 10 new, 5 closed", commits(ledger, options.repeat))
        for name, act in readings(ledger):
            act(0)
            show(name, timed(options.repeat, act))
        for name, times in acts(ledger, options.repeat):
            show(name, times)
        units.close()


if __name__ == "__main__":
    main()
