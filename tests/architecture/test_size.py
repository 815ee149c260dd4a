"""Functions stay small enough to be read at once; what does not has its reason here.

Modules have no limit: one answers one question, and `make lint` warns of those that have grown long.
"""

import ast
from collections.abc import Iterator

from tests.architecture.project import shown, sources, tree

FUNCTION_LINES = 40

LONG_FUNCTIONS: dict[str, str] = {
    "devtools/loopback_dialects.py:error": "one table of answers, a row for each kind of failure",
}


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body, without decorators, signature and docstring: what has to be followed."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def long_in(module: ast.Module) -> Iterator[str]:
    """Names of the functions of a module that are longer than the limit."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and length(node) > FUNCTION_LINES:
            yield node.name


def test_functions_are_short_and_exemptions_are_needed() -> None:
    found = {
        f"{shown(file)}:{name}"
        for file in sources()
        if "migrations" not in file.parts  # a migration lists tables
        for name in long_in(tree(file))
    }
    assert found == LONG_FUNCTIONS.keys()


def test_a_long_function_would_be_found() -> None:
    lines = "\n".join(f"    x{number} = {number}" for number in range(FUNCTION_LINES))
    assert list(long_in(ast.parse(f'def short():\n    """Words.\n\n    More."""\n{lines}\n'))) == []
    assert list(long_in(ast.parse(f"def long():\n{lines}\n    return x0\n"))) == ["long"]
