"""How the gate without a language model tells good boundaries from damaged ones, and what it says of real ones.

usage: python benchmarks/probe_damage.py [--draws 34] [--turns 34] [--half HALF] [--only damage|precision|real]
       [--plot FILE.svg] [--json FILE]

For each planted conversation a cloze bank is written from the snapshot alone, and the history arm reads it once. The
undamaged boundary is the truth file's standing claims, one sentence each: at the conversation's end, and at each of the
`--turns` last turns as it stood then. Damaged: of the claims at the end 10, 20 or 40 % are removed or corrupted, half
of them each way; and 40 % all removed, or all corrupted. Each of `--draws` seeded draws puts the questions in an order
of its own, as the seal of each job's bank does, and damages claims of its own. A corrupted claim has a value or a
name exchanged for another of the conversation, is denied, or states what was replaced. Real: each recorded answer,
their consensus and the excerpts of the extractive fleet, by cloze bank and by the conversation's own 50 questions.

Conversations are in two halves (benchmarks/probe_candidates.py); shares have Wilson intervals (95 %).
"""

import argparse
import json
import math
import random
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.probe_candidates import HALVES, Truth, corrupt, damaged, truth_of
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation, Snapshot
from dissolution.excerpts import ExcerptPolicy
from dissolution.findings import Verdict
from dissolution.policy.gate import BALANCED
from dissolution.probing import ArmAnswer, ArmName, ProbeReport, QuestionBank, Split
from dissolution.values import NotMeasured
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from probe.cloze import write_cloze_bank
from probe.evaluate import probe, read_arm
from probe.precision import Borne, check_claim, check_precision
from probe.reading import ArmText, RetrievalReader, history_text
from probe.ready_made import read_bank
from reports.drawing import Marker, Panel, Series, draw_svg

PLANTED = ROOT / "benchmarks" / "data" / "planted"
KINDS = ((0.0, "both"), (0.1, "both"), (0.2, "both"), (0.4, "both"), (0.4, "removed"), (0.4, "corrupted"))
SEED = 5


class Ground(NamedTuple):
    """A snapshot of one conversation with its bank and what the history arm answered to it."""

    truth: Truth
    bank: QuestionBank
    history: tuple[ArmAnswer, ...]


class Shown(NamedTuple):
    """One probed candidate."""

    half: str
    what: str
    report: ProbeReport

    @property
    def accepted(self) -> bool:
        """Whether it may replace the history without a label."""
        return self.report.decision.verdict is Verdict.COMMIT


def conversation_of(path: Path) -> Conversation:
    return read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation


def snapshot_of(path: Path) -> Snapshot:
    return conversation_of(path).snapshot()


