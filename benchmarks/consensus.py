"""Measure the consensus: same-claim pairs on the label files, boundaries on the planted conversations, and time.

usage: python benchmarks/consensus.py [--embedder all-MiniLM-L6-v2|hashing] [--data DIR] [--json FILE] [--time]

What it reads is in benchmarks/data, but for the gold decisions of real meetings: with --data DIR it reads
DIR/qmsum.jsonl (QMSum: https://github.com/Yale-LILY/QMSum; decisions from the AMI corpus). Same-claim figures and
faults are over the labelled claims, which were made to stand alone; the planted figures are over statements parsed from
the raw answers. Intervals are 95 % bootstrap intervals over conversations. One module, though long: every
part of the report beside its table.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import consensus_parts as parts
from benchmarks import consensus_time as timing
from benchmarks import score_planted
from consensus.build import build_consensus
from consensus.calibration import calibration_for
from consensus.cluster import AverageLinkage, Groups
from consensus.distance import joint_distances
from consensus.embedder import SentenceTransformerEmbedder
from consensus.grouping import group_under_guards
from consensus.guards import contradiction
from consensus.hashing import HashingEmbedder
from consensus.profile import profile_of
from consensus.vectors import BoolMatrix, FloatArray, pack, unpack
from consensus.voices import OneVoice
from dissolution.answers import FinishReason
from dissolution.claims import Claim, Section, StatedClaim, Statement
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus, EmbeddingStamp, Vectors
from dissolution.policy import ConsensusPolicy
from dissolution.ports import Embedder
from prompts.parse import parse_reply
from wording.reading.options import ReadingOptions
from wording.reading.read import read_file

DATA = ROOT / "benchmarks" / "data"
SHOWN = ("recall", "section_recall", "commitment_recall")


class Remembering:
    """An embedder that embeds each text once; `seconds` is what the embedding took."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._rows: dict[str, FloatArray] = {}
        self.seconds = 0.0

    @property
    def stamp(self) -> EmbeddingStamp:
        """The inner embedder's."""
        return self._inner.stamp

    def embed(self, texts: "list[str] | tuple[str, ...] | Any") -> Vectors:  # noqa: ANN401 - any sequence
        """Unit rows in the order given."""
        start = time.perf_counter()
        new = sorted(set(texts) - self._rows.keys())
        if new:
            self._rows.update(zip(new, unpack(self._inner.embed(new)), strict=True))
        self.seconds += time.perf_counter() - start
        rows = np.array([self._rows[text] for text in texts], dtype=np.float32)
        return pack(rows.reshape(len(texts), self.stamp.dimension), self.stamp)


@dataclass(frozen=True)
class Arm:
    """One writer's answer to one conversation."""

    writer: str
    family: str
    text: str
    statements: tuple[Statement, ...]


def read_json(path: Path) -> Any:  # noqa: ANN401 - a data file
    return json.loads(path.read_text(encoding="utf-8"))


def snapshot_of(conversation: str) -> Snapshot:
    path = DATA / "planted" / f"{conversation}.json"
    return read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()


def arms_of(conversation: str, through: int) -> list[Arm]:
    """The dissolve answers of one conversation, parsed; an unusable answer has no statements."""
    arms: list[Arm] = []
    for path in sorted((DATA / "recordings" / conversation).glob("*.dissolve.json")):
        record = read_json(path)
        parsed = parse_reply(record["answer"], FinishReason.STOP, through=through)
        stated: tuple[StatedClaim, ...] = parsed.claims if parsed.usable else ()
        writer, family = record["writer"], record["family"]
        statements = tuple(
            Statement(member=writer, family=family, ordinal=place, claim=claim) for place, claim in enumerate(stated)
        )
        arms.append(Arm(writer, family, record["answer"], statements))
    return arms


def score(truth: dict[str, Any], claims: "tuple[Claim, ...] | tuple[StatedClaim, ...]") -> dict[str, Any]:
    """The yardstick's figures for these claims as a boundary."""
    yardstick: Any = score_planted  # an untyped script
    figures: dict[str, Any] = yardstick.score(truth, boundary(claims))
    return figures


def boundary(claims: tuple[Claim, ...] | tuple[StatedClaim, ...]) -> dict[str, Any]:
    return {
        "sections": {
            section.value: [{"text": claim.text} for claim in claims if claim.section is section] for section in Section
        }
    }


