"""A process that has ended is told from one that lives, and never guessed about on another machine."""

import os
import signal
import subprocess
import sys
import weakref

import pytest

from workers.concurrency.processes import Interruption, interruptible, is_gone, this_process


def test_this_process_is_here() -> None:
    assert not is_gone(this_process())


@pytest.mark.usefixtures("processes")
def test_a_process_that_ended_is_gone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from workers.concurrency.processes import this_process; print(this_process())"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert is_gone(done.stdout.strip())


def test_a_process_id_used_again_by_another_process_is_gone() -> None:
    host, namespace, pid, started = this_process().rsplit(":", 3)
    assert is_gone(f"{host}:{namespace}:{pid}:{int(started) + 1}")


@pytest.mark.parametrize("owner", ["elsewhere:1:999999:5", "test", "", "a:b", "::::"])
def test_what_cannot_be_told_is_not_gone(owner: str) -> None:
    assert not is_gone(owner)


def test_a_process_of_another_container_is_not_judged() -> None:
    host, namespace, _pid, started = this_process().rsplit(":", 3)
    assert not is_gone(f"{host}:{int(namespace) + 1}:999999:{started}")


def test_term_interrupts_within_the_block_only() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), interruptible():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_that_python_dropped_is_still_known(number: signal.Signals) -> None:
    def kill(_dead: object) -> None:
        os.kill(os.getpid(), number)
        os.getpid()  # handlers run between two steps of the interpreter

    with interruptible() as interruption:
        interruption.check()
        watched = Interruption()
        watching = weakref.ref(watched, kill)
        del watched
        assert watching() is None  # and nothing was raised
        with pytest.raises(KeyboardInterrupt):
            interruption.check()


def test_an_ignored_ctrl_c_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