def ground_of(path: Path, snapshot: Snapshot) -> Ground:
    bank = write_cloze_bank(snapshot, size=BALANCED.questions * 4 // 3)
    history = read_arm(ArmName.HISTORY, history_text(snapshot), bank.split(Split.HELD_OUT), RetrievalReader())
    return Ground(truth_of(path, snapshot), bank, history)


def reordered(ground: Ground, rng: random.Random) -> Ground:
    """The same questions in another order: a verdict rests on those that come first."""
    questions = list(ground.bank.questions)
    rng.shuffle(questions)
    return ground._replace(bank=ground.bank.model_copy(update={"questions": tuple(questions)}))


def run(ground: Ground, claims: Sequence[str]) -> ProbeReport:
    return probe(ground.truth.snapshot, ArmText(passages=tuple(claims)), ground.bank, history_answers=ground.history)


def paths_of(half: str) -> Iterator[Path]:
    for name in HALVES[half]:
        yield PLANTED / f"{name}.json"


def damage(halves: Sequence[str], draws: int, turns: int) -> Iterator[Shown]:
    """Every candidate of the curve, probed."""
    for half in halves:
        for path in paths_of(half):
            rng = random.Random(SEED)  # noqa: S311 - a seeded draw, not a secret
            conversation = conversation_of(path)
            ground = ground_of(path, conversation.snapshot())
            for severity, how in KINDS:
                for _ in range(draws):
                    what = f"{severity:.0%}" if how == "both" else f"{severity:.0%} {how}"
                    yield Shown(half, what, run(reordered(ground, rng), damaged(ground.truth, severity, rng, how)))
            last = len(conversation.turns)
            for through in range(max(1, last - turns + 1), last + 1):
                earlier = ground_of(path, conversation.snapshot(through))
                if earlier.bank.split(Split.HELD_OUT):
                    yield Shown(half, "0%, at each turn", run(earlier, earlier.truth.claims))


def interval(count: int, whole: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, 0..1 (J. Am. Stat. Assoc. 22, 1927)."""
    z, share = 1.96, count / whole
    middle, reach = share + z * z / (2 * whole), z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole**2))
    return (middle - reach) / (1 + z * z / whole), (middle + reach) / (1 + z * z / whole)


def row_of(shown: Sequence[Shown]) -> dict[str, Any]:
    reports = [one.report for one in shown]
    accepted = sum(one.accepted for one in shown)
    states = Counter(one.reading.state.value for one in reports)
    losses = [loss for one in reports if not isinstance(loss := one.reading.observed_loss, NotMeasured)]
    return {
        "candidates": len(shown),
        "accepted": accepted / len(shown),
        "interval": interval(accepted, len(shown)),
        "rejected by questions": states["reject"],
        "undecided by questions": states["open"],
        "vetoed": sum(bool(one.reading.vetoes) for one in reports),
        "loss": statistics.mean(losses),
        "questions": statistics.median(one.reading.used for one in reports),
    }


def show_damage(shown: Sequence[Shown]) -> dict[str, Any]:
    """The curve by half and over both."""
    print("| damaged | half | candidates | accepted, % | undecided | vetoed | loss | questions |")
    print("|---|---|---|---|---|---|---|---|")
    found: dict[str, Any] = {}
    for what in dict.fromkeys(one.what for one in shown):
        for half in (*HALVES, "both"):
            here = [one for one in shown if one.what == what and half in {one.half, "both"}]
            if not here:
                continue
            row = row_of(here)
            low, high = row["interval"]
            share = f"{100 * row['accepted']:.1f} ({100 * low:.0f} to {100 * high:.0f})"
            cells = (what, half, row["candidates"], share, row["undecided by questions"])
            print("| " + " | ".join(map(str, cells)), end=" | ")
            print(f"{row['vetoed']} | {100 * row['loss']:.0f} | {row['questions']:g} |")
            found[f"{what}, {half}"] = row
    return found


def plot(found: dict[str, Any]) -> str:
    """Acceptance against damage, as SVG."""
    levels = [severity for severity, how in KINDS if how == "both"]

    def line(half: str) -> Series:
        rows = [found[f"{severity:.0%}, {half}"] for severity in levels]
        return Series(
            name=half,
            x=tuple(100 * severity for severity in levels),
            y=tuple(100 * row["accepted"] for row in rows),
            low=tuple(100 * row["interval"][0] for row in rows),
            high=tuple(100 * row["interval"][1] for row in rows),
            dashed=half == "development",
        )

    panel = Panel(
        title="Without a language model: planted boundaries accepted",
        x_label="claims removed or corrupted, %",
        y_label="accepted, %",
        series=tuple(line(half) for half in HALVES),
        markers=(
            Marker(name="at least, at 0", at=80.0, axis="y"),
            Marker(name="at most, at 40", at=10.0, axis="y", dashed=False),
        ),
        y_range=(0.0, 105.0),
    )
    return draw_svg([panel])


def show_precision(draws: int) -> None:
    """How many corrupted claims are caught by the check of claims, and how many true ones are doubted."""
    print("\n| half | true claims doubted | corrupted claims caught |\n|---|---|---|")
    for half in HALVES:
        counts: Counter[str] = Counter()
        for path in paths_of(half):
            rng = random.Random(SEED)  # noqa: S311 - a seeded draw, not a secret
            truth = truth_of(path, snapshot_of(path))
            for claim in truth.claims:
                counts["true"] += 1
                counts["doubted"] += check_claim(truth.snapshot, claim).borne is not Borne.SUPPORTED
                for _ in range(max(1, draws // 8)):
                    counts["corrupted"] += 1
                    wrong = corrupt(truth, claim, rng)
                    counts["caught"] += check_claim(truth.snapshot, wrong).borne is not Borne.SUPPORTED
        print(f"| {half} | {counts['doubted']} of {counts['true']} | {counts['caught']} of {counts['corrupted']} |")


def real_candidates(path: Path, snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """Claims that somebody made, by who."""
    # Heavy, and needed here alone.
    from benchmarks.consensus import Remembering, arms_of
    from benchmarks.consensus import run as consensus_of
    from benchmarks.extractive import chosen_by, excerpts
    from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder

    embedder = Remembering(SentenceTransformerEmbedder())
    arms = arms_of(path.stem, snapshot.through)
    found = {arm.writer: tuple(one.claim.text for one in arm.statements) for arm in arms if arm.statements}
    pooled = consensus_of([one for arm in arms for one in arm.statements], snapshot, embedder, arms)
    found["consensus"] = tuple(claim.text for claim in pooled.claims)
    chosen = chosen_by(snapshot, embedder)
    found["excerpts"] = tuple(one.text for one in excerpts(snapshot, chosen, ExcerptPolicy().share))
    return found


def show_real() -> dict[str, Any]:
    """Verdicts on real candidates, by cloze bank and by the conversation's own questions."""
    reports: dict[str, list[ProbeReport]] = defaultdict(list)
    doubted: dict[str, list[float]] = defaultdict(list)
    for path in (path for half in HALVES for path in paths_of(half)):
        snapshot = snapshot_of(path)
        ground, own = ground_of(path, snapshot), read_bank(path, snapshot)
        for name, claims in {"planted claims": ground.truth.claims, **real_candidates(path, snapshot)}.items():
            who = "recorded answer" if name.startswith("writer") else name
            reports[f"{who}, cloze bank"].append(run(ground, claims))
            reports[f"{who}, own questions"].append(probe(snapshot, ArmText(passages=claims), own))
            precision = check_precision(snapshot, claims)
            if not isinstance(precision.supported, NotMeasured):
                doubted[who].append(1 - precision.supported)
    print("\n| candidate, bank | candidates | accepted | rejected | undecided | verdicts | history right | loss |")
    print("|---|---|---|---|---|---|---|---|")
    for name, held in reports.items():
        states = Counter(one.reading.state.value for one in held)
        verdicts = ", ".join(f"{key} {n}" for key, n in sorted(Counter(o.decision.verdict.value for o in held).items()))
        right = mean(one.history_share for one in held)
        loss = mean(one.reading.observed_loss for one in held)
        counts = f"{states['accept']} | {states['reject']} | {states['open']}"
        print(f"| {name} | {len(held)} | {counts} | {verdicts} | {right:.2f} | {100 * loss:.0f} |")
    print("\n| candidate | mean share of claims doubted |\n|---|---|")
    for who, shares in doubted.items():
        print(f"| {who} | {100 * statistics.mean(shares):.1f} % |")
    return {name: Counter(one.decision.verdict.value for one in held) for name, held in reports.items()}


def mean(values: Iterable[object]) -> float:
    """The mean of those that were measured."""
    return statistics.mean(value for value in values if isinstance(value, int | float))


def main() -> int:
    parser = argparse.ArgumentParser(description="Damaged and real candidates before the gate.")
    parser.add_argument("--draws", type=int, default=34, help="damaged candidates for each conversation and severity")
    parser.add_argument("--turns", type=int, default=34, help="turns of each conversation whose boundary is probed")
    parser.add_argument("--half", choices=tuple(HALVES), help="the conversations of one half alone, for damage")
    parser.add_argument("--only", choices=("damage", "precision", "real"), help="one part alone")
    parser.add_argument("--plot", type=Path, help="write the curve there, as SVG")
    parser.add_argument("--json", type=Path, help="write the figures there")
    given = parser.parse_args()
    found: dict[str, Any] = {}
    halves = tuple(HALVES) if given.half is None else (given.half,)
    if given.only in {None, "damage"}:
        found["damage"] = show_damage(list(damage(halves, given.draws, given.turns)))
        if given.plot is not None and given.half is None:
            given.plot.write_text(plot(found["damage"]), encoding="utf-8")
    if given.only in {None, "precision"}:
        show_precision(given.draws)
    if given.only in {None, "real"}:
        found["real"] = show_real()
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
