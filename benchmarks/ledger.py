"""Times of a large ledger: current boundary, readings as of a moment, commit, act, roll-back, recall.

usage: python benchmarks/ledger.py [--claims 100000] [--open 300] [--cycle 250] [--db URL | --postgresql] [--repeat 15]

Builds one conversation's ledger through the store's own commits: every cycle says `--cycle` new claims and closes as
many old ones (superseded, with the turn cited), so that `--open` stay open and `--claims` were claimed in all. A claim
that is closed has two rows, one as it was held and one as it ended. Each claim has a quote and three statements of
three families. Then times single operations, each in a unit of work of its own, on the warm ledger: median and 95th
percentile of `--repeat` (ms). The measured commit is of another kind: it says 20 held claims again, adds 10, closes 5,
and carries all others. Goals (issue 5): current boundary under 50 ms, reading as of a moment under 100 ms, commit under
100 ms with SQLite.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from dissolution.boundary import BoundaryState
from dissolution.claims import (
    Claim,
    ClaimState,
    Closing,
    Dissent,
    DissentReason,
    Evidence,
    Section,
    StatedClaim,
    Statement,
    Support,
)
from dissolution.conversation import Conversation, Language, Role, Turn
from dissolution.findings import GateDecision, Verdict
from dissolution.intervals import Moment, TurnInterval
from dissolution.job import Job
from dissolution.ledger import Act, Change, ChangeKind, LedgerEventKind, Query
from dissolution.policy import Policy
from dissolution.receipt import Cost, Receipt
from dissolution.values import NotMeasured
from store.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory

START = datetime(2026, 1, 1, tzinfo=UTC)
UNKNOWN = NotMeasured(not_measured="a benchmark asks nobody")
FAMILIES = ("alpha", "beta", "gamma")
NOUNS = ("shop", "budget", "schema", "harbour", "invoice", "cluster", "patient", "contract", "museum", "compiler")
SECTIONS = (Section.KNOWN, Section.KNOWN, Section.DECIDED, Section.EDGES, Section.IDENTITY)
NAME = "large"


def a_talk(turns: int) -> Conversation:
    """A conversation of so many turns of about 20 words."""
    said = (
        Turn(
            number=number,
            role=Role.USER if number % 2 else Role.ASSISTANT,
            speaker="Ann" if number % 2 else "Bob",
            content=f"In turn {number} the {NOUNS[number % 10]} number {number} is set to {number * 7}, as agreed "
            "with everybody who was there, and it stays so until somebody says otherwise.",
            recorded_at=START + timedelta(minutes=number),
        )
        for number in range(1, turns + 1)
    )
    return Conversation(id=NAME, turns=tuple(said), language=Language(code="en", confidence=UNKNOWN))


def a_claim(number: int, turn: Turn) -> Claim:
    """One claim with a quote and three statements."""
    section = SECTIONS[number % len(SECTIONS)]
    text = f"The {NOUNS[number % 10]} number {number} is set to {number * 7}, as agreed with everybody."
    words = turn.content.split(",")[0]
    said = StatedClaim(section=section, text=text, turns=(turn.number,), quotes=(words,))
    statements = (
        Statement(member=f"{family}-1", family=family, ordinal=number % 40, claim=said) for family in FAMILIES
    )
    return Claim(
        id=f"c{number:012x}",
        section=section,
        text=text,
        evidence=(Evidence(turn=turn.number, start=0, end=len(words), text=words),),
        support=Support(members=tuple(f"{family}-1" for family in FAMILIES), families=FAMILIES),
        valid=TurnInterval(start=turn.number),
        statements=tuple(statements),
        reason="3 of 3 families state it",
    )


def ended(claim: Claim, turn: Turn) -> Claim:
    """The claim, superseded in a turn."""
    words = turn.content.split(",")[0]
    quote = Evidence(turn=turn.number, start=0, end=len(words), text=words)
    closing = Closing(state=ClaimState.SUPERSEDED, evidence=(quote,), reason=f"turn {turn.number} says otherwise")
    end = max(claim.valid.start, turn.number)
    update = {"state": ClaimState.SUPERSEDED, "closing": closing, "carried": 0}
    return claim.model_copy(update={**update, "valid": TurnInterval(start=claim.valid.start, end=end)})


class Ledger:
    """One conversation's ledger in a database, grown by commits."""

    def __init__(self, units: SqlUnitOfWorkFactory, talk: Conversation) -> None:
        self.units = units
        self.talk = talk
        self.claimed = 0
        self.jobs = 0
        self.current: BoundaryState | None = None
        with units() as unit:
            unit.conversations.extend(talk)
            unit.commit()

    def job(self, through: int) -> Job:
        """A stored job on the turns so far."""
        self.jobs += 1
        snapshot = self.talk.snapshot(through)
        job = Job(
            id=f"j{self.jobs:08}",
            conversation=NAME,
            through=through,
            snapshot_digest=snapshot.digest,
            fleet="extractive",
            policy=Policy(),
            created_at=START,
        )
        with self.units() as unit:
            unit.jobs.add(job, ("commit",))
            unit.commit()
        return job

    def candidate(self, job: Job, said: int, added: int, closed: int) -> BoundaryState:
        """What a cycle hands to the commit: `said` claims again, `added` new ones, the oldest `closed` ended."""
        turn = self.talk.turn(job.through)
        held = () if self.current is None else self.current.claims
        new = [a_claim(self.claimed + number, turn) for number in range(added)]
        self.claimed += added
        again = [claim.model_copy(update={"state": ClaimState.CURRENT, "carried": 0}) for claim in held[closed:][:said]]
        rest = held[closed + said :]
        silent = [
            claim.model_copy(update={"state": ClaimState.CARRIED, "carried": claim.carried + 1}) for claim in rest
        ]
        ends = [ended(claim, turn) for claim in held[:closed]]
        kinds = (
            (ChangeKind.AFFIRMED, again),
            (ChangeKind.ADDED, new),
            (ChangeKind.CLOSED, ends),
            (ChangeKind.CARRIED, silent),
        )
        changes = (Change(kind=kind, claim=one.id, reason=kind.value) for kind, claims in kinds for one in claims)
        return BoundaryState(
            conversation=NAME,
            job=job.id,
            through=job.through,
            snapshot_digest=job.snapshot_digest,
            decision=GateDecision(verdict=Verdict.COMMIT_DEGRADED, reasons=("a benchmark",)),
            claims=(*again, *silent, *new),
            dissent=() if held else (a_dissent(self.talk),),
            closed=tuple(ends),
            changes=tuple(changes),
        )

    def commit(self, candidate: BoundaryState) -> None:
        """Commit a candidate in one unit of work."""
        version = 0 if self.current is None else self.current.version or 0
        receipt = a_receipt(candidate)
        with self.units() as unit:
            at = START + timedelta(hours=version)
            self.current = unit.boundaries.commit(candidate, receipt, version, at)
            unit.commit()


