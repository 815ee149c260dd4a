"""Write language/surprise/background/english.json: word counts of the planted conversations, which are ours (CC0).

usage: python benchmarks/surprise_background.py [--check]

`--check` writes nothing and exits with 1 when the file differs. Only words that two or more conversations say are kept:
what one alone talks about is no background.
"""

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from language.surprise.words import tokens_of

PLANTED = ROOT / "benchmarks" / "data" / "planted"
TARGET = ROOT / "language" / "surprise" / "background" / "english.json"


def background() -> str:
    """The file's text: words with their counts, the most frequent first."""
    counts: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for file in sorted(PLANTED.glob("*.json")):
        said = Counter(token for turn in json.loads(file.read_text())["turns"] for token in tokens_of(turn["content"]))
        counts.update(said)
        told.update(set(said))
    kept = {word: count for word, count in counts.items() if told[word] > 1 and word.isalpha()}
    ordered = dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))
    return json.dumps(ordered, ensure_ascii=False, indent=0) + "\n"


def main() -> int:
    text = background()
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    same = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
    print("up to date" if same else f"{TARGET.name} differs from the planted conversations; write it again")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
