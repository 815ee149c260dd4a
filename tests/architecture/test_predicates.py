"""A function that is named as a question answers yes or no, and changes nothing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.project import ROOT, shown, sources, tree

QUESTION = re.compile(r"_*(?:is|has|may|was|can)_")

PORTS = ("dissolution/ports/*.py", "dissolution/outbox.py", "dissolution/money.py", "dissolution/service.py")

LOOKS = {"os.kill(int(pid), 0)"}
"""Calls whose result is dropped and that change nothing: signal 0 asks whether a process is there."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(code: ast.AST) -> Iterator[Function]:
    yield from (node for node in ast.walk(code) if isinstance(node, Function))


def written_by_ports() -> set[str]:
    """Methods of the kernel's ports that return nothing: what they are for is their effect."""
    files = [file for pattern in PORTS for file in ROOT.glob(pattern)]
    return {
        one.name
        for file in files
        for one in functions(tree(file))
        if isinstance(one.returns, ast.Constant) and one.returns.value is None and not one.name.startswith("__")
    }


def committing(codes: list[ast.Module]) -> set[str]:
    """Functions at the head of a module that commit a unit of work themselves."""
    return {
        one.name
        for code in codes
        for one in code.body
        if isinstance(one, Function) and any(called(node) == "commit" and not node.args for node in calls(one))
    }


def calls(code: ast.AST) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(code) if isinstance(node, ast.Call))


def called(call: ast.Call) -> str:
    """The last part of the name that is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def effects(function: Function, writes: set[str], commits: set[str]) -> Iterator[str]:
    """What a function does besides answering; a validator of pydantic's is no question, whatever its name."""
    if any("validator" in ast.unparse(one) for one in function.decorator_list):
        return
    if function.returns is None or "bool" not in ast.unparse(function.returns):
        yield "answers neither yes nor no"
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            own = isinstance(node.func, ast.Name)
            if (called(node) in commits) if own else (called(node) in writes | {"commit", "add", "execute"}):
                yield ast.unparse(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
            if ast.unparse(node) not in LOOKS:
                yield ast.unparse(node)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            if any(isinstance(one, ast.Attribute | ast.Subscript) for one in targets):
                yield ast.unparse(node)


def asked_with_effects(files: list[Path]) -> dict[str, list[str]]:
    codes = [tree(file) for file in files]
    writes, commits = written_by_ports(), committing(codes)
    return {
        f"{shown(file) if file.is_relative_to(ROOT) else file.name} {one.name}": found
        for file, code in zip(files, codes, strict=True)
        for one in functions(code)
        if QUESTION.match(one.name) and (found := list(effects(one, writes, commits)))
    }


def test_no_question_has_an_effect() -> None:
    assert asked_with_effects(list(sources())) == {}


def test_questions_with_effects_are_found(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(
        "def is_held(work) -> bool:\n"
        "    work.commit()\n"
        "    return True\n"
        "def may_run(work) -> None: check(work)\n"
        "def has_seen(self) -> bool:\n"
        "    self.seen = True\n"
        "    return True\n"
        "def settle(work) -> bool:\n"
        "    work.commit()\n"
        "    return True\n"
        "def can_settle(work) -> bool: return settle(work)\n"
        "def was_moved(work) -> bool: return bool(work.jobs.record(1))\n"
        "def is_kept(claim) -> bool: return claim.section in KEPT\n"
    )
    assert asked_with_effects([planted]) == {
        "planted.py is_held": ["work.commit()", "work.commit()"],
        "planted.py may_run": ["answers neither yes nor no", "check(work)"],
        "planted.py has_seen": ["self.seen = True"],
        "planted.py can_settle": ["settle(work)"],
        "planted.py was_moved": ["work.jobs.record(1)"],
    }
