"""An id has the type of what it names, and a claim's text is not called a claim."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.project import ROOT, shown, sources, tree

TYPES = {
    "job": "JobId",
    "job_id": "JobId",
    "conversation": "ConversationId",
    "conversation_id": "ConversationId",
    "claim": "ClaimId",
    "claim_id": "ClaimId",
}
EVERY_ID = {"dissolution", "store"}
JOBS = {"stability", "triggers", "workers", *EVERY_ID}
"""Rooms whose ids of jobs are typed; those of conversations and claims are in the rooms above."""

CLAIMS = {"consensus", "frame_agent", "probe", "prompts", "stability", *EVERY_ID}
"""Rooms in which `claim` is a claim or the id of one."""

LOWER = {"dissolution/errors.py"}
"""Below the module that ids come from."""

Declared = tuple[int, str, str]
"""The line of a parameter or field, its name and its annotation."""


def declared(code: ast.Module) -> Iterator[Declared]:
    """Parameters of functions, and fields of what is neither stored nor sent as it stands."""
    for node in ast.walk(code):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            for one in (*given.posonlyargs, *given.args, *given.kwonlyargs):
                if one.annotation is not None:
                    yield node.lineno, one.arg, ast.unparse(one.annotation)
        elif isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "NamedTuple" for base in node.bases):
            for field in node.body:
                if isinstance(field, ast.AnnAssign):
                    yield field.lineno, ast.unparse(field.target), ast.unparse(field.annotation)


def untyped(code: ast.Module, names: set[str]) -> list[str]:
    return [
        f"line {line}: {name} is {TYPES[name]}"
        for line, name, kind in declared(code)
        if name in names and kind in {"str", "str | None"}
    ]


def names_of(file: Path) -> set[str]:
    """The names that must be typed in a file."""
    room = file.relative_to(ROOT).parts[0]
    if shown(file) in LOWER:
        return set()
    names = {name for name, kind in TYPES.items() if room in EVERY_ID or (kind == "JobId" and room in JOBS)}
    return names | ({"claim"} if room in CLAIMS else set())


def test_ids_are_typed_and_no_text_is_called_a_claim() -> None:
    found = {shown(file): untyped(tree(file), names) for file in sources() if (names := names_of(file))}
    assert {file: lines for file, lines in found.items() if lines} == {}


def test_a_plain_id_is_found(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(
        "def get(job: str, claim: Claim, *, conversation: str | None = None) -> JobId: ...\n"
        "class Row(NamedTuple):\n"
        "    job: JobId\n"
        "    claim: str\n"
    )
    assert untyped(tree(planted), set(TYPES)) == [
        "line 1: job is JobId",
        "line 1: conversation is ConversationId",
        "line 4: claim is ClaimId",
    ]
