"""Measure what the no-key fleet selects: which share of the evidence turns stands in 10, 20 and 40 % of the words.

usage: python benchmarks/extractive.py [--embedder all-MiniLM-L6-v2|hashing] [--json FILE]
       [--data FILE [--every N] [--offset N]]

Planted conversations are read from benchmarks/data: the evidence of a planted truth is the turn that established it.
`--data FILE` also measures meetings: qmsum.jsonl, made from QMSum (github.com/Yale-LILY/QMSum) and ExplainMeetSum
(github.com/hkim-etri/ExplainMeetSum); the evidence of a specific question is its hand-picked turns.

Three figures, each 0..1. `turns`: share of evidence turns of which any word is kept, the mean over truths or
questions. `words`: share of their words that is kept; a random choice keeps the share it was allowed. `told` (planted
only): share of truths whose words stand in what is kept of one turn. Excerpts assert nothing, so nothing is scored as
true. Baselines choose the same sentences up to the same number of words.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from consensus.admission.excerpts import choose_excerpts
from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from dissolution.answers import MemberTask, PromptMessage, PromptStamp, RenderedPrompt
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.excerpts import Chosen, ExcerptPolicy
from dissolution.ports.models import Embedder
from fleet.extractive.roster import extractive_fleet
from fleet.extractive.segments import Sentence, sentences
from language.intake.options import ReadingOptions
from language.intake.read import read_bytes, read_file
from prompts.chosen import parse_chosen

PLANTED = ROOT / "benchmarks" / "data" / "planted"
SHARES = (0.1, 0.2, 0.4)
RANDOM_DRAWS = 20
DAMPING, ROUNDS = 0.85, 60  # of PageRank
PROMPT = RenderedPrompt(
    stamp=PromptStamp(name="none", version=1, digest="0" * 64),
    messages=(PromptMessage(role="user", content="Extraction methods read no prompt."),),
)


class Case(NamedTuple):
    """One conversation with the evidence turns of each truth or question, and the patterns of each truth."""

    name: str
    snapshot: Snapshot
    evidence: tuple[tuple[int, ...], ...]
    patterns: tuple[tuple[re.Pattern[str], ...], ...]


class Kept(NamedTuple):
    """A stretch of a turn that an arm keeps."""

    turn: int
    text: str


def planted(path: Path) -> Case:
    """A planted conversation."""
    snapshot = read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()
    claims = json.loads(path.read_text(encoding="utf-8"))["truth"]["claims"]
    patterns = tuple(tuple(re.compile(one, re.IGNORECASE) for one in claim["must_have"]) for claim in claims)
    return Case(path.stem, snapshot, tuple((claim["established_turn"],) for claim in claims), patterns)


def meeting(record: Mapping[str, Any]) -> Case:
    """A meeting of QMSum."""
    fields = {"id": record["id"], "turns": [{k: t[k] for k in ("turn", "role", "content")} for t in record["turns"]]}
    data = json.dumps(fields).encode()
    read = read_bytes(data, f"{record['id']}.json", ReadingOptions(), key=bytes(32), clock=SystemClock())
    asked = (one for one in record["questions"] if one["category"] == "specific_query")
    evidence = (tuple(one.get("evidence_key_turns") or one["evidence_turns"]) for one in asked)
    return Case(record["id"], read.conversation.snapshot(), tuple(turns for turns in evidence if turns), ())


def chosen_by(snapshot: Snapshot, embedder: Embedder) -> dict[str, tuple[Chosen, ...]]:
    """What each method of the fleet chooses."""
    task = MemberTask(snapshot=snapshot, prompt=PROMPT, deadline_s=600)
    replies = {member.card.family: asyncio.run(member.answer(task)).text for member in extractive_fleet(embedder)}
    return {family: parse_chosen(text, snapshot).chosen for family, text in replies.items()}


def excerpts(snapshot: Snapshot, chosen: Mapping[str, Sequence[Chosen]], share: float) -> list[Kept]:
    """What stands of the methods' choice in this share of the words."""
    found = choose_excerpts(snapshot, chosen, ExcerptPolicy(share=share, least_words=0))
    return [Kept(one.turn, one.text) for one in found]


def cut(order: Iterable[Sentence], words: int) -> list[Kept]:
    """Sentences in their order of preference, as many as `words` allows."""
    kept: list[Kept] = []
    for sentence in order:
        if sentence.size <= words:
            kept.append(Kept(sentence.turn, sentence.quote))
            words -= sentence.size
    return kept


def baselines(found: Sequence[Sentence]) -> dict[str, list[list[Sentence]]]:
    """Orders of preference over all sentences; "random" has `RANDOM_DRAWS` of them, seeded."""
    draws = [random.Random(seed).sample(list(found), len(found)) for seed in range(RANDOM_DRAWS)]  # noqa: S311 - seeded
    return {"random": draws, "lead": [list(found)], "last turns": [list(found)[::-1]], "textrank": [text_rank(found)]}


