"""How the time of every text tool grows with hostile text: a doubling must cost about twice, never four times.

usage: python benchmarks/linear_time.py [--chars 8000]

Prints, for each tool, the hostile text with the steepest growth, its time at N and 4 N characters (s) and the exponent
log(t4/t1)/log(4): 1 is linear, 2 quadratic.
"""

import argparse
import math
import time
from collections.abc import Callable

from language.choice import refusals
from language.dates import dates
from language.identifiers import identifiers
from language.modality import modality
from language.names import names
from language.negation import negation_cues
from language.numbers import quantities
from language.putting import is_hedged
from language.secrets.replacing import replace_secrets
from language.sentences import sentence_spans
from language.tokens import ApproximateTokenCounter
from language.words import content_words

PIECES = (
    "a", " ", "\n", ".", "(", "[", "{", "`", '"', "'", "1", "1,", "-", "_", "/", "not ", "no one ", "and ", "://a:",
    "password=", "pw: '", "PWD={", "Cookie: a=", "?sig=", "<password>",
    "bearer ", "eyJ", "-----BEGIN RSA PRIVATE KEY-----\n", "if ", "March ", "12:", "switch from ",
    "I think ",
)  # fmt: skip
TOOLS: dict[str, Callable[[str], object]] = {
    "refusals": refusals,
    "content_words": content_words,
    "dates": dates,
    "is_hedged": is_hedged,
    "identifiers": identifiers,
    "modality": modality,
    "names": names,
    "negation_cues": negation_cues,
    "quantities": quantities,
    "replace_secrets": lambda text: replace_secrets(text, key=b"0" * 32),
    "sentence_spans": sentence_spans,
    "tokens": ApproximateTokenCounter().count,
}
LEAST_S = 0.002
"""Below this a time says nothing about growth."""


def seconds(tool: Callable[[str], object], text: str) -> float:
    """Wall time of one call (s)."""
    started = time.perf_counter()
    tool(text)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--chars", type=int, default=8000)
    chars: int = parser.parse_args().chars
    print(f"{'tool':<16} {'steepest on':<34} {'t(N)':>8} {'t(4N)':>8} {'exponent':>9}")
    for name, tool in TOOLS.items():
        tool("warm up")
        rows: list[tuple[float, str, float, float]] = []
        for piece in PIECES:
            short, long = (seconds(tool, piece * (size // len(piece))) for size in (chars, 4 * chars))
            exponent = math.log(long / max(short, LEAST_S)) / math.log(4) if long > LEAST_S else 0.0
            rows.append((exponent, piece, short, long))
        exponent, piece, short, long = max(rows)
        print(f"{name:<16} {piece!r:<34} {short:8.3f} {long:8.3f} {exponent:9.2f}")


if __name__ == "__main__":
    main()
