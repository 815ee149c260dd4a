"""What acceptance tests share."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.terminal import Recorded, Terminal


@pytest.fixture
def dissolve(tmp_path: Path) -> Terminal:
    """The command line on a database of the test's own."""
    return Terminal(tmp_path)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """One run for all test processes of the session, whichever needs it first."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    run = Recorded(shared / "recorded-run")
    with (shared / "recorded-run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run.prepare()
    return run
