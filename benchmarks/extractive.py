"""Measure the no-key fleet: each method alone, the fleet pooled by consensus, and baselines of equal length.

usage: python benchmarks/extractive.py [--embedder all-MiniLM-L6-v2|hashing] [--data DIR] [--json FILE]

Planted conversations are read from benchmarks/data. `--data DIR` also measures meetings: DIR/real/qmsum.jsonl, made
from QMSum (github.com/Yale-LILY/QMSum) and ExplainMeetSum (github.com/hkim-etri/ExplainMeetSum), whose AMI part has
gold decisions with the turns they rest on. Baselines pick whole sentences of everything said until the words of the
pooled fleet are used up, and are read as KNOWN, where every kind of claim may be found.
"""

import argparse
import asyncio
import itertools
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import score_planted
from consensus.build import build_consensus
from consensus.embedder import SentenceTransformerEmbedder
from consensus.hashing import HashingEmbedder
from dissolution.answers import MemberTask, PromptMessage, PromptStamp, RenderedPrompt
from dissolution.claims import Section, Statement
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.policy import ConsensusPolicy
from dissolution.ports import Embedder, Member
from fleet.extractive.centrality import page_rank
from fleet.extractive.roster import SIZE_RATIO, extractive_fleet
from fleet.extractive.segments import Sentence, sentences
from fleet.extractive.standalone import leans
from fleet.extractive.terms import jaccard
from prompts.parse import parse_reply
from wording.reading.options import ReadingOptions
from wording.reading.read import read_bytes, read_file

PLANTED = ROOT / "benchmarks" / "data" / "planted"
RANDOM_DRAWS = 20
SAME = 0.7  # word overlap from which two claims of the plain union are one
FAULTS = ("wrong_asserted", "injected", "hedged_promoted", "one_off_standing")
PROMPT = RenderedPrompt(
    stamp=PromptStamp(name="none", version=1, digest="0" * 64),
    messages=(PromptMessage(role="user", content="Extraction methods read no prompt."),),
)


@dataclass(frozen=True)
class Stated:
    """One claim of an arm."""

    section: Section
    text: str
    turns: tuple[int, ...]


@dataclass(frozen=True)
class Arms:
    """Everything measured on one snapshot: claims by arm, and the seconds the fleet and the consensus took."""

    methods: dict[str, tuple[Stated, ...]]
    union: tuple[Stated, ...]
    pooled: tuple[Stated, ...]
    fleet_s: float
    consensus_s: float


def dissolve(snapshot: Snapshot, embedder: Embedder) -> Arms:
    """The fleet's answers about one snapshot, parsed as any other answer, their union and their consensus."""
    start = time.perf_counter()
    replies = {member.card.family: _ask(member, snapshot) for member in extractive_fleet(embedder)}
    fleet_s = time.perf_counter() - start
    statements: list[Statement] = []
    methods: dict[str, tuple[Stated, ...]] = {}
    for family, (text, claims) in replies.items():
        methods[family.removeprefix("extractive-")] = tuple(stated for stated, _ in claims)
        statements += [statement for _, statement in claims]
        assert text  # noqa: S101 - a reply is never empty; an honest "nothing" is four empty sections
    start = time.perf_counter()
    consensus = build_consensus(
        statements,
        snapshot,
        embedder,
        ConsensusPolicy(size_ratio=SIZE_RATIO),
        job="benchmark",
        answers={family: text for family, (text, _) in replies.items()},
    )
    pooled = tuple(
        Stated(claim.section, claim.text, tuple(sorted({evidence.turn for evidence in claim.evidence})))
        for claim in consensus.claims
    )
    return Arms(methods, _union(methods.values()), pooled, fleet_s, time.perf_counter() - start)


def _ask(member: Member, snapshot: Snapshot) -> tuple[str, list[tuple[Stated, Statement]]]:
    reply = asyncio.run(member.answer(MemberTask(snapshot=snapshot, prompt=PROMPT, deadline_s=60)))
    parsed = parse_reply(reply.text, reply.finish, through=snapshot.through)
    card = member.card
    return reply.text, [
        (
            Stated(claim.section, claim.text, claim.turns),
            Statement(member=card.name, family=card.family, ordinal=ordinal, claim=claim),
        )
        for ordinal, claim in enumerate(parsed.claims)
    ]


def _union(methods: Iterable[tuple[Stated, ...]]) -> tuple[Stated, ...]:
    kept: dict[str, Stated] = {}
    for stated in itertools.chain.from_iterable(methods):
        words = stated.text.lower().split()
        if all(jaccard(words, other.lower().split()) < SAME for other in kept):
            kept[stated.text] = stated
    return tuple(kept.values())


