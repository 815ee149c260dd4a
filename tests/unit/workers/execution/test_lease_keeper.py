"""One thread keeps the leases of all steps of a process, and ends one step without a word to the others."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.scripted import Say
from dissolution.checking import check
from dissolution.errors import LeaseLost
from dissolution.job import JobStatus, Lease
from dissolution.settings import Settings
from store.sql.steps import SqlSteps
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from workers.execution import lease_keeper as keeping
from workers.execution.lease_keeper import Ends, LeaseKeeper, WorkerEnds
from workers.execution.leases import holding
from workers.services import Services


class TooLongError(Exception):
    pass


class Told:
    """What the keeper told, and to whom."""

    def __init__(self) -> None:
        self.abandoned: list[tuple[str, int | None]] = []
        self.given_up: list[tuple[str, int]] = []
        self.retired = threading.Event()
        self.answers = True

    def ends(self) -> Ends:
        def tell(alive: threading.Event) -> None:
            if self.answers:
                alive.set()

        return Ends(
            abandon=lambda error, thread: self.abandoned.append((type(error).__name__, thread)),
            too_long=TooLongError,
            give_up=lambda lease, thread, _error: self.given_up.append((lease.stage, thread)),
            retire=lambda _why: self.retired.set(),
            tell_loop=tell,
        )


@contextmanager
def kept(folder: Path, told: Told, **limits: float) -> Generator[Services]:
    settings = Settings(db=f"sqlite:///{folder / 'ledger.sqlite3'}", lease_s=5, max_memory_mb=100_000)
    settings = settings.model_copy(update=limits)
    with (
        running(folder, [a_member("a", Say("x"))], settings) as services,
        LeaseKeeper(settings, services.unit_of_work, services.clock, told.ends()) as keeper,
    ):
        yield replace(services, keeper=keeper)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "LOOK_S", 0.001)


def claimed(services: Services, name: str) -> Lease:
    job = a_job(services, a_conversation("We deploy on Tuesday.", name=name)).id
    with services.unit_of_work() as work:
        lease = work.jobs.claim(job, "fan_out", services.owner, services.clock.now(), services.settings.lease_s)
        work.commit()
    assert lease is not None
    return lease


def until_ended(services: Services, lease: Lease, began: threading.Event) -> BaseException | None:
    """Work at a step until it is ended; what ended it."""
    try:
        with holding(services, lease):
            began.set()
            while True:
                check()
    except BaseException as error:  # noqa: BLE001 - whatever it is is what is looked at
        return error


def beside(services: Services, lease: Lease) -> tuple[threading.Thread, list[BaseException | None]]:
    began, found = threading.Event(), list[BaseException | None]()
    thread = threading.Thread(target=lambda: found.append(until_ended(services, lease, began)))
    thread.start()
    assert began.wait(30)
    return thread, found


def test_the_step_of_a_cancelled_job_ends_and_its_neighbour_goes_on(tmp_path: Path) -> None:
    told = Told()
    with kept(tmp_path, told) as services:
        lease, neighbour = claimed(services, "one"), claimed(services, "two")
        thread, found = beside(services, lease)
        other, others = beside(services, neighbour)
        with services.unit_of_work() as work:
            work.jobs.move(lease.job, JobStatus.CANCELLED, services.clock.now())
            work.commit()
        thread.join(30)
        assert [type(one) for one in found] == [LeaseLost]
        assert {of for _, of in told.abandoned} == {thread.ident}
        assert other.is_alive()
        keeper = services.keeper
        assert isinstance(keeper, LeaseKeeper)
        keeper.end_all()
        other.join(30)
        assert [type(one) for one in others] == [WorkerEnds]
        last = threading.Event()
        assert isinstance(until_ended(services, claimed(services, "three"), last), WorkerEnds)
        assert not last.is_set()  # none begins while the process ends


def test_a_step_over_its_limit_ends_at_its_next_check(tmp_path: Path) -> None:
    told = Told()
    with kept(tmp_path, told, step_limit_s=0.01) as services:
        assert isinstance(until_ended(services, claimed(services, "one"), threading.Event()), TooLongError)
        assert not told.retired.is_set()


def test_one_that_heeds_no_limit_is_given_up_and_the_process_retires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "GIVEN_UP_AFTER_S", 0.01)
    told = Told()
    with kept(tmp_path, told, step_limit_s=0.01) as services, holding(services, claimed(services, "one")):
        assert told.retired.wait(30)
    assert told.given_up == [("fan_out", threading.get_ident())]


@pytest.mark.parametrize("silence", ["the loop", "memory"])
def test_a_blocked_loop_and_used_up_memory_retire_the_process(
    silence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "LOOP_SILENT_S", 0.01)
    told = Told()
    told.answers = silence != "the loop"
    limits: dict[str, float] = {"max_memory_mb": 1} if silence == "memory" else {}
    with kept(tmp_path, told, **limits):
        assert told.retired.wait(30)


def test_leases_are_renewed_for_all_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RENEWALS_PER_LEASE", 5000)
    both = threading.Event()
    told = Told()
    with kept(tmp_path, told) as services:
        usual = SqlSteps.renew_all

        def watched(self: SqlSteps, leases: list[Lease], at: object, lease_s: float) -> tuple[Lease, ...]:
            found = usual(self, leases, at, lease_s)  # pyright: ignore[reportArgumentType] - passed on as it came
            if len(found) == 2:
                both.set()
            return found

        monkeypatch.setattr(SqlSteps, "renew_all", watched)
        first, second = claimed(services, "one"), claimed(services, "two")
        with holding(services, first), holding(services, second):
            assert both.wait(30)


def test_a_lease_whose_row_somebody_had_is_renewed_at_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, asked = threading.Event(), list[int]()

    def taken(_self: SqlSteps, leases: list[Lease], _at: object, _lease_s: float) -> tuple[Lease, ...]:
        asked.append(len(leases))
        if len(asked) > 1:
            again.set()
        return tuple(leases)  # held, each with the end it had

    monkeypatch.setattr(SqlSteps, "renew_all", taken)
    with kept(tmp_path, Told(), lease_s=3600) as services:
        lease = claimed(services, "one")
        due = lease.model_copy(update={"until": lease.until - timedelta(seconds=1800)})
        with holding(services, due):
            assert again.wait(30)  # not after a third of the lease
