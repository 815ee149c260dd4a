"""What running costs on this machine: wall time and peak memory of the demo, and how fast the command line starts.

usage: python benchmarks/footprint.py [--runs 3]

Each command runs in a process of its own with an empty home. Wall time in seconds, peak resident memory in MB (10^6
bytes) as the operating system reports it for the process.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "benchmarks" / "data"
NAME = "op-flask-sessions"
FILE = str(DATA / "planted" / f"{NAME}.json")
COMMANDS: dict[str, Sequence[str]] = {
    "dissolve --help": ("--help",),
    "demo: run, six recorded writers": ("run", FILE, "--recorded", str(DATA / "recordings" / NAME)),
    "run, extractive fleet": ("run", FILE),
    "show": ("show",),
}


def measured(words: Sequence[str], home: str) -> tuple[float, float]:
    """Wall time (s) and peak memory (MB) of one command."""
    environment = {**os.environ, "HOME": home}
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - this project's own command
        [sys.executable, "-m", "cli.main", *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    taken = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        message = f"{' '.join(words)!r} ended with {process.returncode}; run it by hand to see why"
        raise SystemExit(message)
    return taken, usage.ru_maxrss * 1024 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    runs: int = parser.parse_args().runs
    print(f"{'command':<34} {'median s':>9} {'slowest s':>10} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as home:
        for name, words in COMMANDS.items():
            figures = [measured(words, home) for _ in range(runs)]
            seconds = [taken for taken, _ in figures]
            peak = max(memory for _, memory in figures)
            print(f"{name:<34} {statistics.median(seconds):9.2f} {max(seconds):10.2f} {peak:8.0f}")


if __name__ == "__main__":
    main()
