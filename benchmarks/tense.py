"""Accuracy of the tense rules on 200 hand-labelled sentences.

    python benchmarks/tense.py [--split test|tune] [--errors]

Prints accuracy overall and per class with 95 % Wilson score intervals (Wilson 1927; z = 1.96). The `test` half
was set apart before the rules were tuned on the `tune` half.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wording.tense import Tense, tense

DATA = Path(__file__).parent / "data" / "tense.jsonl"
Z = 1.959964


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


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a proportion: (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)."""
    share = hits / total
    middle = share + Z * Z / (2 * total)
    reach = Z * math.sqrt(share * (1 - share) / total + Z * Z / (4 * total * total))
    return (middle - reach) / (1 + Z * Z / total), (middle + reach) / (1 + Z * Z / total)


def table(rows: Sequence[Sentence]) -> list[str]:
    """Lines of a Markdown table: accuracy of all rows and of each labelled class."""
    right = Counter(row.tense for row in rows if tense(row.sentence) is row.tense)
    total = Counter(row.tense for row in rows)
    lines = ["| label | sentences | right | accuracy | 95 % interval |", "|---|---|---|---|---|"]
    for name, hits, count in [
        ("all", right.total(), total.total()),
        *((each, right[each], total[each]) for each in Tense),
    ]:
        low, high = wilson(hits, count)
        lines.append(f"| {name} | {count} | {hits} | {hits / count:.3f} | {low:.3f} to {high:.3f} |")
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
