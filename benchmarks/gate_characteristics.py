"""Operating characteristics of the gate: how often it accepts at a true loss, and how many questions that takes.

usage: python benchmarks/gate_characteristics.py [--runs 10000] [--plot FILE.svg] [--json FILE]

Every point is `--runs` simulated verdicts: each question is lost with chance loss + gains, gained with chance gains,
and the same on both arms otherwise. Compared are the gate of each preset on one candidate, as `dissolve probe` runs it;
a whole job whose every repair leaves the loss as it was, with `false_accept` shared out among its candidates, as jobs
run it, and with the whole of it spent on each; Wald's test on losses alone; and what is often done: n questions,
accepted when the observed loss is at most 5 points. Seeded, so it repeats.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dissolution.policy.gate import BALANCED, LENIENT, PRESETS, GatePolicy
from probe.gate import accept_bet, error_share, expected_questions, reject_bets

LOSSES = (0.0, 0.025, 0.05, 0.075, 0.10, 0.125, 0.135, 0.15, 0.20, 0.25, 0.30, 0.40)
GAINS = (0.0, 0.02, 0.05)
FIXED = (3, 20, 50, 100)
SEED = 11
SHORT = LENIENT.model_copy(update={"questions": 28, "repair_rounds": 0})
"""A bank with which one loss decides nothing; beside it the one that it is enlarged to (`probe/need.py`)."""

Losses = NDArray[np.int8]


class Point(NamedTuple):
    """What came of all verdicts at one true loss."""

    accepted: float
    rejected: float
    median_questions: float
    mean_questions: float


def draw(loss: float, gains: float, runs: int, questions: int, rng: np.random.Generator) -> Losses:
    """D for each run and question: 1 lost, -1 gained, 0 the same; shape (runs, questions)."""
    roll = rng.random((runs, questions))
    return np.where(roll < loss + gains, 1, np.where(roll < loss + 2 * gains, -1, 0)).astype(np.int8)


def gate(drawn: Losses, policy: GatePolicy, share: float = 1.0) -> Point:
    """`probe.gate.read_gate` on every row at once, for a candidate that may spend this share of `false_accept`."""
    accept, reject = settled(drawn, policy, share)
    return point(accept, reject, drawn.shape[1])


def settled(drawn: Losses, policy: GatePolicy, share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index of the question that accepts, and of the one that rejects, by row; the row's length for none."""
    step_up: NDArray[np.float64] = np.log1p(accept_bet(policy) * (policy.reject_loss - drawn))
    accept: NDArray[np.float64] = np.cumsum(step_up, axis=1)
    purses: list[NDArray[np.float64]] = [
        math.log(weight) + np.cumsum(np.log1p(bet * (drawn - policy.accept_loss)), axis=1)
        for weight, bet in reject_bets(policy)
    ]
    reject: NDArray[np.float64] = np.logaddexp(purses[0], purses[1])
    return _first(accept, 1 / (share * policy.false_accept)), _first(reject, 1 / policy.false_reject)


def job(policy: GatePolicy, loss: float, runs: int, rng: np.random.Generator, *, shared: bool = True) -> Point:
    """A job whose every repair leaves the loss as it was: accepted when any of its candidates is.

    Each candidate meets what is left of the bank, and of a further one where that is less than it needs on average
    (`workers/stages/further_bank.py`).
    """
    accepted, rejected = np.zeros(runs, dtype=np.bool_), np.zeros(runs, dtype=np.bool_)
    used, left = np.zeros(runs, dtype=np.int64), np.full(runs, policy.questions, dtype=np.int64)
    for number in range(policy.repair_rounds + 1):
        share = error_share(number, policy.repair_rounds) if shared else 1.0
        if number > 0:
            left[left < expected_questions(policy, masked=False, share=share)] += policy.questions

        yes, no = settled(draw(loss, 0.0, runs, int(left.max()), rng), policy, share)
        here = ~accepted
        asked = np.minimum(np.minimum(yes, no) + 1, left)
        settling = here & (np.minimum(yes, no) < left)
        rejected[here] = (settling & (no < yes))[here]
        accepted |= settling & (yes < no)
        used[here] += asked[here]
        left[here] -= asked[here]
    return Point(
        float(np.mean(accepted)), float(np.mean(rejected)), float(np.median(used)), float(np.mean(used.astype(float)))
    )


