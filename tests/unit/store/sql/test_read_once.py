"""What was read is not read again, and what somebody else has changed meanwhile is."""

import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from dissolution.errors import StoreUnavailable
from dissolution.job import Job, JobStatus
from dissolution.policy.job_policy import Policy
from store.sql.read_once import MOST_KEPT, Kept
from store.sql.unit_of_work import SqlUnitOfWorkFactory, sql_unit_of_work_factory
from tests.databases import migrated
from tests.factories import INSTANT, a_conversation


@contextmanager
def opened(folder: Path, **more: float) -> Generator[SqlUnitOfWorkFactory]:
    with closing(sql_unit_of_work_factory(migrated(folder / "ledger.sqlite3"), **more)) as store:  # pyright: ignore[reportArgumentType] - numbers by name
        yield store


def counted(store: SqlUnitOfWorkFactory) -> list[str]:
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    return sent


def test_a_conversation_is_read_whole_once_and_anew_when_another_process_has_added_to_it(tmp_path: Path) -> None:
    with opened(tmp_path) as store, opened(tmp_path) as other:
        with other() as work:
            work.conversations.extend(a_conversation("One.", "Two."))
            work.commit()
        with store() as work:
            first = work.conversations.get("conv-1")
        sent = counted(store)
        with store() as work:
            assert work.conversations.get("conv-1") is first
        assert sum(statement.startswith("SELECT") for statement in sent) == 1
        with other() as work:
            work.conversations.extend(a_conversation("One.", "Two.", "Three."))
            work.commit()
        with store() as work:
            assert [turn.content for turn in work.conversations.get("conv-1").turns] == ["One.", "Two.", "Three."]


def test_a_locked_job_is_read_anew_and_then_once(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        conversation = a_conversation("One.", "Two.")
        job = Job(
            id="j1",
            conversation=conversation.id,
            through=2,
            snapshot_digest=conversation.snapshot().digest,
            fleet="extractive",
            policy=Policy(),
            created_at=INSTANT,
        )
        with store() as work:
            work.conversations.extend(conversation)
            work.jobs.add(job, ("fan_out", "parse"))
            work.commit()
        sent = counted(store)
        with store() as work:
            work.jobs.record(job.id, INSTANT, "first")
            work.jobs.record(job.id, INSTANT, "second")
            assert work.jobs.get(job.id) == work.jobs.get(job.id) == job
            before = work.jobs.steps(job.id)
            assert work.jobs.steps(job.id) is before
            assert sum("FROM jobs" in statement for statement in sent) == 1
            assert work.jobs.claim(job.id, "fan_out", "w1", INSTANT, 60) is not None
            assert work.jobs.steps(job.id) != before
            work.jobs.move(job.id, JobStatus.RUNNING, INSTANT)
            assert work.jobs.get(job.id).status is JobStatus.RUNNING


def test_more_threads_than_connections_wait_for_each_other(tmp_path: Path) -> None:
    with opened(tmp_path, connections=2) as store:
        done: list[int] = []

        def look(number: int) -> None:
            for _ in range(5):
                with store() as work:
                    work.jobs.unfinished()
            done.append(number)

        threads = [threading.Thread(target=look, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(done) == list(range(20))


def test_who_finds_no_connection_is_told_what_to_do(tmp_path: Path) -> None:
    with (
        opened(tmp_path, connections=2, busy_timeout_s=0.01) as store,
        store.reading(),
        store.reading(),
        pytest.raises(StoreUnavailable, match="DISSOLVE_DB_CONNECTIONS"),
        store.reading(),
    ):
        pass


def test_what_is_kept_is_bounded_and_forgotten() -> None:
    kept: Kept[int] = Kept()
    for number in range(MOST_KEPT + 1):
        kept.put(number, number + 1)
    assert (kept.get(0), kept.get(1), kept.get(MOST_KEPT)) == (None, 2, MOST_KEPT + 1)
    kept.clear()
    assert kept.get(1) is None
