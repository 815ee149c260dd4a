"""Measure how well claims that cannot both hold are told from claims that can.

usage: python benchmarks/contradictions.py [--data DIR] [--missed] [--json FILE]

Over the label files: labelled opposed pairs flagged, by kind; labelled near pairs flagged; and of all other pairs near
enough to be about one topic, how many are flagged although no label opposes their groups. With
--data DIR it reads DIR/prosecco.jsonl as well (ProSeCCo, CC BY-SA 4.0: https://github.com/henrikebeyer/ProSeCCo):
utterances of one speaker in a debate, half of them labelled as contradicting each other.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from consensus.calibration import calibration_for
from consensus.distance import joint_distances
from consensus.embedder import SentenceTransformerEmbedder
from consensus.guards import contradiction
from consensus.profile import profile_of
from consensus.vectors import unpack
from dissolution.ports import Embedder

LABELS = ROOT / "benchmarks" / "data" / "labels"


def flagged(one: str, two: str) -> bool:
    """Whether the guards find that two texts cannot both hold."""
    return contradiction(profile_of(one), profile_of(two)) is not None


def labelled(labels: Mapping[str, Any], *, missed: bool) -> Counter[str]:
    """Opposed and near pairs of one label file, and how many of each are flagged; misses are printed when asked."""
    texts = {claim["id"]: claim["text"] for claim in labels["claims"]}
    found: Counter[str] = Counter()
    for name in ("contradictions", "near"):
        for pair in labels[name]:
            kind = f"opposed, {pair['kind']}" if name == "contradictions" else "near"
            one, two = texts[pair["a"]], texts[pair["b"]]
            seen = flagged(one, two)
            found.update({f"{kind}: pairs": 1, f"{kind}: flagged": int(seen)})
            if missed and seen == (name == "near"):
                print(f"  {kind}, {'flagged' if seen else 'not flagged'}: {one} | {two}")
    return found


def others(labels: Mapping[str, Any], embedder: Embedder) -> Counter[str]:
    """Pairs about one topic that no label opposes, of one group and of two, and how many of each are flagged."""
    texts = [claim["text"] for claim in labels["claims"]]
    place = {claim["id"]: row for row, claim in enumerate(labels["claims"])}
    home = {place[name]: number for number, group in enumerate(labels["groups"]) for name in group["claims"]}
    opposed = {frozenset((home[place[pair["a"]]], home[place[pair["b"]]])) for pair in labels["contradictions"]}
    distances = joint_distances([profile_of(text) for text in texts], unpack(embedder.embed(texts)))
    near = np.argwhere(np.triu(distances < calibration_for(embedder.stamp.model).same_topic, 1)).tolist()
    found: Counter[str] = Counter()
    for left, right in near:
        if frozenset((home[left], home[right])) not in opposed:
            kind = "one group" if home[left] == home[right] else "one topic, two groups"
            found.update({f"{kind}: pairs": 1, f"{kind}: flagged": int(flagged(texts[left], texts[right]))})
    return found


def debates(path: Path) -> Counter[str]:
    """Pairs of ProSeCCo's propositions by label, and how many of each are flagged."""
    found: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        pair: dict[str, str] = json.loads(line)
        seen = flagged(pair["proposition_1"], pair["proposition_2"])
        kind = f"ProSeCCo, {pair['label'].replace('_', ' ')}"
        found.update({f"{kind}: pairs": 1, f"{kind}: flagged": int(seen)})
    return found


def main() -> int:
    """Print one line a kind of pair: flagged of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with prosecco.jsonl")
    parser.add_argument("--missed", action="store_true", help="print every labelled pair that comes out wrong")
    parser.add_argument("--json", type=Path, help="write every figure here")
    options = parser.parse_args()
    embedder = SentenceTransformerEmbedder()
    found: Counter[str] = Counter()
    for path in sorted(LABELS.glob("*.json")):
        labels = json.loads(path.read_text(encoding="utf-8"))
        found += labelled(labels, missed=options.missed)
        found += others(labels, embedder)
    if options.data:
        found += debates(options.data / "prosecco.jsonl")
    kinds = dict.fromkeys(name.partition(":")[0] for name in found)
    opposed = [kind for kind in kinds if kind.startswith("opposed")]
    total = {part: sum(found[f"{kind}: {part}"] for kind in opposed) for part in ("pairs", "flagged")}
    found.update({f"opposed: {part}": number for part, number in total.items()})
    for kind in ("opposed", *sorted(kinds)):
        pairs, seen = (found[f"{kind}: {part}"] for part in ("pairs", "flagged"))
        print(f"{kind:34} {seen:5} of {pairs:5} flagged  {seen / pairs:6.1%}")
    if options.json:
        names = [f"{kind}: {part}" for kind, part in product(("opposed", *kinds), ("pairs", "flagged"))]
        options.json.write_text(json.dumps({name: found[name] for name in names}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
