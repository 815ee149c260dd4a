"""Whether the quick tests depend on order, time, ports or load: many runs in random order, two at the same time.

usage: python -m benchmarks.flaky [--rounds 20] [--at-once 2] [--jobs 2] [--first-seed 1] [PYTEST WORDS ...]

Each round has a seed of its own, from which pytest-randomly shuffles modules, classes and functions; the same seed
brings the same order back: `pytest -m 'not slow' -p randomly --randomly-seed=SEED`. Every round runs while others do,
with more test processes than cores. Prints one line a round, how many of how many were green, and the seeds that were
not, with what failed. Ends with 1 if any round failed.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
QUICK = ("tests/architecture", "tests/contract", "tests/unit")


class Round(NamedTuple):
    """One run of the quick tests."""

    seed: int
    code: int  # of pytest: 0 = all passed
    seconds: float
    closing: str  # pytest's last line
    failed: tuple[str, ...]  # what failed or broke, by node id

    @property
    def green(self) -> bool:
        """Whether every test passed."""
        return self.code == 0


def closing_line(told: str) -> str:
    """What pytest says at its end, without the rule around it; its last words where it broke before."""
    lines = [line for line in told.splitlines() if line.strip()]
    ends = [line for line in lines if re.search(r"\bin \d[\d.]*s\b", line)]
    return (ends or lines or ["nothing"])[-1].strip("= ")


def failed_in(told: str) -> tuple[str, ...]:
    """The tests that a summary (`-r fE`) names as failed or broken."""
    return tuple(re.findall(r"^(?:FAILED|ERROR) (\S+)", told, re.MULTILINE))


def run(seed: int, jobs: int, words: tuple[str, ...]) -> Round:
    """The quick tests once, in the order of a seed."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "--dist", "worksteal", "-r", "fE"]
    began = time.monotonic()
    done = subprocess.run(  # noqa: S603 - ourselves
        [*command, "-m", "not slow", "-p", "randomly", f"--randomly-seed={seed}", *(words or QUICK)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = done.stdout + done.stderr
    return Round(seed, done.returncode, time.monotonic() - began, closing_line(told), failed_in(told))


def main() -> int:
    """Run the rounds, print what came of each, and end with 1 unless all were green."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=2, help="rounds that run at the same time")
    parser.add_argument("--jobs", type=int, default=2, help="test processes of a round")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("words", nargs="*", help="for pytest, in place of the folders of the quick tests")
    given = parser.parse_args()
    seeds = range(given.first_seed, given.first_seed + given.rounds)
    rounds: list[Round] = []
    with ThreadPoolExecutor(given.at_once) as pool:
        for one in pool.map(partial(run, jobs=given.jobs, words=tuple(given.words)), seeds):
            rounds.append(one)
            print(f"seed {one.seed}: {'green' if one.green else 'RED'}, {one.seconds:.0f} s: {one.closing}", flush=True)
            for name in one.failed:
                print(f"  {name}", flush=True)
    red = [one.seed for one in rounds if not one.green]
    print(
        f"{len(rounds) - len(red)} of {len(rounds)} green"
        + (f"; failed seeds: {', '.join(map(str, red))}" if red else "")
    )
    return 1 if red or not rounds else 0


if __name__ == "__main__":
    raise SystemExit(main())
