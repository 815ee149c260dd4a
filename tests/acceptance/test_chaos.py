"""A small chaos run holds every rule, and the checks of one see what breaks a rule. CI also runs the large one."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import text

from benchmarks.chaos_run.checks import Findings, check
from benchmarks.chaos_run.clock import TURNS as CLOCK_TURNS
from benchmarks.chaos_run.clock import really
from benchmarks.chaos_run.provider import ANSWER, Billed
from benchmarks.chaos_run.world import TURNS, World
from devtools.scripted import Say
from dissolution.answers import Usage
from dissolution.job import JobStatus, Lane
from dissolution.ports.store import UnitOfWorkFactory
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.architecture.project import ROOT
from tests.environments import unmeasured
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, a_member, running
from workers.runtime.inline import run_job

PRICE = Decimal("0.25")
USAGE = Usage(input_tokens=10, cached_input_tokens=0, output_tokens=10, cost_usd=PRICE)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_small_run_holds_every_rule(database: str) -> None:
    words = ["--jobs", "24", "--kills", "2", "--wipes", "2", "--outages", "1", "--pauses", "1", "--limit", "900"]
    words += ["--refusals", "1", "--jumps", "4", "--giants", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.chaos", *words, "--seed", "7", "--database", database],
        cwd=ROOT,
        env=unmeasured(),
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["broken"] == []
    expected = {"jobs": 24, "terminal": 24, "duplicates": 0, "lost": 0, "reasked": 0, "kills": 2, "wipes": 2}
    expected |= {"write_refusals": 1, "clock_jumps": 4, "giants": 1}
    assert {name: report[name] for name in expected} == expected
    assert report["committed"] > 12
    assert report["duplicate_deliveries"] > 0


@pytest.mark.parametrize("ago_s", [0, 3000])
@pytest.mark.parametrize("ahead", sorted(set(CLOCK_TURNS)))
def test_what_a_jumping_clock_said_is_known_to_have_been_said_when_it_was(ahead: timedelta, ago_s: int) -> None:
    at = INSTANT - timedelta(seconds=ago_s)
    assert really(at + ahead, INSTANT) == at


@dataclass
class Aftermath:
    """One committed job, what its provider saw, and the world as the checks want it."""

    store: UnitOfWorkFactory
    job: str
    billed: list[Billed] = field(default_factory=list[Billed])

    def check(self, allowed: int = 0) -> Findings:
        models = SimpleNamespace(provider=SimpleNamespace(billed=self.billed))
        return check(
            cast("World", SimpleNamespace(store=self.store, jobs={self.job: 0}, models=models)),
            in_flight_allowed=allowed,
        )


def answered(after_s: float = -1, usd: Decimal | None = PRICE) -> Billed:
    return Billed(model="alpha", case=0, arrived=INSTANT + timedelta(seconds=after_s), usd=usd)


def ask_again(made: Aftermath) -> None:
    made.billed.append(answered(after_s=1, usd=None))


def bill_once_more(made: Aftermath) -> None:
    made.billed.append(answered())


def bill_less(made: Aftermath) -> None:
    made.billed[0] = answered(usd=Decimal("0.2"))


def forget_the_end(made: Aftermath) -> None:
    execute(made, "UPDATE jobs SET status = 'running'")


def rewrite_a_turn(made: Aftermath) -> None:
    execute(made, "UPDATE turns SET content = 'Nothing of the kind.'")
    engine = cast("Any", made.store).engine
    made.store = SqlUnitOfWorkFactory(engine, None)  # which has read nothing of it yet


def commit_twice(made: Aftermath) -> None:
    with made.store() as work:
        work.jobs.record(made.job, INSTANT, "boundary_committed", "version 2")
        work.commit()


def execute(made: Aftermath, statement: str) -> None:
    with cast("Any", made.store).engine.begin() as connection:
        connection.execute(text(statement))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (ask_again, "a stored answer was asked again: 1 times"),
        (bill_once_more, "1 answers were paid for and lost; the disasters explain 0"),
        (bill_less, "that nobody was billed for"),
        (forget_the_end, "a job has not ended: 1 times"),
        (rewrite_a_turn, "a quote does not stand in its turn: 1 times"),
        (commit_twice, "a job committed more than once: 1 times"),
    ],
)
def test_the_checks_see_what_breaks_a_rule(tmp_path: Path, spoil: Callable[[Aftermath], None], said: str) -> None:
    members = [a_member("alpha", Say(ANSWER, usage=USAGE)), a_member("beta", Say(ANSWER, usage=USAGE))]
    talk = a_conversation(*(words.format(case=0) for words in TURNS))
    with running(tmp_path, members) as services:
        job = a_job(services, talk, lane=Lane.BATCH)
        assert run_job(services, job.id).status is JobStatus.COMMITTED
        beta = Billed(model="beta", case=0, arrived=INSTANT - timedelta(seconds=1), usd=PRICE)
        made = Aftermath(services.unit_of_work, job.id, [answered(), beta])
        assert made.check().broken == []
        assert made.check().stored_usd == made.check().provider_usd == 2 * PRICE
        spoil(made)
        assert any(said in line for line in made.check().broken), made.check().broken
