"""How well triggers find where topics begin, when they fire, and what a turn costs.

usage: python benchmarks/triggers.py [SECTION …] [--data DIR] [--out DIR]

sections: boundaries, regret, quiet, fall, cost, appends. The first three need `--data DIR`, a folder with
`real/qmsum.jsonl` (one meeting a line: `id`, `subset`, `turns` with `content`, `gold.topics` with `spans`), made from
QMSum (github.com/Yale-LILY/QMSum, MIT). Vectors are kept under `--out` (default: out/embeddings), so that only the
first run embeds. Thresholds are fitted on every second meeting; what is printed are the others.
"""

import argparse
import random
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.embedding_cache import CachedEmbedder
from benchmarks.triggers_cost import appends, cost, fall
from benchmarks.triggers_parts import (
    Starts,
    Talk,
    at_random,
    concatenations,
    every_tokens,
    every_turns,
    joined,
    lexical_tiling,
    measured,
    meetings,
    pk_and_window_diff,
    regret,
    shown,
    shuffled,
    small_talk,
)
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from dissolution.policy.triggers import BALANCED, EAGER, PATIENT, TriggerPolicy
from triggers.calibrate import DEPTHS, agreement
from triggers.sensors import kept_tokens, topics_of
from triggers.simulate import Trace, firings, simulate
from triggers.talk import Talk as Spoke
from triggers.talk import rows_of

PLANTED = ROOT / "benchmarks" / "data" / "planted"
GRACE_TOKENS = 400  # a closed topic may be carried so long before it counts

Put = Callable[[Talk, Trace], Starts]


class Bench:
    """The data, its vectors, and what was fitted."""

    def __init__(self, data: Path | None, out: Path) -> None:
        self._embedder = CachedEmbedder(SentenceTransformerEmbedder(), out)
        self._data = data
        self._traces: dict[tuple[str, bool], Trace] = {}

    @property
    def data(self) -> Path:
        """The folder of public sets; ends the program without one."""
        if self._data is None:
            raise SystemExit("this section needs --data DIR")
        return self._data

    def rows(self, texts: Sequence[str]) -> np.ndarray:
        """Unit rows, from disk where they are kept."""
        return rows_of(self._embedder.embed(texts))

    def trace(self, talk: Talk, *, surprise: bool = True) -> Trace:
        """What was measured of a talk, once; without surprise where only topics are looked for."""
        key = (talk.name, surprise)
        if key not in self._traces:
            self._traces[key] = measured(talk, self.rows, self._embedder.stamp.model, surprise=surprise)
        return self._traces[key]


def with_depth(depth: float) -> TriggerPolicy:
    return BALANCED.model_copy(update={"drift": BALANCED.drift.model_copy(update={"shift_depth": depth})})


def ours(depth: float) -> Put:
    return lambda _talk, trace: starts_of(trace, with_depth(depth))


def starts_of(trace: Trace, policy: TriggerPolicy) -> Starts:
    """Where topics begin as a replay finds it (`triggers.simulate`), by the sensor of topics alone."""
    held = Spoke(trace.dimension, kept_tokens(policy.drift))
    topics = topics_of(policy.drift, trace.dimension)
    found: list[int] = []
    for new in trace.turns:
        if new.said is not None and new.row is not None and held.add(new.turn.number, new.said, new.row):
            shift = topics.after(held)
            found += [shift.turn] if shift else []
    return tuple(sorted(found))


def baselines(share: float) -> Mapping[str, Sequence[Put]]:
    """Each baseline with the settings it may be fitted over."""
    return {
        "TextTiling over words, after the fact": [
            lambda talk, _, block=block, depth=depth: lexical_tiling(talk, block, depth)
            for block in (60, 120, 240)
            for depth in (0.5, 1.0, 2.0, 3.0)
        ],
        "every so many turns": [lambda talk, _, n=n: every_turns(talk, n) for n in (40, 80, 120, 160, 200, 250, 300)],
        "every so many tokens": [
            lambda _, trace, n=n: every_tokens(trace, n) for n in (500, 1000, 1500, 2000, 2500, 3000, 4000)
        ],
        "at random, as often as topics begin": [lambda talk, _: at_random(talk, share, 1)],
        "never": [lambda _talk, _trace: ()],
    }


