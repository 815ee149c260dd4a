"""Logs: a line for people or a JSON object a line, each with the job, step, attempt and tenant it is about.

No content: what is logged are names, ids and counts, and of an unforeseen error its kind and place, never its text.
"""

import logging
import sys
from collections.abc import Generator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import IO, Any, cast

import structlog

from dissolution.job import Job, Lease
from dissolution.settings import Settings

TEXT_FORMAT = "%(asctime)s %(processName)s %(levelname)s %(name)s: %(message)s"
"""What stands before what is bound."""

LOUD = ("celery.worker.strategy", "celery.app.trace", "alembic", "LiteLLM", "httpx", "httpcore", "openai", "kombu")
"""Libraries that tell of every message, or of what they were given, below WARNING."""

ROOMS = ("api", "cli", "consensus", "fleet", "frame_agent", "probe", "stability", "store", "triggers", "workers")
"""Whose loggers may say DEBUG."""

FRAMES = 4
"""Places of an error's way that are told, the last ones."""

BOUND = ("job", "step", "attempt", "tenant")
"""What lines are told apart by, in this order."""

Event = MutableMapping[str, Any]


def set_up_logs(settings: Settings, stream: IO[str] | None = None) -> None:
    """Log to `stream`, stderr if None, in the form and from the level of the settings; takes the place of what was."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonForm() if settings.log_format == "json" else TextForm(TEXT_FORMAT))
    root = logging.getLogger()
    for before in tuple(root.handlers):
        root.removeHandler(before)
    root.addHandler(handler)
    level = logging.getLevelNamesMapping()[settings.log_level]
    root.setLevel(max(level, logging.INFO))
    for room in ROOMS:
        logging.getLogger(room).setLevel(level)
    for loud in LOUD:
        logging.getLogger(loud).setLevel(max(level, logging.WARNING))


@contextmanager
def bound(job: Job, lease: Lease) -> Generator[None]:
    """Whatever is logged within names this step; the attempt is the number of the claim."""
    with structlog.contextvars.bound_contextvars(job=job.id, step=lease.stage, attempt=lease.epoch, tenant=job.tenant):
        yield


class TextForm(logging.Formatter):
    """A line for people: the message, and what is bound behind it."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        known = structlog.contextvars.get_contextvars()
        facts = {**{name: known[name] for name in BOUND if name in known}, **error_facts(record)}
        message = record.getMessage()
        twice = {name for name in ("job", "step") if str(facts.get(name)) in message}
        said = " ".join(f"{name}={value}" for name, value in facts.items() if name not in twice)
        line = super().format(without_traceback(record))
        return f"{line} [{said}]" if said else line


class JsonForm(logging.Formatter):
    """One JSON object a line: `timestamp`, `level`, `logger`, `process`, `event`, and what is bound."""

    def __init__(self) -> None:
        super().__init__()
        self._stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
        self._render = structlog.processors.JSONRenderer(ensure_ascii=True)  # half a character would break a line

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        event: Event = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.processName,
            **error_facts(record),
        }
        # Merged by name here: structlog's own merging is for its loggers, and libraries use those of Python.
        merged = structlog.contextvars.merge_contextvars(None, record.levelname, event)
        stamped = self._stamp(None, record.levelname, merged)
        return cast("str", self._render(None, record.levelname, stamped))


def error_facts(record: logging.LogRecord) -> Mapping[str, object]:
    """The kind of a logged error and where it came from; its text may hold content and is left out."""
    if not record.exc_info or record.exc_info[1] is None:
        return {}
    error, trace = record.exc_info[1], record.exc_info[2]
    places: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return {"error": type(error).__name__, "at": " ".join(places[-FRAMES:])}


def without_traceback(record: logging.LogRecord) -> logging.LogRecord:
    """The record as it is, but for the error's text and the stack."""
    if not record.exc_info and not record.exc_text and not record.stack_info:
        return record
    bare = logging.makeLogRecord(record.__dict__)
    bare.exc_info = bare.exc_text = bare.stack_info = None
    return bare