def same_claim(labels: dict[str, Any], embedder: Embedder) -> dict[str, float]:
    """Pairs of one label file: precision, recall and F1 of "same claim", and what the guards do."""
    claims, place = labels["claims"], {claim["id"]: row for row, claim in enumerate(labels["claims"])}
    profiles = [profile_of(claim["text"]) for claim in claims]
    distances = joint_distances(profiles, unpack(embedder.embed([claim["text"] for claim in claims])))
    cut = calibration_for(embedder.stamp.model).same_claim
    grouping = OneVoice(AverageLinkage(cut), [claim["writer"] for claim in claims])
    found = together(group_under_guards(grouping, distances, profiles), len(claims))
    truth = together(tuple(tuple(place[c] for c in group["claims"]) for group in labels["groups"]), len(claims))
    upper = np.triu_indices(len(claims), 1)
    both, said, true = (int(m[upper].sum()) for m in (found & truth, found, truth))
    opposed = [(place[pair["a"]], place[pair["b"]]) for pair in labels["contradictions"]]
    near = [(place[pair["a"]], place[pair["b"]]) for pair in labels["near"]]
    flagged = [contradiction(profiles[a], profiles[b]) is not None for a, b in opposed]
    near_flagged = [contradiction(profiles[a], profiles[b]) is not None for a, b in near]
    return {
        "precision": both / max(said, 1),
        "recall": both / max(true, 1),
        "f1": 2 * both / max(said + true, 1),
        "opposed": len(opposed),
        "merged": sum(bool(found[a, b]) for a, b in opposed),
        "flagged": sum(flagged),
        "near": len(near),
        "near_flagged": sum(near_flagged),
        "near_merged": sum(bool(found[a, b]) for a, b in near),
    }


def together(groups: Groups, n: int) -> BoolMatrix:
    label = np.zeros(n, dtype=np.int64)
    for number, group in enumerate(groups):
        label[list(group)] = number
    return label[:, None] == label[None, :]


def run(statements: list[Statement], snapshot: Snapshot, embedder: Embedder, arms: list[Arm]) -> Consensus:
    answers = {arm.writer: arm.text for arm in arms}
    return build_consensus(statements, snapshot, embedder, ConsensusPolicy(), job="benchmark", answers=answers)


def consensus_of(arms: list[Arm], truth: dict[str, Any], snapshot: Snapshot, embedder: Embedder) -> dict[str, Any]:
    """The yardstick's figures for the consensus of these arms, with its size over the longest answer."""
    statements = [statement for arm in arms for statement in arm.statements]
    figures = score(truth, run(statements, snapshot, embedder, arms).claims)
    return figures | {"size": figures["words"] / max(1, *(length(arm) for arm in arms))}


def length(arm: Arm) -> int:
    return sum(len(statement.claim.text.split()) for statement in arm.statements)


def as_members(arms: list[Arm]) -> list[Arm]:
    """The same answers with each member as a family of its own: votes would count members."""
    return [
        Arm(
            arm.writer,
            arm.writer,
            arm.text,
            tuple(said.model_copy(update={"family": arm.writer}) for said in arm.statements),
        )
        for arm in arms
    ]


def other_arms(truth: dict[str, Any], snapshot: Snapshot, embedder: Embedder, arms: list[Arm]) -> dict[str, Any]:
    """Members counted instead of families, the longest answer, and the consensus with each writer withheld."""
    results: dict[str, Any] = {"members": consensus_of(as_members(arms), truth, snapshot, embedder)}
    longest = max(arms, key=length)
    results["longest"] = score(truth, tuple(statement.claim for statement in longest.statements))
    for arm in arms:
        rest = [other for other in arms if other is not arm]
        figures = consensus_of(rest, truth, snapshot, embedder)
        alone = [score(truth, tuple(said.claim for said in other.statements)) for other in rest]
        best = {f"best_{key}": max(one[key] for one in alone) for key in ("recall", "section_recall")}
        results[f"less {arm.writer}"] = figures | best
    return results


