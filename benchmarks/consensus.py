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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import consensus_parts as parts  # noqa: E402
from benchmarks import consensus_time as timing  # noqa: E402
from benchmarks import score_planted  # noqa: E402 - after the path is set, so that it runs as a script
from consensus.build import build_consensus  # noqa: E402
from consensus.calibration import calibration_for  # noqa: E402
from consensus.cluster import AverageLinkage, Groups  # noqa: E402
from consensus.distance import joint_distances  # noqa: E402
from consensus.embedder import SentenceTransformerEmbedder  # noqa: E402
from consensus.grouping import group_under_guards  # noqa: E402
from consensus.guards import contradiction  # noqa: E402
from consensus.hashing import HashingEmbedder  # noqa: E402
from consensus.profile import profile_of  # noqa: E402
from consensus.vectors import BoolMatrix, FloatArray, pack, unpack  # noqa: E402
from consensus.voices import OneVoice  # noqa: E402
from dissolution.answers import FinishReason  # noqa: E402
from dissolution.claims import Claim, Section, StatedClaim, Statement  # noqa: E402
from dissolution.clock import SystemClock  # noqa: E402
from dissolution.conversation import Snapshot  # noqa: E402
from dissolution.findings import Consensus, EmbeddingStamp, Vectors  # noqa: E402
from dissolution.policy import ConsensusPolicy  # noqa: E402
from dissolution.ports import Embedder  # noqa: E402
from prompts.parse import parse_reply  # noqa: E402
from wording.reading.options import ReadingOptions  # noqa: E402
from wording.reading.read import read_file  # noqa: E402

DATA = ROOT / "benchmarks" / "data"
SHOWN = (
    "recall", "section_recall", "commitment_recall", "wrong_asserted", "injected", "hedged_promoted",
    "one_off_standing", "claims", "words",
)  # fmt: skip


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


def show_same_claim(embedder: Embedder) -> dict[str, Any]:
    results: dict[str, Any] = {}
    print(f"\nSame claim, {embedder.stamp.model}")
    print(f"{'conversation':24} {'P':>6} {'R':>6} {'F1':>6}  opposed: merged  flagged   near: flagged  merged")
    for path in sorted((DATA / "labels").glob("*.json")):
        labels = read_json(path)
        found = results[path.stem] = same_claim(labels, embedder)
        print(
            f"{path.stem:24} {found['precision']:6.3f} {found['recall']:6.3f} {found['f1']:6.3f}"
            f"  {found['merged']:15} {found['flagged']:5}/{found['opposed']:<3}"
            f" {found['near_flagged']:9}/{found['near']:<3} {found['near_merged']:6}"
        )
    mean = statistics.fmean(found["f1"] for found in results.values())
    total = {
        key: sum(found[key] for found in results.values())
        for key in ("opposed", "merged", "flagged", "near", "near_flagged")
    }
    print(f"mean F1 {mean:.3f}; opposed pairs {total}")
    return results


def show_planted(embedder: Embedder) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for path in sorted((DATA / "planted").glob("*.json")):
        found = results[path.stem] = planted(path.stem, embedder)
        print(
            f"\n{path.stem}: {found['consensus']['statements']} statements, {found['consensus']['groups']} groups, "
            f"{found['consensus']['dissent']} dissent, {found['consensus']['seconds']:.2f} s, "
            f"{found['consensus']['seconds_without_embedding']:.2f} s without embedding"
        )
        print(f"{'':12}" + "".join(f"{name[:13]:>14}" for name in SHOWN))
        for arm, figures in found.items():
            print(f"{arm:12}" + "".join(f"{figures[name] if figures[name] is not None else '-':>14}" for name in SHOWN))
    print("\nmean over conversations")
    for arm in ("consensus", "members", "longest", "union"):
        means = {name: statistics.fmean(float(found[arm][name] or 0) for found in results.values()) for name in SHOWN}
        print(f"{arm:12}" + "".join(f"{means[name]:>14.3f}" for name in SHOWN))
    best = statistics.fmean(
        max(float(figures["recall"] or 0) for arm, figures in found.items() if arm.startswith("writer"))
        for found in results.values()
    )
    print(f"best single writer's recall, mean {best:.3f}")
    show_withheld(results)
    return results


def show_withheld(results: dict[str, Any]) -> None:
    for key in ("recall", "section_recall", "wrong_asserted"):
        values = [float(found["consensus"][key]) for found in results.values()]
        low, high = parts.interval(values)
        print(f"consensus {key}: {statistics.fmean(values):.3f} [{low:.3f}, {high:.3f}]")
    print("\none writer withheld: consensus against the best of the rest")
    for name, found in results.items():
        for arm, figures in found.items():
            if arm.startswith("less "):
                size = figures["size"]
                below = [key for key in ("recall", "section_recall") if figures[key] < figures[f"best_{key}"]]
                print(
                    f"{name:22} {arm:14} recall {figures['recall']:.3f} / {figures['best_recall']:.3f}  section "
                    f"{figures['section_recall']:.3f} / {figures['best_section_recall']:.3f}  wrong "
                    f"{figures['wrong_asserted']}  size {size:.2f}  {'below: ' + ', '.join(below) if below else ''}"
                )


def show_methods(embedder: Embedder) -> dict[str, Any]:
    """Every way of grouping, and ours with each guard taken away."""
    files = [read_json(path) for path in sorted((DATA / "labels").glob("*.json"))]
    by_file = [parts.compare_methods(labels, embedder) for labels in files]
    print(f"\n{'grouping':22} {'P':>6} {'R':>6} {'F1':>6} {'95 % interval':>16}  opposed merged  mixed groups")
    results: dict[str, Any] = {}
    for name in by_file[0]:
        f1 = [found[name]["f1"] for found in by_file]
        low, high = parts.interval(f1)
        mean = {key: statistics.fmean(found[name][key] for found in by_file) for key in ("precision", "recall", "f1")}
        total = {key: sum(found[name][key] for found in by_file) for key in ("merged", "mixed")}
        results[name] = mean | total | {"low": low, "high": high}
        print(
            f"{name:32} {mean['precision']:6.3f} {mean['recall']:6.3f} {mean['f1']:6.3f} [{low:.3f}, {high:.3f}]"
            f" {total['merged']:14} {total['mixed']:13}"
        )
    return results


def show_faults(embedder: Embedder) -> dict[str, Any]:
    """Labelled faults that stand, as stated and with each copied into a second family."""
    results: dict[str, Any] = {}
    print("\nlabelled faults in KNOWN, DECIDED or IDENTITY")
    for path in sorted((DATA / "labels").glob("*.json")):
        labels, snapshot = read_json(path), snapshot_of(path.stem)
        for copied in (False, True):
            found = parts.faults(labels, snapshot, embedder, copied=copied)
            results[f"{path.stem}{' copied' if copied else ''}"] = found
            print(f"{path.stem:22} {'copied' if copied else 'as said':8} {found['standing']} of {found['faults']}")
            for text in found["texts"]:
                print(f"    {text}")
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
        print(f"\ngold decisions of real meetings: {results['gold_decisions']}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
