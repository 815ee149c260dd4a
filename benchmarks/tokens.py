"""How far the approximate token counter is from a real tokenizer (cl100k_base), per conversation and per turn.

Run: python benchmarks/tokens.py [--data DIR]. The tokenizer's vocabulary is the copy inside the litellm package.
"""

import argparse
import importlib.util
import json
import os
import statistics
from pathlib import Path
from typing import Any, cast

from language.tokens import ApproximateTokenCounter

PLANTED = Path(__file__).parent / "data" / "planted"
SHORTEST_TURN = 50  # tokens; below it one token more or less is a large share


def exact_counts(texts: list[str]) -> list[int]:
    """Tokens of each text by cl100k_base."""
    package = importlib.util.find_spec("litellm")
    if package is None or package.origin is None:
        raise SystemExit("litellm is not installed: its copy of the vocabulary is needed; run make demo first")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(package.origin).parent / "litellm_core_utils" / "tokenizers")
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base")
    return [len(encoding.encode(text, disallowed_special=())) for text in texts]


def contents(path: Path) -> list[str]:
    """The contents of the turns of one conversation file."""
    loaded = cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
    return [str(turn["content"]) for turn in loaded["turns"]]


def main() -> None:
    """Print one line a conversation and one for all turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=PLANTED, help="folder of conversations in JSON")
    folder: Path = parser.parse_args().data
    counter = ApproximateTokenCounter()
    whole: list[float] = []
    turns: list[float] = []
    print(f"{'conversation':<28}{'exact':>8}{'counted':>9}{'error':>8}")
    for path in sorted(folder.glob("*.json")):
        texts = contents(path)
        exact, counted = exact_counts(texts), [counter.count(text) for text in texts]
        error = sum(counted) / sum(exact) - 1
        whole.append(abs(error))
        turns.extend(abs(c / e - 1) for c, e in zip(counted, exact, strict=True) if e >= SHORTEST_TURN)
        print(f"{path.stem:<28}{sum(exact):>8}{sum(counted):>9}{error:>8.1%}")
    print(f"conversations: mean {statistics.mean(whole):.1%}, worst {max(whole):.1%}")
    print(
        f"{len(turns)} turns of {SHORTEST_TURN} tokens or more: "
        f"mean {statistics.mean(turns):.1%}, worst {max(turns):.1%}"
    )


if __name__ == "__main__":
    main()
