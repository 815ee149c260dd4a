"""Fit how sentences and replies are put, and measure it on hands that it was not fitted on.

usage: python benchmarks/putting.py [--fit]

Without `--fit` prints how well each hand of benchmarks/data/putting is read by a model of the other hands, beside the
lists of phrases alone. `--fit` writes frame_agent/putting.json from all hands.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from frame_agent.putting import Put, reply_features, sentence_features
from frame_agent.wordings import by_lists

DATA = ROOT / "benchmarks" / "data" / "putting"
MODEL = ROOT / "frame_agent" / "putting.json"
HANDS = 3
"""Hands that must use a word or phrase for it to count: one hand's topics and habits are no cue."""

STRENGTH = 1.0
"""Inverse of the L2 penalty."""

STOCK = frozenset({"q", "r", "s"})
"""Hands made from frames of common phrases: they help to fit, and say nothing about unseen wordings."""

PLACES = 2
"""Decimals of a stored weight."""

BY_LISTS = {
    "comment": Put.COMMENT,
    "hedged": Put.GUESS,
    "implicit": Put.GUESS,
    "proposed": Put.OFFER,
    "one_off": Put.ONCE,
    "rejected": Put.REFUSES,
}


class Labelled(NamedTuple):
    """One labelled text."""

    hand: str
    features: tuple[str, ...]
    label: str
    lists: str


def sentences() -> list[Labelled]:
    """Every labelled sentence, with what the lists of phrases make of it."""
    found: list[Labelled] = []
    for file in sorted(DATA.glob("?.jsonl")):
        for one in map(json.loads, file.read_text().splitlines()):
            rule = by_lists(one["text"])
            features = tuple(dict.fromkeys(sentence_features(one["text"], rule)))
            found.append(Labelled(file.stem, features, one["label"], BY_LISTS.get(rule, Put.FIRM).value))
    return found


def replies() -> list[Labelled]:
    """Every labelled reply."""
    return [
        Labelled(file.name[0], tuple(dict.fromkeys(reply_features(one["reply"]))), one["label"], "neither")
        for file in sorted(DATA.glob("?.replies.jsonl"))
        for one in map(json.loads, file.read_text().splitlines())
    ]


def library(module: str) -> Any:  # noqa: ANN401 - untyped
    """A module of scikit-learn."""
    return import_module(f"sklearn.{module}")


def fitted(texts: Sequence[Labelled]) -> tuple[Any, Any]:
    """The vocabulary and the regression of some texts."""
    users: dict[str, set[str]] = {}
    for one in texts:
        for name in one.features:
            users.setdefault(name, set()).add(one.hand)
    names = sorted(name for name, hands in users.items() if len(hands) >= HANDS)
    seen = library("feature_extraction.text").CountVectorizer(analyzer=list, binary=True, vocabulary=names)
    regression = library("linear_model").LogisticRegression(C=STRENGTH, max_iter=1000)
    regression.fit(seen.transform([one.features for one in texts]), [one.label for one in texts])
    return seen, regression


def held_out(texts: Sequence[Labelled]) -> list[tuple[Labelled, str]]:
    """What each text of a hand that is no frame is taken for by a model of the other hands."""
    read: list[tuple[Labelled, str]] = []
    for hand in sorted({one.hand for one in texts} - STOCK):
        own = [one for one in texts if one.hand == hand]
        seen, regression = fitted([one for one in texts if one.hand != hand])
        read += zip(own, regression.predict(seen.transform([one.features for one in own])), strict=True)
    return read


def report(name: str, texts: Sequence[Labelled]) -> None:
    """Print precision and recall by label, of hands that were held out."""
    read = held_out(texts)
    truth, told = [one.label for one, _ in read], [label for _, label in read]
    hands = len({one.hand for one, _ in read})
    print(f"\n{name}: {len(read)} of {hands} hands, each read by a model of the others\n")
    print(library("metrics").classification_report(truth, told, digits=3))
    if name == "sentences":
        lists = sum(one.lists == one.label for one, _ in read) / len(read)
        print(f"lists of phrases alone: accuracy {lists:.3f}")


def stored(texts: Sequence[Labelled]) -> dict[str, Any]:
    """A model of all texts as it is stored."""
    seen, regression = fitted(texts)
    names: list[str] = list(seen.get_feature_names_out())
    weights: list[list[float]] = regression.coef_.T.round(PLACES).tolist()
    return {
        "labels": list(regression.classes_),
        "intercepts": [round(float(one), PLACES) for one in regression.intercept_],
        "weights": {name: row for name, row in zip(names, weights, strict=True) if any(row)},
    }


def main() -> int:
    """Measure, or fit and write the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true")
    kinds: dict[str, Callable[[], list[Labelled]]] = {"sentences": sentences, "replies": replies}
    if parser.parse_args().fit:
        models = {name: stored(read()) for name, read in kinds.items()}
        MODEL.write_text(json.dumps(models, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n")
        return 0
    for name, read in kinds.items():
        report(name, read())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
