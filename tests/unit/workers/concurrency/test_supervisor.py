"""Programs run as one: restarted when one ends, given up when one will not run, ended together."""

import signal
import sys
import threading
from pathlib import Path

import pytest

from dissolution.errors import ProgramFailed
from tests.polling import eventually, processes_of_group
from workers.concurrency.supervisor import Program, Supervisor, kill_group

WAITS = "import threading; threading.Event().wait()"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); {WAITS}"
BEARS_CHILD = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {WAITS!r}]); {WAITS}"


def a_program(folder: Path, code: str, name: str = "program") -> Program:
    return Program(name=name, command=[sys.executable, "-c", code], log=folder / f"{name}.log")


def supervised(*programs: Program, grace_s: float = 20.0) -> tuple[Supervisor, list[str]]:
    said: list[str] = []
    return Supervisor(programs, environment={}, grace_s=grace_s, say=said.append), said


@pytest.mark.usefixtures("processes")
def test_all_end_with_the_stop_and_their_children_too(tmp_path: Path) -> None:
    programs = [a_program(tmp_path, WAITS, "one"), a_program(tmp_path, BEARS_CHILD, "two")]
    supervisor, said = supervised(*programs)
    stop = threading.Event()

    def both() -> bool:
        return programs[1].process is not None and len(processes_of_group(programs[1].process.pid)) == 2

    supervisor.run(stop, lambda: stop.set() if both() else None)
    assert [line.partition(":")[0] for line in said] == ["one", "two"]
    for program in programs:
        assert program.process is not None
        assert program.process.poll() is not None
        leader = program.process.pid
        eventually(lambda leader=leader: not processes_of_group(leader), what="their end, told them by the kernel")


@pytest.mark.usefixtures("processes")
def test_one_that_ends_is_started_again(tmp_path: Path) -> None:
    program = a_program(tmp_path, WAITS)
    supervisor, said = supervised(program)
    stop = threading.Event()
    killed: list[int] = []

    def look() -> None:
        assert program.process is not None
        if not killed:
            killed.append(program.process.pid)
            program.started -= 100  # it has run for long: this is no end at its start
            kill_group(program.process.pid)
        elif program.process.pid != killed[0]:
            stop.set()

    supervisor.run(stop, look)
    assert f"program: ended with code -{signal.SIGKILL.value}; starting it again" in said
    assert program.quick_ends == 0


@pytest.mark.usefixtures("processes")
def test_one_that_will_not_run_ends_all_and_is_named_with_its_log(tmp_path: Path) -> None:
    good, bad = a_program(tmp_path, WAITS, "good"), a_program(tmp_path, "raise SystemExit('no database')", "bad")
    supervisor, _ = supervised(good, bad)
    with pytest.raises(ProgramFailed, match=r"'bad' ended 3 times.* 1"):
        supervisor.run(threading.Event())
    assert good.process is not None
    assert processes_of_group(good.process.pid) == []
    assert (tmp_path / "bad.log").read_text(encoding="utf-8").count("no database") == 3


@pytest.mark.parametrize("hurried", [True, False])
@pytest.mark.usefixtures("processes")
def test_one_that_will_not_end_is_killed(tmp_path: Path, *, hurried: bool) -> None:
    program = a_program(tmp_path, STUBBORN)
    supervisor, _ = supervised(program, grace_s=3600 if hurried else 0.3)
    stop = threading.Event()

    def look() -> None:
        if "ready" in program.log.read_text(encoding="utf-8"):
            if hurried:
                supervisor.hurry()
            stop.set()

    supervisor.run(stop, look)
    assert program.process is not None
    assert program.process.returncode == -signal.SIGKILL
    eventually(lambda: not processes_of_group(program.process.pid if program.process else 0), what="its end")


def test_a_group_that_is_gone_is_no_fault() -> None:
    kill_group(2**22 + 5)
