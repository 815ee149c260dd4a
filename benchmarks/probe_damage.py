"""How the gate without a language model tells good candidates from damaged ones, and what it says of real ones.

usage: python benchmarks/probe_damage.py [--draws 34] [--json FILE]

For each planted conversation a cloze bank is written from the snapshot alone, and the history arm reads it once. The
undamaged candidate is everything that was said, one claim a sentence, so that its true loss is 0; of it a share of the
claims is removed or corrupted (a number, date or name exchanged for another of the conversation, or the claim denied),
half of them each way, in `--draws` random draws for each conversation and severity. Then real candidates are probed
with the cloze bank and with the conversation's own 50 questions: the planted claims, each recorded answer, and the
recorded answers together.
"""

import argparse
import json
import random
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dissolution.clock import SystemClock  # noqa: E402 - after the path is set, so that it runs as a script
from dissolution.conversation import Snapshot  # noqa: E402
from dissolution.gate_policy import BALANCED  # noqa: E402
from dissolution.probing import ArmAnswer, ArmName, ProbeReport, QuestionBank, Split  # noqa: E402
from dissolution.values import NotMeasured  # noqa: E402
from probe.cloze import write_cloze_bank  # noqa: E402
from probe.evaluate import probe, read_arm  # noqa: E402
from probe.items import Item, items, same_slot  # noqa: E402
from probe.reading import ArmText, RetrievalReader, history_text  # noqa: E402
from probe.ready_made import read_bank  # noqa: E402
from wording.reading.options import ReadingOptions  # noqa: E402
from wording.reading.read import read_file  # noqa: E402
from wording.sentences import sentence_spans  # noqa: E402

DATA = ROOT / "benchmarks" / "data"
SEVERITIES = (0.0, 0.1, 0.2, 0.4)
SEED = 5


class Ground(NamedTuple):
    """One conversation with its bank and what the history arm answered to it."""

    snapshot: Snapshot
    bank: QuestionBank
    history: tuple[ArmAnswer, ...]
    claims: tuple[str, ...]


def snapshot_of(path: Path) -> Snapshot:
    return read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()


