"""Scale: a snapshot of 200,000 tokens, a ledger of 5,000 open claims, 100 cycles of one conversation.

usage: python benchmarks/scale.py [--only windows|ledger|cycles] [--embedder all-MiniLM-L6-v2]
                                  [--tokens 200000] [--window 32000] [--claims 5000] [--cycles 100] [--turns 4]

Whole jobs through the path on SQLite, with three scripted members that count the tokens of what they are asked; each
part runs in a process of its own and prints one JSON document: processor and wall time by stage (s), tokens, and the
peak of memory (MB, 10^6 bytes). Stages run one after the other, so that each has a time of its own. The embedder is the
hashing one; `cycles` has no other.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # not this folder: its consensus.py would pose as the room

from benchmarks.scale_run.cycles import cycles
from benchmarks.scale_run.ledger import ledger
from benchmarks.scale_run.windows import windows

PARTS = ("windows", "ledger", "cycles")


def part(given: argparse.Namespace) -> dict[str, object]:
    """The figures of one part, measured in this process."""
    if given.only == "windows":
        return windows(given.tokens, given.window, given.embedder)
    if given.only == "ledger":
        return ledger(given.claims, given.embedder)
    return cycles(given.cycles, given.turns)


def main() -> None:
    """Print the figures of each part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--embedder", default="hashing")
    parser.add_argument("--tokens", type=int, default=200_000, help="of the snapshot of `windows`")
    parser.add_argument("--window", type=int, default=32_000, help="tokens that a member of `windows` reads at once")
    parser.add_argument("--claims", type=int, default=5000, help="open claims of `ledger`")
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--turns", type=int, default=4, help="turns between two cycles")
    given = parser.parse_args()
    if given.only is not None:
        print(json.dumps({given.only: part(given)}, indent=1))
        return
    for name in PARTS:
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--only", name], check=True)  # noqa: S603 - this file


if __name__ == "__main__":
    main()