def wald(drawn: Losses, policy: GatePolicy) -> Point:
    """Wald's test on losses alone, with his bounds; gains count as equal pairs."""
    lost = drawn == 1
    equal = math.log((1 - policy.accept_loss) / (1 - policy.reject_loss))
    steps = np.array([equal, math.log(policy.accept_loss / policy.reject_loss)])
    evidence: NDArray[np.float64] = np.cumsum(np.take(steps, lost.astype(np.int8)), axis=1).astype(np.float64)
    up = (1 - policy.false_reject) / policy.false_accept
    down = (1 - policy.false_accept) / policy.false_reject
    return point(_first(evidence, up), _first(np.negative(evidence).astype(np.float64), down), drawn.shape[1])


def fixed(drawn: Losses, policy: GatePolicy) -> Point:
    """All questions, accepted when the observed loss is at most `accept_loss`."""
    lost = np.sum(drawn, axis=1, dtype=np.int64)
    accepted = float(np.count_nonzero(lost <= policy.accept_loss * drawn.shape[1])) / len(drawn)
    return Point(accepted, 1 - accepted, drawn.shape[1], drawn.shape[1])


def _first(evidence: NDArray[np.float64], bound: float) -> NDArray[np.int64]:
    """Index of the first question at which the evidence reaches log(bound); the row's length when it never does."""
    reached = evidence >= math.log(bound)
    places = np.argmax(reached, axis=1).astype(np.int64)
    places[~np.any(reached, axis=1)] = evidence.shape[1]
    return places


def point(accept: NDArray[np.int64], reject: NDArray[np.int64], questions: int) -> Point:
    used = np.minimum(np.minimum(accept, reject) + 1, questions)
    return Point(
        float(np.mean(accept < reject)), float(np.mean(reject < accept)), float(np.median(used)), float(used.mean())
    )


def measure(runs: int) -> dict[str, dict[float, Point]]:
    """Every rule at every loss."""
    rng = np.random.default_rng(SEED)
    found: dict[str, dict[float, Point]] = {}
    for policy in PRESETS.values():
        for gains in GAINS if policy is BALANCED else GAINS[:1]:
            name = policy.name if gains == 0 else f"{policy.name}, gains {gains:.0%}"
            found[name] = {loss: gate(draw(loss, gains, runs, policy.questions, rng), policy) for loss in LOSSES}
    for policy in PRESETS.values():
        found[f"{policy.name}, whole job"] = {loss: job(policy, loss, runs, rng) for loss in LOSSES}
    found["balanced, whole job, error not shared"] = {
        loss: job(BALANCED, loss, runs, rng, shared=False) for loss in LOSSES
    }
    first = error_share(0, BALANCED.repair_rounds)
    found["balanced, first of a job"] = {
        loss: gate(draw(loss, 0, runs, BALANCED.questions, rng), BALANCED, first) for loss in LOSSES
    }
    found["balanced, bank of 50"] = {loss: gate(draw(loss, 0, runs, 50, rng), BALANCED) for loss in LOSSES}
    found["Wald, losses alone, gains 5%"] = {
        loss: wald(draw(loss, 0.05, runs, BALANCED.questions, rng), BALANCED) for loss in LOSSES
    }
    for questions in FIXED:
        found[f"fixed {questions}"] = {loss: fixed(draw(loss, 0, runs, questions, rng), BALANCED) for loss in LOSSES}
    for questions in (SHORT.questions, expected_questions(SHORT, masked=False)):
        found[f"8 and 20 points, bank of {questions}"] = {
            loss: gate(draw(loss, 0, runs, questions, rng), SHORT) for loss in LOSSES
        }
    for questions in (50, 120, 240):  # the banks of the three efforts, as the first candidate of a job meets them
        drawn = {loss: draw(loss, 0, runs, questions, rng) for loss in LOSSES}
        found[f"first of a job, bank of {questions}"] = {loss: gate(drawn[loss], BALANCED, first) for loss in LOSSES}
    return found