def measures(bench: Bench, talks: Sequence[Talk], put: Put) -> list[tuple[float, float, float, int]]:
    """Pk, WindowDiff, F1 and the number of boundaries put, for each talk."""
    rows: list[tuple[float, float, float, int]] = []
    for talk in talks:
        found = put(talk, bench.trace(talk, surprise=False))
        turns = len(talk.turns)
        pk, difference = pk_and_window_diff(turns, talk.starts, found)
        rows.append((pk, difference, agreement(found, talk.starts, turns), len(found)))
    return rows


def loss(bench: Bench, talks: Sequence[Talk], put: Put) -> float:
    """What is fitted: the mean of Pk and WindowDiff."""
    return statistics.fmean(pk + difference for pk, difference, _, _ in measures(bench, talks, put))


def fitted(bench: Bench, talks: Sequence[Talk], puts: Sequence[Put]) -> Put:
    return min(puts, key=lambda put: loss(bench, talks, put))


def table(bench: Bench, fit: Sequence[Talk], rest: Sequence[Talk], title: str) -> None:
    share = sum(len(talk.starts) for talk in fit) / sum(len(talk.turns) for talk in fit)
    depth = min(DEPTHS, key=lambda one: loss(bench, fit, ours(one)))
    methods: dict[str, Put] = {f"topic shift, turn by turn (depth {depth})": ours(depth)}
    methods |= {name: fitted(bench, fit, puts) for name, puts in baselines(share).items()}
    turns = sum(len(talk.turns) for talk in rest)
    print(
        f"\n{title}: fitted on {len(fit)}, measured on {len(rest)} ({turns} turns, "
        f"{sum(len(talk.starts) for talk in rest)} boundaries); mean and 95 % interval\n"
    )
    print("| method | Pk | WindowDiff | F1 within 3 % | boundaries each |\n|---|---|---|---|---|")
    found = {name: measures(bench, rest, put) for name, put in methods.items()}
    for name, rows in found.items():
        columns = [shown([row[place] for row in rows]) for place in range(3)]
        print(f"| {name} | {' | '.join(columns)} | {statistics.fmean(row[3] for row in rows):.1f} |", flush=True)
    own, *others = found.items()
    print("\n| less than ours by, paired | Pk | WindowDiff |\n|---|---|---|")
    for name, rows in others:
        paired = [[theirs[place] - mine[place] for mine, theirs in zip(own[1], rows, strict=True)] for place in (0, 1)]
        print(f"| {name} | {shown(paired[0])} | {shown(paired[1])} |", flush=True)


def boundaries(bench: Bench) -> None:
    """Where topics begin."""
    held = meetings(bench.data)
    table(bench, held[::2], held[1::2], "Meetings (QMSum)")
    talks = concatenations(PLANTED, 40, seed=3)
    table(bench, talks[::2], talks[1::2], "Stretches of unrelated planted conversations")
    parts = [[turn.content for turn in talk.turns] for talk in held]
    draw = random.Random(5)  # noqa: S311 - a benchmark's draw
    mixed: list[Talk] = []
    for number in range(40):
        chosen = [part for part in draw.sample(parts, 4) if len(part) > 160]
        pieces = [part[(first := draw.randrange(len(part) - 150)) : first + draw.randint(60, 150)] for part in chosen]
        mixed.append(joined(f"mixed-{number}", pieces, "concatenated"))
    mixed = [talk for talk in mixed if talk.starts]
    table(bench, mixed[::2], mixed[1::2], "Stretches of unrelated meetings")


