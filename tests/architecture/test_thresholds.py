"""What decides something about text stands in the calibration: no threshold is left beside the code that uses it."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.project import ROOT, shown, sources, tree

ROOMS = {"consensus", "context", "frame_agent", "language", "probe", "triggers"}

NO_THRESHOLDS = {
    "consensus/embedding/vectors.py UNIT_TOLERANCE": "float32 rounds",
    "consensus/evidence/finding.py NO_WEIGHT": "keeps a division from zero",
    "context/postings.py B": "a constant of BM25",
    "probe/reading.py LENGTH_NORM": "a constant of BM25",
    "language/tokens.py PER_FURTHER_LETTER": "tokens a letter: an estimate of length",
    "language/tokens.py LATIN_PER_LETTER": "tokens a letter: an estimate of length",
    "language/tokens.py ALPHABET_PER_LETTER": "tokens a letter: an estimate of length",
    "language/tokens.py JOINED_MARK": "tokens a mark: an estimate of length",
    "triggers/calibrate.py DEPTHS": "values that are tried; one of them is proposed for a policy",
    "triggers/calibrate.py OFF": "what a policy file says for a signal that is off",
    "triggers/values.py LEAST_CHANCE": "keeps a logarithm finite",
}
"""Constants between 0 and 1 that decide nothing about text, with the reason."""


def shares(code: ast.Module) -> Iterator[str]:
    """Names at the head of a module whose value holds a number between 0 and 1 that is written there."""
    for node in code.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        numbers = (one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant))
        if any(isinstance(number, float) and 0 < number < 1 for number in numbers):
            yield ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])


def left_outside(files: list[Path]) -> set[str]:
    return {f"{shown(file)} {name}" for file in files for name in shares(tree(file))}


def test_no_threshold_stands_outside_the_calibration() -> None:
    files = [file for file in sources() if file.relative_to(ROOT).parts[0] in ROOMS]
    assert left_outside(files) == NO_THRESHOLDS.keys()


def test_a_threshold_outside_is_found(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(
        "NEAR = 0.6\nPAIR: tuple[float, ...] = (1.0, 0.25)\nWHOLE = 1.0\nSAME = CALIBRATION.probe.near\n"
    )
    assert list(shares(tree(planted))) == ["NEAR", "PAIR"]
