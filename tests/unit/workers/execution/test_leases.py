"""A lease is renewed while the work goes on, and a lost one stops being renewed."""

import contextvars
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.clock import FixedClock
from devtools.scripted import Say
from dissolution.checking import check
from dissolution.errors import LeaseLost, StoreUnavailable
from dissolution.job import Lease
from dissolution.ports.store import UnitOfWork
from dissolution.settings import Settings
from tests.factories import INSTANT, a_conversation
from tests.running import a_job, a_member, running
from workers.execution import leases
from workers.execution.leases import holding
from workers.services import Services


def claimed(services: Services, job: str) -> Lease:
    with services.unit_of_work() as work:
        lease = work.jobs.claim(job, "fan_out", services.owner, services.clock.now(), services.settings.lease_s)
        work.commit()
    assert lease is not None
    return lease


def test_the_lease_is_renewed_until_the_block_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "RENEWALS_PER_LEASE", 5000)
    with running(tmp_path, [a_member("a", Say("x"))]) as services:
        job = a_job(services, a_conversation("We deploy on Tuesday.")).id
        lease = claimed(services, job)
        later = FixedClock(INSTANT + timedelta(seconds=30))
        renewed = threading.Event()
        factory = services.unit_of_work

        def watched() -> UnitOfWork:
            renewed.set()
            return factory()

        with holding(replace(services, clock=later, unit_of_work=watched), lease):
            assert renewed.wait(30)
        with services.unit_of_work() as work:
            until = work.jobs.steps(job)[0].lease_until
    assert until == INSTANT + timedelta(seconds=30 + services.settings.lease_s)
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith(f"lease-{job}")]


def test_a_lost_lease_ends_the_renewals_and_the_fence_refuses_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEWALS_PER_LEASE", 5000)
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", lease_s=5)
    with running(tmp_path, [a_member("a", Say("x"))], settings) as services:
        job = a_job(services, a_conversation("We deploy on Tuesday.")).id
        lease = claimed(services, job)
        thief = replace(services, owner="thief", clock=FixedClock(INSTANT + timedelta(seconds=6)))
        stolen = claimed(thief, job)
        with holding(services, lease):
            pass
        with services.unit_of_work() as work, pytest.raises(LeaseLost):
            work.jobs.complete(lease, INSTANT, "{}")
        with services.unit_of_work() as work:
            step = work.jobs.steps(job)[0]
    assert (step.epoch, step.owner) == (stolen.epoch, "thief")


def test_a_database_that_is_away_for_a_moment_does_not_end_the_renewals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEWALS_PER_LEASE", 5000)
    with running(tmp_path, [a_member("a", Say("x"))]) as services:
        job = a_job(services, a_conversation("We deploy on Tuesday.")).id
        lease = claimed(services, job)
        again = threading.Event()
        factory = services.unit_of_work
        tries: list[int] = []

        def away_at_first() -> UnitOfWork:
            tries.append(1)
            if len(tries) == 1:
                raise StoreUnavailable("sqlite:///x", "locked")
            again.set()
            return factory()

        with holding(replace(services, unit_of_work=away_at_first), lease):
            assert again.wait(30)


def test_what_a_step_left_behind_in_a_thread_ends_with_it(tmp_path: Path) -> None:
    with running(tmp_path, [a_member("a", Say("x"))]) as services:
        lease = claimed(services, a_job(services, a_conversation("We deploy on Tuesday.")).id)
        ended: list[type[Exception]] = []

        def compute_for_ever() -> None:
            try:
                while True:
                    check()
            except LeaseLost as lost:
                ended.append(type(lost))

        with holding(services, lease):
            left = threading.Thread(target=contextvars.copy_context().run, args=(compute_for_ever,))
            left.start()
            assert left.is_alive()
        left.join(30)
    assert ended == [LeaseLost]