def ground_of(path: Path) -> Ground:
    snapshot = snapshot_of(path)
    bank = write_cloze_bank(snapshot, size=BALANCED.questions * 4 // 3)
    history = read_arm(ArmName.HISTORY, history_text(snapshot), bank.split(Split.HELD_OUT), RetrievalReader())
    return Ground(snapshot, bank, history, tuple(said(snapshot)))


def said(snapshot: Snapshot) -> Iterator[str]:
    """Every sentence of the snapshot."""
    for turn in snapshot.turns:
        for span in sentence_spans(turn.content):
            yield turn.content[span.start : span.end]


def damaged(claims: Sequence[str], severity: float, rng: random.Random) -> tuple[str, ...]:
    """The claims with a share of them removed or corrupted, as often the one as the other."""
    hit = rng.sample(range(len(claims)), round(severity * len(claims)))
    removed = set(hit[::2])
    spare = [item for claim in claims for item in items(claim)] if hit else []
    corrupted = {place: corrupt(claims[place], spare, rng) for place in hit[1::2]}
    return tuple(corrupted.get(place, claim) for place, claim in enumerate(claims) if place not in removed)


def corrupt(claim: str, spare: Sequence[Item], rng: random.Random) -> str:
    """Every value of the claim exchanged for another of its slot; a claim without any is denied."""
    found = items(claim)
    for item in reversed(found):
        rivals = [one.text for one in spare if same_slot(item, one) and one.text.casefold() != item.text.casefold()]
        if rivals:
            claim = f"{claim[: item.start]}{rng.choice(rivals)}{claim[item.end :]}"
    return claim if found else f"It is not the case that {claim}"


def run(ground: Ground, claims: Sequence[str]) -> ProbeReport:
    text = ArmText(passages=tuple(claims))
    return probe(ground.snapshot, text, ground.bank, history_answers=ground.history)


def curve(grounds: Sequence[Ground], draws: int) -> dict[str, dict[str, Any]]:
    """Verdicts, vetoes, losses and questions by severity."""
    rng = random.Random(SEED)  # noqa: S311 - a seeded draw, not a secret
    found: dict[str, dict[str, Any]] = {}
    for severity in SEVERITIES:
        reports = [run(ground, damaged(ground.claims, severity, rng)) for ground in grounds for _ in range(draws)]
        losses = [loss for one in reports if not isinstance(loss := one.reading.observed_loss, NotMeasured)]
        found[f"{severity:.0%}"] = {
            "candidates": len(reports),
            "accepted": statistics.mean(one.reading.state.value == "accept" for one in reports),
            "vetoed": statistics.mean(bool(one.reading.vetoes) for one in reports),
            "open": statistics.mean(one.reading.state.value == "open" for one in reports),
            "loss": statistics.mean(losses),
            "questions": statistics.median(one.reading.used for one in reports),
            "verdicts": Counter(one.decision.verdict.value for one in reports),
        }
    return found


def real(path: Path, ground: Ground) -> dict[str, dict[str, ProbeReport]]:
    """Reports on candidates somebody wrote, by name and bank."""
    truth = json.loads(path.read_text(encoding="utf-8"))["truth"]["claims"]
    candidates = {"planted claims": tuple(claim["text"] for claim in truth)}
    together: list[str] = []
    for answer in sorted((DATA / "recordings" / path.stem).glob("writer-?.dissolve.json")):
        text = str(json.loads(answer.read_text(encoding="utf-8"))["answer"])
        lines = tuple(line for line in text.split("\n") if line.strip())
        candidates[answer.name.removesuffix(".dissolve.json")] = lines
        together += lines
    candidates["six together"] = tuple(together)
    own = read_bank(path, ground.snapshot)
    return {
        name: {"cloze": run(ground, claims), "own questions": probe(ground.snapshot, ArmText(passages=claims), own)}
        for name, claims in candidates.items()
    }


def show_curve(found: dict[str, dict[str, Any]]) -> None:
    print("| damaged | candidates | accepted | vetoed | undecided | observed loss | median questions |")
    print("|---|---|---|---|---|---|---|")
    for severity, row in found.items():
        shares = " | ".join(f"{100 * row[name]:.1f} %" for name in ("accepted", "vetoed", "open"))
        loss = f"{100 * row['loss']:.1f}"
        print(f"| {severity} | {row['candidates']} | {shares} | {loss} | {row['questions']:g} |")


def show_real(reports: dict[str, list[ProbeReport]]) -> None:
    print("\n| candidate, bank | accepted | rejected | vetoed | verdicts | history right |")
    print("|---|---|---|---|---|---|")
    for name, held in reports.items():
        states = Counter(one.reading.state.value for one in held)
        verdicts = ", ".join(f"{key} {n}" for key, n in sorted(Counter(o.decision.verdict.value for o in held).items()))
        vetoed = sum(bool(one.reading.vetoes) for one in held)
        right = statistics.mean(s for one in held if not isinstance(s := one.history_share, NotMeasured))
        print(f"| {name} | {states['accept']} | {states['reject']} | {vetoed} | {verdicts} | {right:.2f} |")


def main() -> int:
    parser = argparse.ArgumentParser(description="Damaged and real candidates before the gate.")
    parser.add_argument("--draws", type=int, default=34, help="damaged candidates for each conversation and severity")
    parser.add_argument("--json", type=Path, help="write the curve there")
    given = parser.parse_args()
    paths = sorted((DATA / "planted").glob("*.json"))
    grounds = [ground_of(path) for path in paths]
    for ground in grounds:
        held = len(ground.bank.split(Split.HELD_OUT))
        print(f"{ground.snapshot.conversation}: {len(ground.bank.questions)} questions, {held} held out")
    found = curve(grounds, given.draws)
    show_curve(found)
    reports: dict[str, list[ProbeReport]] = defaultdict(list)
    for path, ground in zip(paths, grounds, strict=True):
        for name, by_bank in real(path, ground).items():
            for bank, report in by_bank.items():
                reports["any writer, " + bank if name.startswith("writer") else f"{name}, {bank}"].append(report)
    show_real(reports)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
