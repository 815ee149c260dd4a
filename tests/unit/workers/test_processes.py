"""A process that has ended is told from one that lives, and never guessed about on another machine."""

import os
import signal
import subprocess
import sys

import pytest

from workers.processes import interrupted_by_term, is_gone, this_process


def test_this_process_is_here() -> None:
    assert not is_gone(this_process())


def test_a_process_that_ended_is_gone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from workers.processes import this_process; print(this_process())"],
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
    with pytest.raises(KeyboardInterrupt), interrupted_by_term():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before