def a_dissent(talk: Conversation) -> Dissent:
    """One dissent, so that there is some."""
    claim = a_claim(0, talk.turn(1))
    facts = claim.model_dump(include={"section", "text", "evidence", "support", "statements"})
    return Dissent(id="d0", reason=DissentReason.FEW_FAMILIES, detail="one family of three", **facts)


def a_receipt(candidate: BoundaryState) -> Receipt:
    """A receipt without members."""
    cost = Cost(
        estimated_input_tokens=0,
        estimated_usd=Decimal(0),
        used_input_tokens=0,
        used_cached_input_tokens=0,
        used_output_tokens=0,
        used_usd=Decimal(0),
        cap_usd=Decimal(1),
    )
    return Receipt(
        job=candidate.job,
        conversation=NAME,
        through=candidate.through,
        snapshot_digest=candidate.snapshot_digest,
        language=Language(code="en", confidence=UNKNOWN),
        redactions={},
        fleet="none",
        prompt=UNKNOWN,
        members=(),
        quorum=UNKNOWN,
        consensus=UNKNOWN,
        stages=(),
        decision=candidate.decision,
        cost=cost,
        policy=Policy(),
        policy_digest=Policy().digest,
        software="0.1.0",
        started_at=START,
        ended_at=START,
    )


