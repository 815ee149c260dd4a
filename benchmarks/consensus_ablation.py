"""Measure what each part of the consensus is worth: boundaries and faults with that part taken away or exchanged.

usage: python benchmarks/consensus_ablation.py [--embedder all-MiniLM-L6-v2|hashing] [--faults] [--json FILE] [ARM …]

Arms: `ours`; each guard taken away, and all of them; other ways of grouping; admission rules; members counted instead
of families; compound sentences left whole; each single writer, the longest answer (best of six) and the union. For
each: recall, section recall and commitment recall against the planted truth with 95 % bootstrap intervals over the six
conversations, wrong values asserted, words, and with --faults labelled faults (other than vague ones) that stand, as
said and with each copied into a second family. Then what each part of the admission rule admits, and whether renaming
and reordering the writers changes anything. Without ARM all are measured (some minutes); a name may be the beginning
of several.
"""

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import consensus as base
from benchmarks import consensus_parts as parts
from consensus import build, compound, guards, points
from consensus.build import build_consensus
from consensus.embedder import SentenceTransformerEmbedder
from consensus.hashing import HashingEmbedder
from consensus.vectors import unpack
from dissolution.claims import FIRM_SECTIONS, Mark, Section, Statement
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.policy import ConsensusPolicy
from dissolution.ports import Embedder

SHOWN = ("recall", "section_recall", "commitment_recall", "wrong_asserted", "hedged_promoted", "one_off_standing")
BASELINES = ("hdbscan + guards", "no guards", "hdbscan, cosine", "linkage, cosine", "greedy cosine 0.85", "TF-IDF 0.20")
SEED = 11


@dataclass(frozen=True)
class Ablation:
    """One arm: what is exchanged in the consensus while it runs, its policy, and what is done to the answers."""

    exchanged: Mapping[tuple[Any, str], Any] = field(default_factory=dict[tuple[Any, str], Any])
    policy: ConsensusPolicy = field(default_factory=ConsensusPolicy)
    arms: Callable[[list[base.Arm]], list[base.Arm]] = list[base.Arm]


@contextmanager
def exchanged(names: Mapping[tuple[Any, str], Any]) -> Generator[None]:
    """Put other values in the place of modules' names, and the old ones back."""
    kept = {place: getattr(*place) for place in names}
    try:
        for (module, name), value in names.items():
            setattr(module, name, value)
        yield
    finally:
        for (module, name), value in kept.items():
            setattr(module, name, value)


def ablations(embedder: Embedder) -> dict[str, Ablation]:
    """Every arm over the whole consensus, by name."""
    found = {"ours": Ablation()}
    for guard in guards.GUARDS:
        rest = tuple(other for other in guards.GUARDS if other is not guard)
        found[f"without guard {guard.__name__.strip('_')}"] = Ablation({(guards, "GUARDS"): rest})
    found["without any guard"] = Ablation({(guards, "GUARDS"): ()})
    for name in BASELINES:
        found[f"grouping: {name}"] = Ablation({(build, "group_with_links"): _grouped(parts.methods()[name], embedder)})
    found["compound sentences whole"] = Ablation({(points, "parts"): _whole})
    found["members for families"] = Ablation(arms=base.as_members)
    for name, policy in {
        "two families only": ConsensusPolicy(admit_single_source=False),
        "single source, any evidence": ConsensusPolicy(single_source_evidence=0),
        "no evidence floor": ConsensusPolicy(evidence_floor=0, single_source_evidence=0),
        "three families": ConsensusPolicy(min_families=3),
        "no bound on size": ConsensusPolicy(size_ratio=100),
    }.items():
        found[f"rule: {name}"] = Ablation(policy=policy)
    return found


def _whole(sentence: str) -> tuple[compound.Part, ...]:
    return (compound.Part(sentence, 0),)


def _grouped(method: parts.Method, embedder: Embedder) -> Callable[..., Any]:
    """Another way of grouping in the place of ours; it knows neither links nor who said what."""

    def group(_grouping: object, distances: Any, profiles: Any, _links: object, **_: object) -> Any:  # noqa: ANN401 - stands in
        rows = unpack(embedder.embed([profile.text for profile in profiles]))
        cut = base.calibration_for(embedder.stamp.model).same_claim
        return method(profiles, rows, distances, cut, [str(row) for row in range(len(profiles))]), distances

    return group


