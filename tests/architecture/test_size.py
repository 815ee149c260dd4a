"""Modules and functions stay small enough to be read at once; what does not has its reason here."""

import ast
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, shown, sources, tree

MODULE_LINES = 500
FUNCTION_LINES = 40

LONG_MODULES = {
    "dissolution/errors.py": "the drawn tree and its classes are compared with each other and read together",
}
LONG_FUNCTIONS: dict[str, str] = {
    "devtools/loopback_dialects.py:error": "one table of answers, a row for each kind of failure",
}


@pytest.mark.parametrize("file", sources(), ids=shown)
def test_modules_are_short(file: Path) -> None:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= MODULE_LINES or shown(file) in LONG_MODULES, f"{lines} lines"


@pytest.mark.parametrize("file", sources(), ids=shown)
def test_functions_are_short(file: Path) -> None:
    long = [
        f"{shown(file)}:{node.name} ({length(node)} lines)"
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and length(node) > FUNCTION_LINES
        and f"{shown(file)}:{node.name}" not in LONG_FUNCTIONS
        and "migrations" not in file.parts  # a migration lists tables
    ]
    assert long == []


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body, without decorators, signature and docstring: what has to be followed."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_exemptions_are_still_needed() -> None:
    for path in LONG_MODULES:
        assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) > MODULE_LINES, path
    named = {
        f"{shown(file)}:{node.name}"
        for file in sources()
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and length(node) > FUNCTION_LINES
    }
    assert set(LONG_FUNCTIONS) <= named