def orders(found: Sequence[Sentence]) -> dict[str, list[list[Sentence]]]:
    """The baselines as orders of preference over all sentences; "random" has `RANDOM_DRAWS` of them, seeded."""
    said: dict[int, list[Sentence]] = {}
    for sentence in found:
        said.setdefault(sentence.turn, []).append(sentence)
    longest = sorted(said.values(), key=lambda turn: -sum(len(sentence.words) for sentence in turn))
    draws = [random.Random(seed).sample(list(found), len(found)) for seed in range(RANDOM_DRAWS)]  # noqa: S311 - seeded
    return {
        "lead": [list(found)],
        "textrank": [_text_rank(found)],
        "longest turns": [[sentence for turn in longest for sentence in turn]],
        "random": draws,
    }


def _text_rank(found: Sequence[Sentence]) -> list[Sentence]:
    """Mihalcea and Tarau 2004: PageRank over shared words / (ln |a| + ln |b|), every sentence as likely a start."""
    held = [frozenset(sentence.terms) for sentence in found]
    sizes = np.array([np.log(max(2, len(sentence.words))) for sentence in found])
    columns = {term: place for place, term in enumerate(sorted({term for terms in held for term in terms}))}
    rows = np.zeros((len(found), max(1, len(columns))), dtype=np.float32)
    for place, terms in enumerate(held):
        rows[place, [columns[term] for term in terms]] = 1.0
    weights = (rows @ rows.T).astype(np.float64) / (sizes[:, None] + sizes[None, :])
    np.fill_diagonal(weights, 0.0)
    ranks = page_rank(weights, np.full(len(found), 1 / len(found)))
    return [found[int(place)] for place in np.argsort(-ranks, kind="stable")]


def cut(order: Iterable[Sentence], words: int) -> tuple[Stated, ...]:
    """Sentences in their order of preference, as many as `words` allows."""
    kept: list[Stated] = []
    left = words
    for sentence in order:
        size = len(sentence.quote.split())
        if size <= left:
            kept.append(Stated(Section.KNOWN, sentence.quote, (sentence.turn,)))
            left -= size
    return tuple(kept)


def words_of(claims: Iterable[Stated]) -> int:
    return sum(len(stated.text.split()) for stated in claims)


def score(truth: dict[str, Any], claims: Iterable[Stated]) -> dict[str, Any]:
    boundary: dict[str, list[dict[str, str]]] = {section.value: [] for section in Section}
    for stated in claims:
        boundary[stated.section.value].append({"text": stated.text})
    return score_planted.score(truth, {"sections": boundary})  # pyright: ignore - the common yardstick is untyped


def baselines(found: Sequence[Sentence], words: int, figure: Callable[[tuple[Stated, ...]], float]) -> dict[str, float]:
    """A figure of each baseline at this length; random is the mean of its draws."""
    return {
        name: statistics.fmean(figure(cut(order, words)) for order in drawn) for name, drawn in orders(found).items()
    }


def planted(path: Path, embedder: Embedder) -> dict[str, Any]:
    """All figures of one planted conversation."""
    snapshot = read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()
    truth = json.loads(path.read_text(encoding="utf-8"))["truth"]
    arms = dissolve(snapshot, embedder)
    found = sentences(snapshot)
    words = words_of(arms.pooled)
    rows = {name: score(truth, claims) for name, claims in arms.methods.items()}
    rows |= {"union": score(truth, arms.union), "pooled": score(truth, arms.pooled)}
    others = baseline_rows(truth, found, words)
    return {
        "rows": rows,
        "baselines": others,
        "recall": {name: row["recall"] for name, row in others.items()},
        "commitment_recall": {name: row["commitment_recall"] for name, row in others.items()},
        "overlap": overlap(arms),
        "leaning": leaning_share(arms.pooled),
        "kept_share": words / sum(len(turn.content.split()) for turn in snapshot.turns),
        "fleet_s": arms.fleet_s,
        "consensus_s": arms.consensus_s,
    }


def baseline_rows(truth: dict[str, Any], found: Sequence[Sentence], words: int) -> dict[str, dict[str, float]]:
    """All figures of each baseline at this length; those of random are means of its draws."""
    rows: dict[str, dict[str, float]] = {}
    for name, drawn in orders(found).items():
        scores = [score(truth, cut(order, words)) for order in drawn]
        numbers = [key for key, value in scores[0].items() if isinstance(value, int | float)]
        rows[name] = {key: statistics.fmean(float(row[key]) for row in scores) for key in numbers}
    return rows


def overlap(arms: Arms) -> float:
    """The greatest Jaccard overlap of the turns that two methods chose from."""
    turns = {name: frozenset(str(t) for c in claims for t in c.turns) for name, claims in arms.methods.items()}
    return max(jaccard(turns[a], turns[b]) for a, b in itertools.combinations(turns, 2))


