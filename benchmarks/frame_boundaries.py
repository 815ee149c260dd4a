"""Measure what repair does to whole boundaries when a member audits them too, from its recorded answers.

usage: python benchmarks/frame_boundaries.py [--write DIR] [--json FILE]

The candidates of recorded fleets over the six planted conversations, as benchmarks/frame.py --repair makes them:
without the audit, repaired by rules, repaired by rules and an auditor. Here claims are at fault as rarely as members of
a fleet put them wrongly. `--write` writes the prompts of the auditor for whoever wants to record another model; the
recorded answers stand in benchmarks/data/frame/auditors/boundaries, each claim by its words. Scored by
benchmarks/score_planted.py.
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
from benchmarks.frame_auditors import KEY, UNKNOWN
from consensus.build import build_consensus
from consensus.embedder import SentenceTransformerEmbedder
from dissolution.answers import FinishReason, Reply
from dissolution.claim_audit import Auditor
from dissolution.claims import Section
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy, FrameReport
from dissolution.policy import ConsensusPolicy
from frame_agent.assessing import assessed_of
from frame_agent.audit import audit
from frame_agent.register import register_of
from prompts.claim_auditing import AT_ONCE, read_claim_audit, render_claim_audit

RECORDED = DATA / "frame" / "auditors" / "boundaries"
SHORT = {"six writers": "six", "the two weak writers": "weak"}
READER = "c"


class Made(NamedTuple):
    """The candidate of one fleet about one conversation."""

    name: str
    fleet: str
    snapshot: Snapshot
    truth: Any
    candidate: Consensus


def candidates() -> Iterator[Made]:
    """The candidates, fleet by fleet."""
    embedder = SentenceTransformerEmbedder()
    for fleet in SHORT:
        for path in sorted((DATA / "planted").glob("*.json")):
            snapshot = snapshot_of(path.stem)
            statements, answers = statements_of(path.stem, FLEETS[fleet])
            policy = ConsensusPolicy(min_families=min(2, len(answers)))
            candidate = build_consensus(statements, snapshot, embedder, policy, job="frame", answers=answers)
            yield Made(path.stem, fleet, snapshot, json.loads(path.read_text())["truth"], candidate)


def write(folder: Path) -> None:
    """Write every prompt with the words of its claims."""
    folder.mkdir(parents=True, exist_ok=True)
    for made in candidates():
        claims = made.candidate.claims
        for number, start in enumerate(range(0, len(claims), AT_ONCE), start=1):
            block = [(one.section, one.text) for one in claims[start : start + AT_ONCE]]
            prompt = render_claim_audit(made.snapshot, block, key=KEY)
            messages = [{"role": one.role, "content": one.content} for one in prompt.messages]
            told = {"prompt": prompt.stamp.model_dump(), "claims": [text for _, text in block], "messages": messages}
            path = folder / f"{made.name}.{SHORT[made.fleet]}.{number}.json"
            path.write_text(json.dumps(told, indent=1, ensure_ascii=False))
    print(f"prompts written to {folder}")


def auditor_of(made: Made) -> Auditor:
    """What the recorded auditor says of a candidate; claims that are worded otherwise by now are unread."""
    by_text = {one.text: one for one in made.candidate.claims}
    record = json.loads((RECORDED / f"{made.name}.{SHORT[made.fleet]}.{READER}.json").read_text())
    found: list[Any] = []
    unproved = 0
    for block in record["blocks"]:
        reply = Reply(text=block["reply"], finish=FinishReason.STOP, usage=UNKNOWN)
        given = read_claim_audit(reply, len(block["claims"]), member=READER)
        known = [(by_text[text], one) for text, one in zip(block["claims"], given, strict=True) if text in by_text]
        judged = assessed_of(made.snapshot, [claim for claim, _ in known], [one for _, one in known])
        found += judged.assessed
        unproved += judged.unproved
    unread = len(by_text) - len(found) - unproved
    return Auditor(member=READER, family="reader", assessed=tuple(found), unproved=unproved, unread=unread)


def arms(made: Made) -> Iterator[tuple[str, Consensus, FrameReport | None]]:
    """The candidate as it is, repaired by rules, and repaired by rules and the auditor."""
    yield "none", made.candidate, None
    register = register_of(made.snapshot)
    for arm, auditors in (("repair by rules", ()), ("repair by rules and an auditor", (auditor_of(made),))):
        report = audit(register, made.candidate, made.snapshot, FramePolicy(), auditors)
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
                count["disputed" if finding.disputed else f"stands, {finding.kind.value}"] += 1
            count["unread"] += sum(one.unread for one in told.auditors) if told else 0
    print(
        "| fleet | audit | guesses as facts | one-offs standing | injected | dropped questions in EDGES | recall |"
        " commitment recall | EDGES added | findings |\n|---|---|---|---|---|---|---|---|---|---|"
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
    """Write the prompts, or measure."""
    parser = argparse.ArgumentParser(description="Measure repair of whole boundaries with a recorded auditor.")
    parser.add_argument("--write", type=Path, help="folder for the prompts")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    if options.write is not None:
        write(options.write)
        return 0
    results = report()
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
