"""Measure topics: statements of six conversations on six subjects, by HDBSCAN and by average linkage.

usage: python benchmarks/topics.py [--embedder all-MiniLM-L6-v2|hashing]

Statements are one wording of each labelled group (benchmarks/data/labels) and, of conversations without labels, the
planted truth. One is rightly placed when most of its topic is about its own conversation.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from consensus.embedding.hashing_embedder import HashingEmbedder
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from consensus.embedding.vectors import cosine_matrix, unpack
from consensus.grouping.cluster import average_linkage
from consensus.topics import topics_of

DATA = ROOT / "benchmarks" / "data"
CUTS = (0.55, 0.6, 0.65, 0.7)
SIZES = (3, 5)


def statements() -> list[tuple[str, str]]:
    """Conversation and text of each statement."""
    found: list[tuple[str, str]] = []
    for file in sorted((DATA / "labels").glob("*.json")):
        labels: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        texts = {claim["id"]: claim["text"] for claim in labels["claims"]}
        found.extend((labels["conversation"], texts[group["claims"][0]]) for group in labels["groups"])
    labelled = {conversation for conversation, _ in found}
    for file in sorted((DATA / "planted").glob("*.json")):
        planted: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if planted["id"] in labelled:
            continue
        listed: list[list[dict[str, Any]]] = [one for one in planted["truth"].values() if isinstance(one, list)]
        found.extend((planted["id"], one["text"]) for truths in listed for one in truths if "text" in one)
    return found


def row_of(name: str, least: int, groups: Sequence[Sequence[int]], conversations: Sequence[str]) -> str:
    """One row of the table."""
    topics = [group for group in groups if len(group) >= least]
    placed = sum(map(len, topics))
    right = sum(max(Counter(conversations[row] for row in topic).values()) for topic in topics)
    share = right / placed if placed else float("nan")
    return f"| {name} | {least} | {len(topics)} | {1 - placed / len(conversations):.2f} | {share:.3f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--embedder", default="all-MiniLM-L6-v2", choices=("all-MiniLM-L6-v2", "hashing"))
    hashing = parser.parse_args().embedder == "hashing"
    stated = statements()
    conversations = [conversation for conversation, _ in stated]
    embedder = HashingEmbedder() if hashing else SentenceTransformerEmbedder()
    rows = unpack(embedder.embed([text for _, text in stated]))
    distances = np.maximum(0.0, 1 - cosine_matrix(rows))
    print(f"{len(stated)} statements of {len(set(conversations))} conversations")
    print("| method | at least | topics | in none | rightly placed |\n|---|---|---|---|---|")
    for least in SIZES:
        print(row_of("hdbscan", least, topics_of(rows, least).groups, conversations))
        for cut in CUTS:
            groups = average_linkage(distances, np.zeros(distances.shape, dtype=np.bool_), cut)
            print(row_of(f"average linkage, cut {cut:.2f}", least, groups, conversations))


if __name__ == "__main__":
    main()