def leaning_share(claims: Sequence[Stated]) -> float:
    """Share of claims with a pronoun or "that" that nothing in the claim stands for, by `standalone.leans`."""
    return sum(leans(stated.text) for stated in claims) / max(1, len(claims))


def decisions_found(gold: Sequence[dict[str, Any]], claims: Iterable[Stated]) -> float:
    """Share of gold decisions of which at least one evidence turn was chosen."""
    turns = {turn for stated in claims for turn in stated.turns}
    return sum(bool(turns & set(decision["evidence_turns"])) for decision in gold) / len(gold)


def meeting(record: dict[str, Any], embedder: Embedder) -> dict[str, Any]:
    """Recall of one AMI meeting's gold decisions, by method, pooled, and by baselines of equal length."""
    fields = {"id": record["id"], "turns": [{k: t[k] for k in ("turn", "role", "content")} for t in record["turns"]]}
    read = read_bytes(
        json.dumps(fields).encode(), f"{record['id']}.json", ReadingOptions(), key=bytes(32), clock=SystemClock()
    )
    snapshot = read.conversation.snapshot()
    gold = [decision for decision in record["gold"]["decisions"] if decision["evidence_turns"]]
    arms = dissolve(snapshot, embedder)
    words = words_of(arms.pooled)
    figures = {name: decisions_found(gold, claims) for name, claims in arms.methods.items()}
    figures |= {"union": decisions_found(gold, arms.union), "pooled": decisions_found(gold, arms.pooled)}
    return {
        "decisions": len(gold),
        "figures": figures,
        "baselines": baselines(sentences(snapshot), words, lambda claims: decisions_found(gold, claims)),
        "leaning": leaning_share(arms.pooled),
        "overlap": overlap(arms),
        "words": words,
        "fleet_s": arms.fleet_s,
        "consensus_s": arms.consensus_s,
    }


def report_planted(name: str, figures: dict[str, Any]) -> None:
    print(
        f"\n{name}: kept {figures['kept_share']:.2f} of the words, overlap at most {figures['overlap']:.2f}, ", end=""
    )
    print(
        f"leaning {figures['leaning']:.3f}, fleet {figures['fleet_s']:.1f} s, consensus {figures['consensus_s']:.1f} s"
    )
    for arm, row in figures["rows"].items():
        faults = " ".join(f"{fault} {row[fault]}" for fault in FAULTS)
        print(
            f"  {arm:12} recall {row['recall']:.2f} section {row['section_recall']:.2f} commitments"
            f" {row['commitment_recall']:.2f} dropped_found {row['dropped_found']} {faults} claims {row['claims']}"
            f" words {row['words']}"
        )
    for arm in figures["recall"]:
        print(f"  {arm:13} recall {figures['recall'][arm]:.2f} commitments {figures['commitment_recall'][arm]:.2f}")


def report_meetings(results: dict[str, dict[str, Any]]) -> None:
    print(f"\nAMI gold decisions, {len(results)} meetings, mean over meetings of the share found:")
    first = next(iter(results.values()))
    for arm in first["figures"]:
        print(f"  {arm:13} {statistics.fmean(r['figures'][arm] for r in results.values()):.3f}")
    for arm in first["baselines"]:
        print(f"  {arm:13} {statistics.fmean(r['baselines'][arm] for r in results.values()):.3f}")
    print(f"  leaning {statistics.fmean(r['leaning'] for r in results.values()):.3f}", end=" ")
    print(f"overlap at most {max(r['overlap'] for r in results.values()):.2f}", end=" ")
    print(f"slowest fleet {max(r['fleet_s'] for r in results.values()):.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", choices=("all-MiniLM-L6-v2", "hashing"), default="all-MiniLM-L6-v2")
    parser.add_argument("--data", type=Path, help="folder with real/qmsum.jsonl")
    parser.add_argument("--meetings", type=int, help="measure only the first N meetings")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    options = parser.parse_args()
    embedder: Embedder = HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder()
    results: dict[str, Any] = {"planted": {}, "meetings": {}}
    for path in sorted(PLANTED.glob("*.json")):
        results["planted"][path.stem] = planted(path, embedder)
        report_planted(path.stem, results["planted"][path.stem])
    if options.data:
        lines = (options.data / "real" / "qmsum.jsonl").read_text(encoding="utf-8").splitlines()
        records = [record for record in map(json.loads, lines) if record["gold"].get("decisions")]
        for record in records[: options.meetings]:
            results["meetings"][record["id"]] = meeting(record, embedder)
        report_meetings(results["meetings"])
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