def text_rank(found: Sequence[Sentence]) -> list[Sentence]:
    """Mihalcea and Tarau 2004: PageRank over shared words / (ln |a| + ln |b|)."""
    sizes = np.array([np.log(max(2, len(sentence.words))) for sentence in found])
    columns = {term: place for place, term in enumerate(sorted({term for one in found for term in one.terms}))}
    rows = np.zeros((len(found), max(1, len(columns))), dtype=np.float32)
    for place, sentence in enumerate(found):
        rows[place, [columns[term] for term in set(sentence.terms)]] = 1.0
    weights = (rows @ rows.T).astype(np.float64) / (sizes[:, None] + sizes[None, :])
    np.fill_diagonal(weights, 0.0)
    sums = weights.sum(axis=1)
    moves = weights / np.where(sums > 0, sums, 1.0)[:, None]
    restart = np.full(len(found), 1 / len(found))
    rank = restart
    for _ in range(ROUNDS):
        rank = (1 - DAMPING) * restart + DAMPING * (moves.T @ rank + rank[sums == 0].sum() * restart)
    return [found[int(place)] for place in np.argsort(-rank, kind="stable")]


def figures(case: Case, kept: Sequence[Kept]) -> dict[str, float]:
    """The figures of one arm at one size."""
    words: dict[int, int] = defaultdict(int)
    texts: dict[int, list[str]] = defaultdict(list)
    for one in kept:
        words[one.turn] += len(one.text.split())
        texts[one.turn].append(one.text)
    size = {turn.number: max(1, len(turn.content.split())) for turn in case.snapshot.turns}
    found = {
        "turns": statistics.fmean(sum(turn in words for turn in turns) / len(turns) for turns in case.evidence),
        "words": statistics.fmean(
            sum(words.get(turn, 0) for turn in turns) / sum(size[turn] for turn in turns) for turns in case.evidence
        ),
    }
    if case.patterns:
        said = [" ".join(one) for one in texts.values()]
        told = (any(all(one.search(text) for one in needed) for text in said) for needed in case.patterns)
        found["told"] = statistics.fmean(told)
    return found


def measured(case: Case, embedder: Embedder) -> dict[str, Any]:
    """All arms of one conversation, by arm and share."""
    total = sum(len(turn.content.split()) for turn in case.snapshot.turns)
    found = sentences(case.snapshot)
    started = time.perf_counter()
    chosen = chosen_by(case.snapshot, embedder)
    fleet_s = time.perf_counter() - started
    arms: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for share in SHARES:
        key = f"{share:.0%}"
        arms["excerpts"][key] = figures(case, excerpts(case.snapshot, chosen, share))
        for family, spans in chosen.items():
            alone = {family: spans}
            arms[family.removeprefix("extractive-")][key] = figures(case, excerpts(case.snapshot, alone, share))
            others = {name: them for name, them in chosen.items() if name != family}
            without = f"without {family.removeprefix('extractive-')}"
            arms[without][key] = figures(case, excerpts(case.snapshot, others, share))
    for name, orders in baselines(found).items():
        for share in SHARES:
            drawn = [figures(case, cut(order, int(share * total))) for order in orders]
            arms[name][f"{share:.0%}"] = {each: statistics.fmean(one[each] for one in drawn) for each in drawn[0]}
    return {"arms": arms, "fleet_s": fleet_s, "words": total}


def averaged(results: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, dict[str, float]]]:
    """The mean over conversations, by arm, share and figure."""
    every = [one["arms"] for one in results]
    return {
        arm: {
            share: {each: statistics.fmean(one[arm][share][each] for one in every) for each in found}
            for share, found in shares.items()
        }
        for arm, shares in every[0].items()
    }


def table(arms: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Means as a Markdown table: an arm a row, the figures of each share of the words beside each other."""
    first = next(iter(arms.values()))
    columns = [(share, each) for share, found in first.items() for each in found]
    lines = [f"| | {' | '.join(f'{each} at {share}' for share, each in columns)} |", f"|---|{'---|' * len(columns)}"]
    for arm, shares in arms.items():
        name = f"**{arm}**" if arm == "excerpts" else arm
        lines.append(f"| {name} | {' | '.join(f'{shares[share][each]:.2f}' for share, each in columns)} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", choices=("all-MiniLM-L6-v2", "hashing"), default="all-MiniLM-L6-v2")
    parser.add_argument("--data", type=Path, help="qmsum.jsonl")
    parser.add_argument("--every", type=int, default=1, help="measure every Nth meeting only")
    parser.add_argument("--offset", type=int, default=0, help="meetings to leave out at the beginning")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    options = parser.parse_args()
    embedder: Embedder = HashingEmbedder() if options.embedder == "hashing" else SentenceTransformerEmbedder()
    cases = {"planted": [planted(path) for path in sorted(PLANTED.glob("*.json"))]}
    if options.data:
        records = map(
            json.loads, options.data.read_text(encoding="utf-8").splitlines()[options.offset :: options.every]
        )
        cases["meetings"] = [case for case in map(meeting, records) if case.evidence]
    written: dict[str, Any] = {}
    for kind, several in cases.items():
        results = {case.name: measured(case, embedder) for case in several}
        written[kind] = {"mean": averaged(results.values()), "conversations": results}
        slowest = max(one["fleet_s"] for one in results.values())
        print(f"{kind}: {len(results)} conversations, slowest fleet {slowest:.1f} s\n")
        print(table(written[kind]["mean"]), end="\n\n")
    if options.json:
        options.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