def tables(found: dict[str, dict[float, Point]]) -> str:
    """Markdown: acceptance, and median questions, by rule and true loss."""
    head = f"| | {' | '.join(f'{100 * loss:g}' for loss in LOSSES)} |\n|{'---|' * (len(LOSSES) + 1)}"
    accepted = [
        f"| {name} | {' | '.join(f'{100 * row[loss].accepted:.1f}' for loss in LOSSES)} |"
        for name, row in found.items()
    ]
    rejected = [
        f"| {name} | {' | '.join(f'{100 * row[loss].rejected:.1f}' for loss in LOSSES)} |"
        for name, row in found.items()
    ]
    used = [
        f"| {name} | {' | '.join(f'{row[loss].median_questions:.0f}' for loss in LOSSES)} |"
        for name, row in found.items()
        if not name.startswith("fixed")
    ]
    parts = (("Accepted (%)", accepted), ("Rejected (%)", rejected), ("Median candidate-arm questions", used))
    return "\n\n".join(f"{title} at a true loss of … points:\n\n{head}\n" + "\n".join(rows) for title, rows in parts)


WIDTH, HEIGHT, EDGE = 640, 300, 50
COLOURS = ("#0b5394", "#38761d", "#b45f06", "#741b47")
PLOTTED = ("strict", "balanced", "lenient", "balanced, whole job")


class Panel(NamedTuple):
    """One drawing: its title, where it begins (pixels from the top), and the largest value on its axis."""

    title: str
    top: int
    most: float

    def across(self, loss: float) -> float:
        """Pixels from the left for a loss."""
        return EDGE + loss / max(LOSSES) * (WIDTH - 2 * EDGE)

    def down(self, value: float) -> float:
        """Pixels from the top for a value."""
        return self.top + HEIGHT - EDGE - value / self.most * (HEIGHT - 2 * EDGE)

    def draw(self, lines: dict[str, list[float]]) -> str:
        """SVG of the panel: axes, and one line for each rule."""
        left, right, ground = self.across(0), self.across(max(LOSSES)), self.down(0)
        parts = [
            f'<text x="{left}" y="{self.top + 30}">{self.title}</text>',
            f'<path d="M{left} {self.down(self.most)} V{ground} H{right}" fill="none" stroke="black"/>',
        ]
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            value = share * self.most
            label = f"{value:g}"
            parts.append(f'<text x="{left - 8}" y="{self.down(value) + 4:.0f}" text-anchor="end">{label}</text>')
        for loss in LOSSES[::2]:
            place = f'x="{self.across(loss):.0f}" y="{ground + 18:.0f}"'
            parts.append(f'<text {place} text-anchor="middle">{100 * loss:g}</text>')
        parts.append(f'<text x="{right:.0f}" y="{ground + 34:.0f}" text-anchor="end">true loss (points)</text>')
        for index, (name, values) in enumerate(lines.items()):
            way = " L".join(f"{self.across(x):.1f} {self.down(y):.1f}" for x, y in zip(LOSSES, values, strict=True))
            parts.append(f'<path d="M{way}" fill="none" stroke="{COLOURS[index]}" stroke-width="2"/>')
            legend = f'x="{WIDTH - EDGE - 150}" y="{self.top + 46 + 16 * index}" fill="{COLOURS[index]}"'
            parts.append(f"<text {legend}>{name}</text>")
        return "\n".join(parts)


def plot(found: dict[str, dict[float, Point]]) -> str:
    """SVG of two panels: acceptance, and median questions, against the true loss."""
    accepted = {name: [100 * found[name][loss].accepted for loss in LOSSES] for name in PLOTTED}
    used = {name: [found[name][loss].median_questions for loss in LOSSES] for name in PLOTTED}
    most = float(max(policy.questions for policy in PRESETS.values()))
    panels = (
        Panel("accepted (%)", 0, 100.0).draw(accepted),
        Panel("median candidate-arm questions", HEIGHT, most).draw(used),
    )
    size = f'width="{WIDTH}" height="{2 * HEIGHT}" font-family="sans-serif" font-size="12"'
    ground = '<rect width="100%" height="100%" fill="white"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{ground}\n' + "\n".join(panels) + "\n</svg>\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Operating characteristics of the gate, by simulation.")
    parser.add_argument("--runs", type=int, default=10_000, help="simulated verdicts for each point")
    parser.add_argument("--plot", type=Path, help="write the curves there as SVG")
    parser.add_argument("--json", type=Path, help="write every figure there")
    given = parser.parse_args()
    found = measure(given.runs)
    print(f"{given.runs} verdicts for each point, seed {SEED}\n\n{tables(found)}")
    if given.plot is not None:
        given.plot.write_text(plot(found), encoding="utf-8")
    if given.json is not None:
        rows = {name: {str(loss): one._asdict() for loss, one in row.items()} for name, row in found.items()}
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
