"""Measure what a learned model would add to the guards: logistic regression over readable features of a pair.

usage: python benchmarks/contradiction_model.py [--data DIR]

Fitted on the labelled opposed and near pairs of three conversations and measured on the fourth, at the score that flags
5 % of the near pairs it was fitted on. With --data DIR also fitted on DIR/prosecco.jsonl (ProSeCCo, CC BY-SA 4.0) and
measured on all label files. The product does not use it: it flags no more opposed pairs than the guards, and more near
ones.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from consensus.embedder import SentenceTransformerEmbedder
from consensus.guards import contradiction, same_subject, vetoes
from consensus.profile import Profile, profile_of
from consensus.vectors import Matrix, unpack
from consensus.veto import other_thing, shared_words, subject
from dissolution.ports import Embedder

LABELS = ROOT / "benchmarks" / "data" / "labels"
SHARE = 0.05  # of near pairs that may be flagged
FEATURES = (
    "cosine", "share of shorter", "share of longer", "shared words", "polarity", "open", "hedged", "figures differ",
    "contradiction", "veto", "opposed", "certain", "same subject", "other thing",
)  # fmt: skip

Pair = tuple[str, str]


def features(a: Profile, b: Profile, cosine: float) -> list[float]:
    """One number for each of FEATURES."""
    left, right = subject(a), subject(b)
    shared, found = shared_words(left, right), vetoes(a, b)
    return [
        cosine,
        shared / max(1, min(len(left), len(right))),
        shared / max(1, len(left), len(right)),
        float(np.log1p(shared)),
        float(a.negative != b.negative),
        float(a.open != b.open),
        float(a.hedged != b.hedged),
        float(bool(a.lacking(b) and b.lacking(a))),
        float(contradiction(a, b) is not None),
        float(bool(found)),
        float(any(veto.opposed for veto in found)),
        float(any(veto.certain for veto in found)),
        float(same_subject(a, b)),
        float(other_thing(a, b)),
    ]


def rows(pairs: list[Pair], embedder: Embedder) -> Matrix:
    """(n, len(FEATURES)) float64."""
    left, right = (unpack(embedder.embed([pair[side] for pair in pairs])) for side in (0, 1))
    cosines = (left * right).sum(axis=1).tolist()
    told = [features(profile_of(a), profile_of(b), cosine) for (a, b), cosine in zip(pairs, cosines, strict=True)]
    return np.array(told, dtype=np.float64)


def read_labels(path: Path) -> tuple[list[Pair], Matrix]:
    """The opposed (1) and near (0) pairs of one label file."""
    labels = json.loads(path.read_text(encoding="utf-8"))
    text = {claim["id"]: claim["text"] for claim in labels["claims"]}
    pairs = [(text[pair["a"]], text[pair["b"]]) for name in ("contradictions", "near") for pair in labels[name]]
    return pairs, np.array([[1.0]] * len(labels["contradictions"]) + [[0.0]] * len(labels["near"]))[:, 0]


def fitted(x: Matrix, y: Matrix) -> Callable[[Matrix], Matrix]:
    """A function from rows to scores in 0..1."""
    import sklearn.linear_model

    library: Any = sklearn.linear_model
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    model = library.LogisticRegression(C=0.3, max_iter=1000, class_weight="balanced").fit((x - middle) / spread, y)

    def score(other: Matrix) -> Matrix:
        return model.predict_proba((other - middle) / spread)[:, 1]

    return score


def main() -> int:
    """Print flagged opposed and near pairs of each conversation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with prosecco.jsonl")
    options = parser.parse_args()
    embedder = SentenceTransformerEmbedder()
    files = {path.stem: read_labels(path) for path in sorted(LABELS.glob("*.json"))}
    known = {name: (rows(pairs, embedder), y) for name, (pairs, y) in files.items()}
    total = np.zeros(2)
    for name, (x, y) in known.items():
        rest = [pair for other, pair in known.items() if other != name]
        seen, truth = np.concatenate([one[0] for one in rest]), np.concatenate([one[1] for one in rest])
        score = fitted(seen, truth)
        flag = score(x) > np.quantile(score(seen)[truth == 0], 1 - SHARE)
        counts = np.array([flag[y == 1].sum(), flag[y == 0].sum()])
        total += counts
        print(
            f"{name:20} opposed {counts[0]:4} of {int((y == 1).sum()):4}"
            f"   near {counts[1]:4} of {int((y == 0).sum()):4}"
        )
    print(f"{'all, left out each':20} opposed {total[0]:4.0f}             near {total[1]:4.0f}")
    if options.data:
        lines = (options.data / "prosecco.jsonl").read_text(encoding="utf-8").splitlines()
        debates: list[dict[str, str]] = [json.loads(line) for line in lines]
        x = rows([(pair["proposition_1"], pair["proposition_2"]) for pair in debates], embedder)
        score = fitted(x, np.array([float(pair["label"] == "self_contradiction") for pair in debates]))
        found = score(np.concatenate([one[0] for one in known.values()]))
        y = np.concatenate([one[1] for one in known.values()])
        share = float((found[y == 1] > np.quantile(found[y == 0], 1 - SHARE)).mean())
        print(f"fitted on ProSeCCo: {share:.3f} of the opposed pairs at {SHARE:.0%} of the near ones")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
