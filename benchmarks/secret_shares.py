"""What share of planted secrets is replaced when a conversation is read, and how much of ordinary text is.

usage: python benchmarks/secret_shares.py [--data FOLDER …] [--json FILE]

Two hands that did not know the rules wrote `benchmarks/data/secrets/first` and `…/second`. Of each folder it reads
`planted.jsonl` (rows of id, form, text, secret; the secret stands in the text as it is) and `logs.txt` (ordinary text
without secrets). Each planted text is read as a conversation of one turn. Its secret counts as replaced when no
stretch of 6 or more of its characters is left in anything that would be stored. Prints the share by form with its 95 %
Wilson interval, and the replacements made in the ordinary text, by kind and per 100,000 words. Prints no item.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from dissolution.clock import SystemClock
from dissolution.errors import DissolutionError
from language.intake.options import Form, ReadingOptions
from language.intake.read import read_bytes
from language.secrets.replacing import replace_secrets

HERE = Path(__file__).parent / "data" / "secrets"
HANDS = (HERE / "first", HERE / "second")
KEY = bytes(32)
STRETCH = 6
LINES = 200
"""Lines of ordinary text that are read together, as one pasted turn may hold them."""

WORDS = 100_000


class Planted(NamedTuple):
    """One text with one secret in it."""

    id: str
    form: str
    text: str
    secret: str


def planted_in(file: Path) -> list[Planted]:
    """The rows of a file. Exits with the row's place when one is no such row or does not hold its secret."""
    found: list[Planted] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        row = json.loads(line)
        try:
            one = Planted(*(str(row[name]) for name in Planted._fields))
        except KeyError as error:
            sys.exit(f"{file}, line {number}: no field {error}; give id, form, text and secret")
        if one.secret not in one.text:
            sys.exit(f"{file}, line {number}: the secret does not stand in the text")
        found.append(one)
    return found


def stored_of(text: str) -> str:
    """All that is stored of a text that somebody says in one turn."""
    data = json.dumps({"turns": [{"role": "user", "content": text}]}).encode()
    options = ReadingOptions(form=Form.NATIVE, conversation="planted")
    return read_bytes(data, "planted", options, key=KEY, clock=SystemClock()).conversation.model_dump_json()


def is_replaced(one: Planted) -> bool:
    """Whether no stretch of six characters of the secret is left; of a shorter one, whether it is gone."""
    left = json.loads(stored_of(one.text))["turns"][0]["content"]
    length = min(STRETCH, len(one.secret))
    return not any(one.secret[at : at + length] in left for at in range(len(one.secret) - length + 1))


def interval(hits: int, total: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share."""
    z, share = 1.96, hits / total
    middle = share + z * z / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return max(0.0, (middle - half) / (1 + z * z / total)), min(1.0, (middle + half) / (1 + z * z / total))


def replacements(lines: Sequence[str]) -> Counter[str]:
    """What is replaced in ordinary text, by kind."""
    kinds: Counter[str] = Counter()
    for at in range(0, len(lines), LINES):
        kinds.update(kind for kind, _ in replace_secrets("\n".join(lines[at : at + LINES]), key=KEY).found)
    return kinds


def told(rows: Iterable[Planted], text: str) -> dict[str, object]:
    """The figures as a document, printed on the way."""
    total, hits = Counter[str](), Counter[str]()
    for one in rows:
        total[one.form] += 1
        hits[one.form] += is_replaced(one)
    for form in sorted(total):
        print(f"{form:28} {hits[form]:4} of {total[form]:4}  {hits[form] / total[form]:6.1%}")
    low, high = interval(hits.total(), total.total())
    share = hits.total() / total.total()
    print(f"{'all':28} {hits.total():4} of {total.total():4}  {share:6.1%}  (95 % {low:.1%} to {high:.1%})")
    kinds, words = replacements(text.splitlines()), len(text.split())
    rate = kinds.total() * WORDS / words
    print(f"false replacements: {kinds.total()} in {words:,} words, {rate:.1f} per {WORDS:,} ({dict(kinds)})")
    return {
        "planted": {form: [hits[form], total[form]] for form in sorted(total)},
        "replaced": [hits.total(), total.total()],
        "words": words,
        "false": dict(sorted(kinds.items())),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, nargs="+", default=HANDS)
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    folders: Sequence[Path] = options.data
    rows: list[Planted] = []
    texts: list[str] = []
    for folder in folders:
        missing = [name for name in ("planted.jsonl", "logs.txt") if not (folder / name).is_file()]
        if missing:
            sys.exit(f"{folder} has no {' and no '.join(missing)}; name the folders that have them with --data")
        rows += planted_in(folder / "planted.jsonl")
        texts.append((folder / "logs.txt").read_text(encoding="utf-8"))
    try:
        figures = told(rows, "\n".join(texts))
    except (DissolutionError, ValueError) as error:
        sys.exit(str(error))
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
