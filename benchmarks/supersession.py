"""Measure what the ledger closes: explicit changes of mind in bookings, and planted conversations in four cycles.

usage: python benchmarks/supersession.py [--data DIR] [--embedder all-MiniLM-L6-v2|hashing] [--json FILE]

With --data DIR it reads DIR/multiwoz.jsonl (MultiWOZ 2.1, https://github.com/budzianowski/multiwoz, MIT; final states
and explicit revisions by turn). Each value that a dialogue sets becomes a claim in one of several wordings
(supersession_templates.py, supersession_first_sight.py), on the words of its turn, and each turn that sets one is a
cycle. Measured are revisions whose old value is still open afterwards, other claims that were closed, and what hints
point at. Twice: with members that cite the ids of the claims they revise, as the prompt of a cycle asks, and with
members that cite none. The planted conversations and the recorded rolling answers are in benchmarks/data; those writers
were shown no ids, so that the same answers are measured as they are and with the ids that their statements revise by
the truth files. Intervals are 95 % bootstrap intervals over dialogues or conversations.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import supersession_bookings as bookings
from benchmarks import supersession_rolling as rolling
from benchmarks.supersession_parts import Remembering, interval
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder


def booked(path: Path, embedder: Remembering) -> dict[str, Any]:
    """All sets of wordings over all dialogues."""
    dialogues = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found: dict[str, Any] = {}
    sets = (
        (0, "looked at"),
        (1, "looked at once"),
        (bookings.WRITTEN_LATER, "written later"),
        (bookings.FIRST_SIGHT, "of other verbs"),
    )
    for half, name in sets:
        for cite in (True, False):
            rows = [
                bookings.outcome(one, half, draw, embedder, cite=cite)
                for one in dialogues
                for draw in range(bookings.DRAWS)
            ]
            told = f"{name}, ids {'cited' if cite else 'not cited'}"
            found[told] = bookings.figures(rows)
            print(f"bookings, wordings {told}:")
            for key, value in found[told].items():
                print(f"  {key:32} {value}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with multiwoz.jsonl and, for meetings, qmsum.jsonl")
    parser.add_argument("--embedder", choices=["all-MiniLM-L6-v2", "hashing"], default="all-MiniLM-L6-v2")
    parser.add_argument("--meetings", type=Path, help="folder with rolling answers about the meetings of qmsum.jsonl")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    inner = HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder()
    embedder = Remembering(inner)
    report: dict[str, Any] = {"embedder": inner.stamp.model}
    if options.data is not None:
        report["bookings"] = booked(options.data / "multiwoz.jsonl", embedder)
    for cite in (False, True):
        told = f"planted, ids {'cited' if cite else 'not cited'}"
        planted = {name: rolling.planted(name, embedder, cite=cite) for name in rolling.conversations()}
        report[told] = planted
        for name, cycles in planted.items():
            for cycle in cycles:
                print(told, name, {key: value for key, value in cycle.items() if key != "items"})
        report[f"{told}, together"] = rolling.together(planted, interval)
        print(told, report[f"{told}, together"])
    if options.data is not None and options.meetings is not None:
        report["meetings"] = rolling.meetings(options.data / "qmsum.jsonl", options.meetings, embedder)
        for cycle in report["meetings"]:
            print("meetings", cycle)
    if options.json is not None:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
