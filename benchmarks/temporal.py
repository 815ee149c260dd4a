"""Precision and recall of the temporal classes on the annotated sentences.

    python benchmarks/temporal.py [--split test|tune] [--errors] [--natural | --planted]

Prints, for each class, precision and recall with 95 % Wilson score intervals (Wilson 1927; z = 1.96), and the confusion
matrix. The `test` half was frozen before the rules were written; `--errors` shows the tune half only.

`--natural` reads sentences drawn from running talk instead, where commitments are rare and carry fewer cues. They were
drawn by the class the rules gave them then (`drawn_as`), so recall is an estimate in which each sentence stands for as
many as were not drawn. `--planted` reads the truths of the planted conversations.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dissolution.temporal import TemporalClass
from language.temporal import classify
from stability.experiments.data import DataFolder
from stability.experiments.statistics import wilson
from stability.experiments.temporal_classes import Judged, judged, sentences

DATA = DataFolder(Path(__file__).parent / "data")
PLANTED = DATA.path / "planted"
POOLS = {
    ("tune", "current_state"): 650,
    ("tune", "forward_open"): 77,
    ("tune", "deferred"): 21,
    ("tune", "closed_historical"): 3,
    ("test", "current_state"): 581,
    ("test", "forward_open"): 36,
}
"""How many sentences each draw of the natural ones was made from, by the class they were read as."""
BINDING = frozenset(
    {"decision", "ruled_out", "prohibition", "role", "standing_instruction", "forward_commitment"},
)
"""Kinds of planted claims that bind; `fact` and `open_question` do not."""


def share(hits: int, total: int) -> str:
    """A proportion with its interval, or why there is none."""
    if total == 0:
        return "not measured: no sentence"
    found = wilson(hits, total)
    return f"{hits}/{total} = {found.estimate:.3f} ({found.low:.3f} to {found.high:.3f})"


def table(rows: Sequence[Judged]) -> list[str]:
    """Lines of a Markdown table: precision and recall of each class."""
    lines = ["| class | precision (95 %) | recall (95 %) |", "|---|---|---|"]
    for name in TemporalClass:
        hits = sum(1 for row in rows if row.found is name is row.sentence.label)
        found = sum(1 for row in rows if row.found is name)
        labelled = sum(1 for row in rows if row.sentence.label is name)
        lines.append(f"| `{name}` | {share(hits, found)} | {share(hits, labelled)} |")
    right = sum(1 for row in rows if row.found is row.sentence.label)
    return [*lines, "", f"right: {share(right, len(rows))}"]


def matrix(rows: Sequence[Judged]) -> list[str]:
    """Lines of a Markdown table: labels down, classes found across."""
    counts = Counter((row.sentence.label, row.found) for row in rows)
    names = [f"`{name}`" for name in TemporalClass]
    lines = [f"| label \\ found | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    rows_of_counts = (
        (label, " | ".join(str(counts[label, found]) for found in TemporalClass)) for label in TemporalClass
    )
    return [*lines, *(f"| `{label}` | {cells} |" for label, cells in rows_of_counts)]


def by_domain(rows: Sequence[Judged]) -> list[str]:
    """One line a domain: the share that is right."""
    domains = sorted({row.sentence.domain for row in rows})
    groups = [(name, [row for row in rows if row.sentence.domain == name]) for name in domains]
    return [f"{name}: {share(sum(r.found is r.sentence.label for r in group), len(group))}" for name, group in groups]


def weighted_recall(rows: Sequence[Judged]) -> list[str]:
    """For each class: the share found, each sentence counting for the part of its pool that it stands for."""
    drawn = Counter((row.sentence.split, row.sentence.drawn_as) for row in rows)
    weights = {key: POOLS[key] / count for key, count in drawn.items()}
    lines: list[str] = []
    for name in TemporalClass:
        labelled = [row for row in rows if row.sentence.label is name]
        total = sum(weights[row.sentence.split, row.sentence.drawn_as] for row in labelled)
        hits = sum(weights[row.sentence.split, row.sentence.drawn_as] for row in labelled if row.found is name)
        found = f"{hits / total:.2f} of about {total:.0f}" if labelled else "not measured: no sentence"
        lines.append(f"estimated recall of {name} in running talk: {found}")
    return lines


def planted() -> list[str]:
    """Classes given to the planted truths: claims that bind, facts, open questions and past states."""
    counts: dict[str, Counter[TemporalClass]] = {"binding claim": Counter(), "fact": Counter(), "past state": Counter()}
    for path in sorted(PLANTED.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))["truth"]
        for claim in truth["claims"]:
            kind = "binding claim" if claim["kind"] in BINDING else "fact"
            counts[kind][classify(claim["text"]).temporal_class] += 1
        for past in truth["historical"]:
            counts["past state"][classify(past["text"]).temporal_class] += 1
    names = [f"`{name}`" for name in TemporalClass]
    lines = [f"| planted truth | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for kind, found in counts.items():
        lines.append(f"| {kind} | {' | '.join(str(found[name]) for name in TemporalClass)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("test", "tune"), help="one half only; default both, one after the other")
    parser.add_argument(
        "--errors", action="store_true", help="also print each sentence of the tune half that is misread"
    )
    parser.add_argument("--natural", action="store_true", help="sentences drawn from running talk instead")
    parser.add_argument("--planted", action="store_true", help="the truths of the planted conversations instead")
    options = parser.parse_args()
    if options.planted:
        print(*planted(), sep="\n")
        return
    given = sentences(DATA, "temporal_natural.jsonl" if options.natural else "temporal.jsonl")
    for split in (options.split,) if options.split else ("test", "tune"):
        rows = judged([sentence for sentence in given if sentence.split == split])
        print(f"{split}:", "", *table(rows), "", *matrix(rows), "", *by_domain(rows), "", sep="\n")
        if options.natural:
            print(*weighted_recall(rows), "", sep="\n")
        if options.errors and split == "tune":
            for sentence, found in rows:
                if found is not sentence.label:
                    print(f"{sentence.id} {sentence.label} read as {found}: {sentence.text}")
        elif options.errors:
            print("the errors of the test half are not shown, so that rules cannot be fitted to them", file=sys.stderr)


if __name__ == "__main__":
    main()
