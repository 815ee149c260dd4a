"""Accuracy of the tense rules on 200 hand-labelled sentences.

    python benchmarks/tense.py [--split test|tune] [--errors]

Prints accuracy overall and per class with 95 % Wilson score intervals (Wilson 1927; z = 1.96). The `test` half
was set apart before the rules were tuned on the `tune` half.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from language.tense import Tense, tense
from stability.experiments.statistics import wilson

DATA = Path(__file__).parent / "data" / "tense.jsonl"


class Sentence(NamedTuple):
    """One labelled sentence."""

    id: str
    source: str
    sentence: str
    tense: Tense
    split: str


def read(path: Path = DATA) -> list[Sentence]:
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [Sentence(**{**row, "tense": Tense(row["tense"])}) for row in rows]


def table(rows: Sequence[Sentence]) -> list[str]:
    """Lines of a Markdown table: accuracy of all rows and of each labelled class."""
    right = Counter(row.tense for row in rows if tense(row.sentence) is row.tense)
    total = Counter(row.tense for row in rows)
    lines = ["| label | sentences | right | accuracy | 95 % interval |", "|---|---|---|---|---|"]
    for name, hits, count in [
        ("all", right.total(), total.total()),
        *((each, right[each], total[each]) for each in Tense),
    ]:
        share = wilson(hits, count)
        lines.append(f"| {name} | {count} | {hits} | {share.estimate:.3f} | {share.low:.3f} to {share.high:.3f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("test", "tune"), help="one half only; default both, one after the other")
    parser.add_argument("--errors", action="store_true", help="also print each sentence that is misread")
    options = parser.parse_args()
    for split in (options.split,) if options.split else ("test", "tune"):
        rows = [row for row in read() if row.split == split]
        print(f"{split}:", *table(rows), "", sep="\n")
        if options.errors:
            for row in rows:
                if (found := tense(row.sentence)) is not row.tense:
                    print(f"{row.id} {row.tense} read as {found}: {row.sentence}")


if __name__ == "__main__":
    main()