def consensus_of(
    arms: Sequence[base.Arm], snapshot: Snapshot, embedder: Embedder, policy: ConsensusPolicy
) -> Consensus:
    said = [statement for arm in arms for statement in arm.statements]
    answers = {arm.writer: arm.text for arm in arms}
    return build_consensus(said, snapshot, embedder, policy, job="benchmark", answers=answers)


@dataclass(frozen=True)
class Case:
    """One planted conversation with its answers."""

    name: str
    truth: dict[str, Any]
    snapshot: Snapshot
    arms: list[base.Arm]


def cases() -> list[Case]:
    found: list[Case] = []
    for path in sorted((base.DATA / "planted").glob("*.json")):
        snapshot = base.snapshot_of(path.stem)
        truth = base.read_json(path)["truth"]
        found.append(Case(path.stem, truth, snapshot, base.arms_of(path.stem, snapshot.through)))
    return found


def measured(ablation: Ablation, planted: Sequence[Case], embedder: Embedder) -> list[dict[str, Any]]:
    """The yardstick's figures for each conversation."""
    with exchanged(ablation.exchanged):
        return [
            base.score(
                case.truth, consensus_of(ablation.arms(case.arms), case.snapshot, embedder, ablation.policy).claims
            )
            for case in planted
        ]


def faults(ablation: Ablation, embedder: Embedder) -> dict[str, int]:
    """Labelled faults that stand over all label files."""
    totals: Counter[str] = Counter()
    with exchanged(ablation.exchanged):
        for path in sorted((base.DATA / "labels").glob("*.json")):
            labels, snapshot = base.read_json(path), base.snapshot_of(path.stem)
            for name, copying in {"as said": None, "copied": parts.Copying(each_writer=False)}.items():
                totals[name] += parts.faults(labels, snapshot, embedder, copying, ablation.policy)["standing"]
    return {"as said": totals["as said"], "copied": totals["copied"]}


def plain_arms(planted: Sequence[Case]) -> dict[str, list[dict[str, Any]]]:
    """Boundaries without a consensus: each writer, the longest answer, the union."""
    found: dict[str, list[dict[str, Any]]] = {}
    for case in planted:
        longest = max(case.arms, key=base.length)
        chosen = {f"{arm.writer} alone": [arm] for arm in case.arms} | {"longest answer": [longest], "union": case.arms}
        for name, arms in chosen.items():
            claims = tuple(statement.claim for arm in arms for statement in arm.statements)
            found.setdefault(name, []).append(base.score(case.truth, claims))
    return found


def show(name: str, rows: Sequence[Mapping[str, Any]], standing: Mapping[str, int] | None) -> dict[str, Any]:
    """Print one arm's means, with intervals for the recalls; returns them."""
    result: dict[str, Any] = {"words": statistics.fmean(row["words"] for row in rows), "faults": standing}
    cells: list[str] = []
    for key in SHOWN:
        values = [float(row[key] or 0) for row in rows]
        result[key] = statistics.fmean(values)
        if key.endswith("recall"):
            result[f"{key} interval"] = low, high = parts.interval(values)
            cells.append(f"{result[key]:.3f} [{low:.3f}, {high:.3f}]")
        else:
            cells.append(f"{result[key]:.2f}")
    told = "" if standing is None else f" {standing['as said']} / {standing['copied']} |"
    print(f"| {name} | {' | '.join(cells)} | {result['words']:.0f} |{told}", flush=True)
    return result


