"""Public docstrings drawn at random, to be graded by readers who do not know the code.

usage: python benchmarks/docstring_sample.py [--seed 1] [--of 40]

Prints each with its signature, a number and no path. A grade of A: an outside engineer can call it without reading its
body; B: after one look at the body; C: only with the body; D: misleads. The same seed draws the same names while the
tree is the same.
"""

import argparse
import ast
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.house import ROOT, modules_of, rooms_of

Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public(root: Path) -> Iterator[tuple[str, Documented]]:
    """Public classes, functions and methods with a docstring, with where each stands."""
    for room in rooms_of(root):
        for module, file in modules_of(root, room).items():
            tree = ast.parse(file.read_text(encoding="utf-8"))
            inner = [node for one in tree.body if isinstance(one, ast.ClassDef) for node in one.body]
            for node in (*tree.body, *inner):
                if isinstance(node, Documented) and not node.name.startswith("_") and ast.get_docstring(node):
                    yield f"{module}.{node.name}", node


def signature(node: Documented) -> str:
    """The first line of a definition, its names and types."""
    if isinstance(node, ast.ClassDef):
        fields = [ast.unparse(one) for one in node.body if isinstance(one, ast.AnnAssign)]
        return f"class {node.name}({', '.join(map(ast.unparse, node.bases))})" + "".join(
            f"\n    {one}" for one in fields
        )
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"def {node.name}({ast.unparse(node.args)}){returns}"


def main() -> int:
    """Print the sample."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", type=int, default=40)
    options = parser.parse_args()
    every = sorted(public(ROOT), key=lambda one: one[0])
    drawn = random.Random(options.seed).sample(every, options.of)  # noqa: S311 - a sample, not a secret
    for number, (_, node) in enumerate(drawn, start=1):
        print(f"--- {number}\n{signature(node)}\n    {ast.get_docstring(node)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
