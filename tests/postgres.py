"""A PostgreSQL server for the tests that need one, from the wheel pgserver."""

import fcntl
import os
import tempfile
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from tests.polling import LONGEST_S

_LOCK = Path(tempfile.gettempdir()) / "dissolve-test-postgres.lock"


@contextmanager
def a_postgresql(folder: Path) -> Generator[str]:
    """URL of a running server with its data in `folder`, a short path that is deleted at the end.

    The wheel gives a server ten seconds to start, which a busy machine may need twice over, and makes its user without
    looking whether another process is about to make it, too: both are put right here.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wheel asks for a runtime folder that containers do not have
        from pgserver import postgres_server

    control = cast("Any", postgres_server).pg_ctl
    with patch.object(postgres_server, "pg_ctl", _patient(control)):
        with warnings.catch_warnings(), _one_at_a_time():
            warnings.simplefilter("ignore")  # as above
            server = cast("Any", postgres_server).get_server(folder, cleanup_mode="delete")
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()


def _patient(control: Callable[..., str]) -> Callable[..., str]:
    def patient(words: list[str], **more: Any) -> str:  # noqa: ANN401 - what subprocess takes
        return control([*words, "-t", f"{LONGEST_S:.0f}"], **{**more, "timeout": None})

    return patient


@contextmanager
def _one_at_a_time() -> Generator[None]:
    lock = os.open(_LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go of by closing
        yield
    finally:
        os.close(lock)