def build(units: SqlUnitOfWorkFactory, claims: int, held: int, cycle: int) -> Ledger:
    """A ledger of `claims` claims of which `held` are open, from cycles that add and close `cycle` each."""
    cycles = 1 + -(-(claims - held) // cycle)
    ledger = Ledger(units, a_talk(cycles + 200))
    ledger.commit(ledger.candidate(ledger.job(1), 0, held, 0))
    for number in range(2, cycles + 1):
        added = min(cycle, claims - ledger.claimed)
        ledger.commit(ledger.candidate(ledger.job(number), 0, added, added))
    return ledger


def timed(repeat: int, act: Callable[[int], object]) -> tuple[float, float]:
    """Median and 95th percentile of `repeat` calls (ms)."""
    times: list[float] = []
    for number in range(repeat):
        started = time.perf_counter()
        act(number)
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times), sorted(times)[max(0, round(repeat * 0.95) - 1)]


def readings(ledger: Ledger) -> Sequence[tuple[str, Callable[[int], object]]]:
    """What is timed that changes nothing."""
    version = (ledger.current.version if ledger.current else None) or 1
    turn = version // 2

    def read(act: Callable[[SqlUnitOfWorkFactory], object]) -> Callable[[int], object]:
        return lambda _: act(ledger.units)

    def as_of(units: SqlUnitOfWorkFactory, **moment: int | datetime) -> object:
        with units() as unit:
            return unit.ledger.as_of(NAME, Moment.model_validate(moment))

    def recall(units: SqlUnitOfWorkFactory, *, open_only: bool) -> object:
        with units() as unit:
            return unit.ledger.recall(NAME, Query(text="Where is the harbour?", open_only=open_only))

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
        ("recall among open claims", read(lambda units: recall(units, open_only=True))),
        ("recall among all claims", read(lambda units: recall(units, open_only=False))),
    )


def commits(ledger: Ledger, repeat: int) -> tuple[float, float]:
    """The time of commits that say 20 claims again, add 10 and close 5 (ms); candidates are made beforehand."""
    times: list[float] = []
    for _ in range(repeat):
        through = min(len(ledger.talk.turns), (ledger.current.through if ledger.current else 0) + 1)
        candidate = ledger.candidate(ledger.job(through), 20, 10, 5)
        started = time.perf_counter()
        ledger.commit(candidate)
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times), sorted(times)[max(0, round(repeat * 0.95) - 1)]


def acts(ledger: Ledger, repeat: int) -> Sequence[tuple[str, tuple[float, float]]]:
    """The times of pinning and of rolling back (ms)."""
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


@contextmanager
def database(url: str | None, *, postgresql: bool) -> Iterator[str]:
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
        ledger = build(units, options.claims, options.open, options.cycle)
        version = ledger.current.version if ledger.current else 0
        kind = "PostgreSQL" if options.postgresql or "postgres" in url else "SQLite"
        print(f"{kind}: {ledger.claimed} claims, {options.open} open, {version} versions")
        print(f"built in {time.perf_counter() - started:.0f} s")
        print(f"{'operation':48}{'median ms':>12}{'p95 ms':>10}")
        for name, act in readings(ledger):
            act(0)
            print("{:48}{:12.1f}{:10.1f}".format(name, *timed(options.repeat, act)))
        print(
            "{:48}{:12.1f}{:10.1f}".format("commit: 20 said again, 10 new, 5 closed", *commits(ledger, options.repeat))
        )
        for name, (median, worst) in acts(ledger, options.repeat):
            print(f"{name:48}{median:12.1f}{worst:10.1f}")
        units.close()


if __name__ == "__main__":
    main()
