"""What independent readers said of what a drill committed: its changes and its statements, by both readings.

usage: python benchmarks/drill_readers.py FOLDER

FOLDER holds `readers-first.json` and `readers-second.json`: what a reader that knew neither code nor members found in
the list of each job, by the turns alone. Each list was read twice, by different readers. A fault of a statement is
given as told by the first, by the second, and by both.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FAULTS = ("wrong", "guess", "one_off", "injected", "stale", "duplicates")


def main() -> int:
    """Print the totals and what each reader gives as faults."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    first, second = (read(Path(sys.argv[1]) / f"readers-{name}.json") for name in ("first", "second"))
    for name, found in (("first", first), ("second", second)):
        changes = [job["changes"] for job in found.values()]
        told = {key: sum(len(one[key]) for one in changes) for key in ("wrong", "doubtful")}
        told["right"] = sum(int(one["right"]) for one in changes)
        share = told["right"] / max(1, sum(told.values()))
        print(
            f"{name} reading: {len(found)} lists; of {sum(told.values())} changes {told['right']} right ({share:.1%}),"
        )
        print(f"  {told['wrong']} wrong, {told['doubtful']} doubtful")
    statements = sum(int(job["statements"]) for job in first.values())
    print(f"{statements} statements; fault: first, second, both")
    for fault in FAULTS:
        sides = [numbers(found, fault) for found in (first, second)]
        print(f"  {fault}: {len(sides[0])}, {len(sides[1])}, {len(sides[0] & sides[1])}")
    for name, found in (("first", first), ("second", second)):
        for job, said in sorted(found.items()):
            for fault in FAULTS[:-1]:
                for one in said[fault]:
                    print(f"{name}: {job} ({one['n']}) {fault}: {one['why']}")
    return 0


def read(path: Path) -> Mapping[str, dict[str, Any]]:
    """What was said of each list, by conversation and last turn."""
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def numbers(found: Mapping[str, dict[str, Any]], fault: str) -> set[tuple[str, int]]:
    """The statements with a fault, by list and number."""
    return {(job, int(one["n"])) for job, said in found.items() for one in said[fault]}


if __name__ == "__main__":
    sys.exit(main())
