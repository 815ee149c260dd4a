"""Measure the frame audit on planted cases, on what fleets made of planted conversations, and the register's speed.

usage: python benchmarks/frame.py [--cases] [--practice] [--fresh] [--repair] [--speed] [--json FILE]

Experiment 4. `--cases` audits every case of benchmarks/data/frame (made by benchmarks/frame_cases.py; test.jsonl is the
frozen half), `--practice` those of the four conversations of benchmarks/data/frame/practice, whose writers had not read
the rules, `--fresh` those of eight more, of two of which only totals were seen, `--repair` dissolves the six planted
conversations from recorded answers, with and without the audit, and scores both by the truth files, `--speed` reads a
register of 100 turns. Without one of them all run. Intervals are 95 % percentile bootstraps over cases.
"""

import argparse
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import score_planted
from consensus.build import build_consensus
from consensus.embedder import SentenceTransformerEmbedder
from dissolution.answers import FinishReason
from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy
from dissolution.intervals import TurnInterval
from dissolution.policy import ConsensusPolicy
from frame_agent.audit import audit, findings_of
from frame_agent.lock_in import lock_in_of
from frame_agent.losses import vanished
from frame_agent.record import Record
from frame_agent.register import advance, empty, register_of
from prompts.parse import parse_reply
from wording.reading.options import ReadingOptions
from wording.reading.read import read_file

DATA = ROOT / "benchmarks" / "data"
PRACTICE = DATA / "frame" / "practice"
FRESH = DATA / "frame" / "fresh"
READ = (
    "op-lims-restore",
    "st-paper-paywall",
    "co-night-migration",
    "st-library-press",
    "op-heatpump-rollout",
    "co-market-court",
)
"""Fresh conversations whose cases were read while rules were mended; of the others only totals were seen."""

RESAMPLES = 2000
SEED = 4
WEAK = ("writer-e", "writer-f")
FLEETS = {
    "six writers": tuple(f"writer-{letter}" for letter in "abcdef"),
    "the two weak writers": WEAK,
    "one weak writer (e)": ("writer-e",),
}
FAULTS = ("hedged_promoted", "one_off_standing", "injected", "dropped_found", "recall", "commitment_recall")
CONTEXT = 150  # characters around a vanished premise in which a truth pattern may match: talk refers back

Case = dict[str, Any]


def snapshot_of(name: str) -> Snapshot:
    """A planted conversation, or one written for practice, as the product reads it."""
    path = next(path for folder in (DATA / "planted", PRACTICE, FRESH) if (path := folder / f"{name}.json").exists())
    return read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()


def claim_of(case: Case, snapshot: Snapshot) -> Claim:
    """The case as a claim with its evidence."""
    section = Section(case["section"])
    statement = Statement(member="m", family="f", ordinal=0, claim=StatedClaim(section=section, text=case["text"]))
    evidence = tuple(
        Evidence(turn=turn, start=start, end=end, text=snapshot.turn(turn).content[start:end])
        for turn, start, end in case.get("found", case["evidence"])
    )
    return Claim(
        id=case["id"],
        section=section,
        text=case["text"],
        evidence=evidence,
        support=Support.of((statement,)),
        valid=TurnInterval(start=1),
        statements=(statement,),
        reason="planted",
    )


class Half:
    """The cases of one half, or of the conversations written for practice, with the records of its conversations."""

    def __init__(self, *files: Path) -> None:
        self.cases: list[Case] = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        self.records: dict[str, Record] = {}
        for name in {case["conversation"] for case in self.cases}:
            snapshot = snapshot_of(name)
            self.records[name] = Record(register_of(snapshot), snapshot)
        self.written: dict[tuple[str, str], list[Case]] = defaultdict(list)
        for case in self.cases:
            if case["kind"] == "clean" and case["origin"].startswith(("recorded, ", "written")):
                self.written[case["conversation"], writer_of(case)].append(case)

    def judged(self, case: Case) -> dict[str, Any]:
        """One row: what the case is, whether its kind was found, and what else was."""
        record = self.records[case["conversation"]]
        label = case["before"] if case["kind"] == "promotion" else case["kind"]
        if case["kind"] == "vanishing":
            return {"label": f"{case['kind']}, {case['before']}", **self._missed(case, record)}
        told = [finding for finding, _ in findings_of(record, claim_of(case, record.snapshot))]
        kinds = {finding.kind.value for finding in told}
        found = case["kind"] in kinds
        wrong = bool(kinds) if case["kind"] == "clean" else bool(kinds - {case["kind"]}) and not found
        name = f"promotion, {label}" if case["kind"] == "promotion" else str(label)
        row: dict[str, Any] = {"label": name, "real": case["origin"].startswith("real"), "found": found, "wrong": wrong}
        if case["kind"] == "clean":
            row["told"] = sorted({", ".join(filter(None, (one.kind.value, one.before))) for one in told})
        return row

    def _missed(self, case: Case, record: Record) -> dict[str, Any]:
        """A candidate less the item, and with it: the first should be told, the second not."""
        claims = self.written[case["conversation"], case["writer"]]
        out = case.get("without")
        less = [one for one in claims if (not about(case, one["text"]) if out is None else one["id"] not in out)]
        told = [self._is(case, record, premise) for premise in vanished(record, self._claims(less, record))]
        kept = len(claims) > len(less)
        still = kept and any(self._is(case, record, p) for p in vanished(record, self._claims(claims, record)))
        return {"real": False, "found": any(told), "wrong": still, "others": len(told) - sum(told)}

    @staticmethod
    def _claims(cases: Sequence[Case], record: Record) -> list[Claim]:
        return [claim_of(one, record.snapshot) for one in cases]

    @staticmethod
    def _is(case: Case, record: Record, premise: Any) -> bool:  # noqa: ANN401 - a Premise
        content = record.snapshot.turn(premise.turn).content
        around = content[max(0, premise.evidence.start - CONTEXT) : premise.evidence.end + CONTEXT]
        return about(case, f"{premise.proposition} {around}")


