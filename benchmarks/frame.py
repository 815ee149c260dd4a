"""Measure hints on planted cases and on candidates of recorded fleets, and the register's speed.

usage: python benchmarks/frame.py [--cases] [--practice] [--fresh] [--real] [--speed] [--json FILE]

Experiment 4. Hints decide nothing; how often they are right says how far a reviewer should follow them. `--cases` asks
for the hints about every case of benchmarks/data/frame (made by benchmarks/frame_cases.py; test.jsonl is the frozen
half), `--practice` about those of the four conversations of benchmarks/data/frame/practice, `--fresh` about those of
eight more. `--real` counts the hints about what recorded fleets really made of the six planted conversations, where
almost no claim is at fault. `--speed` reads a register of 100 turns. Without one of them all run. Intervals are 95 %
percentile bootstraps over cases.
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
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from dissolution.answers import FinishReason
from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation, Snapshot
from dissolution.findings import AgreementMeasures, Consensus, EmbeddingStamp
from dissolution.framing_earlier import BY_KIND, BY_STATUS
from dissolution.intervals import TurnInterval
from dissolution.policy.job_policy import ConsensusPolicy
from dissolution.premises import Register
from dissolution.reviewing import Fault, Hint
from dissolution.values import NotMeasured
from frame_agent.register.fold import advance, empty, register_of
from frame_agent.register.lock_in import lock_in_of
from frame_agent.review.hints import hints_of
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from prompts.parse import parse_reply

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
PROMOTED = frozenset({Fault.GUESS, *BY_STATUS.values()})
"""What makes more of a statement than the conversation does: which of them is a matter of taste."""

Case = dict[str, Any]


def talk_of(name: str) -> Conversation:
    """A planted conversation, or one written for practice, as the product reads it."""
    path = next(path for folder in (DATA / "planted", PRACTICE, FRESH) if (path := folder / f"{name}.json").exists())
    return read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation


def snapshot_of(name: str) -> Snapshot:
    """All of it."""
    return talk_of(name).snapshot()


def claim_of(case: Case, snapshot: Snapshot, families: Sequence[str] = ("f",)) -> Claim:
    """The case as a claim with its evidence, stated by a member of each family."""
    section = Section(case["section"])
    stated = StatedClaim(section=section, text=case["text"])
    statements = tuple(Statement(member=one, family=one, ordinal=0, claim=stated) for one in families)
    evidence = tuple(
        Evidence(turn=turn, start=start, end=end, text=snapshot.turn(turn).content[start:end])
        for turn, start, end in case.get("found", case["evidence"])
    )
    return Claim(
        id=case["id"],
        section=section,
        text=case["text"],
        evidence=evidence,
        support=Support.of(statements),
        valid=TurnInterval(start=1),
        statements=statements,
        reason="planted",
    )


_NONE = NotMeasured(not_measured="made up")
MEASURES = AgreementMeasures(
    claim_agreement=_NONE,
    dominant_cluster_share=_NONE,
    mean_pairwise_jaccard=_NONE,
    mean_tfidf_cosine=_NONE,
    mean_embedding_cosine=_NONE,
)


def candidate_of(claims: Sequence[Claim]) -> Consensus:
    """A candidate of these claims and nothing else."""
    stamp = EmbeddingStamp(model="none", digest="none", dimension=1)
    return Consensus(
        claims=tuple(claims),
        dissent=(),
        statements=len(claims),
        groups=len(claims),
        measures=MEASURES,
        embedding=stamp,
        method="made up",
    )


def faults_of(case: Case) -> frozenset[Fault]:
    """What a reader of a planted case may rightly call it; empty for a clean one."""
    if case["kind"] == "clean":
        return frozenset()
    return PROMOTED if case["kind"] == "promotion" else frozenset({BY_KIND[case["kind"]]})


class Half:
    """The cases of one half, or of the conversations written for practice, with the registers of its conversations."""

    def __init__(self, *files: Path) -> None:
        self.cases: list[Case] = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        self.snapshots: dict[str, Snapshot] = {}
        self.registers: dict[str, Register] = {}
        for name in {case["conversation"] for case in self.cases}:
            self.snapshots[name] = snapshot_of(name)
            self.registers[name] = register_of(self.snapshots[name])
        self.written: dict[tuple[str, str], list[Case]] = defaultdict(list)
        for case in self.cases:
            if case["kind"] == "clean" and case["origin"].startswith(("recorded, ", "written")):
                self.written[case["conversation"], writer_of(case)].append(case)

    def hinted(self, case: Case) -> dict[str, Any]:
        """One row: what the case is, whether a hint suspects its kind, and whether hints suspect another."""
        name = case["conversation"]
        if case["kind"] == "vanishing":
            told = self._of(name, self.less(case))
            return {"label": f"vanishing, {case['before']}", "real": False, **self._missed(case, told)}
        told = {one.suspects for one in self._of(name, [case]) if case["id"] in one.claims}
        found = bool(told & faults_of(case))
        label = f"promotion, {case['before']}" if case["kind"] == "promotion" else str(case["kind"])
        return {"label": label, "real": case["origin"].startswith("real"), "found": found, "wrong": told and not found}

    def less(self, case: Case) -> list[Case]:
        """The claims of a candidate without what the case is about."""
        out = case.get("without")
        claims = self.written[case["conversation"], case["writer"]]
        return [one for one in claims if (not about(case, one["text"]) if out is None else one["id"] not in out)]

    def _of(self, name: str, cases: Sequence[Case]) -> Sequence[Hint]:
        candidate = candidate_of([claim_of(one, self.snapshots[name]) for one in cases])
        return hints_of(self.registers[name], candidate, self.snapshots[name])

    @staticmethod
    def _missed(case: Case, told: Sequence[Hint]) -> dict[str, Any]:
        words = [one.evidence.text for one in told if one.suspects is Fault.MISSING and one.evidence is not None]
        return {"found": any(about(case, one) for one in words), "wrong": False}


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
    """Print recall by kind, precision and false alarms of hints, of both halves."""
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
        rows = [half.hinted(case) for case in half.cases]
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
        print(f"\nprecision, %: {interval(rows, precision)}")
        print(f"suspected wrongly per 100 clean claims: {interval(clean, false_alarms)}")
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


def report_real() -> dict[str, Any]:
    """Print how many hints there are about what recorded fleets really made, with nobody who reviewed them."""
    embedder = SentenceTransformerEmbedder()
    results: dict[str, Any] = {}
    print("\n| fleet | claims | hints | by what they suspect |\n|---|---|---|---|")
    for fleet, writers in FLEETS.items():
        told: Counter[str] = Counter()
        claims = 0
        for path in sorted((DATA / "planted").glob("*.json")):
            snapshot = snapshot_of(path.stem)
            statements, answers = statements_of(path.stem, writers)
            if not statements:
                continue
            policy = ConsensusPolicy(min_families=min(2, len(answers)))
            candidate = build_consensus(statements, snapshot, embedder, policy, job="frame", answers=answers)
            claims += len(candidate.claims)
            told.update(one.suspects.value for one in hints_of(register_of(snapshot), candidate, snapshot))
        words = ", ".join(f"{name} {count}" for name, count in sorted(told.items())) or "none"
        print(f"| {fleet} | {claims} | {told.total()} | {words} |")
        results[fleet] = {"claims": claims, **told}
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
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reports = {
        "cases": report_cases,
        "practice": report_practice,
        "fresh": report_fresh,
        "real": report_real,
        "speed": report_speed,
    }
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--practice", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--real", action="store_true")
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