def regrets(bench: Bench) -> None:
    """What firing costs over whole meetings."""
    held = meetings(bench.data)
    fit, rest = held[::2], held[1::2]

    def of_policy(policy: TriggerPolicy) -> Put:
        return lambda _talk, trace: firings(simulate(trace, policy))

    def of_tokens(tokens: int) -> Put:
        return lambda _talk, trace: tuple(start - 1 for start in every_tokens(trace, tokens))

    def of_turns(turns: int) -> Put:
        return lambda talk, _trace: tuple(start - 1 for start in every_turns(talk, turns))

    def total(put: Put) -> float:
        return statistics.fmean(
            sum(regret(bench.trace(t), t.starts, put(t, bench.trace(t)), GRACE_TOKENS)) for t in fit
        )

    tokens = min((1000, 1500, 2000, 3000, 4000, 6000), key=lambda one: total(of_tokens(one)))
    turns = min((60, 100, 150, 200, 300), key=lambda one: total(of_turns(one)))
    methods = {f"policy {one.name}": of_policy(one) for one in (EAGER, BALANCED, PATIENT)}
    methods |= {
        f"every {tokens} tokens": of_tokens(tokens),
        f"every {turns} turns": of_turns(turns),
        "never": lambda _t, _r: (),
    }
    print(f"\nRegret over {len(rest)} meetings, share of all tokens given without any firing; mean and 95 % interval\n")
    print("| when | carried too long | lost too early | both | firings each |\n|---|---|---|---|---|")
    for name, put in methods.items():
        found = [regret(bench.trace(talk), talk.starts, put(talk, bench.trace(talk)), GRACE_TOKENS) for talk in rest]
        cells = [shown([row[0] for row in found]), shown([row[1] for row in found]), shown([sum(row) for row in found])]
        count = statistics.fmean(len(put(talk, bench.trace(talk))) for talk in rest)
        print(f"| {name} | {' | '.join(cells)} | {count:.1f} |", flush=True)
    for policy in (EAGER, BALANCED, PATIENT):
        print(f"{policy.name}: firings closer than the cool-down: {too_close(bench, held, policy)}")


def too_close(bench: Bench, talks: Sequence[Talk], policy: TriggerPolicy) -> int:
    """Firings within the cool-down of the one before; the goal is none."""
    count = 0
    for talk in talks:
        fired = [one for one in simulate(bench.trace(talk), policy) if one.decision.fires]
        for before, after in pairwise(fired):
            near = (
                after.tokens - before.tokens < policy.cooldown_tokens
                or after.turn - before.turn < policy.cooldown_turns
            )
            count += near
    return count


def quiet(bench: Bench) -> None:
    """False firings where nothing begins or ends."""
    held = meetings(bench.data)[1::2]
    groups = {
        "small talk, shuffled": small_talk(bench.data, 30, seed=11),
        "meetings with their turns shuffled": [shuffled(talk, 13) for talk in held],
    }
    print("\nFirings for every 10,000 tokens where there is no topic; budget and schedule left out of it\n")
    print("| talk | signal | firings for every 10,000 tokens | talks with any |\n|---|---|---|---|")
    for name, talks in groups.items():
        for signal in ("drift", "topic shift", "surprise", "all of them"):
            runs = [simulate(bench.trace(talk), only(signal)) for talk in talks]
            rates = [10_000 * len(firings(run)) / max(1, run[-1].tokens) for run in runs]
            some = sum(bool(firings(run)) for run in runs)
            print(f"| {name} | {signal} | {shown(rates, 2)} | {some} of {len(talks)} |", flush=True)


def only(signal: str) -> TriggerPolicy:
    """The balanced policy with one signal, or with all but the budget."""
    drift, surprise = BALANCED.drift, BALANCED.surprise
    if signal not in {"drift", "all of them"}:
        drift = drift.model_copy(update={"distance": None})
    if signal not in {"topic shift", "all of them"}:
        drift = drift.model_copy(update={"shift_depth": None})
    if signal not in {"surprise", "all of them"}:
        surprise = surprise.model_copy(update={"alpha": None})
    budget = BALANCED.budget.model_copy(update={"context_tokens": 10_000_000})
    return BALANCED.model_copy(update={"drift": drift, "surprise": surprise, "budget": budget})


SECTIONS: Mapping[str, Callable[[Bench], None]] = {
    "boundaries": boundaries,
    "regret": regrets,
    "quiet": quiet,
    "fall": lambda _: fall(),
    "cost": lambda bench: cost(bench.trace),
    "appends": lambda _: appends(),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", choices=[*SECTIONS, []], help=", ".join(SECTIONS))
    parser.add_argument("--data", type=Path, help="folder with real/qmsum.jsonl")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "embeddings", help="where vectors are kept")
    options = parser.parse_args()
    bench = Bench(options.data, options.out)
    for name in options.sections or SECTIONS:
        SECTIONS[name](bench)
    return 0


if __name__ == "__main__":
    sys.exit(main())