def writer_of(case: Case) -> str:
    """Who wrote the candidate that a clean claim belongs to; in practice conversations all clean claims are one."""
    return case["origin"].removeprefix("recorded, ") if case["origin"].startswith("recorded, ") else "clean"


def about(item: Case, text: str) -> bool:
    """Whether a text is about an item of a truth file."""
    return all(re.search(pattern, text, re.IGNORECASE) for pattern in item["must_have"])


def interval(rows: Sequence[Any], figure: Callable[[Sequence[Any]], float]) -> str:
    """A figure in percent with its 95 % bootstrap interval."""
    if not rows:
        return "-"
    rng = random.Random(SEED)  # noqa: S311 - seeded, so that the page can be made again
    drawn = sorted(figure(rng.choices(rows, k=len(rows))) for _ in range(RESAMPLES))
    low, high = drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES) - 1]
    return f"{100 * figure(rows):.1f} ({100 * low:.1f} to {100 * high:.1f})"


def recall(rows: Sequence[Case]) -> float:
    """Of planted cases, those told by their kind."""
    return sum(row["found"] for row in rows) / max(1, len(rows))


def precision(rows: Sequence[Case]) -> float:
    """Of all that is told, what is told by its right kind."""
    found = sum(row["found"] for row in rows)
    return found / max(1, found + sum(row["wrong"] for row in rows))


def false_alarms(rows: Sequence[Case]) -> float:
    """Of clean claims, those anything is told about."""
    return sum(row["wrong"] for row in rows) / max(1, len(rows))


def report_cases() -> dict[str, Any]:
    """Print recall by kind, precision and false alarms of both halves."""
    return report_parts({part: [DATA / "frame" / f"{part}.jsonl"] for part in ("dev", "test")})


def report_practice() -> dict[str, Any]:
    """The same of the conversations written for practice, one by one and together."""
    files = sorted(PRACTICE.glob("cases-*.jsonl"))
    return report_parts({file.stem: [file] for file in files} | {"practice": files})


def report_fresh() -> dict[str, Any]:
    """The same of the fresh conversations, those that were read and those that were not."""
    files = sorted(FRESH.glob("cases-*.jsonl"))
    read = [file for file in files if file.stem.removeprefix("cases-") in READ]
    return report_parts({"fresh, read": read, "fresh, unread": [file for file in files if file not in read]})


def report_parts(parts: dict[str, list[Path]]) -> dict[str, Any]:
    """Print recall by kind, precision and false alarms of each part of the cases."""
    results: dict[str, Any] = {}
    for part, files in parts.items():
        half = Half(*files)
        rows = [half.judged(case) for case in half.cases]
        planted = [row for row in rows if row["label"] != "clean"]
        clean = [row for row in rows if row["label"] == "clean"]
        print(
            f"\n{part} ({len(planted)} planted, {len(clean)} clean)\n\n"
            "| kind | cases | recall, % (95 %) |\n|---|---|---|"
        )
        labels = sorted({row["label"] for row in planted})
        table = {label: [row for row in planted if row["label"] == label] for label in labels}
        table["real faults of recorded writers"] = [row for row in planted if row["real"]]
        table["all planted"] = planted
        for label, some in table.items():
            print(f"| {label} | {len(some)} | {interval(some, recall)} |")
        others = [row["others"] for row in planted if "others" in row]
        print(f"\nprecision, %: {interval(rows, precision)}")
        print(f"false alarms per 100 clean claims: {interval(clean, false_alarms)}")
        print(f"false alarms by kind: {dict(Counter(name for row in clean for name in row['told']))}")
        print(f"other vanishing findings per candidate: {sum(others) / len(others):.1f}")
        print("no audit: recall 0 of all kinds, no false alarms")
        results[part] = {"recall": recall(planted), "precision": precision(rows), "false": false_alarms(clean)}
        results[part]["kinds"] = {label: [recall(some), len(some)] for label, some in table.items()}
    return results