def show_admitted(planted: Sequence[Case], embedder: Embedder) -> dict[str, Any]:
    """What each part of the admission rule admits, and what counting members instead would have."""
    found: dict[str, Any] = {}
    print("\nFirm claims admitted by two or more, by one on its evidence, and the planted recall of each by itself:")
    print(
        "\n| votes | by several | recall | wrong | by one | recall | wrong | edges |\n|---|---|---|---|---|---|---|---|"
    )
    for name, change in {"families": list[base.Arm], "members": base.as_members}.items():
        counts: Counter[str] = Counter()
        recalls: dict[str, list[float]] = {"several": [], "single": []}
        for case in planted:
            consensus = consensus_of(change(case.arms), case.snapshot, embedder, ConsensusPolicy())
            firm = [claim for claim in consensus.claims if claim.section in FIRM_SECTIONS]
            split = {
                "several": tuple(claim for claim in firm if Mark.SINGLE_SOURCE not in claim.marks),
                "single": tuple(claim for claim in firm if Mark.SINGLE_SOURCE in claim.marks),
            }
            for part, claims in split.items():
                figures = base.score(case.truth, claims)
                counts[part] += len(claims)
                counts[f"{part} wrong"] += figures["wrong_asserted"]
                recalls[part].append(float(figures["recall"]))
            counts["edges"] += sum(claim.section is Section.EDGES for claim in consensus.claims)
        means = {part: statistics.fmean(values) for part, values in recalls.items()}
        found[name] = {"counts": dict(counts), "recall": means}
        print(
            f"| {name} | {counts['several']} | {means['several']:.3f} | {counts['several wrong']} | {counts['single']} "
            f"| {means['single']:.3f} | {counts['single wrong']} | {counts['edges']} |"
        )
    return found


def show_invariance(planted: Sequence[Case], embedder: Embedder) -> int:
    """How many of the conversations' boundaries change when writers are renamed and reordered; 0 is right."""
    draw = random.Random(SEED)  # noqa: S311 - an order, not a secret
    changed = 0
    for case in planted:
        names = sorted({name for arm in case.arms for name in (arm.writer, arm.family)})
        other = dict(zip(names, draw.sample([f"n{place}" for place in range(len(names))], len(names)), strict=True))
        arms = [_renamed(arm, other) for arm in draw.sample(case.arms, len(case.arms))]
        plain, turned = (consensus_of(each, case.snapshot, embedder, ConsensusPolicy()) for each in (case.arms, arms))
        changed += _shape(plain) != _shape(turned)
    print(f"\nBoundaries that change when writers are renamed and reordered: {changed} of {len(planted)}.")
    return changed


def _renamed(arm: base.Arm, other: Mapping[str, str]) -> base.Arm:
    def said(statement: Statement) -> Statement:
        return statement.model_copy(update={"member": other[arm.writer], "family": other[arm.family]})

    return base.Arm(other[arm.writer], other[arm.family], arm.text, tuple(map(said, arm.statements)))


def _shape(consensus: Consensus) -> object:
    claims = [(c.id, c.section, c.text, c.evidence, len(c.support.families), c.marks) for c in consensus.claims]
    return claims, [(d.id, d.text, d.reason, d.against) for d in consensus.dissent]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arms", nargs="*", metavar="ARM", help="only arms whose names begin so")
    parser.add_argument("--embedder", choices=("all-MiniLM-L6-v2", "hashing"), default="all-MiniLM-L6-v2")
    parser.add_argument("--json", type=Path, help="write every figure here")
    parser.add_argument("--faults", action="store_true", help="count labelled faults that stand, too (twice the time)")
    options = parser.parse_args()
    inner: Embedder = HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder()
    embedder, planted = base.Remembering(inner), cases()
    column = " faults as said / copied |" if options.faults else ""
    print(f"| arm | recall | section recall | commitments | wrong | hedged | one-off | words |{column}")
    print(f"|---|---|---|---|---|---|---|---|{'---|' if column else ''}")
    results: dict[str, Any] = {}
    for name, ablation in ablations(embedder).items():
        if not options.arms or any(name.startswith(wanted) for wanted in options.arms):
            standing = faults(ablation, embedder) if options.faults else None
            results[name] = show(name, measured(ablation, planted, embedder), standing)
    if not options.arms:
        for name, rows in plain_arms(planted).items():
            results[name] = show(name, rows, None)
        results["admitted"] = show_admitted(planted, embedder)
        results["changed by renaming"] = show_invariance(planted, embedder)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
