"""Measure what a review does to whole boundaries, from recorded answers about real candidates.

usage: python benchmarks/frame_boundaries.py [--json FILE]

The candidates of recorded fleets over the six planted conversations: as they are, reviewed by one recorded reader, and
by two that agree (the same answers, taken for those of two families). Here claims are at fault as rarely as members of
a fleet put them wrongly. The answers of benchmarks/data/frame/auditors/boundaries were given to an earlier question and
are read as remarks (benchmarks/frame_recorded.py), each claim by its words. Scored by benchmarks/score_planted.py.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.frame import DATA, FAULTS, FLEETS, scored, snapshot_of, statements_of
from benchmarks.frame_recorded import remarks_of_verdicts
from consensus.build import build_consensus
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy, FrameReport
from dissolution.policy.job_policy import ConsensusPolicy
from dissolution.reviewing import Remark, Reviewer
from frame_agent.register.fold import register_of
from frame_agent.review.audit import audit
from workers.members.wording_distance import comparing_by

RECORDED = DATA / "frame" / "auditors" / "boundaries"
SHORT = {"six writers": "six", "the two weak writers": "weak"}
READER = "c"
EMBEDDER = SentenceTransformerEmbedder()


class Made(NamedTuple):
    """The candidate of one fleet about one conversation."""

    name: str
    fleet: str
    snapshot: Snapshot
    truth: Any
    candidate: Consensus


def candidates() -> Iterator[Made]:
    """The candidates, fleet by fleet."""
    for fleet in SHORT:
        for path in sorted((DATA / "planted").glob("*.json")):
            snapshot = snapshot_of(path.stem)
            statements, answers = statements_of(path.stem, FLEETS[fleet])
            policy = ConsensusPolicy(min_families=min(2, len(answers)))
            candidate = build_consensus(statements, snapshot, EMBEDDER, policy, job="frame", answers=answers)
            yield Made(path.stem, fleet, snapshot, json.loads(path.read_text())["truth"], candidate)


def remarks_of(made: Made) -> tuple[Remark, ...]:
    """What the recorded reader says of a candidate; claims that are worded otherwise by now it did not read."""
    by_text = {one.text: one for one in made.candidate.claims}
    record = json.loads((RECORDED / f"{made.name}.{SHORT[made.fleet]}.{READER}.json").read_text())
    found: dict[str, Remark] = {}
    for block in record["blocks"]:
        claims = [by_text.get(text) for text in block["claims"]]
        found.update(remarks_of_verdicts(block["reply"], claims, made.snapshot))
    return tuple(found.values())


def arms(made: Made) -> Iterator[tuple[str, Consensus, FrameReport | None]]:
    """The candidate as it is, after one family's review, and after two families'."""
    yield "nobody", made.candidate, None
    said = remarks_of(made)
    comparing = comparing_by(lambda: EMBEDDER, ConsensusPolicy(), made.snapshot)
    for arm, families in (("one reader", ("x",)), ("two that agree", ("x", "y"))):
        reviewers = [Reviewer(member=f"{READER}-{one}", family=one, remarks=said) for one in families]
        report = audit(
            register_of(made.snapshot),
            made.candidate,
            made.snapshot,
            FramePolicy(),
            reviewers=reviewers,
            comparing=comparing,
            job="frame",
        )
        yield arm, report.amended or made.candidate, report


def report() -> dict[str, Any]:
    """Print the figures by fleet and arm."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    counts: dict[tuple[str, str], Counter[str]] = {}
    for made in candidates():
        for arm, after, told in arms(made):
            key = made.fleet, arm
            rows.setdefault(key, []).append(scored(made.truth, after))
            count = counts.setdefault(key, Counter())
            for sign, boundary in ((1, after), (-1, made.candidate)):
                count["edges"] += sign * sum(claim.section is Section.EDGES for claim in boundary.claims)
            for finding in told.findings if told else ():
                count[f"{finding.action.value} {finding.fault.value}"] += 1
    print(
        "| fleet | reviewed by | guesses as facts | one-offs standing | injected | dropped questions in EDGES |"
        " recall | commitment recall | EDGES added | findings |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    results: dict[str, Any] = {}
    for (fleet, arm), scores in rows.items():
        sums = {name: sum(row[name] or 0 for row in scores) for name in FAULTS}
        count = counts[fleet, arm]
        told = ", ".join(f"{name} {count[name]}" for name in sorted(count) if name != "edges" and count[name])
        print(
            f"| {fleet} | {arm} | {sums['hedged_promoted']} | {sums['one_off_standing']} | {sums['injected']} | "
            f"{sums['dropped_found']} of {len(scores)} | {sums['recall'] / len(scores):.3f} | "
            f"{sums['commitment_recall'] / len(scores):.3f} | {count['edges']} | {told or 'none'} |"
        )
        results[f"{fleet}, {arm}"] = sums | dict(count)
    return results


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description="Measure a review of whole boundaries with a recorded reader.")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    results = report()
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