def statements_of(name: str, writers: Sequence[str]) -> tuple[list[Statement], dict[str, str]]:
    """What recorded writers state, and their answers by family."""
    found: list[Statement] = []
    answers: dict[str, str] = {}
    for writer in writers:
        record = json.loads((DATA / "recordings" / name / f"{writer}.dissolve.json").read_text())
        answers[record["family"]] = record["answer"]
        for ordinal, claim in enumerate(parse_reply(record["answer"], FinishReason.STOP).claims):
            found.append(Statement(member=writer, family=record["family"], ordinal=ordinal, claim=claim))
    return found, answers


def scored(truth: Any, consensus: Consensus) -> dict[str, Any]:  # noqa: ANN401 - a truth file
    """The figures of one boundary by the common yardstick."""
    sections = {
        section.value: [{"text": claim.text} for claim in consensus.claims if claim.section is section]
        for section in Section
    }
    return score_planted.score(truth, {"sections": sections})  # pyright: ignore - the common yardstick is untyped


def report_repair() -> dict[str, Any]:
    """Print what stands in boundaries of recorded fleets without the audit and with its repairs."""
    embedder = SentenceTransformerEmbedder()
    results: dict[str, Any] = {}
    print(
        "\n| fleet | audit | guesses as facts | one-offs standing | injected | dropped questions in EDGES | recall |"
        " commitment recall | EDGES added |\n|---|---|---|---|---|---|---|---|---|"
    )
    for fleet, writers in FLEETS.items():
        totals: dict[str, list[dict[str, Any]]] = {"none": [], "repair": []}
        added = 0
        for path in sorted((DATA / "planted").glob("*.json")):
            truth = json.loads(path.read_text())["truth"]
            snapshot = snapshot_of(path.stem)
            statements, answers = statements_of(path.stem, writers)
            if not statements:
                continue
            policy = ConsensusPolicy(min_families=min(2, len(answers)))
            candidate = build_consensus(statements, snapshot, embedder, policy, job="frame", answers=answers)
            report = audit(register_of(snapshot), candidate, snapshot, FramePolicy())
            after = report.amended or candidate
            totals["none"].append(scored(truth, candidate))
            totals["repair"].append(scored(truth, after))
            added += sum(c.section is Section.EDGES for c in after.claims)
            added -= sum(c.section is Section.EDGES for c in candidate.claims)
        for arm, rows in totals.items():
            sums = {name: sum(row[name] or 0 for row in rows) for name in FAULTS}
            print(
                f"| {fleet} | {arm} | {sums['hedged_promoted']} | {sums['one_off_standing']} | {sums['injected']} | "
                f"{sums['dropped_found']} of {len(rows)} | {sums['recall'] / len(rows):.3f} | "
                f"{sums['commitment_recall'] / len(rows):.3f} | {added if arm == 'repair' else 0} |"
            )
            results[f"{fleet}, {arm}"] = sums
    return results


def report_speed() -> dict[str, Any]:
    """Print how long a register of 100 turns takes, at once and turn by turn, with its lock-in."""
    said = [turn for path in sorted((DATA / "planted").glob("op-*.json")) for turn in snapshot_of(path.stem).turns][
        :100
    ]
    turns = [turn.model_copy(update={"number": number}) for number, turn in enumerate(said, start=1)]
    start = time.perf_counter()
    whole = advance(empty("speed"), turns)
    at_once = time.perf_counter() - start
    register, slowest = empty("speed"), 0.0
    for turn in turns:
        start = time.perf_counter()
        register = advance(register, [turn])
        lock_in_of(register)
        slowest = max(slowest, time.perf_counter() - start)
    print(
        f"\n100 turns at once: {at_once:.2f} s, {len(whole.premises)} premises; slowest turn by itself: {slowest:.3f} s"
    )
    return {"at_once_s": at_once, "slowest_turn_s": slowest}


def main() -> int:
    """Print the sections asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reports = {
        "cases": report_cases,
        "practice": report_practice,
        "fresh": report_fresh,
        "repair": report_repair,
        "speed": report_speed,
    }
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--practice", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--repair", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    asked = [name for name in reports if getattr(arguments, name)] or list(reports)
    results = {name: reports[name]() for name in asked}
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
