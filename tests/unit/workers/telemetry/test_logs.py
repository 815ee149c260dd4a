"""Log lines: one fact a line, told apart by job, step, attempt and tenant, and no text of errors."""

import io
import json
import logging
import threading
from collections.abc import Iterator

import pytest

from dissolution.job import Lease
from dissolution.settings import Settings
from tests.factories import INSTANT
from tests.unit.store.ledgers import TALK, a_job
from workers.telemetry.logs import ROOMS, bound, set_up_logs

SECRET = "the merger closes on Friday"


def a_lease(job: str, stage: str, epoch: int = 1) -> Lease:
    return Lease(job=job, stage=stage, epoch=epoch, owner="w", until=INSTANT)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for room in ROOMS:
        logging.getLogger(room).setLevel(logging.NOTSET)


def logging_to(form: str, level: str = "INFO") -> io.StringIO:
    stream = io.StringIO()
    set_up_logs(Settings.model_validate({"log_format": form, "log_level": level}), stream)
    return stream


def documents(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_names_what_it_is_about_within_the_step_and_not_after() -> None:
    stream = logging_to("json")
    log = logging.getLogger("workers.execution.steps")
    with bound(a_job("j1", TALK), a_lease("j1", "fan_out", epoch=3)):
        log.info("sent %d", 2)
    log.info("idle")
    within, after = documents(stream)
    assert within["event"] == "sent 2"
    assert (within["level"], within["logger"], within["process"]) == ("info", "workers.execution.steps", "MainProcess")
    assert {name: within[name] for name in ("job", "step", "attempt", "tenant")} == {
        "job": "j1",
        "step": "fan_out",
        "attempt": 3,
        "tenant": "default",
    }
    assert str(within["timestamp"]).endswith("Z")
    assert not {"job", "step", "attempt", "tenant"} & set(after)


def test_what_is_bound_is_cleared_by_an_error_and_not_seen_by_other_threads() -> None:
    stream = logging_to("json")
    log = logging.getLogger("workers.celery.relay")

    def interrupted() -> None:
        with bound(a_job("j1", TALK), a_lease("j1", "parse")):
            other = threading.Thread(target=log.info, args=("other",))
            other.start()
            other.join()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    log.info("after")
    assert [sorted(one) for one in documents(stream)] == [["event", "level", "logger", "process", "timestamp"]] * 2


@pytest.mark.parametrize("form", ["json", "text"])
def test_of_an_error_its_kind_and_place_are_told_and_never_its_text(form: str) -> None:
    stream = logging_to(form)
    try:
        int(SECRET)
    except ValueError:
        logging.getLogger("workers.execution.steps").exception("job %s broke", "j1", stack_info=True)
    said = stream.getvalue()
    assert SECRET not in said
    assert len(said.splitlines()) == 1
    assert "ValueError" in said
    assert "test_logs.py:" in said


def test_a_line_for_people_says_behind_the_message_what_the_message_does_not() -> None:
    stream = logging_to("text")
    with bound(a_job("j1", TALK), a_lease("j1", "fan_out")):
        logging.getLogger("workers.execution.steps").info("job j1, fan_out: done")
        logging.getLogger("workers.execution.steps").warning("slow")
    first, second = stream.getvalue().splitlines()
    assert first.endswith("job j1, fan_out: done [attempt=1 tenant=default]")
    assert second.endswith("slow [job=j1 step=fan_out attempt=1 tenant=default]")


def test_debug_is_of_this_project_alone() -> None:
    stream = logging_to("json", "DEBUG")
    logging.getLogger("workers.celery.relay").debug("ours")
    logging.getLogger("sqlalchemy.engine").debug("a row: %s", SECRET)
    logging.getLogger("httpx").info("a request")
    assert [one["event"] for one in documents(stream)] == ["ours"]


def test_only_what_is_wanted_is_logged_and_only_once() -> None:
    logging_to("text")
    stream = logging_to("json", "ERROR")
    logging.getLogger("workers.celery.relay").warning("no")
    logging.getLogger("workers.celery.relay").error("yes")
    assert [one["event"] for one in documents(stream)] == ["yes"]


def test_a_line_stays_one_line_whatever_it_says() -> None:
    stream = logging_to("json")
    logging.getLogger("workers.celery.relay").info("two\nlines \u2028 %s", "ünïcode \ud83e")
    (one,) = documents(stream)
    assert one["event"] == "two\nlines \u2028 ünïcode \ud83e"
