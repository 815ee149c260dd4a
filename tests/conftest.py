"""What holds for every test: no network beyond loopback, no real model, no settings of the person who runs it.

Tests come in two tiers, and what a test starts decides which is its own: see `is_slow`.
"""

import itertools
import os
import signal
import socket
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import pytest_randomly

from tests.postgres import a_postgresql
from tests.tiers import is_slow, kept_quick

# The plugin takes seeders from whatever is installed: spaCy's would load torch into every test process, and more slowly
# than most rooms' tests run.
pytest_randomly.entrypoint_reseeds = []

# How long an example takes says what else the machine does, not whether the code is right; and what fails once in a
# thousand runs fails in whichever change is at hand. New examples are looked for on purpose: see CONTRIBUTING.md.
hypothesis.settings.register_profile("repeatable", deadline=None, derandomize=True)
hypothesis.settings.register_profile("exploring", deadline=None)
hypothesis.settings.load_profile("repeatable")

_NUMBERS = itertools.count()
LOOPBACK = {"127.0.0.1", "::1", "localhost"}

NOT_AWAITED = "ignore:coroutine '.*(acompletion|async_completion).*' was never awaited:RuntimeWarning"
"""LiteLLM has a thread make the coroutine of a call. When the call is cancelled meanwhile, it comes when nobody waits
for it any more, and Python warns in whichever test runs by then, of whatever file."""


def pytest_configure(config: pytest.Config) -> None:
    """Every test lets LiteLLM drop its own coroutines; ours stay errors. Ctrl-C is heard however tests were started."""
    config.addinivalue_line("filterwarnings", NOT_AWAITED)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's `&`: tests send it, and children would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def closed_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connecting to anything but loopback and unix sockets fails loudly."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:  # noqa: ANN401 - the socket API's own type
        if self.family in {socket.AF_INET, socket.AF_INET6} and address[0] not in LOOPBACK:
            message = f"a test tried to reach {address!r}; nothing in tests leaves the machine"
            raise RuntimeError(message)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what belongs to the second tier; nobody has to remember it."""
    for item in items:
        if is_slow(item):
            item.add_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Fixtures of a test of the first tier start and load nothing; what ends with them may."""
    with kept_quick(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Nor does the test itself."""
    with kept_quick(item):
        return (yield)


@pytest.fixture(scope="session")
def processes() -> None:
    """Asked for by tests, or by fixtures of theirs, that start processes; it makes them tests of the second tier."""


@pytest.fixture(scope="session")
def weights() -> None:
    """The same for tests that load the weights of a model."""


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has an empty home, so that no settings, database or keys of the machine are used."""
    # Not `mktemp`: that looks through all folders there are for the next number, before each of thousands of tests.
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_NUMBERS))
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("DISSOLVE_DB", "DISSOLVE_SETTINGS", "DISSOLVE_EMBEDDER", "DISSOLVE_INSTALLATION_KEY"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """URL of a server where databases may be made: DISSOLVE_TEST_POSTGRES, else one started for this process."""
    given = os.environ.get("DISSOLVE_TEST_POSTGRES")
    if given:
        yield given
        return
    with a_postgresql(Path(tempfile.mkdtemp(prefix="dissolve-pg-"))) as url:
        yield url
