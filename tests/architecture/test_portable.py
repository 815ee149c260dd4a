"""What exists on POSIX alone is used in the files that say so, and `dissolve run` needs none of it."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, shown, sources, tree
from tests.environments import unmeasured
from tests.polling import LONGEST_S
from tests.terminal import is_ours

MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
NAMES = {
    "os": {
        *("chown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups", "getloadavg", "getpgid", "getpgrp"),
        *("getuid", "killpg", "mkfifo", "nice", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "register_at_fork"),
        *("sched_getaffinity", "setpgid", "setsid", "statvfs", "sysconf", "uname", "wait", "wait3", "wait4", "WNOHANG"),
    },
    "signal": {
        *("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGUSR1", "SIGUSR2", "alarm"),
        *("pthread_kill", "pthread_sigmask", "setitimer", "sigwait"),
    },
    "select": {"epoll", "kqueue", "poll"},
}
"""What Windows has not; libraries may use it, ours may not."""

WORKERS_ALONE = {"workers/runtime/separate_step.py", "workers/concurrency/supervisor.py"}
"""Files of programs that `workers.concurrency.forking` refuses elsewhere."""

OTHER_SYSTEM = f"""
import asyncio, ctypes, multiprocessing, selectors, shutil, subprocess, sys, tempfile, types
import os, select, signal
import celery.apps.worker, numpy, redis, sqlalchemy

for name in {sorted(MODULES)!r}:
    sys.modules[name] = None
for module, names in ((os, {sorted(NAMES["os"])!r}), (signal, {sorted(NAMES["signal"])!r})):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
sys.modules["msvcrt"] = types.SimpleNamespace(LK_LOCK=1, LK_NBLCK=2, locking=lambda *_: None)
"""
"""Imported first: the standard library and libraries as they are on this system, then what another one lacks goes."""

TALK = "Ana: We deploy on Tuesday at 09:00.\nBo: Agreed. Jenkins is ruled out.\n"


def named(file: Path) -> set[str]:
    """What a file names of POSIX alone."""
    found: set[str] = set()
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {f"{node.value.id}.{node.attr}"} if node.attr in NAMES.get(node.value.id, set()) else set()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & MODULES
        if isinstance(node, ast.ImportFrom):
            found |= {node.module or ""} & MODULES
            found |= {f"{node.module}.{one.name}" for one in node.names if one.name in NAMES.get(node.module or "", ())}
    return found


def test_only_programs_of_workers_name_what_exists_on_posix_alone() -> None:
    assert {shown(file): found for file in sources() if (found := named(file))}.keys() == WORKERS_ALONE


def test_such_a_name_would_be_found(tmp_path: Path) -> None:
    (file := tmp_path / "one.py").write_text(
        "import os, fcntl\nfrom signal import SIGKILL\nos.fork()\n", encoding="utf-8"
    )
    assert named(file) == {"os.fork", "fcntl", "signal.SIGKILL"}


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of programs that find another system."""
    (tmp_path / "sitecustomize.py").write_text(OTHER_SYSTEM, encoding="utf-8")
    return {
        **{name: value for name, value in unmeasured().items() if not is_ours(name)},
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
        "DISSOLVE_DB": f"sqlite:///{tmp_path / 'ledger.sqlite3'}",
        "DISSOLVE_EMBEDDER": "hashing",
        "HOME": str(tmp_path),
    }


def dissolve(env: dict[str, str], *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli.main", *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, env=env, input=TALK, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )


@pytest.mark.usefixtures("processes")
def test_a_run_needs_nothing_of_posix_and_is_read_back(elsewhere: dict[str, str]) -> None:
    ran = dissolve(elsewhere, "run", "-")
    assert ran.returncode == 0, ran.stderr
    read = dissolve(elsewhere, "show")
    assert read.returncode == 0, read.stderr


@pytest.mark.parametrize("words", [("up",), ("worker", "--queue", "io")])
@pytest.mark.usefixtures("processes")
def test_workers_are_refused_there_with_what_to_do(elsewhere: dict[str, str], words: tuple[str, ...]) -> None:
    told = dissolve(elsewhere, *words)
    assert told.returncode == 2
    assert f"`dissolve {words[0]}` needs a system whose processes fork: use WSL or containers" in told.stderr
