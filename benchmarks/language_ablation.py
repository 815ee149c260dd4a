"""What each pattern and list of temporal classes and tense is worth on labelled sentences it was not fitted to.

usage: python benchmarks/language_ablation.py [--all] [--tables] [--sentences FILE ...]

Leaves out every pattern and word list of the modules below, one after the other, and counts how many labelled sentences
are read rightly then: the frozen half of temporal.jsonl, the natural ones, the frozen half of tense.jsonl. Whole lists
are left out, never single alternatives: what is kept alternative by alternative is what the measured sentences happen
to hold, and other text is read worse by it (docs/language.md).
`--all` prints those that cost something too; `--tables` prints the shares of benchmarks/data/sentences.jsonl that are
read rightly instead; `--sentences` adds JSON lines with `text` and `label` (a temporal class).
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from language import modality, putting, temporal, tense, words
from language.names import names
from language.negation import is_negated

DATA = ROOT / "benchmarks" / "data"
MODULES = ("temporal_cues", "temporal_later", "tense", "masks")
LEAST_WORDS = 8
CONSTANT = re.compile(r'^(?P<name>[A-Z_]+) = rf?"""(?P<body>.*?)"""', re.MULTILINE | re.DOTALL)


class Labelled(NamedTuple):
    """A sentence with its label."""

    kind: str
    text: str
    label: str


def of_class(text: str) -> str:
    """The temporal class."""
    return temporal.classify(text).temporal_class.value


KINDS: dict[str, Callable[[str], str]] = {
    "temporal": of_class,
    "tense": lambda text: tense.tense(text).value,
    "hedged": lambda text: str(putting.is_hedged(text)).lower(),
    "modality": lambda text: modality.modality(text).value,
}
CACHES = (putting.is_hedged, putting.phrasing_of, words.stem, is_negated, names)


def is_right(row: Labelled) -> bool:
    """Whether a sentence is read as it is labelled; "not X" allows all but X."""
    found = KINDS[row.kind](row.text)
    return found != row.label.removeprefix("not ") if row.label.startswith("not ") else found == row.label


def lines(name: str) -> list[dict[str, str]]:
    """The rows of a file of benchmarks/data."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def sentences(more: list[Path]) -> list[Labelled]:
    """The labelled sentences of hands that had no part in the patterns."""
    found = [
        Labelled("temporal", row["text"], row["label"]) for row in lines("temporal.jsonl") if row["split"] == "test"
    ]
    found += [Labelled("temporal", row["text"], row["label"]) for row in lines("temporal_natural.jsonl")]
    found += [
        Labelled("tense", row["sentence"], row["tense"]) for row in lines("tense.jsonl") if row["split"] == "test"
    ]
    for path in more:
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found += [Labelled("temporal", row["text"], row["label"]) for row in rows]
    return found


def forget() -> None:
    """Drop what is remembered of texts."""
    for one in CACHES:
        clear = getattr(one, "cache_clear", None)
        if clear is not None:
            clear()


def reload(module: ModuleType, source: str) -> None:
    """Give a module the patterns of another source; its functions stay."""
    fresh: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(source, str(module.__file__), "exec"), fresh)  # noqa: S102 - our own source
    for name, value in fresh.items():
        if isinstance(value, re.Pattern) and not name.startswith("__"):
            setattr(module, name, value)
    forget()


def groups(module: ModuleType) -> Iterator[tuple[str, int, Callable[[], None], Callable[[], None]]]:
    """Every group of wordings: name, how many alternatives or words, how it is left out, how it is put back."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    for found in CONSTANT.finditer(source):
        shorter = source[: found.start("body")] + "(?!)" + source[found.end("body") :]
        if "|" in found["body"] and "re.VERBOSE" in source:
            yield (
                found["name"],
                found["body"].count("|") + 1,
                lambda shorter=shorter: reload(module, shorter),
                lambda: reload(module, source),
            )
    for name, value in list(vars(module).items()):
        whole: object = value
        if isinstance(value, re.Pattern) and "(?P<" not in (words := str(cast("re.Pattern[str]", value).pattern)):
            size, empty = words.count("|") + 1, cast("object", re.compile("(?!)"))
        elif isinstance(value, frozenset) and len(cast("frozenset[str]", value)) >= LEAST_WORDS:
            size, empty = len(cast("frozenset[str]", value)), cast("object", frozenset[str]())
        else:
            continue
        yield name, size, partial(put, module, name, empty), partial(put, module, name, whole)


def put(module: ModuleType, name: str, value: object) -> None:
    """Give a module another value under a name, and forget what was read by the old one."""
    setattr(module, name, value)
    forget()


def report(rows: list[Labelled], *, every: bool) -> None:
    """Print what leaving out each group costs."""
    whole = sum(map(is_right, rows))
    print(f"{len(rows)} sentences, {whole} read rightly\n")
    print("| module | left out | size | with it | without it |\n|---|---|---|---|---|")
    free = Counter[str]()
    for name in MODULES:
        module = import_module(f"language.{name}")
        for group, size, leave_out, put_back in list(groups(module)):
            leave_out()
            cost = sum(map(is_right, rows)) - whole
            put_back()
            free["costs nothing" if cost >= 0 else "costs something"] += 1
            if every or cost >= 0:
                print(f"| {name} | {group} | {size} | {whole} | {whole + cost} |", flush=True)
    print(f"\n{dict(free)}")


def tables() -> None:
    """Print the shares of the labelled tables that are read rightly."""
    rows = [Labelled(row["kind"], row["text"], row["label"]) for row in lines("sentences.jsonl")]
    right, count = Counter[str](), Counter(row.kind for row in rows)
    right.update(row.kind for row in rows if is_right(row))
    print("| kind | sentences | read rightly |\n|---|---|---|")
    for kind, total in count.items():
        print(f"| {kind} | {total} | {right[kind]} = {right[kind] / total:.2f} |")


def main() -> int:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--sentences", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    if options.tables:
        tables()
    else:
        report(sentences(options.sentences), every=options.all)
    return 0


if __name__ == "__main__":
    sys.exit(main())
