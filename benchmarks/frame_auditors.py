"""Measure the frame audit with members that audit the candidate, from their recorded answers.

usage: python benchmarks/frame_auditors.py [--write DIR] [--json FILE]

The claims of the frozen half (benchmarks/data/frame/test.jsonl) and of the two fresh conversations whose cases nobody
has read, in blocks as the product asks about them. `--write` writes the prompts, as they are sent, with the ids of
their claims, for whoever wants to record another model. Without it the recorded answers of
benchmarks/data/frame/auditors are read by the product's own parser, held to the turns and weighed against the rules.
What is disputed is not told; "only shown" is what members alone find and may not move (frame_agent/swayed.py).
Vanishing cases are no claims: the rules find them, with auditors and without. How good an auditor must be is shown by
recorded ones whose answers are turned at random: what was sound is called a guess, and what was a fault is called
sound, in 5, 10 and 20 of 100 claims; once by one auditor, once by three of three families.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.frame import DATA, FRESH, READ, Case, Half, claim_of, false_alarms, interval, precision, recall
from dissolution.answers import FinishReason, Reply, Usage
from dissolution.claim_audit import AssessedClaim, Assessment, Auditor
from dissolution.claims import Section
from dissolution.framing import RULES
from dissolution.values import NotMeasured
from frame_agent.assessing import assessed_of
from frame_agent.audit import findings_of
from frame_agent.auditors import votes_on, weighed
from frame_agent.record import Record
from frame_agent.swayed import unmoved
from prompts.claim_auditing import AT_ONCE, read_claim_audit, render_claim_audit

RECORDED = DATA / "frame" / "auditors"
KEY = bytes(32)
FAMILY = "one family"
"""All recorded auditors are draws of one family of models, and so have one vote together."""

PARTS = {
    "frozen half": [DATA / "frame" / "test.jsonl"],
    "fresh, unread": sorted(f for f in FRESH.glob("cases-*.jsonl") if f.stem.removeprefix("cases-") not in READ),
}
CARELESS = (0.05, 0.1, 0.2)
THREE = ((0, "first"), (1, "second"), (2, "third"))
_NONE = NotMeasured(not_measured="the recording does not tell")
UNKNOWN = Usage(input_tokens=_NONE, cached_input_tokens=_NONE, output_tokens=_NONE, cost_usd=_NONE)


def blocks_of(conversation: str, cases: Sequence[Case]) -> list[list[Case]]:
    """The claims of a conversation, shuffled by its name, in as few blocks of like size as the product would ask."""
    claims = sorted((case for case in cases if case["kind"] != "vanishing"), key=lambda case: case["id"])
    random.Random(f"auditors {conversation}").shuffle(claims)  # noqa: S311 - seeded, so that blocks stay as recorded
    count = -(-len(claims) // AT_ONCE)
    size = -(-len(claims) // count)
    return [claims[start : start + size] for start in range(0, len(claims), size)]


def write(folder: Path) -> None:
    """Write every prompt with the ids of its claims."""
    folder.mkdir(parents=True, exist_ok=True)
    for files in PARTS.values():
        half = Half(*files)
        for name, record in sorted(half.records.items()):
            cases = [case for case in half.cases if case["conversation"] == name]
            for number, block in enumerate(blocks_of(name, cases), start=1):
                shown = [(Section(case["section"]), case["text"]) for case in block]
                prompt = render_claim_audit(record.snapshot, shown, key=KEY)
                messages = [{"role": one.role, "content": one.content} for one in prompt.messages]
                told = {"prompt": prompt.stamp.model_dump(), "claims": [c["id"] for c in block], "messages": messages}
                (folder / f"{name}.{number}.json").write_text(json.dumps(told, indent=1))
    print(f"prompts written to {folder}")


class Recorded:
    """What one recorded auditor said about the conversations of one part."""

    def __init__(self, name: str, half: Half, family: str = FAMILY) -> None:
        self.name, self.family = name, family
        self.unproved = self.unread = 0
        self.by_claim: dict[str, AssessedClaim] = {}
        known = {case["id"]: case for case in half.cases}
        for conversation, record in half.records.items():
            path = RECORDED / f"{conversation}.{name}.json"
            if path.exists():
                for block in json.loads(path.read_text())["blocks"]:
                    self._read([known[one] for one in block["claims"]], block["reply"], record)

    def _read(self, cases: Sequence[Case], text: str, record: Record) -> None:
        reply = Reply(text=text, finish=FinishReason.STOP, usage=UNKNOWN)
        given = read_claim_audit(reply, len(cases), member=self.name)
        claims = [claim_of(case, record.snapshot) for case in cases]
        judged = assessed_of(record.snapshot, claims, given)
        self.unproved += judged.unproved
        self.unread += judged.unread
        self.by_claim.update({one.claim: one for one in judged.assessed})

    def turned(self, share: float) -> "Recorded":
        """The same one with a share of its answers turned at random."""
        rng = random.Random(f"{self.family} {share}")  # noqa: S311 - seeded, so that the page can be made again
        for claim, one in sorted(self.by_claim.items()):
            if rng.random() < share:
                assessment = Assessment.HEDGED if one.assessment is Assessment.SOUND else Assessment.SOUND
                self.by_claim[claim] = one.model_copy(update={"assessment": assessment, "evidence": None})
        return self

    def on(self, claim: str) -> list[Auditor]:
        """Its answer about one claim; empty when it has none."""
        one = self.by_claim.get(claim)
        return [] if one is None else [Auditor(member=self.name, family=self.family, assessed=(one,))]


def row_of(half: Half, case: Case, auditors: Sequence[Recorded], *, rules: bool = True) -> dict[str, Any]:
    """One row as benchmarks/frame.py makes it, of the findings that stand; `shown`: told, and not repaired."""
    if case["kind"] == "vanishing":
        return half.judged(case)
    record = half.records[case["conversation"]]
    claim = claim_of(case, record.snapshot)
    said = [auditor for one in auditors for auditor in one.on(claim.id)]
    told = [
        (finding, cause)
        for finding, cause in weighed(record, claim, findings_of(record, claim) if rules else [], votes_on(claim, said))
        if not finding.disputed
    ]
    kinds = {finding.kind.value for finding, _ in told}
    shown = all(RULES not in one.told_by and unmoved(record, claim, one, cause) is not None for one, cause in told)
    found = case["kind"] in kinds
    clean = case["kind"] == "clean"
    wrong = bool(kinds) if clean else bool(kinds - {case["kind"]}) and not found
    label = f"promotion, {case['before']}" if case["kind"] == "promotion" else case["kind"]
    return {"label": label, "found": found, "wrong": wrong, "shown": found and shown}


Compared = tuple[str, Sequence[Recorded], bool]


def compared(half: Half, names: Sequence[str]) -> Iterator[Compared]:
    """The rules; each auditor alone and with the rules; all of them with the rules; and some that err at random."""
    recorded = [Recorded(name, half) for name in names]
    yield "rules alone", (), True
    for one in recorded:
        yield f"auditor {one.name} alone", (one,), False
        yield f"rules and auditor {one.name}", (one,), True
    if len(names) > 1:
        yield f"rules and auditors {', '.join(names)}", recorded, True
    for share in CARELESS:
        families = [Recorded(names[place % len(names)], half, family).turned(share) for place, family in THREE]
        yield f"rules and one auditor, {share:.0%} turned", families[-1:], True
        yield f"rules and three families, {share:.0%} turned each", families, True


def report(part: str, files: Sequence[Path]) -> dict[str, Any]:
    """Print the figures of one part."""
    half = Half(*files)
    stems = (path.stem.rpartition(".") for path in RECORDED.glob("*.json"))
    names = sorted({name for conversation, _, name in stems if conversation in half.records})
    results: dict[str, Any] = {}
    print(f"\n{part}\n\n| who audits | recall, % (95 %) | precision, % | false alarms per 100 | only shown | missed |")
    print("|---|---|---|---|---|---|")
    for label, chosen, rules in compared(half, names):
        rows = [row_of(half, case, chosen, rules=rules) for case in half.cases]
        planted = [row for row in rows if row["label"] != "clean"]
        clean = [row for row in rows if row["label"] == "clean"]
        missed = Counter(row["label"] for row in planted if not row["found"])
        words = ", ".join(f"{kind} {count}" for kind, count in sorted(missed.items())) or "none"
        figures = [interval(planted, recall), interval(rows, precision), interval(clean, false_alarms)]
        shown = sum(row.get("shown", False) for row in planted)
        print(f"| {label} | {figures[0]} | {figures[1]} | {figures[2]} | {shown} | {words} |", flush=True)
        results[label] = {"recall": recall(planted), "precision": precision(rows), "false_alarms": false_alarms(clean)}
    for one in (Recorded(name, half) for name in names):
        print(f"\nauditor {one.name}: {len(one.by_claim)} claims, {one.unproved} unproved, {one.unread} left out")
    return results


def main() -> int:
    """Write the prompts, or measure."""
    parser = argparse.ArgumentParser(description="Measure the frame audit with recorded auditors.")
    parser.add_argument("--write", type=Path, help="folder for the prompts")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    if options.write is not None:
        write(options.write)
        return 0
    results = {part: report(part, files) for part, files in PARTS.items()}
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
