"""Fit how sentences and replies are put, and measure it on hands that it was not fitted on.

usage: python benchmarks/putting.py [--fit | --check]

Without arguments prints how well hands of benchmarks/data/putting are read by a model of other hands, a quarter of the
hands held out at a time. `--fit` writes language/putting.json from all hands, with these figures and the digest of the
labels. `--check` only compares that digest with the labels that are here now.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from language.putting import grams_of

DATA = ROOT / "benchmarks" / "data" / "putting"
MODEL = ROOT / "language" / "putting.json"
SOURCE = "benchmarks/data/putting: 16 hands and 3 of common phrases, one annotator a hand, CC0, English"
HANDS = 3
"""Hands that must use a word or phrase for it to count: one hand's topics and habits are no cue."""

STRENGTH = 1.0
"""Inverse of the L2 penalty."""

STOCK = frozenset({"q", "r", "s"})
"""Hands made from frames of common phrases: they help to fit, and say nothing about unseen wordings."""

FOLDS = 4
PLACES = 2
"""Decimals of a stored weight."""

LEAST_WEIGHT = 0.1
"""A feature whose weights are all smaller is not stored; held-out figures are those of what is stored."""


class Labelled(NamedTuple):
    """One labelled text."""

    hand: str
    features: tuple[str, ...]
    label: str


def sentences() -> list[Labelled]:
    """Every labelled sentence."""
    return [
        Labelled(file.stem, tuple(dict.fromkeys(grams_of(one["text"]))), one["label"])
        for file in sorted(DATA.glob("?.jsonl"))
        for one in map(json.loads, file.read_text().splitlines())
    ]


def replies() -> list[Labelled]:
    """Every labelled reply."""
    return [
        Labelled(file.name[0], tuple(dict.fromkeys(grams_of(one["reply"]))), one["label"])
        for file in sorted(DATA.glob("?.replies.jsonl"))
        for one in map(json.loads, file.read_text().splitlines())
    ]


KINDS: dict[str, Callable[[], list[Labelled]]] = {"sentences": sentences, "replies": replies}


def digest() -> str:
    """SHA-256 (hex) of the labelled texts."""
    found = hashlib.sha256()
    for file in sorted(DATA.glob("*.jsonl")):
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


def library(module: str) -> Any:  # noqa: ANN401 - untyped
    """A module of scikit-learn."""
    return import_module(f"sklearn.{module}")


def fitted(texts: Sequence[Labelled]) -> tuple[Any, Any]:
    """The vocabulary and the regression of some texts, with its weights as they are stored."""
    users: dict[str, set[str]] = {}
    for one in texts:
        for name in one.features:
            users.setdefault(name, set()).add(one.hand)
    names = sorted(name for name, hands in users.items() if len(hands) >= HANDS)
    seen = library("feature_extraction.text").CountVectorizer(analyzer=list, binary=True, vocabulary=names)
    regression = library("linear_model").LogisticRegression(C=STRENGTH, max_iter=300)
    regression.fit(seen.transform([one.features for one in texts]), [one.label for one in texts])
    regression.coef_ = regression.coef_.round(PLACES)
    regression.coef_[:, abs(regression.coef_).max(axis=0) < LEAST_WEIGHT] = 0.0
    regression.intercept_ = regression.intercept_.round(PLACES)
    return seen, regression


def held_out(texts: Sequence[Labelled]) -> list[tuple[Labelled, str]]:
    """What each text of a hand that is no frame is taken for by a model of hands of other folds."""
    read: list[tuple[Labelled, str]] = []
    hands = sorted({one.hand for one in texts} - STOCK)
    for fold in (hands[place::FOLDS] for place in range(FOLDS)):
        own = [one for one in texts if one.hand in fold]
        seen, regression = fitted([one for one in texts if one.hand not in fold])
        read += zip(own, regression.predict(seen.transform([one.features for one in own])), strict=True)
    return read


def measured(name: str, texts: Sequence[Labelled]) -> dict[str, float]:
    """Print precision and recall by label, of hands that were held out; accuracy and mean F1 as they are stored."""
    read = held_out(texts)
    truth, told = [one.label for one, _ in read], [label for _, label in read]
    print(f"\n{name}: {len(read)} of {len({one.hand for one, _ in read})} hands, a quarter held out at a time\n")
    metrics = library("metrics")
    print(metrics.classification_report(truth, told, digits=3))
    return {
        "texts": len(read),
        "accuracy": round(float(metrics.accuracy_score(truth, told)), 3),
        "macro_f1": round(float(metrics.f1_score(truth, told, average="macro")), 3),
    }


def stored(texts: Sequence[Labelled]) -> dict[str, Any]:
    """A model of all texts as it is stored."""
    seen, regression = fitted(texts)
    names: list[str] = list(seen.get_feature_names_out())
    weights: list[list[float]] = regression.coef_.T.tolist()
    return {
        "labels": list(regression.classes_),
        "intercepts": regression.intercept_.tolist(),
        "weights": {name: row for name, row in zip(names, weights, strict=True) if any(row)},
    }


def main() -> int:
    """Measure, fit and write the models, or compare the digest; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        fresh = json.loads(MODEL.read_text())["digest"] == digest()
        print("fitted on these labels" if fresh else "stale: run python benchmarks/putting.py --fit")
        return int(not fresh)
    texts = {name: read() for name, read in KINDS.items()}
    figures = {name: measured(name, read) for name, read in texts.items()}
    if options.fit:
        told = {
            "digest": digest(),
            "label_source": SOURCE,
            "held_out": figures,
            "models": {name: stored(read) for name, read in texts.items()},
        }
        MODEL.write_text(json.dumps(told, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