def planted(conversation: str, inner: Embedder) -> dict[str, dict[str, Any]]:
    """Every arm of one conversation against its planted truth, and the time of one job."""
    truth = read_json(DATA / "planted" / f"{conversation}.json")["truth"]
    snapshot = snapshot_of(conversation)
    arms = arms_of(conversation, snapshot.through)
    statements = [statement for arm in arms for statement in arm.statements]
    embedder = Remembering(inner)
    start = time.perf_counter()
    consensus = run(statements, snapshot, embedder, arms)
    seconds = time.perf_counter() - start
    timing.forget()
    start = time.perf_counter()
    run(statements, snapshot, embedder, arms)
    without = time.perf_counter() - start
    results: dict[str, dict[str, Any]] = {"consensus": score(truth, consensus.claims)}
    results["consensus"] |= {
        "statements": len(statements), "groups": consensus.groups, "dissent": len(consensus.dissent),
        "seconds": seconds, "seconds_without_embedding": without,
    }  # fmt: skip
    for arm in arms:
        results[arm.writer] = score(truth, tuple(statement.claim for statement in arm.statements))
    results["union"] = score(truth, tuple(statement.claim for statement in statements))
    return results | other_arms(truth, snapshot, embedder, arms)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table, as docs/consensus.md has it."""
    print(f"\n| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


def show_same_claim(embedder: Embedder) -> dict[str, Any]:
    results = {path.stem: same_claim(read_json(path), embedder) for path in sorted((DATA / "labels").glob("*.json"))}
    print(f"\nPairs of each label file, by {embedder.stamp.model}:")
    table(
        ("conversation", "precision", "recall", "F1", "merged", "opposed flagged", "near flagged", "near merged"),
        [
            (name, *(f"{found[key]:.3f}" for key in ("precision", "recall", "f1")), found["merged"],
             f"{found['flagged']} of {found['opposed']}", f"{found['near_flagged']} of {found['near']}",
             found["near_merged"])
            for name, found in results.items()
        ],
    )  # fmt: skip
    total = {key: sum(int(found[key]) for found in results.values()) for key in ("opposed", "flagged", "near_flagged")}
    mean = statistics.fmean(found["f1"] for found in results.values())
    print(f"\nMean F1 {mean:.3f}; {total['flagged']} of {total['opposed']} labelled opposed pairs are flagged.")
    return results


def show_planted(embedder: Embedder) -> dict[str, Any]:
    results = {path.stem: planted(path.stem, embedder) for path in sorted((DATA / "planted").glob("*.json"))}
    print("\nBoundaries from the raw answers of six writers, against planted truth (`size`: words over the longest):")
    rows: list[Sequence[object]] = []
    for name, found in results.items():
        writers = [figures for arm, figures in found.items() if arm.startswith("writer")]
        best = max(writers, key=lambda figures: (figures["recall"], figures["section_recall"]))
        longest = found["longest"]["words"]
        for arm, figures in (
            ("consensus", found["consensus"]), ("best writer", best), ("longest answer", found["longest"]),
            ("union", found["union"]),
        ):  # fmt: skip
            shares = (shown(figures[key]) for key in SHOWN)
            faults = (figures[key] for key in ("wrong_asserted", "hedged_promoted", "one_off_standing"))
            rows.append((name, arm, *shares, *faults, figures["words"], f"{figures['words'] / longest:.2f}"))
    table(
        ("conversation", "arm", "recall", "section recall", "commitments", "wrong", "hedged as fact",
         "one-off as rule", "words", "size"),
        rows,
    )  # fmt: skip
    show_means(results)
    show_withheld(results)
    return results


def shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def show_means(results: dict[str, Any]) -> None:
    rows: list[Sequence[object]] = []
    for arm in ("consensus", "longest", "union"):
        cells: list[str] = []
        for key in ("recall", "section_recall", "commitment_recall", "wrong_asserted"):
            values = [float(found[arm][key] or 0) for found in results.values()]
            low, high = parts.interval(values)
            cells.append(f"{statistics.fmean(values):.3f} [{low:.3f}, {high:.3f}]")
        rows.append((arm, *cells, f"{statistics.fmean(found[arm]['words'] for found in results.values()):.0f}"))
    print("\nMeans over the conversations, with 95 % bootstrap intervals:")
    table(("arm", "recall", "section recall", "commitments", "wrong", "words"), rows)
    reached = {"recall": 0, "section_recall": 0}
    for found in results.values():
        for key in reached:
            best = max(float(figures[key] or 0) for arm, figures in found.items() if arm.startswith("writer"))
            reached[key] += float(found["consensus"][key]) >= best
    print(
        f"\nAt least the best writer's recall in {reached['recall']} and section recall in {reached['section_recall']} "
        f"of {len(results)} conversations."
    )


def show_withheld(results: dict[str, Any]) -> None:
    """The consensus of the rest against the best of the rest, where it falls short, and over all arms."""
    arms = [
        (name, arm, figures)
        for name, found in results.items()
        for arm, figures in found.items()
        if arm.startswith("less ")
    ]
    keys = ("recall", "section_recall")
    at_least = {key: sum(figures[key] >= figures[f"best_{key}"] for _, _, figures in arms) for key in keys}
    wrong = sum(figures["wrong_asserted"] for _, _, figures in arms)
    print(
        f"\nOne writer withheld ({len(arms)} arms): recall at least the best of the rest in {at_least['recall']}, "
        f"section recall in {at_least['section_recall']}, wrong values {wrong}."
    )
    below = [
        (name, arm, key, f"{figures[key]:.3f}", f"{figures[f'best_{key}']:.3f}")
        for name, arm, figures in arms
        for key in keys
        if figures[key] < figures[f"best_{key}"]
    ]
    if below:
        table(("conversation", "arm", "figure", "consensus", "best of the rest"), below)


def show_methods(embedder: Embedder) -> dict[str, Any]:
    """Every way of grouping, and ours with each guard taken away; guards without which nothing changes in one row."""
    files = [read_json(path) for path in sorted((DATA / "labels").glob("*.json"))]
    by_file = [parts.compare_methods(labels, embedder) for labels in files]
    results: dict[str, Any] = {}
    rows: dict[str, Sequence[object]] = {}
    for name in by_file[0]:
        f1 = [found[name]["f1"] for found in by_file]
        low, high = parts.interval(f1)
        mean = {key: statistics.fmean(found[name][key] for found in by_file) for key in ("precision", "recall", "f1")}
        total = {key: sum(int(found[name][key]) for found in by_file) for key in ("merged", "mixed")}
        results[name] = mean | total | {"low": low, "high": high}
        rows[name] = (
            *(f"{mean[key]:.3f}" for key in ("precision", "recall", "f1")), f"{low:.3f} to {high:.3f}",
            total["merged"], total["mixed"],
        )  # fmt: skip
    print(
        "\nGrouping of the labelled claims (pairs; `merged` counts labelled opposed pairs in one group, `mixed` the "
        "groups that hold one):"
    )
    same = [name for name, row in rows.items() if name.startswith("without ") and row == rows["ours"]]
    table(
        ("grouping", "precision", "recall", "F1", "95 % interval", "merged", "mixed"),
        [(name, *row) for name, row in rows.items() if name not in same],
    )
    print(f"\nThe row of `ours` does not change {', '.join(same)}.")
    return results


def show_faults(embedder: Embedder) -> dict[str, Any]:
    """Labelled faults that stand, as stated and copied into other families in each way, with and without the size."""
    print("\nLabelled faults (other than vague ones) that stand in KNOWN, DECIDED or IDENTITY:")
    results: dict[str, Any] = {}
    rows: list[Sequence[object]] = []
    for name, copying in parts.COPYING.items():
        counts: dict[float, int] = {}
        for ratio in (ConsensusPolicy().size_ratio, parts.NO_SIZE):
            policy = ConsensusPolicy(size_ratio=ratio)
            found = {
                path.stem: parts.faults(read_json(path), snapshot_of(path.stem), embedder, copying, policy)
                for path in sorted((DATA / "labels").glob("*.json"))
            }
            results[f"{name}, size {ratio:g}"] = found
            counts[ratio] = sum(one["standing"] for one in found.values())
            total = sum(one["faults"] for one in found.values())
        rows.append((name, *(f"{count} of {total}" for count in counts.values())))
    table(("told", "stand", "stand without a bound on the size"), rows)
    for name, found in results.items():
        for conversation, one in found.items():
            for text in one["texts"]:
                print(f"{name}, {conversation}: {text}")
    return results


def show_figures(embedder: Embedder) -> dict[str, Any]:
    """Every part of the report but the time."""
    return {
        "same_claim": show_same_claim(embedder),
        "methods": show_methods(embedder),
        "faults": show_faults(embedder),
        "planted": show_planted(embedder),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", choices=("all-MiniLM-L6-v2", "hashing"), default="all-MiniLM-L6-v2")
    parser.add_argument("--data", type=Path, help="folder with qmsum.jsonl, for the gold decisions of real meetings")
    parser.add_argument("--json", type=Path, help="write every figure here")
    parser.add_argument("--time", action="store_true", help="measure time only")
    options = parser.parse_args()
    embedder: Embedder = HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder()
    embedder.embed(["loaded before the clock starts"])  # time is measured without the loading
    results: dict[str, Any] = {} if options.time else show_figures(embedder)
    results["time"] = timing.show(DATA, snapshot_of, embedder, Remembering(embedder))
    if options.data:
        results["gold_decisions"] = parts.gold_decisions(options.data / "qmsum.jsonl", embedder)
        gold = results["gold_decisions"]
        print(
            f"\nGold decisions of real meetings, each as the claim: of {gold['decisions']} the best stretch lies in "
            f"the decision's evidence turns for {gold['top']:.3f}, one of the best three for {gold['top3']:.3f}."
        )
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
