"""Measure what recorded reviewers find on planted cases, and what the audit does on their word.

usage: python benchmarks/frame_reviewers.py [--json FILE]

The claims of the frozen half (benchmarks/data/frame/test.jsonl) and of the two fresh conversations whose cases nobody
has read. The answers of benchmarks/data/frame/auditors were given to an earlier question, a verdict on each claim; they
are read as remarks (benchmarks/frame_recorded.py), held to the turns and counted as the product does. A claim that one
family states is changed on one family's word, one that two state on two: both are measured. All recorded readers are
draws of one family of models and are taken for several here, so two that agree say less than two families would.
What is missing is no claim, and was not asked for then. How good a reviewer must be is shown by answers turned at
random: what was sound is called a guess, and what was a fault is called sound, in 5, 10 and 20 of 100 claims.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.frame import (
    DATA,
    FRESH,
    READ,
    Case,
    Half,
    candidate_of,
    claim_of,
    false_alarms,
    faults_of,
    interval,
    precision,
    recall,
)
from benchmarks.frame_recorded import remarks_of_verdicts
from dissolution.claims import Claim
from dissolution.framing import Action, FramePolicy
from dissolution.reviewing import Fault, Remark, ReviewedClaim, Reviewer
from frame_agent.review.audit import audit
from frame_agent.review.wording_distance import Comparing

RECORDED = DATA / "frame" / "auditors"
PARTS = {
    "frozen half": [DATA / "frame" / "test.jsonl"],
    "fresh, unread": sorted(f for f in FRESH.glob("cases-*.jsonl") if f.stem.removeprefix("cases-") not in READ),
}
CARELESS = (0.05, 0.1, 0.2)
FAMILIES = ("first", "second", "third")
COMPARING = Comparing(
    same=lambda one, other: one == other,
    near=lambda one, other: one == other,
    retold=lambda one, other: one == other,
    apart=lambda _one, _other: False,
    timed=lambda one: one,
)
"""Recorded answers give no wordings, so nothing is compared."""


class Reads(Protocol):
    """Who says something of a claim."""

    def on(self, claim: Claim) -> Reviewer:
        """What it says of one claim."""
        ...


class Recorded:
    """What one recorded reader said about the conversations of one part."""

    def __init__(self, name: str, half: Half, family: str = "") -> None:
        self.name, self.family = name, family or name
        self.by_claim: dict[str, Remark] = {}
        self.read: set[str] = set()
        known = {case["id"]: case for case in half.cases}
        for conversation, snapshot in half.snapshots.items():
            path = RECORDED / f"{conversation}.{name}.json"
            for block in json.loads(path.read_text())["blocks"] if path.exists() else ():
                claims = [claim_of(known[one], snapshot) for one in block["claims"]]
                self.read.update(block["claims"])
                self.by_claim.update(remarks_of_verdicts(block["reply"], claims, snapshot))

    def turned(self, share: float) -> "Recorded":
        """The same one with a share of its answers turned at random."""
        rng = random.Random(f"{self.family} {share}")  # noqa: S311 - seeded, so that the page can be made again
        self.careless = {one for one in sorted(self.read) if rng.random() < share}
        return self

    careless: frozenset[str] | set[str] = frozenset()

    def on(self, claim: Claim) -> Reviewer:
        """What it says of one claim."""
        said = self.by_claim.get(claim.id)
        if claim.id in self.careless:
            about = ReviewedClaim(claim=claim.id, section=claim.section, text=claim.text)
            doubt = Remark(fault=Fault.GUESS, about=(about,), evidence=claim.evidence[0]) if claim.evidence else None
            said = doubt if said is None else None
        remarks = () if said is None else (said,)
        return Reviewer(member=f"{self.name} {self.family}", family=self.family, remarks=remarks)


def row_of(half: Half, case: Case, reviewers: Sequence[Reads], stated_by: Sequence[str]) -> dict[str, Any]:
    """One row: whether the audit says rightly what is wrong, on enough families' word, and whether it errs."""
    snapshot = half.snapshots[case["conversation"]]
    claim = claim_of(case, snapshot, stated_by)
    report = audit(
        half.registers[case["conversation"]],
        candidate_of([claim]),
        snapshot,
        FramePolicy(),
        reviewers=[one.on(claim) for one in reviewers],
        comparing=COMPARING,
        job="frame",
    )
    enough = [one for one in report.findings if one.needed is not None and len(one.families) >= one.needed]
    told = {one.fault for one in enough}
    moved = any(one.action is Action.REPAIR for one in report.findings)
    label = f"promotion, {case['before']}" if case["kind"] == "promotion" else case["kind"]
    found = bool(told & faults_of(case))
    return {"label": label, "found": found, "wrong": bool(told) and not found, "moved": moved}


Arm = tuple[str, Sequence[Recorded], Sequence[str]]


def arms(half: Half, names: Sequence[str]) -> Iterator[Arm]:
    """Each reader about claims of one family; three of them about claims of two; and some that err at random."""
    recorded = [Recorded(name, half) for name in names]
    one, two = FAMILIES[:1], FAMILIES[:2]
    for each in recorded:
        yield f"{each.name}, claims of one family", (each,), one
    yield f"{names[0]}, claims of two families", recorded[:1], two
    if len(recorded) > 1:
        yield f"{', '.join(names)}, claims of two families", recorded, two
    for share in CARELESS:
        drawn = [Recorded(names[at % len(names)], half, each).turned(share) for at, each in enumerate(FAMILIES)]
        yield f"one, {share:.0%} turned, claims of one family", drawn[-1:], one
        yield f"three, {share:.0%} turned each, claims of two families", drawn, two


HEAD = (
    "| who reviews | recall, % (95 %) | precision, % | clean told wrongly, % | moved | missed |\n"
    "|---|---|---|---|---|---|"
)


def show_rows(label: str, rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Print one line of the table, and give its figures."""
    planted = [row for row in rows if row["label"] != "clean"]
    clean = [row for row in rows if row["label"] == "clean"]
    missed = Counter(row["label"] for row in planted if not row["found"])
    words = ", ".join(f"{kind} {count}" for kind, count in sorted(missed.items())) or "none"
    figures = [interval(planted, recall), interval(rows, precision), interval(clean, false_alarms)]
    moved = f"{sum(row['moved'] for row in planted)} planted, {sum(row['moved'] for row in clean)} clean"
    print(f"| {label} | {figures[0]} | {figures[1]} | {figures[2]} | {moved} | {words} |", flush=True)
    return {"recall": recall(planted), "precision": precision(rows), "false": false_alarms(clean)}


def report(part: str, files: Sequence[Path]) -> dict[str, Any]:
    """Print the figures of one part."""
    half = Half(*files)
    stems = (path.stem.rpartition(".") for path in RECORDED.glob("*.json"))
    names = sorted({name for conversation, _, name in stems if conversation in half.snapshots})
    cases = [case for case in half.cases if case["kind"] != "vanishing"]
    results: dict[str, Any] = {}
    print(f"\n{part}\n\n{HEAD}")
    for label, chosen, stated_by in arms(half, names):
        results[label] = show_rows(label, [row_of(half, case, chosen, stated_by) for case in cases])
    return results


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description="Measure the review with recorded reviewers.")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    results = {part: report(part, files) for part, files in PARTS.items()}
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
